// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What the kernel logs while it is asked for something.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// What is in front of a reason.
const PREFIX: &str = "alloctag: control: ";

/// Bytes of a record; the kernel's have 2,048 at most.
const RECORD: usize = 8192;

/// Records that are looked at: others may log meanwhile.
const PATIENCE: usize = 1000;

/// The kernel's log from when it was opened on.
pub(super) struct Kmsg(File);

impl Kmsg {
    /// Opens it; `None` where this process may not read it.
    pub(super) fn open(path: &Path) -> Option<Kmsg> {
        let nonblocking = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
        let mut file = OpenOptions::new().read(true).custom_flags(nonblocking).open(path).ok()?;
        file.seek(SeekFrom::End(0)).ok()?;
        Some(Kmsg(file))
    }

    /// Why the last thing was refused that was asked for since.
    pub(super) fn reason(mut self) -> Option<String> {
        let mut buffer = vec![0; RECORD];
        let mut reason = None;
        for _ in 0..PATIENCE {
            match self.0.read(&mut buffer) {
                // At the end there is nothing, or it would have to be waited for.
                Ok(0) => break,
                Ok(length) => reason = of_record(&buffer[..length]).or(reason),
                // It was overwritten before it could be read.
                Err(error) if matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::Interrupted) => {}
                Err(_) => break,
            }
        }
        reason
    }
}

/// The reason in a record, `PRIORITY,NUMBER,TIME,FLAGS;TEXT` and further lines.
fn of_record(record: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(record).ok()?;
    let (_, text) = text.split_once(';')?;
    let reason = text.lines().next()?.strip_prefix(PREFIX)?;
    Some(reason.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_found_among_other_records() {
        for (record, expected) in [
            ("4,1186,7003702,-;alloctag: control: by=stac: no such value\n", Some("by=stac: no such value")),
            ("4,1,2,-;alloctag: control: x\n SUBSYSTEM=y\n", Some("x")),
            ("6,1,2,-;alloctag: 4000 call sites\n", None),
            ("6,1,2,-;usb: alloctag: control: x\n", None),
            ("alloctag: control: x\n", None),
        ] {
            assert_eq!(of_record(record.as_bytes()).as_deref(), expected, "{record}");
        }
        assert_eq!(of_record(b"4,1,2,-;alloctag: control: \xff\n"), None);
    }

    #[test]
    fn what_was_there_before_is_no_reason() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("kmsg");
        std::fs::write(&log, "4,1,2,-;alloctag: control: old\n").unwrap();
        let kmsg = Kmsg::open(&log).unwrap();
        std::io::Write::write_all(
            &mut OpenOptions::new().append(true).open(&log).unwrap(),
            b"4,2,3,-;alloctag: control: new\n",
        )
        .unwrap();
        assert_eq!(kmsg.reason().as_deref(), Some("new"));
        assert_eq!(Kmsg::open(&log).unwrap().reason(), None);
        assert!(Kmsg::open(&directory.path().join("none")).is_none());
    }
}
