//! Statistics that a few far values do not move.

/// What the median absolute deviation of a normal distribution is multiplied with to give its standard deviation.
const NORMAL: f64 = 1.4826;

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
    fn the_error_of_a_mean_needs_two_values() {
        assert_eq!(mean(&[5.0]).1, None);
        let (middle, error) = mean(&[1.0, 3.0]);
        assert!((middle - 2.0).abs() < 1e-12 && (error.unwrap_or(0.0) - 1.0).abs() < 1e-12);
    }
}
