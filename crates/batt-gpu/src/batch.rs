//! A batch of programs as the device gets it: everything in one piece of memory, laid out by all cores, copied at once.

use batt_dsl::Limits;
use batt_program::Program;
use rayon::prelude::*;

use crate::compile::{Folding, Literals, Uncovered, compile};
use crate::device::{JudgedEntry, ProgramEntry, TaskEntry};
use crate::format::Instruction;
use crate::judge::Verdict;
use crate::straight;
use crate::values::Image;

/// Where pieces of a batch begin: at multiples of this.
const ALIGNMENT: usize = 256;
/// Bytes of the counter from which blocks take programs.
const TICKET_BYTES: usize = 16;

/// Programs compiled for a batch. Parts can be compiled side by side.
#[derive(Default)]
pub struct Part {
    code: Vec<Instruction>,
    literals: Literals,
    programs: Vec<Result<ProgramEntry, Uncovered>>,
    /// By program, whether it only turns grids into grids.
    straight: Vec<bool>,
    /// The programs in the order in which they go to the device: those that make the same calls stand together.
    order: Vec<u32>,
}

impl Part {
    /// Compiles programs, each for the task of this number.
    pub fn compile<'p>(programs: impl Iterator<Item = (u32, &'p Program)>, limits: &Limits) -> Self {
        let mut part = Self::default();
        for (task, program) in programs {
            let compiled = compile(program, limits, Folding::Fold, &mut part.literals);
            part.straight.push(compiled.as_ref().is_ok_and(|compiled| compiled.straight));
            part.programs.push(compiled.map(|compiled| {
                let entry = ProgramEntry::new(&compiled, part.code.len(), task);
                part.code.extend_from_slice(&compiled.code);
                entry
            }));
        }
        part.order = part.by_calls();
        part
    }

    /// The programs ordered by the calls that they make: warps that do the same at a time read the kernel's text together.
    fn by_calls(&self) -> Vec<u32> {
        let calls = |&k: &u32| {
            let entry = self.programs[k as usize].unwrap_or_default();
            let code = self.code.get(entry.code as usize..(entry.code + u32::from(entry.length)) as usize);
            code.unwrap_or_default().iter().map(|instruction| instruction.op)
        };
        let mut order: Vec<u32> = (0..self.programs.len() as u32).collect();
        order.sort_by(|a, b| calls(a).cmp(calls(b)));
        order
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
    pub fn uncovered(&self) -> impl Iterator<Item = (usize, Uncovered)> {
        self.programs.iter().enumerate().filter_map(|(k, program)| program.err().map(|why| (k, why)))
    }

    /// Where each program goes, or why it goes nowhere, in their order.
    fn routes<'a>(&'a self, tasks: &'a Tasks) -> impl Iterator<Item = Result<(Route, ProgramEntry), Uncovered>> + 'a {
        self.order.iter().map(|&k| {
            let straight = self.straight[k as usize];
            let entry = self.programs[k as usize]?;
            let task = entry.task as usize;
            if tasks.taken.get(task) != Some(&true) {
                return Err(Uncovered::Literal);
            }
            let fits = straight && tasks.entries[task].side <= straight::MAX_SIDE;
            Ok((if fits { Route::Straight } else { Route::General }, entry))
        })
    }
}

/// Which kernel a program is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Route {
    General,
    Straight,
}

/// Tasks as the device has them.
pub(crate) struct Tasks {
    pub(crate) entries: Vec<TaskEntry>,
    /// By task, whether the device takes all its samples.
    pub(crate) taken: Vec<bool>,
}

/// How much of everything comes before a part.
#[derive(Clone, Copy, Default)]
struct Start {
    code: usize,
    literals: usize,
    general: usize,
    straight: usize,
}

/// Where everything of a batch is.
pub(crate) struct Layout {
    starts: Vec<Start>,
    end: Start,
    literals: Image,
    /// Code, programs, literals, tasks, ticket, and the end.
    pub(crate) offsets: [usize; 6],
}

