//! How runs went, in as many points as a chart can show.

use crate::report::RunPoint;

/// The most points of a run; more than a chart has pixels to tell apart are a burden only.
const MOST_POINTS: usize = 400;

/// At most 400 points of a run, evenly spread; the first and the last are always among them.
pub fn thinned(points: &[RunPoint]) -> Vec<RunPoint> {
    let last = points.len().saturating_sub(1);
    if points.len() <= MOST_POINTS {
        return points.to_vec();
    }
    (0..MOST_POINTS).filter_map(|k| points.get(k * last / (MOST_POINTS - 1))).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generations(count: u64) -> Vec<u64> {
        let points: Vec<RunPoint> = (0..count).map(|generation| RunPoint { generation, ..RunPoint::default() }).collect();
        thinned(&points).iter().map(|point| point.generation).collect()
    }

    #[test]
    fn long_runs_keep_their_ends_and_are_spread_evenly() {
        assert!(generations(0).is_empty());
        assert_eq!(generations(400), (0..400).collect::<Vec<_>>());
        let many = generations(10_001);
        assert_eq!((many.len(), many.first(), many.last()), (400, Some(&0), Some(&10_000)));
        assert!(many.windows(2).all(|pair| (25..=26).contains(&(pair[1] - pair[0]))), "{many:?}");
    }
}
