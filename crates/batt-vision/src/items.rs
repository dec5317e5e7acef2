//! Features of items: objects, background regions, panels, rows, columns.

use crate::COLOURS;
use crate::bits;
use crate::kinds;
use crate::operations::shapes::holes_in;
use crate::scene::{DIRECTIONS, Feature, NONE, Plane, Scene};
use crate::segments::{Item, Mode, Segments};

kinds! {
    /// What can be asked of an item.
    ItemKind {
        /// Its main colour.
        Colour,
        /// The number of its cells.
        Size,
        /// The rows of its box.
        Height,
        /// The columns of its box.
        Width,
        /// The number of items that have more cells.
        Larger,
        /// The number of items that have fewer cells.
        Smaller,
        /// The number of other items with as many cells.
        SameSize,
        /// The number of other items of its colour.
        SameColour,
        /// The number of other items of its shape.
        SameShape,
        /// The number of other items of its shape, turned or mirrored.
        SameTurned,
        /// The number of other items of its shape and colours.
        SameLook,
        /// The number of its holes: background in its box that does not reach the box's edge.
        Holes,
        /// The number of cells of its holes.
        HoleArea,
        /// Whether it is symmetric left-right.
        MirrorLeftRight,
        /// Whether it is symmetric upside down.
        MirrorUpDown,
        /// Whether it has any mirror symmetry.
        MirrorAny,
        /// Whether it is symmetric under a half turn.
        HalfTurn,
        /// Whether it fills its box.
        Solid,
        /// Whether its box is a square.
        Square,
        /// The number of the image's edges that it touches.
        Edges,
        /// The number of its colours but background.
        Colours,
        /// The number of items whose box begins farther left.
        LeftRank,
        /// The number of items whose box begins farther up.
        TopRank,
        /// The number of items whose box ends farther right.
        RightRank,
        /// The number of items whose box ends farther down.
        BottomRank,
        /// The number of items that it touches by sides or corners.
        Touching,
        /// The number of items inside its box.
        Inside,
        /// Whether it is inside the box of another item.
        Contained,
        /// Whether its box is wide (0), square (1) or tall (2).
        Tall,
        /// Whether it is one row or one column.
        Line,
        /// The number of its cells modulo 2.
        SizeParity,
        /// The number of other items that have a row in common with it.
        InRow,
        /// The number of other items that have a column in common with it.
        InColumn,
        /// The number of its cells that are neither background nor of its main colour.
        Minor,
        /// The number of items with more holes.
        MoreHoles,
        /// The number of items with more colours.
        MoreColours,
        /// The number of items with more cells of a second colour.
        MoreMinor,
        /// The number of items with fewer cells but background.
        FewerFilled,
        /// The number of items with more cells but background.
        MoreFilled,
        /// The number of its cells but background.
        Filled,
        /// The number of items with as many cells but background, others than it.
        SameFilled,
        /// Its place in the order of items.
        Order,
        /// The number of all items.
        Items,
        /// Its first row.
        Top,
        /// Its first column.
        Left,
        /// Its place in the order of items modulo 2.
        OrderParity,
        /// The column of items that it is in, modulo 2: by the number of items in its rows that begin farther left.
        ColumnParity,
        /// The same for rows.
        RowParity,
        /// The number of items in its rows that begin farther left.
        ColumnRank,
        /// The number of items in its columns that begin farther up.
        RowRank,
        /// Whether a colour of it is in no other item.
        OwnColour,
        /// The number of items that are less solid: a smaller share of their box.
        LessSolid,
        /// The rows of its box modulo 2.
        HeightParity,
        /// The columns of its box modulo 2.
        WidthParity,
        /// The number of items after it in their order.
        OrderBack,
        /// Whether it is the middle one in their order.
        Middle,
        /// The number of items in its rows that begin farther left, modulo 3.
        ColumnThird,
        /// The number of its cells that have one neighbour by a side in it.
        Ends,
        /// The number of its cells where it turns: neighbours by sides on two adjoining sides only.
        Turns,
        /// Its second colour.
        MinorColour,
        /// The colour of the items that it touches, if they have one colour.
        TouchColour,
        /// The most common colour but background and its own in its box.
        InsideColour,
        /// The colour of the item with the smallest box around it.
        OuterColour,
        /// The colour of another item of its shape, turned or mirrored too, that has another colour.
        TwinColour,
        /// The colour of the nearest item of another colour.
        NearestColour,
        /// The first other colour up from it.
        UpColour,
        /// The first other colour down from it.
        DownColour,
        /// The first other colour to its left.
        LeftColour,
        /// The first other colour to its right.
        RightColour,
        /// The colour of the image's left edge at its first row.
        LeftEdge,
        /// The colour of the image's right edge at its first row.
        RightEdge,
        /// The colour of the image's upper edge at its first column.
        TopEdge,
        /// The colour of the image's lower edge at its first column.
        BottomEdge,
        /// The image's most common colour but background.
        MostCommon,
        /// The image's least common colour.
        LeastCommon,
        /// The colour of the largest item.
        LargestColour,
        /// The colour of the smallest item.
        SmallestColour,
        /// The colour of another item with as many cells and another colour.
        SameSizeColour,
        /// The number of its cells of colour `a`.
        CountOf,
        /// The number of items that have more cells of colour `a`.
        MoreOf,
        /// The number of items that have fewer cells of colour `a`.
        FewerOf,
        /// The number of items that the image has in mode `a`.
        Number,
    }
}

