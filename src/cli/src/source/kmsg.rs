// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What the kernel logs from some moment on.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Where it is read.
pub const LOG: &str = "/dev/kmsg";

/// Bytes of a record; the kernel's have 2,048 at most.
const RECORD: usize = 8192;

/// Records that are looked at: others may log meanwhile.
const PATIENCE: usize = 100_000;

/// The kernel's log from when it was opened on.
#[derive(Debug)]
pub struct Kmsg(File);

/// What was logged since.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Logged {
    /// The texts of records, a line each, without what is told of devices.
    pub lines: Vec<String>,
    /// Whether some were overwritten before they could be read.
    pub lost: bool,
}

impl Kmsg {
    /// Opens it; `None` where this process may not read it.
    pub fn open(path: &Path) -> Option<Kmsg> {
        let nonblocking = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
        let mut file = OpenOptions::new().read(true).custom_flags(nonblocking).open(path).ok()?;
        file.seek(SeekFrom::End(0)).ok()?;
        Some(Kmsg(file))
    }

    /// What came since it was opened, or since this was asked for.
    pub fn logged(&mut self) -> Logged {
        let mut buffer = vec![0; RECORD];
        let mut logged = Logged::default();
        for _ in 0..PATIENCE {
            match self.0.read(&mut buffer) {
                // At the end there is nothing, or it would have to be waited for.
                Ok(0) => break,
                Ok(length) => logged.lines.extend(text_of(&buffer[..length])),
                Err(error) if error.kind() == ErrorKind::BrokenPipe => logged.lost = true,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        logged
    }
}

/// The text of a record, `PRIORITY,NUMBER,TIME,FLAGS;TEXT` and further lines.
fn text_of(record: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(record).ok()?;
    let (_, text) = text.split_once(';')?;
    Some(text.lines().next()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_record_the_text_is_told() {
        for (record, expected) in [
            ("4,1186,7003702,-;alloctag: control: x\n", Some("alloctag: control: x")),
            ("4,1,2,-;x; y\n SUBSYSTEM=y\n", Some("x; y")),
            ("6,1,2,-;\n", Some("")),
            ("x\n", None),
        ] {
            assert_eq!(text_of(record.as_bytes()).as_deref(), expected, "{record}");
        }
        assert_eq!(text_of(b"4,1,2,-;\xff\n"), None);
    }

    #[test]
    fn what_was_there_before_is_not_told() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("kmsg");
        std::fs::write(&log, "4,1,2,-;old\n").unwrap();
        let mut kmsg = Kmsg::open(&log).unwrap();
        std::io::Write::write_all(&mut OpenOptions::new().append(true).open(&log).unwrap(), b"4,2,3,-;new\n").unwrap();
        assert_eq!(kmsg.logged(), Logged { lines: vec!["new".to_owned()], lost: false });
        assert_eq!(kmsg.logged(), Logged::default());
        assert!(Kmsg::open(&directory.path().join("none")).is_none());
    }
}
