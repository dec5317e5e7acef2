//! How fast the device is at each primitive: on calls that real programs make, with the processor beside it.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Instant;

use batt_core::{PrimId, Task, Value};
use batt_dsl::{Machine, primitive};
use batt_engine::{Inputs, Limits, ReferenceExecutor};
use batt_gpu::{Cuda, DeviceError, Judge, Part, Puzzle, Verdict, is_covered};
use batt_program::{Operand, Params, Program, ProgramBuilder};
use rayon::prelude::*;
use serde::Serialize;

use crate::output::{Output, grouped};
use crate::table::{Align, Table};

/// Different calls of a primitive that are measured with.
const CALLS: usize = 64;
/// How many runs of them are measured together.
const RUNS: usize = 1 << 15;
/// How often the processor makes the calls of a primitive at least.
const ON_HOST: usize = 1 << 12;

/// A primitive on both sides.
#[derive(Serialize)]
pub(super) struct Operation {
    pub(super) name: &'static str,
    /// Different calls.
    pub(super) calls: usize,
    pub(super) refused: usize,
    /// Seconds a call, on all cores of the processor and on the device.
    pub(super) cpu_s: f64,
    pub(super) gpu_s: f64,
    pub(super) ratio: f64,
    /// Calls in a batch from which on the device is faster, copies and launch included; none if it never is.
    pub(super) breaks_even_at: Option<u64>,
}

/// A call with the program that makes it.
struct Call {
    id: PrimId,
    args: Vec<Value>,
    program: Program,
    input: Value,
    value: Value,
}

/// Measures what one program costs on the device, and every primitive that real programs call.
pub(super) fn measure(device: &mut Option<Cuda>, own: &[(Task, Program)], repeat: u32) -> anyhow::Result<(f64, Vec<Operation>)> {
    let calls = real_calls(own);
    let all: Vec<&Call> = calls.values().flatten().collect();
    let puzzles: Vec<Puzzle<'_>> = all.iter().map(|call| Puzzle { demos: vec![(&call.input, &call.value)], tests: Vec::new() }).collect();
    let limits = Limits::default();
    let mut judge = Judge::new(device.take().ok_or(DeviceError::Lost)?, &puzzles, limits)?;
    let bars = vec![None; puzzles.len()];
    let mut operations = Vec::new();
    let mut first = 0;
    let one = Part::compile(all.iter().take(1).map(|call| (0, &call.program)), &limits, judge.as_rows());
    let one_program_s = median((0..50).map(|_| timed(&mut judge, std::slice::from_ref(&one), &bars)).collect::<Result<Vec<_>, _>>()?);
    for (id, calls) in &calls {
        let tasks = (0..calls.len()).cycle().take(RUNS);
        let part = Part::compile(tasks.map(|k| ((first + k) as u32, &calls[k].program)), &limits, judge.as_rows());
        first += calls.len();
        let parts = [part];
        let verdicts = judge.judge(&parts, &bars)?;
        let judged = verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Judged(_))).count();
        let right = verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Judged(judged) if judged.demos_right == 1)).count();
        anyhow::ensure!(right == judged, "{}: {} of {judged} calls are not what the processor gives", primitive(*id).name, judged - right);
        if judged == 0 {
            continue;
        }
        let mut times = Vec::new();
        for _ in 0..repeat {
            times.push(judge.judge_timed(&parts, &bars)?.1[1].as_secs_f64());
        }
        let device_per_s = verdicts.len() as f64 / median(times).max(1e-9);
        let host_per_s = on_host(calls, &limits);
        let gain = 1.0 / host_per_s - 1.0 / device_per_s;
        operations.push(Operation {
            name: primitive(*id).name,
            calls: calls.len(),
            refused: verdicts.len() - judged,
            cpu_s: 1.0 / host_per_s.max(1e-9),
            gpu_s: 1.0 / device_per_s.max(1e-9),
            ratio: device_per_s / host_per_s.max(1e-9),
            breaks_even_at: (gain > 0.0).then(|| (one_program_s / gain).ceil() as u64),
        });
    }
    *device = Some(judge.into_device());
    operations.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
    Ok((one_program_s, operations))
}

