//! Programs that can be changed: to make new ones out of real ones, and to make a failing one small.

use std::sync::LazyLock;

use batt_core::{PrimId, Random, Value};
use batt_dsl::{ConstId, Family, Prim, primitive, primitives};
use batt_program::{Operand, Params, Program, ProgramBuilder, StepId};

/// The primitives that are drawn: all but the coarse ones on images, which devices do not have.
static DRAWN: LazyLock<Vec<PrimId>> =
    LazyLock::new(|| primitives().filter(|(_, row)| !matches!(row.family, Family::Image | Family::Rule)).map(|(id, _)| id).collect());

#[derive(Clone)]
pub struct Draft {
    params: Params,
    literals: Vec<Value>,
    steps: Vec<(Operand, Vec<Operand>)>,
    output: Operand,
}

impl Draft {
    pub fn of(program: &Program) -> Self {
        Self {
            params: program.params(),
            literals: program.literals().to_vec(),
            steps: program.steps().iter().map(|step| (step.callee, program.step_args(step).to_vec())).collect(),
            output: program.output(),
        }
    }

    /// The program, unless a change made it one that cannot be built.
    pub fn build(&self) -> Option<Program> {
        let mut builder = ProgramBuilder::new(self.params);
        for literal in &self.literals {
            builder.literal(literal.clone()).ok()?;
        }
        for (callee, args) in &self.steps {
            builder.call(*callee, args).ok()?;
        }
        builder.finish("solve", self.output).ok()
    }

    /// Makes another step the output.
    pub fn give_another_step(&mut self, rng: &mut Random) {
        if !self.steps.is_empty() {
            self.output = Operand::Step(StepId(rng.below(self.steps.len()) as u32));
        }
    }

    /// Changes a call, or adds one. What comes out need not make sense.
    pub fn mutate(&mut self, rng: &mut Random) {
        if self.steps.is_empty() {
            return;
        }
        let k = rng.below(self.steps.len());
        match rng.below(8) {
            0..=2 => {
                let arity = self.steps[k].1.len();
                let alike: Vec<PrimId> = DRAWN.iter().copied().filter(|&id| primitive(id).params.len() == arity).collect();
                if let (Operand::Primitive(_), false) = (self.steps[k].0, alike.is_empty()) {
                    self.steps[k].0 = Operand::Primitive(*rng.pick(&alike));
                } else {
                    self.steps[k].0 = self.operand(k, rng);
                }
            }
            3..=5 => {
                let operand = self.operand(k, rng);
                let args = &mut self.steps[k].1;
                if !args.is_empty() {
                    let place = rng.below(args.len());
                    args[place] = operand;
                }
            }
            6 => {
                let id = *rng.pick(&DRAWN);
                let args = (0..primitive(id).params.len()).map(|_| self.operand(k, rng)).collect();
                self.insert(k, (Operand::Primitive(id), args));
            }
            _ => self.give_another_step(rng),
        }
    }

    /// Puts a call before step `k`, and lets one later operand take its value.
    fn insert(&mut self, k: usize, step: (Operand, Vec<Operand>)) {
        let later = |operand: &mut Operand| {
            if let Operand::Step(id) = operand
                && id.0 as usize >= k
            {
                id.0 += 1;
            }
        };
        for (callee, args) in &mut self.steps[k..] {
            later(callee);
            args.iter_mut().for_each(later);
        }
        later(&mut self.output);
        self.steps.insert(k, step);
        if let Some((_, args)) = self.steps.get_mut(k + 1)
            && let Some(arg) = args.last_mut()
        {
            *arg = Operand::Step(StepId(k as u32));
        }
    }

    /// An operand that may stand in step `k`.
    fn operand(&mut self, k: usize, rng: &mut Random) -> Operand {
        match rng.below(12) {
            0 => Operand::Input,
            1 if self.params == Params::DemosInputCandidate => *rng.pick(&[Operand::Demos, Operand::Candidate]),
            2 | 3 => Operand::Constant(ConstId(rng.below(ConstId::all().count()) as u8)),
            4 => Operand::Primitive(*rng.pick(&DRAWN)),
            5 => {
                self.literals.push(odd_number(rng));
                Operand::Literal(batt_program::LiteralId(self.literals.len() as u32 - 1))
            }
            _ if k > 0 => Operand::Step(StepId(rng.below(k) as u32)),
            _ => Operand::Input,
        }
    }

