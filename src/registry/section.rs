// SPDX-License-Identifier: GPL-2.0-only

//! The call sites of the kernel or of one module.

use super::{accounts::Accounts, callers, holders, recorded};
use crate::{
    model::{
        cursor::Slot,
        handle::{Handle, Run},
        text::Row,
    },
    platform::{module::Module, resched, tag::Tag},
};
use kernel::{
    alloc::AllocError,
    alloc_hooks,
    prelude::*,
    sync::atomic::{Atomic, Relaxed},
};

/// Some call sites that came together.
pub struct Section {
    /// Differs from one holder of a slot to the next; 0 for nobody.
    pub(super) sequence: u64,
    /// The module's name; empty for what is built in.
    name: KVec<u8>,
    sites: Sites,
}

/// Where the call sites are described.
enum Sites {
    /// In their tags, whose accounts follow each other.
    Tags {
        tags: &'static [Tag],
        first: Handle,
        /// The module's address, 0 for what is built in.
        owner: usize,
    },
    /// In the table of Rust's call sites.
    Callers(callers::Rows),
    /// In copies, because the module has gone; their accounts are not free. In the order of their numbers.
    Kept(KVec<Place>),
}

/// Where a call site is kept as long as its account is not free. It has the number that it had in its module, at which readers
/// may stand, and its address does not change.
struct Place {
    number: usize,
    site: Option<Kept>,
}

/// What is kept of a call site whose module has gone.
struct Kept {
    file: KVec<u8>,
    function: KVec<u8>,
    line: u32,
    accurate: bool,
    handle: Handle,
    /// Whether it is about to be dropped; changes while the list is held for writing.
    leaves: Atomic<bool>,
}

/// What some call sites of a module are called whose accounts follow each other.
///
/// # Invariants
///
/// The names are there: before they go, who forgets them has others find no list with these, and waits for RCU.
#[cfg(CONFIG_ALLOCTAG_EVENTS)]
pub(super) struct Names {
    first: Handle,
    /// That of the section.
    module: *const [u8],
    sites: Named,
}

#[cfg(CONFIG_ALLOCTAG_EVENTS)]
enum Named {
    /// By tags.
    Loaded(&'static [Tag]),
    /// By the copy of a single one.
    Kept(*const Kept),
}

#[cfg(CONFIG_ALLOCTAG_EVENTS)]
impl Names {
    /// The first account.
    pub(super) fn first(&self) -> Handle {
        self.first
    }

    /// What is to be shown of the call site with an account, if it is one of these.
    pub(super) fn row(&self, account: Handle) -> Option<Row<'_>> {
        let index = account.index().checked_sub(self.first.index())?;
        // SAFETY: By the type's invariant; this was found under RCU.
        let module = Some(unsafe { &*self.module });
        match self.sites {
            Named::Loaded(tags) => Some(tags.get(index)?.row(module)),
            // SAFETY: Likewise.
            Named::Kept(site) if index == 0 => Some(unsafe { &*site }.row(module)),
            Named::Kept(_) => None,
        }
    }
}

impl Place {
    /// The call site, if it is still kept, with its number.
    fn numbered(&self) -> Option<(usize, &Kept)> {
        Some((self.number, self.site.as_ref()?))
    }

    /// The call site of that number among those that are kept.
    fn find(kept: &[Self], number: usize) -> Option<&Kept> {
        let at = kept.binary_search_by_key(&number, |place| place.number);
        kept.get(at.ok()?)?.site.as_ref()
    }
}

impl Kept {
    fn new(row: &Row<'_>, handle: Handle) -> Result<Self, AllocError> {
        Ok(Self {
            file: copy(row.file)?,
            function: copy(row.function)?,
            line: row.line,
            accurate: row.accurate,
            handle,
            leaves: Atomic::new(false),
        })
    }

    fn row<'a>(&'a self, module: Option<&'a [u8]>) -> Row<'a> {
        Row {
            file: &self.file,
            line: self.line,
            module,
            function: &self.function,
            accurate: self.accurate,
        }
    }
}

fn copy(text: &[u8]) -> Result<KVec<u8>, AllocError> {
    let mut copied = KVec::new();
    // With a tag of its own its row is always there, and comes with no module.
    alloc_hooks!(copied.extend_from_slice(text, GFP_KERNEL))?;
    Ok(copied)
}

impl Section {
    /// No call sites.
    pub(super) const fn empty() -> Self {
        Self {
            sequence: 0,
            name: KVec::new(),
            sites: Sites::Tags {
                tags: &[],
                first: Handle::NONE,
                owner: 0,
            },
        }
    }

    /// The sequence number of Rust's call sites.
    pub(super) const CALLERS_SEQUENCE: u64 = 1;

    /// Rust's call sites. There is one such section.
    pub(super) const fn callers() -> Self {
        Self {
            sequence: Self::CALLERS_SEQUENCE,
            name: KVec::new(),
            sites: Sites::Callers(callers::Rows::new()),
        }
    }

