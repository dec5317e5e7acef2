//! Rules: tests of features, and a colour where they hold.

use crate::{COLOURS, Image};

use crate::cells::cell_plane;
use crate::items::{ItemKind, item_feature_plane, item_plane};
use crate::kinds::kinds;
use crate::roles::Role;
use crate::scene::{Feature, Ground, NONE, Plane, Scene};
use crate::segments::{Item, Mode};

kinds! {
    /// How a test compares the value of a feature.
    Operator {
        /// The value is the number.
        Equal,
        /// The value is another number.
        Unequal,
        /// The value is not less.
        AtLeast,
        /// There is a value, and it is not more.
        AtMost,
        /// The value is the own colour of the cell or object.
        Own,
        /// The value is another than the own colour.
        NotOwn,
        /// The value is that of the role with this number in the image.
        Role,
        /// The value is another than that of the role.
        NotRole,
    }
}

/// A test of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Test {
    /// How.
    pub operator: Operator,
    /// What.
    pub feature: Feature,
    /// The number to compare with.
    pub value: i16,
}

impl Test {
    /// The same for one image, where a role is a number; `None` if nobody has the role there, and the test holds nowhere.
    pub fn in_scene(self, scene: &Scene<'_>) -> Option<Self> {
        let operator = match self.operator {
            Operator::Role => Operator::Equal,
            Operator::NotRole => Operator::Unequal,
            _ => return Some(self),
        };
        let value = scene.role(Role::from_number(self.value)?);
        (value != NONE).then_some(Self { operator, value, ..self })
    }

    /// Whether it holds for a value of its feature, and the own colour. With a role it holds for nothing before it is [`Self::in_scene`].
    #[inline]
    pub fn holds(&self, value: i16, own: i16) -> bool {
        match self.operator {
            Operator::Equal => value == self.value,
            Operator::Unequal => value != self.value,
            Operator::AtLeast => value >= self.value,
            Operator::AtMost => value != NONE && value <= self.value,
            Operator::Own => value == own,
            Operator::NotOwn => value != own,
            Operator::Role | Operator::NotRole => false,
        }
    }
}

/// What a rule paints with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Paint {
    /// A colour.
    Colour(u8),
    /// The background's colour.
    Ground,
    /// The colour that has a role; a rule is skipped where none has it.
    Role(Role),
    /// The value of a feature; a rule is skipped where that is no colour.
    Feature(Feature),
}

/// Tests, and the colour where all of them hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rule {
    /// The tests.
    pub tests: Vec<Test>,
    /// The colour.
    pub paint: Paint,
}

/// Rules in order: the first that holds decides.
pub type Rules = [Rule];

/// The most tests that a list of rules may have.
pub const MOST_TESTS: usize = 200;

/// What the first rule whose tests hold gives each cell or item. Where a rule gives nothing, the next one decides.
pub(crate) fn decide<T: Copy>(
    rules: &Rules,
    own: &[i16],
    scene: &Scene<'_>,
    plane_of: &dyn Fn(Feature) -> Option<Plane>,
    given: impl Fn(Paint) -> Vec<Option<T>>,
) -> Vec<Option<T>> {
    let mut decided = vec![None; own.len()];
    for rule in rules {
        let mut open: Vec<bool> = decided.iter().map(Option::is_none).collect();
        for test in &rule.tests {
            if !open.contains(&true) {
                break;
            }
            let Some(test) = test.in_scene(scene) else {
                open.fill(false);
                break;
            };
            let plane = plane_of(test.feature).unwrap_or_else(|| vec![NONE; own.len()]);
            for (place, open) in open.iter_mut().enumerate() {
                *open = *open && test.holds(plane[place], own[place]);
            }
        }
        if !open.contains(&true) {
            continue;
        }
        let given = given(rule.paint);
        for (place, decided) in decided.iter_mut().enumerate().filter(|(place, _)| open[*place]) {
            *decided = given[place];
        }
    }
    decided
}

/// The colour that each cell or item gets.
fn decide_colours(rules: &Rules, own: &[i16], scene: &Scene<'_>, plane_of: &dyn Fn(Feature) -> Option<Plane>) -> Vec<Option<u8>> {
    let colour = |value: i16| u8::try_from(value).ok().filter(|&colour| usize::from(colour) < COLOURS);
    let given = |paint: Paint| match paint {
        Paint::Colour(colour) => vec![Some(colour); own.len()],
        Paint::Ground => vec![Some(scene.ground()); own.len()],
        Paint::Role(role) => vec![colour(scene.role(role)); own.len()],
        Paint::Feature(feature) => plane_of(feature).map_or_else(|| vec![None; own.len()], |plane| plane.into_iter().map(colour).collect()),
    };
    decide(rules, own, scene, plane_of, given)
}

/// The planes of features of cells or, with a mode, of items.
pub fn planes(scene: &Scene<'_>, mode: Option<Mode>, feature: Feature) -> Option<Plane> {
    match mode {
        None => cell_plane(scene, feature),
        Some(mode) => item_feature_plane(scene, mode, feature),
    }
}

