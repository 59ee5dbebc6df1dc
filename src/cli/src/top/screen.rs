// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The terminal while it is ours, and its way back.
//!
//! However `top` ends, the terminal is given back as it was: by [`Drop`] at a regular end and at errors, by a panic hook before
//! the message is printed, and after signals because those only set a flag (see [`session`](super::session)). Nothing can be
//! done about SIGKILL; `reset` helps then.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::mem::ManuallyDrop;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Once;

use crossterm::cursor::Show;
use crossterm::execute;
use crossterm::style::Print;
use crossterm::terminal::{disable_raw_mode, enable_raw_mode, EnterAlternateScreen, LeaveAlternateScreen};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Size;
use ratatui::Terminal;

use super::draw::{draw, Scene};

/// Asks for buttons and the wheel, not for every motion as crossterm's own command does, with decimal places (xterm's 1000, 1006).
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1000l";

/// Whether the terminal is ours. Whoever turns this off gives it back.
static OURS: AtomicBool = AtomicBool::new(false);

/// The terminal, drawn on.
pub struct Screen<'o> {
    /// Whether the mouse is ours, too.
    mouse: bool,
    /// Its own way of being dropped shows the cursor, complains to standard error if it cannot, and panics if that is gone too.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<&'o mut dyn Write>>>,
}

impl<'o> Screen<'o> {
    /// Takes the terminal that `out` leads to, with the `mouse` or without.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn enter(mouse: bool, out: &'o mut dyn Write) -> io::Result<Screen<'o>> {
        give_back_on_panic();
        let mut screen = Screen { mouse, terminal: ManuallyDrop::new(Terminal::new(CrosstermBackend::new(out))?) };
        screen.take()?;
        Ok(screen)
    }

    /// Takes the terminal again after [`leave`](Self::leave).
    ///
    /// # Errors
    ///
    /// Those of the terminal.
    pub fn take(&mut self) -> io::Result<()> {
        OURS.store(true, Ordering::SeqCst);
        enable_raw_mode()?;
        execute!(self.terminal.backend_mut(), EnterAlternateScreen)?;
        if self.mouse {
            execute!(self.terminal.backend_mut(), Print(MOUSE_ON))?;
        }
        self.terminal.hide_cursor()?;
        self.clear()
    }

    /// Gives the terminal back.
    ///
    /// # Errors
    ///
    /// Those of the terminal.
    pub fn leave(&mut self) -> io::Result<()> {
        give_back(self.terminal.backend_mut())
    }

    /// Draws everything anew.
    ///
    /// # Errors
    ///
    /// Those of the terminal.
    pub fn clear(&mut self) -> io::Result<()> {
        // Terminal::clear() asks the terminal where its cursor is and waits for the answer, for ever if it has gone.
        let size = self.terminal.size()?;
        self.terminal.resize(size.into())
    }

    /// Draws what has changed.
    ///
    /// # Errors
    ///
    /// Those of the terminal.
    pub fn draw(&mut self, scene: &Scene<'_>) -> io::Result<()> {
        self.terminal.draw(|frame| draw(frame, scene)).map(drop)
    }

    /// Its columns and lines.
    ///
    /// # Errors
    ///
    /// Those of the terminal.
    pub fn size(&self) -> io::Result<Size> {
        self.terminal.size()
    }
}

impl Drop for Screen<'_> {
    fn drop(&mut self) {
        // A terminal that is gone needs nothing back.
        let _ = self.leave();
    }
}

fn give_back(out: &mut impl Write) -> io::Result<()> {
    if !OURS.swap(false, Ordering::SeqCst) {
        return Ok(());
    }
    // In any case both: half a terminal is no use.
    let shown = execute!(out, Print(MOUSE_OFF), LeaveAlternateScreen, Show);
    disable_raw_mode()?;
    shown
}

/// Gives the terminal back before the message of a panic is printed, so that it can be read.
fn give_back_on_panic() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let next = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // Standard output may be what panicked.
            if let Ok(mut terminal) = OpenOptions::new().write(true).open("/dev/tty") {
                let _ = give_back(&mut terminal);
            }
            next(info);
        }));
    });
}
