// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Squarified treemaps (Bruls, Huizing, van Wijk 2000): areas in proportion, sides as equal as a greedy choice makes them.

/// A rectangle; lengths in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Rect {
    fn shorter(&self) -> f64 {
        self.width.min(self.height)
    }

    pub(super) fn area(&self) -> f64 {
        self.width.max(0.0) * self.height.max(0.0)
    }
}

/// Divides `room` among `weights`, which come with the largest first. What weighs nothing, or less, gets no area.
pub(super) fn divide(weights: &[f64], room: Rect) -> Vec<Rect> {
    let total: f64 = weights.iter().filter(|&&weight| weight > 0.0).sum();
    let nothing = Rect { width: 0.0, height: 0.0, ..room };
    if room.area() <= 0.0 || total <= 0.0 || !total.is_finite() {
        return vec![nothing; weights.len()];
    }
    let scale = room.area() / total;
    let areas: Vec<f64> = weights.iter().map(|weight| weight.max(0.0) * scale).collect();
    let (mut rects, mut rest, mut start) = (Vec::with_capacity(areas.len()), room, 0);
    while start < areas.len() {
        let end = row(&areas, start, rest.shorter());
        rest = place(&areas[start..end], rest, &mut rects);
        start = end;
    }
    rects
}

/// Where the row that begins at `start` ends: where one more would make its worst rectangle longer.
fn row(areas: &[f64], start: usize, side: f64) -> usize {
    let (mut sum, mut worst) = (areas[start], f64::INFINITY);
    let mut end = start + 1;
    while end < areas.len() {
        let now = worst_ratio(areas[start], areas[end - 1], sum, side);
        if now > worst {
            break;
        }
        worst = now;
        let next = worst_ratio(areas[start], areas[end], sum + areas[end], side);
        if next > worst || areas[end] <= 0.0 {
            break;
        }
        sum += areas[end];
        end += 1;
    }
    end
}

/// The longest of a row's rectangles, as the ratio of its sides.
fn worst_ratio(largest: f64, smallest: f64, sum: f64, side: f64) -> f64 {
    let (side, sum) = (side * side, sum * sum);
    (side * largest / sum).max(sum / (side * smallest))
}

/// Lays a row along the shorter side of `room`; returns what is left of it.
fn place(areas: &[f64], room: Rect, rects: &mut Vec<Rect>) -> Rect {
    let sum: f64 = areas.iter().sum();
    let upright = room.width >= room.height;
    let thickness = if room.shorter() > 0.0 { sum / room.shorter() } else { 0.0 };
    let mut at = if upright { room.y } else { room.x };
    for area in areas {
        let length = if thickness > 0.0 { area / thickness } else { 0.0 };
        rects.push(if upright {
            Rect { x: room.x, y: at, width: thickness, height: length }
        } else {
            Rect { x: at, y: room.y, width: length, height: thickness }
        });
        at += length;
    }
    if upright {
        Rect { x: room.x + thickness, width: (room.width - thickness).max(0.0), ..room }
    } else {
        Rect { y: room.y + thickness, height: (room.height - thickness).max(0.0), ..room }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: Rect = Rect { x: 0.0, y: 0.0, width: 6.0, height: 4.0 };

    #[test]
    fn the_papers_example_comes_out() {
        // Figure 3: areas 6, 6, 4, 3, 2, 2, 1 in a rectangle of 6 by 4.
        let rects = divide(&[6.0, 6.0, 4.0, 3.0, 2.0, 2.0, 1.0], ROOM);
        let corner = |rect: &Rect| (rect.x, rect.y, rect.width, rect.height);
        assert_eq!(corner(&rects[0]), (0.0, 0.0, 3.0, 2.0));
        assert_eq!(corner(&rects[1]), (0.0, 2.0, 3.0, 2.0));
        assert!((rects[2].width - 12.0 / 7.0).abs() < 1e-9 && (rects[2].height - 7.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn areas_are_in_proportion_and_nothing_sticks_out() {
        let weights: Vec<f64> = (1..500).rev().map(|weight| f64::from(weight).powi(3)).collect();
        let total: f64 = weights.iter().sum();
        let rects = divide(&weights, ROOM);
        assert_eq!(rects.len(), weights.len());
        for (rect, weight) in rects.iter().zip(&weights) {
            assert!((rect.area() - weight / total * ROOM.area()).abs() < 1e-9);
            assert!(rect.x > -1e-9 && rect.x + rect.width < 6.0 + 1e-6, "{rect:?}");
            assert!(rect.y > -1e-9 && rect.y + rect.height < 4.0 + 1e-6, "{rect:?}");
        }
    }

    #[test]
    fn nothing_and_less_than_nothing_take_no_room() {
        for weights in [&[][..], &[0.0], &[0.0, 0.0], &[-3.0], &[5.0, 0.0, -1.0], &[f64::MAX, f64::MAX]] {
            let rects = divide(weights, ROOM);
            assert_eq!(rects.len(), weights.len());
            let finite = |rect: &Rect| [rect.x, rect.y, rect.width, rect.height].iter().all(|side| side.is_finite());
            assert!(rects.iter().all(finite), "{weights:?}: {rects:?}");
        }
        assert_eq!(divide(&[5.0, 0.0], ROOM)[0].area(), ROOM.area());
        assert!(divide(&[1.0], Rect { width: 0.0, ..ROOM })[0].area() == 0.0);
    }
}
