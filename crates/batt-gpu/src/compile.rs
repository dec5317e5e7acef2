//! From a program to instructions. Functions that are known become pieces of the program between a loop's two instructions; a program
//! with a function that is not known, or a primitive that the device has not, is left to the host.

use std::rc::Rc;

use batt_core::{Maker, PrimId, Value};
use batt_dsl::{Cost, Guard, Limits, Machine, Prim, maker, primitive};
use batt_program::{Operand, Program, StepId};
use rustc_hash::FxHashMap;

use crate::format::{Instruction, MAX_LITERALS, Word};
use crate::graph::Graph;
use crate::opcodes::{Control, LOOPS, base_of, is_covered, is_for_lanes};
use crate::registers::{Virtual, allocate, lay_constants};
use crate::values::Image;

/// Why a program is left to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Uncovered {
    /// The device has no kernel for it, or not for a function in that place.
    Primitive(PrimId),
    /// It asks for the demos or for the candidate.
    Inputs,
    /// A function that is not known before the program runs.
    Function,
    /// A literal that the device does not take.
    Literal,
    /// More instructions, registers, literals or nesting than there is room for.
    Size,
}

impl Uncovered {
    /// What the device is missing.
    pub fn name(self) -> &'static str {
        match self {
            Self::Primitive(id) => primitive(id).name,
            Self::Inputs => "S or C",
            Self::Function => "a function as a value",
            Self::Literal => "a literal",
            Self::Size => "its size",
        }
    }
}

impl std::fmt::Display for Uncovered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The literals of all programs of a batch, each once.
#[derive(Default)]
pub struct Literals {
    values: Vec<Value>,
    places: FxHashMap<Value, u16>,
}

impl Literals {
    /// All of them, in the order of their numbers.
    pub(crate) fn values(&self) -> &[Value] {
        &self.values
    }

    fn word(&mut self, value: &Value) -> Result<Word, Uncovered> {
        match value {
            Value::Int(n) => {
                if let Some(word) = Word::integer(*n) {
                    return Ok(word);
                }
            }
            Value::Pair(a, b) => {
                if let Some(word) = Word::pair(*a, *b) {
                    return Ok(word);
                }
            }
            _ => {}
        }
        // A boolean equals an integer, but is another literal.
        let key = if let Value::Bool(b) = value { Value::pair(i64::MAX, i64::from(*b)) } else { value.clone() };
        if let Some(&place) = self.places.get(&key) {
            return Ok(Word::literal(place));
        }
        if !Image::with_values(1).put(0, value) {
            return Err(Uncovered::Literal);
        }
        if self.values.len() == MAX_LITERALS {
            return Err(Uncovered::Size);
        }
        let place = self.values.len() as u16;
        self.values.push(value.clone());
        self.places.insert(key, place);
        Ok(Word::literal(place))
    }
}

/// What an argument is when a program is compiled.
#[derive(Clone)]
pub(crate) enum Arg {
    /// A value that the device has in a register.
    Register(Virtual),
    /// A value that a node of a graph gives; it has a register when something takes it.
    Node(u32),
    /// A value that is known.
    Known(Value),
    /// A function that is known.
    Function(Rc<Function>),
}

pub(crate) enum Function {
    Primitive(PrimId),
    Made(Maker, Vec<Arg>),
    Repeated(Arg, i64),
    /// The second if the first, which the device has, is true, else the third.
    Either(Arg, Arg, Arg),
}

impl Arg {
    /// The same with nodes in the place of registers, for other steps and programs.
    pub(crate) fn without_registers(self, graph: &Graph) -> Result<Self, Uncovered> {
        match self {
            Self::Register(Virtual::INPUT) | Self::Node(_) | Self::Known(_) => Ok(self),
            Self::Register(register) => graph.given_by(register.0).map(Self::Node).ok_or(Uncovered::Size),
            Self::Function(function) if function.has_registers() => {
                let inner = |arg: &Self| arg.clone().without_registers(graph);
                Ok(Self::Function(Rc::new(match &*function {
                    Function::Primitive(id) => Function::Primitive(*id),
                    Function::Made(maker, parts) => Function::Made(*maker, parts.iter().map(inner).collect::<Result<_, _>>()?),
                    Function::Repeated(part, times) => Function::Repeated(inner(part)?, *times),
                    Function::Either(condition, a, b) => Function::Either(inner(condition)?, inner(a)?, inner(b)?),
                })))
            }
            Self::Function(_) => Ok(self),
        }
    }

