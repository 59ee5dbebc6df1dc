// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What of the kernel's log says that something is wrong with it, and where a fault was.

use serde::{Deserialize, Serialize};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gravity {
    /// The kernel goes on.
    Warning,
    /// So it does, but memory is not what it should be, or a lock: what it says later may follow from that.
    Damage,
    /// A task of the kernel's has ended where it stood.
    Oops,
}

/// What stands for lines that were overwritten before they could be read: nobody knows what they said.
pub const LOST: &str = "lines of the kernel's log were lost; boot with a larger log_buf_len=";

/// What lines begin with that say so: of those that fit, the first one counts.
const COMPLAINTS: [(&str, Gravity); 38] = [
    ("BUG: unable to handle ", Gravity::Oops),
    ("BUG: kernel NULL pointer dereference", Gravity::Oops),
    ("BUG: stack guard page was hit", Gravity::Oops),
    ("BUG: TASK stack guard page was hit", Gravity::Oops),
    ("kernel BUG at ", Gravity::Oops),
    ("Oops", Gravity::Oops),
    ("general protection fault", Gravity::Oops),
    ("Unable to handle kernel ", Gravity::Oops),
    ("Internal error: ", Gravity::Oops),
    ("Kernel panic", Gravity::Oops),
    ("watchdog: BUG: ", Gravity::Oops),
    ("BUG: KMSAN: ", Gravity::Warning),
    ("BUG: KCSAN: ", Gravity::Warning),
    ("BUG: sleeping function called", Gravity::Warning),
    ("BUG: using ", Gravity::Warning),
    // Memory or a lock is not what it should be: KASAN, KFENCE, a page's state, a counter, a list.
    ("BUG: ", Gravity::Damage),
    // So says SLUB, of a cache by its name.
    ("BUG ", Gravity::Damage),
    ("[ BUG: ", Gravity::Damage),
    ("list_add corruption", Gravity::Damage),
    ("list_del corruption", Gravity::Damage),
    ("refcount_t: ", Gravity::Damage),
    // What lockdep says, once: after that it is off.
    ("WARNING: possible ", Gravity::Damage),
    ("WARNING: inconsistent lock state", Gravity::Damage),
    ("WARNING: bad unlock balance", Gravity::Damage),
    ("WARNING: bad contention detected", Gravity::Damage),
    ("WARNING: lock held when returning to user space", Gravity::Damage),
    ("WARNING: held lock freed", Gravity::Damage),
    ("WARNING: Nested lock was not taken", Gravity::Damage),
    ("WARNING: suspicious RCU usage", Gravity::Damage),
    ("DEBUG_LOCKS_WARN_ON", Gravity::Damage),
    ("INFO: trying to register non-static key", Gravity::Damage),
    ("INFO: lockdep is turned off", Gravity::Damage),
    ("WARNING: ", Gravity::Warning),
    ("INFO: task ", Gravity::Warning),
    ("rcu: INFO: rcu", Gravity::Warning),
    ("INFO: rcu", Gravity::Warning),
    ("UBSAN: ", Gravity::Warning),
    (LOST, Gravity::Warning),
];

/// What lockdep says of which locks, in the middle of the line: after that it is off.
const LOCKS: [&str; 2] = ["-unsafe lock order detected", " still has locks held"];

/// What a fault begins with, by `lib/fault-inject.c`.
const FAULT: &str = "FAULT_INJECTION: forcing a failure";

/// Where stacks end.
const STACK_END: &str = "</TASK>";

/// Lines that a stack takes at most.
const STACK_LINES: usize = 100;

/// What was said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// What says that something is wrong: each line once, in their order.
    #[serde(rename = "said")]
    pub complaints: Vec<String>,
    /// The gravest of them.
    pub gravity: Option<Gravity>,
    /// The functions of the first fault's stack, that with the call site first; none where the caller wanted no warnings.
    pub stack: Vec<String>,
}

impl Said {
    /// Adds what was said later.
    pub fn join(&mut self, later: Said) {
        self.gravity = self.gravity.max(later.gravity);
        for complaint in later.complaints {
            if !self.complaints.contains(&complaint) {
                self.complaints.push(complaint);
            }
        }
        if self.stack.is_empty() {
            self.stack = later.stack;
        }
    }

