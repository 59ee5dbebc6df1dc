// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;

/// Writes a condition out with all its parentheses.
fn shown(expr: &Expr<String>) -> String {
    let list =
        |parts: &[Expr<String>], sign: &str| format!("({})", parts.iter().map(shown).collect::<Vec<_>>().join(sign));
    match expr {
        Expr::All(parts) => list(parts, " & "),
        Expr::Any(parts) => list(parts, " | "),
        Expr::Not(part) => format!("!{}", shown(part)),
        Expr::Is(text) => text.clone(),
    }
}

fn parse(text: &str) -> Result<Expr<String>, SyntaxError> {
    Expr::parse(text, |field, op, value| match field {
        "bad" => Err("bad field".into()),
        _ => Ok(format!("{field} {op:?} {value}")),
    })
}

#[test]
fn conditions_bind_as_the_grammar_says() {
    for (text, expected) in [
        ("a=1", "a Equal 1"),
        ("a == 1", "a Equal 1"),
        ("  a=1 b!=2  ", "(a Equal 1 & b NotEqual 2)"),
        ("a=1 and b~2 or c!~3", "((a Equal 1 & b Match 2) | c NoMatch 3)"),
        ("a=1 && b=2 || c=3", "((a Equal 1 & b Equal 2) | c Equal 3)"),
        ("a>1 (b>=2 or c<3) d<=4", "(a Above 1 & (b AtLeast 2 | c Below 3) & d AtMost 4)"),
        ("not a=1 b=2", "(!a Equal 1 & b Equal 2)"),
        ("not not a=1", "!!a Equal 1"),
        ("!(a=1 or b=2)", "!(a Equal 1 | b Equal 2)"),
        ("not(a=1)", "!a Equal 1"),
        ("a='x y' b=\"(\" c=''", "(a Equal x y & b Equal ( & c Equal )"),
        ("(file~(a|b)c)", "file Match (a|b)c"),
        ("node-0.x=1", "node-0.x Equal 1"),
        // Words are fields where a comparison follows.
        ("and=1 or or=2", "(and Equal 1 | or Equal 2)"),
        ("nothing=1", "nothing Equal 1"),
        ("a=1 order=2", "(a Equal 1 & order Equal 2)"),
    ] {
        assert_eq!(parse(text).map(|expr| shown(&expr)), Ok(expected.to_owned()), "{text}");
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (text, at, problem) in [
        ("", 0, "is missing"),
        ("a", 1, "a comparison"),
        ("a=", 2, "a value is missing"),
        ("a= b=2 c", 8, "a comparison"),
        ("a=1 or", 6, "is missing"),
        ("a=1 and", 7, "is missing"),
        ("(a=1", 4, "`)` is missing"),
        ("a=1)", 3, "`)` is one too many"),
        ("a='1", 2, "closing '"),
        ("x=1 bad=2", 4, "bad field"),
        ("a=1 | b=2", 4, "`|` is one too many"),
        ("not", 3, "is missing"),
        ("é=1", 0, "is missing"),
    ] {
        let error = parse(text).expect_err(text);
        assert!(error.at == at && error.problem.contains(problem), "{text:?}: {error:?}");
    }
}

#[test]
fn nesting_without_end_is_refused() {
    for unit in ["(", "!", "not "] {
        assert!(parse(&unit.repeat(100_000)).expect_err(unit).problem.contains("too many"));
    }
}
