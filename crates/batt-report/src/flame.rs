//! Flame graphs: the frames of folded stacks and their places. The page draws them; no markup goes into it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::ProfileError;

/// Frames narrower than this share of the whole cannot be seen and are left out, with the frames on top of them.
const LEAST_SHARE: f64 = 1e-4;

/// A flame graph.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Flame {
    /// The unit of places and widths.
    pub unit: String,
    /// The frames. A frame comes before those on top of it; the first is under all others.
    pub frames: Vec<Frame>,
}

/// A frame of a flame graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Frame {
    /// Its name.
    pub name: String,
    /// How many frames are under it.
    pub depth: usize,
    /// Where it begins.
    pub x: u64,
    /// Its width: its own units and those of the frames on top of it.
    pub width: u64,
}

/// A frame and those on top of it, by name. All nodes are in one list, so that no stack is too deep.
#[derive(Default)]
struct Node<'n> {
    width: u64,
    above: BTreeMap<&'n str, usize>,
}

/// The flame graph of folded stacks (`a;b;c 123`), whose numbers are of this unit.
pub(crate) fn flame_graph(folded: &[String], unit: &str) -> Result<Flame, ProfileError> {
    let mut nodes = vec![Node::default()];
    for line in folded {
        let wrong = || ProfileError::Flame(format!("`{}` is not frames and a number, such as `run;objects 12`", shortened(line)));
        let (stack, units) = parsed(line).ok_or_else(wrong)?;
        let mut at = 0;
        widen(&mut nodes, at, units);
        for name in stack.split(';') {
            let new = nodes.len();
            at = nodes.get_mut(at).map_or(new, |node| *node.above.entry(name).or_insert(new));
            if at == new {
                nodes.push(Node::default());
            }
            widen(&mut nodes, at, units);
        }
    }
    Ok(Flame { unit: unit.to_owned(), frames: frames(&nodes) })
}

fn widen(nodes: &mut [Node<'_>], at: usize, units: u64) {
    if let Some(node) = nodes.get_mut(at) {
        node.width = node.width.saturating_add(units);
    }
}

fn frames(nodes: &[Node<'_>]) -> Vec<Frame> {
    let least = nodes.first().map_or(0.0, |root| root.width as f64 * LEAST_SHARE);
    let mut frames = Vec::new();
    let mut waiting = vec![("all", 0, 0, 0)];
    while let Some((name, node, depth, x)) = waiting.pop() {
        let Some(Node { width, above }) = nodes.get(node) else { continue };
        if *width == 0 || (*width as f64) < least {
            continue;
        }
        frames.push(Frame { name: name.to_owned(), depth, x, width: *width });
        let mut place = x;
        for (&name, &node) in above {
            waiting.push((name, node, depth + 1, place));
            place = u64::saturating_add(place, nodes.get(node).map_or(0, |node| node.width));
        }
    }
    frames
}

fn parsed(line: &str) -> Option<(&str, u64)> {
    let (stack, number) = line.trim_end().rsplit_once(' ')?;
    Some((stack, number.parse().ok()?))
}

fn shortened(line: &str) -> String {
    line.chars().take(60).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn drawn(lines: &[&str]) -> String {
        let lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        let flame = flame_graph(&lines, "ns").unwrap();
        let frame = |frame: &Frame| format!("{}{} {}+{}", " ".repeat(frame.depth), frame.name, frame.x, frame.width);
        flame.frames.iter().map(frame).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn frames_of_the_same_stack_are_one_as_wide_as_all_of_them() {
        expect_test::expect![[r"
            all 0+17
             run 2+15
              objects 6+11
               first 6+3
              fill 2+4
             load <x> 0+2"]]
        .assert_eq(&drawn(&["run;objects 5", "run;fill 4", "load <x> 2", "run;objects;first 3", "run;objects 3"]));
    }

    #[test]
    fn what_cannot_be_seen_is_left_out_and_depth_has_no_limit() {
        assert_eq!(drawn(&["a 100000", "b 9"]), "all 0+100009\n a 0+100000");
        let deep = format!("{} 1", vec!["f"; 100_000].join(";"));
        assert_eq!(flame_graph(&[deep], "ns").unwrap().frames.len(), 100_001);
        assert_eq!(drawn(&["a 18446744073709551615", "b 18446744073709551615"]).lines().count(), 3);
    }

    #[test]
    fn a_line_that_is_no_stack_is_named() {
        let wrong = flame_graph(&["no number".to_owned()], "ns").unwrap_err().to_string();
        assert_eq!(wrong, "cannot draw the flame graph of the profile: `no number` is not frames and a number, such as `run;objects 12`");
    }
}
