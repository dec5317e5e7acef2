//! Random samples and grids.

use batt_core::{Grid, Pair, Random, Value};
use batt_engine::Inputs;

/// The inputs of one run of a program, owned.
pub struct Sample {
    pub input: Value,
    pub demos: Value,
    pub candidate: Option<Value>,
}

impl Sample {
    pub fn inputs(&self) -> Inputs<'_> {
        Inputs { input: &self.input, demos: &self.demos, candidate: self.candidate.as_ref() }
    }

    /// A sample of random grids with sides of at most `max_side`; two in three have a candidate.
    pub fn random(rng: &mut Random, max_side: usize) -> Self {
        let demos: Vec<Pair> = (0..rng.below(4)).map(|_| Pair { input: grid(rng, max_side), output: grid(rng, max_side) }).collect();
        let candidate = (!rng.one_in(3)).then(|| Value::Grid(grid(rng, max_side)));
        Self { input: Value::Grid(grid(rng, max_side)), demos: Inputs::demos_of(&demos), candidate }
    }
}

/// A grid: noise, a few colours, rectangles and lines on a background, mirrored or tiled, with a separating row and column.
pub fn grid(rng: &mut Random, max_side: usize) -> Grid {
    let (height, width) = size(rng);
    let (height, width) = (height.min(max_side), width.min(max_side));
    let mut cells = vec![0i8; height * width];
    let palette = palette(rng);
    let background = *rng.pick(&palette);
    cells.fill(background);
    match rng.below(6) {
        0 => cells.iter_mut().for_each(|cell| *cell = *rng.pick(&palette)),
        1 => {
            for cell in &mut cells {
                if rng.one_in(6) {
                    *cell = *rng.pick(&palette);
                }
            }
        }
        2 => {}
        _ => draw(&mut cells, height, width, &palette, rng),
    }
    match rng.below(8) {
        0 => mirror(&mut cells, width),
        1 => tile(&mut cells, width, rng),
        2 => separate(&mut cells, height, width, &palette, rng),
        _ => {}
    }
    Grid::new(height, width, &cells).unwrap_or_else(|| unreachable!("the sides are 1 to 30"))
}

fn size(rng: &mut Random) -> (usize, usize) {
    let mut side = |low: i64, high: i64| rng.between(low, high) as usize;
    match side(0, 9) {
        0 => (1, side(1, 4)),
        1 => (side(1, 4), 1),
        2 => (side(1, 30), side(1, 30)),
        3 => {
            let n = side(1, 12);
            (n, n)
        }
        _ => (side(2, 12), side(2, 12)),
    }
}

fn palette(rng: &mut Random) -> Vec<i8> {
    let count = *rng.pick(&[1, 2, 2, 3, 3, 4, 10]);
    let first = if rng.one_in(2) { 0 } else { rng.below(10) as i8 };
    std::iter::once(first).chain((1..count).map(|_| rng.below(10) as i8)).collect()
}

/// Rectangles, frames, lines and dots.
fn draw(cells: &mut [i8], height: usize, width: usize, palette: &[i8], rng: &mut Random) {
    for _ in 0..rng.between(1, 6) {
        let colour = *rng.pick(palette);
        let (top, left) = (rng.below(height), rng.below(width));
        let (bottom, right) = match rng.below(4) {
            0 => (top, left),
            1 => (top, width - 1),
            2 => (height - 1, left),
            _ => ((top + rng.below(4)).min(height - 1), (left + rng.below(4)).min(width - 1)),
        };
        let hollow = rng.one_in(3);
        for i in top..=bottom {
            for j in left..=right {
                if !hollow || i == top || i == bottom || j == left || j == right {
                    cells[i * width + j] = colour;
                }
            }
        }
    }
}

fn mirror(cells: &mut [i8], width: usize) {
    for row in cells.chunks_exact_mut(width) {
        for j in 0..width / 2 {
            row[width - 1 - j] = row[j];
        }
    }
}

fn tile(cells: &mut [i8], width: usize, rng: &mut Random) {
    let (period_i, period_j) = (rng.between(1, 4) as usize, rng.between(1, 4) as usize);
    for k in 0..cells.len() {
        cells[k] = cells[(k / width) % period_i * width + (k % width) % period_j];
    }
}

/// A row and a column of one colour.
fn separate(cells: &mut [i8], height: usize, width: usize, palette: &[i8], rng: &mut Random) {
    let (row, column, colour) = (rng.below(height), rng.below(width), *rng.pick(palette));
    for (k, cell) in cells.iter_mut().enumerate() {
        if k / width == row || k % width == column {
            *cell = colour;
        }
    }
}