    /// Leaves out that lines were lost: what these would have said may be another thing the next time.
    pub fn forget_lost(&mut self) {
        self.complaints.retain(|complaint| complaint != LOST);
    }

    /// Leaves out what is said anyhow, if there is nothing worse.
    pub fn forget(&mut self, usual: &Said) {
        self.complaints.retain(|complaint| !usual.complaints.contains(complaint));
        if self.complaints.is_empty() {
            self.gravity = None;
        }
    }

    /// Whether all that the kernel does from there on is doubtful.
    pub fn is_damage(&self) -> bool {
        self.gravity >= Some(Gravity::Damage)
    }
}

/// Looks through lines of the log.
pub fn look<'l>(lines: impl IntoIterator<Item = &'l str> + Clone) -> Said {
    let mut said = Said { stack: stack(lines.clone()), ..Said::default() };
    let mut where_is_wanted = false;
    for line in lines {
        if let Some(gravity) = gravity(line) {
            where_is_wanted = gravity == Gravity::Oops;
            said.gravity = said.gravity.max(Some(gravity));
            let line = lasting(line).to_owned();
            if !said.complaints.contains(&line) {
                said.complaints.push(line);
            }
        } else if let Some(place) = line.strip_prefix("RIP: 0010:").or_else(|| line.strip_prefix("pc : ")) {
            // An oops tells the address of what was looked at, and this who did.
            if let (true, Some(complaint)) = (where_is_wanted, said.complaints.last_mut()) {
                let place = place.split(' ').next().unwrap_or(place);
                if !complaint.contains(place) {
                    *complaint = format!("{complaint} at {place}");
                }
            }
            where_is_wanted = false;
        }
    }
    said
}

fn gravity(line: &str) -> Option<Gravity> {
    if line.starts_with("WARNING: ") && LOCKS.iter().any(|part| line.contains(part)) {
        return Some(Gravity::Damage);
    }
    COMPLAINTS.iter().find(|(start, _)| line.starts_with(start)).map(|(_, gravity)| *gravity)
}

/// A line without what is another one the next time: the CPU and the task.
fn lasting(line: &str) -> &str {
    let end = [", CPU#", "; rcu_preempt", " on cpu"].into_iter().filter_map(|mark| line.find(mark)).min();
    line[..end.unwrap_or(line.len())].trim_end()
}

