//! A cell for each panel, row, column or object; the cells may be turned or mirrored, and each may be a block.

use batt_core::{Reason, Value};
use batt_vision::operations::boxes;
use batt_vision::{Ground, Image, Mode, Plane, Scene, Work};

use super::objects::vocabulary;
use crate::examples::{Examples, Picture};
use crate::learn::Effort;
use crate::propose::{Candidate, FitOptions};
use crate::recipe::{Argument, Recipe};
use crate::row::{FamilyRow, Given, OnViews, RuleRow, Turn, When, columns};
use crate::rules::{Rule, RuleList, Rules, decide_items};
use crate::table::{candidates, table};

/// A cell for each panel.
pub const PANELS: FamilyRow = FamilyRow {
    name: "rule-panels",
    rules: &[RuleRow {
        name: "panelrule",
        parameters: columns!(image: Image, ground: Number, mode: Number, rules: Tuple),
        sentence: "A cell for every panel, in the colour of the first rule that holds for it.",
        example: ("panelrule(((1, 5, 0),), 0, 5, (((), (0, 0, 0)),))", "((1, 0),)"),
        gives: ("one cell for each panel, in the colour that a list of rules decides", "lists-of-rules"),
        page: &[],
        apply: applied,
    }],
    place: 1,
    when: When::Early,
    on_views: OnViews { same_size: Turn::Never, other_size: true, cropped: false },
    fit,
};

fn applied(arguments: &[&Value]) -> Result<Picture, Reason> {
    let (image, ground, mode, RuleList(rules)): (Picture, Ground, Mode, RuleList) = Given::given(arguments)?;
    panel_rule(image.image(), ground, mode, &rules).map(Picture::new).ok_or(Reason::NoMatch)
}

/// A cell for each item, as the items stand: rows, columns and colours. `None` if the rows are not full, or an item gets no colour.
fn panel_rule(image: Image<'_>, ground: Ground, mode: Mode, rules: &Rules) -> Option<(usize, usize, Vec<u8>)> {
    let scene = Scene::new(image, ground);
    let decided = decide_items(&scene, mode, rules)?;
    let across = scene.segments(mode)?.across;
    if decided.is_empty() || decided.len() % across != 0 {
        return None;
    }
    let rows = decided.len() / across;
    Some((rows, across, decided.into_iter().collect::<Option<_>>()?))
}

const EFFORT: Effort = Effort { tests: 2, rules: 4, lists: 12, steps: 40_000, work: 100, deadline: None };

const MODES: [Mode; 7] = [Mode::Panels, Mode::Rows, Mode::Columns, Mode::Sides, Mode::Corners, Mode::AnyCorners, Mode::Colours];

/// The ways to turn or mirror a grid, and those that undo them.
const TURNS: [(i32, i32); 7] = [(0, 2), (1, 1), (2, 0), (3, 3), (4, 4), (5, 5), (6, 6)];
/// The most rows or columns of a block.
const MOST_SIDE: usize = 10;
/// Cost of turning, and of enlarging cells to blocks.
const FINISH: u32 = 6;

/// Final step on the cells of panels: a turn or reflection, then each cell enlarged to a block of so many rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Finish {
    turn: Option<(i32, i32)>,
    rows: usize,
    columns: usize,
}

impl Finish {
    /// All that a table of a size may become a picture of another size by. The number of rows and columns of panels differs by demo, that of a
    /// block does not.
    fn all(table: (usize, usize), picture: (usize, usize)) -> Vec<Self> {
        let mut all = Vec::new();
        for turn in [None].into_iter().chain(TURNS.map(Some)) {
            let (height, width) = if matches!(turn, Some((0 | 2 | 5 | 6, _))) { (table.1, table.0) } else { table };
            let (rows, columns) = (picture.0 / height.max(1), picture.1 / width.max(1));
            let is_block = (1..=MOST_SIDE).contains(&rows) && (1..=MOST_SIDE).contains(&columns);
            if is_block && (rows * height, columns * width) == picture {
                all.push(Self { turn, rows, columns });
            }
        }
        all
    }

