//! The workbench, point by point, in one browser on one server: by real keys, clicks and touches.

use serde_json::Value as Json;

use crate::browser::chromium::Browser;
use crate::browser::pages::EVIL;
use crate::browser::served::Served;
use crate::browser::{axe, matrix, views};

/// Goes to a place of the page that is open.
fn go(browser: &mut Browser, place: &str) {
    // Away first, so that the place is new.
    browser.eval("location.hash = ''");
    browser.eval(&format!("location.hash = {}", serde_json::json!(place)));
    browser.settle();
}

/// Opens a task, and waits for its values.
fn open_task(browser: &mut Browser, place: &str) {
    go(browser, place);
    browser.wait_for("document.querySelector('#program-panel .line .values') && document.querySelector('.views figure')");
}

#[test]
fn the_workbench_does_what_its_points_say() {
    let Some(mut browser) = Browser::start() else { return };
    let served = Served::start();
    browser.visit(&served.address);
    assert_eq!(browser.text("location.search"), "", "the token is not in the address any more");
    browser.wait_for("document.querySelectorAll('.card').length === 7");
    let origin = served.origin().to_owned();
    for check in [
        edits_a_program,
        shows_any_program_on_any_sample,
        shows_grids_closely,
        finds_the_line_that_differs,
        finds_by_behaviour,
        shows_the_lineage,
        draws_and_follows,
        keeps_the_place_in_the_address,
        keeps_text_as_text,
        looks_right_everywhere,
        // Last: its run adds as many programs as it has time for, and tasks show only the best.
        shows_runs_as_they_go,
    ] {
        check(&mut browser, &served);
        browser.check(&origin);
    }
}

/// Point 1.
fn edits_a_program(browser: &mut Browser, served: &Served) {
    open_task(browser, "task=half");
    assert_eq!(matrix(browser, 1), "✓✗?");
    browser.click("[data-key=edit]");
    browser.wait_for("document.querySelector('.values-only .values .grid')");
    let caret_behind = |browser: &mut Browser, text: &str| {
        browser.eval(&format!("(() => {{ const area = document.getElementById('editor'); const at = area.value.indexOf('{text}') + '{text}'.length; area.setSelectionRange(at, at); }})()"));
        browser.press(&["Enter"]);
    };
    // A line more, whose value is drawn as soon as it is whole; a word of it is completed by keys.
    caret_behind(browser, "(I):");
    browser.type_text("x1 = vmirr");
    browser.wait_for("document.querySelectorAll('.completions li').length > 0");
    assert_eq!(browser.text("document.querySelector('.completions li code').textContent"), "vmirror");
    assert!(browser.text("document.querySelector('.word-help').textContent").contains("(piece: "));
    browser.press(&["Enter"]);
    browser.type_text("(I)");
    browser.wait_for("document.querySelectorAll('.values-only .values .grid').length === 2");
    // Something wrong is told where it is, and the lines before it keep their values.
    caret_behind(browser, "vmirror(I)");
    browser.type_text("x2 = nosuchword(x1)");
    browser.wait_for("document.querySelector('.marks u.error')");
    assert_eq!(browser.text("document.querySelector('.marks u.error').textContent"), "nosuchword");
    assert!(browser.text("document.querySelector('.findings').textContent").starts_with("3:10"));
    assert_eq!(browser.number("document.querySelectorAll('.values-only .values .grid').length"), 1);
    browser.click(".findings button");
    assert_eq!(browser.text("getSelection().toString()"), "nosuchword");
    browser.type_text("vmirror");
    browser.press(&["Escape"]);
    browser.wait_for("document.querySelectorAll('.values-only .values .grid').length === 3");
    assert!(browser.text("document.querySelector('.verdict').textContent").starts_with("1 of 2 demos right"));
    // What was changed, and then into the store.
    browser.click(".origin summary");
    let added = "[...document.querySelectorAll('.origin .added code')].map((line) => line.textContent.trim()).join('; ')";
    assert_eq!(browser.text(added), "x1 = vmirror(I); x2 = vmirror(x1)");
    browser.screenshot("workbench-editor");
    browser.eval("(() => { const area = document.getElementById('editor'); area.value = area.value.replace('O = hmirror(I)', 'O = hmirror(x2)').replace('solve_flip', 'typed'); area.dispatchEvent(new Event('input')); })()");
    browser.wait_for("document.querySelector('.values-only') && document.querySelector('.verdict').textContent.includes('3 calls')");
    browser.eval("[...document.querySelectorAll('#program-panel .quiet')].find((one) => one.textContent === 'Save to store').click()");
    browser.wait_for("document.querySelector('.matrix').textContent.includes('typed')");
    let listed = served.pages.batt(&["lib", "show", "my.store", "typed"]);
    assert!(listed.contains("workbench, from solve_flip"), "{listed}");
}

