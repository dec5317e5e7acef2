//! Conjunctions of tests: what holds for everything that a rule explains, and for nothing that it must not touch.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use batt_vision::NONE;

use super::{ROLE, Search};
use crate::bits::Bits;
use crate::rules::{Operator, Test};

/// The conjunctions that explain a part and are followed.
const BEAM: usize = 8;
/// The most tests that a conjunction is chosen from.
const MOST_LITERALS: usize = 500;

/// A test with the items that it excludes.
struct Literal {
    test: Test,
    cost: u32,
    excludes: Bits,
}

impl Search<'_> {
    /// The cheapest conjunctions of tests that hold for all of `part` and for none of `forbidden`.
    pub(super) fn conjunctions(&self, part: &Bits, forbidden: &Bits, lists: usize) -> Vec<(Vec<Test>, u32)> {
        if forbidden.is_empty() {
            return vec![(Vec::new(), 0)];
        }
        if !self.pay(2) {
            return Vec::new();
        }
        let mut literals = self.literals(part, forbidden);
        let mut excluded = Bits::empty_like(forbidden);
        for literal in &literals {
            excluded.add(&literal.excludes);
        }
        if !forbidden.is_within(&excluded) {
            return Vec::new();
        }
        literals.truncate(MOST_LITERALS);
        let mut cover = Cover { literals: &literals, lists, steps: self.table.effort.steps, found: Vec::new() };
        cover.search(forbidden, &mut Vec::new(), 0, self.table.effort.tests);
        cover.found.sort_by(|a, b| (a.1, &a.0).cmp(&(b.1, &b.0)));
        cover.found.dedup_by(|a, b| a.0 == b.0);
        cover.found.truncate(lists);
        cover.found
    }

    /// The tests that hold for all of `part` and not for all of `forbidden`, each set of excluded items once.
    fn literals(&self, part: &Bits, forbidden: &Bits) -> Vec<Literal> {
        let mut literals: Vec<Literal> = Vec::new();
        // Literals by a word of what they exclude; where that is another literal's, by the next one.
        let mut known: HashMap<u64, usize> = HashMap::new();
        for column in &self.table.columns {
            let mut add = |operator: Operator, value: i16, cost: u32, excludes: Bits| {
                if excludes.is_empty() {
                    return;
                }
                let test = Test { operator, feature: column.feature, value };
                let literal = Literal { test, cost: column.cost + cost + column.surprise(operator, value), excludes };
                let mut word = literal.excludes.mixed();
                loop {
                    match known.entry(word) {
                        Entry::Occupied(entry) if literals[*entry.get()].excludes != literal.excludes => word = word.wrapping_add(1),
                        Entry::Occupied(entry) => {
                            let other = &mut literals[*entry.get()];
                            if (other.cost, other.test) > (literal.cost, literal.test) {
                                *other = literal;
                            }
                            break;
                        }
                        Entry::Vacant(entry) => {
                            entry.insert(literals.len());
                            literals.push(literal);
                            break;
                        }
                    }
                }
            };
            let there: Vec<bool> = column.sets.iter().map(|(_, set)| part.meets(set)).collect();
            let (Some(low), Some(high)) = (there.iter().position(|&there| there), there.iter().rposition(|&there| there)) else { continue };
            if low == high {
                add(Operator::Equal, column.sets[low].0, 0, forbidden.without(&column.sets[low].1));
            } else {
                if column.sets[low].0 > NONE {
                    let below = union(forbidden, column.sets[..low].iter().map(|(_, set)| set));
                    add(Operator::AtLeast, column.sets[low].0, 1, forbidden.and(&below));
                    let below_none = column.sets.first().filter(|(value, _)| *value == NONE).map(|(_, set)| set);
                    let above = column.sets[high + 1..].iter().map(|(_, set)| set).chain(below_none);
                    let above = union(forbidden, above);
                    add(Operator::AtMost, column.sets[high].0, 2, forbidden.and(&above));
                }
                for (k, (value, set)) in column.sets.iter().enumerate() {
                    if !there[k] && forbidden.meets(set) {
                        add(Operator::Unequal, *value, 1, forbidden.and(set));
                    }
                }
                // Roles are for what has several values: otherwise a constant does.
                for (role, set) in column.roles(self.table) {
                    if part.is_within(set) {
                        add(Operator::Role, *role as i16, ROLE, forbidden.without(set));
                    } else if !part.meets(set) && forbidden.meets(set) {
                        add(Operator::NotRole, *role as i16, ROLE + 1, forbidden.and(set));
                    }
                }
            }
            if let Some(own) = &column.own {
                if part.is_within(own) {
                    add(Operator::Own, 0, 1, forbidden.without(own));
                } else if !part.meets(own) {
                    add(Operator::NotOwn, 0, 2, forbidden.and(own));
                }
            }
        }
        literals.sort_by_key(|literal| (literal.cost, literal.test));
        literals
    }

    /// A conjunction that holds for some of `part`, as many as possible, and for none of `forbidden`.
    pub(super) fn partial(&self, part: &Bits, forbidden: &Bits) -> Option<(Vec<Test>, u32)> {
        let table = self.table;
        let seed = part.iter().next()?;
        let mut tests: Vec<(Test, u32, Bits)> = Vec::new();
        for column in &table.columns {
            let value = column.values[seed];
            let mut add = |operator: Operator, cost: u32, holds: Bits| {
                let test = Test { operator, feature: column.feature, value };
                if !forbidden.is_within(&holds) {
                    tests.push((test, column.cost + cost, holds));
                }
            };
            let Ok(place) = column.sets.binary_search_by_key(&value, |set| set.0) else { continue };
            add(Operator::Equal, 0, column.sets[place].1.clone());
            if value > NONE && column.own.is_none() {
                add(Operator::AtLeast, 1, union(part, column.sets[place..].iter().map(|(_, set)| set)));
                let there = column.sets[..=place].iter().filter(|(value, _)| *value > NONE);
                add(Operator::AtMost, 2, union(part, there.map(|(_, set)| set)));
            }
            if let Some(own) = column.own.as_ref().filter(|own| own.contains(seed)) {
                add(Operator::Own, 1, own.clone());
            }
        }
        // Beam search: what is explained counts, then what is excluded.
        let (all, all_wrong) = (part.count(), forbidden.count());
        let mut beam: Vec<(Vec<usize>, Bits, Bits, u32)> = vec![(Vec::new(), part.clone(), forbidden.clone(), 0)];
        let mut best: Option<(usize, u32, Vec<Test>)> = None;
        for depth in 1..=table.effort.tests {
            // What is chosen is a conjunction of the beam and one test more; of the same score, the first tests decide.
            let mut next: Vec<(i64, usize, usize, u32)> = Vec::new();
            let mut order: Vec<usize> = (0..beam.len()).collect();
            order.sort_unstable_by_key(|&place| &beam[place].0);
            for (place, (chosen, explained, left, cost)) in beam.iter().enumerate() {
                let rank = order.iter().position(|&other| other == place).unwrap_or(place);
                let still_wrong = left.count();
                for (k, (_, test_cost, holds)) in tests.iter().enumerate() {
                    let now = explained.common(holds);
                    if now == 0 {
                        continue;
                    }
                    let wrong = left.common(holds);
                    if wrong == still_wrong {
                        continue;
                    }
                    let cost = cost + test_cost;
                    if wrong == 0 {
                        let better = best.as_ref().is_none_or(|best| (std::cmp::Reverse(now), cost) < (std::cmp::Reverse(best.0), best.1));
                        if better {
                            best = Some((now, cost, chosen.iter().chain([&k]).map(|&k| tests[k].0).collect()));
                        }
                    } else if depth < table.effort.tests {
                        // The share of what is explained against the share of what is still wrongly held.
                        let score = (now * 1000 / all) as i64 * 2 - (wrong * 1000 / all_wrong) as i64 - i64::from(cost);
                        next.push((-score, rank, k, cost));
                    }
                }
            }
            if next.len() > BEAM {
                next.select_nth_unstable(BEAM);
                next.truncate(BEAM);
            }
            next.sort_unstable();
            let state = |(_, rank, k, cost): (i64, usize, usize, u32)| {
                let (chosen, explained, left, _) = &beam[order[rank]];
                let holds = &tests[k].2;
                (chosen.iter().copied().chain([k]).collect(), explained.and(holds), left.and(holds), cost)
            };
            beam = next.into_iter().map(state).collect();
        }
        best.filter(|(explained, ..)| explained * 8 >= part.count()).map(|(_, cost, tests)| (tests, cost))
    }
}

