//! A batch of programs as the device gets it: everything in one piece of memory, laid out by all cores, copied at once.

use batt_dsl::Limits;
use batt_program::Program;
use rayon::prelude::*;

use crate::compile::{Compiled, Folding, Literals, Uncovered, translate};
use crate::device::{CardProgramEntry, ControlEntry, NodeEntry, ProgramEntry, StepEntry, TaskEntry};
use crate::format::Instruction;
use crate::graph::{Graph, GraphProgram, Node, Order};
use crate::judge::Verdict;
use crate::memo::{Memo, add_to_graph};
use crate::straight::{is_straight, may_be_straight};
use crate::track::Said;
use crate::values::Image;

/// Where pieces of a batch begin: at multiples of this.
const ALIGNMENT: usize = 256;
/// Places for nodes that neighbouring multiprocessors take together, as in `work.cuh`.
const NEIGHBOURHOODS: usize = 256;
/// Bytes of what the kernels of a batch share: counters, and those places behind them.
const CONTROL_BYTES: usize = size_of::<ControlEntry>() + NEIGHBOURHOODS * size_of::<u64>();
/// Pieces that the order of nodes is put together in.
const ORDER_PIECES: usize = 64;

/// Programs compiled for a batch. Parts can be compiled side by side.
#[derive(Default)]
pub struct Part {
    graph: Graph,
    /// The instructions of straight programs.
    code: Vec<Instruction>,
    literals: Literals,
    programs: Vec<Result<Routed, Uncovered>>,
    /// The calls of each program.
    sizes: Vec<u16>,
    order: Order,
}

/// A program for one of the kernels.
#[derive(Clone, Copy)]
pub(crate) enum Routed {
    /// One that shares its calls with others.
    Card(GraphProgram),
    /// One that only turns grids into grids.
    Straight(ProgramEntry),
}

impl Routed {
    fn task(&self) -> usize {
        match self {
            Self::Card(program) => program.task as usize,
            Self::Straight(entry) => entry.task as usize,
        }
    }
}

impl Part {
    /// Compiles programs, each for the task of this number. `as_rows` says of each task whether its samples are on the device as rows.
    pub fn compile<'p>(programs: impl Iterator<Item = (u32, &'p Program)>, limits: &Limits, as_rows: &[bool]) -> Self {
        let mut part = Self::default();
        let mut memo = Memo::default();
        for (task, program) in programs {
            let as_rows = as_rows.get(task as usize).copied().unwrap_or_default();
            let live = program.live();
            let routed = part.route(task, program, &live, limits, as_rows, &mut memo);
            part.programs.push(routed);
            part.sizes.push(live.iter().filter(|live| **live).count().min(usize::from(u16::MAX)) as u16);
        }
        part.graph.measure();
        part.order = part.graph.order();
        part.graph.close();
        part
    }

    fn route(
        &mut self,
        task: u32,
        program: &Program,
        live: &[bool],
        limits: &Limits,
        as_rows: bool,
        memo: &mut Memo,
    ) -> Result<Routed, Uncovered> {
        if !as_rows || !may_be_straight(program) {
            let first_step = self.graph.steps.len();
            let added = add_to_graph(program, live, task, limits, &mut self.literals, &mut self.graph, memo);
            return added.map(Routed::Card).inspect_err(|_| self.graph.forget_steps(first_step));
        }
        let code = translate(program, limits, Folding::Fold, &mut self.literals)?;
        if is_straight(&code, limits) {
            let compiled = Compiled::new(&code)?;
            let entry = ProgramEntry::new(&compiled, self.code.len(), task);
            self.code.extend_from_slice(&compiled.code);
            return Ok(Routed::Straight(entry));
        }
        self.graph.add(task, &code).map(Routed::Card)
    }

    /// How many programs it has.
    pub fn len(&self) -> usize {
        self.programs.len()
    }

    /// Whether it has no programs.
    pub fn is_empty(&self) -> bool {
        self.programs.is_empty()
    }

    /// The calls and loops of its programs, each once.
    pub(crate) fn graph_nodes(&self) -> &[Node] {
        &self.graph.nodes
    }

    /// Which programs are left to the host, and why.
    pub fn uncovered(&self) -> impl Iterator<Item = (usize, Uncovered)> {
        self.programs.iter().enumerate().filter_map(|(k, program)| program.err().map(|why| (k, why)))
    }

    /// Where each program goes, or why it goes nowhere.
    pub(crate) fn routes<'a>(&'a self, tasks: &'a Tasks) -> impl Iterator<Item = Result<Routed, Uncovered>> + 'a {
        self.programs.iter().map(|&routed| {
            let routed = routed?;
            if tasks.taken.get(routed.task()) == Some(&true) { Ok(routed) } else { Err(Uncovered::Literal) }
        })
    }
}

