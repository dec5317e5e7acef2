//! Operations that are written for speed give what their definitions, written cell by cell, say: on many random images, for every number.

use std::cmp::Reverse;

use batt_vision::operations::{boxes, merges, objects, patterns, picks, shapes};
use batt_vision::{COLOURS, Frame, Image, List, OperationRow, Work};

/// An image with its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Picture {
    frame: Frame,
    cells: Vec<u8>,
}

impl Picture {
    fn of(frame: Frame, colour: impl Fn(i32, i32) -> u8) -> Self {
        let (height, width) = (i32::from(frame.height), i32::from(frame.width));
        Self { frame, cells: (0..height).flat_map(|i| (0..width).map(move |j| (i, j))).map(|(i, j)| colour(i, j)).collect() }
    }

    fn image(&self) -> Image<'_> {
        Image { frame: self.frame, cells: &self.cells }
    }

    fn height(&self) -> i32 {
        i32::from(self.frame.height)
    }

    fn width(&self) -> i32 {
        i32::from(self.frame.width)
    }

    fn at(&self, i: i32, j: i32) -> u8 {
        self.image().at_or_blank(i, j)
    }

    /// The colour at a place of the plane.
    fn on_plane(&self, i: i32, j: i32) -> u8 {
        self.at(i - i32::from(self.frame.row), j - i32::from(self.frame.column))
    }

    fn places(&self) -> impl Iterator<Item = (i32, i32)> + Clone + use<> {
        let (height, width) = (self.height(), self.width());
        (0..height).flat_map(move |i| (0..width).map(move |j| (i, j)))
    }

    fn filled(&self) -> usize {
        self.cells.iter().filter(|&&cell| cell != 0).count()
    }

    fn main_colour(&self) -> u8 {
        most(self.cells.iter().copied())
    }

    /// Components joined by corners too, each with its cells in order, in the order of their first cells.
    fn components(&self, one_colour: bool) -> Vec<Vec<(i32, i32)>> {
        let mut left: Vec<(i32, i32)> = self.places().filter(|&(i, j)| self.at(i, j) != 0).collect();
        let mut all = Vec::new();
        while !left.is_empty() {
            let mut component = vec![left.remove(0)];
            let mut next = 0;
            while let Some(&(i, j)) = component.get(next) {
                let joined =
                    |&(k, l): &(i32, i32)| (k - i).abs() <= 1 && (l - j).abs() <= 1 && (!one_colour || self.at(k, l) == self.at(i, j));
                component.extend(left.iter().copied().filter(joined));
                left.retain(|place| !joined(place));
                next += 1;
            }
            component.sort_unstable();
            all.push(component);
        }
        all
    }
}

/// The most common colour but background, the lowest of equals, or background.
fn most(cells: impl Iterator<Item = u8>) -> u8 {
    let mut counts = [0; COLOURS];
    cells.for_each(|cell| counts[cell as usize] += 1);
    (1..COLOURS).filter(|&colour| counts[colour] > 0).max_by_key(|&colour| (counts[colour], Reverse(colour))).unwrap_or(0) as u8
}

/// The rows and columns from, to (inclusive) of places.
fn bounds(places: &[(i32, i32)]) -> Option<(i32, i32, i32, i32)> {
    let (rows, columns) = (places.iter().map(|place| place.0), places.iter().map(|place| place.1));
    Some((rows.clone().min()?, columns.clone().min()?, rows.max()?, columns.max()?))
}

