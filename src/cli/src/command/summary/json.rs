// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The summary for programs.

use std::io::{self, Write};

use serde_json::{json, Value};

use super::doubts::Doubts;
use super::growth;
use super::page::Page;
use crate::model::{Backing, Profile};
use crate::render::json::{head, objects};

pub(super) fn write(page: &Page<'_>, before: Option<&Profile>, out: &mut dyn Write) -> io::Result<()> {
    let mut object = head("alloctag.summary/1");
    let whole = page.profile.totals();
    object.insert("meta".into(), json!(page.profile.meta));
    object.insert("totals".into(), json!(whole.sites));
    for kind in Backing::ALL {
        object.insert(format!("backing_{}", json!(kind).as_str().unwrap_or_default()), json!(whole.backing(kind)));
    }
    for list in page.lists() {
        object.insert(list.name.into(), page.with_list(list, |table| objects(&table)));
    }
    object.insert("growth".into(), before.map_or(Value::Null, |before| grown(page, before)));
    object.insert("doubts".into(), json!(Doubts::of(page.profile)));
    serde_json::to_writer_pretty(&mut *out, &object)?;
    writeln!(out)
}

fn grown(page: &Page<'_>, before: &Profile) -> Value {
    let growth = growth::Growth::between(before, page.profile);
    json!({
        "since": before.meta,
        "other_boot": growth.other_boot,
        "bytes": growth.bytes,
        "rows": objects(&growth.table(page.limit)),
    })
}