/// Points 2 and 3.
fn shows_any_program_on_any_sample(browser: &mut Browser, _: &Served) {
    open_task(browser, "task=half");
    assert_eq!(views(browser), "Input 2×2, Expected 2×2, Got 1 of 4 wrong", "the first sample that is wrong");
    browser.press(&["p"]);
    browser
        .wait_for("document.querySelector('#program-panel .line .values') && new URLSearchParams(location.hash.slice(1)).has('program')");
    browser.click(".matrix tbody tr:last-child td:last-child button");
    browser.wait_for(
        "document.querySelector('[data-sample=\"2\"]').ariaPressed === 'true' && document.querySelector('#program-panel .line .values')",
    );
    assert!(browser.text("document.querySelector('.views').textContent").contains("Hidden until answers are revealed"));
    browser.press(&["a"]);
    browser.wait_for("!document.querySelector('.views').textContent.includes('Hidden')");
    assert!(!browser.text("document.querySelector('.matrix').innerText").contains('?'));
    browser.press(&["a"]);
}

/// Point 4.
fn shows_grids_closely(browser: &mut Browser, _: &Served) {
    open_task(browser, "task=large");
    let side = "document.querySelector('.views .grid').getBoundingClientRect().width";
    assert!(browser.number(&format!("Math.round({side})")) >= 240, "30 cells are at least 8 pixels each");
    let before = browser.number(&format!("Math.round({side})"));
    browser.click("[data-key=zoom-in]");
    assert!(browser.number(&format!("Math.round({side})")) > before);
    browser.press(&["-"]);
    assert_eq!(browser.number(&format!("Math.round({side})")), before);
    // The first cell by the pointer, its neighbour by a key.
    let corner = browser
        .eval("(() => { const box = document.querySelector('.views .grid').getBoundingClientRect(); return [box.x + 3, box.y + 3]; })()");
    browser.click_at(corner[0].as_f64().unwrap(), corner[1].as_f64().unwrap());
    let told = "document.querySelector('.views .cell').textContent";
    assert_eq!(browser.text(told), "row 0, column 0: 0 black");
    browser.press(&["ArrowRight", "ArrowDown"]);
    assert_eq!(browser.text(told), "row 1, column 1: 4 yellow");
    // Got and expected in turn.
    open_task(browser, "task=half");
    browser.press(&["f"]);
    browser.wait_for("document.querySelector('.views figure:last-child b').textContent === 'Expected'");
    browser.wait_for("document.querySelector('.views figure:last-child b').textContent === 'Got'");
    browser.press(&["f"]);
    // Objects of a line are outlined in place on the input.
    open_task(browser, "task=none&line=2");
    browser.click("[data-key=edit]");
    browser.eval("(() => { const area = document.getElementById('editor'); area.value = 'def f(I):\\n    x1 = objects(I, T, F, T)\\n    O = paint(I, merge(x1))\\n    return O\\n'; area.dispatchEvent(new Event('input')); })()");
    browser.wait_for("document.querySelectorAll('.views figure:first-child .outline').length === 1");
    browser.screenshot("workbench-outlines");
    browser.press(&["Escape"]);
}

/// The rest of point 2.
fn finds_the_line_that_differs(browser: &mut Browser, _: &Served) {
    open_task(browser, "task=half");
    let other = browser
        .text("[...document.querySelector('.compare select').options].find((option) => option.textContent.startsWith('solve_open')).value");
    go(browser, &format!("task=half&other={other}"));
    browser.wait_for("document.querySelector('.line.differs')");
    assert_eq!(browser.text("document.querySelector('.line.differs').dataset.line"), "2");
    let told = browser.text("document.querySelector('.compared').textContent");
    assert!(told.contains("Line 2 is the first whose value solve_open does not have on Demo 2") && told.contains("vmirror(I)"), "{told}");
}

