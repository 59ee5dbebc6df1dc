// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Rules, which choose call sites, as the kernel reads them: by the kernel's own code, so that a slip is told before it is asked.

use alloctag_core::model::rule::{commands, Command, Letters, Mistake, Rule, Wrong};
use alloctag_core::model::text::Text;

/// Bytes that the kernel takes at a time.
pub const LONGEST: usize = 4096;

/// Bytes that a rule is shown in: what it was written with, and what it leaves unsaid.
const SHOWN: usize = LONGEST + 256;

/// Every letter that there is. Which of them a kernel offers it knows best.
const LETTERS: Letters =
    Letters::CONTEXTS.with(Letters::FAULTS).with(Letters::LATENCY).with(Letters::LIFETIMES).with(Letters::EVENTS);

/// Rules that make sense, or that a later kernel may make sense of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    text: String,
    /// As the kernel will list them, as far as they are known.
    listed: Vec<String>,
    doubt: Option<String>,
}

impl Rules {
    /// Reads the arguments of a command line: one with a blank in it is a rule, those without are the words of one.
    ///
    /// # Errors
    ///
    /// What no kernel would take.
    pub fn of_arguments(arguments: &[String]) -> Result<Rules, String> {
        let mut text = String::new();
        let mut before_was_word = false;
        for argument in arguments {
            let is_word = !argument.contains(char::is_whitespace);
            if !text.is_empty() {
                text.push(if is_word && before_was_word { ' ' } else { '\n' });
            }
            text.push_str(argument);
            before_was_word = is_word;
        }
        Rules::parse(&text)
    }

    /// Reads rules, one a line or separated by `;`.
    ///
    /// # Errors
    ///
    /// As [`of_arguments`](Self::of_arguments).
    pub fn parse(text: &str) -> Result<Rules, String> {
        if text.len() > LONGEST {
            return Err(format!("has {} bytes; the kernel takes {LONGEST} at a time", text.len()));
        }
        if text.contains('\0') {
            return Err("has a byte 0 in it, behind which the kernel would read nothing".to_owned());
        }
        let mut rules = Rules { text: text.to_owned(), listed: Vec::new(), doubt: None };
        for command in commands(text.as_bytes(), LETTERS) {
            match command {
                Ok(Command::Add(rule)) => rules.listed.extend(listed(&rule)),
                Ok(_) => return Err("takes rules back; --stop does so".to_owned()),
                Err(mistake) if is_final(mistake.wrong) => return Err(told(mistake)),
                Err(mistake) => rules.doubt = Some(told(mistake)),
            }
        }
        if rules.listed.is_empty() && rules.doubt.is_none() {
            return Err("is empty; a rule is, for instance, 'file fs/inode.c +c by=stack'".to_owned());
        }
        Ok(rules)
    }

    /// What is to be written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What may be wrong with them, unless the kernel knows more than this tool does.
    pub fn doubt(&self) -> Option<&str> {
        self.doubt.as_deref()
    }

    /// Whether one of them is listed as `command`.
    pub fn has(&self, command: &str) -> bool {
        self.doubt.is_some() || self.listed.iter().any(|listed| listed == command)
    }
}

/// Asks whether a text names call sites, and nothing more.
///
/// # Errors
///
/// What is wrong with it.
pub fn names_sites(text: &str) -> Result<(), String> {
    // Behind a mistake nothing is looked at, so what parts rules is looked for.
    match commands(text.as_bytes(), LETTERS).next() {
        Some(Err(Mistake { wrong: Wrong::NoLetters, .. })) if !text.contains([';', '\n', '#']) => Ok(()),
        Some(Err(mistake)) if mistake.wrong != Wrong::NoLetters => Err(told(mistake)),
        _ => Err("is to name call sites by one rule, without letters".to_owned()),
    }
}

/// Whether no later kernel can make sense of it, either.
fn is_final(wrong: Wrong) -> bool {
    matches!(
        wrong,
        Wrong::Incomplete
            | Wrong::Twice
            | Wrong::Range
            | Wrong::NoLetters
            | Wrong::NoSites
            | Wrong::NoKeys
            | Wrong::Quote
    )
}

fn told(mistake: Mistake<'_>) -> String {
    format!("{}: {}", String::from_utf8_lossy(mistake.word), mistake.wrong.why())
}

fn listed(rule: &Rule<'_>) -> Option<String> {
    let mut buffer = [0; SHOWN];
    let mut text = Text::new(&mut buffer);
    rule.show(&mut text).ok()?;
    let used = text.used();
    String::from_utf8(buffer.get(..used)?.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(arguments: &[&str]) -> Result<Rules, String> {
        Rules::of_arguments(&arguments.iter().map(|&argument| argument.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn quotes_may_be_left_out_where_there_is_one_rule() {
        for (arguments, text) in [
            (&["file fs/inode.c +c by=stack"][..], "file fs/inode.c +c by=stack"),
            (&["file", "fs/inode.c", "+c", "by=stack"], "file fs/inode.c +c by=stack"),
            (&["file a +c by=comm", "func b -c"], "file a +c by=comm\nfunc b -c"),
        ] {
            let rules = of(arguments).unwrap();
            assert_eq!((rules.text(), rules.doubt()), (text, None));
        }
        let rules = of(&["* +c by=stack depth=8; func f -c"]).unwrap();
        assert!(rules.has("* +c by=stack") && rules.has("func f -c") && !rules.has("func f +c by=stack"));
    }

    #[test]
    fn what_no_kernel_takes_is_told_at_once_and_what_a_later_one_may_take_is_asked() {
        for (text, problem) in [
            ("file a", "a: no letters: +c, for instance, must follow"),
            ("+c by=stack", "by=stack: no call sites: file, func, module, line or * must precede"),
            ("* +c", "+c: by= must say what contexts are told apart by"),
            ("* +c by=comm,comm", "by=comm,comm: given twice"),
            ("* +c by=comm; -1", "takes rules back; --stop does so"),
            ("=_", "takes rules back; --stop does so"),
            (" ; # nothing", "is empty; a rule is, for instance, 'file fs/inode.c +c by=stack'"),
            ("* +c\0 by=comm", "has a byte 0 in it, behind which the kernel would read nothing"),
        ] {
            assert_eq!(Rules::parse(text).unwrap_err(), problem, "{text}");
        }
        let long = "x".repeat(LONGEST + 1);
        assert_eq!(Rules::parse(&long).unwrap_err(), "has 4097 bytes; the kernel takes 4096 at a time");
        for (text, doubt) in [
            ("* +c by=colour", "by=colour: no such value"),
            ("* +z", "+z: no such letter here"),
            ("* +c by=comm shade=3", "shade=3: no such word"),
        ] {
            assert_eq!(Rules::parse(text).unwrap().doubt(), Some(doubt), "{text}");
        }
    }
}
