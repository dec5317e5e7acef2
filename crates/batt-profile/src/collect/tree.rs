//! Stacks of frames as a tree: what was called from what, how often, and how long it took itself.

use rustc_hash::FxHashMap;

use super::frame::Frame;

/// The root has no frame and no time.
pub(crate) const ROOT: u32 = 0;

/// A stack of frames.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeNode {
    pub(crate) frame: Frame,
    pub(crate) parent: u32,
    pub(crate) calls: u64,
    /// Time in the frame itself, not in what it calls.
    pub(crate) self_ns: f64,
    pub(crate) undefined: u64,
    /// The part of that time that went into calls without an answer.
    pub(crate) undefined_ns: f64,
    pub(crate) bytes: u64,
    /// The variance of the time, where it is an estimate.
    pub(crate) variance: f64,
    /// The child that was found last: mostly the one that is wanted next.
    last_child: (Frame, u32),
}

/// All stacks. A child comes after its parent.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<TreeNode>,
    children: FxHashMap<(u32, Frame), u32>,
}

impl Default for Tree {
    fn default() -> Self {
        Self { nodes: vec![TreeNode::new(Frame(0), ROOT)], children: FxHashMap::default() }
    }
}

impl TreeNode {
    fn new(frame: Frame, parent: u32) -> Self {
        Self {
            frame,
            parent,
            calls: 0,
            self_ns: 0.0,
            undefined: 0,
            undefined_ns: 0.0,
            bytes: 0,
            variance: 0.0,
            last_child: (Frame(u16::MAX), 0),
        }
    }
}

impl Tree {
    /// The stack with a frame more, which is made if need be.
    #[inline]
    pub(crate) fn child(&mut self, parent: u32, frame: Frame) -> u32 {
        let (last, place) = self.nodes[parent as usize].last_child;
        if last == frame {
            return place;
        }
        let next = self.nodes.len() as u32;
        let place = *self.children.entry((parent, frame)).or_insert(next);
        if place == next {
            self.nodes.push(TreeNode::new(frame, parent));
        }
        self.nodes[parent as usize].last_child = (frame, place);
        place
    }

    /// Adds all that is in another tree.
    pub(crate) fn add(&mut self, other: &Self) {
        let mut places = vec![ROOT; other.nodes.len()];
        for (k, node) in other.nodes.iter().enumerate().skip(1) {
            let place = self.child(places[node.parent as usize], node.frame);
            places[k] = place;
            let here = &mut self.nodes[place as usize];
            here.calls += node.calls;
            here.self_ns += node.self_ns;
            here.undefined += node.undefined;
            here.undefined_ns += node.undefined_ns;
            here.bytes += node.bytes;
            here.variance += node.variance;
        }
    }

    /// Takes away what watching cost, and returns how much that was.
    pub(crate) fn without_cost(&mut self, inside: f64, outside: f64) -> f64 {
        let before: f64 = self.nodes.iter().map(|node| node.self_ns).sum();
        for k in 1..self.nodes.len() {
            let TreeNode { calls, parent, undefined, .. } = self.nodes[k];
            let spans = calls as f64;
            self.nodes[k].self_ns -= spans * inside;
            self.nodes[k].undefined_ns -= undefined as f64 * inside;
            self.nodes[parent as usize].self_ns -= spans * outside;
        }
        for node in &mut self.nodes {
            node.self_ns = node.self_ns.max(0.0);
            node.undefined_ns = node.undefined_ns.clamp(0.0, node.self_ns);
        }
        // No frame takes less than no time, so this can be less than what was to be taken away.
        before - self.nodes.iter().map(|node| node.self_ns).sum::<f64>()
    }

    /// The frames of a stack, outermost first.
    pub(crate) fn frames(&self, mut place: u32) -> Vec<Frame> {
        let mut frames = Vec::new();
        while place != ROOT {
            frames.push(self.nodes[place as usize].frame);
            place = self.nodes[place as usize].parent;
        }
        frames.reverse();
        frames
    }

    /// Time in each stack and all that it calls.
    pub(crate) fn totals(&self) -> Vec<f64> {
        let mut totals: Vec<f64> = self.nodes.iter().map(|node| node.self_ns).collect();
        for k in (1..self.nodes.len()).rev() {
            totals[self.nodes[k].parent as usize] += totals[k];
        }
        totals
    }

    /// Whether the frame of a stack is further out in it, too: then its time is in the total of that already.
    pub(crate) fn is_inside_itself(&self, place: u32) -> bool {
        let frame = self.nodes[place as usize].frame;
        let mut above = self.nodes[place as usize].parent;
        while above != ROOT {
            if self.nodes[above as usize].frame == frame {
                return true;
            }
            above = self.nodes[above as usize].parent;
        }
        false
    }
}
