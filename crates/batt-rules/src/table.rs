//! Tables of items for the learner, and what comes of the lists that it fits.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use batt_vision::{Feature, Ground, Mode, NONE, Plane, Scene};

use crate::bits::mixed;
use crate::examples::{Examples, Picture};
use crate::learn::{Column, Effort, Table};
use crate::propose::Candidate;
use crate::recipe::Recipe;
use crate::roles;
use crate::rules::{Paint, Rule, own_colours, planes};

/// Features to test and to paint with, and what each costs.
pub(crate) struct Vocabulary {
    pub(crate) tests: Vec<(Feature, u32)>,
    pub(crate) paints: Vec<(Feature, u32)>,
    /// The features that are colours.
    pub(crate) colours: Vec<Feature>,
    /// The feature that is an item's own colour.
    pub(crate) own: Feature,
}

/// A column that no scene has.
pub(crate) struct Extra {
    pub(crate) feature: Feature,
    pub(crate) values: Plane,
    pub(crate) cost: u32,
}

/// A table of all cells or items of the demos' inputs. `wanted` gives the colours of the items of a demo; [`None`] if the demo does not fit.
pub(crate) fn table(
    examples: &Examples,
    ground: Ground,
    mode: Option<Mode>,
    vocabulary: &Vocabulary,
    effort: Effort,
    wanted: impl Fn(usize, &Scene<'_>) -> Option<Plane>,
) -> Option<Table> {
    let scenes: Vec<Scene<'_>> = examples.demos.iter().map(|demo| Scene::new(demo.0.image(), ground)).collect();
    // Cells are many: there it takes time and gains nothing.
    let tests = examples.tests.iter().filter(|_| mode.is_some());
    let tests: Vec<Scene<'_>> = tests.map(|test| Scene::new(test.image(), ground)).collect();
    let mut table = Table {
        demo: Vec::new(),
        own: Vec::new(),
        wanted: Vec::new(),
        columns: Vec::new(),
        paints: Vec::new(),
        defaults: Vec::new(),
        keeps: false,
        effort,
        roles: Vec::new(),
        painted: OnceCell::new(),
    };
    let mut grounds = Plane::new();
    for (demo, scene) in scenes.iter().enumerate() {
        let own = own_colours(scene, mode)?;
        let colours = wanted(demo, scene)?;
        table.demo.extend(std::iter::repeat_n(demo as u8, own.len()));
        grounds.extend(std::iter::repeat_n(i16::from(scene.ground()), own.len()));
        table.own.extend(own);
        table.wanted.extend(colours);
    }
    if table.own.is_empty() {
        return None;
    }
    let roles = roles::in_scenes(examples, ground, &scenes);
    let of_demos = |values: &Plane| table.demo.iter().map(|&demo| values[usize::from(demo)]).collect::<Plane>();
    table.roles = roles.iter().map(|(role, values)| (*role, of_demos(values))).collect();
    let column = |feature: Feature| -> Option<Plane> {
        let mut all = Plane::with_capacity(table.own.len());
        for scene in &scenes {
            all.extend(planes(scene, mode, feature)?);
        }
        Some(all)
    };
    let mut known: HashSet<Known> = HashSet::new();
    let mut features = vocabulary.tests.clone();
    features.extend(roles::arguments(&vocabulary.tests, mode.is_some(), &roles));
    features.sort_by_key(|&(feature, cost)| (cost, feature));
    let colours: Vec<Feature> = vocabulary.colours.clone();
    let mut columns = Vec::new();
    for &(feature, cost) in &features {
        if effort.is_over() {
            return None;
        }
        let Some(values) = column(feature) else { continue };
        // What is for each item as a cheaper feature tells nothing.
        if !known.insert(Known(values.clone())) {
            continue;
        }
        let own = colours.contains(&feature).then_some(&table.own);
        let seen = tests.iter().filter_map(|scene| planes(scene, mode, feature)).flatten().collect();
        let takes_roles = own.is_some() && cost <= ROLE_COLUMNS;
        columns.extend(Column::new(feature, values, cost, own, seen).map(|column| column.with_roles(takes_roles)));
    }
    table.columns = columns;
    let mut colours: Vec<i16> = table.wanted.clone();
    colours.sort_unstable();
    colours.dedup();
    let mut painted: HashSet<Known> = HashSet::new();
    let mut add = |table: &mut Table, paint: Paint, values: Plane, cost: u32| {
        // A paint that is never right is none.
        if values.iter().zip(&table.wanted).any(|(a, b)| a == b) && painted.insert(Known(values.clone())) {
            table.paints.push((paint, values, cost));
            return Some(table.paints.len() - 1);
        }
        None
    };
    let count = table.wanted.len();
    let own = table.own.clone();
    let mut defaults: Vec<usize> = add(&mut table, Paint::Feature(vocabulary.own), own, 1).into_iter().collect();
    defaults.extend(add(&mut table, Paint::Ground, grounds, 2));
    for colour in colours.into_iter().filter(|&colour| colour != NONE) {
        defaults.extend(add(&mut table, Paint::Colour(colour as u8), vec![colour; count], 3));
    }
    let mut more = vocabulary.paints.clone();
    more.sort_by_key(|&(feature, cost)| (cost, feature));
    for (feature, cost) in more {
        if effort.is_over() {
            return None;
        }
        let mut values = Plane::with_capacity(count);
        for scene in &scenes {
            match planes(scene, mode, feature) {
                Some(plane) => values.extend(plane),
                None => break,
            }
        }
        if values.len() == count {
            add(&mut table, Paint::Feature(feature), values, cost);
        }
    }
    for k in 0..table.roles.len() {
        let (role, values) = table.roles[k].clone();
        add(&mut table, Paint::Role(role), values, ROLE_PAINT);
    }
    table.defaults = defaults;
    Some(table)
}

/// The most that a column may cost that is compared with roles.
const ROLE_COLUMNS: u32 = 7;
/// Cost of a role as a paint.
const ROLE_PAINT: u32 = 7;

/// Calls a function on the table with extra columns, which are removed afterwards.
pub(crate) fn with_columns<R>(table: &mut Table, extra: Vec<Extra>, of: impl FnOnce(&Table) -> R) -> R {
    let (columns, paints) = (table.columns.len(), table.paints.len());
    for Extra { feature, values, cost } in extra {
        table.columns.extend(Column::new(feature, values.clone(), cost, Some(&table.own), Vec::new()));
        let is_right = values.iter().zip(&table.wanted).any(|(a, b)| a == b);
        if is_right && table.paints.iter().all(|(_, known, _)| *known != values) {
            table.paints.push((Paint::Feature(feature), values, cost));
        }
    }
    table.painted.take();
    let made = of(table);
    table.columns.truncate(columns);
    table.paints.truncate(paints);
    table.painted.take();
    made
}

/// A plane that is known. Planes are long, and hashed often: their values are mixed before.
#[derive(PartialEq, Eq)]
struct Known(Plane);

impl Hash for Known {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let word = |values: &[i16]| values.iter().fold(0, |word, &value| word << 16 | u64::from(value as u16));
        state.write_u64(mixed(self.0.chunks(4).map(word)));
    }
}

