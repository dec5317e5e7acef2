//! From a program to instructions. Known functions are inlined between the two instructions of a loop. Programs with unknown functions, or
//! with primitives that have no device code, are left to the host.

use std::rc::Rc;

use batt_core::{Lower, Maker, PrimId, Value, lower_closure, lower_repeated};
use batt_dsl::{Cells, Cost, Device, Guard, Limits, Machine, Prim, base_of, cells_of, primitive};
use batt_program::{Operand, Program, StepId};
use rustc_hash::FxHashMap;

use crate::kernels::{Control, Instruction, MAX_LITERALS, ProgramEntry, Word, is_covered, is_for_lanes, operation};

use super::registers::{Virtual, allocate, lay_constants};
use super::values::Image;

/// Why a program is left to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Unsupported {
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

impl Unsupported {
    /// The missing feature of the device.
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

impl std::fmt::Display for Unsupported {
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

    fn word(&mut self, value: &Value) -> Result<Word, Unsupported> {
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
        // A boolean equals an integer, but is another literal, and so is a container with one.
        let key = if let Value::Bool(b) = value { Value::pair(i64::MAX, i64::from(*b)) } else { value.clone() };
        let is_shared = !holds_boolean(&key);
        if let Some(&place) = self.places.get(&key).filter(|_| is_shared) {
            return Ok(Word::literal(place));
        }
        if !Image::with_values(1).put(0, value) {
            return Err(Unsupported::Literal);
        }
        if self.values.len() == MAX_LITERALS {
            return Err(Unsupported::Size);
        }
        let place = self.values.len() as u16;
        self.values.push(value.clone());
        if is_shared {
            self.places.insert(key, place);
        }
        Ok(Word::literal(place))
    }
}

/// Whether a container holds a boolean, at any depth. Compact forms hold none.
fn holds_boolean(value: &Value) -> bool {
    match value {
        Value::Bool(_) => true,
        Value::Tuple(items, _) | Value::Set(items, _) => items.iter().any(holds_boolean),
        _ => false,
    }
}

/// An argument at compile time.
#[derive(Clone)]
enum Arg {
    /// A value that the device has in a register.
    Register(Virtual),
    /// A value that is known.
    Known(Value),
    /// A function that is known.
    Function(Rc<Function>),
}

enum Function {
    Primitive(PrimId),
    Made(Maker, Vec<Arg>),
    /// The second if the first, which the device has, is true, else the third.
    Either(Arg, Arg, Arg),
}

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
pub struct DeviceProgram {
    /// Its instructions; before them, eight to the room of an instruction, the constants that are laid into registers, as words.
    pub(crate) code: Vec<Instruction>,
    /// Where the instructions begin.
    pub(crate) start: u32,
    /// How many constants there are.
    pub(crate) constants: u16,
}

impl DeviceProgram {
    /// From instructions in which each value has a register of its own.
    pub(crate) fn new(code: &[Instruction]) -> Result<Self, Unsupported> {
        let mut code = code.to_vec();
        allocate(&mut code, 1)?;
        let mut constants = Vec::new();
        lay_constants(&mut code, &mut constants)?;
        let mut all: Vec<Instruction> = constants.chunks(8).rev().map(Instruction::of_words).collect();
        let start = all.len() as u32;
        all.append(&mut code);
        Ok(Self { code: all, start, constants: constants.len() as u16 })
    }

