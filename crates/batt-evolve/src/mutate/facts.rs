//! Facts about the demos of a task, for mutations that propose likely constants. Nothing here sees a test.

use std::sync::LazyLock;

use batt_core::{Grid, Pair, PrimId, Value};
use batt_dsl::{Limits, Machine, Prim, primitives};

/// Facts about the demos of a task. All lists have the likeliest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskFacts {
    /// Colours of inputs that no output has, as `c_iz` finds them; first the colours of all inputs.
    pub gone: Vec<u8>,
    /// Colours of outputs that no input has, as `c_zo` finds them; first the colours of all outputs.
    pub new: Vec<u8>,
    /// All ten colours: first colours that appear or vanish, then by how many grids have them.
    pub colours: Vec<u8>,
    /// How many of these are in the demos.
    pub known_colours: usize,
    /// Mirrors and rotations, as `mir_rot_t` numbers them. First the ones that make every output from its input, in the order of `a_mr`;
    /// then the symmetries of all outputs that some input lacks.
    pub angles: Vec<u8>,
    /// Integers that all demos have in common: sides of outputs and inputs, how many times an output is larger or smaller.
    pub numbers: Vec<i64>,
    /// Dimensions that all demos have in common: of outputs, of inputs, their ratio.
    pub shapes: Vec<(i32, i32)>,
}

/// The primitives that do what the first angles stand for.
pub(super) static TURNS: LazyLock<Vec<PrimId>> = LazyLock::new(|| {
    let rows = primitives().filter(|(_, row)| row.alias.is_none());
    let mut turns: Vec<(u8, PrimId)> = rows.filter_map(|(id, row)| Some((row.turn?, id))).collect();
    turns.sort_unstable();
    turns.into_iter().map(|(_, id)| id).collect()
});

impl TaskFacts {
    /// The facts that demos show.
    pub fn new(demos: &[Pair]) -> Self {
        let inputs: Vec<[bool; 10]> = demos.iter().map(|pair| palette(&pair.input)).collect();
        let outputs: Vec<[bool; 10]> = demos.iter().map(|pair| palette(&pair.output)).collect();
        let (gone, new) = (only_in(&inputs, &outputs), only_in(&outputs, &inputs));
        let grids = |colour: u8| inputs.iter().chain(&outputs).filter(|palette| palette[usize::from(colour)]).count();
        let mut colours: Vec<u8> = (0..10).collect();
        // The sort keeps the order of equals, so that the lowest colour comes first.
        colours.sort_by_key(|colour| (!(gone.contains(colour) || new.contains(colour)), std::cmp::Reverse(grids(*colour))));
        let known_colours = (0..10).filter(|&colour| grids(colour) > 0).count();
        let (numbers, shapes) = sizes(demos);
        Self { gone, new, colours, known_colours, angles: angles(demos), numbers, shapes }
    }

    /// The colours that come or go.
    pub fn changed_colours(&self) -> impl Iterator<Item = u8> + '_ {
        self.gone.iter().chain(&self.new).copied()
    }
}

fn palette(grid: &Grid) -> [bool; 10] {
    let mut has = [false; 10];
    for &cell in grid.cells() {
        if let Some(known) = usize::try_from(cell).ok().and_then(|colour| has.get_mut(colour)) {
            *known = true;
        }
    }
    has
}

/// The colours of some of `these` and none of `those`; first the colours of all of `these`.
fn only_in(these: &[[bool; 10]], those: &[[bool; 10]]) -> Vec<u8> {
    let count = |palettes: &[[bool; 10]], colour: usize| palettes.iter().filter(|palette| palette[colour]).count();
    let mut found: Vec<u8> = (0..10).filter(|&k| count(these, k) > 0 && count(those, k) == 0).map(|k| k as u8).collect();
    found.sort_by_key(|&colour| count(these, usize::from(colour)) < these.len());
    found
}

fn angles(demos: &[Pair]) -> Vec<u8> {
    if demos.is_empty() {
        return Vec::new();
    }
    let mut machine = Machine::fast(Limits::default());
    let mut turned = |grid: &Grid, angle: u8| {
        machine.refuel();
        let args = [&Value::Grid(grid.clone()), &Value::Int(i64::from(angle))];
        machine.call_primitive(Prim::mir_rot_t.into(), &args).ok()
    };
    let mut is_turned = |from: &Grid, to: &Grid, angle: u8| turned(from, angle).is_some_and(|value| value == Value::Grid(to.clone()));
    let every = 0..TURNS.len() as u8;
    let shown: Vec<u8> = every.clone().filter(|&angle| demos.iter().all(|pair| is_turned(&pair.input, &pair.output, angle))).collect();
    let kept: Vec<u8> = every
        .filter(|angle| !shown.contains(angle))
        .filter(|&angle| {
            demos.iter().all(|pair| is_turned(&pair.output, &pair.output, angle))
                && !demos.iter().all(|pair| is_turned(&pair.input, &pair.input, angle))
        })
        .collect();
    [shown, kept].concat()
}

