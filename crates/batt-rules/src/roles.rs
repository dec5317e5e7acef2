//! Roles as arguments of what is fitted: only those that say what no constant says.

use batt_vision::roles::with_colour;
use batt_vision::{Feature, Ground, NONE, Plane, Role, Scene};

use crate::examples::Examples;

/// Arguments for the roles of [`in_scenes`], with the colour in each demo.
pub(crate) fn colours(examples: &Examples, ground: Ground) -> Vec<(u8, Plane)> {
    let scenes: Vec<Scene<'_>> = examples.demos.iter().map(|demo| Scene::new(demo.0.image(), ground)).collect();
    in_scenes(examples, ground, &scenes).into_iter().map(|(role, values)| (role.argument(), values)).collect()
}

/// The roles of colours that say what no constant says, with their values in the demos: somebody has them in all inputs, and not the same everywhere.
/// Of roles that are alike in all demos, the first stands for all.
pub(crate) fn in_scenes(examples: &Examples, ground: Ground, scenes: &[Scene<'_>]) -> Vec<(Role, Plane)> {
    let mut found: Vec<(Role, Plane)> = Vec::new();
    let tests: Vec<Scene<'_>> = examples.tests.iter().map(|test| Scene::new(test.image(), ground)).collect();
    // Where background has several colours, it is what most rules are about.
    let others = Role::ALL[..Role::COLOURS].iter().filter(|role| **role != Role::Background);
    for role in std::iter::once(Role::Background).chain(others.copied()) {
        let values: Plane = scenes.iter().map(|scene| scene.role(role)).collect();
        let differs = values.iter().any(|value| *value != values[0]);
        let is_new = || found.iter().all(|(_, known)| *known != values);
        let in_tests = || tests.iter().all(|scene| scene.role(role) != NONE);
        if differs && !values.contains(&NONE) && is_new() && in_tests() {
            found.push((role, values));
        }
    }
    found
}

/// Extra cost of a role over a constant as the argument of a feature.
const ARGUMENT: u32 = 2;
/// The most roles that are arguments of features: more of them fit what is not meant.
const MOST_ARGUMENTS: usize = 1;

/// The features of cells or items that take a colour, with roles instead.
pub(crate) fn arguments(tests: &[(Feature, u32)], of_items: bool, roles: &[(Role, Plane)]) -> Vec<(Feature, u32)> {
    let mut found = Vec::new();
    for (role, _) in roles.iter().take(MOST_ARGUMENTS) {
        for &(feature, cost) in tests {
            // Each such feature once: that of colour 0.
            if with_colour(of_items, feature, 0) == Some(feature) {
                found.extend(with_colour(of_items, feature, role.argument()).map(|feature| (feature, cost + ARGUMENT)));
            }
        }
    }
    found
}
