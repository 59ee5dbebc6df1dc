// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Which functions the addresses lie in that memory was freed from.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use crate::source::kallsyms::Symbols;

/// Looks up functions of the running kernel.
#[derive(Debug)]
pub struct Callers {
    procfs: PathBuf,
    symbols: Symbols,
    /// The modules that there were when these were read.
    modules: Option<String>,
}

impl Callers {
    /// Reads them, which takes some time.
    pub fn new(procfs: PathBuf) -> Callers {
        let mut callers = Callers { procfs, symbols: Symbols::default(), modules: None };
        callers.read();
        callers
    }

    /// The functions of these addresses, as far as they are known. Of a module that has gone since it freed nothing is.
    pub fn look(&mut self, addresses: BTreeSet<u64>) -> BTreeMap<u64, String> {
        self.read();
        addresses.into_iter().filter_map(|address| Some((address, self.symbols.at(address)?))).collect()
    }

    /// Reads all functions again where modules have come or gone, and not otherwise, for they are many.
    fn read(&mut self) {
        let modules = fs::read_to_string(self.procfs.join("modules")).unwrap_or_default();
        let names = names(&modules);
        if self.modules.as_ref() != Some(&names) {
            let text = fs::read_to_string(self.procfs.join("kallsyms")).unwrap_or_default();
            self.symbols = Symbols::parse(&text);
            self.modules = Some(names);
        }
    }
}

/// What of the list of modules says which these are: their names, and where they lie.
fn names(modules: &str) -> String {
    let lines = modules.lines().map(|line| line.split(' '));
    let words = lines.flat_map(|mut words| [words.next(), words.nth(4)]).flatten();
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_read_again_when_modules_have_come() {
        let procfs = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(procfs.path().join(name), text).unwrap();
        let mut callers = Callers::new(procfs.path().to_owned());
        let found = |callers: &mut Callers| callers.look([0x1010, 0x9010].into()).into_values().collect::<Vec<_>>();
        assert_eq!(found(&mut callers), [""; 0]);
        write("kallsyms", "1000 T f\n");
        assert_eq!(found(&mut callers), [""; 0], "they were read once");
        write("modules", "m 16384 0 - Live 0x9000\n");
        assert_eq!(found(&mut callers), ["f+0x10"]);
        write("kallsyms", "1000 T f\n9000 t g\t[m]\n");
        // Somebody uses it now.
        write("modules", "m 16384 1 - Live 0x9000\n");
        assert_eq!(found(&mut callers), ["f+0x10"]);
        write("modules", "n 16384 0 - Live 0x8000\nm 16384 1 - Live 0x9000\n");
        assert_eq!(found(&mut callers), ["f+0x10", "g+0x10 [m]"]);
    }
}
