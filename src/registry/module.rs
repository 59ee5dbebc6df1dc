// SPDX-License-Identifier: GPL-2.0-only

//! Modules that come and go.
//!
//! A module's tags lie in its own memory and go with it. Its objects name accounts, which stay as
//! long as one of them is alive or a container holds them.

use super::{callers, overflow, section::Section, Sections, SECTIONS};
use crate::{
    model::handle::{Handle, Run},
    platform::{
        detailed::{self, Detailed},
        module::Module,
        tag::Tag,
    },
};
use kernel::{alloc::AllocError, alloc_hooks, prelude::*, str::BStr};

/// Gives the tags of a module that is about to run their accounts.
///
/// # Errors
///
/// [`AllocError`]; the module is not to run then.
pub fn load(module: &Module) -> Result<(), AllocError> {
    // SAFETY: `unload()` drops them.
    let tags = unsafe { module.tags() };
    if tags.is_empty() {
        return Ok(());
    }
    let mut sections = SECTIONS.write();
    sections.sweep();
    let mut first = sections.accounts.take(tags.len());
    if first.is_none() {
        // While the hooks are exchanged, readers need not wait.
        drop(sections);
        let hooks = Detailed::engage();
        sections = SECTIONS.write();
        // Meanwhile others have gone, perhaps.
        sections.sweep();
        first = (sections.accounts.take(tags.len()))
            .or_else(|| sections.accounts.take_from_chunks(tags.len(), hooks));
    }
    let Some(first) = first else {
        let (name, wanted) = (BStr::from_bytes(module.name()), tags.len());
        pr_warn!("no {wanted} accounts are left for module {name}: its call sites share one\n");
        overflow::take_in(tags);
        return Ok(());
    };
    if let Err(error) = sections.add(module, tags, first) {
        (0..tags.len()).for_each(|index| sections.accounts.give_back(behind(first, index)));
        return Err(error);
    }
    // Before anything is charged there.
    #[cfg(CONFIG_ALLOCTAG_EVENTS)]
    sections.tell_names();
    for (index, tag) in tags.iter().enumerate() {
        tag.set_handle(behind(first, index));
    }
    Ok(())
}

/// Lets nothing be charged to a module's tags any more, and returns their accounts. Nothing allocates under them: sysfs
/// has let go of its parameters, and all that may still run of it is what types of parameters free (`module_destroy_params()`).
pub fn quiesce(module: &Module) -> Run {
    // Nobody says meanwhile what is wanted of them.
    let sections = SECTIONS.write();
    let (tags, accounts) = sections.tags(module);
    overflow::take_in(tags);
    accounts
}

/// Whether an account is that of a line of Rust code in a module that is still there.
pub fn has_line(module: &Module, account: Handle) -> bool {
    let _sections = SECTIONS.read();
    callers::is_of(module, account)
}

/// Lets go of the tags of a module that is quiet before its memory goes.
pub fn unload(module: &Module) {
    let mut sections = SECTIONS.write();
    sections.remove(module);
    callers::unload(module);
    sections.accounts.sweep();
    sections.retire();
    // What the module itself says goes as well, so this is not for what was kept alone.
    sections.forget();
}

/// Gives back chunks of accounts that have been empty for as long as any hook runs. May sleep for long.
pub fn reap() {
    let any = SECTIONS.write().accounts.mark();
    if any {
        detailed::wait();
        SECTIONS.write().accounts.reap();
    }
}

/// The account that is `index` places behind `first`.
fn behind(first: Handle, index: usize) -> Handle {
    Handle::from_word(first.get() + index as u32)
}

impl Sections {
    /// The tags of a module that is loaded, and their accounts.
    fn tags(&self, module: &Module) -> (&'static [Tag], Run) {
        let mut slots = self.modules.iter().flatten();
        let section = slots.find(|section| section.is_of(module));
        let accounts = section.and_then(|section| section.accounts(0));
        (
            section.map_or(&[], Section::tags),
            accounts.unwrap_or(Run::of(Handle::NONE, 0)),
        )
    }

    /// Puts a module's tags into the first free slot.
    fn add(
        &mut self,
        module: &Module,
        tags: &'static [Tag],
        first: Handle,
    ) -> Result<(), AllocError> {
        let section = Section::of_module(module, tags, first, self.sequence + 1)?;
        match self.modules.iter_mut().find(|slot| slot.is_none()) {
            Some(slot) => *slot = Some(section),
            None => alloc_hooks!(self.modules.push(Some(section), GFP_KERNEL))
                .map_err(|_| AllocError)?,
        }
        self.sequence += 1;
        self.content += 1;
        Ok(())
    }

    /// Forgets a module's tags, but not what is alive of them, which keeps its numbers.
    fn remove(&mut self, module: &Module) {
        let mut slots = self.modules.iter_mut().flatten();
        let Some(section) = slots.find(|section| section.is_of(module)) else {
            return;
        };
        if section.outlive(&mut self.accounts).is_err() {
            pr_warn!("no memory to keep the rows of an unloaded module\n");
        }
        self.content += 1;
    }

    /// Drops the rows of what has gone whose accounts nobody needs any more, and frees the slots that
    /// are left without a row. Events of all others have their names meanwhile. May sleep.
    pub(super) fn sweep(&mut self) {
        self.accounts.sweep();
        if self.retire() {
            self.forget();
        }
    }

    /// Marks these rows. Returns whether [`Sections::forget()`] has something to do.
    fn retire(&mut self) -> bool {
        let any = callers::retire();
        let sections = self.modules.iter().flatten();
        sections.fold(any, |any, section| section.retire() | any)
    }

    /// Drops what was marked, once nobody has the names of that any more.
    fn forget(&mut self) {
        #[cfg(CONFIG_ALLOCTAG_EVENTS)]
        self.tell_names();
        callers::sweep();
        for slot in self.modules.iter_mut() {
            let Some(section) = slot else { continue };
            self.content += section.forget(&mut self.accounts);
            if section.is_gone() {
                *slot = None;
            }
        }
    }
}
