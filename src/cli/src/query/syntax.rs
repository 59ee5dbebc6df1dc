// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The grammar of conditions, over any predicates.
//!
//! ```text
//! or        = and { ("or" | "||") and }
//! and       = unary { ["and" | "&&"] unary }
//! unary     = ("not" | "!") unary | "(" or ")" | predicate
//! predicate = FIELD OP VALUE
//! OP        = "=" | "==" | "!=" | "~" | "!~" | ">" | ">=" | "<" | "<="
//! VALUE     = anything up to a blank or parenthesis | '…' | "…"
//! ```
//!
//! Blanks around OP are allowed. In a bare value a parenthesis that was opened in it is part of it: `file~(a|b)`.

use std::fmt;

use crate::printable::printable;

/// A condition made of predicates `P`.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr<P> {
    /// All of them hold.
    All(Vec<Expr<P>>),
    /// One of them holds.
    Any(Vec<Expr<P>>),
    /// It does not hold.
    Not(Box<Expr<P>>),
    /// A predicate.
    Is(P),
}

impl<P> Expr<P> {
    /// Reads a condition. `predicate` makes one of FIELD, OP and VALUE, or says what is wrong with them.
    ///
    /// # Errors
    ///
    /// Where the text goes wrong, and how.
    pub fn parse(
        text: &str,
        predicate: impl FnMut(&str, Op, &str) -> Result<P, String>,
    ) -> Result<Expr<P>, SyntaxError> {
        Expr::parse_with(text, predicate, None)
    }

    /// The same, where words that are compared with nothing may stand among the predicates. `word` makes a predicate of one.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn parse_with(
        text: &str,
        predicate: impl FnMut(&str, Op, &str) -> Result<P, String>,
        word: Option<fn(&str) -> P>,
    ) -> Result<Expr<P>, SyntaxError> {
        let mut parser = Parser { text, at: 0, depth: 0, predicate, word };
        let expr = parser.or()?;
        parser.blanks();
        match parser.rest().chars().next() {
            None => Ok(expr),
            Some(found) => Err(parser.error(format!("`{found}` is one too many"))),
        }
    }

    /// Hands on every predicate in it.
    pub fn each(&self, then: &mut impl FnMut(&P)) {
        match self {
            Expr::All(parts) | Expr::Any(parts) => parts.iter().for_each(|part| part.each(then)),
            Expr::Not(part) => part.each(then),
            Expr::Is(predicate) => then(predicate),
        }
    }

    /// Whether the condition holds, given which predicates do.
    pub fn holds(&self, is: &mut impl FnMut(&P) -> bool) -> bool {
        match self {
            Expr::All(parts) => parts.iter().all(|part| part.holds(is)),
            Expr::Any(parts) => parts.iter().any(|part| part.holds(is)),
            Expr::Not(part) => !part.holds(is),
            Expr::Is(predicate) => is(predicate),
        }
    }

    /// The same where of some predicates nothing is known: `None` if the condition hangs on one of these.
    pub fn known(&self, is: &mut impl FnMut(&P) -> Option<bool>) -> Option<bool> {
        // Of all, one that does not hold decides; of any, one that holds.
        let mut decided = |parts: &[Expr<P>], by: bool| {
            let parts: Vec<Option<bool>> = parts.iter().map(|part| part.known(is)).collect();
            match parts.contains(&Some(by)) {
                true => Some(by),
                false => (!parts.contains(&None)).then_some(!by),
            }
        };
        match self {
            Expr::All(parts) => decided(parts, false),
            Expr::Any(parts) => decided(parts, true),
            Expr::Not(part) => part.known(is).map(|holds| !holds),
            Expr::Is(predicate) => is(predicate),
        }
    }
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `~`
    Match,
    /// `!~`
    NoMatch,
    /// `>`
    Above,
    /// `>=`
    AtLeast,
    /// `<`
    Below,
    /// `<=`
    AtMost,
}

/// Longer spellings first, so that `>=` is not read as `>`.
const OPS: &[(&str, Op)] = &[
    ("==", Op::Equal),
    ("!=", Op::NotEqual),
    ("!~", Op::NoMatch),
    (">=", Op::AtLeast),
    ("<=", Op::AtMost),
    ("=", Op::Equal),
    ("~", Op::Match),
    (">", Op::Above),
    ("<", Op::Below),
];

/// Where and why a condition cannot be read. Displays as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Byte offset into the text.
    pub at: usize,
    /// What is wrong there.
    pub problem: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at character {}: {}", self.at + 1, printable(&self.problem))
    }
}

impl std::error::Error for SyntaxError {}

/// Deeper nesting is refused: nobody writes it, and a stack has an end.
const DEPTH_LIMIT: u32 = 64;

