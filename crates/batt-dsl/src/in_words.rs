//! The parameters and the value of a primitive as text.

use crate::{Primitive, Returns};

/// `(grid: Grid, factor: Integer) -> Grid`.
pub fn signature(row: &Primitive) -> String {
    let params: Vec<String> = row.params.iter().enumerate().map(|(k, param)| format!("{}: {}", param.name, row.takes(k))).collect();
    format!("({}) -> {}", params.join(", "), value_type(row))
}

/// The type of the value, as far as a word or two can tell it.
pub fn value_type(row: &Primitive) -> String {
    let takes = |k: u8| row.takes(usize::from(k)).to_string();
    match row.returns {
        Returns::Always(wanted) => wanted.to_string(),
        Returns::Itself(k) | Returns::Same(k) | Returns::Resized(k) | Returns::Filtered(k) => takes(k),
        Returns::Either(a, b) if takes(a) == takes(b) => takes(a),
        Returns::Either(a, b) => format!("{} or {}", takes(a), takes(b)),
        Returns::Item(_)
        | Returns::ItemOrZero(_)
        | Returns::ItemAt(..)
        | Returns::Nth(..)
        | Returns::Key
        | Returns::KeyOrOfZero
        | Returns::Picked => "Any".to_owned(),
        Returns::Arithmetic(..) => "Numerical".to_owned(),
        Returns::Two(..) | Returns::TupleOf(_) | Returns::Copies(_) | Returns::Zipped | Returns::AppliedPairs => "Tuple".to_owned(),
        Returns::SetOf(_) | Returns::Singleton(_) | Returns::Inserted | Returns::Product | Returns::AppliedProduct => "Set".to_owned(),
        Returns::Combined
        | Returns::Merged
        | Returns::Applied
        | Returns::AppliedEach
        | Returns::AppliedMerged
        | Returns::AppliedPairsMerged
        | Returns::FilteredMerged => "Container".to_owned(),
        Returns::Closure(_) => "Function".to_owned(),
        Returns::PatchLike(_) => "Patch".to_owned(),
    }
}

/// The type of the value and how it follows from those of the arguments.
pub fn returns_in_words(row: &Primitive) -> String {
    let name = |k: u8| row.params.get(usize::from(k)).map_or("?", |param| param.name);
    let (a, b, c) = (name(0), name(1), name(2));
    match row.returns {
        Returns::Always(wanted) => wanted.to_string(),
        Returns::Itself(k) | Returns::Same(k) | Returns::Resized(k) | Returns::Filtered(k) => format!("what `{}` is", name(k)),
        Returns::Either(one, other) => format!("what `{}` or `{}` is", name(one), name(other)),
        Returns::Item(k) | Returns::ItemOrZero(k) | Returns::ItemAt(k, _) | Returns::Nth(k, _) => format!("an item of `{}`", name(k)),
        Returns::Arithmetic(one, other) if one == other => format!("Integer, or Pair if `{}` is one", name(one)),
        Returns::Arithmetic(one, other) => format!("Integer, or Pair if `{}` or `{}` is one", name(one), name(other)),
        Returns::Two(one, other) => format!("the tuple of `{}` and `{}`", name(one), name(other)),
        Returns::TupleOf(k) => format!("a tuple of items of `{}`", name(k)),
        Returns::Copies(k) => format!("a tuple of copies of `{}`", name(k)),
        Returns::SetOf(k) => format!("a set of items of `{}`", name(k)),
        Returns::Singleton(k) => format!("the set of `{}`", name(k)),
        Returns::Inserted => format!("`{b}` with `{a}` in it"),
        Returns::Combined => format!("a container like `{a}`, with the items of `{a}` and `{b}`"),
        Returns::Merged => format!("a container like `{a}`, with the items of its items"),
        Returns::Product => format!("a set of pairs of items of `{a}` and `{b}`"),
        Returns::Zipped => format!("a tuple of pairs of items of `{a}` and `{b}`"),
        Returns::Applied => format!("a container like `{b}`, with what `{a}` gives for its items"),
        Returns::AppliedEach => format!("a container like `{a}`, with what its functions give for `{b}`"),
        Returns::AppliedMerged => format!("a container like `{b}`, with the items of what `{a}` gives for its items"),
        Returns::AppliedPairs => format!("a tuple of what `{a}` gives for pairs of items of `{b}` and `{c}`"),
        Returns::AppliedPairsMerged => format!("a tuple of the items of what `{a}` gives for pairs of items of `{b}` and `{c}`"),
        Returns::AppliedProduct => format!("a set of what `{a}` gives for each item of `{b}` with each of `{c}`"),
        Returns::Key | Returns::KeyOrOfZero => format!("what `{b}` gives for an item of `{a}`"),
        Returns::Picked => format!("what `{c}` gives for what was found"),
        Returns::FilteredMerged => format!("a container like `{a}`, with the items of the items that satisfy `{b}`"),
        Returns::Closure(_) => "a function".to_owned(),
        Returns::PatchLike(k) => format!("a set of cells or locations, as `{}` is", name(k)),
    }
}
