//! Lines: kinds of lines that are right wherever they go, one after the other until nothing is left to explain.

mod moves;
mod moving;
#[cfg(test)]
mod tests;
mod trace;

use batt_core::{Reason, Value};
use batt_vision::Ground;

use crate::contact::Stop;
use crate::examples::{Examples, Picture};
use crate::parameter::by_numbers;
use crate::propose::{Candidate, FitOptions};
use crate::recipe::{Argument, Recipe};
use crate::row::{FamilyRow, Given, OnViews, Part, RuleRow, When, columns, listed};
use trace::{ANY, Beginnings, From, Line, MOST_LINES, Mark, STOPPER, TAIL, Turn, line_rule};

/// Lines with what stops and turns them, and objects that move.
pub const LINES: FamilyRow = FamilyRow {
    name: "rule-lines",
    rules: &[
        RuleRow {
            name: "linerule",
            parameters: columns!(image: Image, ground: Number, lines: Tuple),
            sentence: "Lines of one kind after the other. A kind is (source, start, ways, stop, turn, mark, paint).",
            example: ("linerule(((1, 0, 0, 5),), 0, ((1, 0, 8, 0, 0, 0, 10),))", "((1, 1, 1, 5),)"),
            gives: ("lines from cells, with what stops and turns them", "linerule"),
            page: &[Part::Text(PAGE), listed!("start", From), listed!("stop", Stop), listed!("turn", Turn), listed!("mark", Mark)],
            apply: applied,
        },
        moving::ROW,
    ],
    place: 9,
    when: When::EarlyAndAfter,
    on_views: OnViews { same_size: crate::row::Turn::First, other_size: false, cropped: false },
    fit,
};

const PAGE: &str = "A line is seven numbers: source, start, ways, stop, turn, mark, paint.

- **source**: the colour of the cells where it starts, 10 for any.
- **start**: which of these cells.
- **ways**: the sum of 1, 2, 4, ... 128 for its [directions](#directions-and-symmetries).
- **stop**: what it does before other cells than background.
- **turn**: what it does where it is stopped.
- **mark**: which of its cells are painted.
- **paint**: a colour, 10 for the source's, 11 for the colour that stopped it, 12 for the colours of
  its tail in turn: the cells behind its start, up to background.
";

fn applied(arguments: &[&Value]) -> Result<Picture, Reason> {
    let (image, ground, lines): (Picture, Ground, Vec<Line>) = Given::given(arguments)?;
    if lines.len() > MOST_LINES {
        return Err(Reason::TooLarge);
    }
    image.with(Some(line_rule(image.image(), ground, &lines))).ok_or(Reason::NoMatch)
}

by_numbers!(Line);

/// The most kinds of lines.
const MOST: usize = 3;
/// Sets of directions: each one, two opposite ones, all sides, all corners, all.
const WAYS: [u8; 15] = [1, 2, 4, 8, 16, 32, 64, 128, 3, 12, 48, 192, 15, 240, 255];

fn fit(examples: &Examples, budget: FitOptions, parts: &mut Vec<Candidate>) -> Vec<Candidate> {
    if !examples.keeps_size() || examples.demos.iter().any(|(input, output)| input == output) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for ground in examples.grounds() {
        if !budget.is_over() {
            found.extend(on_ground(examples, ground, budget, parts));
        }
    }
    found.extend(moving::fit(examples, budget));
    found
}

/// Search criteria for kinds of lines.
#[derive(Clone, Copy)]
struct Aim {
    /// Plain ones only.
    plain: bool,
    /// Until its time is over.
    budget: FitOptions,
}

fn on_ground(examples: &Examples, ground: Ground, budget: FitOptions, parts: &mut Vec<Candidate>) -> Option<Candidate> {
    let all: Vec<&(Picture, Picture)> = examples.demos.iter().collect();
    let candidate = |lines: &[Line], foretold: u32| {
        let outputs = examples.tests.iter().map(|test| Picture { cells: line_rule(test.image(), ground, lines), ..*test }).collect();
        let recipe = Recipe::of("linerule", [Argument::Input, Argument::of(&ground), Argument::list(lines)]);
        Candidate { recipe, bits: lines.iter().map(|line| cost(*line)).sum(), foretold, outputs }
    };
    // The line that explains most may be in the way of plain ones.
    for plain in [false, true] {
        let aim = Aim { plain, budget };
        let (lines, fits) = some_fitted(&all, ground, aim);
        if fits {
            let foretold = foretold(&all, ground, aim);
            // What foretells nothing was made up.
            if foretold != 0 || all.len() == 1 {
                return Some(candidate(&lines, foretold));
            }
            continue;
        }
        parts.extend((1..=lines.len()).map(|count| candidate(&lines[..count], 0)));
        if lines.iter().all(|line| is_plain(*line)) {
            return None;
        }
    }
    None
}

/// The demos that a fit without them foretells, a bit each.
fn foretold(all: &[&(Picture, Picture)], ground: Ground, aim: Aim) -> u32 {
    let is_foretold = |left_out: &usize| {
        let others: Vec<&(Picture, Picture)> = all.iter().enumerate().filter(|(demo, _)| demo != left_out).map(|(_, demo)| *demo).collect();
        let (input, output) = all[*left_out];
        let fits = |lines: Vec<Line>| Picture { cells: line_rule(input.image(), ground, &lines), ..*input } == *output;
        !others.is_empty() && fitted(&others, ground, aim).is_some_and(fits)
    };
    (0..all.len()).filter(is_foretold).fold(0, |all, demo| all | 1 << demo)
}

/// Kinds of lines that make the outputs of the inputs: first those that explain most.
fn fitted(demos: &[&(Picture, Picture)], ground: Ground, aim: Aim) -> Option<Vec<Line>> {
    let (lines, fits) = some_fitted(demos, ground, aim);
    fits.then_some(lines)
}

/// Greedily fitted kinds of lines, and whether they make all outputs.
fn some_fitted(demos: &[&(Picture, Picture)], ground: Ground, aim: Aim) -> (Vec<Line>, bool) {
    // Lines do not change what is background.
    let grounds: Vec<u8> = demos.iter().map(|demo| ground.of(demo.0.image())).collect();
    let mut made: Vec<Picture> = demos.iter().map(|demo| demo.0.clone()).collect();
    let mut lines = Vec::new();
    while lines.len() < MOST {
        let Some(line) = best(&Stage { made: &made, demos, grounds: &grounds }, aim) else { break };
        lines.push(line);
        // The colours that lead in measures are those of the inputs.
        for ((picture, demo), &ground) in made.iter_mut().zip(demos).zip(&grounds) {
            picture.cells = line_rule(demo.0.image(), Ground::Colour(ground), &lines);
        }
        if made.iter().zip(demos).all(|(made, demo)| *made == demo.1) {
            return (lines, true);
        }
    }
    (lines, false)
}

/// Pictures with the lines so far, the demos, and the backgrounds.
struct Stage<'a> {
    made: &'a [Picture],
    demos: &'a [&'a (Picture, Picture)],
    grounds: &'a [u8],
}

