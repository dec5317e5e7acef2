//! Replacements of a constant: others of its range, the likeliest first.

use std::sync::LazyLock;

use batt_core::{PrimId, Value};
use batt_dsl::{ConstId, Range};

use super::facts::{TURNS, TaskFacts};

/// A constant that may stand in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Named(ConstId),
    Primitive(PrimId),
    Integer(i64),
    Pair(i32, i32),
}

/// How a constant is written: a colour written by name is replaced by a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// The names of arc-dsl, and numbers where it has none.
    Plain,
    /// A group of the typed dialect.
    Named(Range),
    /// A number.
    Literal,
}

impl Style {
    pub(super) fn of(constant: Option<ConstId>) -> Self {
        match constant.map(ConstId::range) {
            None => Self::Literal,
            Some(Range::Small | Range::Count | Range::Pair | Range::Boolean | Range::Scale) => Self::Plain,
            Some(Range::KindOf4 | Range::KindOf8) => Self::Named(Range::KindOf8),
            Some(Range::AngleOf4 | Range::AngleOf8) => Self::Named(Range::AngleOf8),
            Some(other) => Self::Named(other),
        }
    }

    /// An integer in this style.
    pub(super) fn integer(self, n: i64) -> Choice {
        let names = &*NAMES;
        // The names of a group stand together in the list of constants, in the order of their values.
        let named = |first: Option<ConstId>, offset: i64| Some(Choice::Named(ConstId(u8::try_from(i64::from(first?.0) + offset).ok()?)));
        let found = match (self, n) {
            (Self::Plain, 0..=10) => named(names.zero, n),
            (Self::Plain, -2..0) => named(names.neg_one, -1 - n),
            (Self::Named(Range::Colour), 0..=9) => named(names.black, n),
            (Self::Named(Range::Rank), 0..=9) => named(names.f0, n),
            (Self::Named(Range::Rank), -10..0) => named(names.l1, -1 - n),
            (Self::Named(Range::KindOf8), 0..=9) => named(names.r0, n),
            (Self::Named(Range::AngleOf8), 0..=9) => named(names.a0, n),
            _ => None,
        };
        found.unwrap_or(Choice::Integer(n))
    }
}

/// The pairs that arc-dsl has names for, the commonest first.
const PAIRS: [&str; 13] = [
    "UP",
    "DOWN",
    "LEFT",
    "RIGHT",
    "ORIGIN",
    "UNITY",
    "NEG_UNITY",
    "UP_RIGHT",
    "DOWN_LEFT",
    "ZERO_BY_TWO",
    "TWO_BY_ZERO",
    "TWO_BY_TWO",
    "THREE_BY_THREE",
];

/// The constants that lists are made of: looking them up by name each time would take most of the time.
struct Names {
    zero: Option<ConstId>,
    neg_one: Option<ConstId>,
    black: Option<ConstId>,
    f0: Option<ConstId>,
    l1: Option<ConstId>,
    r0: Option<ConstId>,
    a0: Option<ConstId>,
    /// False and true.
    truths: [Option<ConstId>; 2],
    pairs: Vec<(ConstId, (i32, i32))>,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let pair = |name: &&str| match ConstId::by_name(name) {
        Some(id) => match id.value() {
            Value::Pair(a, b) => Some((id, (a, b))),
            _ => None,
        },
        None => None,
    };
    Names {
        zero: ConstId::by_name("ZERO"),
        neg_one: ConstId::by_name("NEG_ONE"),
        black: ConstId::by_name("BLACK"),
        f0: ConstId::by_name("F0"),
        l1: ConstId::by_name("L1"),
        r0: ConstId::by_name("R0"),
        a0: ConstId::by_name("A0"),
        truths: [ConstId::by_name("F"), ConstId::by_name("T")],
        pairs: PAIRS.iter().filter_map(pair).collect(),
    }
});

/// The ranks, from both ends inwards.
const RANKS: [i64; 20] = [0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6, 6, -7, 7, -8, 8, -9, 9, -10];

