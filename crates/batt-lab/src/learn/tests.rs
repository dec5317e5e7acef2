//! Learning from small tasks: probabilities come true, and the text can be read again.

use std::collections::BTreeMap;

use batt_search::{Budget, Found, Learnt, search_task};

use super::{Answer, Lesson, Options, fit_ranking, learn, reliability};

/// Answers of which the cheap ones are right more often: all of those that cost nothing, one of ten of those that cost most.
fn answers() -> Vec<Answer> {
    let answer = |task: u32| {
        let cost = f64::from(task % 10) / 2.0;
        Answer {
            group: format!("task{task}"),
            task: format!("task{task}"),
            is_original: true,
            as_unsolved: false,
            place: 0,
            demos_right: 2,
            family: "search-column".to_owned(),
            features: BTreeMap::from([("cost".to_owned(), cost), ("fits".to_owned(), 1.0)]),
            weight: 1.0,
            is_right: task / 10 % 10 >= task % 10,
        }
    };
    (0..400).map(answer).collect()
}

#[test]
fn probabilities_come_true() {
    let (ranking, report) = fit_ranking(&answers()).unwrap();
    let said = |cost: f64| ranking.probability([("cost", cost), ("fits", 1.0)]);
    assert!(said(0.0) > 0.75 && said(4.5) < 0.25, "{ranking:?}");
    assert_eq!((report.answers, report.right_by_cost), (400, report.right_by_probability));
    for bin in &report.reliability {
        assert!((bin.said - bin.right).abs() < 0.25, "{bin:?}");
    }
}

#[test]
fn a_table_of_reliability_has_tenths() {
    let bins = reliability([(0.95, true), (1.0, true), (0.91, false), (0.05, false)].into_iter());
    assert_eq!(bins.iter().map(|bin| bin.answers).collect::<Vec<_>>(), [1, 3]);
    assert!((bins[1].right - 2.0 / 3.0).abs() < 1e-9 && (bins[1].from - 0.9).abs() < 1e-9);
}

#[test]
fn what_was_learnt_is_the_same_each_time_and_can_be_read() {
    let tasks = batt_starter::pack();
    let lesson = Lesson { tasks: &tasks, samples: &[], command: "batt learn" };
    let options = Options { columns: 300, ..Options::default() };
    let once = learn(&lesson, options, &[]).unwrap();
    let text = once.learnt.to_text().unwrap();
    assert_eq!(Learnt::parse(&text).unwrap(), once.learnt);
    assert_eq!(learn(&lesson, options, &[]).unwrap().learnt.to_text().unwrap(), text);
    assert!(!once.learnt.ranking.unwrap().weights.is_empty());
}

#[test]
fn solved_tasks_are_also_learnt_from_as_if_they_were_unsolved() {
    let tasks = &batt_starter::pack()[..12];
    let lesson = Lesson { tasks, samples: &[], command: "batt learn" };
    let options = Options { columns: 300, ..Options::default() };
    let report = learn(&lesson, options, &[]).unwrap();
    let learnt = Learnt { ranking: None, ..report.learnt };
    let budget = Budget { deadline: None, columns: options.columns, memory: options.memory, stop: None, spare: None };
    let (mut once, mut right, mut again) = (0, 0, 0);
    for task in tasks {
        let found = search_task(task, &budget, &[], &learnt).found;
        let is_right = |found: &&Found| found.outputs.iter().zip(&task.tests).all(|(output, test)| test.output.as_ref() == Some(output));
        let of_task = found.iter().filter(is_right).count();
        once += found.len();
        right += of_task;
        again += if of_task > 0 { found.len() - of_task } else { 0 };
    }
    assert!(right > 0 && again > 0);
    assert_eq!((report.ranking.answers, report.ranking.right, report.ranking.as_unsolved), (once, right, again));
}

#[test]
fn the_embedded_text_names_its_command() {
    let learnt = Learnt::embedded();
    assert!(learnt.command.starts_with("batt learn "), "{}", learnt.command);
    assert!(learnt.ranking.is_some() && Learnt::nothing().ranking.is_none());
    assert!(Learnt::parse("{}").is_err() && Learnt::parse(r#"{"version":9,"command":"","ranking":null,"ranks":{}}"#).is_err());
}
