//! Which form should a set of locations have? Three candidates on what real programs do with patches:
//!
//! - `packed`: one `u32` a location, ascending, in one allocation (the form in use);
//! - `bit_rows`: a bounding box and one `u64` a row, the form that suits a GPU;
//! - `general`: a sorted list of values, each a tuple of two integers, as a direct translation of the reference has it.
//!
//! It was run as a benchmark of `batt-core`; `summary.md` has the figures.

use std::sync::Arc;

use batt_core::{Grid, Packed, Value};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// Side of the grid and one in how many cells is set: the median grid, a large one, and a sparse large one.
const CASES: [(usize, u64); 3] = [(10, 3), (30, 3), (30, 20)];

fn grid((side, one_in): (usize, u64)) -> Grid {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    Grid::build(side, side, |cells| cells.iter_mut().for_each(|cell| *cell = i8::from(next() % one_in == 0)))
        .unwrap_or_else(|| unreachable!())
}

trait Form: Sized + Clone + PartialEq + Sync {
    fn of_colour(grid: &Grid, colour: i8) -> Self;
    fn bounds(&self) -> (i32, i32, i32, i32);
    fn shifted(&self, di: i32, dj: i32) -> Self;
    fn union(&self, other: &Self) -> Self;
    fn filled(&self, grid: &Grid, colour: i8) -> Grid;
    /// Visits every location as a call of a function value would see it, and keeps some.
    fn filtered(&self, keep: impl Fn(&Value) -> bool) -> Self;
}

#[derive(Clone, PartialEq)]
struct PackedForm(Arc<[Packed]>);

impl Form for PackedForm {
    fn of_colour(grid: &Grid, colour: i8) -> Self {
        let mut found = Vec::new();
        for (i, row) in grid.rows().enumerate() {
            for (j, &cell) in row.iter().enumerate() {
                if cell == colour {
                    found.push(Packed::location_unchecked(i as i32, j as i32));
                }
            }
        }
        Self(found.into())
    }

    fn bounds(&self) -> (i32, i32, i32, i32) {
        let (mut left, mut right) = (i32::MAX, i32::MIN);
        for p in &*self.0 {
            left = left.min(p.j());
            right = right.max(p.j());
        }
        (self.0[0].i(), self.0[self.0.len() - 1].i(), left, right)
    }

    fn shifted(&self, di: i32, dj: i32) -> Self {
        let offset = Packed::displacement(di, dj);
        Self(self.0.iter().map(|p| Packed(p.0.wrapping_add(offset))).collect())
    }

    fn union(&self, other: &Self) -> Self {
        let mut all = [&*self.0, &*other.0].concat();
        all.sort();
        all.dedup();
        Self(all.into())
    }

    fn filled(&self, grid: &Grid, colour: i8) -> Grid {
        let (height, width) = (grid.height() as u32, grid.width() as u32);
        grid.modified(|cells| {
            for p in &*self.0 {
                if (p.i() as u32) < height && (p.j() as u32) < width {
                    cells[(p.i() as u32 * width + p.j() as u32) as usize] = colour;
                }
            }
        })
    }

    fn filtered(&self, keep: impl Fn(&Value) -> bool) -> Self {
        Self(self.0.iter().copied().filter(|p| keep(&Value::Pair(p.i(), p.j()))).collect())
    }
}

#[derive(Clone, PartialEq)]
struct BitRows {
    top: i32,
    left: i32,
    rows: Arc<[u64]>,
}

impl BitRows {
    /// Puts the origin at the upper left corner, so that equal sets are equal values.
    fn normal(top: i32, left: i32, rows: &[u64]) -> Self {
        let any = rows.iter().fold(0, |all, row| all | row);
        let first = rows.iter().position(|&row| row != 0).unwrap_or(0);
        let last = rows.iter().rposition(|&row| row != 0).map_or(0, |k| k + 1);
        let skip = if any == 0 { 0 } else { any.trailing_zeros() };
        Self { top: top + first as i32, left: left + skip as i32, rows: rows[first..last].iter().map(|row| row >> skip).collect() }
    }
}

impl Form for BitRows {
    fn of_colour(grid: &Grid, colour: i8) -> Self {
        let rows: Vec<u64> =
            grid.rows().map(|row| row.iter().enumerate().fold(0, |bits, (j, &cell)| bits | u64::from(cell == colour) << j)).collect();
        Self::normal(0, 0, &rows)
    }

    fn bounds(&self) -> (i32, i32, i32, i32) {
        let any = self.rows.iter().fold(0, |all, row| all | row);
        (self.top, self.top + self.rows.len() as i32 - 1, self.left, self.left + 63 - any.leading_zeros() as i32)
    }

    fn shifted(&self, di: i32, dj: i32) -> Self {
        Self { top: self.top + di, left: self.left + dj, rows: Arc::clone(&self.rows) }
    }

    fn union(&self, other: &Self) -> Self {
        let (top, left) = (self.top.min(other.top), self.left.min(other.left));
        let bottom = (self.top + self.rows.len() as i32).max(other.top + other.rows.len() as i32);
        let mut rows = vec![0; (bottom - top) as usize];
        for part in [self, other] {
            for (row, bits) in rows[(part.top - top) as usize..].iter_mut().zip(&*part.rows) {
                *row |= bits << (part.left - left);
            }
        }
        Self::normal(top, left, &rows)
    }