/// Random numbers, always the same.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: i32) -> i32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % most as u64) as i32
    }

    /// Noise, periods, symmetries or rectangles, with holes, of up to three colours.
    fn picture(&mut self, longest: i32) -> Picture {
        let (height, width) = (1 + self.below(longest), 1 + self.below(longest));
        let height = if self.below(4) == 0 { width } else { height };
        let place = |chance: &mut Self| if chance.below(2) == 0 { 0 } else { chance.below(13) as i16 - 6 };
        let frame = Frame { row: place(self), column: place(self), height: height as u16, width: width as u16 };
        let (colours, filled) = (1 + self.below(3), [15, 50, 85, 100][self.below(4) as usize]);
        let noise: Vec<u8> =
            (0..frame.area()).map(|_| if self.below(100) < filled { [3, 1, 8][self.below(colours) as usize] } else { 0 }).collect();
        let noise = Picture { frame, cells: noise };
        let (rows, columns) = (1 + self.below(4), 1 + self.below(4));
        let (down, across) = (height - 1 - self.below(2), width - 1 - self.below(2));
        let whole = match self.below(7) {
            0 => Picture::of(frame, |i, j| noise.at(i % rows, j % columns)),
            1 => Picture::of(frame, |i, j| noise.at(0, (i + j) % columns)),
            2 => Picture::of(frame, |i, j| noise.at(0, (j + height - i) % columns)),
            3 => Picture::of(frame, |i, j| noise.at(i.max(down - i), j.max(across - j))),
            4 => Picture::of(frame, |i, j| noise.at(i / rows, j / columns)),
            5 => Picture::of(frame, |i, j| noise.at(i.max(j), i.min(j))),
            _ => noise,
        };
        let (top, left, size) = (self.below(height), self.below(width), self.below(4));
        Picture::of(frame, |i, j| if (i - top).max(j - left) < size && i >= top && j >= left { 0 } else { whole.at(i, j) })
    }
}

fn given(work: &Work, done: Option<()>) -> Option<Picture> {
    done?;
    assert_eq!(work.out.len(), 1);
    work.out.iter().next().map(|image| Picture { frame: image.frame, cells: image.cells.to_vec() })
}

/// Compares an operation with its definition, which has to have an answer for some images.
fn compare(map: OperationRow, numbers: std::ops::Range<i32>, longest: i32, definition: impl Fn(&Picture, i32) -> Option<Picture>) {
    let (mut chance, mut work) = (Chance(1), Work::default());
    for number in numbers {
        let mut answers = 0;
        for _ in 0..400 {
            let picture = chance.picture(longest);
            work.out.clear();
            let done = map.on(picture.image(), number, &mut work);
            let wanted = definition(&picture, number);
            assert_eq!(given(&work, done), wanted, "{number} {picture:?}");
            answers += i32::from(wanted.is_some());
        }
        assert!(answers > 20, "{number} has an answer for {answers} images only");
    }
}

/// Compares an operation on two images with its definition.
fn compare_merge(merge: OperationRow, numbers: std::ops::Range<i32>, definition: impl Fn(&Picture, &Picture, i32) -> Option<Picture>) {
    let (mut chance, mut work) = (Chance(2), Work::default());
    for number in numbers {
        let mut answers = 0;
        for round in 0..400 {
            let (first, mut second) = (chance.picture(20), chance.picture(20));
            if round % 4 == 0 {
                second = Picture::of(first.frame, |i, j| second.at(i, j));
            }
            work.out.clear();
            let (one, other) = (first.image(), second.image());
            let done = merge.kernel.make([one.as_list(), other.as_list()], number, &mut work);
            let wanted = definition(&first, &second, number);
            assert_eq!(given(&work, done), wanted, "{number} {first:?} {second:?}");
            answers += i32::from(wanted.is_some());
        }
        assert!(answers > 20, "{number} has an answer for {answers} images only");
    }
}

#[test]
fn symmetries() {
    compare(patterns::SYMMETRIZED, 0..6, 20, |of, which| {
        let (down, across) = (of.height() - 1, of.width() - 1);
        if which >= 3 && down != across {
            return None;
        }
        Some(Picture::of(of.frame, |i, j| {
            let (up, left) = (down - i, across - j);
            let places = match which {
                0 => vec![(i, left)],
                1 => vec![(up, j)],
                2 => vec![(i, left), (up, j), (up, left)],
                3 => vec![(j, i)],
                4 => vec![(left, up)],
                _ => vec![(j, up), (up, left), (left, i)],
            };
            let all = std::iter::once((i, j)).chain(places).map(|(i, j)| of.at(i, j));
            all.into_iter().find(|&cell| cell != 0).unwrap_or(0)
        }))
    });
}

