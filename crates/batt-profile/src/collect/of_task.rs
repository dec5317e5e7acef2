//! What the current task spent on each frame.

use super::{DetailFrame, Frame};

/// Figures by frame, of which only those are gone through that the task has touched.
#[derive(Default)]
pub(crate) struct OfTask {
    entries: Vec<Entry>,
    touched: Vec<u16>,
}

/// What a task spent on a frame.
#[derive(Clone, Copy, Default)]
pub(crate) struct Entry {
    is_touched: bool,
    pub(crate) calls: u64,
    pub(crate) alone_ns: f64,
    pub(crate) shared_ns: f64,
}

impl OfTask {
    /// The figures of a frame.
    #[inline]
    pub(crate) fn at(&mut self, frame: Frame) -> &mut Entry {
        let place = usize::from(frame.0);
        if place >= self.entries.len() {
            self.entries.resize(place + 1, Entry::default());
        }
        let entry = &mut self.entries[place];
        if !entry.is_touched {
            entry.is_touched = true;
            self.touched.push(frame.0);
        }
        entry
    }

    /// Takes all figures out, for the next task.
    pub(crate) fn take(&mut self) -> Vec<DetailFrame> {
        let take = |frame: u16| {
            let Entry { calls, alone_ns, shared_ns, .. } = std::mem::take(&mut self.entries[usize::from(frame)]);
            DetailFrame { frame: Frame(frame), calls, alone_ns, shared_ns }
        };
        self.touched.drain(..).map(take).collect()
    }
}
