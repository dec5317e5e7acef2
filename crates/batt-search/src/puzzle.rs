//! A task as search sees it: images, and no output of a test.

use batt_vision::{COLOURS, Frame, Images};

/// The inputs of demos and tests, and the outputs of the demos.
#[derive(Clone, Debug, Default)]
pub(crate) struct Puzzle {
    /// The inputs, those of the demos first.
    pub(crate) inputs: Images,
    /// The outputs of the demos.
    pub(crate) outputs: Images,
}

impl Puzzle {
    /// The number of demos and tests.
    pub(crate) fn samples(&self) -> usize {
        self.inputs.len()
    }

    /// The number of demos.
    pub(crate) fn demos(&self) -> usize {
        self.outputs.len()
    }

    /// Adds an input; those of the demos first. `false` if it is no image: empty, too large, or of more than ten colours.
    pub(crate) fn add_input(&mut self, height: usize, width: usize, cells: &[i8]) -> bool {
        add(&mut self.inputs, height, width, cells)
    }

    /// Adds the output of the next demo.
    pub(crate) fn add_output(&mut self, height: usize, width: usize, cells: &[i8]) -> bool {
        add(&mut self.outputs, height, width, cells)
    }

    /// The same with each sample's colours exchanged.
    #[must_use]
    pub(crate) fn recoloured(&self, maps: &[[u8; COLOURS]]) -> Self {
        let recolour = |images: &Images| {
            let mut recoloured = Images::default();
            for (image, map) in images.iter().zip(maps) {
                if let Some(cells) = recoloured.add(image.frame) {
                    cells.iter_mut().zip(image.cells).for_each(|(cell, &from)| *cell = map[from as usize]);
                }
            }
            recoloured
        };
        Self { inputs: recolour(&self.inputs), outputs: recolour(&self.outputs) }
    }
}

fn add(images: &mut Images, height: usize, width: usize, cells: &[i8]) -> bool {
    let coloured = cells.iter().all(|&cell| (0..COLOURS as i8).contains(&cell));
    let Some(to) = coloured.then(|| images.add(Frame::at_origin(height, width))).flatten() else { return false };
    to.iter_mut().zip(cells).for_each(|(cell, &from)| *cell = from as u8);
    true
}
