// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What was found out about each site of a history.

use std::collections::HashMap;

use super::{judge, shape, History, Judgement, Limits, Verdict};
use crate::model::{Profile, Row, Site};

/// A site and its judgement.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The site's row as of its last sample.
    pub row: Row,
    /// What it does.
    pub judgement: Judgement,
    /// How many samples it rests on.
    pub samples: usize,
    /// Over how many seconds.
    pub span: f64,
}

impl Finding {
    /// Seconds until `available` bytes are used up, if it goes on like this; `None` for what is no leak.
    pub fn exhaustion(&self, available: Option<i64>) -> Option<f64> {
        exhaustion([self], available)
    }
}

/// Seconds until `available` bytes are used up if all leaks among `findings` go on like this; `None` if there are none.
pub fn exhaustion<'f>(findings: impl IntoIterator<Item = &'f Finding>, available: Option<i64>) -> Option<f64> {
    let leaks = findings.into_iter().filter(|finding| finding.judgement.verdict == Verdict::Leak);
    let slope: f64 = leaks.map(|finding| finding.judgement.slope.estimate).sum();
    // CAST: sizes of memory.
    (slope > 0.0).then(|| available.map(|bytes| bytes as f64 / slope))?
}

/// Judges every site of `history`, whose last profile is `last`. They come by their verdict, the largest growth first.
pub fn find(history: History, last: &Profile, limits: &Limits) -> Vec<Finding> {
    let rows: HashMap<&Site, &Row> = last.rows().iter().map(|row| (&row.site, row)).collect();
    let (sites, tracks) = history.finish();
    let judgements = judge(&tracks, limits);
    let find = |((site, track), judgement): ((Site, &super::Track), Judgement)| {
        let now = |points: &[(f64, f64)]| points.last().map_or(0, |point| point.1 as i64);
        // CAST: they were integers.
        let (bytes, calls) = (now(&track.bytes), now(&track.calls));
        let row = rows.get(&site).map_or_else(|| Row::empty(site.clone()), |&row| row.clone());
        let row = Row { bytes, calls, ..row };
        Finding { row, judgement, samples: track.bytes.len(), span: shape::span(&track.bytes) }
    };
    let mut findings: Vec<Finding> = sites.into_iter().zip(&tracks).zip(judgements).map(find).collect();
    findings.sort_by(|a, b| {
        let key = |finding: &Finding| finding.judgement.verdict;
        key(a)
            .cmp(&key(b))
            .then(b.judgement.growth.abs().total_cmp(&a.judgement.growth.abs()))
            .then_with(|| a.row.site.cmp(&b.row.site))
    });
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trend::slope::Slope;

    fn finding(verdict: Verdict, estimate: f64) -> Finding {
        let site = Site { file: "a.c".into(), line: 1, func: "f".into(), module: None };
        let slope = Slope { estimate, low: estimate, high: estimate };
        let judgement = Judgement { verdict, slope, p: 0.0, q: 0.0, growth: 0.0 };
        Finding { row: Row::empty(site.clone()), judgement, samples: 9, span: 9.0 }
    }

    #[test]
    fn all_leaks_together_use_memory_up_sooner_than_each_and_nothing_else_does() {
        let (slow, fast) = (finding(Verdict::Leak, 1.0), finding(Verdict::Leak, 4.0));
        let cache = finding(Verdict::Bounded, 95.0);
        for (findings, available, expected) in [
            (vec![&slow], Some(100), Some(100.0)),
            (vec![&slow, &fast, &cache], Some(100), Some(20.0)),
            (vec![&slow, &fast, &cache], None, None),
            (vec![&cache], Some(100), None),
            (vec![], Some(100), None),
        ] {
            assert_eq!(exhaustion(findings, available), expected);
        }
        assert_eq!((fast.exhaustion(Some(100)), cache.exhaustion(Some(100))), (Some(25.0), None));
    }
}
