// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What must hold for any text of contexts, list of rules, or rule.

use alloctag::model::{Contexts, Names, MAGNITUDE_LIMIT};
use alloctag::rule::Rules;
use alloctag::source::contexts::print;
use alloctag::source::{contexts as source, control, escape};

/// The text of contexts.
pub fn contexts(bytes: &[u8]) {
    let Some(contexts) = parse(bytes) else { return };
    let list = contexts.list();
    let lines = bytes.split(|&byte| byte == b'\n').count();
    assert!(list.len() + usize::try_from(contexts.unreadable().count).unwrap() <= lines);
    assert!(list.iter().map(|context| context.row.bytes.unsigned_abs()).sum::<u64>() <= MAGNITUDE_LIMIT);
    for context in list {
        // The other numbers stop there, one by one.
        assert!(context.row.numbers.known().all(|(_, value)| value.unsigned_abs() <= MAGNITUDE_LIMIT));
        let texts = context.keys().iter().flat_map(|pair| [pair.key.as_str(), pair.value.as_str()]);
        let frames = context.stack.iter().map(|frame| frame.as_str());
        assert!(texts.chain(frames).all(|text| !text.contains(char::is_control)));
    }
    // Printed as the kernel prints it and read again, it is the same.
    let again = parse(print(&contexts).as_bytes()).expect("what we print we can read");
    assert_eq!((again.list(), again.unreadable().count), (list, 0));
}

fn parse(bytes: &[u8]) -> Option<Contexts> {
    source::parse(bytes, &mut Names::new()).ok()
}

/// A list of rules, a rule, and a name as the kernel writes it.
pub fn rules(bytes: &[u8]) {
    let _ = control::parse(bytes);
    let text = String::from_utf8_lossy(bytes);
    if let Ok(rules) = Rules::parse(&text) {
        assert_eq!(rules.text(), text);
    }
    let name = escape::unescape(&text);
    assert!(!text.contains('\\') || !name.contains(char::is_control));
    if text.bytes().all(|byte| byte.is_ascii_graphic()) {
        assert_eq!(escape::unescape(&escape::escape(&name)), name);
    }
}
