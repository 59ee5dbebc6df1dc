// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a narrow terminal shows of a table: which columns, how wide, and which part of a name that is too long.
//!
//! Whole columns go before a name is cut, in an order that each table has for its own. (Crates for tables wrap or cut cells,
//! all columns of them alike.)

/// Which end of a text goes where there is no room for all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Directories in front: the file, its line and what follows stay.
    Front,
    /// What comes last.
    Back,
}

/// What a column takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// Characters of its widest cell.
    pub most: usize,
    /// Characters that other columns are given up for: of all cells but for a few long ones.
    pub usual: usize,
    /// Characters that are some use. The same as `most` where nothing can be cut.
    pub least: usize,
    /// How early it is given up; 0 for never.
    pub spare: u8,
}

impl Wish {
    /// A column that is shown whole or not at all.
    pub const fn whole(width: usize, spare: u8) -> Wish {
        Wish { most: width, usual: width, least: width, spare }
    }
}

/// The width of each column on `room` characters with `gap` between two; `None` for those that are given up.
pub fn fit(wishes: &[Wish], gap: usize, room: usize) -> Vec<Option<usize>> {
    let mut stay = vec![true; wishes.len()];
    let width = |stay: &[bool], of: fn(&Wish) -> usize| {
        let widths = wishes.iter().zip(stay).filter(|(_, stay)| **stay).map(|(wish, _)| of(wish) + gap);
        widths.sum::<usize>().saturating_sub(gap)
    };
    let mut spare: Vec<usize> = (0..wishes.len()).filter(|&place| wishes[place].spare > 0).collect();
    spare.sort_unstable_by_key(|&place| (wishes[place].spare, place));
    for &place in spare.iter().rev() {
        if width(&stay, |wish| wish.usual) <= room {
            break;
        }
        stay[place] = false;
    }
    // A wide column that went last may have left room for a narrow one that went before.
    for place in spare {
        if !stay[place] {
            stay[place] = true;
            stay[place] = width(&stay, |wish| wish.usual) <= room;
        }
    }
    let mut over = width(&stay, |wish| wish.most).saturating_sub(room);
    let widths = wishes.iter().zip(stay).map(|(wish, stay)| {
        let less = if stay { over.min(wish.most - wish.least) } else { 0 };
        over -= less;
        stay.then_some(wish.most - less)
    });
    widths.collect()
}

/// Of every twenty cells, one may be longer than what other columns are given up for.
const LONG: usize = 20;

/// The usual width among `widths`.
pub fn usual(mut widths: Vec<usize>) -> usize {
    let place = widths.len().saturating_sub(1 + widths.len() / LONG);
    match widths.is_empty() {
        true => 0,
        false => *widths.select_nth_unstable(place).1,
    }
}

/// What a cell wants of a terminal that has `room` for it when all that can be spared is given up: all of it, or, where that
/// is too much, all but its directories, without which it has to do in any case.
pub fn wanted(text: &str, room: usize, end: End) -> usize {
    let length = text.chars().count();
    if length <= room {
        return length;
    }
    let path = &text[..text.find(' ').unwrap_or(text.len())];
    match path.rfind('/').filter(|_| end == End::Front) {
        Some(at) => text[at..].chars().count() + 1,
        None => room,
    }
}

/// A text of at most `width` characters: whole, or without one of its ends.
pub fn shorten(text: &str, width: usize, end: End, unicode: bool) -> String {
    let length = text.chars().count();
    if length <= width {
        return text.to_owned();
    }
    let mark = if unicode { "…" } else { ".." };
    let room = width.saturating_sub(mark.chars().count());
    // The path is the first word.
    let path = &text[..text.find(' ').unwrap_or(text.len())];
    let slashes = || path.match_indices('/').map(|(at, _)| at).filter(|_| end == End::Front);
    if let Some(at) = slashes().find(|&at| text[at..].chars().count() <= room) {
        return format!("{mark}{}", &text[at..]);
    }
    let name = slashes().next_back().map_or(text, |at| &text[at + 1..]);
    if name.chars().count() <= width {
        return name.to_owned();
    }
    name.chars().take(room).chain(mark.chars()).take(width).collect()
}

#[cfg(test)]
#[path = "fit/tests.rs"]
mod tests;
