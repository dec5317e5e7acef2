//! Search on tasks: what it says is right is right, whatever it is given, and it sees no test output.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use batt_core::{Deadline, Grid, Task};
use batt_program::canonical_text;
use batt_search::{Budget, End, Learnt, OPERATIONS, Proposal, Solver, TaskFound, search_task};
use batt_vision::{COLOURS, Frame, Images, Kernel, MAX_SIDE, Offset, Puzzle, Work};

fn columns(columns: u64) -> Budget<'static> {
    Budget { deadline: None, columns, memory: 1 << 30, stop: None, spare: None }
}

fn grid(rows: &[&[i8]]) -> Grid {
    Grid::new(rows.len(), rows[0].len(), &rows.concat()).unwrap()
}

fn task(demos: &[(Grid, Grid)], tests: &[Grid]) -> Task {
    batt_testing::task_of("a-task", demos, tests)
}

fn texts(found: &TaskFound) -> Vec<String> {
    found.found.iter().map(|found| canonical_text(&found.program)).collect()
}

#[test]
fn programs_are_found_and_do_what_search_says() {
    let mut fits = 0;
    // In tests, search panics where the reference executor disagrees with it.
    for task in batt_starter::pack() {
        let found = search_task(&task, &columns(1_500), &[], Learnt::nothing());
        assert_eq!(found.refuted, 0, "{}", task.id);
        fits += usize::from(found.found.first().is_some_and(batt_search::Found::fits));
    }
    assert!(fits >= 12, "{fits}");
}

#[test]
fn the_outputs_of_tests_make_no_difference() {
    for task in batt_starter::pack().into_iter().step_by(7) {
        let mut noise = task.clone();
        for test in &mut noise.tests {
            test.output = Some(grid(&[&[7, 7, 7]]));
        }
        assert_eq!(
            texts(&search_task(&task, &columns(600), &[], Learnt::nothing())),
            texts(&search_task(&noise, &columns(600), &[], Learnt::nothing())),
            "{}",
            task.id
        );
    }
}

#[test]
fn odd_tasks_end_with_what_there_is() {
    let one = grid(&[&[1]]);
    let unfit = search_task(&task(&[], std::slice::from_ref(&one)), &columns(1_000), &[], Learnt::nothing());
    assert_eq!((unfit.end, unfit.found.len()), (End::Unfit, 0));
    // A demo of one cell, and no test.
    let small = search_task(&task(&[(one.clone(), grid(&[&[2]]))], &[]), &columns(1_000), &[], Learnt::nothing());
    assert!(small.found.iter().any(batt_search::Found::fits));
    // Demos that contradict each other.
    let contradicting = task(&[(one.clone(), grid(&[&[2]])), (one.clone(), grid(&[&[3]]))], std::slice::from_ref(&one));
    assert!(!search_task(&contradicting, &columns(1_000), &[], Learnt::nothing()).found.iter().any(batt_search::Found::fits));
    // The largest grids that there are.
    let cells: Vec<i8> = (0..900).map(|k| (k * k % 7 % 4) as i8).collect();
    let large = Grid::new(30, 30, &cells).unwrap();
    let same = task(&[(large.clone(), large.clone())], std::slice::from_ref(&large));
    assert!(search_task(&same, &columns(500), &[], Learnt::nothing()).found[0].fits());
}

#[test]
fn more_demos_than_bits_are_searched_and_all_are_run() {
    let one = |colour: i8| grid(&[&[colour, 0]]);
    let demos: Vec<(Grid, Grid)> = (0..70).map(|k| (one(k % 9 + 1), grid(&[&[0, k % 9 + 1]]))).collect();
    let mut many = task(&demos, &[one(4)]);
    let found = search_task(&many, &columns(500), &[], Learnt::embedded());
    let first = &found.found[0];
    assert_ne!(found.end, End::Unfit);
    assert!(first.fits() && first.right.len() == 70 && first.outputs == [grid(&[&[0, 4]])]);
    assert_eq!(first.evidence.foretold, 70);
    // A demo that search did not see is not left out when programs are run.
    many.demos[69].output = grid(&[&[5, 5]]);
    let found = search_task(&many, &columns(500), &[], Learnt::embedded());
    assert!(found.found.iter().all(|found| !found.fits()) && found.found[0].demos_right() == 69);
}

