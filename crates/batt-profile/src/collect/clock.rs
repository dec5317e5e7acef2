//! The clock, and what reading it costs.

use std::cell::RefCell;
use std::hint::black_box;
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use crate::processor;

/// Spans that are opened and closed to measure the cost of one.
pub(crate) const SPANS: u32 = 400;
/// Of so many tries the fastest counts: the others were interrupted.
const TRIES: u32 = 4;

/// A reading so long after the one before may hide that the thread was not on a processor: no system lets others run for less.
const LONG_NS: u64 = 100_000;
/// After so much time the two clocks are compared in any case, so that small differences do not add up.
const COMPARED_EVERY_NS: u64 = 2_000_000;
/// Comparing takes no longer than that if it is not interrupted.
const LONGEST_COMPARING_NS: u64 = 5_000;

/// Source of wall time and processor time.
pub(crate) trait Source {
    /// Nanoseconds since some moment.
    fn wall(&self) -> u64;
    /// Nanoseconds that the current thread was on a processor; none where the system does not say.
    fn processor(&self) -> Option<u64>;
}

/// The clocks of the system, since a moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct System {
    start: Instant,
}

impl Source for System {
    #[inline]
    fn wall(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }

    fn processor(&self) -> Option<u64> {
        processor::of_thread()
    }
}

/// Nanoseconds that a thread was on a processor, for the price of the wall clock.
///
/// Asking the system for the time of a thread takes as long as twenty readings of the wall clock. So the wall clock is read. The system is
/// asked only if the last reading was long ago, since the thread may have been descheduled meanwhile. What was lost is in no time.
#[derive(Clone, Debug)]
pub(crate) struct Clock<S: Source = System> {
    source: S,
    /// The thread that it is the time of.
    thread: ThreadId,
    /// The last reading, of the wall clock and of this one.
    wall: u64,
    time: u64,
    /// When the two were compared last: what the system said, and this clock. None where the system does not say.
    compared: Option<(u64, u64)>,
    /// Time without a processor, and time that comparing took.
    lost: u64,
    comparing: u64,
}

impl Clock {
    /// Seen from a moment on, just now, on this thread.
    pub(crate) fn starting(start: Instant) -> Self {
        Self::of(System { start })
    }

    /// When it was at zero.
    pub(crate) fn start(&self) -> Instant {
        self.source.start
    }

    /// Something begins on this thread, which may be another one than before: at a moment, just now.
    #[inline]
    pub(crate) fn begin(&mut self, moment: Instant) -> u64 {
        let moment = moment.saturating_duration_since(self.source.start).as_nanos() as u64;
        self.begin_at(moment, std::thread::current().id())
    }
}

impl<S: Source> Clock<S> {
    fn of(source: S) -> Self {
        let compared = source.processor().map(|processor| (processor, 0));
        Self { source, thread: std::thread::current().id(), wall: 0, time: 0, compared, lost: 0, comparing: 0 }
    }

    /// Reads it.
    #[inline]
    pub(crate) fn now(&mut self) -> u64 {
        self.go_on_to(self.source.wall())
    }

    /// The wall clock at the last reading.
    #[inline]
    pub(crate) fn wall(&self) -> u64 {
        self.wall
    }

    /// Nanoseconds that the thread was not on a processor, as far as they were measured.
    pub(crate) fn lost(&self) -> u64 {
        self.lost
    }

    /// Nanoseconds that it took to find that out; they are in no time.
    pub(crate) fn comparing(&self) -> u64 {
        self.comparing
    }

    fn begin_at(&mut self, wall: u64, thread: ThreadId) -> u64 {
        if self.thread == thread {
            return self.go_on_to(wall);
        }
        self.thread = thread;
        self.wall = wall.max(self.wall);
        self.compared = self.source.processor().map(|processor| (processor, self.time));
        self.time
    }

    #[inline]
    fn go_on_to(&mut self, wall: u64) -> u64 {
        let passed = wall.saturating_sub(self.wall);
        let since = self.compared.map_or(0, |(_, time)| self.time - time);
        if passed >= LONG_NS || since >= COMPARED_EVERY_NS {
            return self.compare(wall, passed);
        }
        self.wall = wall.max(self.wall);
        self.time += passed;
        self.time
    }

    /// Asks the system how much of what passed the thread was on a processor.
    #[cold]
    fn compare(&mut self, wall: u64, passed: u64) -> u64 {
        let asked = self.compared.and_then(|(processor, time)| Some((self.source.processor()?, processor, time)));
        let Some((now, before, time)) = asked else {
            self.compared = None;
            self.wall = wall.max(self.wall);
            self.time += passed;
            return self.time;
        };
        // What passed between short readings was on a processor, so the rest of the thread's time is of this one.
        let worked = now.saturating_sub(before).saturating_sub(self.time - time).min(passed);
        let worked = if passed < LONG_NS { passed } else { worked };
        self.time += worked;
        let after = self.source.wall().max(self.wall);
        let took = after.saturating_sub(wall);
        self.comparing += took.min(LONGEST_COMPARING_NS);
        self.lost += passed - worked + took.saturating_sub(LONGEST_COMPARING_NS);
        self.wall = after;
        self.compared = Some((now, self.time));
        self.time
    }
}