    fn has_registers(&self) -> bool {
        match self {
            Self::Register(register) => *register != Virtual::INPUT,
            Self::Node(_) | Self::Known(_) => false,
            Self::Function(function) => function.has_registers(),
        }
    }
}

impl Function {
    fn has_registers(&self) -> bool {
        match self {
            Self::Primitive(_) => false,
            Self::Made(_, parts) => parts.iter().any(Arg::has_registers),
            Self::Repeated(part, _) => part.has_registers(),
            Self::Either(condition, a, b) => [condition, a, b].into_iter().any(Arg::has_registers),
        }
    }
}

/// In a step that is compiled alone, the first register that it writes.
const OWN_REGISTERS: u16 = 64;
/// Marks a loop whose function single lanes can call.
const BY_LANES: u16 = 1 << 15;
/// How deep functions that are compiled may be nested.
const MAX_NESTING: u32 = 24;
/// The most instructions of a program.
const MAX_INSTRUCTIONS: usize = 2000;
/// How deep loops may be nested; the host allows more.
const MAX_LOOPS: u32 = 8;

/// Whether calls whose arguments are known are made when a program is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folding {
    /// They are.
    Fold,
    /// They are left to the device: to check it.
    LeaveAll,
}

/// A program as the device reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// Its instructions; before them, eight to the room of an instruction, the constants that are laid into registers, as words.
    pub(crate) code: Vec<Instruction>,
    /// Where the instructions begin.
    pub(crate) start: u32,
    /// How many constants there are.
    pub(crate) constants: u16,
}

impl Compiled {
    /// From instructions in which each value has a register of its own.
    pub(crate) fn new(code: &[Instruction]) -> Result<Self, Uncovered> {
        let mut code = code.to_vec();
        allocate(&mut code, 1)?;
        let mut constants = Vec::new();
        lay_constants(&mut code, &mut constants)?;
        let mut all: Vec<Instruction> = constants.chunks(8).rev().map(Instruction::of_words).collect();
        let start = all.len() as u32;
        all.append(&mut code);
        Ok(Self { code: all, start, constants: constants.len() as u16 })
    }
}

/// Compiles a program. What it gives and spends is what it gives and spends on the host under these limits.
pub fn compile(program: &Program, limits: &Limits, folding: Folding, literals: &mut Literals) -> Result<Compiled, Uncovered> {
    Compiled::new(&translate(program, limits, folding, literals)?)
}

/// A program as instructions in which each value has a register of its own.
pub(crate) fn translate(
    program: &Program,
    limits: &Limits,
    folding: Folding,
    literals: &mut Literals,
) -> Result<Vec<Instruction>, Uncovered> {
    let mut compiler = Compiler::new(limits, folding, literals);
    let live = program.live();
    let mut values: Vec<Option<Arg>> = vec![None; program.steps().len()];
    for (id, step) in program.step_ids() {
        if !live[id.0 as usize] {
            continue;
        }
        compiler.step = u16::try_from(id.0).map_err(|_| Uncovered::Size)?;
        let value_of = |step: u32| values.get(step as usize).and_then(Clone::clone);
        let args = program.step_args(step).iter().map(|&arg| argument(program, arg, &value_of)).collect::<Result<Vec<_>, _>>()?;
        let callee = argument(program, step.callee, &value_of)?;
        values[id.0 as usize] = Some(compiler.invoke(&callee, &args, MAX_NESTING)?);
    }
    let output = argument(program, program.output(), &|step| values.get(step as usize).and_then(Clone::clone))?;
    let output = compiler.operand(&output)?;
    let mut end = Instruction::control(Control::Return, 0);
    end.args[0] = output.0;
    compiler.push(end)?;
    Ok(compiler.code)
}

