//! A CUDA device. The driver and the compiler of kernels are looked for when they are asked for; nothing of CUDA is needed to build.
#![expect(unsafe_code, reason = "the driver's calls are unsafe; each says why it may be made")]

use std::ffi::CString;
use std::sync::Arc;
use std::time::Duration;

use cudarc::driver::sys::{CUdevice_attribute, CUevent_flags, CUresult};
use cudarc::driver::{
    CudaContext, CudaEvent, CudaFunction, CudaStream, DeviceRepr, DriverError, LaunchConfig, PinnedHostSlice, PushKernelArg, result,
};
use cudarc::nvrtc;

use crate::device::{Device, DeviceError, Kernel, Memory, Moment, Stream, Work};
use crate::source::kernel_source;

/// Threads of a block; `main.cu` has the same number of warps.
const BLOCK: u32 = 1024;
const WARPS_PER_BLOCK: u32 = BLOCK / 32;

/// Where compiled kernels are kept between runs.
pub trait KernelCache {
    /// What was kept under a key.
    fn get(&self, key: &str) -> Option<Vec<u8>>;
    /// Keeps something under a key. That it cannot is no error.
    fn put(&self, key: &str, bytes: &[u8]);
}

/// Keeps nothing.
pub struct NoCache;

impl KernelCache for NoCache {
    fn get(&self, _: &str) -> Option<Vec<u8>> {
        None
    }

    fn put(&self, _: &str, _: &[u8]) {}
}

/// What is known about a device before it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CudaInfo {
    /// Its number.
    pub ordinal: usize,
    /// Its name.
    pub name: String,
    /// Its compute capability.
    pub capability: (i32, i32),
    /// Its memory in bytes.
    pub memory: usize,
    /// Its multiprocessors.
    pub multiprocessors: u32,
}

/// A CUDA device with the kernels loaded.
pub struct Cuda {
    context: Arc<CudaContext>,
    lanes: [Lane; 2],
    clear: CudaFunction,
    mark: CudaFunction,
    nodes: CudaFunction,
    cards: CudaFunction,
    items: CudaFunction,
    straight: CudaFunction,
    firsts: CudaFunction,
    kept: CudaFunction,
    info: CudaInfo,
    blocks: u32,
    /// Whether the kernels were compiled now, and not found in the cache.
    compiled: bool,
}

/// A stream, and memory of the host for copies in both directions.
struct Lane {
    stream: Arc<CudaStream>,
    staged: Option<PinnedHostSlice<u8>>,
    back: Option<Pinned>,
    /// By [`Moment`].
    moments: [Option<CudaEvent>; 2],
}

/// Memory of the host that the device copies to.
struct Pinned {
    context: Arc<CudaContext>,
    place: *mut u8,
    len: usize,
}

// SAFETY: it is memory that only this owns.
unsafe impl Send for Pinned {}

impl Pinned {
    fn new(context: &Arc<CudaContext>, len: usize) -> Result<Self, DeviceError> {
        context.bind_to_thread().map_err(driver)?;
        // SAFETY: the context is current; what comes back is freed when this is dropped.
        let place: *mut u8 = unsafe { result::malloc_host(len, 0) }.map_err(driver)?.cast();
        // SAFETY: so many bytes were just allocated; the host reads them before a copy wrote them only if it failed.
        unsafe { place.write_bytes(0, len) };
        Ok(Self { context: Arc::clone(context), place, len })
    }

    fn bytes(&self, len: usize) -> &[u8] {
        // SAFETY: the memory is initialised, and not longer than it was allocated.
        unsafe { std::slice::from_raw_parts(self.place, len.min(self.len)) }
    }

    fn bytes_mut(&mut self, len: usize) -> &mut [u8] {
        // SAFETY: the same; it is borrowed once.
        unsafe { std::slice::from_raw_parts_mut(self.place, len.min(self.len)) }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if self.context.bind_to_thread().is_ok() {
            // SAFETY: it came from `malloc_host`, and nobody has it any more.
            let _ = unsafe { result::free_host(self.place.cast()) };
        }
    }
}

