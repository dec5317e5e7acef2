//! Drawing.
#![expect(clippy::unwrap_used, reason = "tests")]

use batt_core::{Grid, Packed, Task, Value};
use batt_data::render::{
    Canvas, Panel, PngError, Row, TextStyle, patch_as_panel, task_pictures, task_rows, to_png, to_png_within, to_svg, to_svg_within,
    to_text, to_text_beside,
};
use batt_testing::{grid, task};

const PLAIN: TextStyle = TextStyle { colour: false, width: None };

fn example() -> Task {
    task("x", &["012 345 -> 9"], &["7 -> 8"])
}

fn object() -> Value {
    Value::object_from(vec![Packed::cell(0, -2, 3).unwrap(), Packed::cell(4, -1, 5).unwrap()])
}

#[test]
fn a_task_as_characters() {
    let expected = "\
demo 1 input 2x3   output 1x1
. 1 2            → 9
3 4 5

test 1 input 1x1
7

";
    assert_eq!(to_text(&task_rows(&example(), false), PLAIN), expected);
    assert!(to_text(&task_rows(&example(), true), PLAIN).ends_with("\ntest 1 input 1x1   output 1x1\n7                → 8\n\n"));
}

/// Black and no cell are told apart, and wrong cells are marked, in characters and in colours.
#[test]
fn wrong_cells_are_marked() {
    let (found, expected) = (grid("104 004"), grid("10 02 00"));
    let row = Row::plain(vec![Panel::compared("found", &found, &expected), Panel::compared("expected", &expected, &found)]);
    let text = "\
found 2x3   expected 3x2
1 . 4!      1 .
. .!4!      . 2!
            .!.!

";
    assert_eq!(to_text(std::slice::from_ref(&row), PLAIN), text);
    let coloured = to_text(&[row], TextStyle { colour: true, width: None });
    assert!(coloured.contains("\x1b[48;2;255;220;0m\x1b[1;38;2;0;0;0m !\x1b[22;39m"), "dark on yellow: {coloured:?}");
    assert!(coloured.contains("\x1b[1;38;2;255;255;255m !"), "light on black: {coloured:?}");
}

#[test]
fn patches_have_holes_and_a_place() {
    let indices = Value::indices_from(vec![Packed::location(1, 1).unwrap(), Packed::location(2, 2).unwrap()]);
    let panels = vec![
        patch_as_panel("", &object()).unwrap(),
        patch_as_panel("where", &indices).unwrap(),
        patch_as_panel("", &Value::empty_set()).unwrap(),
    ];
    let expected = "\
2x3 at (-2, 3)   where 2x2 at (1, 1)   0x0
.                #
    4              #

";
    assert_eq!(to_text(&[Row::plain(panels)], PLAIN), expected);
    for value in [Value::Int(3), Value::pair(1, 2), Value::Grid(grid("1"))] {
        assert!(patch_as_panel("", &value).is_none());
    }
}

#[test]
fn numbers_outside_the_colours_are_written() {
    let row = Row::plain(vec![Panel::grid("", &Grid::from_rows(&[[1, -128], [10, 0]]).unwrap())]);
    assert_eq!(to_text(std::slice::from_ref(&row), PLAIN), "2x2\n   1 -128\n  10    .\n\n");
    let coloured = to_text(std::slice::from_ref(&row), TextStyle { colour: true, width: None });
    assert!(coloured.contains("-128") && coloured.contains("  10"), "{coloured:?}");
    let svg = to_svg(&[row]);
    assert!(svg.contains(">-128</text>") && !svg.contains(">1</text>"), "{svg}");
}

#[test]
fn colours_are_backgrounds_two_characters_wide() {
    let row = Row::plain(vec![Panel::grid("", &grid("110"))]);
    let text = to_text(&[row], TextStyle { colour: true, width: None });
    assert_eq!(text, "1x3\n\x1b[48;2;0;116;217m    \x1b[48;2;0;0;0m  \x1b[0m\n\n");
    let hole = to_text(&[Row::plain(vec![patch_as_panel("", &object()).unwrap()])], TextStyle { colour: true, width: None });
    assert!(hole.contains("\x1b[48;2;0;0;0m  \x1b[0m· ·\n"), "{hole:?}");
}

#[test]
fn text_stays_within_the_width() {
    let wide = Grid::filled(3, 30, 5).unwrap();
    let rows = [Row::with_arrows((0..4).map(|_| Panel::grid("a rather long label", &wide)).collect()), Row::plain(vec![])];
    for width in [0, 1, 2, 3, 4, 5, 10, 20, 63, 64, 80, 130, 200] {
        let text = to_text(&rows, TextStyle { colour: false, width: Some(width) });
        let longest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(longest <= width.max(4), "{longest} > {width}");
        assert!(width < 10 || text.matches("a rat").count() == 4, "no panel is lost");
    }
    let text = to_text(&rows, TextStyle { colour: false, width: Some(200) });
    assert!(text.lines().next().unwrap().matches("label").count() == 3, "three panels fit, the fourth goes below");
}

