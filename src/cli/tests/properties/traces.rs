// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Traces, made and damaged.

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;

use crate::trace::{self, made};

const SITES: [made::Named; 3] = [("mm/a.c", 1, "a", ""), ("b.c", 2, "b", "b"), ("x\u{1b}[2J", 3, "", "m")];

/// Something that may happen: mostly to a few objects and pages, so that some of them meet.
fn event(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let who = (*u.choose(&[0u8, 8, 0x85])?, u.int_in_range(0..=3)?);
    let site = *u.choose(&SITES)?;
    let (place, order) = (u.int_in_range(1..=12)?, u.int_in_range(0..=3)?);
    Ok(match u.int_in_range(0..=5)? {
        0 => made::alloc(who, site, place * 64, 60, 64),
        1 => made::free(who, site, place * 64, 60, 64),
        2 => made::alloc_pages(who, site, place, order),
        3 => made::free_pages(who, site, place, 0, 4096 * u.int_in_range(0..=9)?),
        4 => made::fail(who, site, place),
        _ => made::stall(who, site, place, u.arbitrary()?),
    })
}

/// Some pages, mostly sound.
fn pages(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut pages = Vec::new();
    for _ in 0..u.int_in_range(0..=4)? {
        let mut events = Vec::new();
        for _ in 0..u.int_in_range(0..=12)? {
            events.push((u.int_in_range(0..=1000)?, event(u)?));
        }
        let lost = if u.ratio(1, 5)? { Some(u.arbitrary()?) } else { None };
        pages.extend(made::page(u.int_in_range(0..=100_000)?, &events, lost));
    }
    if u.ratio(1, 2)? {
        for _ in 0..u.int_in_range(0..=8)? {
            let at = u.choose_index(pages.len().max(1))?;
            if let Some(byte) = pages.get_mut(at) {
                *byte = u.arbitrary()?;
            }
        }
    }
    Ok(pages)
}

#[test]
fn pages_of_the_tracer_are_read_in_order_and_add_up_whatever_is_in_them() {
    arbtest(|u| {
        trace::pages(&pages(u)?);
        trace::pages(u.arbitrary()?);
        Ok(())
    })
    .budget_ms(3000);
}

#[test]
fn descriptions_of_events_are_taken_as_they_are_or_refused() {
    made::FORMATS.iter().for_each(|(_, text)| trace::format(text.as_bytes()));
    arbtest(|u| {
        let (_, text) = *u.choose(&made::FORMATS)?;
        let text = if u.ratio(1, 3)? { made::HEADER } else { text };
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..u.int_in_range(0..=6)? {
            let at = u.choose_index(bytes.len())?;
            match u.int_in_range(0..=2)? {
                0 => bytes[at] = u.arbitrary()?,
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, *u.choose(b"09;:\n\t[")?),
            }
        }
        trace::format(&bytes);
        Ok(())
    })
    .budget_ms(1500);
}

#[test]
fn traces_that_were_kept_are_read_as_they_would_be_written_or_not_at_all() {
    const KEPT: &[u8] = include_bytes!("../data/trace/golden-1.trace");
    trace::file(KEPT);
    arbtest(|u| {
        let mut bytes = KEPT.to_vec();
        if u.ratio(1, 2)? {
            bytes.truncate(u.int_in_range(0..=bytes.len())?);
        } else {
            let at = u.choose_index(bytes.len())?;
            bytes[at] = u.arbitrary()?;
        }
        trace::file(&bytes);
        trace::file(u.arbitrary()?);
        Ok(())
    })
    .budget_ms(2000);
}