// SAFETY: the structure is plain data that a kernel takes by value.
unsafe impl DeviceRepr for Work {}

/// All devices that the driver knows.
pub fn cuda_devices() -> Result<Vec<CudaInfo>, DeviceError> {
    driver_present()?;
    let count = CudaContext::device_count().map_err(driver)?;
    (0..count as usize).map(|ordinal| CudaContext::new(ordinal).map_err(driver).and_then(|context| info(&context))).collect()
}

/// The driver's version, as in 13000 for 13.0.
pub fn driver_version() -> Result<i32, DeviceError> {
    driver_present()?;
    result::init().map_err(driver)?;
    let mut version = 0;
    // SAFETY: the driver is there, and writes one integer.
    unsafe { cudarc::driver::sys::cuDriverGetVersion(&raw mut version) }.result().map_err(driver)?;
    Ok(version)
}

/// The version of the compiler of kernels, if there is one.
pub fn compiler_version() -> Result<(i32, i32), DeviceError> {
    compiler_present()?;
    let (mut major, mut minor) = (0, 0);
    // SAFETY: the library is there, and writes two integers.
    let answer = unsafe { nvrtc::sys::nvrtcVersion(&raw mut major, &raw mut minor) };
    answer.result().map_err(|error| DeviceError::Compile(error.to_string()))?;
    Ok((major, minor))
}

fn driver_present() -> Result<(), DeviceError> {
    // SAFETY: it only tries to load the library.
    if unsafe { cudarc::driver::sys::is_culib_present() } { Ok(()) } else { Err(DeviceError::NoDriver) }
}

fn compiler_present() -> Result<(), DeviceError> {
    // SAFETY: it only tries to load the library.
    if unsafe { nvrtc::sys::is_culib_present() } { Ok(()) } else { Err(DeviceError::NoCompiler) }
}

fn info(context: &Arc<CudaContext>) -> Result<CudaInfo, DeviceError> {
    let multiprocessors = context.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT).map_err(driver)?;
    Ok(CudaInfo {
        ordinal: context.ordinal(),
        name: context.name().map_err(driver)?,
        capability: context.compute_capability().map_err(driver)?,
        memory: context.total_mem().map_err(driver)?,
        multiprocessors: multiprocessors as u32,
    })
}

impl Cuda {
    /// Opens a device. `shared` says whether it is one of several contexts on the same device.
    pub fn open(ordinal: usize, shared: bool, cache: &dyn KernelCache) -> Result<Self, DeviceError> {
        driver_present()?;
        let count = CudaContext::device_count().map_err(driver)?;
        if ordinal >= count as usize {
            return Err(DeviceError::NoDevice(ordinal));
        }
        let context = if shared { CudaContext::new_non_primary(ordinal, 0) } else { CudaContext::new(ordinal) }.map_err(driver)?;
        let info = info(&context)?;
        if info.capability < (7, 5) {
            return Err(DeviceError::OldDevice(info.name));
        }
        let (module, compiled) = load_kernels(&context, info.capability, cache)?;
        let lane = || Ok(Lane { stream: context.new_stream().map_err(driver)?, staged: None, back: None, moments: [None, None] });
        let lanes = [lane()?, lane()?];
        let function = |name| module.load_function(name).map_err(driver);
        let nodes = function("run_nodes")?;
        let (clear, mark, cards) = (function("clear_cards")?, function("mark_nodes")?, function("judge_cards")?);
        let (items, straight) = (function("run_items")?, function("judge_straight")?);
        let (firsts, kept) = (function("find_firsts")?, function("list_all_kept")?);
        let per_multiprocessor = nodes.occupancy_max_active_blocks_per_multiprocessor(BLOCK, 0, None).map_err(driver)?;
        let blocks = info.multiprocessors * per_multiprocessor.max(1);
        tracing::info!(device = info.name, blocks, registers = nodes.num_regs().unwrap_or(0), compiled, "opened a CUDA device");
        Ok(Self { context, lanes, clear, mark, nodes, cards, items, straight, firsts, kept, info, blocks, compiled })
    }

