// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What is tried: that a call site fails, once.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::Site;
use crate::rule::Rules;

/// A call site that is to fail once, the so manieth time that it is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    /// The call site.
    pub site: Site,
    /// Which time, from 1 on.
    pub nth: u32,
}

impl Trial {
    /// What the kernel is asked for. A rule without a module is about those of the same name in modules as well, so what is built
    /// in takes a second one.
    ///
    /// # Errors
    ///
    /// If its names cannot be part of a rule.
    pub fn rules(&self) -> Result<Rules, String> {
        let Site { file, line, func, module } = &self.site;
        let named = format!("file \"{file}\" line {line} func \"{func}\"");
        let fails = format!("+f task-filter=Y times=1 skip={}", self.nth - 1);
        Rules::parse(&match module {
            Some(module) => format!("{named} module \"{module}\" {fails}"),
            None => format!("{named} {fails}; {named} module * -f"),
        })
    }
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.site.fmt(f)?;
        match self.nth {
            1 => Ok(()),
            nth => write!(f, " (time {nth})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_about_one_call_site() {
        let site = Site { file: "./a b.h".into(), line: 7, func: "f".into(), module: None };
        let modular = Site { module: Some("m".into()), ..site.clone() };
        for (site, nth, expected) in [
            (
                site,
                1,
                "file \"./a b.h\" line 7 func \"f\" +f task-filter=Y times=1 skip=0; \
                 file \"./a b.h\" line 7 func \"f\" module * -f",
            ),
            (modular, 3, "file \"./a b.h\" line 7 func \"f\" module \"m\" +f task-filter=Y times=1 skip=2"),
        ] {
            let rules = Trial { site, nth }.rules().unwrap();
            assert_eq!((rules.text(), rules.doubt()), (expected, None));
        }
    }

    #[test]
    fn what_no_rule_can_name_is_told() {
        let site = Site { file: "a\"b".into(), line: 7, func: "f".into(), module: None };
        assert!(Trial { site, nth: 1 }.rules().is_err());
    }
}
