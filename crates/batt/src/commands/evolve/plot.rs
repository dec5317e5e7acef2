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

/// One line over the number of evaluations.
pub(super) fn chart(title: &str, x_name: &str, points: &[(f64, f64)]) -> String {
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0f64, f64::max).max(1.0);
    let x_most = nice(most(&mut points.iter().map(|point| point.0)));
    let y_most = nice(most(&mut points.iter().map(|point| point.1)));
    let x = |value: f64| LEFT + value / x_most * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| HEIGHT - BOTTOM - value / y_most * (HEIGHT - BOTTOM - TOP);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\" font-weight=\"600\">{title}</text>\n"
    );
    for k in 0..=4 {
        let (share, line) = (f64::from(k) / 4.0, y(y_most * f64::from(k) / 4.0));
        let _ = writeln!(svg, "<path d=\"M{LEFT} {line:.1}H{:.1}\" stroke=\"#ddd\"/>", WIDTH - RIGHT);
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>", LEFT - 8.0, line + 4.0, short(y_most * share));
        let place = x(x_most * share);
        let _ = writeln!(
            svg,
            "<text x=\"{place:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            HEIGHT - BOTTOM + 16.0,
            short(x_most * share)
        );
    }
    let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#666\">{x_name}</text>", WIDTH - RIGHT, HEIGHT - 6.0);
    let step = points.len().div_ceil(POINTS).max(1);
    let shown = points.iter().step_by(step).chain(points.last());
    let path: Vec<String> = shown.map(|&(a, b)| format!("{:.1},{:.1}", x(a), y(b))).collect();
    let _ = writeln!(svg, "<polyline fill=\"none\" stroke=\"#1e66c8\" stroke-width=\"2\" points=\"{}\"/>\n</svg>", path.join(" "));
    svg
}

/// The next number that is easy to read on an axis.
fn nice(value: f64) -> f64 {
    let unit = 10f64.powf(value.log10().floor());
    [1.0, 2.0, 4.0, 5.0, 10.0].into_iter().map(|factor| factor * unit).find(|&candidate| candidate >= value).unwrap_or(value)
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
    fn axes_end_at_readable_numbers() {
        assert_eq!([nice(1.0), nice(3.0), nice(47.0), nice(400.0), nice(1001.0)].map(short), ["1", "4", "50", "400", "2000"]);
        assert_eq!([short(25_000.0), short(1.5e6), short(0.25)], ["25k", "1.5M", "0.25"]);
    }

    #[test]
    fn many_points_are_thinned_out_and_the_last_stays() {
        let points: Vec<(f64, f64)> = (0..10_000).map(|k| (f64::from(k), f64::from(k))).collect();
        let svg = chart("t", "x", &points);
        assert!(svg.matches(',').count() < 2 * POINTS + 50, "{}", svg.len());
        assert!(svg.trim_end().ends_with("</svg>"));
    }
}