fn timed(judge: &mut Judge<Cuda>, parts: &[Part], bars: &[batt_gpu::Bar]) -> Result<f64, DeviceError> {
    let started = Instant::now();
    judge.start(parts, bars)?;
    judge.finish(parts)?;
    Ok(started.elapsed().as_secs_f64())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}

/// Calls a second that the processor makes on all its cores.
fn on_host(calls: &[Call], limits: &Limits) -> f64 {
    let rounds = ON_HOST.div_ceil(calls.len());
    let threads = rayon::current_num_threads();
    let started = Instant::now();
    (0..threads).into_par_iter().for_each(|_| {
        let mut machine = Machine::fast(*limits);
        for _ in 0..rounds {
            for call in calls {
                machine.refuel();
                let args: Vec<&Value> = call.args.iter().collect();
                let _ = std::hint::black_box(machine.call_primitive(call.id, &args));
            }
        }
    });
    (threads * rounds * calls.len()) as f64 / started.elapsed().as_secs_f64().max(1e-9)
}

/// Calls that programs make on the demos of their tasks, by primitive.
fn real_calls(own: &[(Task, Program)]) -> BTreeMap<PrimId, Vec<Call>> {
    let mut calls: BTreeMap<PrimId, Vec<Call>> = BTreeMap::new();
    let mut reference = ReferenceExecutor::new(Limits::default());
    for (task, program) in own {
        let Some(demo) = task.demos.first() else { continue };
        let input = Value::Grid(demo.input.clone());
        let demos = Inputs::demos_of(&task.demos);
        let trace = reference.trace(program, Inputs { input: &input, demos: &demos, candidate: None });
        let known = |operand: Operand| match operand {
            Operand::Input => Some(input.clone()),
            Operand::Step(step) => trace.values.get(step.0 as usize).cloned().flatten(),
            Operand::Constant(id) => Some(id.value()),
            Operand::Literal(id) => Some(program.literal(id).clone()),
            Operand::Primitive(id) => Some(Value::Primitive(id)),
            Operand::Demos | Operand::Candidate => None,
        };
        for (step, value) in program.steps().iter().zip(&trace.values) {
            let (Operand::Primitive(id), Some(value)) = (step.callee, value) else { continue };
            let list = calls.entry(id).or_default();
            let args = program.step_args(step).iter().map(|&arg| known(arg)).collect::<Option<Vec<Value>>>();
            if is_covered(id)
                && list.len() < CALLS
                && !value.is_function()
                && let Some(args) = args
                && let Some((program, input)) = call_program(id, &args)
            {
                list.push(Call { id, args, program, input, value: value.clone() });
            }
        }
    }
    calls.retain(|_, calls| !calls.is_empty());
    calls
}

/// A program that makes one call, and its input.
fn call_program(id: PrimId, args: &[Value]) -> Option<(Program, Value)> {
    let mut builder = ProgramBuilder::new(Params::Input);
    let input = args.iter().position(|arg| !arg.is_function())?;
    let mut operands = Vec::new();
    for (k, arg) in args.iter().enumerate() {
        operands.push(match arg {
            _ if k == input => Operand::Input,
            Value::Primitive(id) => Operand::Primitive(*id),
            Value::Closure(_) => return None,
            _ => builder.literal(arg.clone()).ok()?,
        });
    }
    let output = builder.call(id, &operands).ok()?;
    Some((builder.finish("call", output).ok()?, args[input].clone()))
}

/// Shows them, the largest gain first.
pub(super) fn print(operations: &[Operation], one_program_s: f64, out: &mut Output) -> anyhow::Result<()> {
    let mut table = Table::new([
        ("operation", Align::Left),
        ("M/s device", Align::Right),
        ("M/s host", Align::Right),
        ("ratio", Align::Right),
        ("breaks even at", Align::Right),
    ]);
    for operation in operations {
        table.plain_row([
            operation.name.to_owned(),
            format!("{:.1}", 1e-6 / operation.gpu_s),
            format!("{:.1}", 1e-6 / operation.cpu_s),
            format!("{:.1}", operation.ratio),
            operation.breaks_even_at.map_or_else(|| "never".to_owned(), grouped),
        ]);
    }
    let look = out.look;
    table.print(out, look, 0)?;
    writeln!(out, "\none program by itself takes {:.0} µs", one_program_s * 1e6)?;
    Ok(())
}