/// Tasks as the device has them.
pub(crate) struct Tasks {
    pub(crate) entries: Vec<TaskEntry>,
    /// By task, whether the device takes all its samples.
    pub(crate) taken: Vec<bool>,
    /// By task, whether its samples are there as rows, too.
    pub(crate) as_rows: Vec<bool>,
}

impl Tasks {
    /// How many samples a task has; none if there is no such task.
    pub(crate) fn samples(&self, task: u32) -> usize {
        self.entries.get(task as usize).map_or(0, |task| (task.demos + task.tests) as usize)
    }
}

/// How much of everything comes before a part.
#[derive(Clone, Copy, Default)]
struct Start {
    code: usize,
    literals: usize,
    cards: usize,
    straight: usize,
    nodes: usize,
    words: usize,
    steps: usize,
    slots: usize,
}

impl Start {
    fn of(part: &Part, tasks: &Tasks) -> Self {
        let (mut cards, mut straight) = (0, 0);
        for routed in part.routes(tasks).flatten() {
            match routed {
                Routed::Card(_) => cards += 1,
                Routed::Straight(_) => straight += 1,
            }
        }
        Self {
            code: part.graph.code.len() + part.code.len(),
            literals: part.literals.values().len(),
            cards,
            straight,
            nodes: part.graph.nodes.len(),
            words: part.graph.words.len(),
            steps: part.graph.steps.len(),
            slots: part.graph.nodes.iter().map(|node| tasks.samples(node.task)).sum(),
        }
    }

    fn add(&mut self, other: &Self) {
        self.code += other.code;
        self.literals += other.literals;
        self.cards += other.cards;
        self.straight += other.straight;
        self.nodes += other.nodes;
        self.words += other.words;
        self.steps += other.steps;
        self.slots += other.slots;
    }
}

/// Where the pieces of a batch begin, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Offsets {
    pub(crate) code: usize,
    pub(crate) cards: usize,
    pub(crate) straight: usize,
    pub(crate) nodes: usize,
    pub(crate) words: usize,
    pub(crate) order: usize,
    pub(crate) steps: usize,
    pub(crate) sizes: usize,
    pub(crate) literals: usize,
    pub(crate) tasks: usize,
    pub(crate) control: usize,
    pub(crate) end: usize,
}

/// Where everything of a batch is.
pub(crate) struct Layout {
    starts: Vec<Start>,
    end: Start,
    literals: Image,
    pub(crate) offsets: Offsets,
}

impl Layout {
    pub(crate) fn new(parts: &[Part], tasks: &Tasks) -> Self {
        let counts: Vec<Start> = parts.par_iter().map(|part| Start::of(part, tasks)).collect();
        let mut end = Start::default();
        let mut starts = Vec::with_capacity(parts.len());
        for count in &counts {
            starts.push(end);
            end.add(count);
        }
        let mut literals = Image::with_values(end.literals);
        for (k, value) in parts.iter().flat_map(|part| part.literals.values()).enumerate() {
            literals.put(k, value);
        }
        let mut at = 0;
        let mut piece = |bytes: usize| {
            let begin = at;
            at = (at + bytes).next_multiple_of(ALIGNMENT);
            begin
        };
        let offsets = Offsets {
            code: piece(end.code * size_of::<Instruction>()),
            cards: piece(end.cards * size_of::<CardProgramEntry>()),
            straight: piece(end.straight * size_of::<ProgramEntry>()),
            nodes: piece(end.nodes * size_of::<NodeEntry>()),
            words: piece(end.words * size_of::<u32>()),
            order: piece(end.nodes * size_of::<u32>()),
            steps: piece(end.steps * size_of::<StepEntry>()),
            sizes: piece((end.cards + end.straight) * size_of::<u16>()),
            literals: piece(literals.len()),
            tasks: piece(size_of_val(&*tasks.entries)),
            control: piece(CONTROL_BYTES),
            end: 0,
        };
        Self { starts, end, literals, offsets: Offsets { end: at, ..offsets } }
    }

    /// Programs that share their calls; they come first.
    pub(crate) fn cards(&self) -> usize {
        self.end.cards
    }

