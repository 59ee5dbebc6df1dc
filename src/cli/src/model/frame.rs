// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! One function of a stack.

use std::fmt;

use serde::Serialize;

use super::Name;

/// A return address as the kernel names it: `iget_locked+0x21c/0x300`, behind that the module in brackets if there is one; `?`
/// where the function has gone.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Frame(Name);

impl Frame {
    /// The frame of that name.
    pub fn new(name: Name) -> Frame {
        Frame(name)
    }

    /// All of it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The function alone.
    pub fn function(&self) -> &str {
        let place = self.place();
        place.split_once('+').map_or(place, |(function, _)| function)
    }

    /// The module; `None` for built-in code.
    pub fn module(&self) -> Option<&str> {
        self.0.strip_suffix(']')?.rsplit_once(" [").map(|(_, module)| module)
    }

    /// The function and its module, as one name.
    pub fn name(&self) -> String {
        match self.module() {
            Some(module) => format!("{} [{module}]", self.function()),
            None => self.function().to_owned(),
        }
    }

    /// Whether it is in the function of that name, or in a part that the compiler has made of it (`f.isra.0`, `f.cold`).
    pub fn is_of(&self, function: &str) -> bool {
        self.function().strip_prefix(function).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }

    fn place(&self) -> &str {
        self.0.split_once(" [").map_or(&*self.0, |(place, _)| place)
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_read_in_its_parts() {
        for (text, function, module, name) in [
            ("iget_locked+0x21c/0x300", "iget_locked", None, "iget_locked"),
            ("leaks+0x1f/0x40 [alloctag_leaky]", "leaks", Some("alloctag_leaky"), "leaks [alloctag_leaky]"),
            ("?", "?", None, "?"),
            ("f+0xg/0x1", "f", None, "f"),
            ("f+12", "f", None, "f"),
            ("", "", None, ""),
            ("+/ []", "", Some(""), " []"),
        ] {
            let frame = Frame::new(text.into());
            assert_eq!((frame.function(), frame.module()), (function, module), "{text}");
            assert_eq!((frame.name().as_str(), frame.to_string().as_str()), (name, text));
        }
    }

    #[test]
    fn what_the_compiler_makes_of_a_function_is_of_it() {
        for (text, expected) in
            [("f+0x1/0x2", true), ("f.isra.0+0x1/0x2", true), ("ff+0x1/0x2", false), ("g+0x1/0x2", false)]
        {
            assert_eq!(Frame::new(text.into()).is_of("f"), expected, "{text}");
        }
    }
}