/// All items of some sets, of a table as large as another set's.
fn union<'a>(like: &Bits, sets: impl Iterator<Item = &'a Bits>) -> Bits {
    let mut all = Bits::empty_like(like);
    sets.for_each(|set| all.add(set));
    all
}

/// A search for sets of literals that exclude everything.
struct Cover<'a> {
    literals: &'a [Literal],
    lists: usize,
    steps: usize,
    found: Vec<(Vec<Test>, u32)>,
}

impl Cover<'_> {
    fn search(&mut self, forbidden: &Bits, chosen: &mut Vec<usize>, cost: u32, tests: usize) {
        for depth in 1..=tests {
            self.cover(forbidden, chosen, cost, depth);
            // Longer conjunctions are looked for only where shorter ones are few.
            if self.found.len() >= self.lists.div_ceil(2) || self.steps == 0 {
                break;
            }
        }
    }

    fn cover(&mut self, left: &Bits, chosen: &mut Vec<usize>, cost: u32, tests: usize) {
        if self.steps == 0 {
            return;
        }
        if tests == 1 {
            for (k, literal) in self.literals.iter().enumerate() {
                self.steps = self.steps.saturating_sub(1);
                if left.is_within(&literal.excludes) {
                    let mut found: Vec<Test> = chosen.iter().chain([&k]).map(|&k| self.literals[k].test).collect();
                    found.sort_unstable();
                    self.found.push((found, cost + literal.cost));
                    if self.found.len() >= 4 * self.lists {
                        self.found.sort_by(|a, b| (a.1, &a.0).cmp(&(b.1, &b.0)));
                        self.found.dedup_by(|a, b| a.0 == b.0);
                        self.found.truncate(2 * self.lists);
                    }
                }
            }
            return;
        }
        // The item that the fewest tests exclude, of the first ones.
        self.steps = self.steps.saturating_sub(self.literals.len());
        let rarest =
            left.iter().take(12).min_by_key(|&item| self.literals.iter().filter(|literal| literal.excludes.contains(item)).count());
        let Some(rarest) = rarest else { return };
        for k in 0..self.literals.len() {
            let literal = &self.literals[k];
            if literal.excludes.contains(rarest) {
                let rest = left.without(&literal.excludes);
                if rest.is_empty() {
                    continue;
                }
                chosen.push(k);
                self.cover(&rest, chosen, cost + literal.cost, tests - 1);
                chosen.pop();
            }
        }
    }
}
