// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Rules, which choose call sites and say what is wanted of them, in dynamic debug's language.
//!
//! ```text
//! file fs/ext4/* func *inode* +c by=stack,node depth=8
//! module xfs line 100-200 +c by=comm; func kmalloc_* -c
//! -3
//! =_
//! reset stalls
//! ```
//!
//! A rule names call sites, by all of the words `file`, `func`, `module` and `line` that it has, or `*`; and letters, each of
//! which it turns on (`+`) or off (`-`) there. For each letter the last rule that matches decides. `-N` takes back the rule
//! of that number, `=_` takes back all; `reset` forgets what was measured.

use super::text::Row;

mod letter;
mod number;
mod option;
mod parse;
mod show;
mod site;
mod word;

pub use letter::Letters;
pub use option::{By, Contexts, Faults, Keys, Lifetimes};
pub use parse::{commands, Commands};
pub use site::{Lines, Sites};
pub use word::{Mistake, Wrong};

/// What one line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// Another rule, which comes last.
    Add(Rule<'a>),
    /// The rule of that number goes.
    TakeBack(u32),
    /// All rules go.
    TakeBackAll,
    /// What was measured is forgotten.
    Reset(Measured),
}

/// What is measured of call sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// How long allocations wait.
    Stalls,
    /// How long chosen ones take.
    Latency,
    /// How long lives what they give.
    Lifetimes,
}

/// A rule.
///
/// # Invariants
///
/// It has a letter. What is wanted of contexts, faults and lifetimes is there where it turns these on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule<'a> {
    sites: Sites<'a>,
    on: bool,
    letters: Letters,
    contexts: Option<Contexts>,
    faults: Option<Faults>,
    lifetimes: Option<Lifetimes>,
}

impl Rule<'_> {
    /// Whether it is about a call site.
    pub fn matches(&self, site: &Row<'_>) -> bool {
        self.sites.contain(site)
    }

    /// What it decides of a letter, if anything: whether that is on.
    pub fn decides(&self, letter: Letters) -> Option<bool> {
        self.letters.has(letter).then_some(self.on)
    }

    /// What its contexts are made of, if it turns them on.
    pub fn contexts(&self) -> Option<Contexts> {
        self.contexts
    }

    /// When its call sites fail, if it turns that on.
    pub fn faults(&self) -> Option<Faults> {
        self.faults
    }

    /// Whose lifetimes are measured, if it turns that on.
    pub fn lifetimes(&self) -> Option<Lifetimes> {
        self.lifetimes
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_rule))]
mod tests {
    use super::*;
    use crate::model::{sample::Period, text::Text};

    const ALL: Letters = Letters::CONTEXTS
        .with(Letters::FAULTS)
        .with(Letters::LATENCY)
        .with(Letters::LIFETIMES)
        .with(Letters::EVENTS);

    /// The only command of a text.
    fn only(text: &[u8]) -> Option<Result<Command<'_>, Mistake<'_>>> {
        let mut asked = commands(text, ALL);
        let first = asked.next();
        asked.next().is_none().then_some(first).flatten()
    }

