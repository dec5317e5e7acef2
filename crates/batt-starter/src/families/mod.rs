//! The rules, one file a family.

mod colour;
mod composition;
mod counting;
mod geometry;
mod gravity;
mod lines;
mod objects;
mod selection;
mod symmetry;
mod tiling;

use crate::StarterTask;

/// How many rules there are.
pub(crate) const COUNT: usize = count();

/// All rules, family by family.
pub(crate) static ALL: [StarterTask; COUNT] = all();

/// The families in the order of their ids.
const FAMILIES: [&[StarterTask]; 10] = [
    colour::TASKS,
    geometry::TASKS,
    objects::TASKS,
    counting::TASKS,
    symmetry::TASKS,
    lines::TASKS,
    gravity::TASKS,
    tiling::TASKS,
    selection::TASKS,
    composition::TASKS,
];

const fn count() -> usize {
    let mut count = 0;
    let mut family = 0;
    while family < FAMILIES.len() {
        count += FAMILIES[family].len();
        family += 1;
    }
    count
}

const fn all() -> [StarterTask; COUNT] {
    let mut all = [FAMILIES[0][0]; COUNT];
    let mut count = 0;
    let mut family = 0;
    while family < FAMILIES.len() {
        let mut number = 0;
        while number < FAMILIES[family].len() {
            all[count] = FAMILIES[family][number];
            count += 1;
            number += 1;
        }
        family += 1;
    }
    all
}
