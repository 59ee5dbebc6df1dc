// SPDX-License-Identifier: GPL-2.0-only OR MIT

#![no_main]

#[path = "../../../src/cli/tests/properties/trace.rs"]
#[allow(dead_code)]
mod checks;

libfuzzer_sys::fuzz_target!(|input: &[u8]| checks::format(input));
