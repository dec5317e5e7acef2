//! The pages of `batt report` and `batt serve` in a browser: drawn, clicked, typed into, searched, by mouse, by keys and by touch.
//!
//! Where there is no Chromium, each test says so on stderr and is skipped; with `BATT_REQUIRE_CHROMIUM` set it fails.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod axe;
mod chromium;
mod looks;
mod pages;
mod served;
mod workbench;

use chromium::Browser;
use pages::{EVIL, Pages};

/// The ids of the cards that are shown, in order.
fn ids(browser: &mut Browser) -> String {
    browser.text("[...document.querySelectorAll('.card')].map((card) => card.dataset.id).join(' ')")
}

/// The tiles of a program of the open task, from 1.
fn matrix(browser: &mut Browser, program: usize) -> String {
    browser.text(&format!("document.querySelector('.matrix tbody tr:nth-child({program})').innerText.replace(/[^✓✗!?]/g, '')"))
}

/// The grids of the open sample, with what is said of them.
fn views(browser: &mut Browser) -> String {
    browser.text("[...document.querySelectorAll('.views figcaption')].map((caption) => [...caption.children].slice(0, 2).map((part) => part.textContent).join(' ')).join(', ')")
}

/// Orders the cards, and returns their ids.
fn order(browser: &mut Browser, by: &str) -> String {
    // A list that drops down belongs to the system, out of reach of the page's events; its first letters choose as well.
    browser.eval("document.getElementById('sort').focus()");
    browser.type_text(&by[..2]);
    browser.eval("document.activeElement.blur()");
    ids(browser)
}

#[test]
fn every_task_is_drawn_when_it_comes_into_view() {
    let Some(mut browser) = Browser::start() else { return };
    let pages = Pages::new();
    browser.open(&pages.starter());
    assert_eq!(browser.text("document.querySelector('.headline').textContent"), "48of 48 tasks solved, 100.0%; fits 48, 100.0%");
    assert_eq!(browser.number("document.querySelectorAll('.card').length"), 48);
    assert_eq!(browser.text("document.getElementById('about').textContent").split(" · ").nth(2), Some("2001-09-09"));
    // Every cell of the first input is covered by the path of a colour.
    let area = "[...document.querySelectorAll('.card .grid')][0].querySelectorAll('path[fill]')";
    let covered = format!(
        "[...{area}].map((path) => [...path.getAttribute('d').matchAll(/h(\\d+)v/g)].reduce((sum, run) => sum + Number(run[1]), 0)).reduce((a, b) => a + b)"
    );
    let cells = "(() => { const box = document.querySelector('.card .grid').viewBox.baseVal; return box.width * box.height; })()";
    assert_eq!(browser.number(&covered), browser.number(cells));
    let blank = "[...document.querySelectorAll('.card .grid')].filter((grid) => grid.getBoundingClientRect().top < innerHeight && !grid.firstChild).length";
    assert_eq!(browser.number(blank), 0);
    assert!(browser.number("document.querySelectorAll('.card .grid').length") >= 3 * 12);
    browser.screenshot("starter");
    let by_size = order(&mut browser, "size");
    let sizes = browser.eval(&format!(
        "(() => {{ const tasks = JSON.parse(document.getElementById('data').textContent).tasks;
        return '{by_size}'.split(' ').map((id) => tasks.find((task) => task.id === id).candidates[0].size); }})()"
    ));
    let sizes: Vec<u64> = sizes.as_array().unwrap().iter().map(|size| size.as_u64().unwrap()).collect();
    assert!(sizes.is_sorted() && sizes.first() < sizes.last(), "{sizes:?}");
    browser.finish();
}

#[test]
fn a_thousand_tasks_are_there_and_few_are_drawn() {
    let Some(mut browser) = Browser::start() else { return };
    let pages = Pages::new();
    pages.batt(&["data", "generate", "--tasks", "1120", "--seed", "3", "--out", "fresh"]);
    pages.batt(&["report", "--out", "many.html", "--tasks", "fresh", "--programs", "fresh", "--pairing", "own"]);
    browser.open(&pages.path("many.html"));
    assert_eq!(browser.number("document.querySelectorAll('.card').length"), 1120);
    let filled = "document.querySelectorAll('.card .head').length";
    let first = browser.number(filled);
    assert!((12..200).contains(&first), "{first} cards were filled");
    browser.eval("window.scrollTo(0, document.body.scrollHeight)");
    browser.settle();
    let last = browser.number("Number(document.querySelectorAll('.card')[1119].querySelector('.grid path') !== null)");
    assert_eq!(last, 1, "the last card is drawn once it is seen");
    assert!(browser.number(filled) < 400, "the cards between were not");
    browser.finish();
}