/// The kinds whose values are colours of something else, from the first to the last.
const OTHER_COLOURS: std::ops::RangeInclusive<ItemKind> = ItemKind::MinorColour..=ItemKind::SameSizeColour;

/// All features of items that are numbers or colours to test.
pub fn item_features() -> impl Iterator<Item = Feature> {
    ItemKind::ALL.iter().flat_map(|&kind| {
        let asked: Vec<i8> = match kind {
            ItemKind::CountOf | ItemKind::MoreOf | ItemKind::FewerOf => (0..COLOURS as i8).collect(),
            ItemKind::Number => [Mode::Sides, Mode::Corners, Mode::AnyCorners, Mode::Regions].map(|mode| mode as i8).to_vec(),
            _ => vec![0],
        };
        asked.into_iter().map(move |a| Feature { kind: kind as u8, a, b: 0 })
    })
}

/// The values of a feature for all items of a scene.
pub fn item_feature_plane(scene: &Scene<'_>, mode: Mode, feature: Feature) -> Option<Plane> {
    let kind = ItemKind::from_number(feature.kind)?;
    let items = &scene.segments(mode)?.items;
    let counts = || -> Option<Vec<i32>> {
        let colour = usize::from(scene.colour_argument(feature.a.into())?);
        Some(items.iter().map(|item| i32::from(item.counts[colour])).collect())
    };
    Some(match kind {
        ItemKind::CountOf => counts()?.iter().map(|&count| count as i16).collect(),
        ItemKind::MoreOf => ranks(&counts()?.iter().map(|count| -count).collect::<Vec<_>>()),
        ItemKind::FewerOf => ranks(&counts()?),
        ItemKind::Number => vec![scene.segments(Mode::from_number(feature.a)?)?.items.len() as i16; items.len()],
        _ => return item_plane(scene, mode, kind),
    })
}

/// The features of items whose values are colours.
pub fn item_colour_features() -> impl Iterator<Item = Feature> {
    ItemKind::ALL.iter().filter(|&&kind| kind == ItemKind::Colour || OTHER_COLOURS.contains(&kind)).map(|&kind| Feature {
        kind: kind as u8,
        a: 0,
        b: 0,
    })
}

