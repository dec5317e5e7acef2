//! Line charts as SVG.

use std::fmt::Write as _;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 70.0;
const BOTTOM: f64 = 40.0;
const TOP: f64 = 34.0;
const RIGHT: f64 = 20.0;
/// More points than this are thinned out: nobody could tell them apart.
const POINTS: usize = 1000;

/// One line over something, with round numbers on both axes.
pub(crate) fn chart(title: &str, x_name: &str, points: &[(f64, f64)]) -> String {
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0f64, f64::max);
    let x_step = step(most(&mut points.iter().map(|point| point.0)));
    let y_step = step(most(&mut points.iter().map(|point| point.1)));
    let end = |step: f64, value: f64| (value / step).ceil().max(1.0) * step;
    let x_most = end(x_step, most(&mut points.iter().map(|point| point.0)));
    let y_most = end(y_step, most(&mut points.iter().map(|point| point.1)));
    let x = |value: f64| LEFT + value / x_most * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| HEIGHT - BOTTOM - value / y_most * (HEIGHT - BOTTOM - TOP);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\" font-weight=\"600\">{title}</text>\n"
    );
    for tick in ticks(y_step, y_most) {
        let line = y(tick);
        let _ = writeln!(svg, "<path d=\"M{LEFT} {line:.1}H{:.1}\" stroke=\"#ddd\"/>", WIDTH - RIGHT);
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>", LEFT - 8.0, line + 4.0, short(tick));
    }
    for tick in ticks(x_step, x_most) {
        let (place, below) = (x(tick), HEIGHT - BOTTOM + 16.0);
        let _ = writeln!(svg, "<text x=\"{place:.1}\" y=\"{below:.1}\" text-anchor=\"middle\">{}</text>", short(tick));
    }
    let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#666\">{x_name}</text>", WIDTH - RIGHT, HEIGHT - 6.0);
    let step = points.len().div_ceil(POINTS).max(1);
    let shown = points.iter().step_by(step).chain(points.last());
    let path: Vec<String> = shown.map(|&(a, b)| format!("{:.1},{:.1}", x(a), y(b))).collect();
    let _ = writeln!(svg, "<polyline fill=\"none\" stroke=\"#1e66c8\" stroke-width=\"2\" points=\"{}\"/>\n</svg>", path.join(" "));
    svg
}

/// The distance of ticks on an axis that reaches so far: 1, 2 or 5 times a power of ten, for three to six ticks.
fn step(most: f64) -> f64 {
    let rough = if most > 0.0 { most / 4.0 } else { 0.25 };
    let unit = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * unit).find(|&step| step >= rough * 0.999).unwrap_or(rough)
}

fn ticks(step: f64, most: f64) -> impl Iterator<Item = f64> {
    (0..=(most / step).round() as u32).map(move |k| f64::from(k) * step)
}

fn short(value: f64) -> String {
    match value {
        v if v >= 1e9 => format!("{}G", trimmed(v / 1e9)),
        v if v >= 1e6 => format!("{}M", trimmed(v / 1e6)),
        v if v >= 1e4 => format!("{}k", trimmed(v / 1e3)),
        v => trimmed(v),
    }
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_ticks() {
        let shown = |most: f64| ticks(step(most), (most / step(most)).ceil() * step(most)).map(short).collect::<Vec<_>>().join(" ");
        assert_eq!(shown(60.0), "0 20 40 60");
        assert_eq!(shown(47.0), "0 20 40 60");
        assert_eq!(shown(400.0), "0 100 200 300 400");
        assert_eq!(shown(15.04), "0 5 10 15 20");
        assert_eq!(shown(0.3), "0 0.1 0.2 0.3");
        assert_eq!(shown(25_000.0), "0 10k 20k 30k");
        assert_eq!([short(1.5e6), short(0.25), short(0.0)], ["1.5M", "0.25", "0"]);
    }

    #[test]
    fn many_points_are_thinned_out_and_the_last_stays() {
        let points: Vec<(f64, f64)> = (0..10_000).map(|k| (f64::from(k), f64::from(k))).collect();
        let svg = chart("t", "x", &points);
        assert!(svg.matches(',').count() < 2 * POINTS + 50, "{}", svg.len());
        assert!(svg.trim_end().ends_with("</svg>"));
    }
}
