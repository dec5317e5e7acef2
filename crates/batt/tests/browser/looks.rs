//! Marks of a wrong output on a page, and its copied text.

use serde_json::{Value as Json, json};

use crate::browser::chromium::Browser;
use crate::browser::pages::Pages;

/// Sides of grids whose cells are large, medium and small in a picture, and tiny in a thumbnail.
const SIDES: [usize; 4] = [3, 10, 20, 30];

/// A page of tasks with square grids, mostly black, that a program gives back as they are, while some cells should be others.
fn wrong_outputs() -> (Pages, std::path::PathBuf) {
    let pages = Pages::new();
    for side in SIDES {
        let cell = |k: usize| if k % 7 == 3 { k % 10 } else { 0 };
        let grid: Vec<Vec<usize>> = (0..side).map(|i| (0..side).map(|j| cell(i * side + j)).collect()).collect();
        let mut wanted = grid.clone();
        // A black one and its neighbour, and one in a corner.
        (wanted[1][1], wanted[1][2], wanted[side - 1][side - 1]) = (5, 6, 8);
        let task = json!({"train": [{"input": grid, "output": wanted}], "test": [{"input": grid, "output": wanted}]});
        pages.write(&format!("tasks/side{side:02}.json"), &task.to_string());
    }
    pages.write("same.py", "def same(I):\n    x1 = vmirror(I)\n    O = vmirror(x1)\n    return O\n");
    pages.batt(&["report", "--out", "wrong.html", "--tasks", "tasks", "--programs", "same.py"]);
    let page = pages.path("wrong.html");
    (pages, page)
}

/// Of each picture below an element with a caption that says `wrong`: the colours of its cells as they are drawn, how opaque the least
/// opaque part is, and how many marks there are.
const DRAWN: &str = "(root) => [...document.querySelectorAll(`${root} .picture, ${root} .view`)].filter((box) => box.textContent.includes('wrong')).map((box) => {
    const image = box.querySelector('svg');
    const { width, height } = image.viewBox.baseVal;
    const cells = Array(width * height).fill('');
    for (const path of image.querySelectorAll('path[fill]')) {
        for (const [, x, y, run] of path.getAttribute('d').matchAll(/M(\\d+) (\\d+)h(\\d+)v1/g)) {
            for (let k = 0; k < Number(run); k += 1) cells[Number(y) * width + Number(x) + k] = getComputedStyle(path).fill;
        }
    }
    const opacity = Math.min(...[box, image, ...image.querySelectorAll('path[fill]')].map((part) => Number(getComputedStyle(part).opacity)));
    const marks = [...image.querySelectorAll('.mark')].map((path) => path.getAttribute('d').split('M').length - 1);
    return { cells, opacity, marks, width };
})";

#[test]
fn wrong_cells_are_marked_and_all_cells_have_their_own_colour() {
    let Some(mut browser) = Browser::start() else { return };
    let (_pages, page) = wrong_outputs();
    for theme in ["light", "dark"] {
        browser.prefer(theme);
        browser.open(&page);
        let cards = browser.eval(&format!("({DRAWN})('#list')"));
        assert_eq!(cards.as_array().unwrap().len(), SIDES.len());
        let mut pictures = cards.as_array().unwrap().clone();
        browser.screenshot(&format!("wrong-{theme}"));
        for side in SIDES {
            browser.click(&format!(".card[data-id=side{side:02}]"));
            let shown = browser.eval(&format!("({DRAWN})('#detail .views')"));
            assert_eq!(shown.as_array().unwrap().len(), 1, "the demo");
            pictures.extend(shown.as_array().unwrap().iter().cloned());
            browser.screenshot(&format!("wrong-{theme}-{side}"));
            browser.press(&["Escape"]);
        }
        for picture in &pictures {
            check(picture, theme);
        }
    }
    browser.resize(390, 844);
    browser.click(".card[data-id=side20]");
    browser.screenshot("wrong-narrow");
    browser.finish();
}

