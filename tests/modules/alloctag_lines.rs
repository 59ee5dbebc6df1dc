// SPDX-License-Identifier: GPL-2.0-only

//! Allocates known amounts on known lines while `/dev/alloctag-lines` is open.
//!
//! `row: SIZE+SIZE… FUNCTION` at the end of a line says what `/proc/allocinfo` is to show of that
//! line: for each allocation its size class, or how many pages and a `p`, or the bytes that are asked
//! of vmalloc() and a `v`; `tests/selftests/lines.sh` compares. Functions are not inlined, for their
//! names' sake. What vmalloc() has is pages, each a call, and a list of them.

use kernel::{
    alloc::{KVVec, KVec},
    alloc_hooks, alloc_hooks_tag,
    alloc_tag::RecordedTag,
    fs::File,
    impl_has_hr_timer,
    miscdevice::{MiscDevice, MiscDeviceOptions, MiscDeviceRegistration},
    new_mutex,
    page::Page,
    prelude::*,
    rbtree::RBTree,
    str::CString,
    sync::{
        atomic::{Acquire, Atomic, Release},
        Arc, ArcBorrow, Mutex, UniqueArc,
    },
    time::{
        delay::udelay,
        hrtimer::{
            ArcHrTimerHandle, HasHrTimer, HrTimer, HrTimerCallback, HrTimerCallbackContext,
            HrTimerPointer, HrTimerRestart, RelativeMode,
        },
        Delta, Monotonic,
    },
};

module! {
    type: Lines,
    name: "alloctag_lines",
    authors: ["Alloctag's developers"],
    description: "Known allocations on known lines of Rust",
    license: "GPL",
}

#[pin_data]
struct Lines {
    #[pin]
    _device: MiscDeviceRegistration<Held>,
}

impl kernel::InPlaceModule for Lines {
    fn init(_module: &'static ThisModule) -> impl PinInit<Self, Error> {
        try_pin_init!(Self {
            _device <- MiscDeviceRegistration::register(MiscDeviceOptions {
                name: c"alloctag-lines",
            }),
        })
    }
}

/// What an open file holds; dropped with it.
struct Held {
    _boxes: Boxes,
    _vectors: Vectors,
    _shared: Shared,
    _hooked: Hooked,
    _interrupted: Interrupted,
}

#[vtable]
impl MiscDevice for Held {
    type Ptr = KBox<Self>;

    fn open(_file: &File, _device: &MiscDeviceRegistration<Self>) -> Result<KBox<Self>> {
        let held = Held {
            _boxes: Boxes::new()?,
            _vectors: Vectors::new()?,
            _shared: Shared::new()?,
            _hooked: Hooked::new()?,
            _interrupted: Interrupted::new()?,
        };
        Ok(KBox::new(held, GFP_KERNEL)?) // row: 512 Held::open
    }
}

struct Boxes {
    _value: KBox<[u8; 100]>,
    _zeroed: KBox<[u64; 32]>,
    _uninit: KBox<core::mem::MaybeUninit<[u8; 3000]>>,
    _locked: Pin<KBox<Mutex<[u8; 600]>>>,
    _virtual: VBox<core::mem::MaybeUninit<[u8; 8192]>>,
    _either: KVBox<core::mem::MaybeUninit<[u8; 64]>>,
    _page: Page,
    _string: CString,
}

impl Boxes {
    #[inline(never)]
    fn new() -> Result<Self> {
        Ok(Self {
            _value: KBox::new([1; 100], GFP_KERNEL)?, // row: 128 Boxes::new
            _zeroed: KBox::zeroed(GFP_KERNEL)?,       // row: 256 Boxes::new
            _uninit: KBox::new_uninit(GFP_KERNEL)?,   // row: 4096 Boxes::new
            _locked: KBox::pin_init(new_mutex!([0; 600]), GFP_KERNEL)?, // row: 1024 Boxes::new
            _virtual: VBox::new_uninit(GFP_KERNEL)?,  // row: 8192v Boxes::new
            _either: KVBox::new_uninit(GFP_KERNEL)?,  // row: 64 Boxes::new
            _page: Page::alloc_page(GFP_KERNEL)?,     // row: 1p Boxes::new
            _string: CString::try_from_fmt(fmt!("{:>40}", "forty"))?, // row: 64 Boxes::new
        })
    }
}