#[test]
fn tasks_are_searched_filtered_and_sorted() {
    let Some(mut browser) = Browser::start() else { return };
    let pages = Pages::new();
    browser.open(&pages.mixed());
    assert_eq!(ids(&mut browser), "flip half late none open");
    let statuses = "[...document.querySelectorAll('.card .badge')].map((badge) => badge.textContent).join(' / ')";
    assert_eq!(browser.text(statuses), "solved / nearly / fits, test wrong / unsolved / fits");
    for (filter, expected) in
        [("solved", "flip"), ("nearly", "half"), ("unsolved", "half none"), ("fits", "flip late open"), ("all", "flip half late none open")]
    {
        browser.click(&format!("[data-filter={filter}]"));
        assert_eq!(ids(&mut browser), expected, "{filter}");
        assert_eq!(browser.text("document.querySelector('[aria-pressed=true]').dataset.filter"), filter);
    }
    browser.click("#search");
    browser.type_text("LATE");
    assert_eq!(ids(&mut browser), "late");
    assert_eq!(browser.text("document.getElementById('count').textContent"), "1 of 5 tasks");
    browser.press(&["Escape"]);
    assert_eq!(ids(&mut browser), "flip half late none open");
    // A call of a program, and a name, both of which must be there.
    browser.press(&["/"]);
    browser.type_text("vmirror solve_open");
    assert_eq!(browser.text("document.activeElement.id"), "search");
    assert!(ids(&mut browser).contains("open"));
    browser.type_text(" no_such_word");
    assert_eq!(ids(&mut browser), "");
    assert_eq!(browser.eval("document.getElementById('nothing').hidden"), false);
    browser.press(&["Escape"]);
    let by_score = order(&mut browser, "score");
    assert!(by_score.starts_with("flip late open half"), "{by_score}");
    browser.press(&["r"]);
    assert!(ids(&mut browser).ends_with("flip late open") && ids(&mut browser).starts_with("none half"), "{}", ids(&mut browser));
    // From two cells to nine; equal ones stay in the order of their ids.
    assert_eq!(order(&mut browser, "fuel"), "late open flip half none");
    browser.click("#direction");
    assert_eq!(ids(&mut browser), "none flip half late open");
    browser.finish();
}

#[test]
fn a_task_opens_with_its_samples_and_its_program_line_by_line() {
    let Some(mut browser) = Browser::start() else { return };
    let pages = Pages::new();
    browser.open(&pages.mixed());
    browser.click(".card[data-id=half]");
    assert_eq!(browser.eval("document.getElementById('detail').hidden"), false);
    assert_eq!(browser.text("document.getElementById('detail-title').textContent"), "half");
    assert_eq!(browser.text("location.hash"), "#task=half");
    assert_eq!(matrix(&mut browser, 1), "✓✗?", "the test is not graded until its answer is shown");
    let lines = "[...document.querySelectorAll('.program .line')].map((row) => [...row.children].slice(1).map((part) => part.textContent.trim()).join(' -> ')).join('\\n')";
    let pressed = "document.querySelector('#detail [data-sample][aria-pressed=true]').textContent";
    assert_eq!(browser.text(pressed), "Demo 2", "the first that is wrong");
    assert_eq!(views(&mut browser), "Input 2×2, Expected 2×2, Got 1 of 4 wrong");
    assert_eq!(browser.text(lines), "def solve_flip(I):\nO = hmirror(I) -> grid 2×2\nreturn O");
    browser.click("#detail [data-sample='0']");
    assert_eq!((browser.text(pressed), browser.text(lines).contains("grid 2×1")), ("Demo 1".to_owned(), true));
    assert_eq!(views(&mut browser), "Input 2×1, Expected 2×1, Got right");
    browser.click("#detail [data-sample='2']");
    assert!(browser.text("document.querySelector('.views').textContent").contains("Hidden until answers are revealed"));
    browser.click("#detail-answers");
    assert_eq!((matrix(&mut browser, 1), views(&mut browser)), ("✓✗✓".to_owned(), "Input 2×2, Expected 2×2, Got right".to_owned()));
    browser.click("#detail-answers");
    // A program that is not the best shows its text alone.
    browser.click(".matrix [data-candidate='1']");
    assert!(browser.text("document.querySelector('#detail .titled:has(+ .program)').textContent").contains("Only the best program"));
    // Back goes through all of this, and at last to the list.
    for _ in 0..5 {
        browser.eval("history.back()");
        browser.settle();
    }
    assert_eq!((browser.text(pressed), browser.text("location.hash")), ("Demo 2".to_owned(), "#task=half".to_owned()));
    browser.eval("history.back()");
    browser.settle();
    assert_eq!(browser.eval("document.getElementById('detail').hidden"), true);
    browser.eval("history.forward()");
    browser.settle();
    browser.screenshot("task");
    browser.press(&["Escape"]);
    assert_eq!(browser.eval("document.getElementById('detail').hidden"), true);
    assert_eq!(browser.text("location.hash"), "");
    // What has no answer is told, and so is what is not used.
    browser.click(".card[data-id=open]");
    browser.click("#detail [data-sample='1']");
    assert!(browser.text("document.querySelector('.views').textContent").contains("not known"));
    browser.click_at(20.0, 500.0);
    assert_eq!(browser.eval("document.getElementById('detail').hidden"), true);
    browser.finish();
}

