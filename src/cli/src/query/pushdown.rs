// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Finds what of a condition the kernel's ioctls can check.
//!
//! The kernel must never leave out a row that the condition wants; what it sends too much is filtered again. So only the
//! parts that all must hold are looked at, and of those only the ones that mean the same to the kernel:
//!
//! - only names and lines, which all rows of a site share. The kernel would compare the bytes and the accuracy of each row,
//!   and a site may have several: three of 400 KiB are a site of more than 1 MiB, and none of them is;
//! - not a file that ends in `.h`: the kernel may have `./` in front of it, which people leave out.

use super::predicate::{Field, Predicate, Test};
use super::{Compare, Expr, Text};
use crate::source::filter::Filter;

pub(super) fn filter(expr: &Expr<Predicate>) -> Option<Filter> {
    let mut filter = Filter::default();
    collect(expr, &mut filter);
    (!filter.is_empty()).then_some(filter)
}

fn collect(expr: &Expr<Predicate>, filter: &mut Filter) {
    match expr {
        Expr::All(parts) => parts.iter().for_each(|part| collect(part, filter)),
        Expr::Is(predicate) if !predicate.inverted => add(predicate, filter),
        _ => {}
    }
}

/// Where a field is asked for twice, either value does: the condition itself wants both.
fn add(predicate: &Predicate, filter: &mut Filter) {
    match (&predicate.field, &predicate.test) {
        (Field::File, Test::Text(Text::Exact(value))) if is_printed_as_written(value) => {
            filter.file = Some(value.clone());
        }
        (Field::Func, Test::Text(Text::Exact(value))) => filter.func = Some(value.clone()),
        (Field::Module, Test::Text(Text::Exact(value))) => filter.module = Some(value.clone()),
        (Field::Line, Test::Number(Compare { least, most })) if least == most => {
            filter.line = u32::try_from(*least).ok().or(filter.line);
        }
        _ => {}
    }
}

fn is_printed_as_written(file: &str) -> bool {
    !file.ends_with(".h") && !file.starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Where;
    use crate::subsystem::Subsystems;

    #[test]
    fn exact_parts_that_all_must_hold_are_pushed_down_and_no_others() {
        let none = Filter::default();
        let func = |name: &str| Filter { func: Some(name.into()), ..Filter::default() };
        for (text, expected) in [
            ("func=f", func("f")),
            ("func=f calls>3", func("f")),
            ("(func=f) and (line=3 file~x)", Filter { line: Some(3), ..func("f") }),
            ("module=nvme", Filter { module: Some("nvme".into()), ..none.clone() }),
            ("module=-", Filter { module: Some(String::new()), ..none.clone() }),
            ("file=mm/slub.c accurate=no", Filter { file: Some("mm/slub.c".into()), ..none.clone() }),
            ("accurate=no", none.clone()),
            ("bytes>1M", none.clone()),
            ("bytes=1M", none.clone()),
            ("bytes<1M", none.clone()),
            ("func!=f", none.clone()),
            ("not func=f", none.clone()),
            ("func=f or func=g", none.clone()),
            ("func=f*", none.clone()),
            ("func~f", none.clone()),
            ("file=include/linux/slab.h", none.clone()),
            ("file=./fs/x.c", none.clone()),
            ("line=3-4", none.clone()),
            ("line=-3", none.clone()),
            ("subsystem=ext4 dir=mm", none.clone()),
        ] {
            let found = Where::parse(text, &Subsystems::built_in()).unwrap().pushdown();
            assert_eq!(found, (!expected.is_empty()).then_some(expected), "{text}");
        }
    }
}
