//! Features of cells.

use crate::COLOURS;
use crate::items::{ItemKind, item_plane};
use crate::kinds;
use crate::scene::{DIRECTIONS, Feature, NONE, Plane, Scene};
use crate::segments::{Item, Mode, Segments, turn};

kinds! {
    /// What can be asked of a cell; `a` and `b` are the arguments of a feature.
    CellKind {
        /// The colour `a` rows down and `b` columns to the right.
        Colour,
        /// The first colour but background that the ray in direction `a` meets.
        RayColour,
        /// How far that is.
        RayDistance,
        /// The colour of the cell that symmetry `a` of the image takes this one to.
        Mirrored,
        /// A coordinate: row, column, from below, from the right, from the nearest edge, row plus column, row minus column, by `a` from 0 to 6.
        Coordinate,
        /// The same coordinate modulo `b`.
        Modulo,
        /// The number of neighbours that are not background: by sides, by corners, all (`a` from 0 to 2); of its own colour (3 to 5).
        Neighbours,
        /// The number of the eight neighbours that have colour `b`; of the four by sides if `a` is 1.
        NeighboursOf,
        /// The most common colour but background of its row (`a` is 0) or column (1).
        LineColour,
        /// The number of cells but background in its row (`a` is 0) or column (1).
        LineFilled,
        /// A colour of the image: most common but background (`a` is 0), least common (1), of the largest object (2), of the smallest (3).
        ImageColour,
        /// The colour of the nearest cell that is not background: by steps to the side (`a` is 0), by all eight (1).
        NearestColour,
        /// How far that is.
        NearestDistance,
        /// That distance modulo `b`.
        NearestModulo,
        /// The colour of the image's edge: left, right, above, below (`a` from 0 to 3).
        EdgeColour,
        /// The colour that opposite rays both meet, where they meet the same: vertical, horizontal, and the diagonals (`a` from 0 to 3).
        Between,
        /// How many of the four rays to the sides (`a` is 0) or the four to the corners (1) meet something.
        Enclosing,
        /// Where in the box of its item, mode `a`, it is: row, column, from below, from the right, from the box's nearest edge (`b` from 0 to 4),
        /// row plus column, row, column and edge modulo 2 (5 to 8), on the first or second diagonal (9, 10), in the middle row, column (11, 12).
        InBox,
        /// The colour of the cell that symmetry `b` of the box of its item, mode `a`, takes this one to.
        BoxMirrored,
        /// Feature `b` of its item, mode `a`.
        OfItem,
        /// Feature `b` of the item, mode `a`, with the smallest box that it is in.
        OfBox,
        /// The colour at the same place of panel `a`; from 10 on of the one panel with the fewest cells, the most cells, the fewest colours, the most
        /// colours, a colour of its own.
        PanelCell,
        /// The row (`a` is 0) or column (1) of panels that it is in, and its row (2) or column (3) in the panel.
        PanelPlace,
        /// The colour of the cell of panel `a` that stands where this cell's panel stands among the panels.
        PanelOfPanels,
        /// The first colour other than its own that the ray in direction `a` meets, background too.
        NextColour,
        /// Whether the row (`a` is 0) or column (1) has one colour.
        Uniform,
        /// The number of steps to the nearest cell of colour `b`: to the side (`a` is 0), in all eight directions (1).
        DistanceTo,
        /// The number of times the colour of this cell occurs in the image.
        ColourCount,
        /// The colour that a rule that looks at what it made gave the cell `a` rows down and `b` columns to the right.
        Made,
        /// The colour after coarse operation `a` with number `b` on the whole image.
        Drawn,
        /// Whether colour `b` occurs in its row or column or farther in direction `a`: up, down, left, right.
        Beyond,
    }
}

fn feature(kind: CellKind, a: i32, b: i32) -> Feature {
    Feature { kind: kind as u8, a: a as i8, b: b as i8 }
}

/// The modes whose objects cells are asked for.
const CELL_MODES: [Mode; 5] = [Mode::Sides, Mode::Corners, Mode::AnyCorners, Mode::Regions, Mode::Panels];