struct Parser<'t, P, F> {
    text: &'t str,
    at: usize,
    depth: u32,
    predicate: F,
    /// What a word alone is; a mistake without.
    word: Option<fn(&str) -> P>,
}

impl<'t, P, F: FnMut(&str, Op, &str) -> Result<P, String>> Parser<'t, P, F> {
    fn or(&mut self) -> Result<Expr<P>, SyntaxError> {
        let mut parts = vec![self.and()?];
        while self.word("or") || self.sign("||") {
            parts.push(self.and()?);
        }
        Ok(one_or(parts, Expr::Any))
    }

    fn and(&mut self) -> Result<Expr<P>, SyntaxError> {
        let mut parts = vec![self.unary()?];
        loop {
            let explicit = self.word("and") || self.sign("&&");
            self.blanks();
            let rest = self.rest();
            let ends = rest.is_empty() || rest.starts_with([')', '|']) || self.peeks_word("or");
            if ends && !explicit {
                return Ok(one_or(parts, Expr::All));
            }
            parts.push(self.unary()?);
        }
    }

    fn unary(&mut self) -> Result<Expr<P>, SyntaxError> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err(self.error("too many parentheses or negations".into()));
        }
        let expr = if self.word("not") || self.sign("!") {
            Expr::Not(Box::new(self.unary()?))
        } else if self.sign("(") {
            let inner = self.or()?;
            if !self.sign(")") {
                return Err(self.error("`)` is missing".into()));
            }
            inner
        } else {
            self.predicate()?
        };
        self.depth -= 1;
        Ok(expr)
    }

    fn predicate(&mut self) -> Result<Expr<P>, SyntaxError> {
        self.blanks();
        let start = self.at;
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '%');
        let length = self.rest().find(|c| !is_name(c)).unwrap_or(self.rest().len());
        let behind = self.rest()[length..].trim_start();
        let compares = length > 0 && OPS.iter().any(|(spelling, _)| behind.starts_with(spelling));
        if let Some(word) = self.word.filter(|_| !compares && !self.rest().is_empty()) {
            return self.value().map(|text| Expr::Is(word(text)));
        }
        if length == 0 {
            return Err(self.error("a condition such as bytes>1M is missing".into()));
        }
        let field = &self.text[start..start + length];
        self.at += length;
        self.blanks();
        let Some(&(spelling, op)) = OPS.iter().find(|(spelling, _)| self.rest().starts_with(spelling)) else {
            return Err(self.error(format!("a comparison such as = or ~ is missing behind `{field}`")));
        };
        self.at += spelling.len();
        self.blanks();
        let value = self.value()?;
        (self.predicate)(field, op, value).map(Expr::Is).map_err(|problem| SyntaxError { at: start, problem })
    }

    fn value(&mut self) -> Result<&'t str, SyntaxError> {
        let rest = self.rest();
        if let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            let Some(length) = rest[1..].find(quote) else {
                return Err(self.error(format!("the closing {quote} is missing")));
            };
            self.at += length + 2;
            return Ok(&rest[1..1 + length]);
        }
        let mut open = 0u32;
        let end = rest.find(|c: char| match c {
            '(' => {
                open += 1;
                false
            }
            ')' if open > 0 => {
                open -= 1;
                false
            }
            _ => c == ')' || c.is_whitespace(),
        });
        let value = &rest[..end.unwrap_or(rest.len())];
        if value.is_empty() {
            return Err(self.error("a value is missing; write '' for an empty one".into()));
        }
        self.at += value.len();
        Ok(value)
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Takes the sign if it is next.
    fn sign(&mut self, sign: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    /// Whether the whole word is next, and no field of that name.
    fn peeks_word(&self, word: &str) -> bool {
        self.rest().strip_prefix(word).is_some_and(|rest| {
            rest.is_empty()
                || rest.starts_with([' ', '\t', '\n', '(', '!']) && {
                    let rest = rest.trim_start();
                    !OPS.iter().any(|(spelling, _)| rest.starts_with(spelling))
                }
        })
    }

    /// Takes the word if it is next.
    fn word(&mut self, word: &str) -> bool {
        self.blanks();
        let found = self.peeks_word(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn error(&self, problem: String) -> SyntaxError {
        SyntaxError { at: self.at, problem }
    }
}

fn one_or<P>(mut parts: Vec<Expr<P>>, many: impl Fn(Vec<Expr<P>>) -> Expr<P>) -> Expr<P> {
    match parts.len() {
        1 => parts.remove(0),
        _ => many(parts),
    }
}

#[cfg(test)]
#[path = "syntax/tests.rs"]
mod tests;
