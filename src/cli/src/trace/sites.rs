// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The call sites that events name, each once.

use std::collections::HashMap;
use std::fmt::Write;

use foldhash::fast::RandomState;

use super::event::SiteId;
use crate::model::Site;
use crate::printable::printable;

/// All call sites that were named so far.
#[derive(Debug, Default)]
pub struct Sites {
    list: Vec<Site>,
    /// By what their names are in an event.
    places: HashMap<Box<str>, SiteId, RandomState>,
    /// Where that is put together.
    key: String,
}

impl Sites {
    /// The place of a site, which is the next one if it is new.
    pub fn intern(&mut self, file: &str, line: u32, func: &str, module: &str) -> SiteId {
        self.key.clear();
        for part in [file, func, module] {
            self.key.push_str(part);
            self.key.push('\0');
        }
        // A text takes every number.
        let _ = write!(self.key, "{line}");
        if let Some(&id) = self.places.get(self.key.as_str()) {
            return id;
        }
        let name = |text: &str| printable(text).as_ref().into();
        let module = (!module.is_empty()).then(|| name(module));
        self.list.push(Site { file: name(file), line, func: name(func), module });
        let id = self.list.len() - 1;
        self.places.insert(self.key.as_str().into(), id);
        id
    }

    /// The site at a place.
    pub fn get(&self, id: SiteId) -> Option<&Site> {
        self.list.get(id)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_has_one_place_however_often_it_is_named() {
        let mut sites = Sites::default();
        let names = [
            ("a.c", 1, "f", ""),
            ("a.c", 2, "f", ""),
            ("a.c", 1, "f", "m"),
            ("a.c", 1, "g", ""),
            ("b\x1b", 1, "f", ""),
        ];
        for _ in 0..2 {
            for (id, (file, line, func, module)) in names.into_iter().enumerate() {
                assert_eq!(sites.intern(file, line, func, module), id);
            }
        }
        assert_eq!(sites.len(), names.len());
        assert_eq!(sites.get(2).map(ToString::to_string).as_deref(), Some("a.c:1 [m] func:f"));
        assert_eq!(sites.get(4).map(|site| site.file.to_string()).as_deref(), Some("b\\u{1b}"));
    }
}
