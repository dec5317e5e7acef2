//! Cache of image properties that many operations need, such as components: computed once for an image that is called often.
//!
//! Whoever calls many operations on the same images says so by [`Work::attend`]. Everybody else pays nothing and gets the same.

use crate::bits::{self, Digits, Rows};
use crate::image::{COLOURS, Frame, Image, MAX_SIDE, Work, most_common};
use crate::operations::shapes::Joining;

/// The most images that something is known of: those of a batch, and of a few lists.
const MOST: usize = 512;

/// Cached properties of one image.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// Where its cells are: what tells images apart while their memory is in use.
    address: usize,
    cells: usize,
    /// How often each colour occurs.
    counts: Option<[u32; COLOURS]>,
    /// The planes that are known, a bit each.
    known_planes: u16,
    /// For each colour a word of bits for each row; for background the cells of all other colours.
    planes: Vec<u64>,
    /// The colours of each row in binary, if they are known.
    digits: Vec<Digits>,
    /// For each joining its components.
    components: [Components; 4],
}

/// The components of an image, in the order of their first cells.
#[derive(Debug, Default)]
pub(crate) struct Components {
    is_known: bool,
    parts: Vec<(Frame, u8)>,
    /// A word of bits for each row of the box of each component.
    rows: Vec<u64>,
}

impl Facts {
    fn forget(&mut self) {
        (self.address, self.cells, self.counts, self.known_planes) = (0, 0, None, 0);
        self.digits.clear();
        for components in &mut self.components {
            components.is_known = false;
        }
    }

    fn is_of(&self, image: Image<'_>) -> bool {
        (self.address, self.cells) == (image.cells.as_ptr() as usize, image.cells.len())
    }

    /// The cells of a colour, row by row; for background those of all other colours.
    fn plane(&mut self, image: Image<'_>, colour: u8) -> &[u64] {
        let height = image.height();
        let range = colour as usize * height..(colour as usize + 1) * height;
        if self.known_planes >> colour & 1 == 0 {
            self.known_planes |= 1 << colour;
            if self.planes.len() < COLOURS * height {
                self.planes.resize(COLOURS * height, 0);
            }
            bits::plane_rows(image, colour, &mut self.planes[range.clone()]);
        }
        &self.planes[range]
    }

    /// Finds the components of an image that are joined in a way.
    fn find_components(&mut self, image: Image<'_>, joining: Joining) {
        let mut found = std::mem::take(&mut self.components[joining.number()]);
        found.is_known = true;
        found.parts.clear();
        found.rows.clear();
        let mut parts = bits::Parts::of(self.plane(image, 0), joining.ways == 8);
        while let Some(first) = parts.first() {
            let colour = image.at(first.0, first.1);
            let frame = parts.take(first, self.plane(image, if joining.one_colour { colour } else { 0 }));
            found.parts.push((frame, colour));
            found.rows.extend_from_slice(&parts.taken()[bits::span(frame)]);
        }
        self.components[joining.number()] = found;
    }
}

impl Work {
    /// Says that operations will be called on an image again and again. Its memory must neither change nor be used for something else as long
    /// as this is worked with; what operations find out about the image is kept.
    pub fn attend(&mut self, image: Image<'_>) {
        if self.facts.is_empty() {
            self.facts.resize_with(MOST, || None);
        }
        let address = image.cells.as_ptr() as usize;
        // Images lie one after the other in memory: any bits of a product by an odd number tell them apart.
        self.attended = 1 + (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) % (MOST - 1);
        let facts = self.facts[self.attended].get_or_insert_default();
        if !facts.is_of(image) {
            facts.forget();
            (facts.address, facts.cells) = (address, image.cells.len());
        }
    }

    /// Takes what is known of an image; [`Self::put_facts`] puts it back. Of an image that nobody attends to nothing is known.
    fn take_facts(&mut self, image: Image<'_>) -> (usize, Box<Facts>) {
        if self.facts.is_empty() {
            self.facts.push(None);
        }
        let place = self.attended;
        if let Some(facts) = self.facts[place].take_if(|facts| place > 0 && facts.is_of(image)) {
            return (place, facts);
        }
        let mut facts = self.facts[0].take().unwrap_or_default();
        facts.forget();
        (0, facts)
    }

    fn put_facts(&mut self, (place, facts): (usize, Box<Facts>)) {
        self.facts[place] = Some(facts);
    }

    /// Cached properties of an image that is attended to.
    fn known(&mut self, image: Image<'_>) -> Option<&mut Facts> {
        let place = self.attended;
        self.facts.get_mut(place)?.as_deref_mut().filter(|facts| place > 0 && facts.is_of(image))
    }

    /// How often each colour occurs.
    pub(crate) fn counts(&mut self, image: Image<'_>) -> [u32; COLOURS] {
        self.known(image).map_or_else(|| image.counts(), |facts| *facts.counts.get_or_insert_with(|| image.counts()))
    }

    /// The most common colour but background, see [`Image::majority`].
    pub(crate) fn majority(&mut self, image: Image<'_>) -> u8 {
        most_common(&self.counts(image))
    }

    /// Copies the cells of a colour, for background those of all other colours.
    pub(crate) fn plane(&mut self, image: Image<'_>, colour: u8, rows: &mut Rows) {
        let height = image.height();
        match self.known(image) {
            Some(facts) => rows[..height].copy_from_slice(facts.plane(image, colour)),
            None => bits::plane_rows(image, colour, &mut rows[..height]),
        }
    }

    /// Copies the colours of each row in binary.
    pub(crate) fn digits(&mut self, image: Image<'_>, rows: &mut [Digits; MAX_SIDE]) {
        let height = image.height();
        match self.known(image) {
            Some(facts) => {
                if facts.digits.is_empty() {
                    facts.digits.resize(height, [0; 4]);
                    bits::digit_rows(image, &mut facts.digits);
                }
                rows[..height].copy_from_slice(&facts.digits);
            }
            None => bits::digit_rows(image, &mut rows[..height]),
        }
    }

    /// Calls `each` with the cells and the box of every component of cells but background, in the order of their first cells, and the colour
    /// of the first cell.
    pub(crate) fn components(&mut self, image: Image<'_>, joining: Joining, mut each: impl FnMut(&mut Self, &Rows, Frame, u8)) {
        let (place, mut facts) = self.take_facts(image);
        if !facts.components[joining.number()].is_known {
            facts.find_components(image, joining);
        }
        let Components { parts, rows, .. } = &facts.components[joining.number()];
        let (mut set, mut start) = (bits::NONE, 0);
        for &(frame, colour) in parts {
            let end = start + frame.height as usize;
            set[bits::span(frame)].copy_from_slice(&rows[start..end]);
            each(self, &set, frame, colour);
            set[bits::span(frame)].fill(0);
            start = end;
        }
        self.put_facts((place, facts));
    }
}