/// The functions of the first stack of a fault, but for those that have decided it.
fn stack<'l>(lines: impl IntoIterator<Item = &'l str>) -> Vec<String> {
    let mut lines = lines.into_iter().skip_while(|line| !line.starts_with(FAULT));
    let lines = lines.by_ref().take_while(|line| !line.contains(STACK_END)).take(STACK_LINES);
    // A question mark is in front of what only may have called.
    let frames = lines.map(str::trim).filter(|line| line.contains("+0x") && !line.starts_with('?'));
    let mut frames: Vec<String> = frames.filter(|line| !line.starts_with("RIP: ")).map(str::to_owned).collect();
    // Behind the function is the module, if it is in one.
    let is_own = |frame: &String| frame.split('+').next().is_some_and(|function| function.contains("alloctag"));
    let own = frames.iter().rposition(is_own).map_or(0, |place| place + 1);
    frames.drain(..own);
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_told_from_what_is_not() {
        for (line, expected) in [
            (
                "WARNING: mm/x.c:12 at f+0x1/0x2, CPU#1: mount/77",
                Some(("WARNING: mm/x.c:12 at f+0x1/0x2", Gravity::Warning)),
            ),
            (
                "WARNING: possible recursive locking detected",
                Some(("WARNING: possible recursive locking detected", Gravity::Damage)),
            ),
            ("BUG: KASAN: double-free in f+0x1/0x2", Some(("BUG: KASAN: double-free in f+0x1/0x2", Gravity::Damage))),
            (
                "BUG: sleeping function called from invalid context at a.c:7",
                Some(("BUG: sleeping function called from invalid context at a.c:7", Gravity::Warning)),
            ),
            ("kernel BUG at a.c:7!", Some(("kernel BUG at a.c:7!", Gravity::Oops))),
            (
                "INFO: task mount:77 blocked for more than 120 seconds.",
                Some(("INFO: task mount:77 blocked for more than 120 seconds.", Gravity::Warning)),
            ),
            (
                "WARNING: HARDIRQ-safe -> HARDIRQ-unsafe lock order detected",
                Some(("WARNING: HARDIRQ-safe -> HARDIRQ-unsafe lock order detected", Gravity::Damage)),
            ),
            (
                "WARNING: lock held when returning to user space!",
                Some(("WARNING: lock held when returning to user space!", Gravity::Damage)),
            ),
            ("[ BUG: Invalid wait context ]", Some(("[ BUG: Invalid wait context ]", Gravity::Damage))),
            ("BUG dentry (Not tainted): Poison", Some(("BUG dentry (Not tainted): Poison", Gravity::Damage))),
            (
                "BUG: Bad page state in process x  pfn:1",
                Some(("BUG: Bad page state in process x  pfn:1", Gravity::Damage)),
            ),
            (
                "Unable to handle kernel NULL pointer dereference at virtual address 0000000000000008",
                Some((
                    "Unable to handle kernel NULL pointer dereference at virtual address 0000000000000008",
                    Gravity::Oops,
                )),
            ),
            ("FAULT_INJECTION: forcing a failure.", None),
            ("EXT4-fs (ram0): mounting failed: BUG: no", None),
            ("kmemleak: 3 new suspected memory leaks", None),
        ] {
            let said = look([line]);
            let complaint = said.complaints.first().map(String::as_str);
            assert_eq!(complaint.zip(said.gravity), expected, "{line}");
        }
    }

    #[test]
    fn no_complaint_hides_behind_one_before_it() {
        for (place, (start, _)) in COMPLAINTS.iter().enumerate() {
            assert!(COMPLAINTS[..place].iter().all(|(earlier, _)| !start.starts_with(earlier)), "{start}");
        }
    }

    #[test]
    fn an_oops_is_told_with_who_it_was_and_the_gravest_counts() {
        let said = look([
            "WARNING: a.c:1 at f+0x1/0x2, CPU#0: x/1",
            "RIP: 0010:f+0x1/0x2",
            "BUG: kernel NULL pointer dereference, address: 0000000000000008",
            "Oops: Oops: 0002 [#1] SMP NOPTI",
            "RIP: 0010:trusts+0x12/0x40 [m]",
            "WARNING: a.c:1 at f+0x1/0x2, CPU#1: y/2",
        ]);
        assert_eq!(said.gravity, Some(Gravity::Oops));
        assert_eq!(
            said.complaints,
            [
                "WARNING: a.c:1 at f+0x1/0x2",
                "BUG: kernel NULL pointer dereference, address: 0000000000000008",
                "Oops: Oops: 0002 [#1] SMP NOPTI at trusts+0x12/0x40",
            ]
        );
    }

    #[test]
    fn a_stack_begins_with_the_call_site() {
        let log = "\
x+0x1/0x2
FAULT_INJECTION: forcing a failure.
name fail_alloctag, interval 1, probability 100, space 0, times -1
CPU: 0 UID: 0 PID: 77 Comm: mount
Call Trace:
 <TASK>
 dump_stack_lvl+0x5d/0x80
 should_fail_ex+0x2ad/0x300
 alloctag_should_fail+0x10/0x20
 _RNvNtNtCsX_8alloctag5hooks+0x1/0x2
 alloctag_whole_begin+0x6a/0xd0
 slab_alloc_whole_noprof+0x1/0x2
 ? srso_return_thunk+0x5/0x5f
 alloc_fs_context+0x42/0x3b0
 path_mount+0x5/0x6 [alloctag_m]
 </TASK>
 later+0x1/0x2";
        let said = look(log.lines());
        assert_eq!(
            said.stack,
            ["slab_alloc_whole_noprof+0x1/0x2", "alloc_fs_context+0x42/0x3b0", "path_mount+0x5/0x6 [alloctag_m]"]
        );
        assert_eq!(said.complaints, Vec::<String>::new());
    }
}