struct Vectors {
    _room: KVec<u64>,
    _pushed: KVec<u8>,
    _copied: KVVec<u8>,
    _filled: KVec<u32>,
    _tree: RBTree<u64, u64>,
}

impl Vectors {
    #[inline(never)]
    fn new() -> Result<Self> {
        let room = KVec::with_capacity(64, GFP_KERNEL)?; // row: 512 Vectors::new
        let mut pushed = KVec::new();
        for byte in 0..100 {
            pushed.push(byte, GFP_KERNEL)?; // row: 128 Vectors::new
        }
        let mut copied = KVVec::new();
        copied.extend_from_slice(&[7; 700], GFP_KERNEL)?; // row: 1024 Vectors::new
        let filled = KVec::from_elem(9, 40, GFP_KERNEL)?; // row: 192 Vectors::new
        let mut tree = RBTree::new();
        for key in 0..3 {
            tree.try_create_and_insert(key, key, GFP_KERNEL)?; // row: 64+64+64 Vectors::new
        }
        Ok(Self {
            _room: room,
            _pushed: pushed,
            _copied: copied,
            _filled: filled,
            _tree: tree,
        })
    }
}

struct Shared {
    _value: Arc<[u8; 1000]>,
    _unique: UniqueArc<[u8; 20]>,
    _second: Arc<[u8; 1000]>,
}

impl Shared {
    #[inline(never)]
    fn new() -> Result<Self> {
        let value = Arc::new([0; 1000], GFP_KERNEL)?; // row: 1024 Shared::new
        let unique = UniqueArc::new([0; 20], GFP_KERNEL)?; // row: 32 Shared::new
        Ok(Self {
            _second: value.clone(),
            _value: value,
            _unique: unique,
        })
    }
}

/// A list that charges its memory to whoever made it.
struct Owned {
    items: KVec<KBox<u64>>,
    tag: RecordedTag,
}

impl Owned {
    fn new() -> Self {
        Self {
            items: KVec::new(),
            tag: RecordedTag::new(),
        }
    }

    #[inline(never)]
    fn push(&mut self, item: u64) -> Result {
        let boxed = alloc_hooks_tag!(&self.tag, KBox::new(item, GFP_KERNEL))?; // row: 8 Owned::push
        alloc_hooks_tag!(&self.tag, self.items.push(boxed, GFP_KERNEL))?; // row: 8 Owned::push
        Ok(())
    }
}

struct Hooked {
    _pair: (KBox<u64>, KBox<[u64; 4]>),
    _generic: KBox<[u16; 500]>,
    _closure: KBox<u32>,
    _inner: (KBox<u64>, KBox<u64>),
    _owned: Owned,
    _second: Owned,
    _unowned: Owned,
    _after: KBox<u64>,
}

fn pair() -> Result<(KBox<u64>, KBox<[u64; 4]>)> {
    Ok((KBox::new(1, GFP_KERNEL)?, KBox::new([2; 4], GFP_KERNEL)?))
}

/// Whoever covers this has the first box, and not the second.
fn nested() -> Result<(KBox<u64>, KBox<u64>)> {
    let first = KBox::new(1, GFP_KERNEL)?;
    let second = alloc_hooks!(KBox::new(2, GFP_KERNEL))?; // row: 8 alloctag_lines::nested
    Ok((first, second))
}

fn generic<T: Copy>(value: T) -> Result<KBox<[T; 500]>> {
    Ok(alloc_hooks!(KBox::new([value; 500], GFP_KERNEL)?)) // row: 1024 alloctag_lines::generic
}

/// Leaves an `alloc_hooks!` by each way out; afterwards there may be no current tag.
fn escape(ways: usize) -> Option<usize> {
    for way in 0..ways {
        #[rustfmt::skip]
        alloc_hooks!(if way == 1 { continue }); // row: none alloctag_lines::escape
        #[rustfmt::skip]
        alloc_hooks!(if way == 2 { break }); // row: none alloctag_lines::escape
    }
    #[rustfmt::skip]
    alloc_hooks!(if ways == 3 { return Some(0) }); // row: none alloctag_lines::escape
    alloc_hooks!(None?) // row: none alloctag_lines::escape
}

