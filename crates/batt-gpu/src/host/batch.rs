//! A batch of programs as the device gets it: everything in one piece of memory, laid out by all cores, copied at once.

use crate::kernels::{ControlEntry, GraphProgramEntry, Instruction, NodeEntry, ProgramEntry, ScoreEntry, StepEntry, TaskEntry};
use batt_dsl::Limits;
use batt_program::Program;
use rayon::prelude::*;

use super::compile::{DeviceProgram, Folding, Literals, Unsupported, translate};
use super::graph::{Graph, GraphProgram, Node};
use super::grid_pipeline::is_grid_pipeline;
use super::judge::Verdict;
use super::values::Image;

/// Where pieces of a batch begin: at multiples of this.
const ALIGNMENT: usize = 256;

/// Programs compiled for a batch. Several chunks can be compiled side by side.
#[derive(Default)]
pub struct CompiledChunk {
    graph: Graph,
    /// The instructions of grid pipelines.
    code: Vec<Instruction>,
    literals: Literals,
    programs: Vec<Result<Route, Unsupported>>,
}

/// The kernel that a program is for.
#[derive(Clone, Copy)]
pub(crate) enum Route {
    /// The general one: the program shares calls with others.
    Graph(GraphProgram),
    /// The one for programs that only transform whole grids.
    GridPipeline(ProgramEntry),
}

impl Route {
    fn task(&self) -> usize {
        match self {
            Self::Graph(program) => program.task as usize,
            Self::GridPipeline(entry) => entry.task as usize,
        }
    }
}

