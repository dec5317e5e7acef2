//! Layouts: images made of blocks, each a source under one of the eight symmetries, blank, or inverted, as a table says.

use batt_vision::roles::{colour, is_role};
use batt_vision::{COLOURS, Ground, Image, MAX_SIDE, kinds, turn};

/// The code of a blank block; those below are the eight symmetries.
pub(crate) const BLANK: u8 = 8;
/// The code of a block whose background and other cells are exchanged.
pub(crate) const INVERTED: u8 = 9;

kinds! {
    /// What the cells of a table say.
    Cells {
        /// The source turned, inverted or blank, by the code.
        Codes,
        /// The source in this colour; background for a blank block.
        Colours,
        /// The part of the source at the same place, in this colour.
        OfParts,
    }
}

/// How blocks are chosen and separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Layout {
    /// Meaning of the table's cells.
    pub cells: Cells,
    /// The number of lines between blocks.
    pub gap: u8,
    /// The number of lines around all blocks.
    pub border: u8,
    /// The colour of these lines, or its role in the source.
    pub colour: u8,
}

impl Layout {
    /// From four numbers.
    pub(crate) fn from_numbers([cells, gap, border, colour]: [i64; 4]) -> Option<Self> {
        let small = |number: i64, most: u8| u8::try_from(number).ok().filter(|&number| number <= most);
        let cells = Cells::from_number(cells)?;
        Some(Self {
            cells,
            gap: small(gap, 3)?,
            border: small(border, 3)?,
            colour: small(colour, u8::MAX).filter(|&colour| usize::from(colour) < COLOURS || is_role(colour))?,
        })
    }

    /// The parameters as numbers.
    pub(crate) const fn numbers(self) -> [u8; 4] {
        [self.cells as u8, self.gap, self.border, self.colour]
    }

    /// The side of as many blocks.
    pub(crate) const fn side(self, blocks: usize, block: usize) -> usize {
        blocks * block + blocks.saturating_sub(1) * self.gap as usize + 2 * self.border as usize
    }

    /// Where a block begins.
    pub(crate) const fn start(self, number: usize, block: usize) -> usize {
        self.border as usize + number * (block + self.gap as usize)
    }
}

/// A block of a code, or `None` where a transposed source would have another size.
pub(crate) fn block_of(source: Image<'_>, ground: u8, code: u8) -> Option<Vec<u8>> {
    let (height, width) = (source.height(), source.width());
    match code {
        0..BLANK => {
            if code & 4 != 0 && height != width {
                return None;
            }
            let mut cells = vec![0; height * width];
            for (place, &cell) in source.cells.iter().enumerate() {
                let (row, column) = turn(code, ((place / width) as i32, (place % width) as i32), (height as i32, width as i32));
                cells[row as usize * width + column as usize] = cell;
            }
            Some(cells)
        }
        BLANK => Some(vec![ground; height * width]),
        INVERTED => {
            let counts = source.counts();
            let main = (0..COLOURS as u8).filter(|&colour| colour != ground).rev().max_by_key(|&colour| counts[colour as usize])?;
            Some(source.cells.iter().map(|&cell| if cell == ground { main } else { ground }).collect())
        }
        _ => None,
    }
}

/// The source in one colour, blank for background.
pub(crate) fn block_in_colour(source: Image<'_>, ground: u8, colour: u8) -> Vec<u8> {
    source.cells.iter().map(|&cell| if cell == ground { ground } else { colour }).collect()
}

/// A block of the source for every cell of the table. `None` if a code is none, or the image would be too large.
pub(crate) fn layout_rule(source: Image<'_>, table: Image<'_>, ground: Ground, layout: Layout) -> Option<(usize, usize, Vec<u8>)> {
    if layout.cells == Cells::OfParts {
        return in_parts(source, table, ground.of(source));
    }
    let (rows, columns) = (source.height(), source.width());
    let (height, width) = (layout.side(table.height(), rows), layout.side(table.width(), columns));
    if height > MAX_SIDE || width > MAX_SIDE {
        return None;
    }
    let ground = ground.of(source);
    let mut blocks: [Option<Vec<u8>>; COLOURS] = Default::default();
    let mut cells = vec![colour(layout.colour, source, Ground::Colour(ground))?; height * width];
    for (number, &which) in table.cells.iter().enumerate() {
        if blocks[which as usize].is_none() {
            blocks[which as usize] =
                if layout.cells == Cells::Colours { Some(block_in_colour(source, ground, which)) } else { block_of(source, ground, which) };
        }
        let block = blocks[which as usize].as_ref()?;
        let top = layout.start(number / table.width(), rows);
        let left = layout.start(number % table.width(), columns);
        for (row, line) in block.chunks_exact(columns).enumerate() {
            let start = (top + row) * width + left;
            cells[start..start + columns].copy_from_slice(line);
        }
    }
    Some((height, width, cells))
}

/// The source with each of as many equal parts as the table has cells in the colour of its cell.
fn in_parts(source: Image<'_>, table: Image<'_>, ground: u8) -> Option<(usize, usize, Vec<u8>)> {
    let (height, width) = (source.height(), source.width());
    if height % table.height() != 0 || width % table.width() != 0 {
        return None;
    }
    let (rows, columns) = (height / table.height(), width / table.width());
    let coloured = |(place, &cell): (usize, &u8)| {
        if cell == ground { ground } else { table.at(place / width / rows, place % width / columns) }
    };
    Some((height, width, source.cells.iter().enumerate().map(coloured).collect()))
}
