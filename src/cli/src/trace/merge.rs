// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Puts the events of all CPUs in the order of their time.
//!
//! Each CPU's are in order, and those of one may be read long before those of another. So events are held back until all that
//! came before them have been read.

use super::event::Event;

/// Events that are held back.
#[derive(Debug, Default)]
pub struct Merge {
    held: Vec<Event>,
}

impl Merge {
    /// Takes an event.
    pub fn push(&mut self, event: Event) {
        self.held.push(event);
    }

    /// Gives out, in order, the events from before `time`: all of these have been read.
    pub fn until(&mut self, time: u64) -> impl Iterator<Item = Event> + '_ {
        // Stable: what one CPU did within one tick of the clock stays as it was.
        self.held.sort_by_key(|event| event.time);
        let end = self.held.partition_point(|event| event.time < time);
        self.held.drain(..end)
    }

    /// Gives out the rest.
    pub fn rest(&mut self) -> impl Iterator<Item = Event> + '_ {
        self.held.sort_by_key(|event| event.time);
        self.held.drain(..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::event::{Actor, What};
    use crate::trace::page::Lost;

    fn event(time: u64, cpu: u32) -> Event {
        Event { time, cpu, actor: Actor::Interrupt, what: What::Lost(Lost::Some) }
    }

    fn order(events: impl Iterator<Item = Event>) -> Vec<(u64, u32)> {
        events.map(|event| (event.time, event.cpu)).collect()
    }

    #[test]
    fn events_come_in_the_order_of_their_time_and_none_before_its_turn() {
        let mut merge = Merge::default();
        for (time, cpu) in [(1, 0), (5, 0), (9, 0), (2, 1), (5, 1)] {
            merge.push(event(time, cpu));
        }
        assert_eq!(order(merge.until(5)), [(1, 0), (2, 1)]);
        assert_eq!(order(merge.until(5)), []);
        // What one CPU did at the same time stays as it was.
        merge.push(event(5, 2));
        assert_eq!(order(merge.until(6)), [(5, 0), (5, 1), (5, 2)]);
        merge.push(event(7, 2));
        assert_eq!(order(merge.rest()), [(7, 2), (9, 0)]);
        assert_eq!(order(merge.rest()), []);
    }
}
