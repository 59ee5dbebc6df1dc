// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Saved profiles by the order of their time.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::source::Moment;

/// Puts files that tell when their profiles were read in the order of these times. Returns how many lay behind one that is
/// later than they are.
///
/// If one of them is a profile without a time (a text, say) or standard input, which can be read once only, all stay in the order that the user gave them. One that cannot be
/// read stays behind the one before it: whoever reads it will say why.
pub fn sort(files: &mut [PathBuf]) -> usize {
    let mut moments: Vec<Moment> = Vec::with_capacity(files.len());
    for file in files.iter() {
        if file.as_os_str() == "-" {
            return 0;
        }
        let moment = match Moment::of_file(file) {
            Ok(Some(moment)) => moment,
            Ok(None) => return 0,
            Err(_) => moments.last().cloned().unwrap_or_default(),
        };
        moments.push(moment);
    }
    let keys = keys(&moments);
    let mut latest = Key::default();
    let behind = |key: &&Key| {
        latest = latest.max(**key);
        **key < latest
    };
    let moved = keys.iter().filter(behind).count();
    if moved > 0 {
        let mut keyed: Vec<(Key, PathBuf)> = keys.into_iter().zip(files.iter_mut().map(std::mem::take)).collect();
        // Stable: what was read at one time stays in the user's order.
        keyed.sort_by_key(|(key, _)| *key);
        files.iter_mut().zip(keyed).for_each(|(file, (_, sorted))| *file = sorted);
    }
    moved
}

/// The beginning of the boot by the wall clock, then the time since it: within a boot the clock that does not jump counts.
type Key = (u64, u64);

fn keys(moments: &[Moment]) -> Vec<Key> {
    let mut boots: HashMap<&str, u64> = HashMap::new();
    for moment in moments {
        if let Some((boot, _)) = &moment.boot {
            // The clock may have been set meanwhile: the earliest is taken for all.
            boots.entry(boot).and_modify(|first| *first = moment.time_ms.min(*first)).or_insert(moment.time_ms);
        }
    }
    let key = |moment: &Moment| match &moment.boot {
        Some((boot, uptime_ms)) => (boots.get(boot.as_str()).copied().unwrap_or(moment.time_ms), *uptime_ms),
        None => (moment.time_ms, 0),
    };
    moments.iter().map(key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Builder, Meta, Names};
    use crate::snapshot;

    fn order(moments: &[(u64, &str, u64)]) -> Vec<usize> {
        let boot = |name: &str, uptime_ms| (!name.is_empty()).then(|| (name.to_owned(), uptime_ms));
        let moments: Vec<Moment> =
            moments.iter().map(|&(time_ms, name, up)| Moment { time_ms, boot: boot(name, up) }).collect();
        let keys = keys(&moments);
        let mut places: Vec<usize> = (0..keys.len()).collect();
        places.sort_by_key(|&place| keys[place]);
        places
    }

    #[test]
    fn with_standard_input_among_them_all_stay_where_they_are() {
        let directory = tempfile::tempdir().unwrap();
        let mut names = Names::new();
        let mut file = |time_ms| {
            let path = directory.path().join(format!("{time_ms}.alloctag"));
            let meta = Meta { time_ms: Some(time_ms), ..Meta::default() };
            std::fs::write(&path, snapshot::encode(&Builder::new(&mut names).finish(meta))).unwrap();
            path
        };
        let (early, late) = (file(10), file(20));
        let mut files = [late.clone(), early.clone()];
        assert_eq!((sort(&mut files), &files), (1, &[early.clone(), late.clone()]));
        let given = [late, "-".into(), early];
        let mut files = given.clone();
        assert_eq!((sort(&mut files), files), (0, given));
    }

    #[test]
    fn a_clock_that_was_set_does_not_change_the_order_within_a_boot() {
        for (moments, expected) in [
            (vec![(30, "", 0), (10, "", 0), (20, "", 0)], vec![1, 2, 0]),
            (vec![(30, "a", 3), (10, "a", 1), (20, "a", 2)], vec![1, 2, 0]),
            // The second was read later, after the clock had been set back.
            (vec![(30, "a", 1), (10, "a", 2), (40, "a", 3)], vec![0, 1, 2]),
            // A boot's times are together, and boots go by their earliest.
            (vec![(50, "b", 1), (60, "b", 2), (10, "a", 700), (20, "a", 800)], vec![2, 3, 0, 1]),
            (vec![(10, "a", 5), (10, "a", 5)], vec![0, 1]),
        ] {
            assert_eq!(order(&moments), expected, "{moments:?}");
        }
    }
}
