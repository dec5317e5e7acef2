//! Sum of all probes.

use batt_engine::Activity;
use batt_engine::{Card, Class};

use crate::collect::{Frame, NodeStat, ProbeData, ProgramStat, ROOT, Tree, frames_of_node};
use crate::names;
use crate::profile::{ClassRow, NodeRow, ProgramRow, Stack};

/// How much time stands behind the time of what was timed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scale {
    /// Time of all calls that the timed ones represent.
    pub(crate) all: f64,
    /// Time of the timed ones; 0 if everything was timed.
    pub(crate) timed: f64,
}

impl Scale {
    /// Of all that these have seen.
    pub(crate) fn of<'g>(gathered: impl IntoIterator<Item = &'g ProbeData>) -> Self {
        let mut scale = Self::default();
        for one in gathered {
            let in_nodes: f64 = one.nodes.iter().flatten().map(|node| node.shared.ns).sum();
            scale.add(&Self { all: one.shared_total_ns, timed: one.shared_parts.iter().sum::<f64>() + in_nodes });
        }
        scale
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.all += other.all;
        self.timed += other.timed;
    }

    /// How much time each timed one stands for, its own included.
    pub(crate) fn factor(&self) -> f64 {
        if self.timed > 0.0 { (self.all / self.timed).max(1.0) } else { 1.0 }
    }
}

/// Sum of all probes. Sampled times are scaled.
pub(crate) struct Sum {
    pub(crate) tree: Tree,
    pub(crate) nodes: [Vec<NodeStat>; 2],
    pub(crate) programs: Vec<ProgramStat>,
    pub(crate) scale: f64,
    /// By frame, the calls that do not stand for themselves: how many there were, and how many of them were seen.
    others: Vec<(u64, u64)>,
    pub(crate) runs: u64,
    pub(crate) timed: u64,
    pub(crate) busy_s: f64,
    /// Time on tasks without a processor.
    pub(crate) lost_s: f64,
    pub(crate) overhead_s: f64,
}

impl Sum {
    /// Of all that these have seen of two cards: of programs, and of differs.
    pub(crate) fn of(gathered: &[ProbeData], cards: [&Card; 2], scale: &Scale) -> Self {
        let mut sum = Self {
            tree: Tree::default(),
            nodes: [Vec::new(), Vec::new()],
            programs: Vec::new(),
            scale: scale.factor(),
            others: Vec::new(),
            runs: 0,
            timed: 0,
            busy_s: 0.0,
            lost_s: 0.0,
            overhead_s: 0.0,
        };
        let mut parts = [0.0; Activity::ALL.len()];
        for one in gathered {
            sum.tree.add(&one.tree);
            for (all, some) in sum.nodes.iter_mut().zip(&one.nodes) {
                all.resize(all.len().max(some.len()), NodeStat::default());
                all.iter_mut().zip(some).for_each(|(all, some)| all.add(some));
            }
            sum.programs.resize(sum.programs.len().max(one.programs.len()), ProgramStat::default());
            for (all, some) in sum.programs.iter_mut().zip(&one.programs) {
                all.runs += some.runs;
                all.alone_ns += some.alone_ns;
                all.shared_ns += some.shared_ns;
            }
            parts.iter_mut().zip(&one.shared_parts).for_each(|(all, some)| *all += some);
            sum.runs += one.runs;
            sum.timed += one.timed_runs;
            sum.busy_s += one.busy_ns / 1e9;
            sum.lost_s += one.lost_ns / 1e9;
            sum.overhead_s += one.overhead_ns / 1e9;
        }
        if scale.timed > 0.0 {
            sum.add_sampled(&parts, cards);
        }
        sum
    }

    /// Puts the times of a sampled run into the tree.
    fn add_sampled(&mut self, parts: &[f64; Activity::ALL.len()], cards: [&Card; 2]) {
        let scale = self.scale;
        for (part, time) in Activity::ALL.into_iter().zip(parts).filter(|(_, time)| **time > 0.0) {
            let place = self.tree.child(ROOT, Frame::part(part)) as usize;
            self.tree.nodes[place].self_ns += time * scale;
            self.tree.nodes[place].calls += self.runs;
        }
        for ((stats, card), part) in self.nodes.iter().zip(cards).zip([Activity::Execute, Activity::Differs]) {
            for (id, stat) in stats.iter().enumerate().filter(|(_, stat)| stat.calls > 0) {
                let Some(frames) = frames_of_node(card, part, id as u32) else { continue };
                let mut place = ROOT;
                if let Some(frame) = frames.last() {
                    let others = crate::collect::place(&mut self.others, u32::from(frame.0));
                    *others = (others.0 + stat.calls.saturating_sub(stat.alone.calls), others.1 + stat.shared.calls);
                }
                for frame in frames {
                    place = self.tree.child(place, frame);
                }
                let node = &mut self.tree.nodes[place as usize];
                let [undefined, _, bytes] = stat.of_all();
                node.calls += stat.calls;
                node.undefined += undefined;
                node.bytes += bytes;
                node.self_ns += stat.ns(scale);
                node.undefined_ns += stat.alone.undefined_ns + stat.shared.undefined_ns * scale;
                node.variance += stat.shared_squares * scale * (scale - 1.0);
            }
        }
    }

