//! Rules in sequence: a rule that explains a part of the cells that change is kept, and others are fitted to what remains.
//!
//! The paint order is a parameter: the next rule sees what the first one made, or it is painted under it and sees the input.

use std::collections::HashSet;

use super::{cells, lines, objects};
use crate::emit;
use crate::propose::{Budget, Candidate, Family, fitted};
use crate::puzzle::{FREE, Picture, Puzzle};

/// The kinds of rules that are put in sequence.
const FAMILIES: [Family; 4] = [Family::Objects, Family::Stamps, Family::Lines, Family::Cells];
/// The most rules of a sequence.
const MOST: usize = 3;
/// The most first rules that are followed: of two rules, and of more.
const MOST_FIRST: [usize; 2] = [3, 1];
/// The most bits of a first rule: a longer one explains what is there by naming it.
const MOST_BITS: u32 = 60;
/// The most sequences that are fitted again with demos left out.
const MOST_FITS: usize = 2;
/// The bits that a cell is worth that a first rule explains.
const CELL: i64 = 3;
/// The most cells of all demos together.
const MOST_CELLS: usize = 1500;
/// What each further rule costs, in bits: which kind it is, and the order.
const STEP: u32 = 4;

/// How the next rule goes with the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Order {
    /// It sees what was made.
    After,
    /// It sees the input and is painted under what was made.
    Under,
}

/// A task whose demos' inputs are among its tests too, so that candidates say what they make of them.
struct Open {
    puzzle: Puzzle,
    /// The place of each demo's input among the tests.
    places: Vec<usize>,
}

/// Rules of these kinds, and what they make.
#[derive(Clone)]
struct Sequence {
    kinds: Vec<(Family, Order)>,
    candidate: Candidate,
}

pub(crate) fn propose(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    let cells: usize = puzzle.demos.iter().map(|demo| demo.0.cells.len()).sum();
    if !puzzle.keeps_size() || cells > MOST_CELLS || puzzle.demos.iter().any(|(input, output)| input == output) || is_uniform(puzzle) {
        return Vec::new();
    }
    let (tests, demos) = (puzzle.tests.len(), puzzle.demos.len());
    let open = Open::new(puzzle);
    let mut fits = sequences(&open, budget, MOST, None);
    fits.retain(|fit| puzzle.demos.iter().zip(&fit.candidate.outputs[tests..]).all(|((_, output), made)| output == made));
    fits.sort_by_key(|fit| fit.candidate.bits);
    let mut found = Vec::new();
    // The simplest of each kind: leaving out demos says as much of the others.
    let mut seen = HashSet::new();
    fits.retain(|fit| seen.insert(fit.kinds.clone()));
    for Sequence { kinds, mut candidate } in fits.into_iter().take(MOST_FITS) {
        let foretells = |&demo: &usize| {
            let best =
                sequences(&open.without(demo), budget, kinds.len(), Some(&kinds)).into_iter().min_by_key(|other| other.candidate.bits);
            demos > 1 && best.is_some_and(|best| best.candidate.outputs[tests + demo] == puzzle.demos[demo].1)
        };
        candidate.foretold = (0..demos).filter(foretells).fold(0, |all, demo| all | 1 << demo);
        candidate.outputs.truncate(tests);
        // Sequences are many: what foretells less than half was made up.
        if 2 * candidate.foretold.count_ones() as usize > demos || demos == 1 {
            found.push(candidate);
        }
    }
    found
}

/// Whether all cells that change get one colour: seldom the work of two rules.
fn is_uniform(puzzle: &Puzzle) -> bool {
    let changes = || puzzle.demos.iter().flat_map(|(input, output)| input.cells.iter().zip(&output.cells)).filter(|(from, to)| from != to);
    let Some((_, first)) = changes().next() else { return true };
    changes().all(|(_, to)| to == first)
}

/// Sequences of at most so many rules that fit, of given kinds or any.
fn sequences(open: &Open, budget: Budget, most: usize, kinds: Option<&[(Family, Order)]>) -> Vec<Sequence> {
    let mut found = Vec::new();
    let is_asked = |family: Family| kinds.is_none_or(|kinds| kinds[0].0 == family);
    for (family, first) in firsts(open, budget, most == MOST, is_asked) {
        for order in [Order::After, Order::Under] {
            if budget.is_over() {
                return found;
            }
            if kinds.is_some_and(|kinds| kinds[0].1 != order) {
                continue;
            }
            let rest = open.rest(&first, order);
            // What is left in one demo only is not foretold by the others.
            if rest.puzzle.demos.iter().filter(|(input, output)| !input.is(output)).count() < rest.puzzle.demos.len().min(2) {
                continue;
            }
            let kinds = kinds.map(|kinds| &kinds[1..]);
            let before = found.len();
            let joined = |next: Candidate| joined(&first, next, order, open);
            for last in FAMILIES.into_iter().filter(|&last| kinds.is_none_or(|kinds| kinds.len() == 1 && kinds[0].0 == last)) {
                let fits = match last {
                    Family::Cells => cells::propose_soon(&rest.puzzle, budget),
                    Family::Lines => lines::propose_plain(&rest.puzzle, budget, &mut Vec::new()),
                    last => fitted(last, &rest.puzzle, budget, &mut Vec::new()),
                };
                found.extend(
                    fits.into_iter()
                        .filter_map(joined)
                        .map(|candidate| Sequence { kinds: vec![(family, order), (last, Order::After)], candidate }),
                );
            }
            if found.len() == before && most > 2 && kinds.is_none_or(|kinds| kinds.len() > 1) {
                for mut next in sequences(&rest, budget, most - 1, kinds) {
                    next.kinds.insert(0, (family, order));
                    found.extend(joined(next.candidate).map(|candidate| Sequence { candidate, ..next }));
                }
            }
        }
    }
    found
}

