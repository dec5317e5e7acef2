//! Choices: outputs that are one of a few grids, by counts and other features of what is drawn.

use batt_core::{Reason, Value};
use batt_vision::{COLOURS, Ground, Image, Mode, Scene};

use crate::examples::{Examples, Picture};
use crate::families::objects::vocabulary;
use crate::learn::Effort;
use crate::parameter::Pattern;
use crate::propose::{Candidate, FitOptions};
use crate::recipe::{Argument, Recipe};
use crate::row::{Given, Part, RuleRow, columns};
use crate::rules::{Paint, Rule, RuleList, Rules, decide_items};
use crate::table::{Vocabulary, candidates, table};

/// One of a few grids.
pub(super) const ROW: RuleRow = RuleRow {
    name: "chooserule",
    parameters: columns!(image: Image, ground: Number, rules: Tuple, patterns: Tuple),
    sentence: "One of several grids, whose number rules give to all cells but background as one object.",
    example: ("chooserule(((0, 3),), 0, ((((0, 1, 0, 0, 1),), 1), ((), 0)), (((5, 5),), ((10,), (0,))))", "((3,), (0,))"),
    gives: ("one of several grids, whose number a list of rules decides", "chooserule"),
    page: &[Part::Text(PAGE)],
    apply: applied,
};

const PAGE: &str = "All cells but background are one object, the mode Whole. A paint is the number of a grid in
`patterns`. 10 in a pattern is the image's most common colour but background.
";

fn applied(arguments: &[&Value]) -> Result<Picture, Reason> {
    let (image, ground, RuleList(rules), patterns): (Picture, Ground, RuleList, Vec<Pattern>) = Given::given(arguments)?;
    if patterns.len() > MOST_PATTERNS {
        return Err(Reason::TooLarge);
    }
    choose_rule(image.image(), ground, &rules, &patterns).ok_or(Reason::NoMatch)
}

/// The number of patterns that rules choose from: as many as there are colours.
pub(crate) const MOST_PATTERNS: usize = COLOURS;

/// The pattern whose number rules give to all that is drawn as one item.
fn choose_rule(image: Image<'_>, ground: Ground, rules: &Rules, patterns: &[Pattern]) -> Option<Picture> {
    let scene = Scene::new(image, ground);
    let chosen = (*decide_items(&scene, Mode::Whole, rules)?.first()?)?;
    let Pattern(pattern) = patterns.get(usize::from(chosen))?;
    let colour = scene.main_colour()?;
    pattern.with(Some(pattern.cells.iter().map(|&cell| if usize::from(cell) == COLOURS { colour } else { cell }).collect()))
}

const EFFORT: Effort = Effort { tests: 1, rules: MOST_PATTERNS, lists: 12, steps: 10_000, work: 60, deadline: None };

/// The most cells of an output.
const MOST_CELLS: usize = 100;
/// Cost of a grid besides the rule that chooses it.
const PATTERN: u32 = 3;

pub(super) fn fit(examples: &Examples, budget: FitOptions) -> Vec<Candidate> {
    let mut found = Vec::new();
    if examples.demos.iter().any(|(_, output)| output.cells.len() > MOST_CELLS) {
        return found;
    }
    for ground in examples.grounds() {
        for is_coloured in [false, true] {
            if !budget.is_over() {
                found.extend(chosen(examples, ground, is_coloured, EFFORT.until(budget)).unwrap_or_default());
            }
        }
    }
    // A view is one more thing to choose: what it shows must foretell all demos.
    let all = (1 << examples.demos.len()) - 1;
    found.retain(|candidate| !budget.is_quick || candidate.foretold == all);
    found
}

/// Choices of outputs as they are, or with the most common colour of each image for all images.
fn chosen(examples: &Examples, ground: Ground, is_coloured: bool, effort: Effort) -> Option<Vec<Candidate>> {
    let mut patterns: Vec<Pattern> = Vec::new();
    let mut numbers: Vec<i16> = Vec::new();
    for (input, output) in &examples.demos {
        let main = Scene::new(input.image(), ground).main_colour()?;
        let abstracted = |&cell: &u8| if is_coloured && cell == main { COLOURS as u8 } else { cell };
        let pattern = Pattern(Picture { cells: output.cells.iter().map(abstracted).collect(), ..*output });
        let number = patterns.iter().position(|other| *other == pattern);
        numbers.push(number.unwrap_or(patterns.len()) as i16);
        if number.is_none() {
            patterns.push(pattern);
        }
    }
    // Grids that all occur once are not chosen; one grid for all is no choice.
    let is_choice = patterns.len() < numbers.len() && patterns.len() <= MOST_PATTERNS && (patterns.len() > 1 || is_coloured);
    if !is_choice || (is_coloured && patterns.iter().all(|pattern| !pattern.0.cells.contains(&(COLOURS as u8)))) {
        return None;
    }
    let words = Vocabulary { paints: Vec::new(), ..vocabulary() };
    let wanted = |demo: usize, scene: &Scene<'_>| (scene.segments(Mode::Whole)?.items.len() == 1).then(|| vec![numbers[demo]]);
    let mut table = table(examples, ground, Some(Mode::Whole), &words, effort, wanted)?;
    let count = numbers.len();
    table.paints = (0..patterns.len() as u8).map(|number| (Paint::Colour(number), vec![i16::from(number); count], 1)).collect();
    table.defaults = (0..patterns.len()).collect();
    let apply = |input: &Picture, rules: &[Rule]| choose_rule(input.image(), ground, rules, &patterns);
    let recipe = |rules: &[Rule]| {
        Recipe::of("chooserule", [Argument::Input, Argument::of(&ground), Argument::list(rules), Argument::list(&patterns)])
    };
    let mut found = candidates(examples, &table, apply, recipe, 2 + PATTERN * patterns.len() as u32);
    // A few images have many features in common: what foretells no demo was made up.
    found.retain(|candidate| candidate.foretold > 0);
    Some(found)
}
