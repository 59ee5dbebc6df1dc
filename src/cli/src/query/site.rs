// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Conditions on call sites, of which nothing but their names is known.

use super::{pushdown, Expr, Op, Predicate, SyntaxError};
use crate::model::{Row, Site};
use crate::source::filter::Filter;
use crate::subsystem::Subsystems;

/// The names, and what else they are called.
pub(super) const NAMES: [&str; 10] =
    ["file", "func", "function", "module", "mod", "line", "dir", "subsystem", "site", "tag"];

/// A condition on call sites.
#[derive(Clone, Debug)]
pub struct OfSite(Expr<Predicate>);

impl OfSite {
    /// Reads a condition. Its subsystems are those of `subsystems`.
    ///
    /// # Errors
    ///
    /// Where and why it cannot be read.
    pub fn parse(text: &str, subsystems: &Subsystems) -> Result<OfSite, SyntaxError> {
        Expr::parse(text, |field, op, value| predicate(field, op, value, subsystems)).map(OfSite)
    }

    /// Whether `site` fulfils the condition.
    pub fn matches(&self, site: &Site, subsystems: &Subsystems) -> bool {
        let row = Row::empty(site.clone());
        self.0.holds(&mut |predicate| predicate.holds(&row, subsystems))
    }

    /// What of it the kernel can check for us, if anything is worth asking.
    pub fn pushdown(&self) -> Option<Filter> {
        pushdown::filter(&self.0)
    }
}

fn predicate(field: &str, op: Op, value: &str, subsystems: &Subsystems) -> Result<Predicate, String> {
    if NAMES.contains(&field) {
        return Predicate::new(field, op, value, subsystems);
    }
    Err(format!("`{field}` is no field of a call site; there are file func module line dir subsystem site"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn call_sites_are_chosen_by_their_names() {
        let site = Site { file: "fs/ext4/inode.c".into(), line: 7, func: "f".into(), module: Some("ext4".into()) };
        let subsystems = Subsystems::built_in();
        for (text, expected) in [
            ("file~^fs/", true),
            ("func=f line=1-9", true),
            ("not module=ext4", false),
            ("module=- or dir=fs/ext4", true),
            ("subsystem='EXT4 FILE SYSTEM'", true),
            ("subsystem=ext4", true),
        ] {
            assert_eq!(OfSite::parse(text, &subsystems).unwrap().matches(&site, &subsystems), expected, "{text}");
        }
        let error = OfSite::parse("bytes>1", &subsystems).unwrap_err().to_string();
        assert!(error.contains("`bytes` is no field of a call site; there are file func"), "{error}");
        assert_eq!(
            OfSite::parse("func=f file~x", &subsystems).unwrap().pushdown().and_then(|filter| filter.func).as_deref(),
            Some("f")
        );
    }
}
