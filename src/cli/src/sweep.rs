// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A sweep over call sites: a command is run once for each, with that one failing, and what comes of it is written down.
//!
//! A [`session`] learns which call sites the command touches and makes one [`trial`] after the other on a [`machine`]: that runs
//! the command ([`process`]), hears what the kernel says ([`said`]) and knows what is held once all is quiet. One is the running
//! [`kernel`], which a [`settler`] makes quiet. What is held more than before ([`growth`]) is part of what was [`found`]. The
//! [`journal`] keeps all that, so that a sweep goes on where it was stopped, be it by a crash of the kernel.

pub mod found;
pub mod growth;
pub mod journal;
pub mod kernel;
pub mod machine;
pub mod process;
pub mod said;
pub mod session;
pub mod settings;
pub mod settler;
pub mod trial;
