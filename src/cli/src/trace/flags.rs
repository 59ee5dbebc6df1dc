// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What the bits of a field are called, as the kernel itself says where it describes how an event is printed:
//!
//! ```text
//! print fmt: "… gfp_flags=%s", …, (REC->gfp_flags) ? __print_flags(REC->gfp_flags, "|",
//!     {( unsigned long)(( gfp_t)((((1UL))) << (8))), "__GFP_ZERO"}, …) : "none"
//! ```

/// What no bit at all is called.
const NONE: &str = "none";

/// How deep parentheses are followed: further than the kernel's macros nest.
const DEEPEST: usize = 64;

/// Bits and their names, in the kernel's order: the first that fits goes first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags(Vec<(u64, String)>);

impl Flags {
    /// Reads the names of a field's bits; none where the description has none. What it cannot compute it passes over.
    pub fn parse(description: &str, field: &str) -> Flags {
        let begin = format!("__print_flags(REC->{field}, \"|\",");
        let mut rest = description.find(&begin).and_then(|at| description.get(at + begin.len()..)).unwrap_or("");
        let mut flags = Vec::new();
        while let Some((inner, behind)) = rest.trim_start().strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            let Some((bits, name)) = inner.rsplit_once(',') else { break };
            // The last one has no name.
            let Some(name) = name.trim().strip_prefix('"').and_then(|name| name.strip_suffix('"')) else { break };
            flags.extend(constant(bits).map(|bits| (bits, name.to_owned())));
            rest = behind.trim_start().strip_prefix(',').unwrap_or("");
        }
        Flags(flags)
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A value by names, as the kernel prints it; as a number where nothing is known.
    pub fn name(&self, value: u64) -> String {
        if self.is_empty() {
            return format!("{value:#x}");
        }
        let mut left = value;
        let mut names = Vec::new();
        for (bits, name) in &self.0 {
            if left == 0 {
                break;
            }
            if left & bits == *bits {
                left &= !bits;
                names.push(name.clone());
            }
        }
        if left != 0 {
            names.push(format!("{left:#x}"));
        }
        if names.is_empty() {
            return NONE.to_owned();
        }
        names.join("|")
    }
}

/// The value of a constant expression of C, of 64 bits without a sign; `None` if it is none.
fn constant(text: &str) -> Option<u64> {
    let mut rest = text;
    let value = binary(&mut rest, 0, 0)?;
    rest.trim_start().is_empty().then_some(value)
}

/// Operators of two sides, each with how strongly it binds; the longer ones of those that begin alike are first.
const OPERATORS: [(&str, u32); 7] = [("<<", 4), (">>", 4), ("|", 1), ("^", 2), ("&", 3), ("+", 5), ("-", 5)];

/// What is left of operators that bind less than `least`.
fn binary(rest: &mut &str, least: u32, depth: usize) -> Option<u64> {
    let mut left = unary(rest, depth)?;
    loop {
        let text = rest.trim_start();
        let Some((operator, strength)) = OPERATORS.into_iter().find(|(operator, _)| text.starts_with(operator)) else {
            return Some(left);
        };
        if strength <= least {
            return Some(left);
        }
        *rest = text.get(operator.len()..)?;
        let right = binary(rest, strength, depth)?;
        left = match operator {
            "<<" => left.checked_shl(u32::try_from(right).ok()?)?,
            ">>" => left.checked_shr(u32::try_from(right).ok()?)?,
            "|" => left | right,
            "^" => left ^ right,
            "&" => left & right,
            "+" => left.wrapping_add(right),
            _ => left.wrapping_sub(right),
        };
    }
}

fn unary(rest: &mut &str, depth: usize) -> Option<u64> {
    let depth = Some(depth + 1).filter(|depth| *depth <= DEEPEST)?;
    let text = rest.trim_start();
    if let Some(behind) = text.strip_prefix('~') {
        *rest = behind;
        return Some(!unary(rest, depth)?);
    }
    let Some(inner) = text.strip_prefix('(') else { return number(rest) };
    if let Some(behind) = after_cast(inner) {
        *rest = behind;
        return unary(rest, depth);
    }
    *rest = inner;
    let value = binary(rest, 0, depth)?;
    *rest = rest.trim_start().strip_prefix(')')?;
    Some(value)
}

/// What is behind a cast, whose parenthesis is open: all that we are given are to types of no more than 64 bits.
fn after_cast(inner: &str) -> Option<&str> {
    let (kind, behind) = inner.split_once(')')?;
    let kind = kind.trim();
    let is_type = kind.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && kind.chars().all(|part| part.is_ascii_alphanumeric() || matches!(part, '_' | ' ' | '*'));
    is_type.then_some(behind)
}

fn number(rest: &mut &str) -> Option<u64> {
    let text = rest.trim_start();
    let end = text.find(|part: char| !part.is_ascii_alphanumeric()).unwrap_or(text.len());
    let (word, behind) = text.split_at_checked(end)?;
    *rest = behind;
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => digits.parse().ok(),
    }
}

#[cfg(test)]
#[path = "flags/tests.rs"]
mod tests;