    /// What is known about it.
    pub fn info(&self) -> &CudaInfo {
        &self.info
    }

    /// Whether the kernels were compiled when it was opened, and not found in the cache.
    pub fn was_compiled(&self) -> bool {
        self.compiled
    }

    /// Registers a thread and local bytes that the main kernel needs.
    pub fn kernel_resources(&self) -> (i32, i32) {
        (self.nodes.num_regs().unwrap_or(0), self.nodes.local_size_bytes().unwrap_or(0))
    }

    fn bind(&self) -> Result<(), DeviceError> {
        self.context.bind_to_thread().map_err(driver)
    }
}

/// The kernels for a device: from the cache, else compiled. For a device newer than the compiler, as code that the driver translates.
fn load_kernels(
    context: &Arc<CudaContext>,
    (major, minor): (i32, i32),
    cache: &dyn KernelCache,
) -> Result<(Arc<cudarc::driver::CudaModule>, bool), DeviceError> {
    let source = kernel_source();
    let key = format!("kernels-sm{major}{minor}-{:016x}", content_hash(source.as_bytes()));
    if let Some(binary) = cache.get(&key)
        && let Ok(module) = context.load_module(nvrtc::Ptx::from_binary(binary))
    {
        return Ok((module, false));
    }
    compiler_present()?;
    let binary = match compile_binary(&source, &format!("sm_{major}{minor}")) {
        Ok(binary) => binary,
        Err(DeviceError::Compile(log)) if log.contains("invalid value for --gpu-architecture") => {
            let options =
                nvrtc::CompileOptions { options: vec!["--gpu-architecture=compute_75".into(), "--std=c++17".into()], ..Default::default() };
            let ptx = nvrtc::compile_ptx_with_opts(&source, options).map_err(|error| DeviceError::Compile(error.to_string()))?;
            return Ok((context.load_module(ptx).map_err(driver)?, true));
        }
        Err(error) => return Err(error),
    };
    cache.put(&key, &binary);
    let module = context.load_module(nvrtc::Ptx::from_binary(binary)).map_err(driver)?;
    Ok((module, true))
}

/// Compiles to machine code of an architecture.
fn compile_binary(source: &str, architecture: &str) -> Result<Vec<u8>, DeviceError> {
    let text = CString::new(source).map_err(|_| DeviceError::Compile("a zero byte in the kernels".into()))?;
    let failed = |error: nvrtc::result::NvrtcError| DeviceError::Compile(error.to_string());
    let program = nvrtc::result::create_program(&text, None).map_err(failed)?;
    let options = [format!("--gpu-architecture={architecture}"), "--std=c++17".to_owned()];
    // SAFETY: the program was just made and its text lives as long; it is destroyed once, at the end.
    unsafe {
        let binary = if let Err(error) = nvrtc::result::compile_program(program, &options) {
            let log = nvrtc::result::get_program_log(program).unwrap_or_default();
            let log: Vec<u8> = log.iter().map(|&c| c as u8).take_while(|&c| c != 0).collect();
            Err(DeviceError::Compile(format!("{error}: {}", String::from_utf8_lossy(&log))))
        } else {
            let mut size = 0;
            let mut bytes = Vec::new();
            let got = nvrtc::sys::nvrtcGetCUBINSize(program, &raw mut size).result().and_then(|()| {
                bytes = vec![0u8; size];
                nvrtc::sys::nvrtcGetCUBIN(program, bytes.as_mut_ptr().cast()).result()
            });
            got.map(|()| bytes).map_err(failed)
        };
        let _ = nvrtc::result::destroy_program(program);
        binary
    }
}