/// The values of a kind that asks for nothing more, for all items of a scene.
#[expect(clippy::too_many_lines, reason = "an arm for each kind")]
pub fn item_plane(scene: &Scene<'_>, mode: Mode, kind: ItemKind) -> Option<Plane> {
    let segments = scene.segments(mode)?;
    let items = &segments.items;
    let each = |value: &dyn Fn(&Item) -> i32| -> Plane { items.iter().map(|item| value(item) as i16).collect() };
    let ranked = |value: &dyn Fn(&Item) -> i32| -> Plane { ranks(&items.iter().map(value).collect::<Vec<_>>()) };
    let alike = |value: &dyn Fn(&Item) -> i32| -> Plane { twins(&items.iter().map(value).collect::<Vec<_>>()) };
    let by_index = |value: &dyn Fn(usize) -> i16| -> Plane { (0..items.len()).map(value).collect() };
    let shapes = || segments.shapes(scene);
    let symmetric = |bits: u8| -> Plane { shapes().iter().map(|shapes| i16::from(shapes.symmetries & bits != 0)).collect() };
    let ground = scene.ground() as usize;
    let filled = |item: &Item| item.cells.len() as i32 - i32::from(item.counts[ground]);
    let minor = |item: &Item| filled(item) - if item.colour as usize == ground { 0 } else { i32::from(item.counts[item.colour as usize]) };
    let colours = |item: &Item| (0..COLOURS).filter(|&colour| colour != ground && item.counts[colour] > 0).count() as i32;
    let share = |item: &Item| item.cells.len() as i32 * 10_000 / (item.height * item.width);
    let holes = || -> Vec<(i16, i16)> { items.iter().map(|item| holes_of(scene, item)).collect() };
    let number = |colour: i16| vec![colour; items.len()];
    let shape_twins =
        |of: &dyn Fn(&crate::segments::Shapes) -> u16| twins(&shapes().iter().map(|shapes| i32::from(of(shapes))).collect::<Vec<_>>());
    Some(match kind {
        ItemKind::Colour => each(&|item| i32::from(item.colour)),
        ItemKind::Size => each(&|item| item.cells.len() as i32),
        ItemKind::Height => each(&|item| item.height),
        ItemKind::Width => each(&|item| item.width),
        ItemKind::Larger => ranked(&|item| -(item.cells.len() as i32)),
        ItemKind::Smaller => ranked(&|item| item.cells.len() as i32),
        ItemKind::SameSize => alike(&|item| item.cells.len() as i32),
        ItemKind::SameColour => alike(&|item| i32::from(item.colour)),
        ItemKind::SameShape => shape_twins(&|shapes| shapes.shape),
        ItemKind::SameTurned => shape_twins(&|shapes| shapes.turned),
        ItemKind::SameLook => shape_twins(&|shapes| shapes.look),
        ItemKind::Holes => holes().iter().map(|holes| holes.0).collect(),
        ItemKind::HoleArea => holes().iter().map(|holes| holes.1).collect(),
        ItemKind::MirrorLeftRight => symmetric(1 << 1),
        ItemKind::MirrorUpDown => symmetric(1 << 2),
        ItemKind::MirrorAny => symmetric(1 << 1 | 1 << 2 | 1 << 4 | 1 << 7),
        ItemKind::HalfTurn => symmetric(1 << 3),
        ItemKind::Solid => each(&|item| i32::from(item.cells.len() as i32 == item.height * item.width)),
        ItemKind::Square => each(&|item| i32::from(item.height == item.width)),
        ItemKind::Edges => {
            let (height, width) = scene.size();
            each(&|item| {
                let edges = [item.top == 0, item.left == 0, item.top + item.height == height, item.left + item.width == width];
                edges.into_iter().filter(|&edge| edge).count() as i32
            })
        }
        ItemKind::Colours => each(&colours),
        ItemKind::LeftRank => ranked(&|item| item.left),
        ItemKind::TopRank => ranked(&|item| item.top),
        ItemKind::RightRank => ranked(&|item| -(item.left + item.width)),
        ItemKind::BottomRank => ranked(&|item| -(item.top + item.height)),
        ItemKind::Touching => by_index(&|k| touching(scene, segments, k).len() as i16),
        ItemKind::Inside => {
            by_index(&|k| items.iter().enumerate().filter(|&(other, item)| other != k && within(item, &items[k])).count() as i16)
        }
        ItemKind::Contained => {
            by_index(&|k| i16::from(items.iter().enumerate().any(|(other, item)| other != k && within(&items[k], item))))
        }
        ItemKind::Tall => each(&|item| (item.height - item.width).signum() + 1),
        ItemKind::Line => each(&|item| i32::from(item.height == 1 || item.width == 1)),
        ItemKind::SizeParity => each(&|item| item.cells.len() as i32 % 2),
        ItemKind::InRow => {
            by_index(&|k| items.iter().filter(|item| overlap(item.top, item.height, items[k].top, items[k].height)).count() as i16 - 1)
        }
        ItemKind::InColumn => {
            by_index(&|k| items.iter().filter(|item| overlap(item.left, item.width, items[k].left, items[k].width)).count() as i16 - 1)
        }
        ItemKind::Minor => each(&minor),
        ItemKind::MoreHoles => ranks(&holes().iter().map(|holes| -i32::from(holes.0)).collect::<Vec<_>>()),
        ItemKind::MoreColours => ranked(&|item| -colours(item)),
        ItemKind::MoreMinor => ranked(&|item| -minor(item)),
        ItemKind::FewerFilled => ranked(&filled),
        ItemKind::MoreFilled => ranked(&|item| -filled(item)),
        ItemKind::Filled => each(&filled),
        ItemKind::SameFilled => alike(&filled),
        ItemKind::Order => by_index(&|k| k as i16),
        ItemKind::Items => number(items.len() as i16),
        ItemKind::Top => each(&|item| item.top),
        ItemKind::Left => each(&|item| item.left),
        ItemKind::OrderParity => by_index(&|k| k as i16 % 2),
        ItemKind::ColumnParity => item_plane(scene, mode, ItemKind::ColumnRank)?.iter().map(|rank| rank % 2).collect(),
        ItemKind::RowParity => item_plane(scene, mode, ItemKind::RowRank)?.iter().map(|rank| rank % 2).collect(),
        ItemKind::ColumnRank => by_index(&|k| {
            let before =
                items.iter().filter(|item| overlap(item.top, item.height, items[k].top, items[k].height) && item.left < items[k].left);
            before.count() as i16
        }),
        ItemKind::RowRank => by_index(&|k| {
            let before =
                items.iter().filter(|item| overlap(item.left, item.width, items[k].left, items[k].width) && item.top < items[k].top);
            before.count() as i16
        }),
        ItemKind::OwnColour => by_index(&|k| {
            let own = |colour: usize| {
                colour != ground
                    && items[k].counts[colour] > 0
                    && items.iter().enumerate().all(|(other, item)| other == k || item.counts[colour] == 0)
            };
            i16::from((0..COLOURS).any(own))
        }),
        ItemKind::LessSolid => ranked(&share),
        ItemKind::HeightParity => each(&|item| item.height % 2),
        ItemKind::WidthParity => each(&|item| item.width % 2),
        ItemKind::OrderBack => by_index(&|k| (items.len() - 1 - k) as i16),
        ItemKind::Middle => by_index(&|k| i16::from(2 * k + 1 == items.len())),
        ItemKind::ColumnThird => item_plane(scene, mode, ItemKind::ColumnRank)?.iter().map(|rank| rank % 3).collect(),
        ItemKind::Ends => by_index(&|k| joints(scene, segments, k, u8::is_power_of_two)),
        ItemKind::Turns => by_index(&|k| joints(scene, segments, k, |sides| matches!(sides, 0b0101 | 0b0110 | 0b1001 | 0b1010))),
        ItemKind::MinorColour => each(&|item| {
            let second = (0..COLOURS).filter(|&colour| colour != ground && colour != item.colour as usize && item.counts[colour] > 0);
            second.max_by_key(|&colour| item.counts[colour]).map_or(-1, |colour| colour as i32)
        }),
        ItemKind::TouchColour => by_index(&|k| {
            let mut colours = touching(scene, segments, k).into_iter().map(|other| i16::from(items[other].colour));
            colours.next().filter(|&first| colours.all(|colour| colour == first)).unwrap_or(NONE)
        }),
        ItemKind::InsideColour => each(&|item| inside_colour(scene, item)),
        ItemKind::OuterColour => by_index(&|k| {
            let around = items.iter().enumerate().filter(|&(other, item)| other != k && within(&items[k], item));
            around.min_by_key(|(_, item)| item.height * item.width).map_or(NONE, |(_, item)| i16::from(item.colour))
        }),
        ItemKind::TwinColour => {
            let shapes = shapes();
            other_colour(items, |k, other| shapes[k].turned == shapes[other].turned)
        }
        ItemKind::SameSizeColour => other_colour(items, |k, other| items[k].cells.len() == items[other].cells.len()),
        ItemKind::NearestColour => by_index(&|k| {
            let others = items.iter().filter(|item| item.colour != items[k].colour);
            others.min_by_key(|item| gap(item, &items[k])).map_or(NONE, |item| i16::from(item.colour))
        }),
        ItemKind::UpColour => by_index(&|k| seen_from(scene, segments, k, 0)),
        ItemKind::DownColour => by_index(&|k| seen_from(scene, segments, k, 1)),
        ItemKind::LeftColour => by_index(&|k| seen_from(scene, segments, k, 2)),
        ItemKind::RightColour => by_index(&|k| seen_from(scene, segments, k, 3)),
        ItemKind::LeftEdge => each(&|item| i32::from(scene.at(item.top, 0))),
        ItemKind::RightEdge => each(&|item| i32::from(scene.at(item.top, scene.size().1 - 1))),
        ItemKind::TopEdge => each(&|item| i32::from(scene.at(0, item.left))),
        ItemKind::BottomEdge => each(&|item| i32::from(scene.at(scene.size().0 - 1, item.left))),
        ItemKind::CountOf | ItemKind::MoreOf | ItemKind::FewerOf | ItemKind::Number => return None,
        ItemKind::MostCommon => number(scene.colour_by_count(true)),
        ItemKind::LeastCommon => number(scene.colour_by_count(false)),
        ItemKind::LargestColour => {
            number(items.iter().rev().max_by_key(|item| item.cells.len()).map_or(NONE, |item| i16::from(item.colour)))
        }
        ItemKind::SmallestColour => number(items.iter().min_by_key(|item| item.cells.len()).map_or(NONE, |item| i16::from(item.colour))),
    })
}

