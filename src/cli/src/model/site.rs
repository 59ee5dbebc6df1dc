// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The place in the source that allocates.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Name;

/// A call site: what makes two rows of a profile the same row.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Site {
    /// The source file as the kernel prints it: relative to the tree, or absolute for modules built outside of it.
    pub file: Name,
    /// The line in `file`.
    pub line: u32,
    /// The function that holds the call.
    pub func: Name,
    /// The loadable module; `None` for built-in code.
    pub module: Option<Name>,
}

impl Site {
    /// The file without the `./` in front that kbuild gives to headers of the tree.
    ///
    /// This is the form that people type, that MAINTAINERS uses, and that directories are taken from.
    pub fn path(&self) -> &str {
        clean(&self.file)
    }

    /// The directory of [`path`](Self::path), without the last `/`; `.` for a file in none.
    pub fn dir(&self) -> &str {
        match self.path().rsplit_once('/') {
            Some(("", _)) => "/",
            Some((dir, _)) => dir,
            None => ".",
        }
    }
}

/// Takes the leading `./` off a file's name.
fn clean(file: &str) -> &str {
    let mut rest = file;
    while let Some(tail) = rest.strip_prefix("./") {
        rest = tail.trim_start_matches('/');
    }
    rest
}

impl fmt::Display for Site {
    /// `FILE:LINE [MODULE] func:FUNC` as in `/proc/allocinfo`, with the file as [`path`](Self::path) has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path(), self.line)?;
        if let Some(module) = &self.module {
            write!(f, " [{module}]")?;
        }
        write!(f, " func:{}", self.func)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(file: &str) -> Site {
        Site { file: file.into(), line: 7, func: "f".into(), module: None }
    }

    #[test]
    fn paths_and_directories_are_those_of_the_tree() {
        for (file, path, dir) in [
            ("mm/slub.c", "mm/slub.c", "mm"),
            ("./include/linux/slab.h", "include/linux/slab.h", "include/linux"),
            (".//./a/b.h", "a/b.h", "a"),
            ("main.c", "main.c", "."),
            ("/m/x.c", "/m/x.c", "/m"),
            ("/x.c", "/x.c", "/"),
            ("../m/x.c", "../m/x.c", "../m"),
        ] {
            assert_eq!((site(file).path(), site(file).dir()), (path, dir), "{file}");
        }
    }

    #[test]
    fn a_site_prints_as_the_kernel_prints_it_without_the_dot_of_headers() {
        let built_in = site("./mm/slub.c");
        assert_eq!(built_in.to_string(), "mm/slub.c:7 func:f");
        let modular = Site { module: Some("nvme".into()), ..built_in };
        assert_eq!(modular.to_string(), "mm/slub.c:7 [nvme] func:f");
    }
}