/// FNV-1a of 64 bits: a name for a text, the same everywhere.
fn content_hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn driver(error: DriverError) -> DeviceError {
    let text = error.error_string().ok().and_then(|text| text.to_str().ok()).unwrap_or("unknown error").to_owned();
    match error.0 {
        CUresult::CUDA_ERROR_OUT_OF_MEMORY => DeviceError::OutOfMemory { wanted: 0 },
        CUresult::CUDA_ERROR_NO_DEVICE => DeviceError::NoDevice(0),
        CUresult::CUDA_ERROR_DEVICE_UNAVAILABLE | CUresult::CUDA_ERROR_ECC_UNCORRECTABLE | CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED => {
            DeviceError::Lost
        }
        CUresult::CUDA_ERROR_ILLEGAL_ADDRESS
        | CUresult::CUDA_ERROR_MISALIGNED_ADDRESS
        | CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION
        | CUresult::CUDA_ERROR_INVALID_PC
        | CUresult::CUDA_ERROR_HARDWARE_STACK_ERROR
        | CUresult::CUDA_ERROR_ASSERT
        | CUresult::CUDA_ERROR_LAUNCH_TIMEOUT
        | CUresult::CUDA_ERROR_LAUNCH_FAILED => DeviceError::Kernel(text),
        CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION
        | CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU
        | CUresult::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH => DeviceError::OldDriver(text),
        _ => DeviceError::Driver(text),
    }
}

impl Device for Cuda {
    fn name(&self) -> String {
        self.info.name.clone()
    }

    fn warps(&self) -> u32 {
        self.blocks * WARPS_PER_BLOCK
    }

    fn warps_of_a_block(&self) -> u32 {
        WARPS_PER_BLOCK
    }

    fn allocate(&mut self, bytes: usize) -> Result<Memory, DeviceError> {
        self.bind()?;
        // SAFETY: the context is current; what comes back is freed by `release` or with the context.
        match unsafe { result::malloc_sync(bytes.max(16)) } {
            Ok(address) => Ok(Memory::new(address, bytes)),
            Err(error) if error.0 == CUresult::CUDA_ERROR_OUT_OF_MEMORY => Err(DeviceError::OutOfMemory { wanted: bytes }),
            Err(error) => Err(driver(error)),
        }
    }

    fn release(&mut self, memory: Memory) {
        if self.bind().is_ok() {
            // SAFETY: it came from `allocate`, and the value that stood for it ends here.
            let _ = unsafe { result::free_sync(memory.address()) };
        }
    }

    fn write(&mut self, memory: &Memory, offset: usize, bytes: &[u8]) -> Result<(), DeviceError> {
        check(memory, offset, bytes.len())?;
        self.bind()?;
        let stream = &self.lanes[0].stream;
        // SAFETY: the target is inside of memory of this device, and the source is there until the stream is through.
        unsafe { result::memcpy_htod_async(memory.address() + offset as u64, bytes, stream.cu_stream()) }.map_err(driver)?;
        stream.synchronize().map_err(driver)
    }

    fn stage(&mut self, stream: Stream, bytes: usize) -> Result<&mut [u8], DeviceError> {
        self.bind()?;
        let lane = &mut self.lanes[stream as usize];
        lane.stream.synchronize().map_err(driver)?;
        if lane.staged.as_ref().is_none_or(|staged| staged.len() < bytes) {
            lane.staged = None;
            // SAFETY: bytes are valid whatever they are; memory that only the host writes to is faster when it is not cached.
            lane.staged = Some(unsafe { self.context.alloc_pinned::<u8>(bytes.next_power_of_two().max(1 << 20)) }.map_err(driver)?);
        }
        let staged = lane.staged.as_mut().ok_or(DeviceError::Lost)?;
        Ok(&mut staged.as_mut_slice().map_err(driver)?[..bytes])
    }

    fn write_staged(&mut self, stream: Stream, memory: &Memory, bytes: usize) -> Result<(), DeviceError> {
        check(memory, 0, bytes)?;
        self.bind()?;
        let lane = &self.lanes[stream as usize];
        let staged = lane.staged.as_ref().ok_or(DeviceError::Lost)?.as_slice().map_err(driver)?;
        let source = staged.get(..bytes).ok_or(DeviceError::OutOfMemory { wanted: bytes })?;
        // SAFETY: the source stays as it is until `stage` has waited for the stream.
        unsafe { result::memcpy_htod_async(memory.address(), source, lane.stream.cu_stream()) }.map_err(driver)
    }

