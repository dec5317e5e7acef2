//! Flame graphs: the frames of stacks and their places. The page draws them; no markup goes into it.

use std::collections::BTreeMap;

use batt_profile::Stack;
use serde::Serialize;

/// Frames narrower than this share of the whole cannot be seen and are left out, with the frames on top of them.
const LEAST_SHARE: f64 = 1e-4;

/// A frame of a flame graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Frame {
    /// Its name.
    pub name: String,
    /// How many frames are under it.
    pub depth: usize,
    /// Where it begins, in nanoseconds.
    pub x: u64,
    /// Its width in nanoseconds: its own and those of the frames on top of it.
    pub width: u64,
}

/// A frame and those on top of it, by name. All nodes are in one list, so that no stack is too deep.
#[derive(Default)]
struct Node<'n> {
    width: u64,
    above: BTreeMap<&'n str, usize>,
}

/// The flame graph of stacks. A frame comes before those on top of it; the first is under all others.
pub(crate) fn flame_graph(stacks: &[Stack]) -> Vec<Frame> {
    let mut nodes = vec![Node::default()];
    for stack in stacks {
        let units = (stack.self_s.max(0.0) * 1e9).round() as u64;
        let mut at = 0;
        widen(&mut nodes, at, units);
        for name in &stack.frames {
            let new = nodes.len();
            at = nodes.get_mut(at).map_or(new, |node| *node.above.entry(name).or_insert(new));
            if at == new {
                nodes.push(Node::default());
            }
            widen(&mut nodes, at, units);
        }
    }
    frames(&nodes)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(frames: &str, nanoseconds: u64) -> Stack {
        Stack { frames: frames.split(';').map(str::to_owned).collect(), self_s: nanoseconds as f64 / 1e9, ..Stack::default() }
    }

    fn drawn(stacks: &[(&str, u64)]) -> String {
        let stacks: Vec<Stack> = stacks.iter().map(|&(frames, nanoseconds)| stack(frames, nanoseconds)).collect();
        let frames = flame_graph(&stacks);
        let frame = |frame: &Frame| format!("{}{} {}+{}", " ".repeat(frame.depth), frame.name, frame.x, frame.width);
        frames.iter().map(frame).collect::<Vec<_>>().join("\n")
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
        .assert_eq(&drawn(&[("run;objects", 5), ("run;fill", 4), ("load <x>", 2), ("run;objects;first", 3), ("run;objects", 3)]));
    }

    #[test]
    fn what_cannot_be_seen_is_left_out_and_depth_has_no_limit() {
        assert_eq!(drawn(&[("a", 100_000), ("b", 9)]), "all 0+100009\n a 0+100000");
        let deep = vec!["f"; 100_000].join(";");
        assert_eq!(flame_graph(&[stack(&deep, 1)]).len(), 100_001);
        assert!(flame_graph(&[stack("a", 0)]).is_empty());
    }
}