    /// Its entry, when its code begins at this place of the batch.
    pub(crate) fn entry(&self, place: usize, task: u32) -> ProgramEntry {
        let length = self.code.len() as u32 - self.start;
        ProgramEntry { code: place as u32 + self.start, task, literals: 0, length: length as u16, constants: self.constants }
    }
}

/// Compiles a program. What it gives and spends is what it gives and spends on the host under these limits.
pub fn compile(program: &Program, limits: &Limits, folding: Folding, literals: &mut Literals) -> Result<DeviceProgram, Unsupported> {
    DeviceProgram::new(&translate(program, limits, folding, literals)?)
}

/// A program as instructions in which each value has a register of its own.
pub(crate) fn translate(
    program: &Program,
    limits: &Limits,
    folding: Folding,
    literals: &mut Literals,
) -> Result<Vec<Instruction>, Unsupported> {
    let mut compiler = Compiler::new(limits, folding, literals);
    let live = program.live();
    let mut values: Vec<Option<Arg>> = vec![None; program.steps().len()];
    for (id, step) in program.step_ids() {
        if !live[id.0 as usize] {
            continue;
        }
        compiler.step = u16::try_from(id.0).map_err(|_| Unsupported::Size)?;
        let value_of = |step: u32| values.get(step as usize).and_then(Clone::clone);
        let args = program.step_args(step).iter().map(|&arg| argument(program, arg, &value_of)).collect::<Result<Vec<_>, _>>()?;
        let callee = argument(program, step.callee, &value_of)?;
        values[id.0 as usize] = Some(compiler.invoke(&callee, &args, MAX_NESTING)?);
        // The steps behind a call that always fails are not reached.
        if compiler.code.last().is_some_and(|last| last.op == Control::Fail as u16) {
            return Ok(compiler.code);
        }
    }
    let output = argument(program, program.output(), &|step| values.get(step as usize).and_then(Clone::clone))?;
    let output = compiler.operand(&output)?;
    let mut end = Instruction::control(Control::Return, 0);
    end.args[0] = output.0;
    compiler.push(end)?;
    Ok(compiler.code)
}

fn argument(program: &Program, operand: Operand, value_of: &impl Fn(u32) -> Option<Arg>) -> Result<Arg, Unsupported> {
    match operand {
        Operand::Input => Ok(Arg::Register(Virtual::INPUT)),
        Operand::Demos | Operand::Candidate => Err(Unsupported::Inputs),
        Operand::Step(StepId(step)) => value_of(step).ok_or(Unsupported::Size),
        Operand::Constant(id) => Ok(known(&id.value())),
        Operand::Literal(id) => Ok(known(program.literal(id))),
        Operand::Primitive(id) => Ok(Arg::Function(Rc::new(Function::Primitive(id)))),
    }
}

fn known(value: &Value) -> Arg {
    match value {
        Value::Primitive(id) => Arg::Function(Rc::new(Function::Primitive(*id))),
        _ => Arg::Known(value.clone()),
    }
}

struct Compiler<'a> {
    limits: &'a Limits,
    folding: Folding,
    literals: &'a mut Literals,
    code: Vec<Instruction>,
    registers: u16,
    step: u16,
    loops: u32,
}

impl<'a> Compiler<'a> {
    fn new(limits: &'a Limits, folding: Folding, literals: &'a mut Literals) -> Self {
        Self { limits, folding, literals, code: Vec::new(), registers: 1, step: 0, loops: 0 }
    }

    fn push(&mut self, instruction: Instruction) -> Result<usize, Unsupported> {
        if self.code.len() == MAX_INSTRUCTIONS {
            return Err(Unsupported::Size);
        }
        self.code.push(instruction);
        Ok(self.code.len() - 1)
    }

    fn fresh(&mut self, count: u16) -> Virtual {
        let register = Virtual(self.registers);
        self.registers += count;
        register
    }

    fn operand(&mut self, arg: &Arg) -> Result<Word, Unsupported> {
        match arg {
            Arg::Register(register) => Ok(Word::register(register.0)),
            Arg::Known(value) => self.literals.word(value),
            Arg::Function(_) => Err(Unsupported::Function),
        }
    }

    fn charge(&mut self, amount: u64) -> Result<(), Unsupported> {
        let mut total = amount;
        // What is paid in a row is paid at once.
        if let Some(last) = self.code.last()
            && last.op == Control::Charge as u16
        {
            total += u64::from(last.args[0]) | u64::from(last.args[1]) << 16;
            self.code.pop();
        }
        let total = u32::try_from(total).map_err(|_| Unsupported::Size)?;
        let mut instruction = Instruction::control(Control::Charge, self.step);
        instruction.args = [total as u16, (total >> 16) as u16, 0, 0];
        self.push(instruction).map(|_| ())
    }

    /// A call that has no answer. What is compiled after it is never reached.
    fn fail(&mut self) -> Result<Arg, Unsupported> {
        self.push(Instruction::control(Control::Fail, self.step))?;
        Ok(Arg::Known(Value::Nothing))
    }

    /// The number of arguments that a function takes; none for what cannot be called. An error where that is not known.
    fn arity(function: &Arg) -> Result<Option<usize>, Unsupported> {
        let Arg::Function(function) = function else { return Ok(None) };
        Ok(match &**function {
            Function::Primitive(id) => Some(primitive(*id).params.len()),
            Function::Made(maker @ (Maker::Rbind | Maker::Lbind), parts) => {
                let first = Self::arity(&parts[0])?;
                maker.arity(|| first)
            }
            Function::Made(..) => Some(1),
            Function::Either(_, a, b) => match (Self::arity(a)?, Self::arity(b)?) {
                (a, b) if a == b => a,
                _ => return Err(Unsupported::Function),
            },
        })
    }