impl CompiledChunk {
    /// Compiles programs, each for the task of this number. `as_rows` says of each task whether its samples are on the device as rows.
    pub fn compile<'p>(programs: impl Iterator<Item = (u32, &'p Program)>, limits: &Limits, as_rows: &[bool]) -> Self {
        let mut chunk = Self::default();
        for (task, program) in programs {
            let as_rows = as_rows.get(task as usize).copied().unwrap_or_default();
            let route = chunk.route(task, program, limits, as_rows);
            chunk.programs.push(route);
        }
        chunk.graph.close();
        chunk
    }

    fn route(&mut self, task: u32, program: &Program, limits: &Limits, as_rows: bool) -> Result<Route, Unsupported> {
        let code = translate(program, limits, Folding::Fold, &mut self.literals)?;
        if as_rows && is_grid_pipeline(&code, limits) {
            let compiled = DeviceProgram::new(&code)?;
            let entry = compiled.entry(self.code.len(), task);
            self.code.extend_from_slice(&compiled.code);
            return Ok(Route::GridPipeline(entry));
        }
        self.graph.add(task, &code).map(Route::Graph)
    }

    /// How many programs it has.
    pub fn len(&self) -> usize {
        self.programs.len()
    }

    /// Whether it has no programs.
    pub fn is_empty(&self) -> bool {
        self.programs.is_empty()
    }

    /// Which programs are left to the host, and why.
    pub fn unsupported(&self) -> impl Iterator<Item = (usize, Unsupported)> {
        self.programs.iter().enumerate().filter_map(|(k, program)| program.err().map(|why| (k, why)))
    }

    /// Where each program goes, or why it goes nowhere.
    pub(crate) fn routes<'a>(&'a self, tasks: &'a Tasks) -> impl Iterator<Item = Result<Route, Unsupported>> + 'a {
        self.programs.iter().map(|&route| {
            let route = route?;
            if tasks.taken.get(route.task()) == Some(&true) { Ok(route) } else { Err(Unsupported::Literal) }
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
    graph_programs: usize,
    grid_pipelines: usize,
    nodes: usize,
    words: usize,
    steps: usize,
    slots: usize,
}

impl Start {
    fn of(part: &CompiledChunk, tasks: &Tasks) -> Self {
        let (mut graph_programs, mut grid_pipelines) = (0, 0);
        for route in part.routes(tasks).flatten() {
            match route {
                Route::Graph(_) => graph_programs += 1,
                Route::GridPipeline(_) => grid_pipelines += 1,
            }
        }
        Self {
            code: part.graph.code.len() + part.code.len(),
            literals: part.literals.values().len(),
            graph_programs,
            grid_pipelines,
            nodes: part.graph.nodes.len(),
            words: part.graph.words.len(),
            steps: part.graph.steps.len(),
            slots: part.graph.nodes.iter().map(|node| tasks.samples(node.task)).sum(),
        }
    }

    fn add(&mut self, other: &Self) {
        self.code += other.code;
        self.literals += other.literals;
        self.graph_programs += other.graph_programs;
        self.grid_pipelines += other.grid_pipelines;
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
    pub(crate) graph_programs: usize,
    pub(crate) grid_pipelines: usize,
    pub(crate) nodes: usize,
    pub(crate) words: usize,
    pub(crate) order: usize,
    pub(crate) steps: usize,
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
    pub(crate) fn new(parts: &[CompiledChunk], tasks: &Tasks) -> Self {
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
            graph_programs: piece(end.graph_programs * size_of::<GraphProgramEntry>()),
            grid_pipelines: piece(end.grid_pipelines * size_of::<ProgramEntry>()),
            nodes: piece(end.nodes * size_of::<NodeEntry>()),
            words: piece(end.words * size_of::<u32>()),
            order: piece(end.nodes * size_of::<u32>()),
            steps: piece(end.steps * size_of::<StepEntry>()),
            literals: piece(literals.len()),
            tasks: piece(size_of_val(&*tasks.entries)),
            control: piece(size_of::<ControlEntry>()),
            end: 0,
        };
        Self { starts, end, literals, offsets: Offsets { end: at, ..offsets } }
    }

    /// Programs that share their calls; they come first.
    pub(crate) fn graph_programs(&self) -> usize {
        self.end.graph_programs
    }

    /// Programs of both kinds.
    pub(crate) fn programs(&self) -> usize {
        self.end.graph_programs + self.end.grid_pipelines
    }

    pub(crate) fn nodes(&self) -> usize {
        self.end.nodes
    }

    /// Nodes times the samples that each can be run on.
    pub(crate) fn slots(&self) -> usize {
        self.end.slots
    }

    /// Lays everything out in memory that will be at this address of the device.
    pub(crate) fn fill(&self, memory: &mut [u8], address: u64, parts: &[CompiledChunk], tasks: &Tasks) {
        let offsets = self.offsets;
        let (code, rest) = memory.split_at_mut(offsets.graph_programs);
        let (graph_programs, rest) = rest.split_at_mut(offsets.grid_pipelines - offsets.graph_programs);
        let (grid_pipelines, rest) = rest.split_at_mut(offsets.nodes - offsets.grid_pipelines);
        let (nodes, rest) = rest.split_at_mut(offsets.words - offsets.nodes);
        let (words, rest) = rest.split_at_mut(offsets.order - offsets.words);
        let (order, rest) = rest.split_at_mut(offsets.steps - offsets.order);
        let (steps, rest) = rest.split_at_mut(offsets.literals - offsets.steps);
        let literals = self.literals.at(address + offsets.literals as u64);
        rest[..literals.len()].copy_from_slice(&literals);
        let entries: &[u8] = bytemuck::cast_slice(&tasks.entries);
        rest[offsets.tasks - offsets.literals..][..entries.len()].copy_from_slice(entries);
        rest[offsets.control - offsets.literals..][..size_of::<ControlEntry>()].fill(0);

        let mut code: &mut [Instruction] = typed(code, self.end.code);
        let mut graph_programs: &mut [GraphProgramEntry] = typed(graph_programs, self.end.graph_programs);
        let mut grid_pipelines: &mut [ProgramEntry] = typed(grid_pipelines, self.end.grid_pipelines);
        let mut nodes: &mut [NodeEntry] = typed(nodes, self.end.nodes);
        let mut words: &mut [u32] = typed(words, self.end.words);
        let mut steps: &mut [StepEntry] = typed(steps, self.end.steps);
        let mut pieces = Vec::with_capacity(parts.len());
        for (k, (part, start)) in parts.iter().zip(&self.starts).enumerate() {
            let next = self.starts.get(k + 1).unwrap_or(&self.end);
            pieces.push(Place {
                part,
                start,
                code: code.split_off_mut(..next.code - start.code).unwrap_or_default(),
                graph_programs: graph_programs.split_off_mut(..next.graph_programs - start.graph_programs).unwrap_or_default(),
                grid_pipelines: grid_pipelines.split_off_mut(..next.grid_pipelines - start.grid_pipelines).unwrap_or_default(),
                nodes: nodes.split_off_mut(..next.nodes - start.nodes).unwrap_or_default(),
                words: words.split_off_mut(..next.words - start.words).unwrap_or_default(),
                steps: steps.split_off_mut(..next.steps - start.steps).unwrap_or_default(),
            });
        }
        rayon::join(|| pieces.into_par_iter().for_each(|place| place.fill(tasks)), || self.fill_order(typed(order, self.end.nodes), parts));
    }

    /// The nodes in topological order; nodes of one turn that execute the same code are adjacent.
    fn fill_order(&self, order: &mut [u32], parts: &[CompiledChunk]) {
        let mut nodes: Vec<(u32, u32, u32)> = Vec::with_capacity(self.end.nodes);
        for (part, start) in parts.iter().zip(&self.starts) {
            let key = |(node, k): (&Node, u32)| (node.turn(), start.code as u32 + node.code, start.nodes as u32 + k);
            nodes.extend(part.graph.nodes.iter().zip(0..).map(key));
        }
        nodes.par_sort_unstable();
        order.iter_mut().zip(nodes).for_each(|(place, (.., node))| *place = node);
    }

    /// The device's verdict on each program, by part.
    pub(crate) fn verdicts(&self, parts: &[CompiledChunk], tasks: &Tasks, said: &[ScoreEntry]) -> Vec<Vec<Verdict>> {
        let of_part = |(part, start): (&CompiledChunk, &Start)| -> Vec<Verdict> {
            let (mut graph_program, mut grid_pipelines) = (start.graph_programs, self.end.graph_programs + start.grid_pipelines);
            let verdict = |route: Result<Route, Unsupported>| match route {
                Err(unsupported) => Verdict::Unsupported(unsupported),
                Ok(route) => {
                    let place = if matches!(route, Route::Graph(_)) { &mut graph_program } else { &mut grid_pipelines };
                    *place += 1;
                    Verdict::of(&said[*place - 1])
                }
            };
            part.routes(tasks).map(verdict).collect()
        };
        parts.par_iter().zip(&self.starts).map(of_part).collect()
    }
}

/// A part and its places in the batch.
struct Place<'a> {
    part: &'a CompiledChunk,
    start: &'a Start,
    code: &'a mut [Instruction],
    graph_programs: &'a mut [GraphProgramEntry],
    grid_pipelines: &'a mut [ProgramEntry],
    nodes: &'a mut [NodeEntry],
    words: &'a mut [u32],
    steps: &'a mut [StepEntry],
}

impl Place<'_> {
    fn fill(self, tasks: &Tasks) {
        let Self { part, start, code, graph_programs, grid_pipelines, nodes, words, steps } = self;
        let graph = &part.graph;
        let (of_nodes, of_pipelines) = code.split_at_mut(graph.code.len());
        of_nodes.copy_from_slice(&graph.code);
        of_pipelines.copy_from_slice(&part.code);
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
        let (mut graph_programs, mut grid_pipelines) = (graph_programs.iter_mut(), grid_pipelines.iter_mut());
        for route in part.routes(tasks) {
            match route {
                Err(_) => {}
                Ok(Route::Graph(program)) => {
                    if let Some(place) = graph_programs.next() {
                        *place = GraphProgramEntry {
                            first_step: start.steps as u32 + program.first_step,
                            task: program.task,
                            output: slots[program.output as usize],
                            last_fuel: program.last_fuel,
                            steps: program.steps,
                            fails: u16::from(program.fails),
                        };
                    }
                }
                Ok(Route::GridPipeline(entry)) => {
                    if let Some(place) = grid_pipelines.next() {
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