/// Point 5.
fn shows_runs_as_they_go(browser: &mut Browser, _: &Served) {
    go(browser, "tab=history");
    browser.wait_for("document.querySelectorAll('.finds a').length === 4 && document.querySelector('.chart[data-chart=fits] .curve')");
    assert!(browser.number("document.querySelectorAll('.finds .grid').length") >= 4);
    let legend = "document.querySelector('.chart[data-chart=fits] .legend').textContent";
    assert_eq!(browser.text(legend), "fitssolvedall 5 tasks");
    assert!(browser.text("document.querySelector('.figures').textContent").contains("swap"));
    browser.click("[data-key='run 1']");
    assert_eq!(browser.text(legend), "Run 2 fitsRun 2 solvedRun 1 fitsRun 1 solvedall 5 tasks");
    let between = browser.text("document.querySelector('.between').innerText");
    assert!(
        between.contains("fits, gained from Run 1 to Run 2: 1 open") && between.contains("fits, lost from Run 1 to Run 2: 1 late"),
        "{between}"
    );
    for across in ["evaluations", "seconds"] {
        browser.click(&format!("[data-key='across {across}']"));
        assert_eq!(browser.text(&format!("document.querySelector(\"[data-key='across {across}']\").ariaPressed")), "true");
    }
    browser.screenshot("workbench-runs");
    // A run of this server: it starts, pauses, goes on and stops, and the page follows.
    let status = |wanted: &str| format!("document.getElementById('session').textContent.startsWith('{wanted}')");
    browser.eval(
        "(() => { const [seed, population] = document.querySelectorAll('#control input'); seed.value = 5; population.value = 20; })()",
    );
    browser.click("[data-action=start]");
    browser.wait_for(&status("Running, run 3"));
    browser.wait_for("document.querySelector(\"[data-key='run 3']\")");
    browser.click("[data-action=pause]");
    browser.wait_for(&status("Paused"));
    browser.click("[data-action=resume]");
    browser.wait_for(&status("Running, run 3"));
    browser.click("[data-action=stop]");
    browser.wait_for(&status("No run"));
}

/// Point 6.
fn shows_the_lineage(browser: &mut Browser, _: &Served) {
    open_task(browser, "task=half");
    let child = "[...document.querySelectorAll('.matrix .name')].find((name) => name.textContent.startsWith('p_'))";
    browser.wait_for(child);
    browser.eval(&format!("{child}.click()"));
    browser.wait_for("location.hash.includes('program') && document.querySelector('#program-panel .line .values')");
    browser.click("[data-key=lineage]");
    browser.wait_for("document.querySelectorAll('.sheet-dialog .generation').length === 2");
    assert_eq!(browser.number("document.querySelectorAll('.sheet-dialog .edge').length"), 1);
    let first = browser.text("document.querySelector('.sheet-dialog .generation').innerText");
    assert!(first.contains("swap, run 1 generation 5") && first.contains("O = vmirror(x1)") && first.contains("changed"), "{first}");
    let last = browser.text("document.querySelectorAll('.sheet-dialog .generation')[1].innerText");
    assert!(last.contains("import from programs.py"), "{last}");
    browser.screenshot("workbench-lineage");
    browser.press(&["Escape"]);
    assert_eq!(browser.text("document.activeElement.dataset.key"), "lineage", "the focus is back");
}

