// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The names in a mangled symbol of Rust's: the function, and the type or module that it belongs to.
//!
//! The grammar is that of version 0 (RFC 2603). What is not needed for a name is read over.

/// What a symbol names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol<'a> {
    /// The crate that the function was written in.
    pub krate: &'a [u8],
    /// The type or module that the function belongs to; empty if it stands at the crate's root.
    pub parent: &'a [u8],
    /// The function.
    pub name: &'a [u8],
}

/// How deep paths and types may be nested, for the reader is recursive and stacks are small.
const DEPTH: u32 = 12;

/// How many paths, types and constants are read, more than a symbol of the kernel's 512 bytes can spell out. One that names
/// earlier places again and again would have some of them read for every way that leads there.
const STEPS: u32 = 512;

impl<'a> Symbol<'a> {
    /// Reads a symbol; `None` where it is not of that kind, nested too deeply, or takes too many steps.
    pub fn parse(mangled: &'a [u8]) -> Option<Self> {
        let mut reader = Reader {
            text: mangled.strip_prefix(b"_R")?,
            at: 0,
            steps: STEPS,
        };
        reader.path(DEPTH)
    }

    fn root(krate: &'a [u8]) -> Self {
        Self {
            krate,
            parent: b"",
            name: krate,
        }
    }

    /// What is named `name` in this.
    fn child(self, name: &'a [u8]) -> Self {
        Self {
            krate: self.krate,
            parent: self.name,
            name,
        }
    }
}

/// The rest of a symbol.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    steps: u32,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// Reads over a byte if it comes next.
    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// `_` is 0, and every other number is one less than what its digits say.
    fn base62(&mut self) -> Option<usize> {
        let mut number: Option<usize> = None;
        loop {
            let digit = match self.next()? {
                b'_' => break,
                byte @ b'0'..=b'9' => byte - b'0',
                byte @ b'a'..=b'z' => byte - b'a' + 10,
                byte @ b'A'..=b'Z' => byte - b'A' + 36,
                _ => return None,
            };
            let before = number.unwrap_or(0);
            number = Some(before.checked_mul(62)?.checked_add(usize::from(digit))?);
        }
        number.map_or(Some(0), |number| number.checked_add(1))
    }

    /// Reads over a number that a letter announces, if it is there.
    fn optional(&mut self, letter: u8) -> Option<()> {
        if self.eat(letter) {
            self.base62()?;
        }
        Some(())
    }

    fn identifier(&mut self) -> Option<&'a [u8]> {
        self.optional(b's')?;
        self.eat(b'u');
        self.peek().filter(u8::is_ascii_digit)?;
        let mut length = 0usize;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            self.at += 1;
            length = length
                .checked_mul(10)?
                .checked_add(usize::from(digit - b'0'))?;
            // No number begins with a zero, so a name of no length is followed by what it likes.
            if length == 0 {
                break;
            }
        }
        self.eat(b'_');
        let end = self.at.checked_add(length)?;
        let name = self.text.get(self.at..end)?;
        self.at = end;
        Some(name)
    }

    /// Reads what stands at an earlier place, which a number names.
    fn back<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let begin = self.at;
        let place = self.base62()?;
        let end = self.at;
        if place >= begin {
            return None;
        }
        self.at = place;
        let found = read(self);
        self.at = end;
        found
    }

    /// How deep what comes next may be nested; `None` if it may not even be there.
    fn enter(&mut self, depth: u32) -> Option<u32> {
        self.steps = self.steps.checked_sub(1)?;
        depth.checked_sub(1)
    }

    fn path(&mut self, depth: u32) -> Option<Symbol<'a>> {
        let depth = self.enter(depth)?;
        match self.next()? {
            b'C' => Some(Symbol::root(self.identifier()?)),
            b'N' => {
                let space = self.next()?;
                let parent = self.path(depth)?;
                let name = self.identifier()?;
                // Closures and the like are a part of what they stand in.
                Some(if name.is_empty() || space.is_ascii_uppercase() {
                    parent
                } else {
                    parent.child(name)
                })
            }
            // What an `impl` holds belongs to the type, but was written where the `impl` stands.
            b'M' => {
                let place = self.implementation(depth)?;
                let kind = self.kind(depth)?;
                Some(kind.map_or(place, |kind| Symbol {
                    krate: place.krate,
                    ..kind
                }))
            }
            b'X' => {
                let place = self.implementation(depth)?;
                let kind = self.kind(depth)?;
                self.path(depth)?;
                Some(kind.map_or(place, |kind| Symbol {
                    krate: place.krate,
                    ..kind
                }))
            }
            b'Y' => {
                let kind = self.kind(depth)?;
                let place = self.path(depth)?;
                Some(kind.map_or(place, |kind| Symbol {
                    krate: place.krate,
                    ..kind
                }))
            }
            b'I' => {
                let path = self.path(depth)?;
                while !self.eat(b'E') {
                    self.argument(depth)?;
                }
                Some(path)
            }
            b'B' => self.back(|reader| reader.path(depth)),
            _ => None,
        }
    }

    fn implementation(&mut self, depth: u32) -> Option<Symbol<'a>> {
        self.optional(b's')?;
        self.path(depth)
    }

    /// Reads over a generic argument.
    fn argument(&mut self, depth: u32) -> Option<()> {
        if self.eat(b'L') {
            self.base62()?;
        } else if self.eat(b'K') {
            self.constant(depth)?;
        } else {
            self.kind(depth)?;
        }
        Some(())
    }

    /// Reads over the value of a generic constant: a number, or a placeholder.
    fn constant(&mut self, depth: u32) -> Option<()> {
        let depth = self.enter(depth)?;
        match self.next()? {
            b'p' => Some(()),
            b'B' => self.back(|reader| reader.constant(depth)),
            b'a'..=b'z' => {
                self.eat(b'n');
                while self.next()? != b'_' {}
                Some(())
            }
            _ => None,
        }
    }

    /// Reads a type; inside, `None` stands for one that has no name.
    fn kind(&mut self, depth: u32) -> Option<Option<Symbol<'a>>> {
        let depth = self.enter(depth)?;
        match self.peek()? {
            b'a'..=b'z' => {
                self.at += 1;
                return Some(None);
            }
            b'C' | b'N' | b'M' | b'X' | b'Y' | b'I' => return self.path(depth).map(Some),
            _ => (),
        }
        match self.next()? {
            b'B' => self.back(|reader| reader.kind(depth)),
            b'R' | b'Q' => {
                self.optional(b'L')?;
                self.kind(depth)
            }
            b'P' | b'O' | b'S' => self.kind(depth),
            b'A' => {
                let kind = self.kind(depth)?;
                self.constant(depth)?;
                Some(kind)
            }
            b'T' => {
                while !self.eat(b'E') {
                    self.kind(depth)?;
                }
                Some(None)
            }
            b'F' => self.function(depth),
            b'D' => self.object(depth),
            _ => None,
        }
    }

    /// Reads over a function's type.
    fn function(&mut self, depth: u32) -> Option<Option<Symbol<'a>>> {
        self.optional(b'G')?;
        self.eat(b'U');
        if self.eat(b'K') && !self.eat(b'C') {
            self.identifier()?;
        }
        while !self.eat(b'E') {
            self.kind(depth)?;
        }
        self.kind(depth)?;
        Some(None)
    }

    /// Reads a trait object's type, which is named by its first trait.
    fn object(&mut self, depth: u32) -> Option<Option<Symbol<'a>>> {
        self.optional(b'G')?;
        let mut first = None;
        while !self.eat(b'E') {
            let bound = self.path(depth)?;
            while self.eat(b'p') {
                self.identifier()?;
                self.argument(depth)?;
            }
            first = first.or(Some(bound));
        }
        self.optional(b'L')?;
        Some(first)
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_symbol))]
mod tests {
    use super::*;

