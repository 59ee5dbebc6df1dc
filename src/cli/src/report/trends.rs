// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What became of the sites over a recording, as `alloctag leak` judges them.

use serde_json::{json, Map, Value};

use crate::render::units::count;
use crate::render::Units;
use crate::time::duration;
use crate::trend::{finding, Finding, Verdict};

/// Sites that are told of, at most: nobody reads more, and each is kept apart from what is folded.
const SITES: usize = 200;

/// Seconds of an hour.
const HOUR: f64 = 3600.0;

/// From when on running out of memory is no news: ten years, in seconds.
const FAR: f64 = 10.0 * 365.25 * 24.0 * HOUR;

/// What became of the sites.
#[derive(Clone, Debug)]
pub struct Trends {
    /// What is to be told of, the gravest first.
    told: Vec<Finding>,
    /// How many sites do what.
    counts: Vec<(Verdict, usize)>,
    /// Bytes that are left.
    available: Option<i64>,
    /// Seconds until they are used up.
    exhaustion: Option<f64>,
    /// Bytes an hour, of all leaks.
    slope: f64,
    samples: usize,
}

impl Trends {
    /// Those of the sites in `findings`, of which there were `samples`; `available` bytes are left. `None` if there are too few
    /// samples to say anything.
    pub fn of(findings: Vec<Finding>, samples: usize, available: Option<i64>) -> Option<Trends> {
        let number = |verdict| findings.iter().filter(|finding| finding.judgement.verdict == verdict).count();
        let counts: Vec<(Verdict, usize)> =
            Verdict::ALL.into_iter().map(|verdict| (verdict, number(verdict))).collect();
        if findings.iter().all(|finding| finding.judgement.verdict == Verdict::Short) {
            return None;
        }
        let exhaustion = finding::exhaustion(&findings, available);
        let leaks = findings.iter().filter(|finding| finding.judgement.verdict == Verdict::Leak);
        let slope = leaks.map(|finding| finding.judgement.slope.estimate * HOUR).sum();
        let told = |finding: &Finding| !matches!(finding.judgement.verdict, Verdict::Noise | Verdict::Short);
        let told = findings.into_iter().filter(told).take(SITES).collect();
        Some(Trends { told, counts, available, exhaustion, slope, samples })
    }

    /// What is told of, the gravest first.
    pub fn told(&self) -> &[Finding] {
        &self.told
    }

    /// How many leaks there are.
    pub fn leaks(&self) -> usize {
        self.counts.iter().find(|(verdict, _)| *verdict == Verdict::Leak).map_or(0, |(_, count)| *count)
    }

    /// All leaks in a sentence: `2 leaks take 15.2Mi an hour: out of memory in 2 d 6 h`.
    pub fn sentence(&self, units: Units) -> String {
        if self.leaks() == 0 {
            return format!("No site leaks, by {}.", count(self.samples, "sample"));
        }
        let verb = if self.leaks() == 1 { "takes" } else { "take" };
        // CAST: saturates.
        let slope = units.format(self.slope.round() as i64);
        let end = match self.exhaustion {
            Some(seconds) if seconds < FAR => format!(": out of memory in {}", duration((seconds * 1000.0) as u64)),
            Some(_) => ": out of memory in more than ten years".to_owned(),
            None => String::new(),
        };
        format!("{} {verb} {slope} an hour{end}", count(self.leaks(), "leak"))
    }

    /// What the page's script is given. `places` are those of the sites that are told of, among the page's.
    pub(super) fn json(&self, places: &[Option<usize>], units: Units) -> Value {
        // CAST: bytes an hour, and bytes, of which fractions say nothing.
        let per_hour = |slope: f64| (slope * HOUR).round() as i64;
        let list = self.told.iter().zip(places).filter_map(|(finding, place)| {
            let judgement = &finding.judgement;
            let slope = &judgement.slope;
            Some(json!({
                "site": (*place)?,
                "verdict": judgement.verdict.name(),
                "slope": per_hour(slope.estimate),
                "low": per_hour(slope.low),
                "high": per_hour(slope.high),
                "q": judgement.q,
                "growth": judgement.growth.round() as i64,
                "now": finding.row.bytes,
                "samples": finding.samples,
                "exhaustion": finding.exhaustion(self.available).map(f64::round),
            }))
        });
        let counts: Map<String, Value> =
            self.counts.iter().map(|(verdict, count)| (verdict.name().to_owned(), json!(count))).collect();
        json!({
            "sentence": self.sentence(units),
            "leaks": self.leaks(),
            "counts": counts,
            "samples": self.samples,
            "available": self.available,
            "list": list.collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Row, Site};
    use crate::trend::slope::Slope;
    use crate::trend::Judgement;

    fn finding(verdict: Verdict, estimate: f64) -> Finding {
        let site = Site { file: "a.c".into(), line: 1, func: "f".into(), module: None };
        let row = Row { bytes: 9, calls: 1, ..Row::empty(site) };
        let slope = Slope { estimate, low: estimate, high: estimate };
        let judgement = Judgement { verdict, slope, p: 0.0, q: 0.01, growth: 8192.0 };
        Finding { row, judgement, samples: 30, span: 9.0 }
    }

    fn sentence(findings: &[(Verdict, f64)], available: Option<i64>) -> Option<String> {
        let findings = findings.iter().map(|&(verdict, slope)| finding(verdict, slope)).collect();
        Trends::of(findings, 30, available).map(|trends| trends.sentence(Units::Iec))
    }

    #[test]
    fn all_leaks_are_told_in_one_sentence() {
        use Verdict::{Bounded, Leak, Noise, Short};
        for (findings, available, expected) in [
            (
                &[(Leak, 1024.0), (Bounded, 5.0)][..],
                Some(1024 * 7200),
                Some("1 leak takes 3.5Mi an hour: out of memory in 2 h 0 min"),
            ),
            (
                &[(Leak, 1024.0), (Leak, 1024.0)],
                Some(1024 * 7200),
                Some("2 leaks take 7.0Mi an hour: out of memory in 1 h 0 min"),
            ),
            (&[(Leak, 1024.0), (Noise, 9.0)], None, Some("1 leak takes 3.5Mi an hour")),
            (&[(Leak, 1.0)], Some(1 << 40), Some("1 leak takes 3.5Ki an hour: out of memory in more than ten years")),
            (&[(Noise, 0.0), (Short, 0.0)], Some(1), Some("No site leaks, by 30 samples.")),
            (&[(Short, 0.0)], Some(1), None),
            (&[], Some(1), None),
        ] {
            assert_eq!(sentence(findings, available).as_deref(), expected);
        }
    }

    #[test]
    fn noise_is_counted_and_not_listed() {
        let findings = vec![finding(Verdict::Leak, 1.0), finding(Verdict::Step, 0.0), finding(Verdict::Noise, 0.0)];
        let json = Trends::of(findings, 30, Some(3600)).unwrap().json(&[Some(4), None], Units::Iec);
        assert_eq!(json["list"].as_array().unwrap().len(), 1, "what has no place cannot be shown");
        assert_eq!((&json["list"][0]["site"], &json["list"][0]["exhaustion"]), (&json!(4), &json!(3600.0)));
        assert_eq!(
            (&json["counts"]["NOISE"], &json["counts"]["STEP"], &json["leaks"]),
            (&json!(1), &json!(1), &json!(1))
        );
    }
}
