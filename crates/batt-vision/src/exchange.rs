//! Another background: operations take 0 for background, so that colour and 0 change places before them, and back after them.

use crate::image::COLOURS;

/// Background and 0 exchanged; twice is not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    ground: u8,
}

impl Exchange {
    /// For a background.
    pub const fn of_ground(ground: u8) -> Self {
        Self { ground }
    }

    /// The colour that takes the place of a colour.
    #[inline]
    pub const fn of(self, colour: u8) -> u8 {
        if colour == self.ground {
            0
        } else if colour == 0 {
            self.ground
        } else {
            colour
        }
    }

    /// For each colour the one that takes its place.
    pub fn map(self) -> [u8; COLOURS] {
        std::array::from_fn(|colour| self.of(colour as u8))
    }
}
