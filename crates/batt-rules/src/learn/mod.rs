//! The learner: short lists of rules over a table of items that are right on all of them.
//!
//! A list has a colour for all items, and before it rules for those that this is wrong for. A rule is a conjunction of at most a few tests; what
//! it paints must be right wherever it holds. Conjunctions are found as set covers: of the tests that hold for everything that the rule is to
//! explain, the cheapest that exclude everything that it must not touch. Where one conjunction does not do, rules explain parts.

mod conjunctions;

use std::cell::OnceCell;

use batt_core::Deadline;
use batt_vision::{Feature, NONE, Plane, Role};

use crate::bits::Bits;
use crate::propose::FitOptions;
use crate::rules::{Operator, Paint, Rule, Test};

/// Items with the values of their features and the colours that are wanted.
pub(crate) struct Table {
    /// The demo that each item is of.
    pub(crate) demo: Vec<u8>,
    /// The own colour of each item.
    pub(crate) own: Plane,
    /// The colour that each item should get.
    pub(crate) wanted: Plane,
    /// Features that can be tested.
    pub(crate) columns: Vec<Column>,
    /// Candidate paints with their values and costs.
    pub(crate) paints: Vec<(Paint, Plane, u32)>,
    /// Candidate paints where no rule holds: places in `paints`.
    pub(crate) defaults: Vec<usize>,
    /// Whether items that no rule decides stay as they are. Then [`NONE`] is wanted of items that no rule may decide.
    pub(crate) keeps: bool,
    /// How far to go.
    pub(crate) effort: Effort,
    /// Roles that tests compare with, and the value that each has in the image of every item.
    pub(crate) roles: Vec<(Role, Plane)>,
    /// For each paint the items that it is right and wrong on, once somebody asked.
    pub(crate) painted: OnceCell<Vec<(Bits, Bits)>>,
}

/// A feature on all items.
pub(crate) struct Column {
    pub(crate) feature: Feature,
    pub(crate) values: Plane,
    pub(crate) cost: u32,
    /// The values that occur, ascending, and the items that have each.
    sets: Vec<(i16, Bits)>,
    /// Where its values are colours: the items that it gives their own colour.
    own: Option<Bits>,
    /// The values that occur in the tests' inputs, ascending; none if that is not known.
    tests: Vec<i16>,
    /// Whether it is compared with roles.
    takes_roles: bool,
    /// The items whose value is that of a role, once somebody asked.
    roles: OnceCell<Vec<(Role, Bits)>>,
}

/// Extra cost of a test that holds for nothing in the tests' inputs.
const UNSEEN: u32 = 3;
/// The most values that a column may have.
const MOST_VALUES: usize = 64;

impl Column {
    /// A column; `None` if it has one value, or too many.
    pub(crate) fn new(feature: Feature, values: Plane, cost: u32, own: Option<&Plane>, mut tests: Plane) -> Option<Self> {
        let sets = sets(&values)?;
        let own = own.map(|own| Bits::from_fn(values.len(), |item| own[item] == values[item]));
        tests.sort_unstable();
        tests.dedup();
        Some(Self { feature, values, cost, sets, own, tests, takes_roles: false, roles: OnceCell::new() })
    }

    /// The same, compared with roles or not.
    pub(crate) fn with_roles(self, takes_roles: bool) -> Self {
        Self { takes_roles, ..self }
    }

    /// The items whose value is that of a role, for each role that some items have it of and others not.
    fn roles(&self, table: &Table) -> &[(Role, Bits)] {
        self.roles.get_or_init(|| {
            let such = table.roles.iter().filter(|_| self.takes_roles);
            let sets = such.map(|(role, values)| (*role, Bits::from_fn(values.len(), |item| values[item] == self.values[item])));
            sets.filter(|(_, set)| !set.is_empty()).collect()
        })
    }