/// The candidates that a table gives: each list that fits, applied to all samples. A list that fits the table and not the demos is dropped.
pub(crate) fn candidates(
    examples: &Examples,
    table: &Table,
    apply: impl Fn(&Picture, &[Rule]) -> Option<Picture>,
    recipe: impl Fn(&[Rule]) -> Recipe,
    base: u32,
) -> Vec<Candidate> {
    let lists = table.fit(None, table.effort.lists);
    if lists.is_empty() {
        return Vec::new();
    }
    let demos = examples.demos.len();
    let foretold = if demos > 1 {
        let foretold = |demo: &u8| table.fit(Some(*demo), 1).first().is_some_and(|list| table.is_right(&list.rules, *demo));
        (0..demos as u8).filter(foretold).fold(0, |all, demo| all | 1 << demo)
    } else {
        0
    };
    let mut found = Vec::new();
    for list in lists {
        // The first list is the cheapest.
        if !found.is_empty() && table.effort.is_over() {
            break;
        }
        let fits = examples.demos.iter().all(|(input, output)| apply(input, &list.rules).as_ref() == Some(output));
        if !fits {
            continue;
        }
        let outputs: Option<Vec<Picture>> = examples.tests.iter().map(|test| apply(test, &list.rules)).collect();
        if let Some(outputs) = outputs {
            found.push(Candidate { recipe: recipe(&list.rules), bits: base + list.cost, foretold, outputs });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use batt_core::Deadline;

    use batt_vision::{cell_colour_features, cell_features};

    use super::*;

    #[test]
    fn no_table_is_made_when_the_time_is_over() {
        let picture = |cells: &[u8]| Picture { height: 1, width: 3, cells: cells.to_vec() };
        let examples = Examples { demos: vec![(picture(&[0, 2, 0]), picture(&[0, 2, 7]))], tests: vec![picture(&[2, 0, 0])] };
        let with_cost = |features: Vec<Feature>| features.into_iter().map(|feature| (feature, 1)).collect();
        let vocabulary = Vocabulary {
            tests: with_cost(cell_features()),
            paints: with_cost(cell_colour_features()),
            colours: cell_colour_features(),
            own: Feature { kind: 0, a: 0, b: 0 },
        };
        let of = |deadline: Option<Deadline>| {
            let effort = Effort { tests: 1, rules: 1, lists: 1, steps: 100, work: 10, deadline };
            table(&examples, Ground::Colour(0), None, &vocabulary, effort, |_, _| Some(vec![0, 2, 7]))
        };
        assert!(of(None).is_some_and(|table| !table.fit(None, 1).is_empty()));
        assert!(of(Some(Deadline::new(Instant::now(), Instant::now))).is_none());
        // What is left to do when the time ends is not done.
        let late = of(None)
            .map(|table| Table { effort: Effort { deadline: Some(Deadline::new(Instant::now(), Instant::now)), ..table.effort }, ..table });
        assert!(late.is_some_and(|table| table.fit(None, 1).is_empty()));
    }
}