    /// Calls a function with these arguments.
    fn invoke(&mut self, function: &Arg, args: &[Arg], nesting: u32) -> Result<Arg, Unsupported> {
        let nesting = nesting.checked_sub(1).ok_or(Unsupported::Size)?;
        let Arg::Function(known) = function else { return self.fail() };
        if let Function::Either(condition, a, b) = &**known {
            return self.either(condition, [a, b], args, nesting);
        }
        if Self::arity(function)? != Some(args.len()) {
            return self.fail();
        }
        match &**known {
            Function::Primitive(id) => self.call(*id, args, nesting),
            Function::Made(maker, parts) => lower_closure(&mut Nested { compiler: self, nesting }, *maker, parts, args),
            Function::Either(..) => Err(Unsupported::Function),
        }
    }

    /// Whether two values are equal.
    fn matches(&mut self, value: &Arg, target: &Arg) -> Result<Arg, Unsupported> {
        // A function equals no value.
        if matches!(value, Arg::Function(_)) != matches!(target, Arg::Function(_)) {
            return Ok(Arg::Known(Value::Bool(false)));
        }
        let (value, target) = (self.operand(value)?, self.operand(target)?);
        let made = self.fresh(1);
        let mut instruction = Instruction::control(Control::Match, self.step);
        instruction.target = made.0;
        instruction.args = [value.0, target.0, 0, 0];
        self.push(instruction)?;
        Ok(Arg::Register(made))
    }