#[test]
fn mirrors_anywhere() {
    compare(patterns::MIRROR_REPAIRED, 0..1, 20, |of, _| {
        if of.filled() == of.cells.len() {
            return None;
        }
        // The number of cells that have a partner, if there are enough and all partners are equal.
        let holds = |partner: &dyn Fn(i32, i32) -> (i32, i32)| {
            let pairs: Vec<(u8, u8)> = of
                .places()
                .map(|(i, j)| (of.at(i, j), of.at(partner(i, j).0, partner(i, j).1)))
                .filter(|&(a, b)| a != 0 && b != 0)
                .collect();
            (pairs.len() > of.filled() / 4 && pairs.iter().all(|(a, b)| a == b)).then_some(pairs.len())
        };
        let axis = |length: i32, down: bool| {
            let sums = length * 2 / 3..length + length / 3;
            let partner = |sum: i32| holds(&|i, j| if down { (sum - i, j) } else { (i, sum - j) });
            sums.filter_map(|sum| Some((partner(sum)?, -(sum - length + 1).abs(), sum))).max().map(|(_, _, sum)| sum)
        };
        let (across, down) = (axis(of.width(), false), axis(of.height(), true));
        let diagonal = of.height() == of.width() && holds(&|i, j| (j, i)).is_some();
        if across.is_none() && down.is_none() && !diagonal {
            return None;
        }
        Some(Picture::of(of.frame, |i, j| {
            let mut places = vec![(i, j)];
            places.extend(across.map(|sum| (i, sum - j)));
            for (i, j) in places.clone() {
                places.extend(down.map(|sum| (sum - i, j)));
            }
            for (i, j) in places.clone() {
                places.extend(diagonal.then_some((j, i)));
            }
            places.iter().map(|&(i, j)| of.at(i, j)).find(|&cell| cell != 0).unwrap_or(0)
        }))
    });
}

/// Period of a picture continued on a frame of a size.
fn continued(of: &Picture, frame: Frame, which: i32) -> Option<Picture> {
    if of.filled() == of.cells.len() && of.frame == frame {
        return None;
    }
    let repeats = |down: i32, across: i32| {
        let pairs = of.places().map(|(i, j)| (of.at(i, j), of.at(i + down, j + across))).filter(|&(a, b)| a != 0 && b != 0);
        pairs.clone().next().is_some() && pairs.into_iter().all(|(a, b)| a == b)
    };
    let rows = (1..of.height()).find(|&step| repeats(step, 0));
    let columns = (1..of.width()).find(|&step| repeats(0, step));
    let (rows, columns) = match which {
        0 => (rows?, columns?),
        1 => (0, columns?),
        2 => (rows?, 0),
        _ => (0, 0),
    };
    if which >= 3 && !repeats(1, if which == 3 { 1 } else { -1 }) {
        return None;
    }
    // Places of the same class have the same colour.
    let within = |place: i32, period: i32| if period == 0 { place } else { place % period };
    let class = |i: i32, j: i32| match which {
        3 => (0, j - i),
        4 => (0, j + i),
        _ => (within(i, rows), within(j, columns)),
    };
    let known: Vec<((i32, i32), u8)> = of.places().map(|(i, j)| (class(i, j), of.at(i, j))).filter(|&(_, colour)| colour != 0).collect();
    let colour = |wanted: (i32, i32)| known.iter().find(|&&(class, _)| class == wanted).map_or(0, |&(_, colour)| colour);
    if known.iter().any(|&(class, of)| colour(class) != of) {
        return None;
    }
    Some(Picture::of(frame, |i, j| colour(class(i, j))))
}

