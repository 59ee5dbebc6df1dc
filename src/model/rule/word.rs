// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The words of rules.
//!
//! Blanks part words, `;` and ends of lines part rules, and what follows a `#` at the beginning of a word is a remark. Between
//! quotes, single or double, all of these are part of the word but the end of the line, so that a rule is shown on one.

/// What is wrong with a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// A word that nothing begins with.
    Unknown,
    /// A word that wants another one behind it.
    Incomplete,
    /// The same word for a second time.
    Twice,
    /// Not a number, or too large or too small a one.
    Number,
    /// No range of lines.
    Range,
    /// A letter that there is not, or not here.
    Letter,
    /// No letters.
    NoLetters,
    /// No call sites.
    NoSites,
    /// A value that the option does not know.
    Value,
    /// Nothing that is measured.
    Measured,
    /// An option of a letter that the rule does not turn on.
    Option,
    /// Contexts by nothing.
    NoKeys,
    /// A quote that nobody closes, or within a word.
    Quote,
}

impl Wrong {
    /// What to say of the word.
    pub const fn why(self) -> &'static str {
        match self {
            Self::Unknown => "no such word",
            Self::Incomplete => "a value must follow",
            Self::Twice => "given twice",
            Self::Number => "not a number that can be had here",
            Self::Range => "not a range of lines",
            Self::Letter => "no such letter here",
            Self::NoLetters => "no letters: +c, for instance, must follow",
            Self::NoSites => "no call sites: file, func, module, line or * must precede",
            Self::Value => "no such value",
            Self::Measured => "reset must be followed by stalls, latency or lifetimes",
            Self::Option => "an option of a letter that is not turned on",
            Self::NoKeys => "by= must say what contexts are told apart by",
            Self::Quote => "quotes must be around all of a word",
        }
    }
}

/// A mistake in a rule, and the word where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mistake<'a> {
    /// The word, without quotes; where something is missing at the end, the last one.
    pub word: &'a [u8],
    /// What is wrong with it.
    pub wrong: Wrong,
}

/// What a text is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A word.
    Word(&'a [u8]),
    /// A rule ends here.
    End,
}

/// Whether a line ends with this byte.
const fn ends_line(byte: u8) -> bool {
    matches!(byte, b'\n' | 0)
}

/// Whether a rule ends with this byte.
const fn ends(byte: u8) -> bool {
    byte == b';' || ends_line(byte)
}

/// Whether a word ends before this byte.
const fn parts(byte: u8) -> bool {
    byte.is_ascii_whitespace() || ends(byte)
}

/// Splits a text where the first byte is that is asked for.
fn until(text: &[u8], ends: impl Fn(&u8) -> bool) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(ends).unwrap_or(text.len()))
}

/// Takes the next token off a text; `None` at its end.
pub(super) fn next<'a>(text: &mut &'a [u8]) -> Option<Result<Token<'a>, Mistake<'a>>> {
    loop {
        let (first, rest) = text.split_first()?;
        match *first {
            byte if ends(byte) => {
                *text = rest;
                return Some(Ok(Token::End));
            }
            byte if byte.is_ascii_whitespace() => *text = rest,
            b'#' => *text = until(text, |byte| ends_line(*byte)).1,
            quote @ (b'"' | b'\'') => return Some(quoted(text, rest, quote).map(Token::Word)),
            _ => {
                let (word, rest) = until(text, |byte| parts(*byte));
                *text = rest;
                return Some(bare(word).map(Token::Word));
            }
        }
    }
}

/// A word without quotes, which has none within, so that it can be shown in quotes.
fn bare(word: &[u8]) -> Result<&[u8], Mistake<'_>> {
    if word.iter().any(|byte| matches!(byte, b'"' | b'\'')) {
        return Err(Mistake {
            word,
            wrong: Wrong::Quote,
        });
    }
    Ok(word)
}

/// Takes a word in quotes, whose first is taken, off a text.
fn quoted<'a>(text: &mut &'a [u8], rest: &'a [u8], quote: u8) -> Result<&'a [u8], Mistake<'a>> {
    let (word, rest) = until(rest, |byte| *byte == quote || ends_line(*byte));
    let wrong = Mistake {
        word,
        wrong: Wrong::Quote,
    };
    match rest.split_first() {
        Some((closing, rest)) if *closing == quote => *text = rest,
        _ => return Err(wrong),
    }
    match text.first() {
        Some(byte) if !parts(*byte) => Err(wrong),
        _ => Ok(word),
    }
}

/// The quote that a word needs to be read again as it is, if it needs one. No word has both.
pub(super) fn quote_for(word: &[u8]) -> Option<u8> {
    let odd = |byte: &u8| parts(*byte) || matches!(byte, b'"' | b'\'');
    if word.contains(&b'"') {
        Some(b'\'')
    } else if word.is_empty() || word.first() == Some(&b'#') || word.iter().any(odd) {
        Some(b'"')
    } else {
        None
    }
}
