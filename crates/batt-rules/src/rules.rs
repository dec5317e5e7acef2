//! Rules: tests of features, and a colour where they hold.

use batt_core::{Reason, Value};
use batt_vision::{COLOURS, Feature, ItemKind, Mode, NONE, Plane, Role, Scene, cell_plane, item_feature_plane, item_plane, kinds};

use crate::parameter::Parameter;

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
pub(crate) struct Test {
    /// How.
    pub operator: Operator,
    /// What.
    pub feature: Feature,
    /// The number to compare with.
    pub value: i16,
}

impl Test {
    /// Replaces a role by its number in an image; `None` if nothing has the role there, and the test holds nowhere.
    pub(crate) fn in_scene(self, scene: &Scene<'_>) -> Option<Self> {
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
    pub(crate) fn holds(self, value: i16, own: i16) -> bool {
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

/// Colour source of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Paint {
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
pub(crate) struct Rule {
    /// The tests.
    pub tests: Vec<Test>,
    /// The colour.
    pub paint: Paint,
}

/// Rules in order: the first that holds decides.
pub(crate) type Rules = [Rule];

/// The most tests that a list of rules may have: each may look at all cells, and fuel counts cells and items.
pub(crate) const MOST_TESTS: usize = 200;

/// A list of rules as a parameter.
pub(crate) struct RuleList(pub Vec<Rule>);

impl Parameter for RuleList {
    fn to_value(&self) -> Value {
        self.0.to_value()
    }

    fn from_value(value: &Value) -> Result<Self, Reason> {
        let rules = Vec::<Rule>::from_value(value)?;
        let tests: usize = rules.iter().map(|rule| rule.tests.len() + 1).sum();
        if tests > MOST_TESTS { Err(Reason::TooLarge) } else { Ok(Self(rules)) }
    }
}

/// Value that the first rule whose tests hold gives each cell or item. Where a rule gives nothing, the next one decides.
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
pub(crate) fn decide_colours(
    rules: &Rules,
    own: &[i16],
    scene: &Scene<'_>,
    plane_of: &dyn Fn(Feature) -> Option<Plane>,
) -> Vec<Option<u8>> {
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
pub(crate) fn planes(scene: &Scene<'_>, mode: Option<Mode>, feature: Feature) -> Option<Plane> {
    match mode {
        None => cell_plane(scene, feature),
        Some(mode) => item_feature_plane(scene, mode, feature),
    }
}

/// The own colours of cells or, with a mode, of items.
pub(crate) fn own_colours(scene: &Scene<'_>, mode: Option<Mode>) -> Option<Plane> {
    match mode {
        None => Some(scene.image().cells.iter().map(|&cell| i16::from(cell)).collect()),
        Some(mode) => item_plane(scene, mode, ItemKind::Colour),
    }
}

/// The colours that rules give to the items of a scene.
pub(crate) fn decide_items(scene: &Scene<'_>, mode: Mode, rules: &Rules) -> Option<Vec<Option<u8>>> {
    let own = own_colours(scene, Some(mode))?;
    Some(decide_colours(rules, &own, scene, &|feature| planes(scene, Some(mode), feature)))
}