/// For each value how many are less.
fn ranks(values: &[i32]) -> Plane {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    values.iter().map(|value| sorted.partition_point(|other| other < value) as i16).collect()
}

/// For each value how many others are equal.
fn twins(values: &[i32]) -> Plane {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let count = |value: &i32| sorted.partition_point(|other| other <= value) - sorted.partition_point(|other| other < value);
    values.iter().map(|value| count(value) as i16 - 1).collect()
}

fn other_colour(items: &[Item], alike: impl Fn(usize, usize) -> bool) -> Plane {
    let other = |k: usize| (0..items.len()).find(|&other| items[other].colour != items[k].colour && alike(k, other));
    (0..items.len()).map(|k| other(k).map_or(NONE, |other| i16::from(items[other].colour))).collect()
}

fn overlap(first: i32, length: i32, second: i32, other: i32) -> bool {
    first < second + other && second < first + length
}

/// Whether the box of an item is inside the box of another and not the same.
fn within(item: &Item, outer: &Item) -> bool {
    let inside = item.top >= outer.top
        && item.left >= outer.left
        && item.top + item.height <= outer.top + outer.height
        && item.left + item.width <= outer.left + outer.width;
    inside && (item.height, item.width) != (outer.height, outer.width)
}

/// Rows or columns between the boxes of two items, whichever are more.
pub fn gap(a: &Item, b: &Item) -> i32 {
    let apart = |first: i32, length: i32, second: i32, other: i32| (second - first - length + 1).max(first - second - other + 1).max(0);
    apart(a.top, a.height, b.top, b.height).max(apart(a.left, a.width, b.left, b.width))
}