fn argument(program: &Program, operand: Operand, value_of: &impl Fn(u32) -> Option<Arg>) -> Result<Arg, Uncovered> {
    match operand {
        Operand::Input => Ok(Arg::Register(Virtual::INPUT)),
        Operand::Demos | Operand::Candidate => Err(Uncovered::Inputs),
        Operand::Step(StepId(step)) => value_of(step).ok_or(Uncovered::Size),
        Operand::Constant(id) => Ok(known(&id.value())),
        Operand::Literal(id) => Ok(known(program.literal(id))),
        Operand::Primitive(id) => Ok(Arg::Function(Rc::new(Function::Primitive(id)))),
    }
}

pub(crate) fn known(value: &Value) -> Arg {
    match value {
        Value::Primitive(id) => Arg::Function(Rc::new(Function::Primitive(*id))),
        _ => Arg::Known(value.clone()),
    }
}

pub(crate) struct Compiler<'a> {
    limits: &'a Limits,
    folding: Folding,
    literals: &'a mut Literals,
    pub(crate) code: Vec<Instruction>,
    /// Registers that have what nodes of a graph give.
    pub(crate) laid: Vec<(Virtual, u32)>,
    registers: u16,
    step: u16,
    loops: u32,
}

impl<'a> Compiler<'a> {
    pub(crate) fn new(limits: &'a Limits, folding: Folding, literals: &'a mut Literals) -> Self {
        Self { limits, folding, literals, code: Vec::new(), laid: Vec::new(), registers: 1, step: 0, loops: 0 }
    }

    /// Compiles one step, alone: its instructions are all that there are then.
    pub(crate) fn compile_step(&mut self, callee: &Arg, args: &[Arg]) -> Result<Arg, Uncovered> {
        self.begin_step();
        self.invoke(callee, args, MAX_NESTING)
    }

    /// Forgets the registers and instructions of other steps. What comes from outside of a step has lower registers than what it writes.
    pub(crate) fn begin_step(&mut self) {
        self.code.clear();
        self.laid.clear();
        self.loops = 0;
        self.registers = OWN_REGISTERS;
    }

    /// The register that has what a node gives.
    fn register_of(&mut self, node: u32) -> Result<Virtual, Uncovered> {
        if let Some((register, _)) = self.laid.iter().find(|(_, other)| *other == node) {
            return Ok(*register);
        }
        let register = Virtual(self.laid.len() as u16 + 1);
        if register.0 >= OWN_REGISTERS {
            return Err(Uncovered::Size);
        }
        self.laid.push((register, node));
        Ok(register)
    }

    fn push(&mut self, instruction: Instruction) -> Result<usize, Uncovered> {
        if self.code.len() == MAX_INSTRUCTIONS {
            return Err(Uncovered::Size);
        }
        self.code.push(instruction);
        Ok(self.code.len() - 1)
    }

    fn fresh(&mut self, count: u16) -> Virtual {
        let register = Virtual(self.registers);
        self.registers += count;
        register
    }

    pub(crate) fn operand(&mut self, arg: &Arg) -> Result<Word, Uncovered> {
        match arg {
            Arg::Register(register) => Ok(Word::register(register.0)),
            Arg::Node(node) => Ok(Word::register(self.register_of(*node)?.0)),
            Arg::Known(value) => self.literals.word(value),
            Arg::Function(_) => Err(Uncovered::Function),
        }
    }

    fn charge(&mut self, amount: u64) -> Result<(), Uncovered> {
        let mut total = amount;
        // What is paid in a row is paid at once.
        if let Some(last) = self.code.last()
            && last.op == Control::Charge as u16
        {
            total += u64::from(last.args[0]) | u64::from(last.args[1]) << 16;
            self.code.pop();
        }
        let total = u32::try_from(total).map_err(|_| Uncovered::Size)?;
        let mut instruction = Instruction::control(Control::Charge, self.step);
        instruction.args = [total as u16, (total >> 16) as u16, 0, 0];
        self.push(instruction).map(|_| ())
    }

