//! The rows of a profile, from its stacks and steps.

use std::collections::BTreeMap;

use crate::collect::Tree;
use crate::names;
use crate::profile::Row;
use crate::stage::Stage;

/// Rows while they are put together, by name.
pub(crate) struct Rows {
    by_name: BTreeMap<&'static str, Row>,
}

impl Rows {
    pub(crate) fn of(tree: &Tree) -> Self {
        let mut rows = Self { by_name: BTreeMap::new() };
        let totals = tree.totals();
        let mut variance: BTreeMap<&'static str, f64> = BTreeMap::new();
        for (k, node) in tree.nodes.iter().enumerate().skip(1) {
            let (name, family, category) = names::of_frame(node.frame);
            let row = rows.by_name.entry(name).or_insert_with(|| Row { name: name.to_owned(), family, category, ..Row::default() });
            row.calls += node.calls;
            row.self_s += node.self_ns / 1e9;
            row.undefined += node.undefined;
            row.undefined_s += node.undefined_ns / 1e9;
            row.bytes += node.bytes;
            if !tree.is_inside_itself(k as u32) {
                row.total_s += totals[k] / 1e9;
            }
            *variance.entry(name).or_default() += node.variance;
        }
        for (name, row) in &mut rows.by_name {
            row.error_s = variance.get(name).copied().unwrap_or(0.0).sqrt() / 1e9;
            // Sums in another order can differ in the last digit.
            row.total_s = row.total_s.max(row.self_s);
        }
        rows
    }

    /// Adds the fuel of the calls that programs make, by what is called.
    pub(crate) fn add_fuel(&mut self, fuel: &BTreeMap<&'static str, u64>) {
        for (name, fuel) in fuel {
            if let Some(row) = self.by_name.get_mut(name) {
                row.fuel += fuel;
            }
        }
    }

    /// Adds something that was done besides running programs.
    pub(crate) fn add_step(&mut self, step: Stage, times: u64, time_s: f64) {
        let ((_, name), (family, category)) = (step.names(), step.kinds());
        let row = || Row { name: name.to_owned(), family: family.to_owned(), category: category.to_owned(), ..Row::default() };
        let row = self.by_name.entry(name).or_insert_with(row);
        row.calls += times;
        row.self_s += time_s;
        row.total_s += time_s;
    }

    /// The rows, in no particular order.
    pub(crate) fn into_list(self) -> Vec<Row> {
        self.by_name.into_values().collect()
    }
}
