// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The boot parameter `sysctl.vm.mem_profiling={0|1|never}[,compressed]`.

/// What the boot parameter asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boot {
    /// Profiling cannot be had before the next boot, and takes no memory for references.
    Never,
    /// Profiling can be had.
    Ready {
        /// Counts from the first page on.
        on: bool,
        /// Keeps the references of pages in their flags.
        compressed: bool,
    },
}

impl Boot {
    /// Reads the parameter's value as the C core does: `never` needs only to begin the value, and a switch is whatever
    /// the kernel's `kstrtobool()` takes for one.
    pub fn parse(value: &[u8]) -> Option<Self> {
        if value.starts_with(b"never") {
            return Some(Self::Never);
        }
        let (switch, compressed) = match value.iter().position(|&byte| byte == b',') {
            None => (value, false),
            Some(comma) if &value[comma + 1..] == b"compressed" => (&value[..comma], true),
            Some(_) => return None,
        };
        let on = switch_value(switch)?;
        Some(Self::Ready { on, compressed })
    }
}

/// The rule of `kstrtobool()` (`lib/kstrtox.c`): the first character decides, after an `o` the second.
fn switch_value(text: &[u8]) -> Option<bool> {
    match text {
        [b'y' | b'Y' | b't' | b'T' | b'1' | b'e' | b'E', ..] => Some(true),
        [b'n' | b'N' | b'f' | b'F' | b'0' | b'd' | b'D', ..] => Some(false),
        [b'o' | b'O', b'n' | b'N', ..] => Some(true),
        [b'o' | b'O', b'f' | b'F', ..] => Some(false),
        _ => None,
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_boot))]
mod tests {
    use super::*;

    #[test]
    fn every_documented_value_is_understood() {
        let table: [(&[u8], Boot); 6] = [
            (
                b"0",
                Boot::Ready {
                    on: false,
                    compressed: false,
                },
            ),
            (
                b"1",
                Boot::Ready {
                    on: true,
                    compressed: false,
                },
            ),
            (b"never", Boot::Never),
            (
                b"0,compressed",
                Boot::Ready {
                    on: false,
                    compressed: true,
                },
            ),
            (
                b"1,compressed",
                Boot::Ready {
                    on: true,
                    compressed: true,
                },
            ),
            (b"never,compressed", Boot::Never),
        ];
        for (value, boot) in table {
            assert_eq!(Boot::parse(value), Some(boot));
        }
    }

    #[test]
    fn words_for_a_switch_are_those_of_the_kernel() {
        for value in [b"on".as_slice(), b"yes", b"true", b"enable"] {
            assert_eq!(
                Boot::parse(value),
                Some(Boot::Ready {
                    on: true,
                    compressed: false
                })
            );
        }
        for value in [b"off".as_slice(), b"no", b"false", b"disable"] {
            assert_eq!(
                Boot::parse(value),
                Some(Boot::Ready {
                    on: false,
                    compressed: false
                })
            );
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for value in [
            b"".as_slice(),
            b"2",
            b"maybe",
            b"o",
            b"1,",
            b"1,compress",
            b"1,compressed,",
            b",compressed",
        ] {
            assert_eq!(Boot::parse(value), None);
        }
    }
}