    /// A call that has no answer. What is compiled after it is never reached.
    fn fail(&mut self) -> Result<Arg, Uncovered> {
        self.push(Instruction::control(Control::Fail, self.step))?;
        Ok(Arg::Known(Value::Nothing))
    }

    /// The number of arguments that a function takes; none for what cannot be called. An error where that is not known.
    fn arity(function: &Arg) -> Result<Option<usize>, Uncovered> {
        let Arg::Function(function) = function else { return Ok(None) };
        Ok(match &**function {
            Function::Primitive(id) => Some(primitive(*id).params.len()),
            Function::Made(Maker::Rbind | Maker::Lbind, parts) => Self::arity(&parts[0])?.map(|arity| match arity {
                2 => 1,
                3 => 2,
                _ => 3,
            }),
            Function::Made(..) | Function::Repeated(..) => Some(1),
            Function::Either(_, a, b) => match (Self::arity(a)?, Self::arity(b)?) {
                (a, b) if a == b => a,
                _ => return Err(Uncovered::Function),
            },
        })
    }

    /// Calls a function with these arguments.
    fn invoke(&mut self, function: &Arg, args: &[Arg], nesting: u32) -> Result<Arg, Uncovered> {
        let nesting = nesting.checked_sub(1).ok_or(Uncovered::Size)?;
        let Arg::Function(known) = function else { return self.fail() };
        if let Function::Either(condition, a, b) = &**known {
            return self.either(condition, [a, b], args, nesting);
        }
        if Self::arity(function)? != Some(args.len()) {
            return self.fail();
        }
        match &**known {
            Function::Primitive(id) => self.call(*id, args, nesting),
            Function::Repeated(inner, times) => {
                let mut value = self.invoke(inner, args, nesting)?;
                for _ in 1..*times {
                    value = self.invoke(inner, &[value], nesting)?;
                }
                Ok(value)
            }
            Function::Made(maker, parts) => match (maker, &**parts) {
                (Maker::Compose, [outer, inner]) => {
                    let value = self.invoke(inner, args, nesting)?;
                    self.invoke(outer, &[value], nesting)
                }
                (Maker::Chain, [h, g, f]) => {
                    let value = self.invoke(f, args, nesting)?;
                    let value = self.invoke(g, &[value], nesting)?;
                    self.invoke(h, &[value], nesting)
                }
                (Maker::Fork, [outer, a, b]) => {
                    let left = self.invoke(a, args, nesting)?;
                    let right = self.invoke(b, args, nesting)?;
                    self.invoke(outer, &[left, right], nesting)
                }
                (Maker::Matcher, [inner, target]) => {
                    let value = self.invoke(inner, args, nesting)?;
                    // A function equals no value.
                    if matches!(value, Arg::Function(_)) != matches!(target, Arg::Function(_)) {
                        return Ok(Arg::Known(Value::Bool(false)));
                    }
                    let (value, target) = (self.operand(&value)?, self.operand(target)?);
                    let made = self.fresh(1);
                    let mut instruction = Instruction::control(Control::Match, self.step);
                    instruction.target = made.0;
                    instruction.args = [value.0, target.0, 0, 0];
                    self.push(instruction)?;
                    Ok(Arg::Register(made))
                }
                (Maker::Rbind, [inner, fixed]) => self.invoke(inner, &[args, std::slice::from_ref(fixed)].concat(), nesting),
                (Maker::Lbind, [inner, fixed]) => self.invoke(inner, &[std::slice::from_ref(fixed), args].concat(), nesting),
                _ => Err(Uncovered::Function),
            },
            Function::Either(..) => Err(Uncovered::Function),
        }
    }

