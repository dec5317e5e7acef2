//! Many programs as one graph: what several of them do on the same task is done once.
//!
//! A node is a call, or a loop with all that its function does, of values that other nodes give and of constants. A program is the list of
//! its nodes in its own order of evaluation. Its value and fuel follow from theirs.

use std::hash::{Hash, Hasher};

use crate::kernels::{Control, Instruction, Word};
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};

use super::compile::Unsupported;
use super::registers::{allocate, lay_constants, operands, targets};

/// The most values of other nodes and constants that a node takes: each lane of a warp looks for one, and one of them is for what is called.
const MAX_OPERANDS: usize = 31;
/// The place of a virtual register that no node gave.
const NOWHERE: u32 = u32::MAX;

/// Loops have numbers from here on, by what they are loops of. In the order of nodes they come first: they take longest.
const LOOPS_FROM: u16 = 1 << 13;

/// It is what some program gives.
const IS_OUTPUT: u16 = 1;
/// It is the input of a sample.
const IS_INPUT: u16 = 2;
/// It is a call and nothing else.
const IS_CALL: u16 = 4;
/// Only programs that are left to the host reach it.
const IS_UNUSED: u16 = 8;

/// A node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Where its instructions begin; the input of a sample has none.
    pub(crate) code: u32,
    /// Where its words begin: the nodes that it takes, and then its constants, two to a word.
    pub(crate) words: u32,
    pub(crate) task: u32,
    pub(crate) inputs: u8,
    pub(crate) constants: u8,
    /// See the bits below.
    pub(crate) flags: u16,
    /// Its first operation, for the order.
    op: u16,
    /// The longest way from it to a node that nobody takes.
    height: u16,
}

impl Node {
    /// Nodes of one turn run together: they are as far from the end and execute the same code.
    pub(crate) fn turn(&self) -> u32 {
        u32::from(u16::MAX - self.height) << 16 | u32::from(self.op ^ LOOPS_FROM)
    }

    fn word_count(&self) -> usize {
        usize::from(self.inputs) + usize::from(self.constants).div_ceil(2)
    }
}

/// A node of a program, and what the program spends before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeCost {
    pub(crate) node: u32,
    pub(crate) fuel: u32,
}

/// A program of the graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GraphProgram {
    pub(crate) task: u32,
    pub(crate) first_step: u32,
    pub(crate) steps: u16,
    /// Whether it has no answer, even if all its steps have.
    pub(crate) fails: bool,
    /// Fuel that it spends after its last step.
    pub(crate) last_fuel: u32,
    pub(crate) output: u32,
}

/// Programs as one graph.
#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) code: Vec<Instruction>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) words: Vec<u32>,
    pub(crate) steps: Vec<NodeCost>,
    /// Instructions, each list once: where it begins, and how many there are.
    shapes: HashTable<(u32, u32)>,
    /// Nodes by task, instructions, inputs and constants.
    places: HashTable<u32>,
    /// The nodes that are the inputs of tasks.
    given: FxHashMap<u32, u32>,
    scratch: Scratch,
}

/// Memory that is used again from program to program.
#[derive(Default)]
struct Scratch {
    /// By virtual register, the node that gives it.
    given_by: Vec<u32>,
    unit: Vec<Instruction>,
    inputs: Vec<u32>,
    /// Virtual registers from outside of a unit, and what they are called in it.
    renamed: Vec<(u16, u16)>,
    constants: Vec<u16>,
    /// The words of a node.
    words: Vec<u32>,
}

impl Scratch {
    fn lay(&mut self, register: u16, node: u32) {
        let place = usize::from(register);
        if self.given_by.len() <= place {
            self.given_by.resize(place + 1, NOWHERE);
        }
        self.given_by[place] = node;
    }
}