#[test]
fn search_ends_when_its_budget_is_spent() {
    let task = &batt_starter::pack()[3];
    let stop = AtomicBool::new(true);
    let asked = search_task(task, &Budget { stop: Some(&stop), ..columns(u64::MAX) }, &[], Learnt::nothing());
    assert_eq!(asked.end, End::Stopped);
    let late = search_task(
        task,
        &Budget { deadline: Deadline::after(Duration::from_millis(50), Instant::now), ..columns(u64::MAX) },
        &[],
        Learnt::nothing(),
    );
    assert_eq!(late.end, End::Time);
    let full = search_task(task, &Budget { memory: 1 << 20, ..columns(u64::MAX) }, &[], Learnt::nothing());
    assert_eq!(full.end, End::Memory);
    // What was found until then is kept.
    let copied = grid(&[&[1, 2, 0, 3], &[0, 4, 1, 1], &[5, 0, 0, 2]]);
    let copy = self::task(&[(copied.clone(), copied.clone())], std::slice::from_ref(&copied));
    let full = search_task(&copy, &Budget { memory: 1 << 20, ..columns(u64::MAX) }, &[], Learnt::nothing());
    assert!(full.end == End::Memory && full.found.first().is_some_and(batt_search::Found::fits));
    let counted = search_task(task, &columns(700), &[], Learnt::nothing());
    assert_eq!(counted.end, End::Columns);
    assert_eq!(texts(&counted), texts(&search_task(task, &columns(700), &[], Learnt::nothing())));
}

/// Colours from 1 to 4, other ones for each seed.
fn noise(height: usize, width: usize, seed: usize) -> Vec<i8> {
    (0..height * width).map(|k| ((k + seed) * (k + 2 * seed + 5) % 97 % 4 + 1) as i8).collect()
}

#[test]
fn a_pair_tells_where_an_output_is_cut_out() {
    // What is below and right of a cell of colour 8.
    let pair = |seed: usize, row: usize, column: usize| {
        let mut cells = noise(9, 8, seed);
        cells[row * 8 + column] = 8;
        let cut: Vec<i8> = (0..9).map(|k| cells[(row + 1 + k / 3) * 8 + column + 1 + k % 3]).collect();
        (Grid::new(9, 8, &cells).unwrap(), Grid::new(3, 3, &cut).unwrap())
    };
    let demos = [pair(1, 2, 3), pair(2, 0, 1), pair(3, 5, 2), pair(4, 1, 4)];
    let (input, output) = pair(5, 4, 0);
    let found = search_task(&task(&demos, &[input]), &columns(2_000), &[], Learnt::nothing());
    let first = &found.found[0];
    assert!(first.fits() && first.outputs == [output] && found.refuted == 0);
    let text = canonical_text(&first.program);
    assert!(text.contains("pair_of") && text.contains("moved"), "{text}");
}

#[test]
fn a_test_of_the_sample_tells_which_answer_it_has() {
    // Tall inputs are turned upside down, others mirrored.
    let pair = |height: usize, width: usize, seed: usize| {
        let cells = noise(height, width, seed);
        let from = |row: usize, column: usize| if height > width { (height - 1 - row, column) } else { (row, width - 1 - column) };
        let turned: Vec<i8> = (0..height * width)
            .map(|k| {
                let (row, column) = from(k / width, k % width);
                cells[row * width + column]
            })
            .collect();
        (Grid::new(height, width, &cells).unwrap(), Grid::new(height, width, &turned).unwrap())
    };
    let demos = [pair(5, 3, 1), pair(3, 4, 2), pair(6, 4, 3), pair(2, 5, 4)];
    for (input, output) in [pair(7, 5, 5), pair(4, 6, 6)] {
        let found = search_task(&task(&demos, &[input]), &columns(1_000), &[], Learnt::nothing());
        let first = &found.found[0];
        assert_eq!((first.family.as_ref(), first.fits(), found.refuted), ("search-branch", true, 0));
        assert!(first.outputs == [output] && canonical_text(&first.program).contains("branch"));
        assert!(first.evidence.foretold > 0);
    }
    // Each demo a side of its own is no evidence.
    let two = task(&demos[..2], &[demos[2].0.clone()]);
    let found = search_task(&two, &columns(1_000), &[], Learnt::nothing());
    assert!(found.found.iter().all(|found| found.family != "search-branch"));
}

/// Proposes what it is told.
struct Proposes(Vec<Proposal>);