impl Layout {
    pub(crate) fn new(parts: &[Part], tasks: &Tasks) -> Self {
        let counts: Vec<Start> = parts
            .par_iter()
            .map(|part| {
                let routed = |route| part.routes(tasks).filter(|routed| matches!(routed, Ok((other, _)) if *other == route)).count();
                Start {
                    code: part.code.len(),
                    literals: part.literals.values().len(),
                    general: routed(Route::General),
                    straight: routed(Route::Straight),
                }
            })
            .collect();
        let mut end = Start::default();
        let mut starts = Vec::with_capacity(parts.len());
        for count in counts {
            starts.push(end);
            end.code += count.code;
            end.literals += count.literals;
            end.general += count.general;
            end.straight += count.straight;
        }
        let mut literals = Image::with_values(end.literals);
        for (k, value) in parts.iter().flat_map(|part| part.literals.values()).enumerate() {
            literals.put(k, value);
        }
        let sizes = [
            end.code * size_of::<Instruction>(),
            (end.general + end.straight) * size_of::<ProgramEntry>(),
            literals.len(),
            size_of_val(&*tasks.entries),
            TICKET_BYTES,
        ];
        let mut offsets = [0; 6];
        for (k, size) in sizes.iter().enumerate() {
            offsets[k + 1] = (offsets[k] + size).next_multiple_of(ALIGNMENT);
        }
        Self { starts, end, literals, offsets }
    }

    /// Programs for the general kernel; they come first.
    pub(crate) fn general(&self) -> usize {
        self.end.general
    }

    /// Programs for both kernels.
    pub(crate) fn programs(&self) -> usize {
        self.end.general + self.end.straight
    }

    /// Lays everything out in memory that will be at this address of the device.
    pub(crate) fn fill(&self, memory: &mut [u8], address: u64, parts: &[Part], tasks: &Tasks) {
        let [_, programs_at, literals_at, tasks_at, ticket_at, _] = self.offsets;
        let (code, rest) = memory.split_at_mut(programs_at);
        let (programs, rest) = rest.split_at_mut(literals_at - programs_at);
        let literals = self.literals.at(address + literals_at as u64);
        rest[..literals.len()].copy_from_slice(&literals);
        let entries: &[u8] = bytemuck::cast_slice(&tasks.entries);
        rest[tasks_at - literals_at..][..entries.len()].copy_from_slice(entries);
        rest[ticket_at - literals_at..][..TICKET_BYTES].fill(0);

        let mut code: &mut [Instruction] = bytemuck::cast_slice_mut(&mut code[..self.end.code * size_of::<Instruction>()]);
        let programs: &mut [ProgramEntry] = bytemuck::cast_slice_mut(&mut programs[..self.programs() * size_of::<ProgramEntry>()]);
        let (mut general, mut straight) = programs.split_at_mut(self.end.general);
        let mut pieces = Vec::with_capacity(parts.len());
        for (k, (part, start)) in parts.iter().zip(&self.starts).enumerate() {
            let next = self.starts.get(k + 1).unwrap_or(&self.end);
            let own_code = code.split_off_mut(..next.code - start.code).unwrap_or_default();
            let own_general = general.split_off_mut(..next.general - start.general).unwrap_or_default();
            let own_straight = straight.split_off_mut(..next.straight - start.straight).unwrap_or_default();
            pieces.push((part, start, own_code, own_general, own_straight));
        }
        pieces.into_par_iter().for_each(|(part, start, code, general, straight)| {
            code.copy_from_slice(&part.code);
            let (mut general, mut straight) = (general.iter_mut(), straight.iter_mut());
            for (route, entry) in part.routes(tasks).flatten() {
                let list = if route == Route::General { &mut general } else { &mut straight };
                if let Some(place) = list.next() {
                    *place = ProgramEntry { code: entry.code + start.code as u32, literals: start.literals as u32, ..entry };
                }
            }
        });
    }

    /// What the device said about each program, in the order of the parts.
    pub(crate) fn verdicts(&self, parts: &[Part], tasks: &Tasks, judged: &[JudgedEntry]) -> Vec<Verdict> {
        let of_part = |(part, start): (&Part, &Start)| -> Vec<Verdict> {
            let (mut general, mut straight) = (start.general, self.end.general + start.straight);
            let verdict = |routed: Result<(Route, ProgramEntry), Uncovered>| match routed {
                Err(uncovered) => Verdict::Uncovered(uncovered),
                Ok((route, _)) => {
                    let place = if route == Route::General { &mut general } else { &mut straight };
                    *place += 1;
                    judged[*place - 1].verdict()
                }
            };
            let mut verdicts = vec![Verdict::TooLong; part.len()];
            for (&k, verdict) in part.order.iter().zip(part.routes(tasks).map(verdict)) {
                verdicts[k as usize] = verdict;
            }
            verdicts
        };
        parts.par_iter().zip(&self.starts).flat_map_iter(of_part).collect()
    }
}