    /// Makes the program smaller while `fails` still holds.
    #[must_use]
    pub fn shrink(mut self, fails: impl Fn(&Program) -> bool) -> Self {
        let holds = |draft: &Self| draft.build().is_some_and(|program| fails(&program));
        loop {
            let smaller = self.smaller().find(&holds);
            match smaller {
                Some(draft) => self = draft,
                None => return self,
            }
        }
    }

    /// Smaller versions of this program, the smallest first.
    fn smaller(&self) -> impl Iterator<Item = Self> + '_ {
        let cut = (1..self.steps.len()).map(|len| {
            let mut draft = self.clone();
            draft.steps.truncate(len);
            draft.output = Operand::Step(StepId(len as u32 - 1));
            draft
        });
        let dropped = (0..self.steps.len()).map(|k| self.without(k));
        let plainer = (0..self.steps.len()).flat_map(move |k| {
            (0..self.steps[k].1.len()).filter(move |&place| matches!(self.steps[k].1[place], Operand::Step(_))).map(move |place| {
                let mut draft = self.clone();
                draft.steps[k].1[place] = Operand::Input;
                draft
            })
        });
        cut.chain(dropped).chain(plainer)
    }

    /// This program without a step; what used it uses the step's last argument instead.
    fn without(&self, k: usize) -> Self {
        let mut draft = self.clone();
        let (_, args) = draft.steps.remove(k);
        let instead = args.last().copied().unwrap_or(Operand::Input);
        let earlier = |operand: &mut Operand| {
            if let Operand::Step(id) = operand {
                match (id.0 as usize).cmp(&k) {
                    std::cmp::Ordering::Less => {}
                    std::cmp::Ordering::Equal => *operand = instead,
                    std::cmp::Ordering::Greater => id.0 -= 1,
                }
            }
        };
        for (callee, args) in &mut draft.steps[k..] {
            earlier(callee);
            args.iter_mut().for_each(earlier);
        }
        earlier(&mut draft.output);
        draft
    }
}

/// The program with one operand in `often` replaced by a step, one by a constant and one by a primitive, whatever their types. A call that
/// cannot be built becomes `identity`.
pub fn with_odd_operands(program: &Program, often: usize, rng: &mut Random) -> Program {
    let mut builder = ProgramBuilder::new(program.params());
    let literals: Vec<Operand> = program.literals().iter().map(|value| builder.literal(value.clone()).unwrap()).collect();
    let place = |operand: Operand| if let Operand::Literal(id) = operand { literals[id.0 as usize] } else { operand };
    for (id, step) in program.step_ids() {
        let mut change = |operand: Operand| match rng.below(often) {
            0 if id.0 > 0 => Operand::Step(StepId(rng.below(id.0 as usize) as u32)),
            1 => Operand::Constant(ConstId(rng.below(ConstId::all().count()) as u8)),
            2 => Operand::Primitive(PrimId(rng.below(primitives().len()) as u16)),
            _ => place(operand),
        };
        let args: Vec<Operand> = program.step_args(step).iter().map(|&arg| change(arg)).collect();
        let callee = if matches!(step.callee, Operand::Primitive(_)) { step.callee } else { change(step.callee) };
        if builder.call(callee, &args).is_err() {
            builder.call(Prim::identity, &[*args.first().unwrap_or(&Operand::Input)]).unwrap();
        }
    }
    builder.finish("changed", place(program.output())).unwrap()
}

/// Numbers at the ends of the ranges that the forms of values have, and far beyond.
fn odd_number(rng: &mut Random) -> Value {
    const EDGES: [i64; 12] =
        [127, 128, 2047, 2048, 65535, 65536, i32::MAX as i64, 1 << 31, 1_000_000_000, 1_000_000_000_000, i64::MAX - 1, i64::MAX];
    let mut number = || {
        let sign = if rng.one_in(2) { 1 } else { -1 };
        let edge = *rng.pick(&EDGES);
        sign * if rng.one_in(3) { rng.between(0, 40) } else { edge }
    };
    let (a, b) = (number(), number());
    if a % 2 == 0 { Value::pair(a, b) } else { Value::Int(a) }
}