    /// What is built in.
    pub(super) fn builtin(tags: &'static [Tag], first: Handle, sequence: u64) -> Self {
        Self {
            sequence,
            name: KVec::new(),
            sites: Sites::Tags {
                tags,
                first,
                owner: 0,
            },
        }
    }

    /// The tags of a module, whose accounts are `first` and those that follow.
    pub(super) fn of_module(
        module: &Module,
        tags: &'static [Tag],
        first: Handle,
        sequence: u64,
    ) -> Result<Self, AllocError> {
        Ok(Self {
            sequence,
            name: copy(module.name())?,
            sites: Sites::Tags {
                tags,
                first,
                owner: module.address(),
            },
        })
    }

    /// Whether these are the tags of a loaded module.
    pub(super) fn is_of(&self, module: &Module) -> bool {
        matches!(&self.sites, Sites::Tags { owner, .. } if *owner == module.address())
    }

    /// The tags, where they are still there.
    pub(super) fn tags(&self) -> &'static [Tag] {
        match self.sites {
            Sites::Tags { tags, .. } => tags,
            _ => &[],
        }
    }

    /// Lets go of the tags, because the module goes, and keeps copies of the call sites whose accounts
    /// are not free; those that are, are given back.
    ///
    /// # Errors
    ///
    /// [`AllocError`] where there is no memory for the copies; the rows are lost then, and their
    /// accounts are given back when they are free.
    pub(super) fn outlive(&mut self, accounts: &mut Accounts) -> Result<(), AllocError> {
        let mut kept = KVec::new();
        let mut result = Ok(());
        for index in 0..self.length() {
            resched::at_step(index as u64);
            let Some(handle) = self.accounts(index).map(Run::first) else {
                continue;
            };
            if holders::retire_row(handle) {
                accounts.give_back(handle);
                continue;
            }
            if let (Ok(()), Some(row)) = (&result, self.row(index)) {
                result = Kept::new(&row, handle).and_then(|site| {
                    let place = Place {
                        number: index,
                        site: Some(site),
                    };
                    alloc_hooks!(kept.push(place, GFP_KERNEL)).map_err(|_| AllocError)
                });
            }
            if result.is_err() {
                accounts.lose(handle);
            }
        }
        self.sites = Sites::Kept(kept);
        result
    }

    /// The call sites whose module has gone, with their numbers; none of any other section.
    fn numbered(&self) -> impl Iterator<Item = (usize, &Kept)> {
        let kept = match &self.sites {
            Sites::Kept(kept) => kept.as_slice(),
            _ => &[],
        };
        kept.iter().filter_map(Place::numbered)
    }

    /// The same without.
    fn kept(&self) -> impl Iterator<Item = &Kept> {
        self.numbered().map(|(_, site)| site)
    }

    /// The names of a module's call sites that stay, for those who do not hold the list.
    #[cfg(CONFIG_ALLOCTAG_EVENTS)]
    pub(super) fn names(&self) -> impl Iterator<Item = Names> + use<'_> {
        let loaded = match self.sites {
            Sites::Tags { tags, first, .. } if !tags.is_empty() => Some(Names {
                first,
                module: &raw const *self.name,
                sites: Named::Loaded(tags),
            }),
            _ => None,
        };
        let stay = self.kept().filter(|site| !site.leaves.load(Relaxed));
        let kept = stay.map(|site| Names {
            first: site.handle,
            module: &raw const *self.name,
            sites: Named::Kept(site),
        });
        Iterator::chain(loaded.into_iter(), kept)
    }

    /// The numbers of the call sites whose module has gone, and their accounts.
    pub(super) fn kept_accounts(&self) -> impl Iterator<Item = (usize, Handle)> + use<'_> {
        self.numbered().map(|(number, site)| (number, site.handle))
    }

    /// Whether there is a kept call site whose account is free.
    pub(super) fn has_free(&self) -> bool {
        self.kept().enumerate().any(|(index, site)| {
            resched::at_step(index as u64);
            holders::is_free(site.handle)
        })
    }

    /// Marks the kept call sites whose accounts are free by now. Returns whether [`Section::forget()`] has something to do. The
    /// list is held for writing.
    pub(super) fn retire(&self) -> bool {
        let mut any = self.is_gone();
        for (index, site) in self.kept().enumerate() {
            resched::at_step(index as u64);
            if holders::retire_row(site.handle) {
                site.leaves.store(true, Relaxed);
                any = true;
            }
        }
        any
    }

    /// Drops the call sites that were marked, whose names nobody has any more. Returns how many these were.
    pub(super) fn forget(&mut self, accounts: &mut Accounts) -> u64 {
        let mut dropped = 0;
        let Sites::Kept(kept) = &mut self.sites else {
            return dropped;
        };
        for (index, place) in kept.iter_mut().enumerate() {
            resched::at_step(index as u64);
            if let Some(site) = place.site.take_if(|site| site.leaves.load(Relaxed)) {
                accounts.give_back(site.handle);
                dropped += 1;
            }
        }
        dropped
    }

    /// Whether the module has gone and no call site is kept.
    pub(super) fn is_gone(&self) -> bool {
        matches!(self.sites, Sites::Kept(_)) && self.kept().next().is_none()
    }

    /// How many numbers there are.
    pub(super) fn length(&self) -> usize {
        match &self.sites {
            Sites::Tags { tags, .. } => tags.len(),
            Sites::Callers(_) => callers::ACCOUNTS,
            Sites::Kept(kept) => kept.last().map_or(0, |last| last.number + 1),
        }
    }

    /// How many rows there are: of Rust's call sites, those of lines that were met.
    pub(super) fn rows(&self) -> usize {
        match &self.sites {
            Sites::Callers(_) => callers::rows(),
            Sites::Kept(_) => self.kept().count(),
            Sites::Tags { .. } => self.length(),
        }
    }

    /// The first number from `index` on that a call site may have.
    pub(super) fn taken_from(&self, index: usize) -> usize {
        match &self.sites {
            Sites::Callers(rows) => rows.taken_from(index),
            Sites::Kept(kept) => {
                let before = kept.partition_point(|place| place.number < index);
                let mut rest = kept.iter().skip(before).filter_map(Place::numbered);
                rest.next().map_or(self.length(), |(number, _)| number)
            }
            Sites::Tags { .. } => index,
        }
    }

    /// What a cursor needs to know.
    pub(super) fn slot(&self) -> Slot {
        Slot {
            sequence: self.sequence,
            length: self.length(),
        }
    }

    /// The account of a call site, and those of the call sites that follow as far as there is no gap.
    /// `None` where there is no call site of that number.
    pub(super) fn accounts(&self, index: usize) -> Option<Run> {
        match &self.sites {
            Sites::Tags { tags, first, .. } => {
                let handle = Handle::from_word(first.get() + index as u32);
                Some(Run::of(handle, tags.len().checked_sub(index)?))
            }
            // The accounts that follow are mostly nobody's.
            Sites::Callers(rows) => Some(Run::of(rows.account(index)?, 1)),
            Sites::Kept(kept) => Some(Run::of(Place::find(kept, index)?.handle, 1)),
        }
    }

    /// The number of the call site with an account, if there is one here.
    pub(super) fn find(&self, account: Handle) -> Option<usize> {
        match &self.sites {
            Sites::Tags { tags, first, .. } => {
                let index = account.index().checked_sub(first.index())?;
                (index < tags.len()).then_some(index)
            }
            Sites::Callers(rows) => rows.find(account),
            Sites::Kept(_) => {
                let mut numbered = self.kept_accounts();
                numbered.find_map(|(number, handle)| (handle == account).then_some(number))
            }
        }
    }

    /// The source file of a call site, if there is one of that number.
    pub(super) fn file(&self, index: usize) -> Option<&[u8]> {
        match &self.sites {
            Sites::Tags { tags, .. } => Some(tags.get(index)?.file()),
            Sites::Callers(rows) => Some(rows.row(index)?.file),
            Sites::Kept(kept) => Some(&Place::find(kept, index)?.file),
        }
    }

    /// What is to be shown of a call site, if there is one of that number.
    pub(super) fn row(&self, index: usize) -> Option<Row<'_>> {
        let module = (!self.name.is_empty()).then_some(&*self.name);
        let row = match &self.sites {
            Sites::Tags { tags, .. } => tags.get(index)?.row(module),
            Sites::Callers(rows) => return rows.row(index),
            Sites::Kept(kept) => Place::find(kept, index)?.row(module),
        };
        Some(Row {
            accurate: self.is_accurate(index, row.accurate)?,
            ..row
        })
    }

    /// What of that is no name: the line, and whether every allocation could be counted; less work than all of it.
    pub(super) fn marks(&self, index: usize) -> Option<(u32, bool)> {
        let (line, accurate) = match &self.sites {
            Sites::Tags { tags, .. } => tags.get(index)?.marks(),
            Sites::Callers(rows) => {
                let row = rows.row(index)?;
                return Some((row.line, row.accurate));
            }
            Sites::Kept(kept) => {
                let site = Place::find(kept, index)?;
                (site.line, site.accurate)
            }
        };
        Some((line, self.is_accurate(index, accurate)?))
    }

    /// Whether every allocation of a call site could be counted, which its tag or what is kept of it says, and its stand-in.
    /// What is built in has none.
    #[inline]
    fn is_accurate(&self, index: usize, said: bool) -> Option<bool> {
        Some(said && (self.name.is_empty() || recorded::is_accurate(self.accounts(index)?.first())))
    }
}
