// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What must hold for any bytes of the kernel's tracer, and of a file of them.

use alloctag::trace::event::What;
use alloctag::trace::file::{Reader, Writer};
use alloctag::trace::flags::Flags;
use alloctag::trace::format::Format;
use alloctag::trace::head::{Head, Losses, Tail};
use alloctag::trace::page::Layout;
use alloctag::trace::piece::Piece;
use alloctag::trace::session::Session;

#[path = "../../src/trace/made.rs"]
#[allow(dead_code)]
pub mod made;

/// A description of an event or of a page: what it says lies within what it can be.
pub fn format(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = Losses::parse(&text).sum();
    if let Ok(layout) = Layout::parse(&text) {
        assert!(layout.size() <= 1 << 24);
        let _ = layout.read(bytes);
    }
    let Ok(format) = Format::parse(&text) else { return };
    let flags = Flags::parse(&format.print, "gfp_flags");
    assert!(!flags.name(0x5555).is_empty());
    for field in &format.fields {
        let end = field.offset + field.size;
        assert!(field.number(bytes).is_none() || end <= bytes.len());
        assert!(field.text(bytes).is_none_or(|text| text.len() <= 3 * bytes.len()));
    }
}

fn head() -> Head {
    Head {
        page_size: 4096,
        header_page: made::HEADER.into(),
        formats: made::FORMATS.iter().map(|(_, text)| (*text).to_owned()).collect(),
        ..Head::default()
    }
}

/// Pages: events come in order, and what they add up to is what was told.
pub fn pages(bytes: &[u8]) {
    let mut session = Session::new(&head(), Box::new(|_| true)).expect("the head is sound");
    let (mut allocs, mut frees, mut last) = (0u64, 0u64, 0u64);
    for (cpu, pages) in bytes.chunks(8192).enumerate() {
        let piece = Piece::Pages(u32::try_from(cpu).unwrap(), pages.into());
        session.take(&piece, &mut |_| Ok(())).unwrap();
    }
    let mut watch = |told: &alloctag::trace::session::Told<'_>| {
        assert!(told.event.time >= last);
        last = told.event.time;
        allocs += u64::from(matches!(told.event.what, What::Alloc(..)));
        frees += u64::from(matches!(told.event.what, What::Free(..)));
        if let Some(site) = told.site {
            assert!(!site.to_string().contains(char::is_control));
        }
        Ok(())
    };
    session.take(&Piece::Tail(Tail::default()), &mut watch).unwrap();
    let sites = session.tally.sites();
    assert_eq!(sites.iter().map(|site| site.allocs).sum::<u64>(), allocs);
    assert_eq!(sites.iter().map(|site| site.frees).sum::<u64>(), frees);
    let actors = session.tally.actors.values();
    assert_eq!(actors.fold((0, 0), |sum, actor| (sum.0 + actor.allocs, sum.1 + actor.frees)), (allocs, frees));
    assert!(session.tally.lifetimes.count() + session.tally.unseen + session.tally.moved == frees);
}

/// A file: what can be read of it is what would be written.
pub fn file(bytes: &[u8]) {
    let Ok((head, mut reader)) = Reader::new(bytes) else { return };
    let mut again = Vec::new();
    let mut writer = Writer::new(&mut again, &head).unwrap();
    let mut pieces = Vec::new();
    while let Ok(Some(piece)) = reader.piece() {
        writer.put(&piece).unwrap();
        pieces.push(piece);
    }
    let (same, mut reader) = Reader::new(again.as_slice()).expect("what we write we can read");
    assert_eq!(same, head);
    for piece in pieces {
        assert_eq!(reader.piece().expect("it is there"), Some(piece));
    }
    let Ok(mut session) = Session::new(&head, Box::new(|_| true)) else { return };
    let (_, mut reader) = Reader::new(bytes).expect("it was read before");
    while let Ok(Some(piece)) = reader.piece() {
        session.take(&piece, &mut |_| Ok(())).unwrap();
    }
}
