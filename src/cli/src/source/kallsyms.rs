// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Which function an address in the kernel's code lies in, by `/proc/kallsyms`:
//!
//! ```text
//! ffffffff81000000 T _stext
//! ffffffffc0001000 t nvme_probe<tab>[nvme]
//! ```

/// How far the last function of a module may reach, of which nobody says where it ends.
const PAGE: u64 = 4096;

/// The functions, the first address first.
#[derive(Debug, Default)]
pub struct Symbols(Vec<Symbol>);

#[derive(Debug)]
struct Symbol {
    address: u64,
    name: Box<str>,
    module: Option<Box<str>>,
}

impl Symbols {
    /// Reads the text; lines that name no function are passed over, and so are those that do not say where it is, of which a
    /// kernel has no others for who may not know.
    pub fn parse(text: &str) -> Symbols {
        let mut symbols: Vec<Symbol> = text.lines().filter_map(Symbol::parse).collect();
        // Of several names the kernel takes the first one.
        symbols.sort_by_key(|symbol| symbol.address);
        symbols.dedup_by_key(|symbol| symbol.address);
        Symbols(symbols)
    }

    /// The function at an address: `function+0xoffset`, and ` [module]` if it is one's.
    pub fn at(&self, address: u64) -> Option<String> {
        let next = self.0.partition_point(|symbol| symbol.address <= address);
        let symbol = self.0.get(next.checked_sub(1)?)?;
        let offset = address - symbol.address;
        let follows = self.0.get(next).is_some_and(|next| next.module == symbol.module);
        if !follows && offset >= PAGE {
            return None;
        }
        let module = symbol.module.as_ref().map(|module| format!(" [{module}]")).unwrap_or_default();
        Some(format!("{}+{offset:#x}{module}", symbol.name))
    }
}

impl Symbol {
    fn parse(line: &str) -> Option<Symbol> {
        let mut words = line.split_ascii_whitespace();
        let address = u64::from_str_radix(words.next()?, 16).ok().filter(|address| *address != 0)?;
        let kind = words.next()?;
        if !matches!(kind, "t" | "T" | "w" | "W") {
            return None;
        }
        let name = words.next()?.into();
        let module = words.next().and_then(|module| module.strip_prefix('[')?.strip_suffix(']')).map(Into::into);
        Some(Symbol { address, name, module })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
ffffffff81000100 t second
0000000000000000 A fixed_percpu_data
ffffffff81000000 T first
ffffffff81000000 T alias_of_first
ffffffff81000180 D some_data
ffffffff81000200 W third
no line
ffffffffc0001000 t begin\t[m]
ffffffffc0001040 t end\t[m]
ffffffffc0009000 t other\t[n]
";

    #[test]
    fn an_address_lies_in_the_function_before_it() {
        let symbols = Symbols::parse(TEXT);
        for (address, expected) in [
            (0xffff_ffff_80ff_ffff, None),
            (0xffff_ffff_8100_0000, Some("first+0x0")),
            (0xffff_ffff_8100_00ff, Some("first+0xff")),
            (0xffff_ffff_8100_0190, Some("second+0x90")),
            (0xffff_ffff_8100_0300, Some("third+0x100")),
            // Behind the kernel's last one, and behind that of a module, there is something else.
            (0xffff_ffff_c000_0fff, None),
            (0xffff_ffff_c000_1010, Some("begin+0x10 [m]")),
            (0xffff_ffff_c000_203f, Some("end+0xfff [m]")),
            (0xffff_ffff_c000_2040, None),
            (0xffff_ffff_c000_9001, Some("other+0x1 [n]")),
            (u64::MAX, None),
        ] {
            assert_eq!(symbols.at(address).as_deref(), expected, "{address:#x}");
        }
    }

    #[test]
    fn whom_the_kernel_does_not_tell_addresses_knows_no_function() {
        let hidden = TEXT.replace("ffffffff", "00000000").replace("81000", "00000").replace("c000", "0000");
        let hidden: String =
            hidden.lines().map(|line| format!("0000000000000000{}\n", &line[16.min(line.len())..])).collect();
        assert_eq!(Symbols::parse(&hidden).at(0xffff_ffff_8100_0000), None);
        assert_eq!(Symbols::default().at(1), None);
    }
}