#[test]
fn labels_cannot_break_out() {
    let panel = Panel { label: "<b>&\"\x1b[2J\n".into(), canvas: (&grid("1")).into() };
    let row = Row::plain(vec![panel]);
    assert!(to_text(std::slice::from_ref(&row), PLAIN).starts_with("<b>&\"\\u001b[2J"));
    assert!(to_svg(&[row]).contains("&lt;b&gt;&amp;&quot; [2J </text>"));
}

#[test]
fn an_svg_has_labels_cells_and_arrows() {
    let svg = to_svg(&task_rows(&example(), true));
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    for part in ["demo 1 input 2x3", "test 1 input 1x1", "#0074d9", "#870c25", "<path"] {
        assert!(svg.contains(part), "{part}");
    }
    assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
    assert!(to_svg(&[]).ends_with("</svg>\n"));
}

#[test]
fn a_png_has_the_colours_in_their_places() {
    let mut rows = task_rows(&example(), true);
    rows.push(Row::plain(vec![patch_as_panel("", &object()).unwrap(), patch_as_panel("", &Value::empty_set()).unwrap()]));
    let bytes = to_png(&rows).unwrap();
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let at = |x: usize, y: usize| {
        let start = (y * info.width as usize + x) * 3;
        [pixels[start], pixels[start + 1], pixels[start + 2]]
    };
    assert_eq!(at(0, 0), [255; 3]);
    // The first grid starts at the margin of 16, below its label; cells are 20 apart, each with its line.
    let top = 16 + 16;
    assert_eq!(at(16, top), [0x55; 3]);
    assert_eq!(at(16 + 10, top + 10), [0, 0, 0]);
    assert_eq!(at(16 + 30, top + 10), [0x00, 0x74, 0xD9]);
    assert_eq!(at(16 + 50, top + 30), [0xAA; 3]);
    let label = (16..top).flat_map(|y| (16..100).map(move |x| (x, y))).filter(|&(x, y)| at(x, y) == [0x33; 3]).count();
    assert!(label > 100, "{label} pixels of a label");
}

/// The width of a PNG file.
fn png_width(bytes: &[u8]) -> u32 {
    png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap().info().width
}

#[test]
fn pictures_have_a_width_to_fit_and_a_question_mark_for_the_test() {
    let task = example();
    let rows = task_pictures(&task, false);
    assert_eq!(rows.last().unwrap().panels[1].label, "output ?");
    assert_eq!(task_pictures(&task, true), task_rows(&task, true));
    let svg = to_svg_within(&rows, 1200);
    assert!(svg.contains(">?</text>") && svg.contains("output ?"));
    let high = |svg: &str| svg.split("height=\"").nth(1).unwrap().split('"').next().unwrap().parse::<usize>().unwrap();
    assert!(high(&svg) < high(&to_svg(&rows)), "pairs stand side by side");
    let wide: Vec<Vec<i8>> = vec![vec![1; 30]; 2];
    let rows = vec![Row::with_arrows(vec![
        Panel::grid("a", &Grid::from_rows(&wide).unwrap()),
        Panel::grid("b", &Grid::from_rows(&wide).unwrap()),
    ])];
    assert!(png_width(&to_png(&rows).unwrap()) > 1200);
    for width in [400, 700, 1300] {
        assert!(png_width(&to_png_within(&rows, width).unwrap()) <= width as u32, "{width}");
    }
}

#[test]
fn pairs_stand_side_by_side_where_a_terminal_is_wide_enough() {
    let rows = task_rows(&example(), true);
    let lines = |width| to_text_beside(&rows, TextStyle { colour: false, width }).lines().count();
    assert!(lines(Some(200)) < lines(Some(40)), "{} {}", lines(Some(200)), lines(Some(40)));
    assert_eq!(to_text_beside(&rows, PLAIN), to_text(&rows, PLAIN), "without a width, one pair a row");
    let text = to_text_beside(&rows, TextStyle { colour: false, width: Some(200) });
    assert!(text.lines().next().unwrap().contains("test 1 input"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 200));
}

#[test]
fn what_is_too_large_is_cut_or_refused() {
    let large = Panel::grid("large", &Grid::filled(2000, 3, 1).unwrap());
    assert_eq!((large.canvas.height(), large.canvas.width()), (Canvas::MAX_SIDE, 3));
    assert_eq!(large.label, "large 2000x3 (cut)");
    let far = Value::indices_from(vec![Packed::location(-2048, -2048).unwrap(), Packed::location(2047, 2047).unwrap()]);
    let patch = patch_as_panel("", &far).unwrap();
    assert_eq!(patch.label, "4096x4096 at (-2048, -2048) (cut)");
    assert!(to_png(&[Row::plain(vec![patch.clone()])]).is_ok());
    let rows = vec![Row::plain(vec![patch]); 10];
    assert!(matches!(to_png(&rows), Err(PngError::TooLarge { .. })));
    assert!(to_png(&[]).is_ok());
}
