// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;
use crate::model::Number;

const CAPTURED: &[u8] = include_bytes!("../../../tests/data/contexts-1.0.txt");
const CRAFTED: &[u8] = include_bytes!("../../../tests/data/contexts-later-1.0.txt");

fn read(text: &[u8]) -> Contexts {
    parse(text, &mut Names::new()).unwrap()
}

#[test]
fn a_kernels_own_text_is_read_whole_and_written_as_it_was() {
    let contexts = read(CAPTURED);
    assert_eq!((contexts.list().len(), contexts.unreadable().count), (18, 0));
    assert_eq!(print(&contexts).as_bytes(), CAPTURED);
    let named: Vec<_> = contexts.list().iter().filter_map(|context| context.key("comm")).collect();
    assert_eq!(named.last(), Some(&"bash"));
    assert!(named.contains(&"a b\\134c"), "{named:?}");
    let leak = contexts.list().iter().find(|context| context.row.site.func == "leaks").unwrap();
    assert_eq!((leak.number, leak.row.bytes, leak.row.numbers.get(Number::Allocs)), (4, 26112, Some(51)));
    assert_eq!(leak.stack.iter().take(2).map(|frame| frame.function()).collect::<Vec<_>>(), ["leaks", "tick"]);
    assert_eq!(contexts.period(), None);
}

#[test]
fn what_a_later_kernel_says_is_kept() {
    let contexts = read(CRAFTED);
    assert_eq!((contexts.list().len(), contexts.unreadable()), (5, &Default::default()));
    let [first, second, third, fourth, fifth] = contexts.list() else { panic!("{contexts:?}") };
    let keys = |context: &crate::model::Context| {
        context.keys().iter().map(|pair| format!("{}={}", pair.key, pair.value)).collect::<Vec<_>>().join(";")
    };
    assert_eq!(keys(first), "comm=my task;cgroup=17,/a b;gfp=GFP_KERNEL|__GFP_ZERO;age=0-60;every=524288;colour=grün");
    assert_eq!((first.period(), first.row.numbers.get(Number::Slack)), (Some(524_288), Some(-24)));
    assert_eq!(first.stack[2].as_str(), "?");
    assert_eq!(second.key("comm"), Some("back\\134slash"));
    assert_eq!(
        (third.row.site.func.as_str(), keys(third).as_str()),
        ("<a::B as c::D>::f", "comm=;node=any;caller=g+0x1/0x2")
    );
    assert_eq!((fourth.row.calls, fourth.row.accurate, fourth.is_idle()), (-1, false, false));
    assert!(fifth.is_idle() && fifth.clone().ever().row.bytes == 128 && fifth.clone().ever().row.calls == 2);
    assert_eq!(contexts.keys(), ["comm", "cgroup", "gfp", "age", "every", "colour", "node", "caller", "pid"]);
    // But for the version, the remark and the blank line.
    let again = print(&contexts);
    assert_eq!(print(&read(again.as_bytes())), again);
    assert!(again.contains("colour:gr\\303\\274n\n") && again.contains("comm: node:any"));
}

#[test]
fn what_does_not_fit_is_counted_with_all_that_is_below_it() {
    let line = |rest: &str| format!("contexts - version: 1.0\n8 1 a.c:1 func:f {rest}");
    for (text, reason) in [
        (line("slack:0\n"), "line 2: it has no number"),
        (line("ctx:x\n"), "line 2: its number is none"),
        (line("ctx:1 slack:x\n"), "line 2: a number of it is none"),
        (line("ctx:1 slack:1 slack:1\n"), "line 2: it has a number twice"),
        (line("ctx:1 comm:a"), "line 2: it does not end: the text was cut off here"),
        (line("ctx:1\n  f+0x1/0x2\n  g+0x"), "line 2: it does not end: the text was cut off here"),
        (line("ctx:1\n  f\u{1b}[2J\n"), "line 2: a function of its stack is none"),
        (line(&format!("ctx:1\n{}", "  f\n".repeat(65))), "line 2: its stack is too deep"),
        (line("ctx:1 func:g\n"), "line 2: it has two rows in it"),
        (
            "contexts - version: 1.0\n\u{1b} 1 a.c:1 func:f ctx:1\n".to_owned(),
            "line 2: it has control characters in it",
        ),
    ] {
        let contexts = read(text.as_bytes());
        assert_eq!(contexts.unreadable().first.as_deref(), Some(reason), "{text}");
        assert_eq!((contexts.list().len(), contexts.unreadable().count, contexts.is_empty()), (0, 1, false));
    }
    let mixed = b"contexts - version: 1.0\n\xff\n  g\n8 1 a.c:1 func:f ctx:1\n  f\n";
    let contexts = read(mixed);
    assert_eq!((contexts.list().len(), contexts.list()[0].stack.len(), contexts.unreadable().count), (1, 1, 1));
    let most = i64::MAX / 2;
    let huge = format!("contexts - version: 1.0\n{most} 1 a.c:1 func:f ctx:1\n{most} 1 a.c:1 func:f ctx:2\n");
    assert_eq!(read(huge.as_bytes()).unreadable().count, 1, "sums fit");
}

#[test]
fn only_one_text_of_a_version_that_is_known_is_read() {
    let refused = |text: &str| parse(text.as_bytes(), &mut Names::new()).unwrap_err().to_string();
    assert!(refused("contexts - version: 2.0\n").contains("version 2.0"));
    assert!(refused("contexts - version: x\n").contains("no version"));
    let twice = "contexts - version: 1.0\n8 1 a.c:1 func:f ctx:1\n".repeat(2);
    assert!(refused(&twice).contains("2 moments"));
    assert!(is_contexts(CAPTURED) && !is_contexts(b"allocinfo - version: 2.0\n"));
}