/// The own colours of cells or, with a mode, of items.
pub fn own_colours(scene: &Scene<'_>, mode: Option<Mode>) -> Option<Plane> {
    match mode {
        None => Some(scene.image().cells.iter().map(|&cell| i16::from(cell)).collect()),
        Some(mode) => item_plane(scene, mode, ItemKind::Colour),
    }
}

/// Every cell in the colour that rules give it; `None` if they give none to some cell.
pub fn cell_rule(image: Image<'_>, ground: Ground, rules: &Rules) -> Option<Vec<u8>> {
    let scene = Scene::new(image, ground);
    let own = own_colours(&scene, None)?;
    decide_colours(rules, &own, &scene, &|feature| cell_plane(&scene, feature)).into_iter().collect()
}

/// The colours that rules give to the items of a scene.
fn decide_items(scene: &Scene<'_>, mode: Mode, rules: &Rules) -> Option<Vec<Option<u8>>> {
    let own = own_colours(scene, Some(mode))?;
    Some(decide_colours(rules, &own, scene, &|feature| planes(scene, Some(mode), feature)))
}

/// The image with its items in the colours that rules give them; those that get none stay as they are.
pub fn object_rule(image: Image<'_>, ground: Ground, mode: Mode, rules: &Rules) -> Option<Vec<u8>> {
    let scene = Scene::new(image, ground);
    let decided = decide_items(&scene, mode, rules)?;
    let mut cells = image.cells.to_vec();
    for (item, &colour) in scene.segments(mode)?.items.iter().zip(&decided) {
        if let Some(colour) = colour {
            item.cells.iter().for_each(|&place| cells[place as usize] = colour);
        }
    }
    Some(cells)
}

/// A cell for each item, as the items stand: rows, columns and colours. `None` if the rows are not full, or an item gets no colour.
pub fn panel_rule(image: Image<'_>, ground: Ground, mode: Mode, rules: &Rules) -> Option<(usize, usize, Vec<u8>)> {
    let scene = Scene::new(image, ground);
    let decided = decide_items(&scene, mode, rules)?;
    let across = scene.segments(mode)?.across;
    if decided.is_empty() || decided.len() % across != 0 {
        return None;
    }
    let rows = decided.len() / across;
    Some((rows, across, decided.into_iter().collect::<Option<_>>()?))
}

kinds! {
    /// What of an item is cut out.
    Cut {
        /// Its box with everything in it.
        Box,
        /// Its cells on background.
        Alone,
        /// Its box without the outermost rows and columns.
        Inside,
    }
}

impl Cut {
    /// Rows, columns and colours of what is cut out; `None` if nothing is left.
    pub fn of(self, scene: &Scene<'_>, item: &Item) -> Option<(usize, usize, Vec<u8>)> {
        let rim = i32::from(self == Self::Inside);
        let (height, width) = (item.height - 2 * rim, item.width - 2 * rim);
        if height < 1 || width < 1 {
            return None;
        }
        let columns = scene.size().1;
        let mut cells = Vec::with_capacity((height * width) as usize);
        for row in 0..height {
            for column in 0..width {
                let place = ((item.top + rim + row) * columns + item.left + rim + column) as u16;
                let shown = self != Self::Alone || item.cells.binary_search(&place).is_ok();
                cells.push(if shown { scene.image().cells[place as usize] } else { scene.ground() });
            }
        }
        Some((height as usize, width as usize, cells))
    }
}

/// The first item to which rules give another colour than 0, cut out.
pub fn pick_rule(image: Image<'_>, ground: Ground, mode: Mode, cut: Cut, rules: &Rules) -> Option<(usize, usize, Vec<u8>)> {
    let scene = Scene::new(image, ground);
    let decided = decide_items(&scene, mode, rules)?;
    let picked = decided.iter().position(|colour| colour.is_some_and(|colour| colour > 0))?;
    cut.of(&scene, &scene.segments(mode)?.items[picked])
}

/// The number of patterns that rules choose from: as many as there are colours.
pub const MOST_PATTERNS: usize = COLOURS;

/// A pattern: rows, columns and colours, of which 10 stands for the image's most common colour but background.
pub type Pattern = (usize, usize, Vec<u8>);

/// The pattern whose number rules give to all that is drawn as one item.
pub fn choose_rule(image: Image<'_>, ground: Ground, rules: &Rules, patterns: &[Pattern]) -> Option<Pattern> {
    let scene = Scene::new(image, ground);
    let chosen = (*decide_items(&scene, Mode::Whole, rules)?.first()?)?;
    let (height, width, cells) = patterns.get(usize::from(chosen))?;
    let colour = scene.main_colour()?;
    Some((*height, *width, cells.iter().map(|&cell| if usize::from(cell) == COLOURS { colour } else { cell }).collect()))
}
