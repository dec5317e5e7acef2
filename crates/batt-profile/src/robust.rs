//! Statistics that a few far values do not move.

/// Ratio of the standard deviation to the median absolute deviation in a normal distribution.
const NORMAL: f64 = 1.4826;
/// How often an interval may miss what it is for.
const MISSED: f64 = 0.1;

/// The value below which a part of the values lies, between two values in proportion; 0 if there are none.
pub fn quantile(values: &[f64], part: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let place = part.clamp(0.0, 1.0) * last as f64;
    let low = place.floor() as usize;
    let high = (low + 1).min(last);
    sorted[low] + (sorted[high] - sorted[low]) * (place - low as f64)
}

/// The median.
pub fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// The median distance from the median, scaled to be the standard deviation if the values are normal.
pub fn deviation(values: &[f64]) -> f64 {
    let middle = median(values);
    let distances: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
    NORMAL * median(&distances)
}

/// An interval that contains the median of the distribution in at least nine of ten cases, and in fewer with fewer than five values. As
/// many extreme values as possible are left out. None of fewer than two values.
pub fn interval(values: &[f64]) -> Option<[f64; 2]> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len();
    if count < 2 {
        return None;
    }
    // The chance that at most so many of the values are on one side of the median.
    let (mut chance, mut of_one, mut left_out) = (0.0, 0.5f64.powi(count.min(1000) as i32), 0);
    for k in 0..count / 2 {
        chance += of_one;
        if 2.0 * chance > MISSED {
            break;
        }
        left_out = k;
        of_one *= (count - k) as f64 / (k + 1) as f64;
    }
    Some([sorted[left_out], sorted[count - 1 - left_out]])
}

/// The mean, and its standard error; no error is known of fewer than two values.
pub fn mean(values: &[f64]) -> (f64, Option<f64>) {
    let count = values.len() as f64;
    if values.is_empty() {
        return (0.0, None);
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (mean, (values.len() > 1).then(|| (squares / (count - 1.0) / count).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_does_not_move_with_one_far_value() {
        assert!((median(&[1.0, 2.0, 3.0, 4.0, 1e9]) - 3.0).abs() < 1e-12);
        assert!((deviation(&[1.0, 2.0, 3.0, 4.0, 1e9]) - NORMAL).abs() < 1e-12);
        assert!((quantile(&[0.0, 10.0], 0.25) - 2.5).abs() < 1e-12);
        assert!(median(&[]).abs() < 1e-12);
    }

    #[test]
    fn an_interval_leaves_out_far_values_if_there_are_enough_others() {
        assert_eq!(interval(&[1.0]), None);
        assert_eq!(interval(&[3.0, 1.0, 2.0]), Some([1.0, 3.0]));
        assert_eq!(interval(&[1.0, 2.0, 3.0, 4.0, 900.0]), Some([1.0, 900.0]), "one in sixteen is missed");
        let nine = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 900.0];
        assert_eq!(interval(&nine), Some([2.0, 8.0]), "20 of 512 are missed");
        let many: Vec<f64> = (0..100).map(f64::from).collect();
        assert_eq!(interval(&many), Some([41.0, 58.0]));
    }

    #[test]
    fn the_error_of_a_mean_needs_two_values() {
        assert_eq!(mean(&[5.0]).1, None);
        let (middle, error) = mean(&[1.0, 3.0]);
        assert!((middle - 2.0).abs() < 1e-12 && (error.unwrap_or(0.0) - 1.0).abs() < 1e-12);
    }
}