    /// [`UNSEEN`] for a test that holds for nothing in the tests' inputs, else 0.
    fn surprise(&self, operator: Operator, value: i16) -> u32 {
        let test = Test { operator, feature: self.feature, value };
        let is_known = !self.tests.is_empty() && !matches!(operator, Operator::Own | Operator::NotOwn | Operator::Role | Operator::NotRole);
        if is_known && !self.tests.iter().any(|&value| test.holds(value, NONE)) { UNSEEN } else { 0 }
    }
}

/// The values that occur, ascending, and the items that have each; `None` if it is one value, or too many.
fn sets(values: &[i16]) -> Option<Vec<(i16, Bits)>> {
    let (low, high) = (*values.iter().min()?, *values.iter().max()?);
    // The place of each value among those that occur, plus one.
    let mut places = vec![0u8; (i32::from(high) - i32::from(low)) as usize + 1];
    let place = |value: i16| (i32::from(value) - i32::from(low)) as usize;
    let mut distinct = 0;
    for &value in values {
        let there = &mut places[place(value)];
        distinct += usize::from(*there == 0);
        if distinct > MOST_VALUES {
            return None;
        }
        *there = 1;
    }
    if distinct < 2 {
        return None;
    }
    let mut sets: Vec<(i16, Bits)> = Vec::with_capacity(distinct);
    for (value, there) in (low..=high).zip(&mut places).filter(|(_, there)| **there > 0) {
        sets.push((value, Bits::empty(values.len())));
        *there = sets.len() as u8;
    }
    for (item, &value) in values.iter().enumerate() {
        sets[usize::from(places[place(value)]) - 1].1.insert(item);
    }
    Some(sets)
}

/// Limits of the learner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// The most tests of a rule.
    pub(crate) tests: usize,
    /// The most rules, besides the default.
    pub(crate) rules: usize,
    /// The most lists that are kept.
    pub(crate) lists: usize,
    /// The most sets that are looked at for one conjunction.
    pub(crate) steps: usize,
    /// The most units of work: a unit goes once through all columns.
    pub(crate) work: usize,
    /// When to end, with what is found until then.
    pub(crate) deadline: Option<Deadline>,
}

impl Effort {
    /// Effort with the deadline of a budget.
    pub(crate) const fn until(self, budget: FitOptions) -> Self {
        Self { deadline: budget.deadline, ..self }
    }

    /// Whether the time has come to end.
    pub(crate) fn is_over(&self) -> bool {
        self.deadline.is_some_and(Deadline::is_over)
    }
}

/// A list of rules and what it costs.
#[derive(Clone, Debug)]
pub(crate) struct Fitted {
    pub(crate) rules: Vec<Rule>,
    pub(crate) cost: u32,
}

/// Cost of a rule besides its tests and its paint.
const RULE_COST: u32 = 4;
/// Extra cost of a role over a number.
const ROLE: u32 = 3;
/// A search for lists of rules over a table.
struct Search<'a> {
    table: &'a Table,
    /// For each paint the items that it is right and wrong on.
    painted: &'a [(Bits, Bits)],
    /// Remaining effort.
    work: std::cell::Cell<usize>,
}

impl Table {
    /// Lists of rules that are right on all items of all demos but one, the cheapest first.
    pub(crate) fn fit(&self, without: Option<u8>, lists: usize) -> Vec<Fitted> {
        let count = self.wanted.len();
        let used = Bits::from_fn(count, |item| Some(self.demo[item]) != without);
        let search = self.search();
        let mut found: Vec<Fitted> = Vec::new();
        let mut defaults: Vec<(usize, usize)> =
            self.defaults.iter().map(|&paint| (used.without(&search.painted[paint].0).count(), paint)).collect();
        defaults.sort_unstable();
        for &(_, paint) in defaults.iter().take(3) {
            let errors = used.without(&search.painted[paint].0);
            let (last, _, cost) = &self.paints[paint];
            let last = Rule { tests: Vec::new(), paint: *last };
            for mut list in search.explain(&errors, &used, self.effort.rules, lists) {
                list.rules.push(last.clone());
                list.cost += cost;
                found.push(list);
            }
        }
        if self.keeps {
            let errors = Bits::from_fn(count, |item| used.contains(item) && !self.stays(item));
            found.extend(search.explain(&errors, &used, self.effort.rules, lists));
        }
        found.sort_by(|a, b| (a.cost, &a.rules).cmp(&(b.cost, &b.rules)));
        found.dedup_by(|a, b| a.rules == b.rules);
        found.truncate(lists);
        found
    }