thread_local! {
    static OF_THREAD: RefCell<Option<Clock>> = const { RefCell::new(None) };
}

/// How long this thread was on a processor since somebody asked first.
pub(crate) fn thread_time() -> Duration {
    OF_THREAD.with_borrow_mut(|clock| Duration::from_nanos(clock.get_or_insert_with(|| Clock::starting(Instant::now())).now()))
}

/// Costs of watching, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// A span, from before it is opened until after it is closed.
    pub span: f64,
    /// The part of that which the span itself is seen to take.
    pub inside: f64,
    /// Stall of the pipeline by a reading of the clock; 0 where that is in `span`.
    pub drain: f64,
    /// Counting a call that is not timed; 0 where everything is timed.
    pub pass: f64,
    /// Letting a run go by without timing it; 0 where everything is timed.
    pub run: f64,
}

impl Cost {
    /// Reading the clock once.
    pub fn read(&self) -> f64 {
        self.span / 2.0 + self.drain
    }

    /// The part of a span's cost that what is around it is seen to take.
    pub fn outside(&self) -> f64 {
        (self.span - self.inside).max(0.0)
    }
}

/// Measures the cost of a span, and the part of it that falls inside the span. `spans` opens and closes `count` spans, and returns their
/// measured time together.
pub(crate) fn cost_of_span(count: u32, mut spans: impl FnMut(u32) -> f64) -> (f64, f64) {
    let mut best = (f64::INFINITY, 0.0);
    for _ in 0..TRIES {
        let started = Instant::now();
        let inside = black_box(spans(count)) / f64::from(count);
        let all = started.elapsed().as_nanos() as f64 / f64::from(count);
        if all < best.0 {
            best = (all, inside.clamp(0.0, all));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;

    /// A machine whose clocks go on only if it is told so.
    #[derive(Clone, Default)]
    struct Machine {
        wall: Rc<Cell<u64>>,
        processor: Rc<Cell<Option<u64>>>,
    }

    impl Machine {
        fn new() -> Self {
            let machine = Self::default();
            machine.processor.set(Some(0));
            machine
        }

        /// The thread works, then others do.
        fn pass(&self, worked: u64, lost: u64) {
            self.wall.set(self.wall.get() + worked + lost);
            self.processor.set(self.processor.get().map(|time| time + worked));
        }
    }

    impl Source for Machine {
        fn wall(&self) -> u64 {
            self.wall.get()
        }

        fn processor(&self) -> Option<u64> {
            self.processor.get()
        }
    }

    #[test]
    fn time_without_a_processor_is_in_no_time() {
        let machine = Machine::new();
        let mut clock = Clock::of(machine.clone());
        let mut call = |worked, lost| {
            let before = clock.now();
            machine.pass(worked, lost);
            clock.now() - before
        };
        assert_eq!(call(300, 0), 300);
        assert_eq!(call(300, 24_000_000), 300, "others ran for 24 ms");
        assert_eq!(call(5_000_000, 0), 5_000_000, "a long call is long");
        assert_eq!(call(700_000, 4_000_000), 700_000);
        assert_eq!((0..100_000).map(|_| call(300, 0)).sum::<u64>(), 30_000_000);
        assert_eq!(clock.lost(), 28_000_000);
    }

    #[test]
    fn small_differences_between_the_clocks_are_not_taken_from_a_long_call() {
        let machine = Machine::new();
        let mut clock = Clock::of(machine.clone());
        // One per cent is lost in pieces that are too short to be seen.
        for _ in 0..1_000_000 {
            machine.pass(990, 10);
            clock.now();
        }
        let before = clock.now();
        machine.pass(1_000_000, 0);
        let seen = clock.now() - before;
        assert!((950_000..=1_000_000).contains(&seen), "{seen}");
    }

    #[test]
    fn a_task_may_begin_on_another_thread() {
        let machine = Machine::new();
        let mut clock = Clock::of(machine.clone());
        machine.pass(50_000, 0);
        let before = clock.now();
        let other = std::thread::spawn(|| std::thread::current().id()).join().unwrap_or(clock.thread);
        // That thread has worked for a second before, and a millisecond went by meanwhile.
        machine.processor.set(Some(1_000_000_000));
        machine.wall.set(1_050_000);
        assert_eq!(clock.begin_at(1_050_000, other), before);
        machine.pass(200_000, 300_000);
        assert_eq!((clock.now() - before, clock.lost()), (200_000, 300_000));
    }

    #[test]
    fn where_the_system_does_not_say_the_wall_clock_counts() {
        let machine = Machine::default();
        let mut clock = Clock::of(machine.clone());
        machine.pass(300, 24_000_000);
        assert_eq!((clock.now(), clock.lost()), (24_000_300, 0));
    }
}