/// Point 7.
fn draws_and_follows(browser: &mut Browser, _: &Served) {
    open_task(browser, "task=half&sample=1");
    browser.click("[data-key=draw]");
    browser.wait_for("document.querySelectorAll('.followers .grid').length >= 3");
    let cells = "document.querySelector('.canvas svg').getAttribute('aria-label')";
    assert_eq!(browser.text(cells), "drawing, 2 by 2");
    let follower = "[...document.querySelectorAll('.followers figure')].find((one) => one.textContent.startsWith('solve_flip')).querySelector('.grid').innerHTML";
    let before = browser.text(follower);
    // A pen stroke by the mouse at the first cell, one by a finger at the last.
    browser.click("[aria-label='7 orange']");
    let box_ = browser.eval("(() => { document.querySelector('.canvas').scrollIntoView({block: 'center'}); const b = document.querySelector('.canvas svg').getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()");
    let at = |i: f64, j: f64| {
        (box_[0].as_f64().unwrap() + box_[2].as_f64().unwrap() * j, box_[1].as_f64().unwrap() + box_[3].as_f64().unwrap() * i)
    };
    let (x, y) = at(0.2, 0.2);
    browser.click_at(x, y);
    browser.wait_for(&format!("{follower} !== {}", Json::from(before)));
    browser.touch(&[at(0.8, 0.8)]);
    let orange = "document.querySelector('.canvas path[fill=\"#ff851b\"]').getAttribute('d').split('M').length - 1";
    browser.wait_for(&format!("{orange} === 2"));
    // A rectangle over all, a flood fill, a copy that is pasted, another size.
    browser.click("[data-tool=rectangle]");
    browser.click("[aria-label='3 green']");
    browser.click(".canvas");
    browser.eval("document.querySelector('.canvas').focus()");
    browser.press(&[" ", "ArrowRight", "ArrowDown", " "]);
    browser.wait_for("document.querySelectorAll('.canvas path[fill]').length === 1");
    browser.click("[data-tool=fill]");
    browser.click("[aria-label='8 sky']");
    browser.click(".canvas");
    browser.wait_for("document.querySelector('.canvas path[fill]').getAttribute('fill') === '#7fdbff'");
    browser.eval("(() => { const rows = document.querySelector('.sheet-dialog input'); rows.value = 3; rows.dispatchEvent(new Event('change')); })()");
    browser.wait_for(&format!("{cells} === 'drawing, 3 by 2'"));
    browser.click("[data-tool=copy]");
    browser.eval("document.querySelector('.canvas').focus()");
    browser.press(&["ArrowUp", "ArrowUp", " ", " "]);
    browser.click("[data-tool=paste]");
    browser.eval("document.querySelector('.canvas').focus()");
    browser.press(&["ArrowDown", "ArrowDown", " "]);
    browser.wait_for("document.querySelectorAll('.canvas path[fill]').length === 2");
    browser.screenshot("workbench-draw");
    // Two pairs are a task, as JSON.
    browser.eval("window.files = []; const real = URL.createObjectURL; URL.createObjectURL = (blob) => { window.files.push(blob); return real.call(URL, blob); }");
    let press = |browser: &mut Browser, text: &str| {
        browser
            .eval(&format!("[...document.querySelectorAll('.sheet-dialog .quiet')].find((one) => one.textContent === '{text}').click()"));
    };
    for _ in 0..2 {
        press(browser, "Take as input");
        press(browser, "Add pair with this output");
    }
    press(browser, "Export JSON");
    let task: Json = serde_json::from_str(&browser.text("window.files[0].text()")).unwrap();
    assert_eq!(task["train"][0]["input"].as_array().unwrap().len(), 3);
    assert_eq!((task["train"].as_array().unwrap().len(), task["test"].as_array().unwrap().len()), (1, 1));
    browser.press(&["Escape"]);
}

/// Point 8.
fn finds_by_behaviour(browser: &mut Browser, _: &Served) {
    open_task(browser, "task=half&sample=0");
    browser.click("[data-key=find]");
    browser.wait_for("document.querySelectorAll('.sheet-dialog figure').length >= 3");
    let head = browser.text("document.querySelector('.sheet-dialog .stack p').textContent");
    assert!(head.contains("programs of") && !head.starts_with("0 "), "{head}");
    let first = browser.text("document.querySelector('.sheet-dialog figure').innerText");
    assert!(first.contains("the same"), "{first}");
    let last = browser.text("[...document.querySelectorAll('.sheet-dialog figure')].at(-1).innerText");
    assert!(!last.contains("the same"), "{last}");
    browser.screenshot("workbench-find");
    browser.press(&["Escape"]);
}

/// Point 10.
fn keeps_the_place_in_the_address(browser: &mut Browser, served: &Served) {
    go(browser, "");
    browser.click("[data-filter=fits]");
    browser.click("#search");
    browser.type_text("mirror");
    browser.wait_for("document.querySelectorAll('.card').length < 7");
    browser.press(&["Enter", "Enter"]);
    browser.wait_for("document.querySelector('#program-panel .line .values')");
    browser.click("[data-key='line 2']");
    let address = browser.text("location.hash");
    for part in ["filter=fits", "q=mirror", "task=", "line=2"] {
        assert!(address.contains(part), "{address} has no {part}");
    }
    // The same address in a new page shows the same place.
    browser.visit(&format!("{}{address}", served.origin()));
    browser.wait_for("document.querySelector('#program-panel .line .values')");
    assert_eq!(browser.text("document.querySelector('[data-key=\"line 2\"]').ariaPressed"), "true");
    assert_eq!(browser.text("document.getElementById('search').value"), "mirror");
    browser.click("[data-sample='1']");
    browser.wait_for("location.hash.includes('sample=1')");
    browser.eval("history.back()");
    browser.wait_for("!location.hash.includes('sample=1')");
    assert_eq!(browser.eval("document.getElementById('detail').hidden"), false);
    // As Python, as SVG, as PNG.
    browser.eval("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }; window.files = []; const made = URL.createObjectURL; URL.createObjectURL = (blob) => { window.files.push(blob); return made.call(URL, blob); }");
    browser.eval("[...document.querySelectorAll('#program-panel .quiet')].find((one) => one.textContent === 'Copy as Python').click()");
    browser.wait_for("window.copied");
    let text = browser.text("window.copied");
    assert!(text.starts_with("def ") && text.ends_with("    return O\n"), "{text}");
    browser.click(".exports button:first-child");
    browser.click(".exports button:last-child");
    browser.wait_for("window.files.length === 2");
    assert!(browser.text("window.files[0].text()").starts_with("<svg"));
    assert_eq!(browser.text("window.files[1].type"), "image/png");
    browser.press(&["Escape", "Escape"]);
}