/// All features of cells that rules are fitted with.
pub fn cell_features() -> Vec<Feature> {
    let mut all = cell_colour_features();
    for a in 0..8 {
        all.push(feature(CellKind::RayDistance, a, 0));
        all.push(feature(CellKind::NextColour, a, 0));
    }
    for a in 0..7 {
        all.push(feature(CellKind::Coordinate, a, 0));
        all.push(feature(CellKind::Modulo, a, 2));
        all.push(feature(CellKind::Modulo, a, 3));
    }
    for a in 0..6 {
        all.push(feature(CellKind::Neighbours, a, 0));
    }
    for colour in 0..COLOURS as i32 {
        all.push(feature(CellKind::NeighboursOf, 0, colour));
        all.push(feature(CellKind::NeighboursOf, 1, colour));
        all.push(feature(CellKind::DistanceTo, 0, colour));
        all.push(feature(CellKind::DistanceTo, 1, colour));
        (0..4).for_each(|way| all.push(feature(CellKind::Beyond, way, colour)));
    }
    for a in 0..2 {
        all.push(feature(CellKind::LineFilled, a, 0));
        all.push(feature(CellKind::NearestDistance, a, 0));
        all.push(feature(CellKind::NearestModulo, a, 2));
        all.push(feature(CellKind::Enclosing, a, 0));
        all.push(feature(CellKind::Uniform, a, 0));
    }
    all.push(feature(CellKind::ColourCount, 0, 0));
    for a in 0..4 {
        all.push(feature(CellKind::PanelPlace, a, 0));
    }
    for mode in CELL_MODES {
        for b in 0..13 {
            all.push(feature(CellKind::InBox, mode as i32, b));
        }
        for &kind in ItemKind::ALL {
            all.push(feature(CellKind::OfItem, mode as i32, kind as i32));
        }
    }
    for mode in [Mode::Corners, Mode::AnyCorners] {
        for &kind in ItemKind::ALL {
            all.push(feature(CellKind::OfBox, mode as i32, kind as i32));
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The features of cells that are colours: what a rule may paint with.
pub fn cell_colour_features() -> Vec<Feature> {
    let mut all = Vec::new();
    for a in -2..=2 {
        for b in -2..=2 {
            all.push(feature(CellKind::Colour, a, b));
        }
    }
    for a in 0..8 {
        all.push(feature(CellKind::RayColour, a, 0));
        all.push(feature(CellKind::Mirrored, a, 0));
    }
    for a in 0..4 {
        all.push(feature(CellKind::ImageColour, a, 0));
        all.push(feature(CellKind::EdgeColour, a, 0));
        all.push(feature(CellKind::Between, a, 0));
        all.push(feature(CellKind::PanelCell, a, 0));
        all.push(feature(CellKind::PanelOfPanels, a, 0));
    }
    for a in 10..15 {
        all.push(feature(CellKind::PanelCell, a, 0));
        all.push(feature(CellKind::PanelOfPanels, a, 0));
    }
    for (operation, number) in crate::drawn::operations() {
        all.push(feature(CellKind::Drawn, operation, number));
    }
    for a in 0..2 {
        all.push(feature(CellKind::LineColour, a, 0));
        all.push(feature(CellKind::NearestColour, a, 0));
    }
    for mode in [Mode::Corners, Mode::AnyCorners] {
        for b in [1, 2, 3, 4] {
            all.push(feature(CellKind::BoxMirrored, mode as i32, b));
        }
    }
    for mode in CELL_MODES {
        for kind in crate::items::item_colour_features() {
            all.push(feature(CellKind::OfItem, mode as i32, i32::from(kind.kind)));
        }
    }
    for mode in [Mode::Corners, Mode::AnyCorners] {
        for kind in crate::items::item_colour_features() {
            all.push(feature(CellKind::OfBox, mode as i32, i32::from(kind.kind)));
        }
    }
    all
}

/// The values of a feature for all cells of a scene; `None` if the scene has no such thing.
#[expect(clippy::too_many_lines, reason = "an arm for each kind")]
pub fn cell_plane(scene: &Scene<'_>, feature: Feature) -> Option<Plane> {
    let kind = CellKind::from_number(feature.kind)?;
    let (a, b) = (i32::from(feature.a), i32::from(feature.b));
    let (height, width) = scene.size();
    let each = |value: &dyn Fn(i32, i32) -> i16| -> Plane {
        (0..height).flat_map(|row| (0..width).map(move |column| (row, column))).map(|(row, column)| value(row, column)).collect()
    };
    let way = || usize::try_from(a).ok().filter(|&way| way < 8);
    let place = |row: i32, column: i32| (row * width + column) as usize;
    Some(match kind {
        CellKind::Colour => each(&|row, column| scene.at(row + a, column + b)),
        CellKind::RayColour => {
            let way = way()?;
            scene.rays().iter().map(|rays| rays[way].colour).collect()
        }
        CellKind::RayDistance => {
            let way = way()?;
            scene.rays().iter().map(|rays| rays[way].distance).collect()
        }
        CellKind::Mirrored => {
            let which = way()? as u8;
            if which >= 4 && height != width {
                return None;
            }
            each(&|row, column| {
                let (row, column) = turn(which, (row, column), (height, width));
                scene.at(row, column)
            })
        }
        CellKind::Coordinate => each(&|row, column| coordinate(a, (row, column), (height, width))),
        CellKind::Modulo => {
            let modulus = scene.number_argument(b.into()).filter(|&modulus| modulus > 0)?;
            each(&|row, column| coordinate(a, (row, column), (height, width)) % modulus)
        }
        CellKind::Neighbours => each(&|row, column| {
            let ways = match a % 3 {
                0 => &DIRECTIONS[..4],
                1 => &DIRECTIONS[4..],
                _ => &DIRECTIONS[..],
            };
            let own = scene.at(row, column);
            let counts = |&&(rows, columns): &&(i32, i32)| {
                let colour = scene.at(row + rows, column + columns);
                if a < 3 { colour != NONE && colour != i16::from(scene.ground()) } else { colour == own }
            };
            ways.iter().filter(counts).count() as i16
        }),
        CellKind::NeighboursOf => {
            let ways = if a == 1 { 4 } else { 8 };
            let b = i32::from(scene.colour_argument(b.into())?);
            each(&|row, column| {
                DIRECTIONS[..ways].iter().filter(|(rows, columns)| i32::from(scene.at(row + rows, column + columns)) == b).count() as i16
            })
        }
        CellKind::LineColour | CellKind::LineFilled | CellKind::Uniform => {
            let mode = if a == 0 { Mode::Rows } else { Mode::Columns };
            let ground = scene.ground() as usize;
            let lines = scene.segments(mode)?.items.iter().map(|line| match kind {
                CellKind::LineColour if line.colour as usize == ground => NONE,
                CellKind::LineColour => i16::from(line.colour),
                CellKind::LineFilled => (line.cells.len() - line.counts[ground] as usize) as i16,
                _ => i16::from(line.counts.contains(&(line.cells.len() as u16))),
            });
            let lines: Plane = lines.collect();
            each(&|row, column| lines[if a == 0 { row } else { column } as usize])
        }
        CellKind::ImageColour => {
            let colour = match a {
                0 => scene.colour_by_count(true),
                1 => scene.colour_by_count(false),
                2 => *item_plane(scene, Mode::Corners, ItemKind::LargestColour)?.first()?,
                _ => *item_plane(scene, Mode::Corners, ItemKind::SmallestColour)?.first()?,
            };
            vec![colour; scene.area()]
        }
        CellKind::NearestColour => scene.nearest(a == 1).iter().map(|nearest| nearest.0).collect(),
        CellKind::NearestDistance => scene.nearest(a == 1).iter().map(|nearest| nearest.1).collect(),
        CellKind::NearestModulo => {
            let modulus = scene.number_argument(b.into()).filter(|&modulus| modulus > 0)?;
            scene.nearest(a == 1).iter().map(|nearest| if nearest.1 == NONE { NONE } else { nearest.1 % modulus }).collect()
        }
        CellKind::EdgeColour => each(&|row, column| match a {
            0 => scene.at(row, 0),
            1 => scene.at(row, width - 1),
            2 => scene.at(0, column),
            _ => scene.at(height - 1, column),
        }),
        CellKind::Between => {
            let way = usize::try_from(a).ok().filter(|&way| way < 4)? * 2;
            scene.rays().iter().map(|rays| if rays[way].colour == rays[way + 1].colour { rays[way].colour } else { NONE }).collect()
        }
        CellKind::Enclosing => {
            let first = if a == 0 { 0 } else { 4 };
            scene.rays().iter().map(|rays| rays[first..first + 4].iter().filter(|hit| hit.colour != NONE).count() as i16).collect()
        }
        CellKind::InBox => {
            let segments = scene.segments(Mode::from_number(a)?)?;
            each(&|row, column| {
                let label = segments.labels[place(row, column)];
                let Some(item) = usize::try_from(label).ok().and_then(|label| segments.items.get(label)) else { return NONE };
                in_box(b, (row - item.top, column - item.left), (item.height, item.width))
            })
        }
        CellKind::BoxMirrored => {
            let which = u8::try_from(b).ok().filter(|&which| which < 8)?;
            let segments = scene.segments(Mode::from_number(a)?)?;
            each(&|row, column| {
                let label = segments.labels[place(row, column)];
                let Some(item) = usize::try_from(label).ok().and_then(|label| segments.items.get(label)) else { return NONE };
                if which >= 4 && item.height != item.width {
                    return NONE;
                }
                let (row, column) = turn(which, (row - item.top, column - item.left), (item.height, item.width));
                scene.at(item.top + row, item.left + column)
            })
        }
        CellKind::OfItem => {
            let mode = Mode::from_number(a)?;
            let values = item_plane(scene, mode, ItemKind::from_number(b)?)?;
            let labels = &scene.segments(mode)?.labels;
            labels.iter().map(|&label| usize::try_from(label).map_or(NONE, |label| values[label])).collect()
        }
        CellKind::OfBox => {
            let mode = Mode::from_number(a)?;
            let values = item_plane(scene, mode, ItemKind::from_number(b)?)?;
            let boxes = scene.boxes(mode)?;
            boxes.iter().map(|&label| usize::try_from(label).map_or(NONE, |label| values[label])).collect()
        }
        CellKind::PanelCell | CellKind::PanelPlace | CellKind::PanelOfPanels => {
            let segments = scene.segments(Mode::Panels)?;
            let panel = chosen_panel(scene, segments, a);
            each(&|row, column| {
                let Ok(label) = usize::try_from(segments.labels[place(row, column)]) else { return NONE };
                let here = &segments.items[label];
                let (across, down) = ((label % segments.across) as i32, (label / segments.across) as i32);
                let within = |row: i32, column: i32| {
                    panel
                        .filter(|panel| row < panel.height && column < panel.width)
                        .map_or(NONE, |panel| scene.at(panel.top + row, panel.left + column))
                };
                match (kind, a) {
                    (CellKind::PanelCell, _) => within(row - here.top, column - here.left),
                    (CellKind::PanelOfPanels, _) => within(down, across),
                    (_, 0) => down as i16,
                    (_, 1) => across as i16,
                    (_, 2) => (row - here.top) as i16,
                    _ => (column - here.left) as i16,
                }
            })
        }
        CellKind::NextColour => {
            let (rows, columns) = DIRECTIONS[way()?];
            each(&|row, column| {
                let own = scene.at(row, column);
                let mut steps = 1;
                loop {
                    let colour = scene.at(row + rows * steps, column + columns * steps);
                    if colour != own {
                        return colour;
                    }
                    steps += 1;
                }
            })
        }
        CellKind::Beyond => {
            let b = i32::from(scene.colour_argument(b.into())?);
            let places = || (0..scene.area()).filter(|&place| i32::from(scene.image().cells[place]) == b);
            let rows = || places().map(|place| place as i32 / width);
            let columns = || places().map(|place| place as i32 % width);
            let (top, bottom) = (rows().min().unwrap_or(i32::MAX), rows().max().unwrap_or(i32::MIN));
            let (left, right) = (columns().min().unwrap_or(i32::MAX), columns().max().unwrap_or(i32::MIN));
            each(&|row, column| {
                i16::from(match a {
                    0 => top <= row,
                    1 => bottom >= row,
                    2 => left <= column,
                    _ => right >= column,
                })
            })
        }
        CellKind::Drawn => return crate::drawn::drawn(scene, a, b),
        // A scene has only what is there before.
        CellKind::Made => return None,
        CellKind::DistanceTo => scene.distance_to(scene.colour_argument(b.into())?, a == 1),
        CellKind::ColourCount => scene.image().cells.iter().map(|&cell| scene.counts()[cell as usize] as i16).collect(),
    })
}

/// A panel by its number, or the one panel that stands out, see [`CellKind::PanelCell`].
fn chosen_panel<'a>(scene: &Scene<'_>, segments: &'a Segments, which: i32) -> Option<&'a Item> {
    if which < 10 {
        return segments.items.get(usize::try_from(which).ok()?);
    }
    let kind = [ItemKind::FewerFilled, ItemKind::MoreFilled, ItemKind::Colours, ItemKind::MoreColours, ItemKind::OwnColour]
        [usize::try_from(which - 10).ok().filter(|&k| k < 5)?];
    let values = item_plane(scene, Mode::Panels, kind)?;
    let best = if kind == ItemKind::OwnColour { 1 } else { *values.iter().min()? };
    let mut found = (0..values.len()).filter(|&k| values[k] == best);
    found.next().filter(|_| found.next().is_none()).and_then(|k| segments.items.get(k))
}

fn coordinate(which: i32, (row, column): (i32, i32), (height, width): (i32, i32)) -> i16 {
    let (below, right) = (height - 1 - row, width - 1 - column);
    let value = match which {
        0 => row,
        1 => column,
        2 => below,
        3 => right,
        4 => row.min(column).min(below).min(right),
        5 => row + column,
        // Not negative, and the same modulo 2 and 3 for every image.
        _ => row - column + 60,
    };
    value as i16
}

fn in_box(which: i32, (row, column): (i32, i32), (height, width): (i32, i32)) -> i16 {
    let (below, right) = (height - 1 - row, width - 1 - column);
    let edge = row.min(column).min(below).min(right);
    let value = match which {
        0 => row,
        1 => column,
        2 => below,
        3 => right,
        4 => edge,
        5 => (row + column) % 2,
        6 => row % 2,
        7 => column % 2,
        8 => edge % 2,
        9 => i32::from(row == column),
        10 => i32::from(row == right),
        11 => i32::from((row - below).abs() <= 1),
        _ => i32::from((column - right).abs() <= 1),
    };
    value as i16
}