impl Solver for Proposes {
    fn name(&self) -> &'static str {
        "proposes"
    }

    fn propose(&self, puzzle: &Puzzle, budget: &Budget<'_>) -> Vec<Proposal> {
        assert_eq!((puzzle.demos(), puzzle.tests().len()), (2, 1));
        assert!(budget.deadline.is_none());
        self.0.clone()
    }
}

#[test]
fn what_members_propose_is_run_and_ranked() {
    // Every cell is one more than the input's largest cell times its height: nothing that columns tell.
    let pair = |cell: i8, to: i8| (grid(&[&[cell, 0], &[0, 0]]), grid(&[&[to, to], &[to, 0]]));
    let task = task(&[pair(1, 3), pair(3, 7)], &[grid(&[&[2, 0], &[0, 0]])]);
    let proposal = |body: &str, cost, foretold| Proposal {
        program: batt_testing::program(&format!("def any_name(I):\n{body}    return O\n")),
        cost,
        foretold,
        support: 0,
        families: 0,
        family: "rules-test",
        is_part: false,
    };
    let right = "    x1 = maximum(palette(I))\n    x2 = double(x1)\n    x3 = increment(x2)\n    x4 = canvas(x3, (2, 2))\n    \
                 O = fill(x4, 0, initset((1, 1)))\n";
    let solvers =
        Proposes(vec![proposal("    O = canvas(9, (1, 1))\n", 1, 3), proposal("    O = first(first(I))\n", 1, 3), proposal(right, 900, 1)]);
    let found = search_task(&task, &columns(400), &[&solvers], Learnt::nothing());
    let proposed: Vec<_> = found.found.iter().filter(|found| found.family == "rules-test").collect();
    assert_eq!(proposed.len(), 1);
    assert!(proposed[0].fits() && proposed[0].cost > 900);
    assert_eq!(proposed[0].outputs, [grid(&[&[5, 5], &[5, 0]])]);
    assert_eq!(found.found[0].family, "rules-test");
    assert_eq!(found.found[0].program.name(), "solve_a_x2d_task");
    // Without, nothing else changes.
    let alone = texts(&search_task(&task, &columns(400), &[], Learnt::nothing()));
    assert_eq!(texts(&found).into_iter().filter(|text| alone.contains(text)).count(), alone.len().min(15));
}

/// The input and output of a task whose outputs are mirror images with one more cell, of a colour that no column tells: twice that of the input.
fn mirrored_with_a_cell(colour: i8) -> (Grid, Grid) {
    let (a, b) = (colour, 2 * colour);
    (grid(&[&[a, 0, 0, a], &[0, a, 0, 0], &[0, 0, 0, 0]]), grid(&[&[a, 0, 0, a], &[0, 0, a, 0], &[0, 0, 0, b]]))
}

/// Knows how to add the cell at a place: as a part of the way, or to what a column makes.
struct AddsCell(&'static str, bool);

impl AddsCell {
    fn proposal(&self) -> Proposal {
        let (place, is_part) = (self.0, self.1);
        let body = format!("    x1 = maximum(palette(I))\n    x2 = double(x1)\n    x3 = initset({place})\n    O = fill(I, x2, x3)\n");
        let program = batt_testing::program(&format!("def part(I):\n{body}    return O\n"));
        Proposal { program, cost: 900, foretold: 3, support: 0, families: 0, family: "rules-test", is_part }
    }
}

impl Solver for AddsCell {
    fn name(&self) -> &'static str {
        "adds-cell"
    }

    fn propose(&self, _: &Puzzle, _: &Budget<'_>) -> Vec<Proposal> {
        if self.1 { vec![self.proposal()] } else { Vec::new() }
    }

    fn follow(&self, puzzle: &Puzzle, _: &Budget<'_>) -> Vec<Proposal> {
        assert_eq!((puzzle.demos(), puzzle.tests().len()), (2, 1));
        if self.1 { Vec::new() } else { vec![self.proposal()] }
    }
}

#[test]
fn rules_go_before_and_after_operations() {
    let (demos, test) = ([mirrored_with_a_cell(1), mirrored_with_a_cell(3)], mirrored_with_a_cell(4));
    let task = task(&demos, std::slice::from_ref(&test.0));
    let found = |solvers: &[&dyn Solver]| search_task(&task, &columns(1_000), solvers, Learnt::nothing());
    let alone = found(&[]);
    assert!(!alone.found.iter().any(batt_search::Found::fits));
    // The mirror image is right but for a cell: evolution may start from it.
    assert!(!alone.near_misses.is_empty());
    assert!(alone.near_misses.iter().all(|near| near.demos_right() == 0 && near.score > 0));
    // What a rule gives is a column that operations are called on.
    let before = found(&[&AddsCell("(2, 0)", true)]);
    assert_eq!(before.refuted, 0);
    assert!(before.found[0].fits() && before.found[0].outputs == [test.1.clone()], "{:?}", texts(&before));
    // A rule is fitted to what an operation gives.
    let after = found(&[&AddsCell("(2, 3)", false)]);
    assert!(after.found[0].fits() && after.found[0].outputs == [test.1], "{:?}", texts(&after));
    assert_eq!(after.found[0].family, "rule-after");
    assert!(after.near_misses.len() == alone.near_misses.len());
}