    fn read(&mut self, stream: Stream, memory: &Memory, offset: usize, bytes: usize) -> Result<&[u8], DeviceError> {
        check(memory, offset, bytes)?;
        self.bind()?;
        let lane = &mut self.lanes[stream as usize];
        if lane.back.as_ref().is_none_or(|back| back.len < bytes) {
            lane.back = None;
            lane.back = Some(Pinned::new(&self.context, bytes.next_power_of_two().max(1 << 16))?);
        }
        let back = lane.back.as_mut().ok_or(DeviceError::Lost)?;
        let source = memory.address() + offset as u64;
        // SAFETY: the source is inside of memory of this device, and the target is not given back before the stream is through.
        unsafe { result::memcpy_dtoh_async(back.bytes_mut(bytes), source, lane.stream.cu_stream()) }.map_err(driver)?;
        lane.stream.synchronize().map_err(driver)?;
        Ok(back.bytes(bytes))
    }

    fn launch(&mut self, stream: Stream, kernel: Kernel, work: &Work) -> Result<(), DeviceError> {
        let by_thread = |items: u32| (self.info.multiprocessors * 2).min(items.div_ceil(BLOCK));
        let (function, blocks) = match kernel {
            Kernel::Clear => (&self.clear, by_thread(work.slot_count.max(work.firsts_mask))),
            Kernel::MarkNodes => (&self.mark, by_thread(work.count)),
            Kernel::RunNodes => {
                let wanted = work.node_count.saturating_mul(work.groups).div_ceil(WARPS_PER_BLOCK);
                (&self.nodes, self.blocks.min(work.warps / WARPS_PER_BLOCK).min(wanted))
            }
            Kernel::JudgeCards => (&self.cards, by_thread(work.count)),
            Kernel::JudgeStraight => (&self.straight, (self.info.multiprocessors * 2).min(work.count.div_ceil(WARPS_PER_BLOCK))),
            Kernel::FindFirsts => (&self.firsts, by_thread(work.all_programs)),
            Kernel::ListKept => (&self.kept, by_thread(work.all_programs)),
            Kernel::RunItems => (&self.items, work.count.div_ceil(WARPS_PER_BLOCK)),
        };
        let config = LaunchConfig { grid_dim: (blocks.max(1), 1, 1), block_dim: (BLOCK, 1, 1), shared_mem_bytes: 0 };
        // SAFETY: the kernel takes one `Work`, whose addresses are of memory of this device that the caller keeps until `wait`.
        unsafe { self.lanes[stream as usize].stream.launch_builder(function).arg(work).launch(config) }.map_err(driver)?;
        Ok(())
    }

    fn mark(&mut self, stream: Stream, moment: Moment) -> Result<(), DeviceError> {
        let lane = &mut self.lanes[stream as usize];
        let place = &mut lane.moments[moment as usize];
        if let Some(event) = place {
            return event.record(&lane.stream).map_err(driver);
        }
        *place = Some(lane.stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT)).map_err(driver)?);
        Ok(())
    }

    fn between(&mut self, from: (Stream, Moment), to: (Stream, Moment)) -> Result<Duration, DeviceError> {
        let event = |(stream, moment): (Stream, Moment)| self.lanes[stream as usize].moments[moment as usize].as_ref();
        let (Some(from), Some(to)) = (event(from), event(to)) else { return Ok(Duration::ZERO) };
        let elapsed = from.elapsed_ms(to).map_err(driver)?;
        Ok(Duration::try_from_secs_f32(elapsed / 1e3).unwrap_or_default())
    }

    fn wait(&mut self, stream: Stream) -> Result<(), DeviceError> {
        self.lanes[stream as usize].stream.synchronize().map_err(driver)
    }
}

fn check(memory: &Memory, offset: usize, len: usize) -> Result<(), DeviceError> {
    match offset.checked_add(len) {
        Some(end) if end <= memory.len().max(16) => Ok(()),
        _ => Err(DeviceError::OutOfMemory { wanted: offset.saturating_add(len) }),
    }
}
