// SPDX-License-Identifier: GPL-2.0-only

//! Where a call site of Rust code is described: in its location while that exists, in a copy after
//! the location's module has gone.

use super::{
    module::{self, Module},
    spin::Guard,
    symbol::Name,
};
use crate::model::chain::Hash;
use core::{cell::UnsafeCell, panic::Location, ptr::NonNull};
#[cfg(CONFIG_ALLOCTAG_EVENTS)]
use kernel::sync::rcu;
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

/// The names of a call site whose module has gone, but for its function.
pub struct Kept {
    file: KVec<u8>,
    module: KVec<u8>,
}

/// The hash of a location's line.
pub fn line_hash(location: &Location<'_>) -> Hash {
    Hash::of(location.file().as_bytes()).with(location.line().into())
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

    /// Whether there is a row to show of it.
    pub fn is_shown(&self) -> bool {
        match self {
            Self::Here { own, .. } => *own,
            Self::Kept(_) | Self::Lost => true,
            Self::None => false,
        }
    }

    /// The hash of the row that this is part of: that of its line, and the module.
    pub fn row_hash(&self, line: Hash) -> Hash {
        let module = match self {
            Self::Here {
                module: Some(module),
                ..
            } => module.addr().get(),
            _ => 0,
        };
        line.with(module as u64)
    }
}

/// The names of one row.
pub struct Names<'a> {
    /// The source file.
    pub file: &'a [u8],
    /// The module, if it is not built in.
    pub module: Option<&'a [u8]>,
    /// The function.
    pub function: &'a [u8],
}

/// What a place says of its call site.
struct Description {
    origin: Origin,
    function: Name,
}

/// The description of one place's call site.
///
/// # Invariants
///
/// Written by holders of the lock only, and only while nobody reads: either no key leads to the
/// place yet, or the list of sections is held for writing. A location that is named exists.
///
/// Who reads under RCU reads the function alone while there is a location, and the rest once its key says that
/// this has gone. A copy is written before that is said, and whoever may have found it is waited for before it goes.
pub struct Site(UnsafeCell<Description>);

// SAFETY: By the type's invariant, writers and readers keep out of each other's way.
unsafe impl Sync for Site {}

impl Site {
    /// No call site.
    pub const fn new() -> Self {
        // INVARIANT: It names no location.
        Self(UnsafeCell::new(Description {
            origin: Origin::None,
            function: Name::EMPTY,
        }))
    }

    /// Describes a call site.
    ///
    /// # Safety
    ///
    /// As the type's invariant says.
    pub unsafe fn describe(&self, _guard: &Guard, origin: Origin, function: Name) {
        // SAFETY: Nobody else looks, by the caller's promise.
        let before = unsafe { self.0.get().replace(Description { origin, function }) };
        // A place without a key has nothing to drop; with the lock held it must not.
        core::mem::forget(before);
    }

    /// Replaces what is known of the call site and returns what was; the function stays.
    ///
    /// # Safety
    ///
    /// As the type's invariant says.
    pub unsafe fn replace(&self, _guard: &Guard, origin: Origin) -> Origin {
        // SAFETY: In bounds, and nobody else looks, by the caller's promise.
        unsafe { (&raw mut (*self.0.get()).origin).replace(origin) }
    }

    /// What is known of the call site.
    ///
    /// # Safety
    ///
    /// The caller found a key in the place and holds the list of sections, or holds the lock.
    unsafe fn description(&self) -> &Description {
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
        match (unsafe { &self.description().origin }, other) {
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

    /// The hash of the row that the call site is part of, while its location exists.
    ///
    /// # Safety
    ///
    /// As for [`Site::names()`].
    pub unsafe fn row_hash(&self) -> Option<Hash> {
        // SAFETY: The caller's promise.
        let origin = unsafe { &self.description().origin };
        let Origin::Here { location, .. } = origin else {
            return None;
        };
        // SAFETY: It exists, by the type's invariant.
        Some(origin.row_hash(line_hash(unsafe { &**location })))
    }

    /// Whether the location is that module's.
    ///
    /// # Safety
    ///
    /// As for [`Site::names()`].
    pub unsafe fn is_in(&self, gone: &Module) -> bool {
        // SAFETY: The caller's promise.
        match unsafe { &self.description().origin } {
            Origin::Here {
                module: Some(module),
                ..
            } => module.addr().get() == gone.address(),
            _ => false,
        }
    }

    /// The names of the call site, if it has a row of its own.
    ///
    /// # Safety
    ///
    /// The caller found a key in the place and holds the list of sections, or holds the lock; or it found under RCU that
    /// a copy is kept there, and uses the names within the same critical section.
    pub unsafe fn names(&self) -> Option<Names<'_>> {
        // SAFETY: The caller's promise.
        let description = unsafe { self.description() };
        let (file, module) = match &description.origin {
            Origin::Here {
                location,
                module,
                own: true,
            } => {
                // SAFETY: The location exists, and its module with it.
                unsafe {
                    (
                        (**location).file().as_bytes(),
                        module.map(|module| Module::from_raw(module.as_ptr()).into_name()),
                    )
                }
            }
            Origin::Kept(kept) => (&*kept.file, Some(&*kept.module)),
            Origin::Lost => (&b"(unloaded)"[..], None),
            _ => return None,
        };
        Some(Names {
            file,
            module,
            function: description.function.as_bytes(),
        })
    }

    /// The names of the call site, by the address of its location, for who does not have the list.
    ///
    /// # Safety
    ///
    /// The address is that of a location that stays as long as the guard; it was found in the place, which is not taken
    /// anew meanwhile.
    #[cfg(CONFIG_ALLOCTAG_EVENTS)]
    pub unsafe fn names_at<'a>(&self, location: usize, _guard: &'a rcu::Guard) -> Names<'a> {
        // SAFETY: By the caller's promise. What it was is told once, when it is found.
        let location: &'a Location<'static> =
            unsafe { &*core::ptr::with_exposed_provenance(location) };
        // SAFETY: In bounds; it is written before the place is found, and not before it is taken anew. It is part of a static
        // table.
        let function: &'a Name = unsafe { &(*self.0.get()).function };
        Names {
            file: location.file().as_bytes(),
            // SAFETY: By the guard the module stays.
            module: unsafe {
                module::containing(core::ptr::from_ref(location).addr())
                    .map(|module| Module::from_raw(module.as_ptr()).into_name())
            },
            function: function.as_bytes(),
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
        let Some(names) = (unsafe { self.names() }) else {
            return Ok(Origin::None);
        };
        let mut kept = Kept {
            file: KVec::new(),
            module: KVec::new(),
        };
        alloc_hooks!(kept.file.extend_from_slice(names.file, GFP_KERNEL))?;
        let module = names.module.unwrap_or_default();
        alloc_hooks!(kept.module.extend_from_slice(module, GFP_KERNEL))?;
        Ok(Origin::Kept(alloc_hooks!(KBox::new(kept, GFP_KERNEL))?))
    }
}
