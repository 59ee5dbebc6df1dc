// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Makes events of their bytes, by the formats that the kernel has told.

use super::event::{cause, Actor, Event, Freed, Given, Memory, Place, Refusal, SiteId, Stall, What};
use super::format::{Field, Format};
use super::page::Record;
use super::sites::Sites;

/// Bits of `common_flags`: in a hard interrupt, a soft one, one that cannot be masked.
const INTERRUPT: u64 = 0x08 | 0x10 | 0x40;

/// Reads events of all kinds that are known.
#[derive(Debug)]
pub struct Decoder {
    kind: Field,
    flags: Field,
    task: Field,
    kinds: Vec<(u64, Kind)>,
}

/// How one kind of event is read.
#[derive(Debug)]
enum Kind {
    Alloc(Named, Located, Field),
    Free(Named, Located, Field),
    Fail(Named, [Field; 5]),
    Stall(Named, [Field; 2]),
}

/// The fields of the call site.
#[derive(Debug)]
struct Named {
    file: Field,
    function: Field,
    module: Field,
    line: Field,
}

/// The fields of the memory.
#[derive(Debug)]
struct Located {
    ptr: Field,
    pfn: Field,
    requested: Field,
    bytes: Field,
    order: Field,
    node: Field,
}

/// Why bytes are no event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecoded {
    /// It is of a kind that nobody asked for.
    Foreign,
    /// It is too short for its fields.
    Damaged,
}

impl Decoder {
    /// Prepares to read events of these formats. Those of other kinds of events are passed over.
    ///
    /// # Errors
    ///
    /// A field that is missing, or that there is no format at all.
    pub fn new(formats: &[Format]) -> Result<Decoder, String> {
        let first = formats.first().ok_or("there is no format of any event")?;
        let mut kinds = Vec::new();
        for format in formats {
            let kind = match format.name.as_str() {
                "alloc" => Kind::Alloc(Named::of(format)?, Located::of(format)?, format.field("gfp_flags")?.clone()),
                "free" => Kind::Free(Named::of(format)?, Located::of(format)?, format.field("call_site")?.clone()),
                "fail" => Kind::Fail(
                    Named::of(format)?,
                    several(format, ["bytes_req", "order", "gfp_flags", "injected", "again"])?,
                ),
                "stall" => Kind::Stall(Named::of(format)?, several(format, ["cause", "ns"])?),
                _ => continue,
            };
            kinds.push((format.id, kind));
        }
        // All events begin alike.
        let [kind, flags, task] = several(first, ["common_type", "common_flags", "common_pid"])?;
        Ok(Decoder { kind, flags, task, kinds })
    }

    /// Reads an event of a CPU; its call site is among `sites` then.
    ///
    /// # Errors
    ///
    /// If it is of another kind, or damaged.
    pub fn read(&self, record: &Record<'_>, cpu: u32, sites: &mut Sites) -> Result<Event, Undecoded> {
        let id = self.kind.number(record.event).ok_or(Undecoded::Damaged)?;
        let (_, kind) = self.kinds.iter().find(|(known, _)| *known == id).ok_or(Undecoded::Foreign)?;
        let what = kind.read(record.event, sites).ok_or(Undecoded::Damaged)?;
        let actor = self.actor(record.event).ok_or(Undecoded::Damaged)?;
        Ok(Event { time: record.time, cpu, actor, what })
    }

    fn actor(&self, event: &[u8]) -> Option<Actor> {
        if self.flags.number(event)? & INTERRUPT != 0 {
            return Some(Actor::Interrupt);
        }
        Some(Actor::Task(u32::try_from(self.task.number(event)?).ok()?))
    }
}

impl Kind {
    fn read(&self, event: &[u8], sites: &mut Sites) -> Option<What> {
        Some(match self {
            Kind::Alloc(named, located, gfp) => {
                let gfp = gfp.number(event)?;
                What::Alloc(located.read(event, named.read(event, sites)?)?, Given { gfp })
            }
            Kind::Free(named, located, by) => {
                let by = by.number(event)?;
                What::Free(located.read(event, named.read(event, sites)?)?, Freed { by })
            }
            Kind::Fail(named, [requested, order, gfp, injected, again]) => What::Fail(Refusal {
                site: named.read(event, sites)?,
                requested: requested.number(event)?,
                order: u32::try_from(order.number(event)?).ok()?,
                gfp: gfp.number(event)?,
                injected: injected.number(event)? != 0,
                again: again.number(event)? != 0,
            }),
            Kind::Stall(named, [number, ns]) => What::Stall(Stall {
                site: named.read(event, sites)?,
                cause: cause(number.number(event)?),
                ns: ns.number(event)?,
            }),
        })
    }
}

impl Named {
    fn of(format: &Format) -> Result<Named, String> {
        let [file, function, module, line] = several(format, ["file", "function", "module", "line"])?;
        Ok(Named { file, function, module, line })
    }

    fn read(&self, event: &[u8], sites: &mut Sites) -> Option<SiteId> {
        let line = u32::try_from(self.line.number(event)?).ok()?;
        let (file, func) = (self.file.text(event)?, self.function.text(event)?);
        Some(sites.intern(&file, line, &func, &self.module.text(event)?))
    }
}

impl Located {
    fn of(format: &Format) -> Result<Located, String> {
        let [ptr, pfn, requested, bytes, order, node] =
            several(format, ["ptr", "pfn", "bytes_req", "bytes_alloc", "order", "nid"])?;
        Ok(Located { ptr, pfn, requested, bytes, order, node })
    }

    fn read(&self, event: &[u8], site: SiteId) -> Option<Memory> {
        let place = match (self.ptr.number(event)?, self.pfn.number(event)?) {
            (0, pfn) => Place::Page(pfn),
            (ptr, _) => Place::Object(ptr),
        };
        Some(Memory {
            site,
            place,
            requested: self.requested.number(event)?,
            bytes: self.bytes.number(event)?,
            order: u32::try_from(self.order.number(event)?).ok()?,
            // It has a sign, and so no node is a number that is none.
            node: u32::try_from(self.node.number(event)?).ok(),
        })
    }
}

/// Fields of a format.
fn several<const N: usize>(format: &Format, names: [&str; N]) -> Result<[Field; N], String> {
    let mut fields = names.map(|_| Field::default());
    for (field, name) in fields.iter_mut().zip(names) {
        field.clone_from(format.field(name)?);
    }
    Ok(fields)
}

#[cfg(test)]
#[path = "decode/tests.rs"]
mod tests;