impl Graph {
    /// Adds a program whose values have a register each.
    pub(crate) fn add(&mut self, task: u32, code: &[Instruction]) -> Result<GraphProgram, Unsupported> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let first_step = self.steps.len();
        let added = self.add_with(task, code, &mut scratch);
        self.scratch = scratch;
        if added.is_err() {
            self.steps.truncate(first_step);
        }
        added
    }

    fn add_with(&mut self, task: u32, code: &[Instruction], scratch: &mut Scratch) -> Result<GraphProgram, Unsupported> {
        let first_step = self.steps.len();
        let input = self.input(task);
        scratch.given_by.clear();
        scratch.given_by.push(input);
        // Fuel that is spent since the last node.
        let mut fuel = 0u32;
        let mut at = 0;
        while let Some(now) = code.get(at) {
            let op = now.op & 0xFFF;
            if op == Control::Charge as u16 {
                let amount = u32::from(now.args[0]) | u32::from(now.args[1]) << 16;
                fuel = fuel.checked_add(amount).ok_or(Unsupported::Size)?;
                at += 1;
            } else if op == Control::Fail as u16 {
                return self.finish(task, first_step, fuel, None);
            } else if op == Control::Return as u16 {
                let output = if let Some(register) = Word(now.args[0]).as_register() {
                    scratch.given_by.get(usize::from(register)).copied().filter(|&node| node != NOWHERE).ok_or(Unsupported::Size)?
                } else {
                    let node = self.node(task, code, (at, at + 1), None, scratch)?;
                    self.steps.push(NodeCost { node, fuel: std::mem::take(&mut fuel) });
                    node
                };
                return self.finish(task, first_step, fuel, Some(output));
            } else {
                let end = end_of(code, at);
                let result = code.get(end - 1).ok_or(Unsupported::Size)?.target;
                let node = self.node(task, code, (at, end), Some(result), scratch)?;
                self.steps.push(NodeCost { node, fuel: std::mem::take(&mut fuel) });
                scratch.lay(result, node);
                at = end;
            }
        }
        Err(Unsupported::Size)
    }

    /// A program whose last steps are there; without an output it always fails.
    fn finish(&mut self, task: u32, first_step: usize, last_fuel: u32, output: Option<u32>) -> Result<GraphProgram, Unsupported> {
        let steps = u16::try_from(self.steps.len() - first_step).map_err(|_| Unsupported::Size)?;
        if let Some(output) = output {
            self.nodes[output as usize].flags |= IS_OUTPUT;
        }
        for step in &self.steps[first_step..] {
            self.nodes[step.node as usize].flags &= !IS_UNUSED;
        }
        let fails = output.is_none();
        let output = output.unwrap_or_else(|| self.input(task));
        Ok(GraphProgram { task, first_step: first_step as u32, steps, fails, last_fuel, output })
    }

    /// The node that is the input of a task's samples.
    fn input(&mut self, task: u32) -> u32 {
        if let Some(&node) = self.given.get(&task) {
            return node;
        }
        let node =
            self.push(Node { code: 0, words: self.words.len() as u32, task, inputs: 0, constants: 0, flags: IS_INPUT, op: 0, height: 0 });
        self.given.insert(task, node);
        node
    }

    fn push(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// The node that does this; `result` is the register that it gives, if it does not end with a return.
    fn node(
        &mut self,
        task: u32,
        code: &[Instruction],
        (begin, end): (usize, usize),
        result: Option<u16>,
        scratch: &mut Scratch,
    ) -> Result<u32, Unsupported> {
        take_out(code, (begin, end), result, scratch)?;
        lay_constants(&mut scratch.unit, &mut scratch.constants)?;
        let constants = &scratch.constants;
        if scratch.inputs.len() + constants.len() > MAX_OPERANDS {
            return Err(Unsupported::Size);
        }
        let code = self.shape(&scratch.unit);
        scratch.words.clear();
        scratch.words.extend_from_slice(&scratch.inputs);
        scratch.words.extend(constants.chunks(2).map(|pair| u32::from(pair[0]) | u32::from(pair.get(1).copied().unwrap_or(0)) << 16));
        let hash = hash_of_node(task, code, &scratch.words);
        let is_same = |&node: &u32| {
            let node = &self.nodes[node as usize];
            node.task == task && node.code == code && self.words_at(node) == scratch.words
        };
        if let Some(&node) = self.places.find(hash, is_same) {
            return Ok(node);
        }
        let first = &scratch.unit[0];
        let op = first.op & 0xFFF;
        let is_call = result.is_some() && scratch.unit.len() == 2 && op < Control::Loop as u16;
        let node = Node {
            code,
            words: self.words.len() as u32,
            task,
            inputs: scratch.inputs.len() as u8,
            constants: constants.len() as u8,
            flags: if is_call { IS_CALL | IS_UNUSED } else { IS_UNUSED },
            op: if op == Control::Loop as u16 { LOOPS_FROM + (first.args[3] & 0xFFF) } else { op },
            height: 0,
        };
        self.words.extend_from_slice(&scratch.words);
        let node = self.push(node);
        let Self { places, nodes, words, .. } = self;
        places.insert_unique(hash, node, |&node| {
            let node = &nodes[node as usize];
            hash_of_node(node.task, node.code, &words[node.words as usize..][..node.word_count()])
        });
        Ok(node)
    }

    /// Where these instructions begin; they are laid down if they are new.
    fn shape(&mut self, unit: &[Instruction]) -> u32 {
        let Self { shapes, code, .. } = self;
        let hash = hash_of_code(unit);
        let at = |code: &[Instruction], (begin, length): (u32, u32)| &code[begin as usize..][..length as usize] == unit;
        if let Some(&(begin, _)) = shapes.find(hash, |&shape| at(code, shape)) {
            return begin;
        }
        let begin = code.len() as u32;
        code.extend_from_slice(unit);
        shapes.insert_unique(hash, (begin, unit.len() as u32), |&(begin, length)| hash_of_code(&code[begin as usize..][..length as usize]));
        begin
    }

    /// Finds how far each node is from the end.
    fn measure(&mut self) {
        for k in (0..self.nodes.len()).rev() {
            let node = self.nodes[k];
            for &input in &self.words[node.words as usize..][..usize::from(node.inputs)] {
                let input = &mut self.nodes[input as usize];
                input.height = input.height.max(node.height.saturating_add(1));
            }
        }
    }

    /// The words of a node: the nodes that it takes, and its constants.
    pub(crate) fn words_of(&self, node: &Node) -> (&[u32], &[u32]) {
        self.words_at(node).split_at(usize::from(node.inputs))
    }

    fn words_at(&self, node: &Node) -> &[u32] {
        &self.words[node.words as usize..][..node.word_count()]
    }

    /// When all programs are there: orders the nodes, and drops what is needed only to add programs.
    pub(crate) fn close(&mut self) {
        self.measure();
        self.shapes = HashTable::default();
        self.places = HashTable::default();
        self.given = FxHashMap::default();
        self.scratch = Scratch::default();
    }
}