#[test]
fn everything_is_reached_by_keys() {
    let Some(mut browser) = Browser::start() else { return };
    let pages = Pages::new();
    browser.open(&pages.mixed());
    let current = |browser: &mut Browser| browser.text("(document.querySelector('.card.current') || {dataset: {id: ''}}).dataset.id");
    assert_eq!(current(&mut browser), "");
    browser.press(&["j"]);
    assert_eq!(current(&mut browser), "flip");
    browser.press(&["j", "j", "k"]);
    assert_eq!(current(&mut browser), "half");
    browser.press(&["ArrowRight"]);
    assert_eq!(current(&mut browser), "late");
    let columns = browser.number("getComputedStyle(document.getElementById('list')).gridTemplateColumns.split(' ').length");
    browser.press(&["ArrowLeft", "ArrowLeft", "ArrowDown"]);
    assert_eq!(current(&mut browser), ["flip", "half", "late", "none", "open"][(columns as usize).min(4)]);
    browser.press(&["ArrowUp", "Enter"]);
    assert_eq!(browser.text("document.getElementById('detail-title').textContent"), "flip");
    browser.press(&["j"]);
    assert_eq!(browser.text("document.getElementById('detail-title').textContent"), "half");
    let pressed = "document.querySelector('#detail [data-sample][aria-pressed=true]').textContent";
    assert_eq!(browser.text(pressed), "Demo 2");
    browser.press(&["d"]);
    assert_eq!(browser.text(pressed), "Test 1");
    browser.press(&["d"]);
    assert_eq!(browser.text(pressed), "Demo 1");
    browser.press(&["Escape", "?"]);
    assert_eq!(browser.eval("document.getElementById('help').hidden"), false);
    assert!(browser.number("document.querySelectorAll('#help kbd').length") >= 10);
    browser.press(&["Escape", "2"]);
    assert_eq!(browser.eval("document.getElementById('history').hidden"), false);
    browser.press(&["3"]);
    assert_eq!(browser.eval("document.getElementById('profile').hidden"), false);
    browser.press(&["1", "t"]);
    assert_eq!(browser.eval("document.getElementById('tasks').hidden"), false);
    assert_eq!(browser.text("document.documentElement.dataset.theme"), "dark");
    browser.finish();
}

#[test]
fn dark_and_light_follow_the_system_until_they_are_switched() {
    let Some(mut browser) = Browser::start() else { return };
    let pages = Pages::new();
    browser.prefer("dark");
    browser.open(&pages.starter());
    let background = "getComputedStyle(document.body).backgroundColor";
    let dark = browser.text(background);
    browser.screenshot("dark");
    browser.prefer("light");
    let light = browser.text(background);
    assert_ne!(dark, light);
    browser.click("#theme");
    assert_eq!(browser.text(background), dark, "the switch");
    browser.prefer("dark");
    browser.prefer("light");
    assert_eq!(browser.text(background), dark, "what was chosen stays");
    browser.finish();
}

