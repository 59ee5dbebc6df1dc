// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::trace::made;

const SITE: made::Named = ("mm/a.c", 17, "make", "");
const OTHER: made::Named = ("drivers/b.c", 3, "take", "b");

fn decoder() -> Decoder {
    let formats: Vec<Format> = made::FORMATS.iter().map(|(_, text)| Format::parse(text).unwrap()).collect();
    Decoder::new(&formats).unwrap()
}

fn read(event: &[u8]) -> (Result<Event, Undecoded>, Sites) {
    let mut sites = Sites::default();
    let event = decoder().read(&Record { time: 9, event }, 2, &mut sites);
    (event, sites)
}

#[test]
fn events_of_every_kind_are_read_by_their_formats() {
    let memory = |place, requested, bytes, order, node| Memory { site: 0, place, requested, bytes, order, node };
    let object = Place::Object(0xffff_8880_0000_1000);
    for (event, expected) in [
        (
            made::alloc((0, 5), SITE, 0xffff_8880_0000_1000, 100, 128),
            What::Alloc(memory(object, 100, 128, 0, None), Given { gfp: 0xcc0 }),
        ),
        (
            made::free((0, 5), SITE, 0xffff_8880_0000_1000, 100, 128),
            What::Free(memory(object, 100, 128, 0, Some(0)), Freed { by: 0xffff_ffff_8100_0000 }),
        ),
        (
            made::alloc_pages((0, 5), SITE, 77, 2),
            What::Alloc(memory(Place::Page(77), 16384, 16384, 2, Some(0)), Given { gfp: 0xdc0 }),
        ),
        (
            made::free_pages((0, 5), SITE, 78, 0, 12288),
            What::Free(memory(Place::Page(78), 12288, 12288, 0, Some(0)), Freed { by: 0 }),
        ),
        (
            made::fail((0, 5), SITE, 64),
            What::Fail(Refusal { site: 0, requested: 64, order: 0, gfp: 0xcc0, injected: true, again: false }),
        ),
        (made::stall((0, 5), SITE, 1, 2500), What::Stall(Stall { site: 0, cause: "compaction", ns: 2500 })),
        (made::stall((0, 5), SITE, 70, 1), What::Stall(Stall { site: 0, cause: "other", ns: 1 })),
    ] {
        let (found, sites) = read(&event);
        assert_eq!(found, Ok(Event { time: 9, cpu: 2, actor: Actor::Task(5), what: expected }));
        assert_eq!(sites.get(0).map(ToString::to_string).as_deref(), Some("mm/a.c:17 func:make"));
    }
    let (_, sites) = read(&made::fail((0, 5), OTHER, 64));
    assert_eq!(sites.get(0).map(ToString::to_string).as_deref(), Some("drivers/b.c:3 [b] func:take"));
}

#[test]
fn interrupts_are_nobodys_whatever_task_they_come_upon() {
    for (flags, expected) in [
        (0, Actor::Task(5)),
        // Interrupts are off, a reschedule is due, soft ones are off.
        (0x01 | 0x04 | 0x80, Actor::Task(5)),
        (0x08, Actor::Interrupt),
        (0x10, Actor::Interrupt),
        (0x40, Actor::Interrupt),
    ] {
        assert_eq!(read(&made::fail((flags, 5), SITE, 1)).0.map(|event| event.actor), Ok(expected), "{flags:#x}");
    }
}

#[test]
fn what_is_cut_or_of_another_kind_is_no_event() {
    let whole = made::alloc((0, 5), SITE, 1, 2, 3);
    // Without what fills up its last word.
    for end in 0..whole.len() - 3 {
        assert_eq!(read(&whole[..end]).0, Err(Undecoded::Damaged), "{end}");
    }
    let mut other = whole.clone();
    other[0] = 0;
    assert_eq!(read(&other).0, Err(Undecoded::Foreign));
    let mut nobody = whole;
    nobody[4..8].copy_from_slice(&[0xff; 4]);
    assert_eq!(read(&nobody).0, Err(Undecoded::Damaged));
}

#[test]
fn a_field_that_a_kernel_does_not_have_is_told() {
    let text = made::FORMATS[0].1.replace(" bytes_req;", " bytes_wanted;");
    let format = Format::parse(&text).unwrap();
    assert_eq!(Decoder::new(&[format]).unwrap_err(), "alloc has no field `bytes_req`");
    assert!(Decoder::new(&[]).is_err());
}