    #[test]
    fn the_function_and_its_type_are_found_in_a_symbol() {
        // Mangled, crate, type or module, function.
        let table: [[&[u8]; 4]; 8] = [
            [b"_RNvCs1234_6driver5probe", b"driver", b"driver", b"probe"],
            [b"_RNvNtCs1234_6driver5queue4push", b"driver", b"queue", b"push"],
            [b"_RNvMs_NtCs1_6driver5queueNtB4_5Queue4push", b"driver", b"Queue", b"push"],
            [b"_RNCNvNtCs1_6driver5queue4push0B5_", b"driver", b"queue", b"push"],
            [
                b"_RNvXs0_Cs1_6driverNtB5_5QueueNtNtCs2_6kernel5types4Drop4drop",
                b"driver",
                b"Queue",
                b"drop",
            ],
            // A function of the kernel crate that a driver instantiated.
            [
                b"_RNvMs0_NtNtCs2_6kernel5alloc4kvecINtB5_3VechNtNtB7_9allocator7KmallocE4pushCs1_6driver",
                b"kernel",
                b"Vec",
                b"push",
            ],
            [b"_RINvCs1_6driver4makeKj2a_RhAhj8_FEuDNtB2_1TEL_E", b"driver", b"driver", b"make"],
            [b"_RNvYNtCs1_6driver5QueueNtCs2_6kernel6Module4init", b"kernel", b"Queue", b"init"],
        ];
        for [mangled, krate, parent, name] in table {
            let found = Symbol::parse(mangled);
            assert_eq!(
                found,
                Some(Symbol {
                    krate,
                    parent,
                    name
                })
            );
        }
    }

    #[test]
    fn what_is_no_such_symbol_names_nothing() {
        let table: [&[u8]; 7] = [
            b"",
            b"kmalloc",
            b"_R",
            b"_RNvC6driver",
            b"_RNvC6driver99999999999999999999999x",
            b"_RB_",
            b"_RNvB99999999999999999999_1a",
        ];
        for mangled in table {
            assert_eq!(Symbol::parse(mangled), None);
        }
    }

    #[test]
    fn a_symbol_that_names_earlier_places_without_end_is_given_up() {
        // A generic function over one type, and over tuples each of which names the one before, at the places 8 and on.
        let table: [(&[u8], bool); 3] = [
            (b"_RINvC1a1bTuuETB7_B7_ETBc_Bc_EE", true),
            (b"_RINvC1a1bTuuuuuuuuETB7_B7_B7_B7_B7_B7_B7_B7_EE", true),
            (
                b"_RINvC1a1bTuuuuuuuuETB7_B7_B7_B7_B7_B7_B7_B7_ETBh_Bh_Bh_Bh_Bh_Bh_Bh_Bh_EE",
                false,
            ),
        ];
        for (mangled, is_read) in table {
            assert_eq!(Symbol::parse(mangled).is_some(), is_read);
        }
    }

    #[test]
    fn a_symbol_that_is_cut_anywhere_is_read_without_harm() {
        let mangled =
            b"_RNvMs0_NtNtCs2_6kernel5alloc4kvecINtB5_3VecFUKChEuNtNtB7_9allocator7KmallocE4push";
        for length in 0..mangled.len() {
            let _ = Symbol::parse(mangled.get(..length).unwrap_or_default());
        }
        assert!(Symbol::parse(mangled).is_some());
    }
}
