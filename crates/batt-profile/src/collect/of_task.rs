//! Time and calls of the current task by frame, and of tasks before it.

use super::Frame;
use super::lists::Pieces;
use super::stats::place;

/// Calls and time of a task in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spent {
    /// Calls that stand for themselves, and for others too.
    pub(crate) alone_calls: u64,
    pub(crate) shared_calls: u64,
    /// Nanoseconds that stand for themselves, and for others too.
    pub(crate) alone_ns: f64,
    pub(crate) shared_ns: f64,
}

/// Calls and time of the current task by frame.
#[derive(Default)]
pub(crate) struct OfTask {
    of_frame: Vec<Spent>,
    /// The frames that have any.
    touched: Vec<Frame>,
}

/// Calls and time of tasks by frame, task after task.
#[derive(Default)]
pub(crate) struct Details {
    frames: Pieces<(Frame, Spent)>,
    /// Tasks, and how many frames they have.
    tasks: Pieces<(u32, u32)>,
}

impl OfTask {
    /// The sums of a frame, to be added to. The caller adds something.
    #[inline]
    pub(crate) fn of(&mut self, frame: Frame) -> &mut Spent {
        let spent = place(&mut self.of_frame, u32::from(frame.0));
        if *spent == Spent::default() {
            self.touched.push(frame);
        }
        spent
    }
}

impl Details {
    /// Takes the figures of a task out, for the next one; `inside` is what each call is seen to take too long.
    pub(crate) fn keep(&mut self, task: u32, of_task: &mut OfTask, inside: f64) {
        let mut kept = 0;
        for frame in of_task.touched.drain(..) {
            let mut spent = std::mem::take(&mut of_task.of_frame[usize::from(frame.0)]);
            spent.alone_ns = (spent.alone_ns - spent.alone_calls as f64 * inside).max(0.0);
            if spent != Spent::default() {
                self.frames.push((frame, spent));
                kept += 1;
            }
        }
        self.tasks.push((task, kept));
    }

    /// Tasks with what they spent on frames: a task may be there several times.
    pub(crate) fn by_task(&self) -> impl Iterator<Item = (u32, Vec<(Frame, Spent)>)> {
        let mut frames = self.frames.iter();
        self.tasks.iter().map(move |&(task, count)| (task, frames.by_ref().take(count as usize).copied().collect()))
    }
}

#[cfg(test)]
mod tests {
    use batt_core::PrimId;
    use batt_engine::Activity;

    use super::*;

    #[test]
    fn each_task_has_its_own_figures() {
        let (mut of_task, mut details) = (OfTask::default(), Details::default());
        let (first, last) = (Frame::primitive(PrimId(0)), Frame::primitive(PrimId(300)));
        of_task.of(first).alone_calls += 2;
        of_task.of(first).alone_ns += 5.0;
        of_task.of(Frame::part(Activity::Score)).shared_ns += 7.0;
        details.keep(3, &mut of_task, 1.0);
        details.keep(4, &mut of_task, 1.0);
        of_task.of(first).shared_calls += 1;
        (0..140_000).for_each(|_| of_task.of(last).alone_calls += 1);
        details.keep(3, &mut of_task, 1.0);
        let spent = |alone_calls, shared_calls, alone_ns, shared_ns| Spent { alone_calls, shared_calls, alone_ns, shared_ns };
        let seen: Vec<_> = details.by_task().collect();
        let first_time = vec![(first, spent(2, 0, 3.0, 0.0)), (Frame::part(Activity::Score), spent(0, 0, 0.0, 7.0))];
        let third_time = vec![(first, spent(0, 1, 0.0, 0.0)), (last, spent(140_000, 0, 0.0, 0.0))];
        assert_eq!(seen, [(3, first_time), (4, Vec::new()), (3, third_time)]);
    }
}
