// SPDX-License-Identifier: GPL-2.0-only

//! What something that lives is charged to: the account of its call site, and one of its contexts where it has one.

use super::lifetimes;
use crate::{
    model::{handle::Handle, load::Load},
    platform::{
        contexts::Context,
        counters::{self, Counted, Place},
        followed::Followed,
    },
};

/// An account, and one of its contexts, perhaps; and what is followed that is charged there.
#[derive(Clone, Copy)]
pub struct Account<'a> {
    kept: Handle,
    place: Place,
    context: Option<Context<'a>>,
    followed: Option<Followed>,
}

impl<'a> Account<'a> {
    /// That of something which lives, by what it keeps.
    #[inline(always)]
    pub fn of(kept: Handle) -> Self {
        match Context::of(kept) {
            Some(context) => Self::with(kept, Some(context), None),
            None => Self::without_context(kept),
        }
    }

    /// The same of a handle that is no context's.
    #[inline(always)]
    fn without_context(kept: Handle) -> Self {
        match Followed::of(kept) {
            Some(followed) => {
                let kept = followed.kept();
                Self::with(kept, Context::of(kept), Some(followed))
            }
            None => Self::with(kept, None, None),
        }
    }

    #[inline(always)]
    fn with(kept: Handle, context: Option<Context<'a>>, followed: Option<Followed>) -> Self {
        Self {
            kept,
            place: context.map_or_else(|| Place::of(kept), Context::account),
            context,
            followed,
        }
    }

    /// The account of the call site.
    #[cfg(CONFIG_ALLOCTAG_EVENTS)]
    pub fn site(self) -> Handle {
        self.context.map_or(self.kept, Context::site)
    }

    /// What is left of an object is to keep that: it is followed on, if it was.
    pub fn go_on(self, kept: Handle) -> Handle {
        self.followed.map_or(kept, |followed| {
            followed.keep(kept);
            followed.handle()
        })
    }

    /// Whether what it is charged to stands for others.
    pub fn is_sampled(self) -> bool {
        self.context.is_some_and(Context::is_sampled)
    }

    /// What one of the parts keeps of an object that is split. Where it stood for others, a part does so by itself, or else goes
    /// back to the call site.
    pub fn part(self, whole: usize, part: usize) -> Handle {
        match self.context {
            Some(context)
                if context.is_sampled()
                    && !context.give_part(Load::of(whole, 0), Load::of(part, 0)) =>
            {
                context.site()
            }
            _ => self.kept,
        }
    }

    /// An object of `bytes` bytes has become so many more, all of which have got what they keep.
    pub fn split(self, bytes: usize, more: usize) {
        counters::add_calls(self.place, more);
        match self.context {
            Some(context) if context.is_sampled() => context.take(Load::of(bytes, 0)),
            Some(context) => context.multiply(more as u64),
            None => {}
        }
    }

    /// An object of `whole` bytes lives on with fewer.
    pub fn shrink(self, whole: usize, bytes: usize) {
        counters::sub_bytes(self.place, whole.wrapping_sub(bytes));
        if let Some(context) = self.context {
            context.shrink(Load::of(whole, 0), Load::of(bytes, 0));
        }
    }

    /// Of an object of `bytes` bytes that lives on, so much is slack and so much was.
    pub fn change_slack(self, bytes: usize, now: usize, before: usize) {
        counters::change_slack(self.place, now, before);
        if let Some(context) = self.context {
            context.change_slack(Load::of(bytes, now), Load::of(bytes, before));
        }
    }

    /// Takes one object away that was never given to anybody.
    #[cfg(CONFIG_ALLOCTAG_STATS)]
    pub fn undo(self, bytes: usize, slack: usize) {
        if let Some(followed) = self.followed {
            lifetimes::undo(followed);
        }
        counters::undo(self.place, bytes, slack);
        if let Some(context) = self.context {
            context.undo(Load::of(bytes, slack));
        }
    }
}

impl Counted for Account<'_> {
    #[inline(always)]
    fn sub(self, bytes: usize, slack: Option<usize>) {
        if self.followed.is_some() {
            return self.sub_followed(bytes, slack);
        }
        self.sub_plain(bytes, slack);
    }
}

impl Account<'_> {
    #[inline(always)]
    fn sub_plain(self, bytes: usize, slack: Option<usize>) {
        self.place.sub(bytes, slack);
        if let Some(context) = self.context {
            context.take(Load::of(bytes, slack.unwrap_or(0)));
        }
    }

    /// Out of the way of others, which need to save no registers.
    #[cold]
    #[inline(never)]
    fn sub_followed(self, bytes: usize, slack: Option<usize>) {
        if let Some(followed) = self.followed {
            // Before the account may be another call site's.
            lifetimes::end(followed);
        }
        self.sub_plain(bytes, slack);
    }
}