#[test]
fn runs_and_profiles_are_charts() {
    let Some(mut browser) = Browser::start() else { return };
    let pages = Pages::new();
    browser.open(&pages.mixed());
    browser.click("[data-tab=history]");
    let charts = "[...document.querySelectorAll('#history .chart h3')].map((title) => title.textContent).join(', ')";
    assert_eq!(browser.text(charts), "Tasks that a program fits, and tasks solved, Score, Mean size of programs, Different behaviours");
    let points = "document.querySelector('#history .curve').getAttribute('d').split('L').length";
    assert_eq!(browser.number(points), 20);
    // Axes begin at 0 and have round numbers; the ceiling is drawn.
    let ticks = "[...document.querySelectorAll('#history .chart')].map((chart) => [...chart.querySelectorAll('.tick')].map((tick) => tick.textContent).join(' ')).slice(0, 1).join('')";
    assert_eq!(browser.text(ticks), "0 5 10 15");
    assert_eq!(browser.text("document.querySelector('#history .chart .legend').textContent"), "fitsall 2 tasks");
    browser.click("[data-key='across seconds']");
    assert_eq!(browser.text(ticks), "0 10 20 30");
    assert!(browser.text("document.querySelector('#history table').textContent").contains("insert1,00020.0%2002.0%"));
    browser.screenshot("history");
    browser.click("[data-tab=profile]");
    let names = "[...document.querySelectorAll('#profile td code')].map((cell) => cell.textContent).join(' ')";
    assert_eq!(browser.text(names), "objects fill merge");
    let phases = "[...document.querySelectorAll('#profile .phases i')].map((piece) => piece.title).join(', ')";
    assert_eq!(browser.text(phases), "load: 100.0 ms, card: 150.0 ms, execute: 1.70 s, validate: 50.0 ms");
    let frames = "[...document.querySelectorAll('#flame g')].filter((g) => g.style.display !== 'none')
        .map((g) => g.querySelector('title').textContent.split(' ')[0]).sort().join(' ')";
    assert_eq!(browser.text(frames), "all batt execute fill load objects");
    browser.eval("[...document.querySelectorAll('#flame g')].find((g) => g.textContent.startsWith('objects')).id = 'wanted'");
    browser.click("#wanted rect");
    assert_eq!(browser.text("document.querySelector('#wanted rect').getAttribute('width')"), "1199");
    assert_eq!(browser.text(frames), "all batt execute objects");
    // Frames are reached by keys, and found.
    browser.eval("document.querySelector('#flame g[tabindex=\"0\"]').focus()");
    browser.press(&["Backspace", "ArrowDown", "ArrowUp", "ArrowRight", "Enter"]);
    assert!(browser.text("document.activeElement.getAttribute('aria-label')").starts_with("objects"), "the widest is above the others");
    browser.click("#flame input");
    browser.type_text("fill");
    assert_eq!(browser.number("document.querySelectorAll('#flame .found').length"), 1);
    assert!(browser.text("document.querySelector('#flame output').textContent").starts_with("25.00%"));
    browser.screenshot("profile");
    browser.finish();
}

#[test]
fn text_from_files_stays_text() {
    let Some(mut browser) = Browser::start() else { return };
    let pages = Pages::new();
    browser.open(&pages.evil());
    assert_eq!(browser.text("document.querySelector('h1').textContent"), EVIL);
    assert_eq!(browser.text("document.title"), EVIL);
    assert_eq!(browser.text("document.querySelector('.card code').textContent"), EVIL);
    browser.click(".card");
    assert_eq!(browser.text("document.getElementById('detail-title').textContent"), EVIL);
    assert!(browser.text("document.querySelector('#detail .facts').textContent").contains(EVIL));
    browser.press(&["Escape", "3"]);
    browser.settle();
    assert_eq!(browser.text("document.querySelector('#profile td code').textContent"), EVIL);
    assert!(browser.text("document.getElementById('flame').textContent").contains(EVIL));
    let rows = "document.querySelectorAll('#profile td code').length";
    assert_eq!(browser.number(rows), 25, "the rest is shown on demand");
    browser.click("#profile .more");
    assert_eq!(browser.number(rows), 30);
    assert_eq!(browser.number("document.querySelectorAll('img, iframe, #flame script').length"), 0);
    assert_eq!(browser.number("document.querySelectorAll('script').length"), 2);
    assert_eq!(browser.text("String(window.pwned)"), "undefined");
    browser.finish();
}
