// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The pure model of Alloctag, built for the host.