/// Point 12, as far as a page can show it.
fn keeps_text_as_text(browser: &mut Browser, _: &Served) {
    go(browser, "");
    browser.click("[data-filter=all]");
    open_task(browser, &format!("task={}", EVIL.replace('<', "%3C").replace('=', "%3D").replace('>', "%3E").replace(' ', "%20")));
    assert_eq!(browser.text("document.getElementById('detail-title').textContent"), EVIL);
    assert_eq!(browser.text("String(window.pwned)"), "undefined");
    assert_eq!(browser.number("document.querySelectorAll('img, iframe').length"), 0);
    browser.press(&["Escape"]);
}

/// Point 11: at each width, light and dark, nothing serious for axe-core, nothing wider than the window, and all by Tab.
fn looks_right_everywhere(browser: &mut Browser, served: &Served) {
    let script = axe::script();
    for (width, height) in [(1440, 1000), (1024, 800), (390, 844)] {
        for theme in ["light", "dark"] {
            browser.resize(width, height);
            browser.prefer(theme);
            browser.visit(served.origin());
            browser.wait_for("document.querySelectorAll('.card .grid').length > 3");
            let look = |browser: &mut Browser, what: &str| {
                let what = format!("{what}, {width} px, {theme}");
                let widest = browser.number("Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll('.detail')].map((one) => one.scrollWidth))");
                assert!(widest <= i64::from(width), "{what}: {widest} px");
                if let Some(script) = &script {
                    axe::check(browser, script, &what);
                }
                browser.screenshot(&format!("workbench-{}", what.replace([',', ' '], "")));
            };
            look(browser, "tasks");
            open_task(browser, "task=half");
            look(browser, "task");
            browser.click("[data-key=edit]");
            browser.wait_for("document.querySelector('.values-only .values .grid')");
            look(browser, "editor");
            open_task(browser, "task=half&sample=1");
            browser.click("[data-key=draw]");
            browser.wait_for("document.querySelectorAll('.followers .grid').length >= 3");
            look(browser, "draw");
            browser.press(&["Escape"]);
            go(browser, "tab=history");
            browser.wait_for("document.querySelector('.chart .curve')");
            look(browser, "runs");
            go(browser, "tab=profile");
            browser.wait_for("document.querySelector('#flame .frame')");
            look(browser, "profile");
        }
    }
    keeps_the_focus(browser);
}

/// Tab goes through everything, each with a visible focus, stays in a dialog, and comes back from it.
fn keeps_the_focus(browser: &mut Browser) {
    browser.resize(1440, 1000);
    go(browser, "");
    browser.wait_for("document.getElementById('detail').hidden");
    let mut seen = Vec::new();
    for _ in 0..40 {
        browser.press(&["Tab"]);
        let focus = browser.text("(() => { const e = document.activeElement; return e === document.body ? '' : `${e.tagName} ${e.id || e.dataset.id || e.textContent} ${getComputedStyle(e).outlineStyle}`; })()");
        assert!(focus.is_empty() || focus.ends_with(" solid") || focus.ends_with(" auto"), "{focus}");
        seen.push(focus);
    }
    for wanted in ["A flip", "INPUT search", "SELECT sort", "BUTTON answers", "BUTTON help-open"] {
        assert!(seen.iter().any(|focus| focus.starts_with(wanted)), "{wanted} is not reached: {seen:#?}");
    }
    browser.eval("document.getElementById('help-open').focus()");
    browser.press(&["Enter"]);
    for _ in 0..5 {
        browser.press(&["Tab"]);
        assert_eq!(browser.eval("document.getElementById('help').contains(document.activeElement)"), true);
    }
    browser.press(&["Escape"]);
    assert_eq!(browser.text("document.activeElement.id"), "help-open");
    browser.eval("document.querySelector('.card[data-id=flip]').focus()");
    browser.press(&["Enter"]);
    browser.wait_for("document.querySelector('#program-panel .line .values')");
    for _ in 0..60 {
        browser.press(&["Tab"]);
        assert_eq!(browser.eval("document.getElementById('detail').contains(document.activeElement)"), true);
    }
    browser.press(&["?", "Escape"]);
    assert_eq!(browser.eval("document.getElementById('detail').contains(document.activeElement)"), true, "the task is still there");
    browser.press(&["Escape"]);
    assert_eq!(browser.text("document.activeElement.dataset.id"), "flip");
}