/// The items that touch an item by sides or corners.
pub(crate) fn touching(scene: &Scene<'_>, segments: &Segments, k: usize) -> Vec<usize> {
    let (height, width) = scene.size();
    let mut found = Vec::new();
    for &place in &segments.items[k].cells {
        for (rows, columns) in DIRECTIONS {
            let (row, column) = (i32::from(place) / width + rows, i32::from(place) % width + columns);
            if (0..height).contains(&row) && (0..width).contains(&column) {
                let label = segments.labels[(row * width + column) as usize];
                if label != NONE && label as usize != k && !found.contains(&(label as usize)) {
                    found.push(label as usize);
                }
            }
        }
    }
    found
}

/// The number of an item's cells whose neighbours by sides, a bit for each direction, are such.
fn joints(scene: &Scene<'_>, segments: &Segments, k: usize, such: impl Fn(u8) -> bool) -> i16 {
    let (height, width) = scene.size();
    let sides = |place: u16| {
        let mut sides = 0;
        for (way, (rows, columns)) in DIRECTIONS[..4].iter().enumerate() {
            let (row, column) = (i32::from(place) / width + rows, i32::from(place) % width + columns);
            let inside = (0..height).contains(&row) && (0..width).contains(&column);
            sides |= u8::from(inside && segments.labels[(row * width + column) as usize] == k as i16) << way;
        }
        sides
    };
    segments.items[k].cells.iter().filter(|&&place| such(sides(place))).count() as i16
}