    /// Programs of both kinds.
    pub(crate) fn programs(&self) -> usize {
        self.end.cards + self.end.straight
    }

    pub(crate) fn nodes(&self) -> usize {
        self.end.nodes
    }

    /// Nodes times the samples that each can be run on.
    pub(crate) fn slots(&self) -> usize {
        self.end.slots
    }

    /// Lays everything out in memory that will be at this address of the device.
    pub(crate) fn fill(&self, memory: &mut [u8], address: u64, parts: &[Part], tasks: &Tasks) {
        let offsets = self.offsets;
        let (code, rest) = memory.split_at_mut(offsets.cards);
        let (cards, rest) = rest.split_at_mut(offsets.straight - offsets.cards);
        let (straight, rest) = rest.split_at_mut(offsets.nodes - offsets.straight);
        let (nodes, rest) = rest.split_at_mut(offsets.words - offsets.nodes);
        let (words, rest) = rest.split_at_mut(offsets.order - offsets.words);
        let (order, rest) = rest.split_at_mut(offsets.steps - offsets.order);
        let (steps, rest) = rest.split_at_mut(offsets.sizes - offsets.steps);
        let (sizes, rest) = rest.split_at_mut(offsets.literals - offsets.sizes);
        let literals = self.literals.at(address + offsets.literals as u64);
        rest[..literals.len()].copy_from_slice(&literals);
        let entries: &[u8] = bytemuck::cast_slice(&tasks.entries);
        rest[offsets.tasks - offsets.literals..][..entries.len()].copy_from_slice(entries);
        rest[offsets.control - offsets.literals..][..CONTROL_BYTES].fill(0);

        let mut code: &mut [Instruction] = typed(code, self.end.code);
        let mut cards: &mut [CardProgramEntry] = typed(cards, self.end.cards);
        let mut straight: &mut [ProgramEntry] = typed(straight, self.end.straight);
        let mut nodes: &mut [NodeEntry] = typed(nodes, self.end.nodes);
        let mut words: &mut [u32] = typed(words, self.end.words);
        let mut steps: &mut [StepEntry] = typed(steps, self.end.steps);
        let (mut card_sizes, mut straight_sizes) = typed::<u16>(sizes, self.programs()).split_at_mut(self.end.cards);
        let mut pieces = Vec::with_capacity(parts.len());
        for (k, (part, start)) in parts.iter().zip(&self.starts).enumerate() {
            let next = self.starts.get(k + 1).unwrap_or(&self.end);
            pieces.push(Place {
                part,
                start,
                code: code.split_off_mut(..next.code - start.code).unwrap_or_default(),
                cards: cards.split_off_mut(..next.cards - start.cards).unwrap_or_default(),
                straight: straight.split_off_mut(..next.straight - start.straight).unwrap_or_default(),
                nodes: nodes.split_off_mut(..next.nodes - start.nodes).unwrap_or_default(),
                words: words.split_off_mut(..next.words - start.words).unwrap_or_default(),
                steps: steps.split_off_mut(..next.steps - start.steps).unwrap_or_default(),
                card_sizes: card_sizes.split_off_mut(..next.cards - start.cards).unwrap_or_default(),
                straight_sizes: straight_sizes.split_off_mut(..next.straight - start.straight).unwrap_or_default(),
            });
        }
        let order = typed(order, self.end.nodes);
        rayon::join(|| pieces.into_par_iter().for_each(|place| place.fill(tasks)), || self.lay_order(order, parts));
    }

    /// The nodes of all parts by their turns.
    fn lay_order(&self, mut order: &mut [u32], parts: &[Part]) {
        // Turn, part, and which of its ordered nodes.
        let mut runs: Vec<(u32, u32, u32, u32)> = Vec::with_capacity(parts.iter().map(|part| part.order.runs.len()).sum());
        for (k, part) in parts.iter().enumerate() {
            let mut first = 0;
            for &(turn, count) in &part.order.runs {
                runs.push((turn, k as u32, first, count));
                first += count;
            }
        }
        runs.par_sort_unstable();
        let pieces: Vec<_> = runs
            .chunks(runs.len().div_ceil(ORDER_PIECES).max(1))
            .map(|runs| (runs, order.split_off_mut(..runs.iter().map(|run| run.3 as usize).sum::<usize>()).unwrap_or_default()))
            .collect();
        pieces.into_par_iter().for_each(|(runs, places)| {
            let mut places = places.iter_mut();
            for &(_, part, first, count) in runs {
                let before = self.starts[part as usize].nodes as u32;
                let nodes = &parts[part as usize].order.nodes[first as usize..][..count as usize];
                for (node, place) in nodes.iter().zip(places.by_ref()) {
                    *place = before + node;
                }
            }
        });
    }

