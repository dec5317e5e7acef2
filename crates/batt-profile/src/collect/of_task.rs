//! What the current task spent on each frame, and what tasks before it did.
//!
//! What is kept of a task is kept small: memory that was never touched costs more than all else that is done for a task.

use super::Frame;
use super::lists::Pieces;
use super::stats::place;

/// So many frames are looked at together.
const GROUP: usize = 8;

/// How often the current task called what is behind each frame.
///
/// They lie close together and there is a place for every frame from the start: they are counted with every call.
pub(crate) struct Calls {
    of_frame: Vec<u32>,
    has_any: bool,
}

/// How much time the current task spent on each frame.
#[derive(Default)]
pub(crate) struct Times {
    of_frame: Vec<(f64, f64)>,
    /// The frames that have any.
    touched: Vec<Frame>,
}

/// What a task spent on a frame, or a part of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DetailFrame {
    pub(crate) frame: Frame,
    pub(crate) calls: u64,
    pub(crate) alone_ns: f64,
    pub(crate) shared_ns: f64,
}

/// What tasks spent on each frame, task after task.
#[derive(Default)]
pub(crate) struct Details {
    /// Calls of a frame. Those that are too many for one entry have several.
    calls: Pieces<(Frame, u16)>,
    /// Time of a frame, if there was any: nanoseconds that stand for themselves, and for others too.
    times: Pieces<(Frame, f32, f32)>,
    /// Tasks, and how many calls and times they have.
    tasks: Pieces<(u32, u32, u32)>,
}

impl Default for Calls {
    fn default() -> Self {
        Self { of_frame: vec![0; Frame::count()], has_any: false }
    }
}

impl Calls {
    /// Counts a call that stands for so many.
    #[inline]
    pub(crate) fn count(&mut self, frame: Frame, stands_for: u32) {
        self.has_any = true;
        if let Some(calls) = self.of_frame.get_mut(usize::from(frame.0)) {
            *calls = calls.saturating_add(stands_for);
        }
    }
}

impl Times {
    /// Adds time that stands for itself alone.
    #[inline]
    pub(crate) fn add_alone(&mut self, frame: Frame, ns: f64) {
        self.of(frame).0 += ns;
    }

    /// Adds time that stands for other time too.
    #[inline]
    pub(crate) fn add_shared(&mut self, frame: Frame, ns: f64) {
        self.of(frame).1 += ns;
    }

    /// Time of a frame that stands for itself alone.
    pub(crate) fn alone_ns(&mut self, frame: Frame) -> f64 {
        self.of(frame).0
    }

    #[inline]
    fn of(&mut self, frame: Frame) -> &mut (f64, f64) {
        let times = place(&mut self.of_frame, u32::from(frame.0));
        if *times == (0.0, 0.0) {
            self.touched.push(frame);
        }
        times
    }
}

impl Details {
    /// Takes the figures of a task out, for the next one; `inside` is what each call is seen to take too long.
    pub(crate) fn keep(&mut self, task: u32, calls: &mut Calls, times: &mut Times, inside: f64) {
        let mut kept_times = 0;
        for frame in times.touched.drain(..) {
            let (alone_ns, shared_ns) = std::mem::take(&mut times.of_frame[usize::from(frame.0)]);
            let calls = calls.of_frame.get(usize::from(frame.0)).copied().unwrap_or(0);
            let alone_ns = (alone_ns - f64::from(calls) * inside).max(0.0);
            if alone_ns > 0.0 || shared_ns > 0.0 {
                self.times.push((frame, alone_ns as f32, shared_ns as f32));
                kept_times += 1;
            }
        }
        let kept_calls = if std::mem::take(&mut calls.has_any) { self.keep_calls(calls) } else { 0 };
        self.tasks.push((task, kept_calls, kept_times));
    }

    /// A task calls few of the primitives, and no processor can guess which: so of those that are close to one that was called each is
    /// written, and what comes next writes over those that were not. How many there are in the end.
    fn keep_calls(&mut self, calls: &mut Calls) -> u32 {
        let (mut kept, mut all) = (0, 0);
        for (group, of_group) in calls.of_frame.chunks_mut(GROUP).enumerate() {
            let any = of_group.iter().fold(0, |any, calls| any | calls);
            if any == 0 {
                continue;
            }
            all |= any;
            let piece = self.calls.with_room_for(GROUP);
            let before = piece.len();
            let mut len = before;
            piece.resize(before + GROUP, (Frame(0), 0));
            for (k, calls) in of_group.iter_mut().enumerate() {
                piece[len] = (Frame((group * GROUP + k) as u16), (*calls).min(u32::from(u16::MAX)) as u16);
                len += usize::from(*calls > 0);
                *calls = calls.saturating_sub(u32::from(u16::MAX));
            }
            piece.truncate(len);
            kept += (len - before) as u32;
        }
        if all > u32::from(u16::MAX) { kept + self.keep_calls(calls) } else { kept }
    }

    /// Tasks with what they spent on frames: a frame may be there several times, and so may a task.
    pub(crate) fn by_task(&self) -> impl Iterator<Item = (u32, Vec<DetailFrame>)> {
        let (mut all_calls, mut all_times) = (self.calls.iter(), self.times.iter());
        self.tasks.iter().map(move |&(task, calls, times)| {
            let calls = all_calls.by_ref().take(calls as usize);
            let calls = calls.map(|&(frame, calls)| DetailFrame { frame, calls: u64::from(calls), alone_ns: 0.0, shared_ns: 0.0 });
            let mut frames: Vec<DetailFrame> = calls.collect();
            frames.extend(all_times.by_ref().take(times as usize).map(|&(frame, alone_ns, shared_ns)| DetailFrame {
                frame,
                calls: 0,
                alone_ns: f64::from(alone_ns),
                shared_ns: f64::from(shared_ns),
            }));
            (task, frames)
        })
    }
}

#[cfg(test)]
mod tests {
    use batt_core::PrimId;
    use batt_engine::Part;

    use super::*;

    #[test]
    fn each_task_has_its_own_figures() {
        let (mut calls, mut times, mut details) = (Calls::default(), Times::default(), Details::default());
        let (first, last) = (Frame::primitive(PrimId(0)), Frame((Frame::count() - 1) as u16));
        calls.count(first, 2);
        times.add_alone(first, 5.0);
        times.add_shared(Frame::part(Part::Score), 7.0);
        details.keep(3, &mut calls, &mut times, 1.0);
        details.keep(4, &mut calls, &mut times, 1.0);
        calls.count(first, 1);
        (0..140_000).for_each(|_| calls.count(last, 1));
        details.keep(3, &mut calls, &mut times, 1.0);
        let frame = |frame, calls, alone_ns, shared_ns| DetailFrame { frame, calls, alone_ns, shared_ns };
        let called = |of, calls| frame(of, calls, 0.0, 0.0);
        let seen: Vec<(u32, Vec<DetailFrame>)> = details.by_task().collect();
        let first_time = vec![called(first, 2), frame(first, 0, 3.0, 0.0), frame(Frame::part(Part::Score), 0, 0.0, 7.0)];
        let third_time = vec![called(first, 1), called(last, 65_535), called(last, 65_535), called(last, 8_930)];
        assert_eq!(seen, [(3, first_time), (4, Vec::new()), (3, third_time)]);
    }
}
