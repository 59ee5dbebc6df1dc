// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Field numbers of `profile.proto`, by message.

pub(super) mod profile {
    pub(crate) const SAMPLE_TYPE: u64 = 1;
    pub(crate) const SAMPLE: u64 = 2;
    pub(crate) const MAPPING: u64 = 3;
    pub(crate) const LOCATION: u64 = 4;
    pub(crate) const FUNCTION: u64 = 5;
    pub(crate) const STRING_TABLE: u64 = 6;
    pub(crate) const TIME_NANOS: u64 = 9;
    pub(crate) const PERIOD_TYPE: u64 = 11;
    pub(crate) const PERIOD: u64 = 12;
    pub(crate) const COMMENT: u64 = 13;
    pub(crate) const DEFAULT_SAMPLE_TYPE: u64 = 14;
}
pub(super) mod value_type {
    pub(crate) const TYPE: u64 = 1;
    pub(crate) const UNIT: u64 = 2;
}
pub(super) mod sample {
    pub(crate) const LOCATION_ID: u64 = 1;
    pub(crate) const VALUE: u64 = 2;
    pub(crate) const LABEL: u64 = 3;
}
pub(super) mod label {
    pub(crate) const KEY: u64 = 1;
    pub(crate) const STR: u64 = 2;
}
pub(super) mod mapping {
    pub(crate) const ID: u64 = 1;
    pub(crate) const FILENAME: u64 = 5;
    pub(crate) const BUILD_ID: u64 = 6;
    pub(crate) const HAS_FUNCTIONS: u64 = 7;
    pub(crate) const HAS_FILENAMES: u64 = 8;
    pub(crate) const HAS_LINE_NUMBERS: u64 = 9;
    pub(crate) const HAS_INLINE_FRAMES: u64 = 10;
}
pub(super) mod location {
    pub(crate) const ID: u64 = 1;
    pub(crate) const MAPPING_ID: u64 = 2;
    pub(crate) const LINE: u64 = 4;
}
pub(super) mod line {
    pub(crate) const FUNCTION_ID: u64 = 1;
    pub(crate) const LINE: u64 = 2;
}
pub(super) mod function {
    pub(crate) const ID: u64 = 1;
    pub(crate) const NAME: u64 = 2;
    pub(crate) const SYSTEM_NAME: u64 = 3;
    pub(crate) const FILENAME: u64 = 4;
}
