// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Rules: what is shown of one asks for the same again.

#![no_main]

use alloctag_core::model::{
    rule::{commands, Command, Letters, Rule},
    text::Text,
};

const OFFERED: Letters = Letters::CONTEXTS.with(Letters::FAULTS).with(Letters::EVENTS);
/// More than any option takes beyond what it was written with.
const BEYOND: usize = 256;

/// The only rule of a text.
fn rule(text: &[u8]) -> Rule<'_> {
    let mut asked = commands(text, OFFERED);
    match (asked.next(), asked.next()) {
        (Some(Ok(Command::Add(rule))), None) => rule,
        other => panic!("{text:?} is no rule but {other:?}"),
    }
}

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    for asked in commands(text, OFFERED) {
        let Ok(Command::Add(first)) = asked else { continue };
        let mut buffer = vec![0; text.len() + BEYOND];
        let mut shown = Text::new(&mut buffer);
        first.show(&mut shown).expect("room");
        let used = shown.used();
        assert_eq!(rule(&buffer[..used]), first);
    }
});