/// The programs of a task that fit, and what the first gives on the only test.
fn fits(task: &Task) -> Vec<(String, Grid)> {
    let found = search_task(task, &columns(2_000), &[], Learnt::nothing());
    assert_eq!(found.refuted, 0);
    let fitting = found.found.iter().filter(|found| found.fits());
    fitting.map(|found| (canonical_text(&found.program), found.outputs[0].clone())).collect()
}

#[test]
fn colours_are_read_from_the_inputs() {
    // The rest of a ring is painted in the colour of the single cell, another one on every sample.
    let pair = |ring: i8, cell: i8| {
        let row = |a: i8, b: i8, c: i8| vec![a, b, c, 0, 0];
        let input = [row(ring, ring, ring), row(ring, 0, ring), row(ring, ring, ring), vec![0, 0, 0, 0, cell]].concat();
        let output: Vec<i8> = input.iter().enumerate().map(|(place, &from)| if place == 6 { cell } else { from }).collect();
        (Grid::new(4, 5, &input).unwrap(), Grid::new(4, 5, &output).unwrap())
    };
    let test = pair(7, 9);
    let found = fits(&task(&[pair(1, 2), pair(3, 4), pair(5, 6)], std::slice::from_ref(&test.0)));
    assert!(found.iter().any(|(_, output)| *output == test.1), "{found:?}");
}

#[test]
fn outputs_of_any_size_are_found_as_blocks() {
    // The input beside its mirror image above the input turned: no row of blocks is like the other.
    let pair = |cells: [i8; 4]| {
        let [a, b, c, d] = cells;
        let output = [a, b, b, a, c, d, d, c, d, c, a, b, b, a, c, d];
        (Grid::new(2, 2, &cells).unwrap(), Grid::new(4, 4, &output).unwrap())
    };
    let test = pair([5, 6, 7, 5]);
    let found = fits(&task(&[pair([1, 2, 3, 4]), pair([4, 1, 1, 3])], std::slice::from_ref(&test.0)));
    assert!(found.iter().any(|(_, output)| *output == test.1), "{found:?}");
}

/// Random numbers enough for a test.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn image(&mut self, images: &mut Images) {
        let side = |numbers: &mut Self| if numbers.below(8) == 0 { 1 } else { 1 + numbers.below(12) as usize };
        let (height, width) = (side(self), side(self));
        let colours = 1 + self.below(COLOURS as u64);
        let place = |numbers: &mut Self| numbers.below(30) as i16 - 10;
        let frame = Frame { row: place(self), column: place(self), ..Frame::at_origin(height, width) };
        let cells = images.add(frame).unwrap();
        for cell in cells {
            *cell = if self.below(2) == 0 { 0 } else { self.below(colours) as u8 };
        }
    }
}

#[test]
fn every_operation_gives_images_or_nothing() {
    let mut numbers = Numbers(1);
    let mut work = Work::default();
    for _ in 0..300 {
        let mut images = Images::default();
        for _ in 0..=numbers.below(6) {
            numbers.image(&mut images);
        }
        let (first, last) = (images.iter().next().unwrap(), images.iter().last().unwrap());
        for operation in OPERATIONS.iter() {
            for number in operation.numbers() {
                work.out.clear();
                let name = operation.name;
                let measured = operation.kernel.measure(first, number, &mut work);
                match operation.kernel {
                    Kernel::Colour(_) => assert!(measured.is_none_or(|colour| (1..COLOURS as i32).contains(&colour)), "{name} {number}"),
                    Kernel::Pair(_) => {
                        let step = measured.map(Offset::of);
                        assert!(step.is_none_or(|step| step.rows.abs().max(step.columns.abs()) <= 300), "{name} {number}");
                    }
                    Kernel::Test(_) => assert!(measured.is_none_or(|holds| holds == 0 || holds == 1), "{name} {number}"),
                    Kernel::Count(_) => assert!(measured.is_some_and(|count| count >= 0), "{name} {number}"),
                    Kernel::Map(_) | Kernel::Merge(_) | Kernel::Split(_) | Kernel::Pick(_) | Kernel::Sift(_) => {}
                }
                work.out.clear();
                let done = operation.kernel.make([images.iter(), last.as_list()], number, &mut work);
                if done.is_none() {
                    continue;
                }
                assert!(operation.gives_list() || work.out.len() == 1, "{name} {number}");
                assert!(!work.out.is_empty() && work.out.cells().iter().all(|&cell| (cell as usize) < COLOURS), "{name} {number}");
                let fits =
                    |frame: &Frame| (1..=MAX_SIDE).contains(&(frame.height as usize)) && (1..=MAX_SIDE).contains(&(frame.width as usize));
                assert!(work.out.frames().iter().all(fits), "{name} {number}");
            }
        }
    }
}

