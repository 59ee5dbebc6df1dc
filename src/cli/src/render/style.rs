// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What the output device can show.

use std::env;
use std::fmt;
use std::io::IsTerminal;

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What the output device can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether it takes colours.
    pub color: bool,
    /// Whether it takes characters beyond ASCII.
    pub unicode: bool,
    /// Columns, if it is a terminal: lines are cut there.
    pub width: Option<usize>,
}

/// A role that text plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Heads of tables.
    Head,
    /// What is there for completeness.
    Faint,
    /// What should not be overlooked.
    Warning,
    /// More than before.
    Growth,
    /// Less than before.
    Shrinkage,
    /// What has to be seen to: a leak, a broken file.
    Alarm,
}

impl Style {
    /// What standard output can show.
    pub fn of_stdout(choice: ColorChoice) -> Style {
        let stdout = std::io::stdout();
        let terminal = stdout.is_terminal();
        let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        Style {
            color: match choice {
                ColorChoice::Always => true,
                ColorChoice::Never => false,
                ColorChoice::Auto => {
                    terminal && !set("NO_COLOR") && env::var_os("TERM").is_some_and(|term| term != "dumb")
                }
            },
            unicode: speaks_utf8(),
            width: terminal
                .then(|| rustix::termios::tcgetwinsize(stdout).ok())
                .flatten()
                .map(|size| size.ws_col.into())
                .filter(|&width| width > 0),
        }
    }

    /// `text` in the colour of its role.
    pub fn paint<T: fmt::Display>(self, ink: Ink, text: T) -> Painted<T> {
        Painted { code: self.color.then(|| ink.code()), text }
    }
}

impl Ink {
    /// Parameters of the SGR escape. Blue and orange rather than green and red: most colour-blind people tell those apart.
    fn code(self) -> &'static str {
        match self {
            Ink::Head => "1",
            Ink::Faint => "2",
            Ink::Warning => "33",
            Ink::Growth => "38;5;208",
            Ink::Shrinkage => "38;5;39",
            // Bold as well, for those to whom red is dark.
            Ink::Alarm => "1;31",
        }
    }
}

/// Text with its colour.
#[derive(Clone, Copy, Debug)]
pub struct Painted<T> {
    code: Option<&'static str>,
    text: T,
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(f, "\x1b[{code}m{}\x1b[0m", self.text),
            None => self.text.fmt(f),
        }
    }
}

/// Whether the locale's character set is UTF-8. The first of these variables that is set decides.
fn speaks_utf8() -> bool {
    let locale =
        ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()));
    locale.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_painted_only_in_colour() {
        let style = Style { color: true, ..Style::default() };
        assert_eq!(style.paint(Ink::Head, "A").to_string(), "\x1b[1mA\x1b[0m");
        assert_eq!(Style::default().paint(Ink::Head, "A").to_string(), "A");
    }
}
