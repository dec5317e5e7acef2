//! Columns: many values of one kind without their wrapping.

use std::borrow::Cow;
use std::ops::Range;

use batt_core::{Packed, Reason, SetBuilder, Value, two_of};

use super::closures::Closures;

/// Items that go through a function together: few enough that intermediate values stay in the nearest cache.
pub(super) const TOGETHER: usize = 64;

/// Many values.
#[derive(Clone)]
pub(crate) enum Column<'c> {
    Ints(Vec<i64>),
    Bools(Vec<bool>),
    Pairs(Vec<(i32, i32)>),
    Cells(Cow<'c, [Packed]>),
    /// Values of any kind.
    Values(Cow<'c, [Value]>),
    /// One value, so many times.
    Same(Value, usize),
    /// Tuples of two, kept apart: most functions that are given such tuples take them apart again.
    Twos(Box<[Column<'c>; 2]>),
    /// Each value of a plain column so many times in a row.
    Repeated(Box<Column<'c>>, usize),
    /// The whole of a plain column, so many times.
    Tiled(Box<Column<'c>>, usize),
    /// Functions that were all made in one way.
    Closures(Box<Closures<'c>>),
}

impl Column<'_> {
    /// A column to add to.
    pub(crate) fn empty() -> Self {
        Self::Values(Cow::Borrowed(&[]))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Ints(numbers) => numbers.len(),
            Self::Bools(truths) => truths.len(),
            Self::Pairs(pairs) => pairs.len(),
            Self::Cells(cells) => cells.len(),
            Self::Values(values) => values.len(),
            Self::Same(_, count) => *count,
            Self::Twos(sides) => sides[0].len(),
            Self::Repeated(column, times) | Self::Tiled(column, times) => column.len() * times,
            Self::Closures(closures) => closures.len(),
        }
    }

    /// Gives one of the values to `with`.
    #[inline]
    pub(crate) fn at<R>(&self, k: usize, with: impl FnOnce(&Value) -> R) -> R {
        match self {
            Self::Ints(numbers) => with(&Value::Int(numbers[k])),
            Self::Bools(truths) => with(&Value::Bool(truths[k])),
            Self::Pairs(pairs) => with(&Value::Pair(pairs[k].0, pairs[k].1)),
            Self::Cells(cells) => with(&Value::Cell(cells[k])),
            Self::Values(values) => with(&values[k]),
            Self::Same(value, _) => with(value),
            Self::Twos(sides) => with(&sides[0].value_at(k, |left| sides[1].value_at(k, |right| two_of(left, right)))),
            Self::Repeated(column, times) => column.at(k / times, with),
            Self::Tiled(column, _) => column.at(k % column.len(), with),
            Self::Closures(closures) => with(&closures.value_at(k)),
        }
    }

    /// Like [`Column::at`], for what makes a value. A side of tuples is never of tuples that are kept apart, so this does not recurse.
    #[inline]
    fn value_at(&self, k: usize, with: impl FnOnce(&Value) -> Value) -> Value {
        match self {
            Self::Ints(numbers) => with(&Value::Int(numbers[k])),
            Self::Bools(truths) => with(&Value::Bool(truths[k])),
            Self::Pairs(pairs) => with(&Value::Pair(pairs[k].0, pairs[k].1)),
            Self::Cells(cells) => with(&Value::Cell(cells[k])),
            Self::Values(values) => with(&values[k]),
            Self::Same(value, _) => with(value),
            Self::Twos(_) => Value::Nothing,
            Self::Repeated(column, times) => column.value_at(k / times, with),
            Self::Tiled(column, _) => column.value_at(k % column.len(), with),
            Self::Closures(closures) => with(&closures.value_at(k)),
        }
    }

    /// Each value `times` times in a row.
    pub(super) fn repeated(self, times: usize) -> Self {
        match self {
            Self::Same(value, count) => Self::Same(value, count * times),
            Self::Twos(sides) => Self::Twos(Box::new(sides.map(|side| side.repeated(times)))),
            Self::Closures(closures) => Self::Closures(Box::new(closures.each_part(|part| part.repeated(times)))),
            Self::Repeated(column, each) => Self::Repeated(column, each * times),
            Self::Tiled(..) => self.expanded().repeated(times),
            plain => Self::Repeated(Box::new(plain), times),
        }
    }

    /// The whole column `times` times.
    pub(super) fn tiled(self, times: usize) -> Self {
        match self {
            Self::Same(value, count) => Self::Same(value, count * times),
            Self::Twos(sides) => Self::Twos(Box::new(sides.map(|side| side.tiled(times)))),
            Self::Closures(closures) => Self::Closures(Box::new(closures.each_part(|part| part.tiled(times)))),
            Self::Tiled(column, each) => Self::Tiled(column, each * times),
            Self::Repeated(..) => self.expanded().tiled(times),
            plain => Self::Tiled(Box::new(plain), times),
        }
    }

    /// A column of equal values, each in a place of its own if they were repeated or tiled.
    pub(super) fn expanded(&self) -> Self {
        fn each<T: Clone>(items: &[T], times: usize) -> Vec<T> {
            let mut all = Vec::with_capacity(items.len() * times);
            for item in items {
                all.extend(std::iter::repeat_n(item, times).cloned());
            }
            all
        }
        match self {
            Self::Repeated(column, times) => match &**column {
                Self::Ints(numbers) => Self::Ints(each(numbers, *times)),
                Self::Bools(truths) => Self::Bools(each(truths, *times)),
                Self::Pairs(pairs) => Self::Pairs(each(pairs, *times)),
                Self::Cells(cells) => Self::Cells(each(cells, *times).into()),
                Self::Values(values) => Self::Values(each(values, *times).into()),
                other => Self::Values(each(&other.clone().into_values(), *times).into()),
            },
            Self::Tiled(column, times) => match &**column {
                Self::Ints(numbers) => Self::Ints(numbers.repeat(*times)),
                Self::Bools(truths) => Self::Bools(truths.repeat(*times)),
                Self::Pairs(pairs) => Self::Pairs(pairs.repeat(*times)),
                Self::Cells(cells) => Self::Cells(cells.repeat(*times).into()),
                Self::Values(values) => Self::Values(tiled_values(values, *times).into()),
                other => Self::Values(tiled_values(&other.clone().into_values(), *times).into()),
            },
            other => other.clone(),
        }
    }

    /// Values from one place up to another.
    pub(super) fn part(&self, range: Range<usize>) -> Self {
        if range == (0..self.len()) {
            return self.clone();
        }
        match self {
            Self::Ints(numbers) => Self::Ints(numbers[range].to_vec()),
            Self::Bools(truths) => Self::Bools(truths[range].to_vec()),
            Self::Pairs(pairs) => Self::Pairs(pairs[range].to_vec()),
            Self::Cells(Cow::Borrowed(cells)) => Self::Cells(Cow::Borrowed(&cells[range])),
            Self::Cells(Cow::Owned(cells)) => Self::Cells(cells[range].to_vec().into()),
            Self::Values(Cow::Borrowed(values)) => Self::Values(Cow::Borrowed(&values[range])),
            Self::Values(Cow::Owned(values)) => Self::Values(values[range].to_vec().into()),
            Self::Same(value, _) => Self::Same(value.clone(), range.len()),
            Self::Twos(sides) => Self::Twos(Box::new([sides[0].part(range.clone()), sides[1].part(range)])),
            Self::Closures(closures) => Self::Closures(Box::new(closures.part(range))),
            Self::Repeated(..) | Self::Tiled(..) => self.expanded().part(range),
        }
    }

    /// Tuples of the values of two columns of one length.
    pub(super) fn twos(left: Self, right: Self) -> Self {
        let flat = |side: Self| if matches!(side, Self::Twos(_)) { Self::Values(Cow::Owned(side.into_values())) } else { side };
        Self::Twos(Box::new([flat(left), flat(right)]))
    }

    /// Adds a value.
    #[inline]
    pub(crate) fn push(&mut self, value: Value) {
        match (&mut *self, &value) {
            (Self::Ints(numbers), Value::Int(n)) => numbers.push(*n),
            (Self::Bools(truths), Value::Bool(b)) => truths.push(*b),
            (Self::Pairs(pairs), Value::Pair(a, b)) => pairs.push((*a, *b)),
            (Self::Cells(Cow::Owned(cells)), Value::Cell(cell)) => cells.push(*cell),
            (Self::Values(values), _) if !values.is_empty() => values.to_mut().push(value),
            _ => self.push_another(value),
        }
    }

    /// Adds the value of a call. It is read where it is, if it is of the column's kind: moving it just after it was written would wait
    /// for the writes.
    #[inline]
    pub(super) fn push_result(&mut self, result: Result<Value, Reason>) -> Result<(), Reason> {
        match (&mut *self, &result) {
            (Self::Ints(numbers), Ok(Value::Int(n))) => numbers.push(*n),
            (Self::Bools(truths), Ok(Value::Bool(b))) => truths.push(*b),
            (Self::Pairs(pairs), Ok(Value::Pair(a, b))) => pairs.push((*a, *b)),
            _ => self.push(result?),
        }
        Ok(())
    }

    /// Adds the first value, or one of another kind than those before.
    fn push_another(&mut self, value: Value) {
        if self.len() == 0 {
            *self = match value {
                Value::Int(n) => Self::Ints(started(n)),
                Value::Bool(b) => Self::Bools(started(b)),
                Value::Pair(a, b) => Self::Pairs(started((a, b))),
                Value::Cell(cell) => Self::Cells(Cow::Owned(started(cell))),
                _ => Self::Values(Cow::Owned(started(value))),
            };
            return;
        }
        if let (Self::Cells(cells), Value::Cell(cell)) = (&mut *self, &value) {
            cells.to_mut().push(*cell);
            return;
        }
        let mut values = std::mem::replace(self, Self::empty()).into_values();
        values.push(value);
        *self = Self::Values(Cow::Owned(values));
    }

    /// Adds the values of another column.
    pub(crate) fn append(&mut self, other: Column<'_>) {
        if self.len() == 0 {
            *self = other.owned();
            return;
        }
        match (&mut *self, other) {
            (Self::Ints(numbers), Column::Ints(more)) => numbers.extend_from_slice(&more),
            (Self::Bools(truths), Column::Bools(more)) => truths.extend_from_slice(&more),
            (Self::Pairs(pairs), Column::Pairs(more)) => pairs.extend_from_slice(&more),
            (Self::Cells(cells), Column::Cells(more)) => cells.to_mut().extend_from_slice(&more),
            (Self::Values(values), Column::Values(more)) => values.to_mut().extend(more.into_owned()),
            (_, other) => other.into_values().into_iter().for_each(|value| self.push(value)),
        }
    }

    fn owned<'d>(self) -> Column<'d> {
        match self {
            Self::Ints(numbers) => Column::Ints(numbers),
            Self::Bools(truths) => Column::Bools(truths),
            Self::Pairs(pairs) => Column::Pairs(pairs),
            Self::Cells(cells) => Column::Cells(Cow::Owned(cells.into_owned())),
            Self::Values(values) => Column::Values(Cow::Owned(values.into_owned())),
            Self::Same(value, count) => Column::Same(value, count),
            Self::Repeated(..) | Self::Tiled(..) => self.expanded().owned(),
            Self::Twos(_) | Self::Closures(_) => Column::Values(Cow::Owned(self.into_values())),
        }
    }

    pub(crate) fn into_values(self) -> Vec<Value> {
        match self {
            Self::Ints(numbers) => numbers.into_iter().map(Value::Int).collect(),
            Self::Bools(truths) => truths.into_iter().map(Value::Bool).collect(),
            Self::Pairs(pairs) => pairs.into_iter().map(|(a, b)| Value::Pair(a, b)).collect(),
            Self::Cells(cells) => cells.iter().map(|&cell| Value::Cell(cell)).collect(),
            Self::Values(values) => values.into_owned(),
            Self::Same(value, count) => vec![value; count],
            Self::Repeated(..) | Self::Tiled(..) => self.expanded().into_values(),
            Self::Twos(_) | Self::Closures(_) => (0..self.len()).map(|k| self.at(k, Value::clone)).collect(),
        }
    }

    /// The values as a set.
    pub(crate) fn into_set(self) -> SetBuilder {
        let mut builder = SetBuilder::new();
        match self {
            Self::Cells(cells) => builder.push_cells(&cells),
            // A set has each value once.
            Self::Repeated(column, _) | Self::Tiled(column, _) => return column.into_set(),
            Self::Pairs(pairs) => {
                let packed: Option<Vec<Packed>> = pairs.iter().map(|&(i, j)| Packed::location(i64::from(i), i64::from(j))).collect();
                match packed {
                    Some(packed) => builder.push_locations(&packed),
                    None => builder.extend(pairs.into_iter().map(|(a, b)| Value::Pair(a, b))),
                }
            }
            other => builder.extend(other.into_values()),
        }
        builder
    }

    /// Python's truth of each value.
    pub(crate) fn truths(&self) -> Cow<'_, [bool]> {
        match self {
            Self::Bools(truths) => Cow::Borrowed(truths),
            Self::Ints(numbers) => numbers.iter().map(|&n| n != 0).collect(),
            Self::Pairs(_) | Self::Cells(_) | Self::Twos(_) | Self::Closures(_) => vec![true; self.len()].into(),
            Self::Repeated(..) | Self::Tiled(..) => self.expanded().truths().into_owned().into(),
            Self::Same(value, count) => vec![value.truth(); *count].into(),
            Self::Values(values) => values.iter().map(Value::truth).collect(),
        }
    }

    /// How deep the values are nested at most.
    pub(super) fn depth(&self) -> u16 {
        match self {
            Self::Ints(_) | Self::Bools(_) => 0,
            Self::Pairs(_) => 1,
            Self::Cells(_) => 2,
            Self::Values(values) => values.iter().map(Value::depth).max().unwrap_or(0),
            Self::Same(value, _) => value.depth(),
            Self::Twos(sides) => 1 + sides[0].depth().max(sides[1].depth()),
            Self::Repeated(column, _) | Self::Tiled(column, _) => column.depth(),
            Self::Closures(closures) => closures.depth(),
        }
    }

    /// The weight of the heaviest value; of tuples that are kept apart no less than that.
    pub(super) fn heaviest(&self) -> u64 {
        match self {
            Self::Ints(_) | Self::Bools(_) | Self::Pairs(_) | Self::Cells(_) | Self::Closures(_) => 1,
            Self::Repeated(column, _) | Self::Tiled(column, _) => column.heaviest(),
            Self::Values(values) => values.iter().map(Value::weight).max().unwrap_or(0),
            Self::Same(value, _) => value.weight(),
            Self::Twos(sides) => sides[0].heaviest() + sides[1].heaviest(),
        }
    }

    /// The weights of all values together.
    pub(crate) fn weight(&self) -> u64 {
        match self {
            Self::Ints(_) | Self::Bools(_) | Self::Pairs(_) | Self::Cells(_) | Self::Closures(_) => self.len() as u64,
            Self::Repeated(column, times) | Self::Tiled(column, times) => column.weight() * *times as u64,
            _ => (0..self.len()).map(|k| self.at(k, Value::weight)).sum(),
        }
    }

    /// Whether each value equals the target.
    pub(crate) fn equals<'d>(&self, target: &Value) -> Column<'d> {
        match (self, target) {
            (Self::Ints(numbers), Value::Int(n)) => Column::Bools(numbers.iter().map(|m| m == n).collect()),
            (Self::Bools(truths), Value::Bool(b)) => Column::Bools(truths.iter().map(|t| t == b).collect()),
            (Self::Pairs(pairs), Value::Pair(a, b)) => Column::Bools(pairs.iter().map(|pair| *pair == (*a, *b)).collect()),
            (Self::Same(value, count), _) => Column::Same(Value::Bool(value == target), *count),
            (Self::Repeated(column, times), _) => column.equals(target).repeated(*times),
            (Self::Tiled(column, times), _) => column.equals(target).tiled(*times),
            _ => Column::Bools((0..self.len()).map(|k| self.at(k, |value| value == target)).collect()),
        }
    }

    /// Values two by two, as tuples.
    pub(super) fn two_by_two<'d>(&self) -> Column<'d> {
        if let Self::Repeated(..) | Self::Tiled(..) = self {
            return self.expanded().two_by_two();
        }
        if let Self::Ints(numbers) = self {
            let pairs = numbers.chunks_exact(2).map(|two| Some((i32::try_from(two[0]).ok()?, i32::try_from(two[1]).ok()?)));
            if let Some(pairs) = pairs.collect() {
                return Column::Pairs(pairs);
            }
        }
        let mut tuples = Column::empty();
        for k in 0..self.len() / 2 {
            tuples.push(self.at(2 * k, |a| self.at(2 * k + 1, |b| two_of(a, b))));
        }
        tuples
    }
}

fn tiled_values(values: &[Value], times: usize) -> Vec<Value> {
    let mut all = Vec::with_capacity(values.len() * times);
    for _ in 0..times {
        all.extend_from_slice(values);
    }
    all
}

fn started<T>(first: T) -> Vec<T> {
    let mut list = Vec::with_capacity(TOGETHER);
    list.push(first);
    list
}

/// The items of a container, in columns of a size that suits.
pub(super) struct Chunks<'c> {
    container: &'c Value,
    next: usize,
    count: usize,
}

impl<'c> Chunks<'c> {
    pub(super) fn of(container: &'c Value) -> Option<Self> {
        container.count().map(|count| Self { container, next: 0, count })
    }

    /// All items in one column.
    pub(super) fn whole(container: &'c Value) -> Option<Column<'c>> {
        let count = container.count()?;
        Some(Self { container, next: 0, count }.column(0..count))
    }

    fn column(&self, range: Range<usize>) -> Column<'c> {
        match self.container {
            Value::Indices(cells) => Column::Pairs(cells[range].iter().map(|p| (p.i(), p.j())).collect()),
            Value::Object(cells) => Column::Cells(Cow::Borrowed(&cells[range])),
            Value::Row(cells) => Column::Ints(cells[range].iter().map(|&n| i64::from(n)).collect()),
            Value::Set(items, _) | Value::Tuple(items, _) => Column::Values(Cow::Borrowed(&items[range])),
            other => {
                let mut column = Column::empty();
                for k in range {
                    if let Some(item) = other.item(k) {
                        column.push(item.into_value());
                    }
                }
                column
            }
        }
    }
}

impl<'c> Iterator for Chunks<'c> {
    type Item = Column<'c>;

    fn next(&mut self) -> Option<Column<'c>> {
        if self.next == self.count {
            return None;
        }
        let range = self.next..(self.next + TOGETHER).min(self.count);
        self.next = range.end;
        Some(self.column(range))
    }
}