    /// Rules that are right on some of the items that their own colour is wrong for, and wrong nowhere; all others keep their colour. The rule
    /// that is right on most comes first.
    pub(crate) fn first_steps(&self, most: usize) -> Vec<Fitted> {
        let count = self.wanted.len();
        let all = Bits::from_fn(count, |_| true);
        let search = self.search();
        let Some(&own) = self.defaults.first() else { return Vec::new() };
        let errors = all.without(&search.painted[own].0);
        let mut parts: Vec<(usize, usize)> = (0..self.paints.len()).map(|k| (errors.common(&search.painted[k].0), k)).collect();
        parts.sort_by_key(|&(explained, k)| (std::cmp::Reverse(explained), self.paints[k].2, k));
        let (mut tried, mut found): (Vec<Bits>, Vec<Fitted>) = (Vec::new(), Vec::new());
        for &(explained, k) in parts.iter().take(12) {
            if explained == 0 || explained == errors.count() {
                continue;
            }
            let part = errors.and(&search.painted[k].0);
            // What is found already explains the same.
            if !found.is_empty() && tried.contains(&part) {
                continue;
            }
            if let Some((tests, cost)) = search.conjunctions(&part, &search.painted[k].1, 1).pop() {
                let rule = Rule { tests, paint: self.paints[k].0 };
                let last = Rule { tests: Vec::new(), paint: self.paints[own].0 };
                found.push(Fitted { rules: vec![rule, last], cost: RULE_COST + cost + self.paints[k].2 });
                if found.len() == most {
                    break;
                }
            }
            tried.push(part);
        }
        found
    }

    fn search(&self) -> Search<'_> {
        let count = self.wanted.len();
        let right = |plane: &Plane| Bits::from_fn(count, |item| plane[item] == self.wanted[item]);
        let is_wrong = |colour: i16, wanted: i16| colour != wanted && (0..10).contains(&colour);
        let wrong = |plane: &Plane| Bits::from_fn(count, |item| is_wrong(plane[item], self.wanted[item]));
        let painted = || self.paints.iter().map(|(_, plane, _)| (right(plane), wrong(plane))).collect();
        Search { table: self, painted: self.painted.get_or_init(painted), work: std::cell::Cell::new(self.effort.work) }
    }

    /// Whether an item is right if no rule decides it.
    fn stays(&self, item: usize) -> bool {
        self.keeps && (self.wanted[item] == NONE || self.wanted[item] == self.own[item])
    }

    /// Whether a test of a column holds for an item.
    fn holds(&self, test: Test, column: Option<&Column>, item: usize) -> bool {
        let value = column.map_or(NONE, |column| column.values[item]);
        let is_role = || {
            let role = self.roles.iter().find(|(role, _)| *role as i16 == test.value);
            role.map(|(_, values)| values[item] == value)
        };
        match test.operator {
            Operator::Role => is_role() == Some(true),
            Operator::NotRole => is_role() == Some(false),
            _ => test.holds(value, self.own[item]),
        }
    }

    /// Whether a list is right on all items of a demo.
    pub(crate) fn is_right<'a>(&self, rules: &'a [Rule], demo: u8) -> bool {
        let column = |feature: Feature| self.columns.iter().find(|column| column.feature == feature);
        let paint = |paint: Paint| self.paints.iter().find(|(other, ..)| *other == paint).map(|(_, plane, _)| plane);
        let tests = |rule: &'a Rule| rule.tests.iter().map(|test| (test, column(test.feature))).collect::<Vec<_>>();
        let rules: Vec<_> = rules.iter().map(|rule| (tests(rule), paint(rule.paint))).collect();
        (0..self.wanted.len()).filter(|&item| self.demo[item] == demo).all(|item| {
            let at = |plane: Option<&Plane>| plane.map_or(NONE, |plane| plane[item]);
            let decided = rules.iter().find_map(|(tests, paint)| {
                let holds = tests.iter().all(|(test, column)| self.holds(**test, *column, item));
                let colour = at(*paint);
                (holds && (0..10).contains(&colour)).then_some(colour)
            });
            decided.map_or_else(|| self.stays(item), |decided| decided == self.wanted[item])
        })
    }
}

