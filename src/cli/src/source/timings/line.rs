// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A line of such a text.

use super::columns::{Column, Columns};
use crate::model::{Histogram, Names, Site, Timing, BUCKETS};
use crate::source::text;

/// Reads a line without blanks around it.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn timing(line: &str, columns: &Columns, names: &mut Names) -> Result<Timing, &'static str> {
    let mut rest = line;
    let [mut count, mut ns, mut min, mut max, mut alive, mut lost] = [0; 6];
    let (mut cause, mut buckets, mut ages) = (None, [0; BUCKETS], [0; BUCKETS]);
    for column in &columns.0 {
        let end = rest.find([' ', '\t']).ok_or("it has fewer values than there are columns")?;
        let (word, behind) = rest.split_at(end);
        rest = behind.trim_ascii_start();
        match column {
            Column::Count => count = number(word)?,
            Column::Ns => ns = number(word)?,
            Column::Min => min = number(word)?,
            Column::Max => max = number(word)?,
            Column::Alive => alive = number(word)?,
            Column::Lost => lost = number(word)?,
            Column::Histogram => buckets = histogram(word)?,
            Column::Ages => ages = histogram(word)?,
            Column::Cause => cause = Some(plain(word)?),
            Column::Other => {}
        }
    }
    let sample = text::site(rest)?;
    Ok(Timing {
        site: Site {
            file: names.intern(sample.file),
            line: sample.line,
            func: names.intern(sample.func),
            module: sample.module.map(|module| names.intern(module)),
        },
        cause: cause.map(|cause| names.intern(cause)),
        times: Histogram::new(count, ns, min, max, buckets),
        ages: Histogram::of_buckets(ages).counting(alive),
        lost,
    })
}

/// A decimal number, as `%llu` prints it.
fn number(word: &str) -> Result<u64, &'static str> {
    let digits = Some(word).filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    digits.and_then(|digits| digits.parse().ok()).ok_or("a number of it is none")
}

/// A cause: a word that does nothing to a terminal.
fn plain(word: &str) -> Result<&str, &'static str> {
    let plain = word.bytes().all(|byte| byte.is_ascii_graphic());
    Some(word).filter(|_| plain).ok_or("its cause is no word")
}

/// Buckets: `10:3,11:8`, or `-` for none.
fn histogram(word: &str) -> Result<[u64; BUCKETS], &'static str> {
    const WRONG: &str = "its histogram is none";
    let mut buckets = [0; BUCKETS];
    let mut next = 0;
    for pair in word.split(',').filter(|_| word != "-") {
        let (bucket, count) = pair.split_once(':').ok_or(WRONG)?;
        let bucket = usize::try_from(number(bucket).map_err(|_| WRONG)?).map_err(|_| WRONG)?;
        // They ascend, so that none is there twice.
        let place = buckets.get_mut(bucket).filter(|_| bucket >= next).ok_or(WRONG)?;
        *place = number(count).map_err(|_| WRONG)?;
        next = bucket + 1;
    }
    Ok(buckets)
}