#[test]
fn periods() {
    compare(patterns::PERIOD_REPAIRED, 0..5, 20, |of, which| continued(of, of.frame, which));
    compare_merge(merges::EXTENDED, 0..5, |of, room, which| {
        continued(of, Frame { height: room.frame.height, width: room.frame.width, ..of.frame }, which)
    });
}

#[test]
fn places() {
    compare(patterns::PLACES, 0..11, 20, |of, which| {
        Some(Picture::of(of.frame, |i, j| {
            let ring = i.min(j).min(of.height() - 1 - i).min(of.width() - 1 - j);
            let chosen = match which {
                0 => i % 2 == 0 && j % 2 == 0,
                1 | 2 => (i + j) % 2 == which - 1,
                3 | 4 => i % 2 == which - 3,
                5 | 6 => j % 2 == which - 5,
                7 => i == j,
                8 => i + j + 1 == of.width(),
                9 => ring == 0,
                _ => ring % 2 == 0,
            };
            if chosen { of.at(i, j) } else { 0 }
        }))
    });
}

#[test]
fn largest_rectangles() {
    compare(shapes::LARGEST_RECTANGLE, 0..2, 9, |of, which| {
        let (mut most, mut best) = (0, None);
        for colour in if which == 0 { 0..1 } else { 1..COLOURS as u8 } {
            // The first one, by where it ends, then by where its left side is, then by how narrow it is.
            for (bottom, left) in of.places() {
                for columns in 1..=of.width() - left {
                    for rows in 1..=bottom + 1 {
                        let whole = || (bottom + 1 - rows..=bottom).all(|i| (left..left + columns).all(|j| of.at(i, j) == colour));
                        if rows * columns > most && whole() {
                            (most, best) = (rows * columns, Some((bottom + 1 - rows, left, bottom + 1, left + columns)));
                        }
                    }
                }
            }
        }
        let (top, left, bottom, right) = best?;
        Some(Picture::of(of.frame, |i, j| u8::from((top..bottom).contains(&i) && (left..right).contains(&j))))
    });
}

#[test]
fn frames_and_turns() {
    compare(boxes::TRIMMED, 0..1, 20, |of, _| {
        let filled: Vec<(i32, i32)> = of.places().filter(|&(i, j)| of.at(i, j) != 0).collect();
        let (top, left, bottom, right) = bounds(&filled)?;
        let size = Frame { height: (bottom + 1 - top) as u16, width: (right + 1 - left) as u16, ..of.frame };
        Some(Picture::of(size.moved(top as i16, left as i16), |i, j| of.at(top + i, left + j)))
    });
    compare(boxes::TURNED, 0..7, 20, |of, which| {
        let (down, across) = (of.height() - 1, of.width() - 1);
        let frame = match which {
            1 | 3 | 4 => of.frame,
            _ => Frame { height: of.frame.width, width: of.frame.height, ..of.frame },
        };
        Some(Picture::of(frame, |i, j| match which {
            0 => of.at(down - j, i),
            1 => of.at(down - i, across - j),
            2 => of.at(j, across - i),
            3 => of.at(i, across - j),
            4 => of.at(down - i, j),
            5 => of.at(j, i),
            _ => of.at(down - j, across - i),
        }))
    });
    compare(boxes::FRAMED, 0..3, 20, |of, which| {
        let frame = Frame { height: of.frame.height + 2, width: of.frame.width + 2, ..of.frame.moved(-1, -1) };
        let (height, width) = (of.height(), of.width());
        Some(Picture::of(frame, |i, j| {
            let inside = (1..=height).contains(&i) && (1..=width).contains(&j);
            match which {
                0 if !inside => 1,
                1 if !inside => of.main_colour(),
                _ => of.at(i.clamp(1, height) - 1, j.clamp(1, width) - 1),
            }
        }))
    });
    compare(boxes::ENLARGED, 2..6, 20, |of, factor| {
        let (height, width) = ((of.height() * factor) as usize, (of.width() * factor) as usize);
        let fits = height <= batt_vision::MAX_SIDE && width <= batt_vision::MAX_SIDE;
        fits.then(|| Picture::of(Frame::at_origin(height, width), |i, j| of.at(i / factor, j / factor)))
    });
}

