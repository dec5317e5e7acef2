//! A CUDA device. The driver and the compiler of kernels are looked for when they are asked for; nothing of CUDA is needed to build.
#![expect(unsafe_code, reason = "the driver's calls are unsafe; each says why it may be made")]

use std::ffi::CString;
use std::sync::Arc;
use std::time::Duration;

use crate::kernels::{Work, kernel_source};
use batt_program::ContentHash;
use cudarc::driver::sys::{CUdevice_attribute, CUevent_flags, CUresult};
use cudarc::driver::{CudaContext, CudaEvent, CudaFunction, CudaStream, DeviceRepr, DriverError, LaunchConfig, PushKernelArg, result};
use cudarc::nvrtc;

use super::device::{Device, DeviceError, Kernel, Memory};

/// Threads of a block; `main.cu` has the same number of warps.
const BLOCK: u32 = 1024;
const WARPS_PER_BLOCK: u32 = BLOCK / 32;

/// Where compiled kernels are kept between runs.
pub trait KernelCache {
    /// The bytes kept under a key.
    fn get(&self, key: &str) -> Option<Vec<u8>>;
    /// Keeps something under a key. That it cannot is no error.
    fn put(&self, key: &str, bytes: &[u8]);
}

/// Properties of a device, known before it is used.
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
    stream: Arc<CudaStream>,
    /// When the timer was started and stopped.
    timer: [Option<CudaEvent>; 2],
    clear_slots: CudaFunction,
    mark_nodes: CudaFunction,
    run_nodes: CudaFunction,
    score_programs: CudaFunction,
    score_grid_pipelines: CudaFunction,
    run_items: CudaFunction,
    info: CudaInfo,
    blocks: u32,
    /// Whether the kernels were compiled now, and not found in the cache.
    compiled: bool,
}

/// The argument of the kernels, as cudarc passes it.
#[repr(transparent)]
struct KernelArgument(Work);

// SAFETY: the structure is plain data that a kernel takes by value.
unsafe impl DeviceRepr for KernelArgument {}

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
        let stream = context.new_stream().map_err(driver)?;
        let function = |name| module.load_function(name).map_err(driver);
        let run_nodes = function("run_nodes")?;
        let per_multiprocessor = run_nodes.occupancy_max_active_blocks_per_multiprocessor(BLOCK, 0, None).map_err(driver)?;
        let blocks = info.multiprocessors * per_multiprocessor.max(1);
        tracing::info!(device = info.name, blocks, registers = run_nodes.num_regs().unwrap_or(0), compiled, "opened a CUDA device");
        Ok(Self {
            stream,
            timer: [None, None],
            clear_slots: function("clear_slots")?,
            mark_nodes: function("mark_nodes")?,
            score_programs: function("score_programs")?,
            score_grid_pipelines: function("score_grid_pipelines")?,
            run_items: function("run_items")?,
            run_nodes,
            context,
            info,
            blocks,
            compiled,
        })
    }

    /// Its properties.
    pub fn info(&self) -> &CudaInfo {
        &self.info
    }

    /// Whether the kernels were compiled when it was opened, and not found in the cache.
    pub fn was_compiled(&self) -> bool {
        self.compiled
    }

    /// Registers a thread and local bytes that the main kernel needs.
    pub fn kernel_resources(&self) -> (i32, i32) {
        (self.run_nodes.num_regs().unwrap_or(0), self.run_nodes.local_size_bytes().unwrap_or(0))
    }

    fn bind(&self) -> Result<(), DeviceError> {
        self.context.bind_to_thread().map_err(driver)
    }

    fn record(&mut self, which: usize) -> Result<(), DeviceError> {
        if let Some(event) = &self.timer[which] {
            return event.record(&self.stream).map_err(driver);
        }
        self.timer[which] = Some(self.stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT)).map_err(driver)?);
        Ok(())
    }
}

/// The kernels for a device: from the cache, else compiled. For a device newer than the compiler, as code that the driver translates.
fn load_kernels(
    context: &Arc<CudaContext>,
    (major, minor): (i32, i32),
    cache: &dyn KernelCache,
) -> Result<(Arc<cudarc::driver::CudaModule>, bool), DeviceError> {
    let source = kernel_source();
    let key = format!("kernels-sm{major}{minor}-{:016x}", ContentHash::of_text(&source).short());
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

    fn warps_per_block(&self) -> u32 {
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
        // SAFETY: the target is inside of memory of this device, and the source is there until the stream is through.
        unsafe { result::memcpy_htod_async(memory.address() + offset as u64, bytes, self.stream.cu_stream()) }.map_err(driver)?;
        self.wait()
    }

    fn read(&mut self, memory: &Memory, offset: usize, bytes: &mut [u8]) -> Result<(), DeviceError> {
        check(memory, offset, bytes.len())?;
        self.bind()?;
        // SAFETY: the source is inside of memory of this device, and the target is borrowed until the stream is through.
        unsafe { result::memcpy_dtoh_async(bytes, memory.address() + offset as u64, self.stream.cu_stream()) }.map_err(driver)?;
        self.wait()
    }

    unsafe fn launch(&mut self, kernel: Kernel, work: &Work) -> Result<(), DeviceError> {
        let by_thread = |items: u32| (self.info.multiprocessors * 2).min(items.div_ceil(BLOCK));
        let (function, blocks) = match kernel {
            Kernel::ClearSlots => (&self.clear_slots, by_thread(work.slot_count)),
            Kernel::MarkNodes => (&self.mark_nodes, by_thread(work.count)),
            Kernel::RunNodes => {
                let wanted = work.node_count.saturating_mul(work.groups).div_ceil(WARPS_PER_BLOCK);
                (&self.run_nodes, self.blocks.min(work.warps / WARPS_PER_BLOCK).min(wanted))
            }
            Kernel::ScorePrograms => (&self.score_programs, by_thread(work.count)),
            Kernel::ScoreGridPipelines => {
                (&self.score_grid_pipelines, (self.info.multiprocessors * 2).min(work.count.div_ceil(WARPS_PER_BLOCK)))
            }
            Kernel::RunItems => (&self.run_items, work.count.div_ceil(WARPS_PER_BLOCK)),
        };
        let config = LaunchConfig { grid_dim: (blocks.max(1), 1, 1), block_dim: (BLOCK, 1, 1), shared_mem_bytes: 0 };
        // SAFETY: the kernel takes one `Work`; the caller answers for what that points to.
        unsafe { self.stream.launch_builder(function).arg(&KernelArgument(*work)).launch(config) }.map_err(driver)?;
        Ok(())
    }

    fn start_timer(&mut self) -> Result<(), DeviceError> {
        self.record(0)
    }

    fn stop_timer(&mut self) -> Result<(), DeviceError> {
        self.record(1)
    }

    fn timer(&mut self) -> Result<Duration, DeviceError> {
        let [Some(started), Some(stopped)] = &self.timer else { return Ok(Duration::ZERO) };
        let elapsed = started.elapsed_ms(stopped).map_err(driver)?;
        Ok(Duration::try_from_secs_f32(elapsed / 1e3).unwrap_or_default())
    }

    fn wait(&mut self) -> Result<(), DeviceError> {
        self.stream.synchronize().map_err(driver)
    }
}

fn check(memory: &Memory, offset: usize, len: usize) -> Result<(), DeviceError> {
    match offset.checked_add(len) {
        Some(end) if end <= memory.len().max(16) => Ok(()),
        _ => Err(DeviceError::OutOfMemory { wanted: offset.saturating_add(len) }),
    }
}