/// The kind of line that is right on most of the cells that differ, and wrong nowhere; of several the simplest. None when the time is over.
fn best(stage: &Stage<'_>, aim: Aim) -> Option<Line> {
    let &Stage { made, grounds, .. } = stage;
    // Where colours differ in each demo, the source may be any.
    let in_all = |colour: u8| made.iter().zip(grounds).all(|(picture, &ground)| picture.cells.contains(&colour) && ground != colour);
    let sources: Vec<u8> = (0..10).filter(|&colour| in_all(colour)).chain([ANY]).collect();
    let (froms, ends) = if aim.plain { (&From::ALL[..PLAIN_FROM], &ENDS[PLAIN]) } else { (&From::ALL[..FROM], &ENDS[..]) };
    let mut best: Option<(usize, std::cmp::Reverse<u32>, Line)> = None;
    for &source in &sources {
        for &from in froms {
            // Where lines begin in each demo, in a set of directions.
            let beginnings = |ways: u8| -> Vec<Beginnings> {
                let line = Line { source, from, ways, stop: Stop::Before, turn: Turn::End, mark: Mark::All, paint: ANY };
                made.iter().zip(grounds).map(|(picture, &ground)| line.beginnings(picture.image(), ground)).collect()
            };
            let all: [Vec<Beginnings>; 8] = std::array::from_fn(|way| beginnings(1 << way));
            for &(stop, turn, mark) in ends {
                if aim.budget.is_over() {
                    return None;
                }
                let line = |ways: u8| Line { source, from, ways, stop, turn, mark, paint: ANY };
                // What is found in one direction is found in several together.
                let alone: [Option<Evidence>; 8] = std::array::from_fn(|way| Evidence::of(line(1 << way), &all[way], stage));
                for ways in WAYS {
                    let each = (0..8).filter(|way| ways >> way & 1 == 1);
                    let evidence = each.map(|way| alone[way]).try_fold(Evidence::NONE, |all, one| all.and(one?));
                    let Some(evidence) = evidence.filter(|evidence| evidence.explained > 0) else { continue };
                    let line = Line { paint: evidence.paint(), ..line(ways) };
                    if aim.plain && matches!(line.paint, STOPPER | TAIL) {
                        continue;
                    }
                    let rank = (evidence.explained, std::cmp::Reverse(cost(line)), line);
                    if best.is_none_or(|best| (best.0, best.1) < (rank.0, rank.1)) {
                        best = Some(rank);
                    }
                }
            }
        }
    }
    best.map(|(_, _, line)| line)
}

/// How lines end and which of their cells are painted.
type End = (Stop, Turn, Mark);

/// The plain ways to end and to begin.
const PLAIN: std::ops::Range<usize> = 2..20;
const PLAIN_FROM: usize = 4;
/// The ways to begin that are tried.
const FROM: usize = 7;