    /// Calls one of two functions: that which is not called is jumped over.
    fn either(&mut self, condition: &Arg, functions: [&Arg; 2], args: &[Arg], nesting: u32) -> Result<Arg, Uncovered> {
        let made = self.fresh(1);
        let mut unless = Instruction::control(Control::Unless, self.step);
        unless.args[0] = self.operand(condition)?.0;
        let unless = self.push(unless)?;
        let mut ends = [0; 2];
        for (end, function) in ends.iter_mut().zip(functions) {
            let value = self.invoke(function, args, nesting)?;
            let mut give = Instruction::control(Control::Move, self.step);
            give.target = made.0;
            give.args[0] = self.operand(&value)?.0;
            *end = self.push(give)?;
        }
        // Behind the first function begins the second, and behind that both go on.
        self.code[unless].jump = ends[0] as u16 + 1;
        for end in ends {
            self.code[end].jump = ends[1] as u16 + 1;
        }
        Ok(Arg::Register(made))
    }

    /// Calls a primitive with as many arguments as it takes.
    fn call(&mut self, id: PrimId, args: &[Arg], nesting: u32) -> Result<Arg, Uncovered> {
        let base = base_of(id);
        if let Some(maker) = maker(base).filter(|maker| *maker != Maker::Power) {
            return self.make(maker, args);
        }
        if base == Prim::power.into() {
            return self.power(args);
        }
        if base == Prim::identity.into() && matches!(args, [Arg::Function(_)]) {
            self.charge(1)?;
            return Ok(args[0].clone());
        }
        if base == Prim::branch.into() && matches!(args, [_, Arg::Function(_), _] | [_, _, Arg::Function(_)]) {
            return self.branch(args);
        }
        if LOOPS.contains(&primitive(base).name) {
            return self.run_loop(id, args, nesting);
        }
        if self.folding == Folding::Fold && args.iter().all(|arg| matches!(arg, Arg::Known(_))) {
            return self.fold(id, args);
        }
        if args.iter().any(|arg| matches!(arg, Arg::Function(_))) || !is_covered(id) {
            return Err(Uncovered::Primitive(id));
        }
        let mut words = [0; 4];
        for (word, arg) in words.iter_mut().zip(args) {
            *word = self.operand(arg)?.0;
        }
        let made = self.fresh(1);
        self.push(Instruction::call(base, guard_of(id), made.0, words, self.step))?;
        Ok(Arg::Register(made))
    }

    /// A call whose arguments are known is made now.
    fn fold(&mut self, id: PrimId, args: &[Arg]) -> Result<Arg, Uncovered> {
        let values: Vec<&Value> = args.iter().filter_map(|arg| if let Arg::Known(value) = arg { Some(value) } else { None }).collect();
        let mut machine = Machine::fast(*self.limits);
        let made = machine.call_primitive(id, &values);
        self.charge(machine.fuel_spent())?;
        match made {
            Ok(value) => Ok(known(&value)),
            Err(batt_core::Reason::OutOfFuel) => Err(Uncovered::Size),
            Err(_) => self.fail(),
        }
    }

    fn make(&mut self, maker: Maker, args: &[Arg]) -> Result<Arg, Uncovered> {
        self.charge(1)?;
        if matches!(maker, Maker::Rbind | Maker::Lbind) && Self::arity(&args[0])?.is_none() {
            return self.fail();
        }
        Ok(Arg::Function(Rc::new(Function::Made(maker, args.to_vec()))))
    }

    /// A choice between functions.
    fn branch(&mut self, args: &[Arg]) -> Result<Arg, Uncovered> {
        self.charge(1)?;
        let [condition, a, b] = args else { return self.fail() };
        Ok(match condition {
            Arg::Known(value) => if value.truth() { a } else { b }.clone(),
            Arg::Function(_) => a.clone(),
            // A value in the place of one of them is not known to be a function or not.
            Arg::Register(_) | Arg::Node(_) if !matches!((a, b), (Arg::Function(_), Arg::Function(_))) => return Err(Uncovered::Function),
            Arg::Register(_) | Arg::Node(_) => Arg::Function(Rc::new(Function::Either(condition.clone(), a.clone(), b.clone()))),
        })
    }

