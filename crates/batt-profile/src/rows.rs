//! The rows of a profile, from its stacks.

use std::collections::BTreeMap;
use std::time::Duration;

use batt_card::Card;
use rustc_hash::FxHashMap;

use crate::collect::{NodeStat, Tree};
use crate::names;
use crate::profile::Row;

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

    pub(crate) fn add_fuel(&mut self, nodes: &[Vec<NodeStat>; 2], cards: [&Card; 2]) {
        for (stats, card) in nodes.iter().zip(cards) {
            for (id, stat) in stats.iter().enumerate().filter(|(_, stat)| stat.calls > 0) {
                if let Some(row) = self.by_name.get_mut(names::call_of_node(card, id as u32).0) {
                    row.fuel += stat.fuel;
                }
            }
        }
    }

    pub(crate) fn add_pipeline(&mut self, name: &'static str, time: Duration) {
        let time = time.as_secs_f64();
        let (family, category) = (names::PIPELINE.to_owned(), "other".to_owned());
        let category = match name {
            "choose outputs" | "summarise" => "result collection".to_owned(),
            "start threads" | "make workers" | "hand out tasks" => "batch processing".to_owned(),
            _ => category,
        };
        let row = Row { name: name.to_owned(), family, category, calls: 1, self_s: time, total_s: time, ..Row::default() };
        self.by_name.insert(name, row);
    }

    /// The position of each row once they are sorted.
    pub(crate) fn order(&self) -> FxHashMap<&'static str, u32> {
        let mut names: Vec<(&'static str, f64)> = self.by_name.iter().map(|(name, row)| (*name, row.self_s)).collect();
        names.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        names.into_iter().enumerate().map(|(k, (name, _))| (name, k as u32)).collect()
    }

    pub(crate) fn sorted(self) -> Vec<Row> {
        let mut rows: Vec<Row> = self.by_name.into_values().collect();
        rows.sort_by(|a, b| b.self_s.total_cmp(&a.self_s).then_with(|| a.name.cmp(&b.name)));
        rows
    }
}
