//! Running programs on single samples and reading back all that they gave: what the device is checked by.

use batt_core::{Reason, Value};
use batt_dsl::Limits;
use batt_engine::{Evaluation, Outcome};
use batt_program::{Program, StepId};
use bytemuck::Zeroable;

use crate::compile::{Compiled, Folding, Literals, Uncovered, compile};
use crate::device::{Device, DeviceError, ItemEntry, Kernel, Memory, ProgramEntry, RanEntry, SampleEntry, Stream, Work};
use crate::format::Instruction;
use crate::values::{BadValue, Image, OUT_OF_FUEL, REFUSED, Regions, UNDEFINED};

/// The memory of a run.
pub(crate) const ARENA: u32 = 256 << 10;

/// What came of running a program on a sample.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemRun {
    /// It ran to its end.
    Done(Evaluation),
    /// The program was not compiled.
    Uncovered(Uncovered),
    /// The device left it to the host at a call of the primitive of this number.
    Refused(u32),
    /// What it gave is no value: a fault of the kernels.
    Bad(BadValue),
}

/// Runs programs on input values, each program on the input of the same place.
pub fn run_items<D: Device>(
    device: &mut D,
    items: &[(&Program, &Value)],
    limits: &Limits,
    folding: Folding,
) -> Result<Vec<ItemRun>, DeviceError> {
    let mut literals = Literals::default();
    let compiled: Vec<Result<Compiled, Uncovered>> =
        items.iter().map(|(program, _)| compile(program, limits, folding, &mut literals)).collect();
    let mut code: Vec<Instruction> = Vec::new();
    let mut programs = Vec::new();
    let mut wanted: Vec<ItemEntry> = Vec::new();
    let mut inputs = Image::with_values(2 * items.len());
    for (k, compiled) in compiled.iter().enumerate() {
        programs.push(compiled.as_ref().map_or_else(|_| ProgramEntry::default(), |compiled| ProgramEntry::new(compiled, code.len(), 0)));
        if let Ok(compiled) = compiled
            && inputs.put(2 * k, items[k].1)
        {
            code.extend_from_slice(&compiled.code);
            wanted.push(ItemEntry { program: k as u32, sample: k as u32 });
        }
    }
    let mut constants = Image::with_values(literals.values().len());
    for (k, value) in literals.values().iter().enumerate() {
        constants.put(k, value);
    }
    let mut buffers = Buffers { device, taken: Vec::new() };
    let inputs = buffers.image(&inputs)?;
    let constants = buffers.image(&constants)?;
    let code = buffers.upload(bytemuck::cast_slice(&code))?;
    let programs = buffers.upload(bytemuck::cast_slice(&programs))?;
    let entries = buffers.upload(bytemuck::cast_slice(&wanted))?;
    let arenas = buffers.take(wanted.len() * ARENA as usize)?;
    let ran = buffers.take(wanted.len() * size_of::<RanEntry>())?;
    let work = Work {
        code: buffers.address(code),
        programs: buffers.address(programs),
        literals: buffers.address(constants.0),
        samples: buffers.address(inputs.0),
        items: buffers.address(entries),
        arenas: buffers.address(arenas),
        ran: buffers.address(ran),
        fuel: limits.fuel,
        slice: limits.fuel.min(u64::from(u32::MAX)),
        arena_size: ARENA,
        count: wanted.len() as u32,
        ..Work::default()
    };
    debug_assert_eq!(size_of::<SampleEntry>(), 2 * size_of::<crate::DeviceValue>());
    let mut outcomes: Vec<ItemRun> = compiled
        .iter()
        .map(|compiled| match compiled {
            Err(uncovered) => ItemRun::Uncovered(*uncovered),
            // An input that the device does not take.
            Ok(_) => ItemRun::Uncovered(Uncovered::Literal),
        })
        .collect();
    if wanted.is_empty() {
        buffers.release();
        return Ok(outcomes);
    }
    buffers.device.launch(Stream::First, Kernel::RunItems, &work)?;
    buffers.device.wait(Stream::First)?;
    let mut results = vec![RanEntry::zeroed(); wanted.len()];
    buffers.read(ran, bytemuck::cast_slice_mut(&mut results))?;
    let mut memory = vec![0u8; wanted.len() * ARENA as usize];
    buffers.read(arenas, &mut memory)?;
    for (slot, (result, item)) in results.iter().zip(&wanted).enumerate() {
        let mut regions = Regions::default();
        let start = slot * ARENA as usize;
        regions.add(work.arenas + start as u64, &memory[start..start + ARENA as usize]);
        regions.add(work.samples, &inputs.1);
        regions.add(work.literals, &constants.1);
        outcomes[item.program as usize] = outcome(result, &regions);
    }
    buffers.release();
    Ok(outcomes)
}

fn outcome(result: &RanEntry, regions: &Regions<'_>) -> ItemRun {
    let outcome = match result.value.tag() {
        REFUSED => return ItemRun::Refused(result.op),
        OUT_OF_FUEL => Outcome::OutOfFuel,
        UNDEFINED => Outcome::Undefined { step: Some(StepId(result.step)), reason: Reason::Missing },
        _ => match regions.value(result.value) {
            Ok(value) => Outcome::Value(value),
            Err(bad) => return ItemRun::Bad(bad),
        },
    };
    ItemRun::Done(Evaluation { outcome, fuel: result.fuel })
}

/// Memory that is given back together.
pub(crate) struct Buffers<'d, D: Device> {
    pub(crate) device: &'d mut D,
    taken: Vec<Memory>,
}

/// A buffer of [`Buffers`].
#[derive(Clone, Copy)]
pub(crate) struct Taken(usize);

impl<D: Device> Buffers<'_, D> {
    fn take(&mut self, bytes: usize) -> Result<Taken, DeviceError> {
        self.taken.push(self.device.allocate(bytes.max(16))?);
        Ok(Taken(self.taken.len() - 1))
    }

    fn upload(&mut self, bytes: &[u8]) -> Result<Taken, DeviceError> {
        let taken = self.take(bytes.len())?;
        self.device.write(&self.taken[taken.0], 0, bytes)?;
        Ok(taken)
    }

    fn image(&mut self, image: &Image) -> Result<(Taken, Vec<u8>), DeviceError> {
        let taken = self.take(image.len())?;
        let bytes = image.at(self.address(taken));
        self.device.write(&self.taken[taken.0], 0, &bytes)?;
        Ok((taken, bytes))
    }

    fn read(&mut self, taken: Taken, bytes: &mut [u8]) -> Result<(), DeviceError> {
        bytes.copy_from_slice(self.device.read(Stream::First, &self.taken[taken.0], 0, bytes.len())?);
        Ok(())
    }

    fn address(&self, taken: Taken) -> u64 {
        self.taken[taken.0].address()
    }

    fn release(self) {
        for memory in self.taken {
            self.device.release(memory);
        }
    }
}