/// Adds all constants of a range but the present one, the likeliest first. Without a range, those of any use that the present one may
/// have.
pub(super) fn list_choices(range: Option<Range>, present: &Value, style: Style, facts: &TaskFacts, choices: &mut Vec<Choice>) {
    let mut list = List { choices, style, present: present.as_int() };
    match (range, present) {
        (_, Value::Bool(truth)) => list.truth(!truth),
        (_, Value::Pair(a, b)) => list.pairs((*a, *b), facts),
        (Some(range), Value::Int(n)) => list.integers(range, *n, facts),
        (None, Value::Int(n)) => {
            list.all(facts.colours[..facts.known_colours.min(facts.colours.len())].iter().map(|&colour| i64::from(colour)));
            list.integers(Range::Small, *n, facts);
        }
        _ => {}
    }
}

/// Adds what may stand where there is no constant yet.
pub(super) fn list_fresh(range: Range, facts: &TaskFacts, choices: &mut Vec<Choice>) {
    let mut list = List { choices, style: Style::Plain, present: None };
    match range {
        Range::Boolean => {
            list.truth(true);
            list.truth(false);
        }
        Range::Pair => list.pairs((i32::MAX, i32::MAX), facts),
        other => list.integers(other, 1, facts),
    }
}

/// Adds the other mirrors and rotations if a primitive is one.
pub(super) fn list_turns(present: PrimId, facts: &TaskFacts, choices: &mut Vec<Choice>) {
    if !is_turn(present) {
        return;
    }
    let shown = facts.angles.iter().filter_map(|&angle| TURNS.get(usize::from(angle)));
    for &turn in shown.chain(&*TURNS) {
        let choice = Choice::Primitive(turn);
        if turn != present && !choices.contains(&choice) {
            choices.push(choice);
        }
    }
}

/// Whether a primitive is a mirror or rotation.
pub(super) fn is_turn(id: PrimId) -> bool {
    TURNS.contains(&id)
}

struct List<'a> {
    choices: &'a mut Vec<Choice>,
    style: Style,
    present: Option<i64>,
}

impl List<'_> {
    fn integers(&mut self, range: Range, n: i64, facts: &TaskFacts) {
        let shown = facts.angles.iter().map(|&angle| i64::from(angle));
        match range {
            // Programs mark cells with the colour that no grid has.
            Range::Colour => self.all(facts.colours.iter().map(|&colour| i64::from(colour)).chain([-1])),
            Range::Rank => self.all(RANKS),
            Range::KindOf4 => self.all(0..4),
            // One switch, two switches, all three.
            Range::KindOf8 => self.all([1, 2, 4, 3, 5, 6, 7].map(|switches| (n & 7) ^ switches)),
            Range::AngleOf4 => self.all(shown.filter(|&angle| angle < 4).chain(0..4)),
            Range::AngleOf8 => self.all(shown.chain(0..8)),
            Range::Boolean => self.all([1 - n.clamp(0, 1)]),
            Range::Scale => self.all([100, 1000, 10]),
            Range::Small | Range::Count | Range::Pair => {
                self.all([n + 1, n - 1, 1, 2, 0, 3].into_iter().filter(|k| (-10..=30).contains(k)));
                self.all(facts.numbers.iter().copied());
                self.all((0..=10).chain([-1, -2, n + 2, n - 2]).chain(-10..=-3));
            }
        }
    }

    fn pairs(&mut self, (a, b): (i32, i32), facts: &TaskFacts) {
        let near = [(-i64::from(a), -i64::from(b)), (i64::from(b), i64::from(a))];
        let near = near.into_iter().filter_map(|(a, b)| Some((i32::try_from(a).ok()?, i32::try_from(b).ok()?)));
        let near = near.filter(|_| (a, b) != (i32::MAX, i32::MAX));
        let named = NAMES.pairs.iter().map(|&(_, pair)| pair);
        for pair in near.chain(named).chain(facts.shapes.iter().copied()) {
            let choice = pair_choice(pair);
            if pair != (a, b) && !self.choices.contains(&choice) {
                self.choices.push(choice);
            }
        }
    }

    fn truth(&mut self, truth: bool) {
        if let Some(id) = NAMES.truths[usize::from(truth)] {
            self.choices.push(Choice::Named(id));
        }
    }

    fn all(&mut self, numbers: impl IntoIterator<Item = i64>) {
        for n in numbers {
            let choice = self.style.integer(n);
            if Some(n) != self.present && !self.choices.contains(&choice) {
                self.choices.push(choice);
            }
        }
    }
}

