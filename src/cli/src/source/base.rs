// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The snapshot that another one rests on.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{describe, Error, Result};
use crate::model::{Names, Row, Rows};
use crate::snapshot::{self, Rest};

/// What is behind the name of a base that only others need: its recording has it no more.
pub const LEFT_BEHIND: &str = "-base";

/// The rows that the snapshot `file` rests on.
///
/// # Errors
///
/// If its base does not lie beside it, is another one, or cannot be read.
pub(super) fn rows(file: &Path, rest: &Rest, names: &mut Names) -> Result<Arc<[Row]>> {
    let path = file.with_file_name(&rest.name);
    if let Some(known) = names.base.as_ref().filter(|known| known.path == path && known.checksum == rest.checksum) {
        return Ok(Arc::clone(&known.rows));
    }
    let failed = |problem: &dyn std::fmt::Display| {
        Error::failed(file.display(), format_args!("rests on {}, which {problem}", rest.name))
    };
    let bytes = read(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => failed(&"has to lie beside it"),
        _ => failed(&format_args!("cannot be read: {}", describe(&error))),
    })?;
    if snapshot::checksum(&bytes) != rest.checksum {
        return Err(failed(&"is another file now, or damaged"));
    }
    let profile = snapshot::decode(&bytes, names).map_err(|error| failed(&error))?;
    let rows: Arc<[Row]> = profile.rows().into();
    names.base = Some(Rows { path, checksum: rest.checksum, rows: Arc::clone(&rows) });
    Ok(rows)
}

/// Reads a base by either of its names. The recorder may give it the second one meanwhile, never the first one again.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => fs::read(left_behind(path)),
        read => read,
    }
}

/// The second name of a base.
pub fn left_behind(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(LEFT_BEHIND);
    name.into()
}
