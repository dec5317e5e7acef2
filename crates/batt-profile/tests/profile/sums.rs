//! The parts sum to the whole, whatever the figures are.

use batt_profile::Profile;
use batt_profile::views::{framework, outliers};
use proptest::prelude::*;

use crate::support::any_profile;

fn adds_up(profile: &Profile) {
    assert!((profile.sum_of_shares() - 1.0).abs() < 1e-9, "{}", profile.sum_of_shares());
    assert!(profile.not_attributed_share >= -1e-9);
    for row in &profile.rows {
        assert!(row.self_s <= row.total_s, "{}: {} in it, {} with what it calls", row.name, row.self_s, row.total_s);
        assert!(row.share >= 0.0 && row.share <= 1.0 + 1e-9);
    }
}

proptest! {
    #[test]
    fn shares_sum_to_one(profile in any_profile()) {
        adds_up(&profile);
        let read = Profile::from_json(&profile.to_json(true).unwrap()).unwrap();
        adds_up(&read);
        prop_assert_eq!(read.rows.len(), profile.rows.len());
        for (a, b) in read.rows.iter().zip(&profile.rows) {
            prop_assert_eq!((&a.name, a.calls, a.tasks), (&b.name, b.calls, b.tasks));
            // The last digit of a number may change on its way through text.
            prop_assert!((a.self_s - b.self_s).abs() <= 1e-12 && (a.share - b.share).abs() <= 1e-12);
        }
    }

    #[test]
    fn they_do_so_without_outliers(profile in any_profile()) {
        let without = outliers(&profile).without;
        adds_up(&without);
        prop_assert!(without.thread_s <= profile.thread_s + 1e-9);
        prop_assert!(without.tasks.len() <= profile.tasks.len());
    }

    #[test]
    fn categories_sum_to_the_rows(mut profile in any_profile()) {
        framework(&mut profile, 5);
        let categories = profile.views["framework"]["categories"].as_array().unwrap().clone();
        let shares: f64 = categories.iter().map(|category| category["share"].as_f64().unwrap()).sum();
        prop_assert!((shares + profile.not_attributed_share - 1.0).abs() < 1e-9, "{}", shares);
    }
}