    fn power(&mut self, args: &[Arg]) -> Result<Arg, Uncovered> {
        let [function, Arg::Known(count)] = args else { return Err(Uncovered::Function) };
        self.charge(1)?;
        match count.as_int() {
            Some(1) => Ok(function.clone()),
            Some(times @ 2..=64) => Ok(Arg::Function(Rc::new(Function::Repeated(function.clone(), times)))),
            Some(65..) => Err(Uncovered::Size),
            _ => self.fail(),
        }
    }

    /// A primitive that calls a function on items.
    fn run_loop(&mut self, id: PrimId, args: &[Arg], nesting: u32) -> Result<Arg, Uncovered> {
        let base = base_of(id);
        let name = primitive(base).name;
        let two_items = matches!(name, "papply" | "mpapply" | "prapply");
        // The place of the function among the arguments; the others are containers, or what the primitive needs beside them.
        let place = match name {
            "apply" | "mapply" | "papply" | "mpapply" | "prapply" => 0,
            "get_nth_by_key" => 2,
            _ => 1,
        };
        let is_linear = primitive(base).cost == Cost::Linear;
        match &args[place] {
            Arg::Function(_) => {}
            // What is no function may weigh more than one. It fails when it is called, which it is not where there are no items.
            Arg::Known(value) if is_linear => self.charge(value.weight().saturating_sub(1))?,
            _ => return Err(Uncovered::Function),
        }
        let mut words = [0; 4];
        let others: Vec<&Arg> = args.iter().enumerate().filter(|(k, _)| *k != place).map(|(_, arg)| arg).collect();
        // A function has no items, which is seen before anything is called: what is paid is the call and a function in both places.
        if let [Arg::Function(_)] = others[..]
            && is_linear
        {
            self.charge(1 + 2)?;
            return self.fail();
        }
        for (word, arg) in words.iter_mut().zip(&others) {
            *word = self.operand(arg)?.0;
        }
        self.loops += 1;
        if self.loops > MAX_LOOPS {
            return Err(Uncovered::Size);
        }
        let item = self.fresh(2);
        words[3] = base.0 | (others.len() as u16) << 12 | 1 << 14;
        let begin = Instruction::control(Control::Loop, self.step);
        let begin = self.push(Instruction { op: begin.op | guard_of(id) << 12, target: item.0, args: words, ..begin })?;
        let items = [Arg::Register(item), Arg::Register(Virtual(item.0 + 1))];
        let mut value = self.invoke(&args[place], &items[..if two_items { 2 } else { 1 }], nesting)?;
        // To a filter, a function is as good as anything that is true.
        if matches!(value, Arg::Function(_)) && matches!(name, "sfilter" | "mfilter" | "extract") {
            value = Arg::Known(Value::Bool(true));
        }
        let value = self.operand(&value)?;
        let made = self.fresh(1);
        let mut next = Instruction::control(Control::Next, self.step);
        next.target = made.0;
        next.args[0] = value.0;
        next.jump = begin as u16 + 1;
        let next = self.push(next)?;
        self.code[begin].jump = next as u16;
        if self.code[begin + 1..next].iter().all(is_for_lanes_alone) {
            self.code[begin].op |= BY_LANES;
        }
        self.loops -= 1;
        Ok(Arg::Register(made))
    }
}

/// Whether single lanes can do an instruction.
fn is_for_lanes_alone(instruction: &Instruction) -> bool {
    let op = instruction.op & 0xFFF;
    op == Control::Charge as u16 || op == Control::Match as u16 || (op < Control::Loop as u16 && is_for_lanes(PrimId(op)))
}

/// The number of an alias's guard in `interpreter.cuh`.
fn guard_of(id: PrimId) -> u16 {
    match primitive(id).alias.map(|alias| alias.guard) {
        None | Some(Guard::None) => 0,
        Some(Guard::Tuple) => 1,
        Some(Guard::Set) => 2,
        Some(Guard::Indices) => 3,
        Some(Guard::Object) => 4,
    }
}