    /// Calls one of two functions: that which is not called is jumped over.
    fn either(&mut self, condition: &Arg, functions: [&Arg; 2], args: &[Arg], nesting: u32) -> Result<Arg, Unsupported> {
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
    fn call(&mut self, id: PrimId, args: &[Arg], nesting: u32) -> Result<Arg, Unsupported> {
        // Also a call that could be made now: what comes of it would meet kernels that know other cells.
        if cells_of(id) != Cells::Cij {
            return Err(Unsupported::Primitive(id));
        }
        let base = base_of(id);
        match primitive(base).maker() {
            Some(Maker::Power) => return self.power(args),
            Some(maker) => return self.make(maker, args),
            None => {}
        }
        if base == Prim::identity.into() && matches!(args, [Arg::Function(_)]) {
            self.charge(1)?;
            return Ok(args[0].clone());
        }
        if base == Prim::branch.into() && matches!(args, [_, Arg::Function(_), _] | [_, _, Arg::Function(_)]) {
            return self.branch(args);
        }
        if primitive(base).device == Device::Loop {
            return self.run_loop(id, args, nesting);
        }
        if self.folding == Folding::Fold && args.iter().all(|arg| matches!(arg, Arg::Known(_))) {
            return self.fold(id, args);
        }
        if args.iter().any(|arg| matches!(arg, Arg::Function(_))) || !is_covered(id) {
            return Err(Unsupported::Primitive(id));
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
    fn fold(&mut self, id: PrimId, args: &[Arg]) -> Result<Arg, Unsupported> {
        let values: Vec<&Value> = args.iter().filter_map(|arg| if let Arg::Known(value) = arg { Some(value) } else { None }).collect();
        let mut machine = Machine::fast(*self.limits);
        let made = machine.call_primitive(id, &values);
        self.charge(machine.fuel_spent())?;
        match made {
            Ok(value) => Ok(known(&value)),
            Err(batt_core::Reason::OutOfFuel) => Err(Unsupported::Size),
            Err(_) => self.fail(),
        }
    }

    fn make(&mut self, maker: Maker, args: &[Arg]) -> Result<Arg, Unsupported> {
        self.charge(1)?;
        if matches!(maker, Maker::Rbind | Maker::Lbind) && Self::arity(&args[0])?.is_none() {
            return self.fail();
        }
        Ok(Arg::Function(Rc::new(Function::Made(maker, args.to_vec()))))
    }

    /// A choice between functions.
    fn branch(&mut self, args: &[Arg]) -> Result<Arg, Unsupported> {
        self.charge(1)?;
        let [condition, a, b] = args else { return self.fail() };
        Ok(match condition {
            Arg::Known(value) => if value.truth() { a } else { b }.clone(),
            Arg::Function(_) => a.clone(),
            // A value in the place of one of them is not known to be a function or not.
            Arg::Register(_) if !matches!((a, b), (Arg::Function(_), Arg::Function(_))) => return Err(Unsupported::Function),
            Arg::Register(_) => Arg::Function(Rc::new(Function::Either(condition.clone(), a.clone(), b.clone()))),
        })
    }

    fn power(&mut self, args: &[Arg]) -> Result<Arg, Unsupported> {
        let [function, Arg::Known(count)] = args else { return Err(Unsupported::Function) };
        self.charge(1)?;
        match count.as_int() {
            Some(1) => Ok(function.clone()),
            Some(2..=64) => Ok(Arg::Function(Rc::new(Function::Made(Maker::Power, args.to_vec())))),
            Some(65..) => Err(Unsupported::Size),
            _ => self.fail(),
        }
    }

    /// A primitive that calls a function on items.
    fn run_loop(&mut self, id: PrimId, args: &[Arg], nesting: u32) -> Result<Arg, Unsupported> {
        let base = base_of(id);
        let row = primitive(base);
        // The place of the function among the arguments; the others are containers, or what the primitive needs beside them.
        let place = row.function_place().ok_or(Unsupported::Primitive(id))?;
        let is_linear = row.cost == Cost::Linear;
        match &args[place] {
            Arg::Function(_) => {}
            // What is no function may weigh more than one. It fails when it is called, which it is not where there are no items.
            Arg::Known(value) if is_linear => self.charge(value.weight().saturating_sub(1))?,
            _ => return Err(Unsupported::Function),
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
            return Err(Unsupported::Size);
        }
        let item = self.fresh(2);
        words[3] = operation(base) | (others.len() as u16) << 12 | 1 << 14;
        let begin = Instruction::control(Control::Loop, self.step);
        let begin = self.push(Instruction { op: begin.op | guard_of(id) << 12, target: item.0, args: words, ..begin })?;
        let items = [Arg::Register(item), Arg::Register(Virtual(item.0 + 1))];
        let mut value = self.invoke(&args[place], &items[..row.items_at_a_time()], nesting)?;
        // To a filter, a function is as good as anything that is true.
        if matches!(value, Arg::Function(_)) && row.condition {
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

/// Compiles calls inside a function.
struct Nested<'c, 'a> {
    compiler: &'c mut Compiler<'a>,
    nesting: u32,
}

impl Lower for Nested<'_, '_> {
    type Part = Arg;
    type Arg<'a>
        = Arg
    where
        Self: 'a;
    type Output = Result<Arg, Unsupported>;

    fn part<'a>(part: &'a Arg) -> Arg
    where
        Self: 'a,
    {
        part.clone()
    }

    fn arg<'a>(made: &'a Self::Output) -> Result<Arg, Self::Output>
    where
        Self: 'a,
    {
        made.clone().map_err(Err)
    }

    fn invoke<'a>(&mut self, function: &'a Arg, args: &[Arg]) -> Self::Output
    where
        Self: 'a,
    {
        self.compiler.invoke(function, args, self.nesting)
    }

    fn equals(&mut self, made: Self::Output, target: &Arg) -> Self::Output {
        self.compiler.matches(&made?, target)
    }

    fn power<'a>(&mut self, function: &'a Arg, times: &'a Arg, args: &[Arg]) -> Self::Output
    where
        Self: 'a,
    {
        match times {
            Arg::Known(times) => lower_repeated(self, function, times.as_int().ok_or(Unsupported::Function)?, args),
            _ => Err(Unsupported::Function),
        }
    }

    fn wrong_arity(&mut self) -> Self::Output {
        self.compiler.fail()
    }
}

/// Whether single lanes can do an instruction.
fn is_for_lanes_alone(instruction: &Instruction) -> bool {
    let op = instruction.op & 0xFFF;
    op == Control::Charge as u16 || op == Control::Match as u16 || (op < Control::Loop as u16 && is_for_lanes(op))
}

/// The number of an alias's guard in `interpreter.cuh`.
fn guard_of(id: PrimId) -> u16 {
    match primitive(id).alias.map(|alias| alias.guard) {
        None | Some(Guard::None) => 0,
        Some(Guard::Tuple) => 1,
        Some(Guard::Set) => 2,
        Some(Guard::Indices) => 3,
        Some(Guard::Object) => 4,
        Some(Guard::AsTuple) => 5,
        // Whether a tuple is one of locations or cells is the host's business.
        Some(Guard::AsSet | Guard::Patch) => 6,
    }
}
