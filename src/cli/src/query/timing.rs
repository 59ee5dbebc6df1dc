// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Conditions on how long something took: on the names of the call site, the cause, and the numbers about the times.

use super::site::NAMES;
use super::{Compare, Expr, Op, Predicate, Share, SyntaxError, Text};
use crate::model::{Amount, Quantity, Row, Timing};
use crate::subsystem::Subsystems;

/// A condition on times.
#[derive(Clone, Debug)]
pub struct OfTiming(Expr<Part>);

#[derive(Clone, Debug)]
enum Part {
    Name(Predicate),
    Cause(Text, bool),
    Number(Quantity, Compare, bool),
    Share(Quantity, Share, bool),
}

impl OfTiming {
    /// Reads a condition. Its subsystems are those of `subsystems`.
    ///
    /// # Errors
    ///
    /// Where and why it cannot be read.
    pub fn parse(text: &str, subsystems: &Subsystems) -> Result<OfTiming, SyntaxError> {
        Expr::parse(text, |field, op, value| Part::new(field, op, value, subsystems)).map(OfTiming)
    }

    /// Whether `timing` fulfils the condition.
    pub fn matches(&self, timing: &Timing, subsystems: &Subsystems) -> bool {
        self.0.holds(&mut |part| part.holds(timing, subsystems))
    }
}

impl Part {
    fn new(field: &str, op: Op, value: &str, subsystems: &Subsystems) -> Result<Part, String> {
        if NAMES.contains(&field) {
            return Predicate::new(field, op, value, subsystems).map(Part::Name);
        }
        if field == "cause" {
            let (test, inverted) = Text::new(op, value)?;
            return Ok(Part::Cause(test, inverted));
        }
        let Some(quantity) = Quantity::named(field) else {
            let numbers: Vec<_> = Quantity::all().map(Quantity::word).collect();
            let names = "file func module line dir subsystem site cause";
            return Err(format!("`{field}` is no field; there are {names} {}", numbers.join(" ")));
        };
        if quantity.is_share() {
            let (test, inverted) = Share::new(op, value)?;
            return Ok(Part::Share(quantity, test, inverted));
        }
        let compare = if quantity.is_time() { Compare::times } else { Compare::new };
        let (test, inverted) = compare(op, value)?;
        Ok(Part::Number(quantity, test, inverted))
    }

    /// Not even `!=` holds of what is not there.
    fn holds(&self, timing: &Timing, subsystems: &Subsystems) -> bool {
        match self {
            Part::Name(predicate) => predicate.holds(&Row::empty(timing.site.clone()), subsystems),
            Part::Cause(test, inverted) => timing.cause.as_ref().is_some_and(|cause| test.passes(cause) != *inverted),
            Part::Number(quantity, test, inverted) => {
                quantity.of(timing).map(Amount::whole).is_some_and(|number| test.passes(number) != *inverted)
            }
            Part::Share(quantity, test, inverted) => {
                quantity.of(timing).map(Amount::real).is_some_and(|number| test.passes(number) != *inverted)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Names, Timed};
    use crate::source::timings::parse;

    fn chosen(text: &[u8], timed: Timed, condition: &str) -> Vec<String> {
        let subsystems = Subsystems::built_in();
        let timings = parse(text, &mut Names::new()).unwrap();
        let condition = OfTiming::parse(condition, &subsystems).unwrap();
        let chosen = timings.of(timed).unwrap().iter().filter(|timing| condition.matches(timing, &subsystems));
        chosen.map(|timing| timing.site.func.to_string()).collect()
    }

    #[test]
    fn names_causes_and_times_are_compared_in_one_condition() {
        let stalls = include_bytes!("../../tests/data/stalls-1.0.txt");
        for (condition, expected) in [
            ("cause=reclaim", &["page_cache_ra_unbounded"][..]),
            ("cause!=slab max<1ms", &["alloc_thread_stack_node"]),
            ("module=ext4 total>=1ms", &["ext4_fill_super"]),
            ("count=12 or p99_ns>50ms", &["page_cache_ra_unbounded", "ext4_alloc_inode"]),
            ("func~no_hist", &["no_histogram_left"]),
            ("alive>0", &[]),
        ] {
            assert_eq!(chosen(stalls, Timed::Stalls, condition), expected, "{condition}");
        }
        let lifetimes = include_bytes!("../../tests/data/lifetimes-1.0.txt");
        for (condition, expected) in [
            ("p50<1ms count>1000", &["ext4_alloc_inode"][..]),
            ("kept>=90", &["leaks", "__d_alloc"]),
            ("age>1min", &["leaks", "__d_alloc"]),
            // Nothing of it was freed: there is no time to compare.
            ("p50!=0", &["ext4_alloc_inode", "__d_alloc"]),
            ("lost>0", &["leaks"]),
        ] {
            assert_eq!(chosen(lifetimes, Timed::Lifetimes, condition), expected, "{condition}");
        }
    }

    #[test]
    fn mistakes_name_all_fields() {
        let error = OfTiming::parse("p75>1ms", &Subsystems::built_in()).unwrap_err().to_string();
        assert!(
            error.contains("`p75` is no field; there are file func") && error.contains("cause count total"),
            "{error}"
        );
        for text in ["p50>64k", "count>1ms", "cause>1", "bytes>1"] {
            assert!(OfTiming::parse(text, &Subsystems::built_in()).is_err(), "{text}");
        }
    }
}