impl Search<'_> {
    /// Whether so much of the effort is left, which is then spent.
    fn pay(&self, work: usize) -> bool {
        let left = self.work.get();
        self.work.set(left.saturating_sub(work));
        left >= work && !self.table.effort.is_over()
    }

    /// Lists of rules that are right on `errors` and wrong nowhere in `active`.
    fn explain(&self, errors: &Bits, active: &Bits, rules: usize, lists: usize) -> Vec<Fitted> {
        if errors.is_empty() {
            return vec![Fitted { rules: Vec::new(), cost: 0 }];
        }
        if rules == 0 {
            return Vec::new();
        }
        let table = self.table;
        let mut found = Vec::new();
        // One rule for all of them.
        for (k, (paint, _, cost)) in table.paints.iter().enumerate() {
            if errors.is_within(&self.painted[k].0) {
                for (tests, tests_cost) in self.conjunctions(errors, &self.painted[k].1.and(active), lists) {
                    found.push(Fitted { rules: vec![Rule { tests, paint: *paint }], cost: RULE_COST + cost + tests_cost });
                }
            }
        }
        if !found.is_empty() || rules == 1 {
            found.sort_by(|a, b| (a.cost, &a.rules).cmp(&(b.cost, &b.rules)));
            found.truncate(lists);
            return found;
        }
        // A rule for part of them, the larger the better, and others for the rest.
        let mut parts: Vec<(usize, u32, usize)> = Vec::new();
        for (k, (_, _, cost)) in table.paints.iter().enumerate() {
            let explained = errors.common(&self.painted[k].0);
            if explained > 0 {
                parts.push((explained, *cost, k));
            }
        }
        parts.sort_by_key(|&(explained, cost, _)| (std::cmp::Reverse(explained), cost));
        let mut tried: Vec<Bits> = Vec::new();
        for &(_, cost, k) in parts.iter().take(40) {
            let part = errors.and(&self.painted[k].0);
            if tried.contains(&part) {
                continue;
            }
            if tried.len() == 6 {
                break;
            }
            let forbidden = self.painted[k].1.and(active);
            let mut rule = self.conjunctions(&part, &forbidden, 1).pop();
            if rule.is_none() && part.count() > 2 && self.pay(12) {
                rule = self.partial(&part, &forbidden);
            }
            tried.push(part);
            let Some((tests, tests_cost)) = rule else { continue };
            let rule = Rule { tests, paint: table.paints[k].0 };
            let covered = self.covered(&rule, k);
            for mut rest in self.explain(&errors.without(&covered), &active.without(&covered), rules - 1, lists.min(2)) {
                rest.rules.insert(0, rule.clone());
                rest.cost += RULE_COST + cost + tests_cost;
                found.push(rest);
            }
            if found.len() >= lists {
                break;
            }
        }
        found.sort_by(|a, b| (a.cost, &a.rules).cmp(&(b.cost, &b.rules)));
        found.truncate(lists);
        found
    }

    /// The items that a rule decides.
    fn covered(&self, rule: &Rule, paint: usize) -> Bits {
        let table = self.table;
        let columns: Vec<Option<&Column>> =
            rule.tests.iter().map(|test| table.columns.iter().find(|column| column.feature == test.feature)).collect();
        Bits::from_fn(table.wanted.len(), |item| {
            let holds = rule.tests.iter().zip(&columns).all(|(test, column)| table.holds(*test, *column, item));
            holds && (0..10).contains(&table.paints[paint].1[item])
        })
    }
}