fn pair_choice(pair: (i32, i32)) -> Choice {
    let named = NAMES.pairs.iter().find(|(_, value)| *value == pair);
    named.map_or(Choice::Pair(pair.0, pair.1), |&(id, _)| Choice::Named(id))
}

#[cfg(test)]
mod tests {
    use batt_dsl::Prim;

    use super::*;

    fn listed(range: Option<Range>, name: &str, facts: &TaskFacts) -> Vec<String> {
        let id = ConstId::by_name(name);
        let mut choices = Vec::new();
        if let Some(id) = id {
            list_choices(range, &id.value(), Style::of(Some(id)), facts, &mut choices);
        }
        choices.into_iter().map(named).collect()
    }

    fn named(choice: Choice) -> String {
        match choice {
            Choice::Named(id) => id.name().to_owned(),
            Choice::Primitive(id) => batt_dsl::primitive(id).name.to_owned(),
            Choice::Integer(n) => n.to_string(),
            Choice::Pair(a, b) => format!("({a}, {b})"),
        }
    }

    fn facts() -> TaskFacts {
        TaskFacts {
            gone: vec![5],
            colours: vec![5, 0, 3, 1, 2, 4, 6, 7, 8, 9],
            known_colours: 3,
            angles: vec![4],
            numbers: vec![12],
            shapes: vec![(3, 3), (12, 4)],
            ..TaskFacts::default()
        }
    }

    #[test]
    fn each_range_lists_what_belongs_to_it() {
        let facts = facts();
        assert_eq!(
            listed(Some(Range::Colour), "THREE", &facts),
            ["FIVE", "ZERO", "ONE", "TWO", "FOUR", "SIX", "SEVEN", "EIGHT", "NINE", "NEG_ONE"]
        );
        assert_eq!(listed(Some(Range::Colour), "GREEN", &facts)[..2], ["GRAY", "BLACK"]);
        assert_eq!(listed(Some(Range::Boolean), "T", &facts), ["F"]);
        assert_eq!(listed(Some(Range::Rank), "F0", &facts)[..3], ["L1", "F1", "L2"]);
        assert_eq!(listed(Some(Range::KindOf4), "R1", &facts), ["R0", "R2", "R3"]);
        assert_eq!(listed(Some(Range::KindOf8), "R5", &facts), ["R4", "R7", "R1", "R6", "R0", "R3", "R2"]);
        assert_eq!(listed(Some(Range::AngleOf8), "A0", &facts), ["A4", "A1", "A2", "A3", "A5", "A6", "A7"]);
        assert_eq!(listed(Some(Range::AngleOf4), "A0", &facts), ["A1", "A2", "A3"]);
        assert_eq!(listed(Some(Range::Small), "FOUR", &facts)[..6], ["FIVE", "THREE", "ONE", "TWO", "ZERO", "12"]);
        assert_eq!(listed(None, "FOUR", &facts)[..4], ["FIVE", "ZERO", "THREE", "ONE"], "it may be a colour");
        assert_eq!(listed(Some(Range::Pair), "UP", &facts)[..3], ["DOWN", "LEFT", "RIGHT"]);
        assert_eq!(listed(Some(Range::Pair), "UP", &facts).last().map(String::as_str), Some("(12, 4)"));
    }

    #[test]
    fn nothing_is_listed_twice_and_the_present_one_never() {
        for id in ConstId::all() {
            for range in [None, Some(id.range())] {
                let listed = listed(range, id.name(), &facts());
                assert!(!listed.is_empty(), "{}", id.name());
                assert!(!listed.contains(&id.name().to_owned()), "{}", id.name());
                let mut sorted = listed.clone();
                sorted.sort();
                sorted.dedup();
                assert_eq!(sorted.len(), listed.len(), "{}", id.name());
            }
        }
    }

    #[test]
    fn mirrors_and_rotations_become_each_other_and_what_the_demos_show_comes_first() {
        let mut choices = Vec::new();
        list_turns(Prim::hmirror.into(), &facts(), &mut choices);
        let names: Vec<String> = choices.drain(..).map(named).collect();
        assert_eq!(names, ["rot90", "dmirror", "vmirror", "cmirror", "rot180", "rot270"]);
        list_turns(Prim::trim.into(), &facts(), &mut choices);
        assert!(choices.is_empty());
    }
}
