// SPDX-License-Identifier: GPL-2.0-only

//! Where a call site of Rust code is described: in its location while that exists, in a copy after
//! the location's module has gone.

use super::{
    module::{self, Module},
    spin::Guard,
};
use core::{cell::UnsafeCell, panic::Location, ptr::NonNull};
use kernel::{alloc::AllocError, alloc_hooks, bindings, prelude::*};

/// What is known of a call site.
pub enum Origin {
    /// There is none.
    None,
    /// A location that exists.
    Here {
        /// The location.
        location: *const Location<'static>,
        /// The module that it goes with, if it is not built in.
        module: Option<NonNull<bindings::module>>,
        /// Whether the row is its own; otherwise another location stands for the same line.
        own: bool,
    },
    /// A copy of what a location said whose module has gone.
    Kept(KBox<Kept>),
    /// The module has gone, and there was no memory for a copy.
    Lost,
}

/// The names of a call site whose module has gone.
pub struct Kept {
    file: KVec<u8>,
    module: KVec<u8>,
}

impl Origin {
    /// Where a location is; under the lock, whose holder is not preempted, so that no module goes.
    pub fn of(_guard: &Guard, location: &'static Location<'static>) -> Self {
        let location = core::ptr::from_ref(location);
        Self::Here {
            location,
            // SAFETY: Preemption is off.
            module: unsafe { module::containing(location.addr()) },
            own: true,
        }
    }
}

/// The description of one place's call site.
///
/// # Invariants
///
/// Written by holders of the lock only, and only while nobody reads: either no key leads to the
/// place yet, or the list of sections is held for writing. A location that is named exists.
pub struct Site(UnsafeCell<Origin>);

// SAFETY: By the type's invariant, writers and readers keep out of each other's way.
unsafe impl Sync for Site {}

impl Site {
    /// No call site.
    pub const fn new() -> Self {
        // INVARIANT: It names no location.
        Self(UnsafeCell::new(Origin::None))
    }

    /// Replaces the description and returns the one before.
    ///
    /// # Safety
    ///
    /// As the type's invariant says.
    pub unsafe fn replace(&self, _guard: &Guard, origin: Origin) -> Origin {
        // SAFETY: Nobody else looks, by the caller's promise.
        unsafe { self.0.get().replace(origin) }
    }

    /// What is known of the call site.
    ///
    /// # Safety
    ///
    /// The caller found a key in the place and holds the list of sections, or holds the lock.
    unsafe fn origin(&self) -> &Origin {
        // SAFETY: Nobody writes meanwhile, by the type's invariant.
        unsafe { &*self.0.get() }
    }

    /// Whether this is the row of a location of that module and line.
    ///
    /// # Safety
    ///
    /// As for [`Site::names()`].
    pub unsafe fn is_row_of(&self, other: &Origin) -> bool {
        // SAFETY: The caller's promise.
        match (unsafe { self.origin() }, other) {
            (
                Origin::Here {
                    location,
                    module,
                    own: true,
                },
                Origin::Here {
                    location: other,
                    module: others,
                    ..
                },
            ) => {
                // SAFETY: Both exist, by the type's invariant and because it is being used.
                let (one, other) = unsafe { (&**location, &**other) };
                module == others && one.line() == other.line() && one.file() == other.file()
            }
            _ => false,
        }
    }

    /// Whether the location is that module's.
    ///
    /// # Safety
    ///
    /// As for [`Site::names()`].
    pub unsafe fn is_in(&self, gone: &Module) -> bool {
        // SAFETY: The caller's promise.
        match unsafe { self.origin() } {
            Origin::Here {
                module: Some(module),
                ..
            } => module.addr().get() == gone.address(),
            _ => false,
        }
    }

    /// The file's name and the module's, if the call site has a row of its own.
    ///
    /// # Safety
    ///
    /// The caller found a key in the place and holds the list of sections, or holds the lock.
    pub unsafe fn names(&self) -> Option<(&[u8], Option<&[u8]>)> {
        // SAFETY: The caller's promise.
        match unsafe { self.origin() } {
            Origin::Here {
                location,
                module,
                own: true,
            } => {
                // SAFETY: The location exists, and its module with it.
                let (location, module) = unsafe {
                    (
                        &**location,
                        module.map(|module| Module::from_raw(module.as_ptr()).into_name()),
                    )
                };
                Some((location.file().as_bytes(), module))
            }
            Origin::Kept(kept) => Some((&kept.file, Some(&kept.module))),
            Origin::Lost => Some((b"(unloaded)", None)),
            _ => None,
        }
    }

    /// A copy to be kept when the module goes.
    ///
    /// # Errors
    ///
    /// [`AllocError`] where there is no memory for it.
    ///
    /// # Safety
    ///
    /// As for [`Site::names()`].
    pub unsafe fn copy(&self) -> Result<Origin, AllocError> {
        // SAFETY: The caller's promise.
        let Some((file, module)) = (unsafe { self.names() }) else {
            return Ok(Origin::None);
        };
        let mut kept = Kept {
            file: KVec::new(),
            module: KVec::new(),
        };
        alloc_hooks!(kept.file.extend_from_slice(file, GFP_KERNEL))?;
        let module = module.unwrap_or_default();
        alloc_hooks!(kept.module.extend_from_slice(module, GFP_KERNEL))?;
        Ok(Origin::Kept(alloc_hooks!(KBox::new(kept, GFP_KERNEL))?))
    }
}
