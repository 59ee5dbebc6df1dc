// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Which part of a table of words belongs to which memory.
//!
//! The table has a word for every page frame that there could be, in virtual memory; behind a word is memory only where
//! behind its page frame is. What is told here is which of the table's pages that makes, and which of these a huge page
//! can stand for.

use core::{mem::size_of, ops::Range};

/// Page frames of one node, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames {
    /// Their numbers.
    pub numbers: Range<usize>,
    /// The node.
    pub node: i32,
}

impl Frames {
    /// These and those that follow, if nothing is between them and they are of the same node.
    pub fn join(&self, next: &Self) -> Option<Self> {
        let adjoin = self.numbers.end == next.numbers.start && self.node == next.node;
        adjoin.then_some(Self {
            numbers: self.numbers.start..next.numbers.end,
            node: self.node,
        })
    }
}

/// Bytes of a word, of a page, and of a huge page.
pub const WORD: usize = size_of::<u32>();
/// See [`WORD`].
pub const PAGE: usize = 4 << 10;
/// See [`WORD`].
pub const HUGE_PAGE: usize = 2 << 20;

/// The pages that hold the words of these page frames, as offsets into the table. The first and the last may hold words
/// of others.
pub const fn pages(frames: &Range<usize>) -> Range<usize> {
    let start = frames.start * WORD / PAGE * PAGE;
    let end = (frames.end * WORD).next_multiple_of(PAGE);
    start..end
}

/// Those of them that make up huge pages, without words of others; an empty range at the end where there are none.
pub const fn huge_pages(frames: &Range<usize>) -> Range<usize> {
    let start = (frames.start * WORD).next_multiple_of(HUGE_PAGE);
    let end = frames.end * WORD / HUGE_PAGE * HUGE_PAGE;
    if start < end {
        return start..end;
    }
    let end = pages(frames).end;
    end..end
}

/// The offsets of the huge pages that hold the words of all these page frames, whosever else's they hold.
pub const fn around(frames: &Range<usize>) -> Range<usize> {
    let start = frames.start * WORD / HUGE_PAGE * HUGE_PAGE;
    let end = (frames.end * WORD).next_multiple_of(HUGE_PAGE);
    start..end
}

/// The huge page that an offset lies in.
pub const fn huge_page_of(offset: usize) -> Range<usize> {
    let start = offset / HUGE_PAGE * HUGE_PAGE;
    start..start + HUGE_PAGE
}

/// The page frames whose words lie at these offsets.
pub const fn frames(offsets: &Range<usize>) -> Range<usize> {
    offsets.start / WORD..offsets.end / WORD
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_extent))]
mod tests {
    use super::*;

    /// Page frames whose words are a page.
    const FEW: usize = 1024;
    /// Page frames whose words are a huge page.
    const MANY: usize = 512 * 1024;

    #[test]
    fn the_pages_of_memory_are_those_that_its_words_touch() {
        // First frame, the one behind the last, first page, the one behind the last.
        let table = [
            (0, 0, 0, 0),
            (0, 1, 0, 1),
            (1, FEW, 0, 1),
            (1, FEW + 1, 0, 2),
            (FEW - 1, FEW, 0, 1),
            (FEW - 1, FEW + 1, 0, 2),
            (FEW, 2 * FEW, 1, 2),
            (MANY, 2 * MANY, 512, 1024),
        ];
        for (start, end, first, last) in table {
            assert_eq!(pages(&(start..end)), first * PAGE..last * PAGE);
        }
    }

    #[test]
    fn huge_pages_hold_no_words_of_others() {
        // First frame, the one behind the last, first huge page, the one behind the last.
        let table = [
            (0, MANY, 0, 1),
            (0, MANY + 1, 0, 1),
            (0, 2 * MANY - 1, 0, 1),
            (0, 2 * MANY, 0, 2),
            (1, 2 * MANY, 1, 2),
            (MANY - 1, 3 * MANY + 1, 1, 3),
        ];
        for (start, end, first, last) in table {
            let huge = first * HUGE_PAGE..last * HUGE_PAGE;
            assert_eq!(huge_pages(&(start..end)), huge);
        }
    }

    #[test]
    fn less_than_a_huge_page_of_words_leaves_all_to_pages() {
        let table = [(0, 0), (0, 1), (0, MANY - 1), (1, MANY), (1, 2 * MANY - 1)];
        for (start, end) in table {
            let (pages, huge) = (pages(&(start..end)), huge_pages(&(start..end)));
            assert_eq!((huge.start, huge.end), (pages.end, pages.end));
        }
    }

    #[test]
    fn a_table_begins_and_ends_with_a_huge_page() {
        // First frame, the one behind the last, first huge page, the one behind the last.
        let table = [
            (0, 1, 0, 1),
            (0, MANY, 0, 1),
            (MANY - 1, MANY + 1, 0, 2),
            (MANY, 2 * MANY, 1, 2),
            (MANY / 2, 5 * MANY / 2, 0, 3),
        ];
        for (start, end, first, last) in table {
            let whole = first * HUGE_PAGE..last * HUGE_PAGE;
            assert_eq!(around(&(start..end)), whole);
        }
    }

    #[test]
    fn what_holds_the_words_of_memory_holds_them_all() {
        for start in [0, 1, FEW - 1, FEW, MANY - 1, MANY, 5 * MANY + 7] {
            for frames in [1, 2, FEW, FEW + 1, MANY, 3 * MANY + 5] {
                let memory = start..start + frames;
                let held = super::frames(&pages(&memory));
                assert!(held.start <= memory.start && held.end >= memory.end);
                assert!(memory.start - held.start < FEW && held.end - memory.end < FEW);
                let huge = super::frames(&huge_pages(&memory));
                assert!(huge.is_empty() || (memory.start <= huge.start && huge.end <= memory.end));
            }
        }
    }

    #[test]
    fn an_offset_lies_in_one_huge_page() {
        let table = [(0, 0), (0x1f_f000, 0), (HUGE_PAGE, 1), (0x3f_ffff, 1)];
        for (offset, number) in table {
            let huge = number * HUGE_PAGE..(number + 1) * HUGE_PAGE;
            assert_eq!(huge_page_of(offset), huge);
        }
    }

    #[test]
    fn memory_joins_what_it_adjoins_on_the_same_node() {
        let one = |numbers, node| Frames { numbers, node };
        assert_eq!(one(0..4, 0).join(&one(4..9, 0)), Some(one(0..9, 0)));
        assert_eq!(one(0..4, 0).join(&one(4..9, 1)), None);
        assert_eq!(one(0..4, 0).join(&one(5..9, 0)), None);
        assert_eq!(one(0..4, 0).join(&one(3..9, 0)), None);
    }
}