/// Two numbers of a pair of grids: of rows and of columns.
type Sides<'a> = &'a dyn Fn(&Pair) -> (Option<i64>, Option<i64>);

fn sizes(demos: &[Pair]) -> (Vec<i64>, Vec<(i32, i32)>) {
    let shape = |grid: &Grid| (grid.height() as i64, grid.width() as i64);
    let common = |find: &dyn Fn(&Pair) -> Option<i64>| {
        let mut found = demos.iter().map(find);
        let first = found.next()??;
        found.all(|other| other == Some(first)).then_some(first)
    };
    let ratio = |large: i64, small: i64| (small > 0 && large % small == 0).then(|| large / small);
    let sides: [Sides<'_>; 4] = [
        &|pair| (Some(shape(&pair.output).0), Some(shape(&pair.output).1)),
        &|pair| (ratio(shape(&pair.output).0, shape(&pair.input).0), ratio(shape(&pair.output).1, shape(&pair.input).1)),
        &|pair| (ratio(shape(&pair.input).0, shape(&pair.output).0), ratio(shape(&pair.input).1, shape(&pair.output).1)),
        &|pair| (Some(shape(&pair.input).0), Some(shape(&pair.input).1)),
    ];
    let mut numbers = Vec::new();
    let mut shapes = Vec::new();
    for find in sides {
        let (rows, columns) = (common(&|pair| find(pair).0), common(&|pair| find(pair).1));
        for side in [rows, columns].into_iter().flatten() {
            if !numbers.contains(&side) {
                numbers.push(side);
            }
        }
        if let (Some(rows), Some(columns)) = (rows, columns) {
            let pair = (rows as i32, columns as i32);
            if !shapes.contains(&pair) {
                shapes.push(pair);
            }
        }
    }
    (numbers, shapes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(input: &[&[i8]], output: &[&[i8]]) -> Option<Pair> {
        Some(Pair { input: Grid::from_rows(input).ok()?, output: Grid::from_rows(output).ok()? })
    }

    fn facts(pairs: [Option<Pair>; 2]) -> TaskFacts {
        let pairs: Vec<Pair> = pairs.into_iter().flatten().collect();
        assert_eq!(pairs.len(), 2);
        TaskFacts::new(&pairs)
    }

    #[test]
    fn colours_that_come_and_go_are_found() {
        let facts = facts([pair(&[&[0, 3, 1]], &[&[0, 4, 1]]), pair(&[&[0, 3, 2]], &[&[0, 4, 8]])]);
        // One input has 2 and no output; 3 goes everywhere. 8 is new in one output only.
        assert_eq!(facts.gone, [3, 2]);
        assert_eq!(facts.new, [4, 8]);
        assert_eq!(facts.colours, [3, 4, 2, 8, 0, 1, 5, 6, 7, 9]);
        assert_eq!(facts.known_colours, 6);
        assert_eq!(facts.changed_colours().collect::<Vec<_>>(), [3, 2, 4, 8]);
    }

    #[test]
    fn angles_are_those_that_the_demos_show() {
        let shown = facts([pair(&[&[1, 2], &[3, 4]], &[&[3, 1], &[4, 2]]), pair(&[&[5, 6]], &[&[5], &[6]])]);
        assert_eq!(shown.angles, [4], "rot90");
        let kept = facts([pair(&[&[1, 2]], &[&[1, 2, 1]]), pair(&[&[1, 1]], &[&[2, 3, 2]])]);
        assert_eq!(kept.angles, [2, 5], "the outputs are the same from both sides, the inputs are not");
    }

    #[test]
    fn sizes_that_the_demos_share_are_found() {
        let facts = facts([pair(&[&[1, 2]], &[&[1, 1, 2, 2, 0, 0]]), pair(&[&[5, 6, 7]], &[&[5, 5, 6, 6, 7, 7, 0, 0, 0]])]);
        assert_eq!(facts.numbers, [1, 3]);
        assert_eq!(facts.shapes, [(1, 3)]);
    }

    #[test]
    fn nothing_is_shown_by_nothing() {
        let facts = TaskFacts::new(&[]);
        assert_eq!(facts.colours, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!((facts.known_colours, facts.angles.len(), facts.numbers.len()), (0, 0, 0));
    }
}
