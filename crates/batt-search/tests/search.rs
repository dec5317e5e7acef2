//! Search on tasks: what it says is right is right, whatever it is given, and it sees no test output.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use batt_core::{Grid, Pair, Task, TestCase};
use batt_image::{COLOURS, Frame, Images, Kernel, MAX_SIDE, Work};
use batt_program::canonical_text;
use batt_search::{Budget, End, Member, OPERATIONS, Proposal, Question, TaskFound, search_task};

fn columns(columns: u64) -> Budget<'static> {
    Budget { deadline: None, columns, memory: 1 << 30, stop: None }
}

fn grid(rows: &[&[i8]]) -> Grid {
    Grid::new(rows.len(), rows[0].len(), &rows.concat()).unwrap()
}

fn task(demos: &[(Grid, Grid)], tests: &[Grid]) -> Task {
    Task {
        id: "a-task".to_owned(),
        demos: demos.iter().map(|(input, output)| Pair { input: input.clone(), output: output.clone() }).collect(),
        tests: tests.iter().map(|input| TestCase { input: input.clone(), output: None }).collect(),
    }
}

fn texts(found: &TaskFound) -> Vec<String> {
    found.found.iter().map(|found| canonical_text(&found.program)).collect()
}

#[test]
fn programs_are_found_and_do_what_search_says() {
    let mut fits = 0;
    // In tests, search panics where the reference executor disagrees with it.
    for task in batt_starter::pack() {
        let found = search_task(&task, &columns(1_500), &[]);
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
        assert_eq!(texts(&search_task(&task, &columns(600), &[])), texts(&search_task(&noise, &columns(600), &[])), "{}", task.id);
    }
}

#[test]
fn odd_tasks_end_with_what_there_is() {
    let one = grid(&[&[1]]);
    let unfit = search_task(&task(&[], std::slice::from_ref(&one)), &columns(1_000), &[]);
    assert_eq!((unfit.end, unfit.found.len()), (End::Unfit, 0));
    // A demo of one cell, and no test.
    let small = search_task(&task(&[(one.clone(), grid(&[&[2]]))], &[]), &columns(1_000), &[]);
    assert!(small.found.iter().any(batt_search::Found::fits));
    // Demos that contradict each other.
    let contradicting = task(&[(one.clone(), grid(&[&[2]])), (one.clone(), grid(&[&[3]]))], std::slice::from_ref(&one));
    assert!(!search_task(&contradicting, &columns(1_000), &[]).found.iter().any(batt_search::Found::fits));
    // The largest grids that there are, and more demos than there are bits.
    let cells: Vec<i8> = (0..900).map(|k| (k * k % 7 % 4) as i8).collect();
    let large = Grid::new(30, 30, &cells).unwrap();
    let same = task(&[(large.clone(), large.clone())], std::slice::from_ref(&large));
    assert!(search_task(&same, &columns(500), &[]).found[0].fits());
    let many = task(&vec![(one.clone(), one.clone()); 40], &[one]);
    assert_eq!(search_task(&many, &columns(500), &[]).end, End::Unfit);
}

#[test]
fn search_ends_when_its_budget_is_spent() {
    let task = &batt_starter::pack()[3];
    let stop = AtomicBool::new(true);
    let asked = search_task(task, &Budget { stop: Some(&stop), ..columns(u64::MAX) }, &[]);
    assert_eq!(asked.end, End::Stopped);
    let late = search_task(task, &Budget { deadline: Some(Instant::now() + Duration::from_millis(50)), ..columns(u64::MAX) }, &[]);
    assert_eq!(late.end, End::Time);
    let full = search_task(task, &Budget { memory: 1 << 20, ..columns(u64::MAX) }, &[]);
    assert_eq!(full.end, End::Memory);
    let counted = search_task(task, &columns(700), &[]);
    assert_eq!(counted.end, End::Columns);
    assert_eq!(texts(&counted), texts(&search_task(task, &columns(700), &[])));
}

/// Proposes what it is told.
struct Proposes(Vec<Proposal>);

impl Member for Proposes {
    fn name(&self) -> &'static str {
        "proposes"
    }

    fn propose(&self, question: &Question<'_>, budget: &Budget<'_>) -> Vec<Proposal> {
        assert_eq!((question.demos.len(), question.tests.len()), (2, 1));
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
        program: format!("def any_name(I):\n{body}    return O\n"),
        cost,
        foretold,
        family: "rules-test",
    };
    let right = "    x1 = maximum(palette(I))\n    x2 = double(x1)\n    x3 = increment(x2)\n    x4 = canvas(x3, (2, 2))\n    \
                 O = fill(x4, 0, initset((1, 1)))\n";
    let members = Proposes(vec![
        proposal("    O = undefined_function(I)\n", 1, 3),
        proposal("    O = canvas(9, (1, 1))\n", 1, 3),
        proposal("    O = first(first(I))\n", 1, 3),
        proposal(right, 900, 1),
    ]);
    let found = search_task(&task, &columns(400), &[&members]);
    let proposed: Vec<_> = found.found.iter().filter(|found| found.family == "rules-test").collect();
    assert_eq!(proposed.len(), 1);
    assert!(proposed[0].fits() && proposed[0].cost > 900);
    assert_eq!(proposed[0].outputs, [grid(&[&[5, 5], &[5, 0]])]);
    assert_eq!(found.found[0].family, "rules-test");
    assert_eq!(found.found[0].program.name(), "solve_a_task");
    // Without, nothing else changes.
    let alone = texts(&search_task(&task, &columns(400), &[]));
    assert_eq!(texts(&found).into_iter().filter(|text| alone.contains(text)).count(), alone.len().min(15));
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
            for number in operation.coarse.numbers() {
                work.out = Images::default();
                let done = match operation.coarse.kernel {
                    Kernel::Map(f) | Kernel::Split(f) => f(first, number, &mut work),
                    Kernel::Merge(f) => f(first, last, number, &mut work),
                    Kernel::Pick(f) | Kernel::Sift(f) => f(images.iter(), number, &mut work),
                };
                if done.is_none() {
                    continue;
                }
                let name = operation.name;
                assert!(operation.coarse.gives_list() || work.out.len() == 1, "{name} {number}");
                assert!(!work.out.is_empty() && work.out.cells().iter().all(|&cell| (cell as usize) < COLOURS), "{name} {number}");
                let fits =
                    |frame: &Frame| (1..=MAX_SIDE).contains(&(frame.height as usize)) && (1..=MAX_SIDE).contains(&(frame.width as usize));
                assert!(work.out.frames().iter().all(fits), "{name} {number}");
            }
        }
    }
}
