//! Outputs cell by cell: each cell's colour by the colours that one, two or three columns have there, as the demos tell it.

use batt_vision::Puzzle;

use crate::columns::{ColumnId, Columns};

/// For colours of columns the colour of the output; in order.
pub(crate) type Table = Vec<(Vec<u8>, u8)>;

const UNKNOWN: u8 = u8::MAX;
/// Columns of which all pairs are tried, and all triples: the cheapest.
const PAIRED: usize = 400;
const TRIPLED: usize = 50;
/// Layers that are looked at between looks at the clock.
const LOOKED: usize = 64;

/// A column of the outputs' size with its cells, demos first.
pub(crate) struct Layer {
    pub(crate) id: ColumnId,
    pub(crate) cost: u16,
    demos: Vec<u8>,
    tests: Vec<u8>,
}

impl Layer {
    pub(crate) fn new(id: ColumnId, columns: &Columns, demos: usize) -> Self {
        Self { id, cost: columns.column(id).cost, demos: columns.cells(id, 0..demos), tests: columns.cells(id, demos..columns.samples()) }
    }
}

/// The table that tells the outputs from some layers, if there is one and it knows all that the tests have.
fn table<const N: usize>(layers: [&Layer; N], outputs: &[u8], colours: &mut [u8]) -> Option<()> {
    let size = 10usize.pow(N as u32);
    colours[..size].fill(UNKNOWN);
    for (place, &output) in outputs.iter().enumerate() {
        let mut key = 0;
        for layer in layers {
            key = key * 10 + layer.demos[place] as usize;
        }
        let colour = &mut colours[key];
        if *colour == UNKNOWN {
            *colour = output;
        } else if *colour != output {
            return None;
        }
    }
    for place in 0..layers[0].tests.len() {
        let mut key = 0;
        for layer in layers {
            key = key * 10 + layer.tests[place] as usize;
        }
        if colours[key] == UNKNOWN {
            return None;
        }
    }
    Some(())
}

/// The demos, a bit each, of which the other demos tell everything.
fn foretold<const N: usize>(layers: [&Layer; N], ends: &[usize]) -> u32 {
    // For each key the demos that have it.
    let mut demos = vec![0u32; 10usize.pow(N as u32)];
    let key = |place: usize| layers.iter().fold(0, |key, layer| key * 10 + layer.demos[place] as usize);
    let mut start = 0;
    for (demo, &end) in ends.iter().enumerate() {
        (start..end).for_each(|place| demos[key(place)] |= 1 << demo);
        start = end;
    }
    let alone = demos.iter().filter(|demos| demos.is_power_of_two()).fold(0, |all, demos| all | demos);
    ((1 << ends.len()) - 1) & !alone
}

fn written<const N: usize>(colours: &[u8]) -> Table {
    let digits = |mut key: usize| {
        let mut cells = vec![0; N];
        for cell in cells.iter_mut().rev() {
            *cell = (key % 10) as u8;
            key /= 10;
        }
        cells
    };
    let size = 10usize.pow(N as u32);
    (0..size).filter(|&key| colours[key] != UNKNOWN).map(|key| (digits(key), colours[key])).collect()
}

/// All tables that tell the outputs from one to three of the cheapest layers, as far as `found` wants them, until it is late.
pub(crate) fn tables(layers: &[Layer], puzzle: &Puzzle, late: &dyn Fn() -> bool, mut found: impl FnMut(&[&Layer], Table, u32)) {
    let outputs: Vec<u8> = puzzle.outputs.cells().to_vec();
    let mut colours = vec![UNKNOWN; 1000];
    let ends: Vec<usize> = puzzle
        .outputs
        .frames()
        .iter()
        .scan(0, |end, frame| {
            *end += frame.area();
            Some(*end)
        })
        .collect();
    let mut alone = vec![false; layers.len()];
    for (k, layer) in layers.iter().enumerate() {
        if k.is_multiple_of(LOOKED) && late() {
            return;
        }
        if table([layer], &outputs, &mut colours).is_some() {
            alone[k] = true;
            found(&[layer], written::<1>(&colours), foretold([layer], &ends));
        }
    }
    let few = &layers[..layers.len().min(PAIRED)];
    let mut paired = vec![false; few.len()];
    for (k, second) in few.iter().enumerate() {
        if late() {
            return;
        }
        for (j, first) in few[..k].iter().enumerate() {
            if !alone[k] && !alone[j] && table([first, second], &outputs, &mut colours).is_some() {
                (paired[j], paired[k]) = (true, true);
                found(&[first, second], written::<2>(&colours), foretold([first, second], &ends));
            }
        }
    }
    let few = &layers[..layers.len().min(TRIPLED)];
    for (k, third) in few.iter().enumerate() {
        if late() {
            return;
        }
        for (j, second) in few[..k].iter().enumerate() {
            for (i, first) in few[..j].iter().enumerate() {
                let simpler = [i, j, k].into_iter().any(|place| alone[place] || paired[place]);
                if !simpler && table([first, second, third], &outputs, &mut colours).is_some() {
                    found(&[first, second, third], written::<3>(&colours), foretold([first, second, third], &ends));
                }
            }
        }
    }
}

/// Output of a table for some layers on a sample; background where it knows nothing.
pub(crate) fn looked_up(layers: &[ColumnId], table: &Table, columns: &Columns, sample: usize) -> Vec<u8> {
    let images: Vec<&[u8]> = layers.iter().map(|&id| columns.image(id, sample).cells).collect();
    let area = images.first().map_or(0, |cells| cells.len());
    (0..area)
        .map(|place| {
            let cells: Vec<u8> = images.iter().map(|cells| cells[place]).collect();
            table.binary_search_by(|(key, _)| key.cmp(&cells)).map_or(0, |row| table[row].1)
        })
        .collect()
}
