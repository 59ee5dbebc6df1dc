// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Patterns of names, as dynamic debug has them: `*` stands for any characters, `?` for one.
//!
//! C source: `match_wildcard()` of `lib/parser.c`.

/// Whether a pattern matches all of a text.
///
/// Takes at most as many steps as the product of both lengths, and no stack: after a mismatch the last `*` stands for one
/// character more, and those before it stay as they are.
pub fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut rest, mut at) = (pattern, text);
    // What follows the last star, and what of the text it has not taken yet.
    let mut star: Option<(&[u8], &[u8])> = None;
    loop {
        match (rest.split_first(), at.split_first()) {
            (Some((b'*', after)), _) => {
                star = Some((after, at));
                rest = after;
            }
            (Some((wanted, after)), Some((found, left))) if *wanted == b'?' || wanted == found => {
                (rest, at) = (after, left);
            }
            (None, None) => return true,
            _ => match star {
                Some((after, [_, left @ ..])) => {
                    star = Some((after, left));
                    (rest, at) = (after, left);
                }
                _ => return false,
            },
        }
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_glob))]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_characters_and_question_marks_for_one() {
        // Pattern, what it matches, what it does not.
        let table: [(&[u8], &[u8], &[u8]); 12] = [
            (b"", b"", b"a"),
            (b"a", b"a", b""),
            (b"a", b"a", b"ab"),
            (b"*", b"", b""),
            (b"?", b"a", b""),
            (b"a*", b"a", b"ba"),
            (b"*a", b"a", b"ab"),
            (b"*a", b"aaa", b"aab"),
            (b"a*b*c", b"abbcbc", b"abbcb"),
            (b"*ab?", b"aabab1", b"aab1ab"),
            (b"fs/*/inode.c", b"fs/ext4/inode.c", b"fs/inode.c"),
            (b"**?", b"x", b""),
        ];
        for (pattern, yes, no) in table {
            assert!(matches(pattern, yes));
            // A star alone matches everything.
            assert_eq!(matches(pattern, no), pattern == b"*");
        }
    }

    #[test]
    fn many_stars_come_to_an_end() {
        let text = [b'a'; 200];
        assert!(!matches(b"*a*a*a*a*a*a*a*a*a*a*b", &text));
        assert!(matches(b"*a*a*a*a*a*a*a*a*a*a*", &text));
    }
}