/// The ways in which lines end; of those that cost the same the first is meant.
const ENDS: [End; 26] = [
    (Stop::Before, Turn::HitOther, Mark::All),
    (Stop::Own, Turn::Hit, Mark::All),
    (Stop::Before, Turn::End, Mark::All),
    (Stop::Before, Turn::Right, Mark::All),
    (Stop::Before, Turn::Left, Mark::All),
    (Stop::Before, Turn::Bounce, Mark::All),
    (Stop::Before, Turn::Hit, Mark::All),
    (Stop::Before, Turn::HitOwn, Mark::All),
    (Stop::Before, Turn::Free, Mark::All),
    (Stop::Under, Turn::End, Mark::All),
    (Stop::Over, Turn::End, Mark::All),
    (Stop::Before, Turn::End, Mark::Second),
    (Stop::Before, Turn::Right, Mark::Second),
    (Stop::Before, Turn::Left, Mark::Second),
    (Stop::Before, Turn::Bounce, Mark::Second),
    (Stop::Before, Turn::Hit, Mark::Second),
    (Stop::Before, Turn::HitOwn, Mark::Second),
    (Stop::Before, Turn::Free, Mark::Second),
    (Stop::Under, Turn::End, Mark::Second),
    (Stop::Over, Turn::End, Mark::Second),
    (Stop::Before, Turn::Hit, Mark::Stopper),
    (Stop::Before, Turn::HitOther, Mark::Stopper),
    (Stop::Before, Turn::Hit, Mark::Middle),
    (Stop::Before, Turn::HitOwn, Mark::Middle),
    (Stop::Before, Turn::End, Mark::First),
    (Stop::Over, Turn::End, Mark::Crossed),
];

/// Evidence from the cells that a kind of line paints.
#[derive(Clone, Copy)]
struct Evidence {
    /// How many cells that differ it gets right.
    explained: usize,
    /// The colour of all that it paints, [`ANY`] for several.
    fixed: Option<u8>,
    /// Whether all have the colour of the cell that the line begins at.
    is_own: bool,
    /// Whether all have the colour of the cell that stopped the line.
    is_stopper: bool,
    /// Whether all have the colours of the tail.
    is_tail: bool,
}

impl Evidence {
    const NONE: Self = Self { explained: 0, fixed: None, is_own: true, is_stopper: true, is_tail: true };

    /// Evidence for a kind of line; `None` if it is wrong on a cell.
    fn of(line: Line, from: &[Beginnings], stage: &Stage<'_>) -> Option<Self> {
        let mut all = Self::NONE;
        for (((picture, (_, output)), &ground), from) in stage.made.iter().zip(stage.demos).zip(stage.grounds).zip(from) {
            let image = picture.image();
            let is_right = line.trace_from(from, image, ground, |place, touch| {
                let wanted = output.cells[place];
                let explained = usize::from(wanted != picture.cells[place]);
                // At the edge nothing gives a colour.
                let is_stopper = wanted == touch.stopper.unwrap_or(picture.cells[place]);
                let more = all.and(Self {
                    explained,
                    fixed: Some(wanted),
                    is_own: wanted == touch.own,
                    is_stopper,
                    is_tail: wanted == touch.tail,
                });
                all = more.unwrap_or(all);
                more.is_some()
            });
            if !is_right {
                return None;
            }
        }
        Some(all)
    }

    /// Both together; `None` if no colour is right for both.
    fn and(self, other: Self) -> Option<Self> {
        let fixed = match (self.fixed, other.fixed) {
            (Some(one), Some(other)) if one != other => Some(ANY),
            (one, other) => one.or(other),
        };
        let (is_own, is_stopper) = (self.is_own && other.is_own, self.is_stopper && other.is_stopper);
        let is_tail = self.is_tail && other.is_tail;
        let is_right = is_own || is_stopper || is_tail || fixed != Some(ANY);
        is_right.then_some(Self { explained: self.explained + other.explained, fixed, is_own, is_stopper, is_tail })
    }

    /// The colour: its own rather than one that is given, that rather than the one that stopped it or those of its tail.
    fn paint(self) -> u8 {
        match self.fixed {
            _ if self.is_own => ANY,
            Some(colour) if colour != ANY => colour,
            _ if self.is_stopper => STOPPER,
            _ => TAIL,
        }
    }
}

/// Whether a kind of line begins anywhere but at ends and notches, ends in a plain way and has no colour of what stops it.
fn is_plain(line: Line) -> bool {
    let ends = ENDS[PLAIN].contains(&(line.stop, line.turn, line.mark));
    ends && !matches!(line.paint, STOPPER | TAIL) && From::ALL[..PLAIN_FROM].contains(&line.from)
}

/// Cost of a kind of line: about as many bits as there are alternatives.
fn cost(line: Line) -> u32 {
    let source = if line.source == ANY { 1 } else { 3 };
    let from = if line.from == From::All { 1 } else { 3 };
    let ways = match line.ways.count_ones() {
        1 => 3,
        2 => 4,
        _ => 2,
    };
    let end = match (line.stop, line.turn) {
        (Stop::Before, Turn::End | Turn::HitOwn | Turn::Hit | Turn::HitOther) | (Stop::Under, _) => 2,
        _ => 4,
    };
    let paint = match line.paint {
        ANY => 1,
        STOPPER => 2,
        _ => 3,
    };
    4 + source + from + ways + end + if line.mark == Mark::All { 1 } else { 4 } + paint
}