impl Hooked {
    #[inline(never)]
    fn new() -> Result<Self> {
        let pair = alloc_hooks!(pair())?; // row: 8+32 Hooked::new
        let generic = generic(5)?;
        let closure = || alloc_hooks!(KBox::new(7, GFP_KERNEL)); // row: 8 Hooked::new
        let closure = closure()?;
        let inner = alloc_hooks!(nested())?; // row: 8 Hooked::new
        let mut owned = alloc_hooks!(Owned::new()); // row: 8+8+8+32 Hooked::new
        let mut second = alloc_hooks!(Owned::new()); // row: 8+8 Hooked::new
        for item in 0..3 {
            owned.push(item)?;
        }
        second.push(0)?;
        let (Some(0), None) = (escape(3), escape(4)) else {
            return Err(EINVAL);
        };
        // Made without a current tag: the lines that push are charged.
        let mut unowned = Owned::new();
        unowned.push(0)?;
        let after = KBox::new(8, GFP_KERNEL)?; // row: 8 Hooked::new
        Ok(Self {
            _pair: pair,
            _generic: generic,
            _closure: closure,
            _inner: inner,
            _owned: owned,
            _second: second,
            _unowned: unowned,
            _after: after,
        })
    }
}

/// A timer whose interrupt allocates.
#[pin_data(PinnedDrop)]
struct Timer {
    #[pin]
    timer: HrTimer<Self>,
    /// The address of what it has allocated, 0 before.
    object: Atomic<usize>,
}

impl_has_hr_timer! {
    impl HasHrTimer<Self> for Timer {
        mode: RelativeMode<Monotonic>, field: self.timer
    }
}

impl HrTimerCallback for Timer {
    type Pointer<'a> = Arc<Self>;

    #[inline(never)]
    fn run(
        this: ArcBorrow<'_, Self>,
        _context: HrTimerCallbackContext<'_, Self>,
    ) -> HrTimerRestart {
        let object = KBox::new([3_u8; 200], GFP_ATOMIC); // row: 256 Timer::run
        if let Ok(object) = object {
            this.object.store(KBox::into_raw(object) as usize, Release);
        }
        HrTimerRestart::NoRestart
    }
}

#[pinned_drop]
impl PinnedDrop for Timer {
    fn drop(self: Pin<&mut Self>) {
        let object = self.object.load(Acquire) as *mut [u8; 200];
        if !object.is_null() {
            // SAFETY: `run()` has made a box of it, and nobody else takes it up.
            drop(unsafe { KBox::from_raw(object) });
        }
    }
}

/// What an interrupt allocates while a tag is the current one is not the tag's; what comes after it is.
struct Interrupted {
    _after: KBox<u64>,
    _timer: ArcHrTimerHandle<Timer>,
}

impl Interrupted {
    /// How often to look whether the interrupt has come, and how long to wait in between: together
    /// ten seconds, for an emulator may be kept from its clock.
    const LOOKS: usize = 100_000;
    const PAUSE: Delta = Delta::from_micros(100);

    #[inline(never)]
    fn new() -> Result<Self> {
        let timer = pin_init!(Timer { timer <- HrTimer::new(), object: Atomic::new(0) });
        let timer = Arc::pin_init(timer, GFP_KERNEL)?; // row: 96 Interrupted::new
        let wait = || {
            let handle = timer.clone().start(Delta::from_millis(1));
            for _ in 0..Self::LOOKS {
                if timer.object.load(Acquire) != 0 {
                    return Ok((handle, KBox::new(4, GFP_KERNEL)?));
                }
                udelay(Self::PAUSE);
            }
            Err(ETIMEDOUT)
        };
        let (handle, after) = alloc_hooks!(wait())?; // row: 8 Interrupted::new
        Ok(Self {
            _after: after,
            _timer: handle,
        })
    }
}