fn hash_of_code(code: &[Instruction]) -> u64 {
    let mut hasher = FxHasher::default();
    code.hash(&mut hasher);
    hasher.finish()
}

fn hash_of_node(task: u32, code: u32, words: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(u64::from(task) << 32 | u64::from(code));
    words.hash(&mut hasher);
    hasher.finish()
}

/// Whether an instruction says where to go on.
fn is_jump(instruction: &Instruction) -> bool {
    [Control::Loop, Control::Next, Control::Unless, Control::Move].iter().any(|&control| instruction.op & 0xFFF == control as u16)
}

/// Where what begins here ends: a call at once, a loop behind its last instruction, a choice behind both functions.
fn end_of(code: &[Instruction], at: usize) -> usize {
    let now = code[at];
    match now.op & 0xFFF {
        op if op == Control::Loop as u16 => usize::from(now.jump) + 1,
        op if op == Control::Unless as u16 => {
            let first = usize::from(now.jump).saturating_sub(1);
            code.get(first).map_or(code.len(), |way| usize::from(way.jump))
        }
        _ => at + 1,
    }
}

/// Makes a unit a program of its own: what comes from outside is in the first registers, jumps are from its beginning, and it returns.
fn take_out(code: &[Instruction], (begin, end): (usize, usize), result: Option<u16>, scratch: &mut Scratch) -> Result<(), Unsupported> {
    let unit = code.get(begin..end).ok_or(Unsupported::Size)?;
    let Scratch { given_by, unit: own, inputs, renamed, .. } = scratch;
    own.clear();
    inputs.clear();
    renamed.clear();
    own.extend_from_slice(unit);
    // Registers are numbered in the order in which they are written: what the unit writes itself has the highest numbers.
    let first_own = unit.iter().filter(|now| targets(now) > 0).map(|now| now.target).min().unwrap_or(u16::MAX);
    // What comes from outside, each once, in the order in which it is used.
    for now in own.iter_mut() {
        for arg in operands(now) {
            let Some(register) = Word(*arg).as_register().filter(|&register| register < first_own) else { continue };
            if renamed.iter().any(|(old, _)| *old == register) {
                continue;
            }
            let node = given_by.get(usize::from(register)).copied().filter(|&node| node != NOWHERE).ok_or(Unsupported::Size)?;
            // Two registers of the same node are one.
            let place = inputs.iter().position(|&other| other == node).unwrap_or_else(|| {
                inputs.push(node);
                inputs.len() - 1
            });
            renamed.push((register, place as u16));
        }
    }
    let outside = inputs.len() as u16;
    let name = |register: u16| {
        if register >= first_own {
            return Ok(register - first_own + outside);
        }
        renamed.iter().find(|(old, _)| *old == register).map(|(_, new)| *new).ok_or(Unsupported::Size)
    };
    for now in own.iter_mut() {
        for arg in operands(now) {
            if let Some(register) = Word(*arg).as_register() {
                *arg = Word::register(name(register)?).0;
            }
        }
        if targets(now) > 0 {
            now.target = name(now.target)?;
        }
        if is_jump(now) {
            now.jump = now.jump.checked_sub(begin as u16).ok_or(Unsupported::Size)?;
        }
        now.step = 0;
    }
    if let Some(result) = result {
        let mut end = Instruction::control(Control::Return, 0);
        end.args[0] = Word::register(name(result)?).0;
        own.push(end);
    }
    // A single call has its value in the register behind what it takes.
    if own.len() > 2 { allocate(own, inputs.len()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use std::fmt::Write as _;

    use super::*;
    use crate::host::compile::{Folding, Literals, translate};
    use batt_dsl::Limits;
    use batt_program::parse_file;

    fn graph_of(text: &str) -> (Graph, Vec<GraphProgram>) {
        let mut graph = Graph::default();
        let mut literals = Literals::default();
        let add = |program| graph.add(0, &translate(program, &Limits::default(), Folding::Fold, &mut literals).unwrap()).unwrap();
        let programs = parse_file(text).programs.iter().map(add).collect();
        graph.close();
        (graph, programs)
    }

    /// Two programs that begin alike share that, and a call that a program makes twice is one node that it comes to twice.
    #[test]
    fn equal_calls_stand_once() {
        let (graph, programs) = graph_of(
            "def solve_a(I):\n    x1 = objects(I, T, F, F)\n    x2 = merge(x1)\n    O = fill(I, TWO, x2)\n    return O\n\n\
             def solve_b(I):\n    x1 = objects(I, T, F, F)\n    x2 = merge(x1)\n    O = fill(I, THREE, x2)\n    return O\n\n\
             def solve_c(I):\n    x1 = vmirror(I)\n    x2 = vmirror(I)\n    O = hconcat(x1, x2)\n    return O\n",
        );
        // The input; objects, merge and two fills; vmirror and hconcat.
        assert_eq!(graph.nodes.len(), 1 + 4 + 2);
        assert_eq!(programs.iter().map(|program| program.steps).collect::<Vec<_>>(), [3, 3, 3]);
        let steps = &graph.steps[programs[2].first_step as usize..];
        assert_eq!(steps[0].node, steps[1].node);
        // The fills are the same code with other constants.
        let fills: Vec<&Node> = programs[..2].iter().map(|program| &graph.nodes[program.output as usize]).collect();
        assert_eq!(fills[0].code, fills[1].code);
        assert!(fills.iter().all(|node| node.flags & IS_OUTPUT != 0));
    }

    /// A loop is one node with all that its function does, and takes what the function takes from outside.
    #[test]
    fn a_loop_is_one_node() {
        let (graph, programs) = graph_of(
            "def solve_a(I):\n    x1 = ofcolor(I, THREE)\n    x2 = lbind(shift, x1)\n    x3 = ofcolor(I, TWO)\n    O = mapply(x2, x3)\n    return O\n",
        );
        assert_eq!(graph.nodes.len(), 1 + 3);
        let node = &graph.nodes[programs[0].output as usize];
        assert_eq!((node.inputs, node.op), (2, LOOPS_FROM + crate::kernels::operation(batt_dsl::Prim::mapply.into())));
    }

    /// Each lane of a warp has one operand of a node: a loop that takes more goes to the host.
    #[test]
    fn a_node_with_more_operands_than_lanes_is_left_to_the_host() {
        let program_of = |shifts: usize| {
            let mut text = String::from("def solve_a(I):\n    x0 = objects(I, T, F, F)\n");
            let mut functions: Vec<String> = Vec::new();
            for k in 0..shifts {
                let _ = writeln!(text, "    s{k} = rbind(shift, ({k}, 1))");
                functions.push(format!("s{k}"));
            }
            // Halves of them are combined, and so on, until there is one function.
            for round in 0.. {
                if functions.len() == 1 {
                    break;
                }
                let pairs = functions.chunks(2).enumerate();
                functions = pairs
                    .map(|(k, pair)| {
                        let [a, b] = pair else { return pair[0].clone() };
                        let _ = writeln!(text, "    f{round}_{k} = fork(combine, {a}, {b})");
                        format!("f{round}_{k}")
                    })
                    .collect();
            }
            let _ = writeln!(text, "    O = mapply({}, x0)\n    return O", functions[0]);
            batt_testing::program(&text)
        };
        let added = |shifts| {
            let (mut graph, mut literals) = (Graph::default(), Literals::default());
            let code = translate(&program_of(shifts), &Limits::default(), Folding::Fold, &mut literals).unwrap();
            graph.add(0, &code).map(|program| program.steps)
        };
        assert_eq!(added(MAX_OPERANDS - 1), Ok(2));
        assert_eq!(added(MAX_OPERANDS), Err(Unsupported::Size));
    }

    #[test]
    fn nodes_have_their_turn_after_their_inputs() {
        let (graph, _) = graph_of(batt_starter::LIBRARY);
        for node in &graph.nodes {
            let (inputs, _) = graph.words_of(node);
            assert!(inputs.iter().all(|&input| graph.nodes[input as usize].turn() < node.turn()));
        }
    }
}