    fn apply(self, table: &Picture) -> Option<Picture> {
        let turned = self.turn.map_or_else(|| Some(table.clone()), |(turn, _)| turned(table, turn))?;
        let (height, width) = (turned.height * self.rows, turned.width * self.columns);
        let cell = |place: usize| turned.cells[place / width / self.rows * turned.width + place % width / self.columns];
        Some(Picture { height, width, cells: (0..height * width).map(cell).collect() })
    }

    /// The table that becomes an output, if there is one.
    fn undone(self, output: &Picture) -> Option<Picture> {
        if !output.height.is_multiple_of(self.rows) || !output.width.is_multiple_of(self.columns) {
            return None;
        }
        let (height, width) = (output.height / self.rows, output.width / self.columns);
        let cell = |place: usize| output.cells[place / width * self.rows * output.width + place % width * self.columns];
        let small = Picture { height, width, cells: (0..height * width).map(cell).collect() };
        let table = self.turn.map_or_else(|| Some(small.clone()), |(_, back)| turned(&small, back))?;
        (self.apply(&table).as_ref() == Some(output)).then_some(table)
    }

    /// The primitives that do it, each with its number.
    fn calls(self) -> impl Iterator<Item = (&'static str, usize)> {
        let turned = self.turn.map(|(turn, _)| ("turned", turn as usize));
        let blocks = [("vupscale", self.rows), ("hupscale", self.columns)];
        turned.into_iter().chain(blocks.into_iter().filter(|(_, times)| *times > 1))
    }

    fn bits(self) -> u32 {
        FINISH * self.calls().count() as u32
    }
}

fn turned(picture: &Picture, turn: i32) -> Option<Picture> {
    let mut work = Work::default();
    boxes::TURNED.on(picture.image(), turn, &mut work)?;
    let image = work.out.iter().next()?;
    Some(Picture { height: image.height(), width: image.width(), cells: image.cells.to_vec() })
}

fn fit(examples: &Examples, budget: FitOptions, _: &mut Vec<Candidate>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for ground in examples.grounds() {
        for mode in MODES {
            if budget.is_over() {
                return found;
            }
            found.extend(in_mode(examples, ground, mode, EFFORT.until(budget)));
        }
    }
    found
}

fn in_mode(examples: &Examples, ground: Ground, mode: Mode, effort: Effort) -> Vec<Candidate> {
    let size = |scene: &Scene<'_>| {
        let segments = scene.segments(mode)?;
        let (count, across) = (segments.items.len(), segments.across.max(1));
        (count > 0 && count % across == 0).then_some((count / across, across))
    };
    let size = |(input, _): &(Picture, Picture)| size(&Scene::new(input.image(), ground));
    let first = examples.demos.first().and_then(|first| Some((size(first)?, first.1.size())));
    let finishes = first.map_or_else(Vec::new, |(table, output)| Finish::all(table, output));
    let mut found = Vec::new();
    if finishes.is_empty() {
        return found;
    }
    let Some(sizes) = examples.demos.iter().map(size).collect::<Option<Vec<(usize, usize)>>>() else { return found };
    for finish in finishes {
        let small = |((_, output), size): (&(Picture, Picture), &(usize, usize))| {
            finish.undone(output).filter(|small| small.size() == *size).map(|small| small.cells.iter().map(|&cell| cell.into()).collect())
        };
        let Some(cells) = examples.demos.iter().zip(&sizes).map(small).collect::<Option<Vec<Plane>>>() else { continue };
        let wanted = |demo: usize, _: &Scene<'_>| cells.get(demo).cloned();
        let Some(table) = table(examples, ground, Some(mode), &vocabulary(), effort, wanted) else { continue };
        let apply = |input: &Picture, rules: &[Rule]| finish.apply(&Picture::new(panel_rule(input.image(), ground, mode, rules)?));
        let recipe = |rules: &[Rule]| {
            let arguments = [Argument::Input, Argument::of(&ground), Argument::of(&mode), Argument::list(rules)];
            let mut recipe = Recipe::of("panelrule", arguments);
            for (primitive, number) in finish.calls() {
                recipe.call(primitive, [recipe.output(), Argument::of(&number)]);
            }
            recipe
        };
        found.extend(candidates(examples, &table, apply, recipe, 2 + finish.bits()));
    }
    found
}
