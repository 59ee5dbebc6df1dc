// SPDX-License-Identifier: GPL-2.0

//! What the function is called that an [`alloc_hooks!`](crate::alloc_hooks) stands in, at compile
//! time.

/// The path of a function of [`alloc_hooks!`](crate::alloc_hooks), and so of what that stands in.
pub const fn path_of<T>(_function: &T) -> &'static str {
    core::any::type_name::<T>()
}

/// The length of [`name()`] in bytes.
pub const fn length(path: &str) -> usize {
    write_name(path.as_bytes(), &mut [])
}

/// What a row calls the function that a path of [`path_of()`] stands in: its name and that of its
/// type, trait or module, without generic arguments; a zero ends it.
///
/// So `<driver::Queue<T> as Drop>::drop::here` is `Queue::drop`.
pub const fn name<const LENGTH: usize>(path: &str) -> [u8; LENGTH] {
    let mut name = [0; LENGTH];
    write_name(path.as_bytes(), &mut name);
    name
}

/// Writes as much of the name as fits and returns its length.
const fn write_name(path: &[u8], name: &mut [u8]) -> usize {
    // The last part is the macro's own function; closures and numbered blocks have no names.
    let (_, mut end) = last_part(path, path.len());
    let (mut parts, mut kept) = ([(0, 0); 2], 0);
    while kept < parts.len() && end > 0 {
        let (start, rest) = last_part(path, end);
        if path[start] != b'{' {
            parts[kept] = identifier(path, start, end);
            kept += 1;
        }
        end = rest;
    }
    let mut length = 0;
    while kept > 0 {
        kept -= 1;
        let (mut at, stop) = parts[kept];
        while at < stop {
            length = put(name, length, path[at]);
            at += 1;
        }
        if kept > 0 {
            length = put(name, length, b':');
            length = put(name, length, b':');
        }
    }
    length
}

/// Where the last part of a path begins, and where the parts before it end: at `::`, unless in the
/// brackets of generic arguments.
const fn last_part(path: &[u8], end: usize) -> (usize, usize) {
    let (mut at, mut depth) = (end, 0);
    while at > 0 {
        match path[at - 1] {
            // The arrow of a function's type is no bracket.
            b'>' if at < 2 || path[at - 2] != b'-' => depth += 1,
            b'<' => depth -= 1,
            b':' if depth == 0 => return (at, at - 2),
            _ => (),
        }
        at -= 1;
    }
    (0, 0)
}

/// The identifier in a part of a path: of `name<T>` the name, of `<a::Type<T> as b::Trait>` the type.
const fn identifier(path: &[u8], start: usize, end: usize) -> (usize, usize) {
    let mut first = start;
    while first < end && !is_name(path[first]) {
        first += 1;
    }
    let mut last = first;
    while last < end {
        if is_name(path[last]) {
            last += 1;
        } else if path[last] == b':' {
            first = last + 2;
            last = first;
        } else if is_qualifier(path, first, last) {
            first = last + 1;
            last = first;
        } else {
            break;
        }
    }
    (first, last)
}

/// Whether a word only qualifies the type that follows.
const fn is_qualifier(path: &[u8], first: usize, last: usize) -> bool {
    let word = path.split_at(last).0.split_at(first).1;
    matches!(word, b"mut" | b"const" | b"dyn")
}

/// Whether a byte can be part of an identifier.
const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// Writes a byte if there is room, and returns where the next one goes.
const fn put(name: &mut [u8], at: usize, byte: u8) -> usize {
    if at < name.len() {
        name[at] = byte;
    }
    at + 1
}

#[cfg(CONFIG_ALLOCTAG_KUNIT_TEST)]
#[macros::kunit_tests(alloctag_names)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_function_and_what_it_belongs_to() {
        let table = [
            ("driver::here", "driver"),
            ("driver::probe::here", "driver::probe"),
            ("driver::queue::push::here", "queue::push"),
            ("driver::queue::push::{{closure}}::here", "queue::push"),
            ("driver::queue::{impl#3}::push::here", "queue::push"),
            ("driver::queue::Queue<T>::push::here", "Queue::push"),
            ("<driver::Queue as core::Drop>::drop::here", "Queue::drop"),
            (
                "<driver::Queue<a::B, c::D> as Drop>::drop::here",
                "Queue::drop",
            ),
            ("<driver::Queue>::push<fn(u8) -> u8>::here", "Queue::push"),
            ("<&mut driver::Queue as Drop>::drop::here", "Queue::drop"),
        ];
        for (path, expected) in table {
            let mut buffer = [0; 32];
            let written = write_name(path.as_bytes(), &mut buffer);
            assert_eq!(written, length(path));
            assert_eq!(buffer.get(..written), Some(expected.as_bytes()));
        }
    }
}