#[test]
fn rows_and_columns() {
    fn divisor(a: i32, b: i32) -> i32 {
        if b == 0 { a } else { divisor(b, a % b) }
    }
    compare(boxes::SQUEEZED, 0..3, 20, |of, which| {
        let chosen = |length: i32, line: &dyn Fn(i32) -> Vec<u8>| -> Vec<i32> {
            let differs = |k: i32| k > 0 && line(k) != line(k - 1);
            let unit = (0..length).filter(|&k| differs(k)).fold(length, divisor);
            let keep = |&k: &i32| match which {
                0 => line(k).iter().any(|&cell| cell != 0),
                1 => k == 0 || differs(k),
                _ => k % unit == 0,
            };
            (0..length).filter(keep).collect()
        };
        let rows = chosen(of.height(), &|i| (0..of.width()).map(|j| of.at(i, j)).collect());
        let columns = chosen(of.width(), &|j| (0..of.height()).map(|i| of.at(i, j)).collect());
        let frame = Frame::at_origin(rows.len(), columns.len());
        (frame.area() > 0).then(|| Picture::of(frame, |i, j| of.at(rows[i as usize], columns[j as usize])))
    });
    compare(boxes::SORTED_LINES, 0..4, 20, |of, which| {
        let upright = |i: i32, j: i32| if which < 2 { of.at(j, i) } else { of.at(i, j) };
        let (lines, length) = if which < 2 { (of.width(), of.height()) } else { (of.height(), of.width()) };
        let mut order: Vec<i32> = (0..lines).collect();
        let count = |line: i32| (0..length).filter(|&k| upright(line, k) != 0).count() as i32;
        order.sort_by_key(|&line| if which % 2 == 0 { count(line) } else { -count(line) });
        Some(Picture::of(of.frame, |i, j| if which < 2 { of.at(i, order[j as usize]) } else { of.at(order[i as usize], j) }))
    });
}

#[test]
fn bars() {
    compare(boxes::COUNT_BAR, 0..9, 14, |of, which| {
        let mut colours = of.cells.clone();
        colours.retain(|&cell| cell != 0);
        colours.sort_unstable();
        colours.dedup();
        let count = [of.filled(), colours.len(), of.components(false).len()][which as usize / 3];
        let frame = [Frame::at_origin(count, count), Frame::at_origin(1, count), Frame::at_origin(count, 1)][which as usize % 3];
        (1..=batt_vision::MAX_SIDE).contains(&count).then(|| Picture::of(frame, |_, _| of.main_colour()))
    });
}