/// Rules that are right on a part of what changes and wrong nowhere: those that explain most in fewest bits first.
fn firsts(open: &Open, budget: Budget, is_first: bool, is_asked: impl Fn(Family) -> bool) -> Vec<(Family, Candidate)> {
    let mut found: Vec<(usize, Family, Candidate)> = Vec::new();
    for family in FAMILIES.into_iter().filter(|&family| is_asked(family)) {
        if budget.is_over() {
            break;
        }
        let mut parts = Vec::new();
        match family {
            Family::Objects => parts = objects::parts(&open.puzzle, budget),
            Family::Cells => parts = cells::parts(&open.puzzle, budget),
            Family::Lines if !is_first => drop(lines::propose_plain(&open.puzzle, budget, &mut parts)),
            _ => drop(fitted(family, &open.puzzle, budget, &mut parts)),
        }
        for part in parts.into_iter().filter(|part| part.bits <= MOST_BITS) {
            let is_known = |(_, _, other): &(usize, Family, Candidate)| other.outputs == part.outputs;
            if let Some(explained) = open.explained(&part).filter(|_| !found.iter().any(is_known)) {
                found.push((explained, family, part));
            }
        }
    }
    found.sort_by_key(|(explained, family, part)| (part.bits as i64 - CELL * *explained as i64, *family));
    found.into_iter().take(MOST_FIRST[usize::from(!is_first)]).map(|(_, family, part)| (family, part)).collect()
}

/// A rule and what comes after it or under it as one.
fn joined(first: &Candidate, next: Candidate, order: Order, open: &Open) -> Option<Candidate> {
    let over = |(input, (first, next)): (&Picture, (&Picture, &Picture))| {
        let cell = |((&input, &first), &next): ((&u8, &u8), &u8)| if first == input { next } else { first };
        let cells = input.cells.iter().zip(&first.cells).zip(&next.cells).map(cell).collect();
        (first.size() == next.size()).then_some(Picture { cells, ..*input })
    };
    let outputs = match order {
        Order::After => next.outputs,
        Order::Under => open.puzzle.tests.iter().zip(first.outputs.iter().zip(&next.outputs)).map(over).collect::<Option<_>>()?,
    };
    let program = emit::in_sequence(&first.program, &next.program, order == Order::Under);
    Some(Candidate { program, bits: first.bits + next.bits + STEP, foretold: 0, outputs })
}

impl Open {
    fn new(puzzle: &Puzzle) -> Self {
        let tests = puzzle.tests.iter().chain(puzzle.demos.iter().map(|demo| &demo.0)).cloned().collect();
        let places = (puzzle.tests.len()..).take(puzzle.demos.len()).collect();
        Self { puzzle: Puzzle { demos: puzzle.demos.clone(), tests }, places }
    }

    /// The same without a demo, whose input stays among the tests.
    fn without(&self, demo: usize) -> Self {
        let mut others = Self { puzzle: self.puzzle.clone(), places: self.places.clone() };
        others.puzzle.demos.remove(demo);
        others.places.remove(demo);
        others
    }

    /// What a rule made of the demos' inputs.
    fn made<'a>(&self, rule: &'a Candidate) -> impl Iterator<Item = &'a Picture> + use<'a> {
        self.places.clone().into_iter().map(|place| &rule.outputs[place])
    }

    /// The number of cells that a rule explains; `None` if it is wrong somewhere, explains nothing, or everything.
    fn explained(&self, rule: &Candidate) -> Option<usize> {
        let (mut explained, mut left, mut demos) = (0, 0, 0);
        for ((input, output), made) in self.puzzle.demos.iter().zip(self.made(rule)) {
            if made.size() != output.size() {
                return None;
            }
            let before = explained;
            for ((&input, &output), &made) in input.cells.iter().zip(&output.cells).zip(&made.cells) {
                if output == FREE {
                    continue;
                }
                if made != input && made != output {
                    return None;
                }
                explained += usize::from(made != input);
                left += usize::from(made != output);
            }
            demos += usize::from(explained > before);
        }
        // What explains one demo only is not foretold by the others.
        (demos >= self.puzzle.demos.len().min(2) && left > 0).then_some(explained)
    }

    /// What remains to be explained after a rule, or under it.
    fn rest(&self, rule: &Candidate, order: Order) -> Self {
        let next = |((input, output), made): (&(Picture, Picture), &Picture)| match order {
            Order::After => (made.clone(), output.clone()),
            Order::Under => {
                let cells = output.cells.iter().zip(input.cells.iter().zip(&made.cells));
                let cells = cells.map(|(&output, (input, made))| if made == input { output } else { FREE }).collect();
                (input.clone(), Picture { cells, ..*output })
            }
        };
        let demos = self.puzzle.demos.iter().zip(self.made(rule)).map(next).collect();
        let tests = if order == Order::After { rule.outputs.clone() } else { self.puzzle.tests.clone() };
        Self { puzzle: Puzzle { demos, tests }, places: self.places.clone() }
    }
}
