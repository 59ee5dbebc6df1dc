// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Where a document goes: standard output, or a file that is there whole or not at all.

use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::error::{describe, Error, Result};
use crate::storage::{self, Target, SHARED};

/// Bytes collected before they are written.
const BUFFER: usize = 64 << 10;

/// Writes what `body` writes to `file`, or to `stdout` if there is none.
///
/// A regular file is replaced once all is on disk ([`storage`]), so that a reader sees the old one or the new one and a
/// failure leaves the old one; who may read it stays as it was. A symbolic link stays one, and pipes and devices are written to as
/// they are.
///
/// # Errors
///
/// Those of `body`, and of the file system with the file's name in front.
pub fn write(
    file: Option<&Path>,
    stdout: &mut dyn Write,
    body: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let Some(file) = file.filter(|file| file.as_os_str() != "-") else { return Ok(body(stdout)?) };
    let failed = |error: io::Error| Error::failed(file.display(), describe(&error));
    match Target::of(file).map_err(failed)? {
        Target::Other if file.is_dir() => Err(Error::failed(file.display(), "is a directory")),
        Target::Other => {
            let mut out = BufWriter::with_capacity(BUFFER, OpenOptions::new().write(true).open(file).map_err(failed)?);
            Ok(body(&mut out).and_then(|()| out.flush())?)
        }
        Target::File(file, metadata) => {
            collect(body).and_then(|bytes| storage::renew(&file, &bytes, &metadata)).map_err(failed)
        }
        Target::Missing(file) => {
            collect(body).and_then(|bytes| storage::replace(&file, &bytes, SHARED)).map_err(failed)
        }
    }
}

/// That [`write`] will find a place for `file`, as far as that can be told: for who has hours to wait before there is something
/// to write.
///
/// # Errors
///
/// As [`write`] says it.
pub fn require_place(file: &Path) -> Result<()> {
    if file.as_os_str() == "-" {
        return Ok(());
    }
    let place = match Target::of(file) {
        Ok(Target::Other) if file.is_dir() => return Err(Error::failed(file.display(), "is a directory")),
        // A pipe is not opened twice.
        Ok(Target::Other) => Ok(()),
        Ok(Target::File(file, _) | Target::Missing(file)) => storage::require_place(&file),
        Err(error) => Err(error),
    };
    place.map_err(|error| Error::failed(file.display(), describe(&error)))
}

fn collect(body: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    body(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_is_replaced_whole_or_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a.prom");
        for text in ["old", "new"] {
            write(Some(&file), &mut io::sink(), |out| out.write_all(text.as_bytes())).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
        }
        require_place(&file).unwrap();
        assert!(require_place(directory.path()).is_err() && require_place(&directory.path().join("no/x")).is_err());
        let error = write(Some(&file), &mut io::sink(), |out| {
            out.write_all(b"half")?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        });
        assert!(error.unwrap_err().to_string().starts_with(file.to_str().unwrap()));
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(names(directory.path()), ["a.prom"], "nothing else is left behind");
    }

    #[test]
    fn others_may_read_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let (file, plain) = (directory.path().join("a"), directory.path().join("b"));
        write(Some(&file), &mut io::sink(), |out| out.write_all(b"x")).unwrap();
        fs::write(&plain, "x").unwrap();
        let mode = |file: &Path| fs::metadata(file).unwrap().permissions().mode();
        assert_eq!(mode(&file), mode(&plain), "as any other program's file");
    }

    #[test]
    fn a_symbolic_link_and_a_device_stay_what_they_are() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("a"), directory.path().join("l"));
        std::os::unix::fs::symlink("a", &link).unwrap();
        // At first there is nothing where it leads to.
        for text in ["old", "new"] {
            write(Some(&link), &mut io::sink(), |out| out.write_all(text.as_bytes())).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
        }
        write(Some(Path::new("/dev/null")), &mut io::sink(), |out| out.write_all(b"x")).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        assert!(write(Some(directory.path()), &mut io::sink(), |_| Ok(())).is_err());
    }

    #[test]
    fn who_may_read_a_file_stays_as_it_was() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("a"), directory.path().join("l"));
        std::os::unix::fs::symlink("a", &link).unwrap();
        for mode in [0o600, 0o646, 0o444] {
            fs::write(&file, "old").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            for name in [&file, &link] {
                write(Some(name), &mut io::sink(), |out| out.write_all(b"new")).unwrap();
                assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, mode, "{mode:o}");
            }
            fs::remove_file(&file).unwrap();
        }
    }

    #[test]
    fn without_a_file_it_is_standard_output() {
        let mut stdout = Vec::new();
        write(None, &mut stdout, |out| out.write_all(b"1")).unwrap();
        write(Some(Path::new("-")), &mut stdout, |out| out.write_all(b"2")).unwrap();
        assert_eq!(stdout, b"12");
    }
}