#[test]
fn one_image_on_another() {
    let outside = |a: Frame, b: Frame| {
        let (top, left) = (a.row.min(b.row), a.column.min(b.column));
        let bottom = (a.row + a.height as i16).max(b.row + b.height as i16);
        let right = (a.column + a.width as i16).max(b.column + b.width as i16);
        Frame { row: top, column: left, height: (bottom - top) as u16, width: (right - left) as u16 }
    };
    let on = |frame: Frame, colour: &dyn Fn(i32, i32) -> u8| {
        Picture::of(frame, |i, j| colour(i + i32::from(frame.row), j + i32::from(frame.column)))
    };
    compare_merge(merges::EMBED, 0..1, |of, room, _| Some(on(room.frame, &|i, j| of.on_plane(i, j))));
    compare_merge(merges::OVER, 0..2, |top, bottom, which| {
        let frame = if which == 0 { bottom.frame } else { outside(top.frame, bottom.frame) };
        Some(on(frame, &|i, j| if top.on_plane(i, j) == 0 { bottom.on_plane(i, j) } else { top.on_plane(i, j) }))
    });
    compare_merge(merges::MASKED, 0..2, |of, mask, which| {
        Some(on(of.frame, &|i, j| if (mask.on_plane(i, j) != 0) == (which == 0) { of.on_plane(i, j) } else { 0 }))
    });
    compare_merge(merges::REPEATED, 0..2, |of, room, gap| {
        let (row, column) = (i32::from(of.frame.row), i32::from(of.frame.column));
        let colour = |i: i32, j: i32| of.at((i - row).rem_euclid(of.height() + gap), (j - column).rem_euclid(of.width() + gap));
        Some(on(room.frame, &colour))
    });
    compare_merge(merges::REFLECTED, 0..2, |of, room, gap| {
        let (row, column) = (i32::from(of.frame.row), i32::from(of.frame.column));
        let folded = |place: i32, length: i32| {
            let (tile, within) = (place.div_euclid(length + gap), place.rem_euclid(length + gap));
            if tile % 2 == 0 { within } else { length - 1 - within }
        };
        Some(on(room.frame, &|i, j| of.at(folded(i - row, of.height()), folded(j - column, of.width()))))
    });
}

#[test]
fn stretching() {
    compare_merge(merges::STRETCHED, 0..1, |of, room, _| {
        // As if every line of either were as many lines as the other has.
        Some(Picture::of(room.frame, |i, j| {
            let mut weights = [0; COLOURS];
            for k in i * of.height()..(i + 1) * of.height() {
                for l in j * of.width()..(j + 1) * of.width() {
                    weights[of.at(k / room.height(), l / room.width()) as usize] += 1;
                }
            }
            (0..COLOURS).max_by_key(|&colour| (weights[colour], colour != 0, Reverse(colour))).unwrap_or(0) as u8
        }))
    });
}

#[test]
fn components_coloured_and_flipped() {
    compare_merge(merges::COLOURED_BY, 0..2, |of, by, which| {
        let mut out = Picture::of(of.frame, |_, _| 0);
        for component in of.components(which == 0) {
            let plane = |&(i, j): &(i32, i32)| by.on_plane(i + i32::from(of.frame.row), j + i32::from(of.frame.column));
            let colour = most(component.iter().map(plane));
            for (i, j) in component {
                out.cells[(i * of.width() + j) as usize] = colour;
            }
        }
        Some(out)
    });
    compare(objects::FLIPPED, 0..3, 14, |of, which| {
        let mut out = Picture::of(of.frame, |_, _| 0);
        for component in of.components(false) {
            let (top, left, bottom, right) = bounds(&component)?;
            for (i, j) in component {
                let row = if which == 0 { i } else { top + bottom - i };
                let column = if which == 1 { j } else { left + right - j };
                out.cells[(row * of.width() + column) as usize] = of.at(i, j);
            }
        }
        Some(out)
    });
}