fn check(picture: &Json, theme: &str) {
    let side = picture["width"].as_u64().unwrap() as usize;
    let cells: Vec<&str> = picture["cells"].as_array().unwrap().iter().map(|cell| cell.as_str().unwrap()).collect();
    for (k, colour) in cells.iter().enumerate() {
        let expected = if k % 7 == 3 { k % 10 } else { 0 };
        assert_eq!(*colour, COLOURS[expected], "{theme}, side {side}, cell {k}");
    }
    assert_eq!(picture["opacity"], 1, "{theme}, side {side}");
    // Three frames; or the edges around two cells that touch and around one.
    let marks = picture["marks"].as_array().unwrap();
    assert!(matches!(&marks[..], [marks] if *marks == 3 || *marks == 6 + 4), "{theme}, side {side}: {marks:?}");
}

/// The colours of ARC.
const COLOURS: [&str; 10] = [
    "rgb(0, 0, 0)",
    "rgb(0, 116, 217)",
    "rgb(255, 65, 54)",
    "rgb(46, 204, 64)",
    "rgb(255, 220, 0)",
    "rgb(170, 170, 170)",
    "rgb(240, 18, 190)",
    "rgb(255, 133, 27)",
    "rgb(127, 219, 255)",
    "rgb(135, 12, 37)",
];

#[test]
fn a_task_that_is_wrong_on_the_test_is_shown_and_traced_there() {
    let Some(mut browser) = Browser::start() else { return };
    let pages = Pages::new();
    browser.open(&pages.mixed());
    let captions = "[...document.querySelectorAll('.card[data-id=late] .caption')].map((caption) => caption.textContent).join(', ')";
    assert_eq!(browser.text(captions), "demo 1 input, expected, right");
    browser.click("#answers");
    assert_eq!(browser.text(captions), "test 1 input, expected, 2 of 2 wrong");
    browser.click(".card[data-id=late]");
    assert_eq!(browser.text("document.querySelector('#detail .badge').textContent"), "fits, test wrong");
    let chips = "[...document.querySelectorAll('#detail [data-sample]')].map((chip) => `${chip.textContent} ${chip.ariaPressed} ${chip.className}`.trim()).join(', ')";
    assert_eq!(browser.text(chips), "Demo 1 false, Test 1 true bad");
    // What the line gives on the test: 6 above 5.
    let drawn = "[...document.querySelectorAll('.program .line:nth-child(2) .grid path[fill]')].map((path) => path.getAttribute('fill') + path.getAttribute('d')).join(' ')";
    assert_eq!(browser.text(drawn), "#f012beM0 0h1v1h-1z #aaaaaaM0 1h1v1h-1z");
    let expected =
        "[...document.querySelectorAll('.views figure:nth-child(2) .grid path[fill]')].map((path) => path.getAttribute('fill')).join(' ')";
    assert_eq!(browser.text(expected), "#aaaaaa #f012be", "the expected output is beside it");
    browser.screenshot("late");
    browser.finish();
}

#[test]
fn a_copied_program_is_plain_python() {
    let Some(mut browser) = Browser::start() else { return };
    let pages = Pages::new();
    browser.open(&pages.mixed());
    browser.click(".card[data-id=none]");
    browser.eval(
        "window.copied = []; window.addEventListener('copy', (event) => window.copied.push(event.clipboardData.getData('text/plain')))",
    );
    let best = "JSON.parse(document.getElementById('data').textContent).tasks.find((task) => task.id === 'none').candidates[0].text";
    let text = browser.text(best);
    assert!(text.lines().count() >= 3 && text.starts_with("def "), "{text}");
    let select = "(from, to) => { const selection = getSelection(); selection.removeAllRanges(); const range = document.createRange();
        range.setStartBefore(from); range.setEndAfter(to); selection.addRange(range); }";
    let program = "document.querySelector('.program')";
    let selected = browser.text(&format!("({select})({program}, {program}); getSelection().toString()"));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words(&selected), words(&text), "neither numbers nor values are selected");
    browser.eval(&format!("({select})({program}.firstChild, {program}.lastChild); document.execCommand('copy')"));
    assert_eq!(browser.text("window.copied.at(-1)"), text);
    let within = format!("({select})({program}.children[1], {program}.children[2]); document.execCommand('copy')");
    browser.eval(&within);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(browser.text("window.copied.at(-1)"), format!("{}\n{}\n", lines[1], lines[2]));
    browser.finish();
}
