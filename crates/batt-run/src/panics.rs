//! Panics: one costs its task, never a run. Whoever works on a task catches them there, throws away what was being worked with, and
//! reports the task and the program.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind};

use batt_program::{Program, print_program};

thread_local! {
    /// Whether this thread catches what it panics with.
    static CATCHES: Cell<bool> = const { Cell::new(false) };
    /// The message and the place of the last panic that the hook was told of.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A panic that cost a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskPanic {
    /// The name or the text of the program that was being run, if one was.
    pub program: Option<String>,
    /// Message and place of the panic, as far as they are known.
    pub message: String,
}

impl std::fmt::Display for TaskPanic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let program = self.program.as_deref().unwrap_or("no program");
        write!(f, "a panic in {program}: {}", self.message)
    }
}

/// Does something, and catches a panic. Whatever the work has changed is then to be thrown away.
pub fn catch<R>(work: impl FnOnce() -> R) -> Result<R, TaskPanic> {
    let before = CATCHES.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    CATCHES.set(before);
    result.map_err(|payload| match payload.downcast::<TaskPanic>() {
        Ok(panic) => *panic,
        Err(payload) => {
            let told = LAST.take();
            TaskPanic { program: None, message: told.unwrap_or_else(|| message_of(&*payload).to_owned()) }
        }
    })
}

/// Resumes a caught panic with the program that was running, for the next catcher.
pub fn resume_with_program(panic: TaskPanic, program: &Program) -> ! {
    let text = print_program(program).trim_end().replace("\n    ", "; ");
    resume_unwind(Box::new(TaskPanic { program: panic.program.or(Some(text)), ..panic }))
}

/// Makes the panics that are caught silent: their messages go into reports. Others are told as before.
pub fn install_panic_hook() {
    let others = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
        if CATCHES.get() {
            let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line())).unwrap_or_default();
            LAST.set(Some(format!("{}{place}", message_of(info.payload()))));
        } else {
            others(info);
        }
    }));
}

fn message_of(payload: &(dyn Any + Send)) -> &str {
    payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
