//! Running programs on single samples and reading back all that they gave: what the device is checked by.

use crate::kernels::{Address, Instruction, ItemEntry, ItemResultEntry, ProgramEntry, Work, refused_at};
use batt_core::{PrimId, Reason, Value};
use batt_dsl::Limits;
use batt_engine::{Evaluation, OrderMark, Outcome};
use batt_program::{Program, StepId};

use super::compile::{DeviceProgram, Folding, Literals, Unsupported, compile};
use super::device::{Device, DeviceError, Kernel, Memory};
use super::values::{BadValue, Image, OUT_OF_FUEL, REFUSED, Regions, UNDEFINED, tag_of};

/// The memory of a run.
pub(crate) const ARENA: u32 = 256 << 10;

/// How a program ended on a sample.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemRun {
    /// It ran to its end.
    Done(Evaluation),
    /// The program was not compiled.
    Unsupported(Unsupported),
    /// The device left it to the host at a call of this primitive.
    Refused(PrimId),
    /// Its result is no value: a fault of the kernels.
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
    let compiled: Vec<Result<DeviceProgram, Unsupported>> =
        items.iter().map(|(program, _)| compile(program, limits, folding, &mut literals)).collect();
    let mut code: Vec<Instruction> = Vec::new();
    let mut programs = Vec::new();
    let mut wanted: Vec<ItemEntry> = Vec::new();
    let mut inputs = Image::with_values(2 * items.len());
    for (k, compiled) in compiled.iter().enumerate() {
        programs.push(compiled.as_ref().map_or_else(|_| ProgramEntry::default(), |compiled| compiled.entry(code.len(), 0)));
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
    let mut buffers = Buffers { device, memories: Vec::new() };
    let inputs = buffers.image(&inputs)?;
    let constants = buffers.image(&constants)?;
    let code = buffers.upload(bytemuck::cast_slice(&code))?;
    let programs = buffers.upload(bytemuck::cast_slice(&programs))?;
    let entries = buffers.upload(bytemuck::cast_slice(&wanted))?;
    let arenas = buffers.take(wanted.len() * ARENA as usize)?;
    let results = buffers.take(wanted.len() * size_of::<ItemResultEntry>())?;
    let work = Work {
        code: buffers.address(code),
        programs: buffers.address(programs),
        literals: buffers.address(constants.0),
        samples: buffers.address(inputs.0),
        items: buffers.address(entries),
        arenas: buffers.address(arenas),
        results: buffers.address(results),
        fuel: limits.fuel,
        slice: limits.fuel.min(u64::from(u32::MAX)),
        arena_size: ARENA,
        count: wanted.len() as u32,
        ..Work::default()
    };
    let mut outcomes: Vec<ItemRun> = compiled
        .iter()
        .map(|compiled| match compiled {
            Err(unsupported) => ItemRun::Unsupported(*unsupported),
            // An input that the device does not take.
            Ok(_) => ItemRun::Unsupported(Unsupported::Literal),
        })
        .collect();
    if wanted.is_empty() {
        buffers.release();
        return Ok(outcomes);
    }
    #[expect(unsafe_code, reason = "kernels follow addresses that no type can check")]
    // SAFETY: the buffers have what `work` says, items and programs refer to what is in them, and `read` waits.
    unsafe {
        buffers.device.launch(Kernel::RunItems, &work)?;
    }
    let mut entries = vec![ItemResultEntry::default(); wanted.len()];
    buffers.read(results, bytemuck::cast_slice_mut(&mut entries))?;
    let mut memory = vec![0u8; wanted.len() * ARENA as usize];
    buffers.read(arenas, &mut memory)?;
    for (slot, (result, item)) in entries.iter().zip(&wanted).enumerate() {
        let mut regions = Regions::default();
        let start = slot * ARENA as usize;
        regions.add(work.arenas.get() + start as u64, &memory[start..start + ARENA as usize]);
        regions.add(work.samples.get(), &inputs.1);
        regions.add(work.literals.get(), &constants.1);
        outcomes[item.program as usize] = outcome(result, &regions);
    }
    buffers.release();
    Ok(outcomes)
}

fn outcome(result: &ItemResultEntry, regions: &Regions<'_>) -> ItemRun {
    let outcome = match tag_of(result.value) {
        REFUSED => return ItemRun::Refused(refused_at(result.op as u16)),
        OUT_OF_FUEL => Outcome::OutOfFuel,
        UNDEFINED => Outcome::Undefined { step: Some(StepId(result.step)), reason: Reason::Missing },
        _ => match regions.value(result.value) {
            Ok(value) => Outcome::Value(value),
            Err(bad) => return ItemRun::Bad(bad),
        },
    };
    // A device does not note the order of sets.
    ItemRun::Done(Evaluation { outcome, fuel: result.fuel, order: OrderMark::Unsure })
}

/// Memory that is released together.
struct Buffers<'d, D: Device> {
    device: &'d mut D,
    memories: Vec<Memory>,
}

/// A buffer of [`Buffers`].
#[derive(Clone, Copy)]
struct BufferId(usize);

impl<D: Device> Buffers<'_, D> {
    fn take(&mut self, bytes: usize) -> Result<BufferId, DeviceError> {
        self.memories.push(self.device.allocate(bytes.max(16))?);
        Ok(BufferId(self.memories.len() - 1))
    }

    fn upload(&mut self, bytes: &[u8]) -> Result<BufferId, DeviceError> {
        let buffer = self.take(bytes.len())?;
        self.device.write(&self.memories[buffer.0], 0, bytes)?;
        Ok(buffer)
    }

    fn image(&mut self, image: &Image) -> Result<(BufferId, Vec<u8>), DeviceError> {
        let buffer = self.take(image.len())?;
        let bytes = image.at(self.memories[buffer.0].address());
        self.device.write(&self.memories[buffer.0], 0, &bytes)?;
        Ok((buffer, bytes))
    }

    fn read(&mut self, buffer: BufferId, bytes: &mut [u8]) -> Result<(), DeviceError> {
        self.device.read(&self.memories[buffer.0], 0, bytes)
    }

    fn address<T>(&self, buffer: BufferId) -> Address<T> {
        self.memories[buffer.0].at(0)
    }

    fn release(self) {
        for memory in self.memories {
            self.device.release(memory);
        }
    }
}
