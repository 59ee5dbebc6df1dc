// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Rows whose memory other rows account for a second time.
//!
//! Counting happens at three places in Linux 7.3: for slab objects (mm/slub.c), for pages (mm/page_alloc.c) and for per-CPU
//! areas (mm/percpu.c). The slab and per-CPU allocators take their pages from the page allocator at tagged call sites of
//! their own, so every byte of a slab object or a per-CPU area is also a byte of one of those sites. Adding both up counts
//! it twice.
//!
//! What looks similar and is not: vmalloc takes its pages through the untagged `_noprof` functions, on its caller's account
//! (only `struct vm_struct` has a row of its own); large kmalloc likewise; page_ext tables, object extension vectors and
//! page pools are memory that no other row has.

use serde::{Deserialize, Serialize};

use super::Site;

/// An allocator whose pages have rows of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backing {
    /// Pages that slab objects lie in.
    Slab,
    /// Pages that per-CPU areas lie in. The areas' rows count the copies of all CPUs (`pcpu_obj_full_size()`).
    Percpu,
}

/// The call sites by file and function. Their lines move from release to release; these names have not since 6.10.
const SITES: &[(&str, &str, Backing)] = &[
    ("mm/slub.c", "alloc_slab_page", Backing::Slab),
    ("mm/percpu-vm.c", "pcpu_alloc_pages", Backing::Percpu),
    // Without an MMU a chunk is one block of pages.
    ("mm/percpu-km.c", "pcpu_create_chunk", Backing::Percpu),
];

impl Backing {
    /// Every kind, in the order in which they are shown.
    pub const ALL: [Backing; 2] = [Backing::Slab, Backing::Percpu];

    /// What `site`'s memory backs; `None` for an ordinary site.
    pub fn of(site: &Site) -> Option<Backing> {
        if site.module.is_some() {
            return None;
        }
        let func = site.func.as_str();
        SITES.iter().find(|entry| entry.1 == func && entry.0 == site.path()).map(|entry| entry.2)
    }

    /// What lies in that memory, for people.
    pub fn holds(self) -> &'static str {
        match self {
            Backing::Slab => "slab objects",
            Backing::Percpu => "per-CPU areas",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_allocators_own_page_rows_are_backing_store() {
        for (file, func, module, expected) in [
            ("mm/slub.c", "alloc_slab_page", None, Some(Backing::Slab)),
            ("./mm/slub.c", "alloc_slab_page", None, Some(Backing::Slab)),
            ("mm/slub.c", "alloc_slab_page", Some("evil"), None),
            ("mm/slub.c", "alloc_slab_obj_exts", None, None),
            ("drivers/mm/slub.c", "alloc_slab_page", None, None),
            ("mm/percpu-vm.c", "pcpu_alloc_pages", None, Some(Backing::Percpu)),
            ("mm/percpu-km.c", "pcpu_create_chunk", None, Some(Backing::Percpu)),
            ("mm/percpu.c", "pcpu_mem_zalloc", None, None),
            ("mm/vmalloc.c", "__get_vm_area_node", None, None),
            ("mm/page_ext.c", "alloc_page_ext", None, None),
        ] {
            let site = Site { file: file.into(), line: 1, func: func.into(), module: module.map(Into::into) };
            assert_eq!(Backing::of(&site), expected, "{site}");
        }
    }
}