    /// How many calls stand behind each that was seen and stands for others.
    pub(crate) fn calls_for_each_seen(&self, frame: Frame) -> f64 {
        match self.others.get(usize::from(frame.0)) {
            Some(&(all, seen)) if seen > 0 => all as f64 / seen as f64,
            _ => 1.0,
        }
    }

    pub(crate) fn time_of_part(&self, part: Activity) -> f64 {
        let totals = self.tree.totals();
        let of_part = |(k, _): &(usize, _)| self.tree.nodes[*k].parent == ROOT && self.tree.nodes[*k].frame == Frame::part(part);
        totals.iter().enumerate().skip(1).filter(of_part).map(|(_, time)| time / 1e9).sum()
    }

    /// The fuel of calls by what is called.
    pub(crate) fn fuel<'s>(&'s self, cards: [&'s Card; 2]) -> impl Iterator<Item = (&'static str, u64)> + 's {
        let of_card = |(stats, card): (&'s Vec<NodeStat>, &'s Card)| {
            let called = stats.iter().enumerate().filter(|(_, stat)| stat.calls > 0);
            called.map(|(id, stat)| (names::call_of_node(card, id as u32).0, stat.of_all()[1]))
        };
        self.nodes.iter().zip(cards).flat_map(of_card)
    }

    pub(crate) fn programs(&self, names: &[String]) -> Vec<ProgramRow> {
        let row = |(k, stat): (usize, &ProgramStat)| ProgramRow {
            name: names.get(k).cloned().unwrap_or_default(),
            runs: stat.runs,
            time_s: (stat.alone_ns + stat.shared_ns * self.scale) / 1e9,
            interval_s: None,
        };
        let mut rows: Vec<ProgramRow> = self.programs.iter().enumerate().filter(|(_, stat)| stat.runs > 0).map(row).collect();
        rows.sort_by(|a, b| b.time_s.total_cmp(&a.time_s).then_with(|| a.name.cmp(&b.name)));
        rows
    }

    pub(crate) fn node_rows(&self, card: &Card) -> Vec<NodeRow> {
        let row = |(id, stat): (usize, &NodeStat)| {
            let (name, class) = names::call_of_node(card, id as u32);
            let [undefined, fuel, bytes] = stat.of_all();
            NodeRow {
                card: 0,
                node: id as u32,
                name: name.to_owned(),
                class: class.to_owned(),
                calls: stat.calls,
                time_s: stat.ns(self.scale) / 1e9,
                undefined,
                fuel,
                bytes,
            }
        };
        self.nodes[0].iter().enumerate().map(row).collect()
    }
}

/// The time of executing by what the calls depend on.
pub(crate) fn classes_of(tree: &Tree) -> Vec<ClassRow> {
    let totals = tree.totals();
    let row = |class: Class| {
        let places: Vec<usize> = (1..totals.len()).filter(|&k| tree.nodes[k].frame == Frame::class(class)).collect();
        let within = |k: &usize| -> u64 {
            let own = tree.nodes[*k].calls;
            let children = tree.nodes.iter().skip(1).filter(|node| node.parent as usize == *k).map(|node| node.calls);
            // When sampled, calls are those of the primitives in the class.
            own.max(children.sum())
        };
        let calls = places.iter().map(within).sum();
        ClassRow { name: class.name().to_owned(), calls, time_s: places.iter().map(|&k| totals[k] / 1e9).sum() }
    };
    Class::ALL.map(row).into_iter().filter(|row| row.calls > 0).collect()
}

/// Call stacks, from the tree of frames.
pub(crate) fn stacks_of(tree: &Tree) -> Vec<Stack> {
    let stack = |k: usize| {
        let frames = tree.frames(k as u32).into_iter().map(|frame| names::in_stack(frame).to_owned()).collect();
        Stack { frames, calls: tree.nodes[k].calls, self_s: tree.nodes[k].self_ns / 1e9 }
    };
    (1..tree.nodes.len()).map(stack).collect()
}