/// The nearest cell in a direction from any cell of an item that is neither background nor of the item.
fn seen_from(scene: &Scene<'_>, segments: &Segments, k: usize, way: usize) -> i16 {
    let width = scene.size().1;
    let (rows, columns) = DIRECTIONS[way];
    let mut best = (i32::MAX, NONE);
    for &place in &segments.items[k].cells {
        let (mut row, mut column) = (i32::from(place) / width, i32::from(place) % width);
        let mut steps = 0;
        loop {
            (row, column, steps) = (row + rows, column + columns, steps + 1);
            let colour = scene.at(row, column);
            if colour == NONE || segments.labels[(row * width + column) as usize] == k as i16 {
                break;
            }
            if colour != i16::from(scene.ground()) {
                if steps < best.0 {
                    best = (steps, colour);
                }
                break;
            }
        }
    }
    best.1
}

fn inside_colour(scene: &Scene<'_>, item: &Item) -> i32 {
    let mut counts = [0u32; COLOURS];
    for row in item.top..item.top + item.height {
        for column in item.left..item.left + item.width {
            counts[scene.at(row, column).max(0) as usize] += 1;
        }
    }
    let others = (0..COLOURS).filter(|&colour| colour != scene.ground() as usize && colour != item.colour as usize && counts[colour] > 0);
    others.max_by_key(|&colour| counts[colour]).map_or(-1, |colour| colour as i32)
}

/// The holes of an item and their cells: parts of its box that are not its own and do not reach the edge of the box.
fn holes_of(scene: &Scene<'_>, item: &Item) -> (i16, i16) {
    let (width, mut filled) = (scene.size().1, bits::NONE);
    for &place in &item.cells {
        let (row, column) = (i32::from(place) / width - item.top, i32::from(place) % width - item.left);
        filled[row as usize] |= 1 << column;
    }
    let (holes, cells) = holes_in(&filled, (item.height as usize, item.width as usize));
    (holes as i16, cells as i16)
}
