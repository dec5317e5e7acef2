//! Grids as SVG.

use std::fmt::Write;

use super::palette::{INK, LINE, NEUTRAL, PAGE, Rgb, fill};
use super::picture::{Labels, Layout, layout, layout_within};
use super::{Canvas, Cell, Row};

const LABELS: Labels = Labels { height: 20, character: 7 };

/// Rows of panels as an SVG document, one row below the other.
pub fn to_svg(rows: &[Row]) -> String {
    drawn(rows, &layout(rows, LABELS))
}

/// An SVG of limited width, in pixels: rows stand side by side where there is room.
pub fn to_svg_within(rows: &[Row], width: usize) -> String {
    drawn(rows, &layout_within(rows, LABELS, width))
}

fn drawn(rows: &[Row], layout: &Layout) -> String {
    let (width, height) = (layout.width, layout.height);
    let mut svg = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">"#
    );
    let _ = writeln!(svg, r#"<rect width="{width}" height="{height}" fill="{}"/>"#, hex(PAGE));
    for placed in &layout.panels {
        let panel = &rows[placed.row].panels[placed.panel];
        if let Some((x, y)) = placed.arrow {
            let (from, to) = (x - 10, x + 10);
            let _ = writeln!(
                svg,
                r#"<path d="M{from} {y}H{to}M{} {}L{to} {y}L{} {}" fill="none" stroke="{}" stroke-width="2"/>"#,
                to - 6,
                y - 5,
                to - 6,
                y + 5,
                hex(INK)
            );
        }
        let _ = writeln!(svg, r#"<text x="{}" y="{}" fill="{}">{}</text>"#, placed.x, placed.y - 6, hex(INK), escaped(&panel.label));
        write_canvas(&mut svg, &panel.canvas, layout, placed.x, placed.y);
    }
    svg.push_str("</svg>\n");
    svg
}

fn write_canvas(svg: &mut String, canvas: &Canvas, layout: &Layout, x: usize, y: usize) {
    let size = layout.cell;
    if canvas.height() == 0 {
        return;
    }
    let _ = writeln!(svg, r#"<g transform="translate({x} {y})">"#);
    for (i, row) in canvas.rows().enumerate() {
        let mut j = 0;
        // Neighbours of one colour are one rectangle.
        for run in row.chunk_by(|a, b| fill(*a) == fill(*b)) {
            let (width, colour) = (run.len() * size, hex(fill(run[0])));
            let _ = writeln!(svg, r#"<rect x="{}" y="{}" width="{width}" height="{size}" fill="{colour}"/>"#, j * size, i * size);
            for (k, cell) in run.iter().enumerate() {
                if *cell == Cell::Unknown {
                    let (x, y) = ((j + k) * size + size / 2, i * size + size / 2 + 5);
                    let _ = writeln!(svg, r#"<text x="{x}" y="{y}" fill="{}" font-size="14" text-anchor="middle">?</text>"#, hex(INK));
                }
                if let Cell::Colour(colour) | Cell::Wrong(colour) = cell
                    && fill(*cell) == NEUTRAL
                {
                    let (x, y) = ((j + k) * size + size / 2, i * size + size / 2 + 3);
                    let _ = writeln!(svg, r##"<text x="{x}" y="{y}" fill="#fff" font-size="9" text-anchor="middle">{colour}</text>"##);
                }
            }
            j += run.len();
        }
    }
    let (width, height) = (layout.side(canvas.width()) - 1, layout.side(canvas.height()) - 1);
    let mut lines = String::new();
    for i in 0..=canvas.height() {
        let _ = write!(lines, "M0 {}H{width}", i * size);
    }
    for j in 0..=canvas.width() {
        let _ = write!(lines, "M{} 0V{height}", j * size);
    }
    let _ = writeln!(svg, r#"<path d="{lines}" stroke="{}" stroke-linecap="square"/>"#, hex(LINE));
    svg.push_str("</g>\n");
}

fn hex([r, g, b]: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Text for XML, which has no way to write most control characters.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