#[test]
fn components_moved() {
    for colour in [0, 1, 3] {
        compare(objects::ATTRACTED, colour..colour + 1, 14, |of, colour| {
            let (height, width) = (of.height(), of.width());
            let anchor = |i: i32, j: i32| (0..height).contains(&i) && (0..width).contains(&j) && i32::from(of.at(i, j)) == colour;
            if !of.places().any(|(i, j)| anchor(i, j)) {
                return None;
            }
            let mut out = Picture::of(of.frame, |_, _| 0);
            for component in Picture::of(of.frame, |i, j| if anchor(i, j) { 0 } else { of.at(i, j) }).components(false) {
                let steps = (1..=height.max(width)).flat_map(|steps| [(-steps, 0), (steps, 0), (0, -steps), (0, steps)]);
                let touches = |&(down, across): &(i32, i32)| component.iter().any(|&(i, j)| anchor(i + down, j + across));
                let (down, across) = steps.into_iter().find(touches).unwrap_or((0, 0));
                for &(i, j) in &component {
                    let (row, column) = (i + down - down.signum(), j + across - across.signum());
                    if (0..height).contains(&row) && (0..width).contains(&column) {
                        out.cells[(row * width + column) as usize] = of.at(i, j);
                    }
                }
            }
            Some(Picture::of(of.frame, |i, j| if anchor(i, j) { colour as u8 } else { out.at(i, j) }))
        });
        compare(objects::ALIGNED, colour..colour + 1, 14, |of, colour| {
            let mut parts: Vec<Vec<(i32, i32, u8)>> = Vec::new();
            let mut frames: Vec<(i32, i32)> = Vec::new();
            for component in of.components(false) {
                let (top, left, bottom, right) = bounds(&component)?;
                let part = |i: i32, j: i32| if component.contains(&(i, j)) { of.at(i, j) } else { 0 };
                let places = (top..=bottom).flat_map(|i| (left..=right).map(move |j| (i, j)));
                if let Some((row, column)) = places.clone().find(|&(i, j)| i32::from(part(i, j)) == colour) {
                    parts.push(places.map(|(i, j)| (i - row, j - column, part(i, j))).collect());
                    frames.extend([(top - row, left - column), (bottom - row, right - column)]);
                }
            }
            let (top, left, bottom, right) = bounds(&frames)?;
            let frame = Frame::at_origin((bottom + 1 - top) as usize, (right + 1 - left) as usize);
            let mut out = Picture::of(frame, |_, _| 0);
            for &(i, j, cell) in parts.iter().flatten().filter(|(_, _, cell)| *cell != 0) {
                out.cells[((i - top) * i32::from(frame.width) + j - left) as usize] = cell;
            }
            (parts.len() >= 2).then_some(out)
        });
    }
}

#[test]
fn picks_by_symmetry_and_likeness() {
    let (mut chance, mut work) = (Chance(3), Work::default());
    for round in 0..2000 {
        let longest = 1 + round % 6;
        let mut pictures: Vec<Picture> = (0..=chance.below(5)).map(|_| chance.picture(longest)).collect();
        pictures.push(pictures[0].clone());
        let frames: Vec<Frame> = pictures.iter().map(|picture| picture.frame).collect();
        let cells: Vec<u8> = pictures.iter().flat_map(|picture| picture.cells.clone()).collect();
        let symmetries = |of: &Picture| {
            let (down, across) = (of.height() - 1, of.width() - 1);
            let same = |place: &dyn Fn(i32, i32) -> (i32, i32)| {
                of.places().all(|(i, j)| of.at(i, j) == of.at(place(i, j).0, place(i, j).1)) as i32
            };
            let square = if down == across { same(&|i, j| (j, i)) + same(&|i, j| (across - j, down - i)) } else { 0 };
            same(&|i, j| (i, across - j)) + same(&|i, j| (down - i, j)) + square
        };
        for number in [14, 15, 20, 24] {
            let worth = |of: &Picture| {
                let alike = pictures.iter().filter(|other| other.main_colour() == of.main_colour()).count() as i32;
                [symmetries(of), -symmetries(of), alike, -alike][[14, 15, 20, 24].iter().position(|&k| k == number).unwrap_or(0)]
            };
            let best = pictures.iter().map(worth).max();
            let mut winners = pictures.iter().filter(|picture| Some(worth(picture)) == best);
            let (first, second) = (winners.next().cloned(), winners.next());
            for (pick, wanted) in [(picks::PICK, first.clone()), (picks::PICK_ONLY, first.filter(|_| second.is_none()))] {
                work.out.clear();
                let done = pick.kernel.make([List { frames: &frames, cells: &cells }; 2], number, &mut work);
                assert_eq!(given(&work, done), wanted, "{number} {pictures:?}");
            }
        }
    }
}