    /// What the device said about each program, by part.
    pub(crate) fn verdicts(&self, parts: &[Part], tasks: &Tasks, said: &Said) -> Vec<Vec<Verdict>> {
        let of_part = |(part, start): (&Part, &Start)| -> Vec<Verdict> {
            let (mut card, mut straight) = (start.cards, self.end.cards + start.straight);
            let verdict = |routed: Result<Routed, Uncovered>| match routed {
                Err(uncovered) => Verdict::Uncovered(uncovered),
                Ok(routed) => {
                    let place = if matches!(routed, Routed::Card(_)) { &mut card } else { &mut straight };
                    *place += 1;
                    said.verdict(*place - 1)
                }
            };
            part.routes(tasks).map(verdict).collect()
        };
        parts.par_iter().zip(&self.starts).map(of_part).collect()
    }
}

/// A part and its places in the batch.
struct Place<'a> {
    part: &'a Part,
    start: &'a Start,
    code: &'a mut [Instruction],
    cards: &'a mut [CardProgramEntry],
    straight: &'a mut [ProgramEntry],
    nodes: &'a mut [NodeEntry],
    words: &'a mut [u32],
    steps: &'a mut [StepEntry],
    card_sizes: &'a mut [u16],
    straight_sizes: &'a mut [u16],
}

impl Place<'_> {
    fn fill(self, tasks: &Tasks) {
        let Self { part, start, code, cards, straight, nodes, words, steps, card_sizes, straight_sizes } = self;
        let graph = &part.graph;
        let (of_nodes, of_straight) = code.split_at_mut(graph.code.len());
        of_nodes.copy_from_slice(&graph.code);
        of_straight.copy_from_slice(&part.code);
        let mut slot = start.slots as u32;
        let slots: Vec<u32> = graph
            .nodes
            .iter()
            .map(|node| {
                let own = slot;
                slot += tasks.samples(node.task) as u32;
                own
            })
            .collect();
        for ((entry, node), &slot) in nodes.iter_mut().zip(&graph.nodes).zip(&slots) {
            *entry = NodeEntry {
                code: start.code as u32 + node.code,
                words: start.words as u32 + node.words,
                slot,
                task: node.task,
                literals: start.literals as u32,
                inputs: node.inputs,
                constants: node.constants,
                flags: node.flags,
            };
            // A node finds what it takes by the places of values.
            let (inputs, constants) = graph.words_of(node);
            let own = &mut words[node.words as usize..][..inputs.len() + constants.len()];
            let (own_inputs, own_constants) = own.split_at_mut(inputs.len());
            own_inputs.iter_mut().zip(inputs).for_each(|(word, &input)| *word = slots[input as usize]);
            own_constants.copy_from_slice(constants);
        }
        for (entry, step) in steps.iter_mut().zip(&graph.steps) {
            *entry = StepEntry { slot: slots[step.node as usize], fuel: step.fuel };
        }
        let (mut cards, mut straight) = (cards.iter_mut().zip(card_sizes), straight.iter_mut().zip(straight_sizes));
        for (routed, &size) in part.routes(tasks).zip(&part.sizes) {
            match routed {
                Err(_) => {}
                Ok(Routed::Card(program)) => {
                    if let Some((place, own_size)) = cards.next() {
                        *own_size = size;
                        *place = CardProgramEntry {
                            first_step: start.steps as u32 + program.first_step,
                            task: program.task,
                            output: slots[program.output as usize],
                            last_fuel: program.last_fuel,
                            steps: program.steps,
                            fails: u16::from(program.fails),
                        };
                    }
                }
                Ok(Routed::Straight(entry)) => {
                    if let Some((place, own_size)) = straight.next() {
                        *own_size = size;
                        let code = entry.code + (start.code + graph.code.len()) as u32;
                        *place = ProgramEntry { code, literals: start.literals as u32, ..entry };
                    }
                }
            }
        }
    }
}

/// The first so many values of memory that has room for them.
fn typed<T: bytemuck::Pod>(memory: &mut [u8], count: usize) -> &mut [T] {
    bytemuck::cast_slice_mut(&mut memory[..count * size_of::<T>()])
}
