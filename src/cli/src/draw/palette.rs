// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Colours that black text can be read on and that the colour-blind can tell apart.

/// A colour: red, green, blue.
pub(super) type Rgb = [u8; 3];

/// Paul Tol's "light" scheme, made for filling labelled cells (https://sronpersonalpages.nl/~pault/).
const LIGHT: [Rgb; 8] = [
    [0x77, 0xaa, 0xdd],
    [0xee, 0x88, 0x66],
    [0xee, 0xdd, 0x88],
    [0x44, 0xbb, 0x99],
    [0xff, 0xaa, 0xbb],
    [0x99, 0xdd, 0xff],
    [0xbb, 0xcc, 0x33],
    [0xaa, 0xaa, 0x00],
];

/// That scheme's grey, for everything after the colours.
const GREY: Rgb = [0xdd, 0xdd, 0xdd];

/// The colour of the group of that rank.
pub(super) fn of_rank(rank: usize) -> Rgb {
    LIGHT.get(rank).copied().unwrap_or(GREY)
}

/// A colour brought towards white: by nothing at 0, wholly at 1.
pub(super) fn lighten(colour: Rgb, by: f64) -> Rgb {
    // CAST: between the colour's byte and 255.
    colour.map(|byte| (f64::from(byte) + (255.0 - f64::from(byte)) * by).round() as u8)
}

/// A colour as CSS has it.
pub(super) fn css(colour: Rgb) -> String {
    format!("#{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WCAG's relative luminance.
    fn luminance(colour: Rgb) -> f64 {
        let linear = colour.map(|byte| {
            let value = f64::from(byte) / 255.0;
            if value <= 0.03928 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    #[test]
    fn black_text_can_be_read_on_every_colour() {
        for rank in 0..10 {
            // 7:1 is what WCAG asks at its strictest level.
            assert!((luminance(of_rank(rank)) + 0.05) / 0.05 >= 7.0, "{rank}");
        }
    }

    #[test]
    fn colours_lighten_to_white() {
        assert_eq!(css(lighten(of_rank(0), 0.0)), "#77aadd");
        assert_eq!(css(lighten(of_rank(0), 1.0)), "#ffffff");
    }
}