thread_local! {
    /// Milliseconds that the clock of this thread shows.
    static CLOCK: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

fn clock() -> Instant {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    *START.get_or_init(Instant::now) + Duration::from_millis(CLOCK.get())
}

/// A solver that takes a time of its own, whatever it is given, and proposes many programs.
struct Slow {
    milliseconds: u64,
    asked_late: AtomicBool,
}

impl Solver for Slow {
    fn name(&self) -> &'static str {
        "slow"
    }

    fn propose(&self, _: &Puzzle, budget: &Budget<'_>) -> Vec<Proposal> {
        assert!(!budget.deadline.unwrap().is_over());
        CLOCK.set(CLOCK.get() + self.milliseconds);
        let program =
            |cell: i8| batt_testing::program(&format!("def f(I):\n    x1 = hmirror(I)\n    O = replace(x1, 4, {cell})\n    return O\n"));
        let proposal = |cell: i8| Proposal {
            program: program(cell),
            cost: 2_000,
            foretold: 0,
            support: 0,
            families: 0,
            family: "slow",
            is_part: false,
        };
        (0..10).map(proposal).collect()
    }

    fn propose_late(&self, _: &Puzzle, _: &Budget<'_>) -> Vec<Proposal> {
        self.asked_late.store(true, std::sync::atomic::Ordering::Relaxed);
        Vec::new()
    }
}

#[test]
fn nothing_is_begun_when_the_time_is_over() {
    let cells = |seed: usize| Grid::new(5, 4, &(0..20).map(|k| ((k * k + seed * k) % 3 + 1) as i8).collect::<Vec<_>>()).unwrap();
    let demos = [(cells(1), cells(3)), (cells(2), Grid::new(5, 4, &cells(2).rows().rev().flatten().copied().collect::<Vec<_>>()).unwrap())];
    let task = task(&demos, &[grid(&[&[1, 4], &[2, 4]])]);
    let ended = |milliseconds: u64| {
        CLOCK.set(0);
        let slow = Slow { milliseconds, asked_late: AtomicBool::new(false) };
        let budget = Budget { deadline: Deadline::after(Duration::from_secs(1), clock), ..columns(2_000) };
        let found = search_task(&task, &budget, &[&slow], Learnt::nothing());
        let of_member = found.found.iter().filter(|found| found.family == "slow").count();
        (found.end, of_member, slow.asked_late.into_inner(), found.columns > 500, !found.near_misses.is_empty())
    };
    // A clock that stands still does not end anything: columns do.
    assert_eq!(ended(10), (End::Columns, 10, true, true, false));
    // Of a solver that took more than all time, the first program is run, and nothing else.
    assert_eq!(ended(5_000), (End::Time, 1, false, false, false));
}

#[test]
fn a_grid_that_no_task_can_have_is_no_answer() {
    // Twice as large: too large for the second task.
    let demos = [(grid(&[&[1, 2]]), grid(&[&[1, 2, 1, 2]])), (grid(&[&[3, 1]]), grid(&[&[3, 1, 3, 1]]))];
    for (width, some) in [(15, true), (16, false)] {
        let test = Grid::new(1, width, &vec![4; width]).unwrap();
        let found = search_task(&task(&demos, &[test]), &columns(1_000), &[], Learnt::nothing()).found;
        assert_eq!(found.iter().any(|found| found.fits() && found.outputs[0].width() == 2 * width), some);
        assert!(found.iter().flat_map(|found| &found.outputs).all(Task::has_room_for));
    }
}