    /// The only rule of a text.
    fn rule(text: &[u8]) -> Option<Rule<'_>> {
        match only(text) {
            Some(Ok(Command::Add(rule))) => Some(rule),
            _ => None,
        }
    }

    const INODE: Row<'_> = Row {
        file: b"fs/ext4/inode.c",
        function: b"ext4_alloc_inode",
        module: Some(b"ext4"),
        line: 120,
        accurate: true,
    };
    const SLUB: Row<'_> = Row {
        file: b"mm/slub.c",
        function: b"alloc_slab_page",
        module: None,
        line: 3300,
        accurate: true,
    };

    #[test]
    fn a_rule_is_about_call_sites_that_all_of_its_words_fit() {
        // Text, whether it is about the one in a module, and about the built-in one.
        let table: [(&[u8], bool, bool); 18] = [
            (b"* +t", true, true),
            (b"file fs/ext4/inode.c +t", true, false),
            (b"file inode.c +t", true, false),
            (b"file *.c +t", true, true),
            (b"file ext4/* +t", false, false),
            (b"file inode.c:100-120 +t", true, false),
            (b"file inode.c:121- +t", false, false),
            (b"file inode.c:ext4_* +t", true, false),
            (b"func alloc_slab_page +t", false, true),
            (b"func *alloc* +t", true, true),
            (b"func *alloc* line 3300 +t", false, true),
            (b"line -120 +t", true, false),
            (b"line 121-3300 +t", false, true),
            (b"module * +t", true, false),
            (b"module ext? +t", true, false),
            (b"module xfs +t", false, false),
            (b"func \"ext4_alloc_inode\" +t", true, false),
            (b"file 'mm/slub.c' func alloc_* line 3300 +t", false, true),
        ];
        for (text, first, second) in table {
            let found = rule(text).map(|rule| (rule.matches(&INODE), rule.matches(&SLUB)));
            assert_eq!(found, Some((first, second)));
        }
    }

    #[test]
    fn a_rule_decides_of_its_letters_and_of_no_others() {
        // Text, and what it says of contexts, faults and events.
        let table: [(&[u8], [Option<bool>; 3]); 4] = [
            (b"* +cf by=comm", [Some(true), Some(true), None]),
            (b"* -cf", [Some(false), Some(false), None]),
            (b"* +tf", [None, Some(true), Some(true)]),
            (b"* -t", [None, None, Some(false)]),
        ];
        for (text, decisions) in table {
            let letters = [Letters::CONTEXTS, Letters::FAULTS, Letters::EVENTS];
            let found = rule(text).map(|rule| letters.map(|letter| rule.decides(letter)));
            assert_eq!(found, Some(decisions));
        }
    }

    #[test]
    fn options_say_what_is_wanted_of_their_letter() {
        let keys = Keys::NONE.with(By::Stack).with(By::Node);
        let contexts = Contexts {
            keys,
            depth: 16,
            slice: 300,
            every: Period::new(512 << 10),
        };
        let faults = Faults {
            times: Some(1),
            skip: Some(2),
            interval: Some(3),
            probability: Some(4),
            task_filter: true,
        };
        let whole = rule(
            b"* +fc by=node,stack depth=16 slice=5m every=512K times=1 skip=2 interval=3 probability=4 task-filter=Y",
        );
        assert_eq!(whole.and_then(|rule| rule.contexts()), Some(contexts));
        assert_eq!(whole.and_then(|rule| rule.faults()), Some(faults));
        // What nobody says anything of.
        let short = rule(b"* +cf by=comm");
        let unsaid = short.and_then(|rule| rule.contexts());
        assert_eq!(unsaid.map(|contexts| contexts.depth), Some(8));
        assert_eq!(unsaid.map(|contexts| contexts.slice), Some(60));
        assert_eq!(unsaid.map(|contexts| contexts.every), Some(None));
        assert_eq!(
            short
                .and_then(|rule| rule.faults())
                .map(|faults| faults.is_shared()),
            Some(true)
        );
        // Contexts and lifetimes have the same period, and each draws by itself.
        let both = rule(b"* +cs by=comm every=1M");
        let every = Period::new(1 << 20);
        let contexts = both.and_then(|rule| rule.contexts());
        assert_eq!(contexts.map(|contexts| contexts.every), Some(every));
        let lifetimes = both.and_then(|rule| rule.lifetimes());
        assert_eq!(lifetimes, Some(Lifetimes { every }));
        let all = rule(b"* +s").and_then(|rule| rule.lifetimes());
        assert_eq!(all, Some(Lifetimes { every: None }));
        // What is turned off wants nothing.
        let off = rule(b"* -cf");
        assert_eq!(off.and_then(|rule| rule.contexts()), None);
        assert_eq!(off.and_then(|rule| rule.faults()), None);
    }

    #[test]
    fn every_key_has_its_name() {
        let table: [(&[u8], By); 9] = [
            (b"* +c by=stack", By::Stack),
            (b"* +c by=caller", By::Caller),
            (b"* +c by=comm", By::Comm),
            (b"* +c by=pid", By::Pid),
            (b"* +c by=node", By::Node),
            (b"* +c by=cgroup", By::Cgroup),
            (b"* +c by=gfp", By::Gfp),
            (b"* +c by=order", By::Order),
            (b"* +c by=age", By::Age),
        ];
        for (text, key) in table {
            let keys = rule(text)
                .and_then(|rule| rule.contexts())
                .map(|contexts| contexts.keys);
            assert_eq!(keys, Some(Keys::NONE.with(key)));
            assert!(keys.is_some_and(|keys| keys.has(key) && !keys.is_empty()));
        }
    }

    #[test]
    fn a_text_asks_for_one_thing_after_another() {
        let text = b"\n * +t;; -1 ; =_ # all; of them\n# nothing\nreset lifetimes\n\tline 7 -t\0";
        let mut asked = commands(text, ALL);
        assert!(matches!(asked.next(), Some(Ok(Command::Add(_)))));
        assert_eq!(asked.next(), Some(Ok(Command::TakeBack(1))));
        assert_eq!(asked.next(), Some(Ok(Command::TakeBackAll)));
        let reset = Command::Reset(Measured::Lifetimes);
        assert_eq!(asked.next(), Some(Ok(reset)));
        assert!(matches!(asked.next(), Some(Ok(Command::Add(_)))));
        assert_eq!(asked.next(), None);
        assert_eq!(commands(b" ;\n; # nothing", ALL).next(), None);
    }

    #[test]
    fn what_is_wrong_is_named() {
        // Text, the word, and what is wrong with it.
        let table: [(&[u8], &[u8], Wrong); 58] = [
            (b"files x +t", b"files", Wrong::Unknown),
            (b"* +t now", b"now", Wrong::Unknown),
            (b"* +t size=3", b"size=3", Wrong::Unknown),
            (b"=_ x", b"x", Wrong::Unknown),
            (b"-1 -2", b"-2", Wrong::Unknown),
            (b"=p", b"=p", Wrong::Unknown),
            (b"file", b"file", Wrong::Incomplete),
            (b"* line", b"line", Wrong::Incomplete),
            (b"* +c by", b"by", Wrong::Incomplete),
            (b"* * +t", b"*", Wrong::Twice),
            (b"file a file b +t", b"file", Wrong::Twice),
            (b"file a:1 line 2 +t", b"line", Wrong::Twice),
            (b"file a:f func g +t", b"func", Wrong::Twice),
            (b"* +tt", b"+tt", Wrong::Twice),
            (b"* +c by=comm,comm", b"by=comm,comm", Wrong::Twice),
            (b"* +c by=comm depth=1 depth=2", b"depth=2", Wrong::Twice),
            (b"* +f times=1 times=1", b"times=1", Wrong::Twice),
            (b"-99999999999", b"-99999999999", Wrong::Number),
            (b"-1x", b"-1x", Wrong::Number),
            (b"* +c by=comm depth=0", b"depth=0", Wrong::Number),
            (b"* +c by=comm depth=17", b"depth=17", Wrong::Number),
            (b"* +c by=comm depth=", b"depth=", Wrong::Number),
            (b"* +c by=comm slice=0", b"slice=0", Wrong::Number),
            (b"* +c by=comm slice=m", b"slice=m", Wrong::Number),
            (b"* +c by=comm every=3K", b"every=3K", Wrong::Number),
            (b"* +c by=comm every=4G", b"every=4G", Wrong::Number),
            (
                b"* +c by=comm every=20000000000G",
                b"every=20000000000G",
                Wrong::Number,
            ),
            (b"* +f probability=101", b"probability=101", Wrong::Number),
            (b"* +f interval=-1", b"interval=-1", Wrong::Number),
            (b"* +f times=0", b"times=0", Wrong::Number),
            (b"* +f times=2147483648", b"times=2147483648", Wrong::Number),
            (b"* +f skip=2147483648", b"skip=2147483648", Wrong::Number),
            (b"line x +t", b"x", Wrong::Range),
            (b"line 3-2 +t", b"3-2", Wrong::Range),
            (b"line - +t", b"-", Wrong::Range),
            (b"line 1-2-3 +t", b"1-2-3", Wrong::Range),
            (b"file a: +t", b"", Wrong::Range),
            (b"* +x", b"+x", Wrong::Letter),
            (b"* + by=comm", b"+", Wrong::NoLetters),
            (b"file a", b"a", Wrong::NoLetters),
            (b"*", b"*", Wrong::NoLetters),
            (b"+t", b"+t", Wrong::NoSites),
            (b"* +c by=", b"by=", Wrong::Value),
            (b"* +c by=color", b"by=color", Wrong::Value),
            (b"* -c by=comm", b"by=comm", Wrong::Option),
            (b"* +t times=1", b"times=1", Wrong::Option),
            (b"* +l every=1M", b"every=1M", Wrong::Option),
            (b"* +s depth=3", b"depth=3", Wrong::Option),
            (b"* +t task-filter=Y", b"task-filter=Y", Wrong::Option),
            (b"* +f task-filter=X", b"task-filter=X", Wrong::Value),
            (b"* +f task-filter", b"task-filter", Wrong::Incomplete),
            (b"* +c depth=3", b"depth=3", Wrong::NoKeys),
            (b"file \"a +t", b"a +t", Wrong::Quote),
            (b"file \"a\nb\" +t", b"a", Wrong::Quote),
            (b"file 'a\0' +t", b"a", Wrong::Quote),
            (b"reset", b"reset", Wrong::Measured),
            (b"reset rules", b"rules", Wrong::Measured),
            (b"reset stalls latency", b"latency", Wrong::Unknown),
        ];
        for (text, word, wrong) in table {
            assert_eq!(only(text), Some(Err(Mistake { word, wrong })));
            assert!(!wrong.why().is_empty());
        }
        let glued: [(&[u8], &[u8]); 2] = [(b"file 'a'b +t", b"a"), (b"file a'b' +t", b"a'b'")];
        for (text, word) in glued {
            let wrong = Wrong::Quote;
            assert_eq!(only(text), Some(Err(Mistake { word, wrong })));
        }
    }

    #[test]
    fn letters_that_are_not_offered_are_refused() {
        let refused = Mistake {
            word: b"+cf",
            wrong: Wrong::Letter,
        };
        let mut asked = commands(b"* +cf by=comm", Letters::CONTEXTS);
        assert_eq!(asked.next(), Some(Err(refused)));
    }

    #[test]
    fn a_rule_is_shown_as_it_would_be_written() {
        // As it is given, and as it is shown.
        let table: [(&[u8], &[u8]); 12] = [
            (b"* +s every=2048K", b"* +s every=2M"),
            (
                b"* +sc every=1M by=pid depth=4",
                b"* +cs by=pid depth=4 every=1M",
            ),
            (b"*  +t", b"* +t"),
            (b"* file a -lc", b"file a -cl"),
            (b"line 7 +s", b"line 7-7 +s"),
            (b"line 7- +s", b"line 7-4294967295 +s"),
            (
                b"file fs/*:7-9 func x module y +t",
                b"file fs/* func x module y line 7-9 +t",
            ),
            (
                b"* +c by=age,stack slice=3600 every=1048576 depth=4",
                b"* +c by=stack,age depth=4 slice=1h every=1M",
            ),
            (
                b"* +c by=pid depth=8 slice=1m every=5000",
                b"* +c by=pid every=5000B",
            ),
            (
                b"* +f probability=5 times=2 skip=0",
                b"* +f times=2 skip=0 probability=5",
            ),
            (
                b"* +f skip=2147483647 times=2147483647",
                b"* +f times=2147483647 skip=2147483647",
            ),
            (
                b"func 'a b' module \"'\" +t",
                b"func \"a b\" module \"'\" +t",
            ),
        ];
        for (text, expected) in table {
            let mut buffer = [0; 128];
            let shown = shown(text, &mut buffer);
            assert_eq!(shown, Some(expected));
            // And means the same.
            assert_eq!(shown.and_then(rule), rule(text));
        }
    }

    /// What is shown of a rule.
    fn shown<'a>(text: &[u8], buffer: &'a mut [u8]) -> Option<&'a [u8]> {
        let mut written = Text::new(buffer);
        rule(text)?.show(&mut written).ok()?;
        let used = written.used();
        buffer.get(..used)
    }
}