    fn filled(&self, grid: &Grid, colour: i8) -> Grid {
        let (height, width) = (grid.height() as i32, grid.width() as i32);
        grid.modified(|cells| {
            for (i, &bits) in (self.top..).zip(&*self.rows) {
                let mut bits = bits;
                while bits != 0 && (0..height).contains(&i) {
                    let j = self.left + bits.trailing_zeros() as i32;
                    if (0..width).contains(&j) {
                        cells[(i * width + j) as usize] = colour;
                    }
                    bits &= bits - 1;
                }
            }
        })
    }

    fn filtered(&self, keep: impl Fn(&Value) -> bool) -> Self {
        let mut rows = Vec::with_capacity(self.rows.len());
        for (i, &bits) in (self.top..).zip(&*self.rows) {
            let (mut bits, mut kept) = (bits, 0);
            while bits != 0 {
                let lowest = bits & bits.wrapping_neg();
                if keep(&Value::Pair(i, self.left + lowest.trailing_zeros() as i32)) {
                    kept |= lowest;
                }
                bits ^= lowest;
            }
            rows.push(kept);
        }
        Self::normal(self.top, self.left, &rows)
    }
}

/// Added to rows: a pair of integers that fit 32 bits has a form of its own, and no other can be made.
const FAR: i64 = 1 << 40;

/// What a location is when nothing is packed: a shared tuple of two integers.
fn boxed(i: i64, j: i64) -> Value {
    Value::pair(FAR + i, j)
}

fn unboxed(value: &Value) -> (i32, i32) {
    let (i, j) = value.as_pair().unwrap_or((FAR, 0));
    ((i - FAR) as i32, j as i32)
}

#[derive(Clone, PartialEq)]
struct General(Arc<[Value]>);

impl Form for General {
    fn of_colour(grid: &Grid, colour: i8) -> Self {
        let rows = grid.rows().enumerate();
        let places = rows.flat_map(|(i, row)| row.iter().enumerate().filter(|&(_, &cell)| cell == colour).map(move |(j, _)| (i, j)));
        Self(places.map(|(i, j)| boxed(i as i64, j as i64)).collect::<Vec<_>>().into())
    }

    fn bounds(&self) -> (i32, i32, i32, i32) {
        let start = (i32::MAX, i32::MIN, i32::MAX, i32::MIN);
        self.0.iter().map(unboxed).fold(start, |b, (i, j)| (b.0.min(i), b.1.max(i), b.2.min(j), b.3.max(j)))
    }

    fn shifted(&self, di: i32, dj: i32) -> Self {
        Self(self.0.iter().map(unboxed).map(|(i, j)| boxed(i64::from(i + di), i64::from(j + dj))).collect())
    }

    fn union(&self, other: &Self) -> Self {
        let mut all = [&*self.0, &*other.0].concat();
        all.sort();
        all.dedup();
        Self(all.into())
    }

    fn filled(&self, grid: &Grid, colour: i8) -> Grid {
        let (height, width) = (grid.height() as i32, grid.width() as i32);
        grid.modified(|cells| {
            for (i, j) in self.0.iter().map(unboxed) {
                if (0..height).contains(&i) && (0..width).contains(&j) {
                    cells[(i * width + j) as usize] = colour;
                }
            }
        })
    }

    fn filtered(&self, keep: impl Fn(&Value) -> bool) -> Self {
        Self(self.0.iter().filter(|place| keep(place)).cloned().collect())
    }
}

#[divan::bench(types = [PackedForm, BitRows, General], args = CASES)]
fn of_colour<F: Form>(bencher: Bencher<'_, '_>, case: (usize, u64)) {
    let grid = grid(case);
    bencher.bench(|| F::of_colour(black_box(&grid), 1));
}

#[divan::bench(types = [PackedForm, BitRows, General], args = CASES)]
fn bounds<F: Form>(bencher: Bencher<'_, '_>, case: (usize, u64)) {
    let patch = F::of_colour(&grid(case), 1);
    bencher.bench(|| black_box(&patch).bounds());
}

#[divan::bench(types = [PackedForm, BitRows, General], args = CASES)]
fn shifted<F: Form>(bencher: Bencher<'_, '_>, case: (usize, u64)) {
    let patch = F::of_colour(&grid(case), 1);
    bencher.bench(|| black_box(&patch).shifted(1, 2));
}

#[divan::bench(types = [PackedForm, BitRows, General], args = CASES)]
fn union<F: Form>(bencher: Bencher<'_, '_>, case: (usize, u64)) {
    let patch = F::of_colour(&grid(case), 1);
    let other = patch.shifted(1, 2);
    bencher.bench(|| black_box(&patch).union(&other));
}

#[divan::bench(types = [PackedForm, BitRows, General], args = CASES)]
fn filled<F: Form>(bencher: Bencher<'_, '_>, case: (usize, u64)) {
    let grid = grid(case);
    let patch = F::of_colour(&grid, 1).shifted(1, 2);
    bencher.bench(|| black_box(&patch).filled(&grid, 3));
}

#[divan::bench(types = [PackedForm, BitRows, General], args = CASES)]
fn filtered<F: Form>(bencher: Bencher<'_, '_>, case: (usize, u64)) {
    let patch = F::of_colour(&grid(case), 1);
    bencher.bench(|| black_box(&patch).filtered(|place| place.as_pair().is_some_and(|(i, j)| (i + j) % 2 == 0)));
}

#[divan::bench(types = [PackedForm, BitRows, General], args = CASES)]
fn equal<F: Form>(bencher: Bencher<'_, '_>, case: (usize, u64)) {
    let patch = F::of_colour(&grid(case), 1);
    let other = F::of_colour(&grid(case), 1);
    bencher.bench(|| black_box(&patch) == black_box(&other));
}
