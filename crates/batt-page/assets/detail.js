// One task: which programs are right on which samples, one sample closely, and one program line by line.
const view = { task: null, one: null, sample: 0, traced: null, turn: 0 };
// The program that is being changed, if one is: { task, program, one, panel, redraw }.
let editing = null;

// Shows the task of the address, or none.
async function showTask() {
  const task = data.tasks.find((known) => known.id === place.task);
  const detail = byId("detail");
  stopFlicker();
  if (!task) {
    view.task = null;
    if (!detail.hidden) {
      closeDialog(detail);
      detail.replaceChildren();
    }
    return;
  }
  const index = state.shown.indexOf(task);
  if (index >= 0 && index !== state.current) setCurrent(index, false);
  const isNew = view.task !== task;
  view.turn += 1;
  const turn = view.turn;
  if (isNew) {
    editing = null;
    view.task = task;
    view.one = null;
    detail.replaceChildren(headOf(task), make("div", "body", make("p", "hint", "Running programs…")));
    openDialog(detail, closeTask);
    detail.scrollTop = 0;
  }
  await source.load(task);
  if (turn !== view.turn) return;
  if (editing && (editing.task !== task || editing.program !== place.program)) editing = null;
  const one = editing ? editing.one : task.candidates.find((known) => known.hash === place.program) || best(task) || null;
  const wanted = place.sample === "" ? Math.max(0, firstWrong(task, one || undefined)) : Number(place.sample);
  const sample = Number.isInteger(wanted) && wanted >= 0 && wanted < sampleCount(task) ? wanted : 0;
  const isSame = !isNew && view.one === one && view.sample === sample;
  Object.assign(view, { one, sample });
  if (!isSame) view.traced = null;
  drawTask();
  if (editing && !view.traced) editing.redraw();
  else if (one && !view.traced) {
    const traced = await source.trace(task, one, sample);
    if (turn !== view.turn) return;
    view.traced = traced;
    drawSample();
    drawProgram();
  }
}

function closeTask() {
  go({ task: "", program: "", sample: "", line: "", other: "" });
}

function headOf(task) {
  const title = make("h2", "", task.id);
  title.id = "detail-title";
  const answers = button("quiet", place.answers ? "Hide answers" : "Reveal answers", toggleAnswers);
  answers.setAttribute("aria-pressed", String(Boolean(place.answers)));
  answers.id = "detail-answers";
  const steps = make("div", "steps", answers, button("quiet", "Previous", () => move(-1)), button("quiet", "Next", () => move(1)), button("quiet", "Close", closeTask));
  return make("header", "", title, badge(task), steps);
}

// Draws all parts. What the reader has the focus on keeps it, by its key.
function drawTask() {
  const detail = byId("detail");
  const { task, one } = view;
  const key = document.activeElement && detail.contains(document.activeElement) ? document.activeElement.dataset.key : "";
  const scroll = detail.scrollTop;
  const body = make("div", "body", factsOf(task, one), matrixOf(task), make("section", "panel", ""), editing ? editing.panel : make("section", "panel", ""));
  body.children[2].id = "sample-panel";
  body.children[3].id = "program-panel";
  for (const panel of panels) {
    const section = panel(view);
    if (section) body.append(section);
  }
  detail.replaceChildren(headOf(task), body);
  drawSample();
  drawProgram();
  detail.scrollTop = scroll;
  const again = key && [...detail.querySelectorAll("[data-key]")].find((element) => element.dataset.key === key);
  if (again) again.focus({ preventScroll: true });
  else if (!detail.contains(document.activeElement) && dialogs.length && dialogs[dialogs.length - 1].element === detail) detail.focus();
}

function factsOf(task, one) {
  const list = make("dl", "facts panel");
  const fact = (name, value) => list.append(make("div", "", make("dt", "", name), make("dd", "", value)));
  if (!one) {
    fact("program", "none was proposed");
    return list;
  }
  fact(one === best(task) ? "best program" : "program", one.name);
  if (one.origin) fact("from", one.origin);
  fact("demos right", `${one.right} of ${task.demos.length}`);
  if (one.score !== null) fact("score", `${grouped(one.score)} of ${grouped(1000 * task.demos.length)}`);
  if (one.order_dependent) fact("order of sets", "decides what it gives; Python does not fix it");
  fact("calls", grouped(one.size));
  fact("fuel on the demos", grouped(one.fuel));
  if (task.proposed > task.candidates.length) fact("programs", `${task.candidates.length} of ${grouped(task.proposed)} shown`);
  const solver = task.candidates.find((known) => known.solves);
  if (solver && solver !== one) fact("solved by", solver.name);
  return list;
}

// Programs and samples, a tile for each pair.
const TILES = { right: "✓", wrong: "✗", undefined: "!", unknown: "?" };
function matrixOf(task) {
  const title = make("div", "titled", make("h2", "", "Programs and samples"), make("span", "", "✓ right, ✗ wrong, ! undefined, ? not graded"));
  const panel = make("section", "panel", title);
  if (!task.candidates.length) return panel;
  const table = make("table", "matrix");
  const head = make("tr", "", make("th", "", "Program"));
  const count = sampleCount(task);
  for (let k = 0; k < count; k += 1) {
    const cell = make("th", "", (isTest(task, k) ? "T" : "D") + (isTest(task, k) ? k - task.demos.length + 1 : k + 1));
    cell.title = sampleName(task, k);
    cell.scope = "col";
    head.append(cell);
  }
  table.append(make("thead", "", head));
  const body = make("tbody", "");
  task.candidates.forEach((one, number) => {
    const name = button("name", one.name, () => go({ program: one.hash, sample: "", line: "" }));
    name.dataset.candidate = number;
    name.dataset.key = `program ${one.hash}`;
    name.setAttribute("aria-pressed", String(one === view.one));
    name.title = `${one.name}${one.solves ? ", solves the task" : ""}`;
    const first = make("th", "", name);
    first.scope = "row";
    const row = make("tr", one === view.one ? "chosen" : "", first);
    for (let k = 0; k < count; k += 1) {
      const verdict = verdictOf(task, one, k);
      const tile = button(`tile ${verdict}`, TILES[verdict], () => go({ program: one.hash, sample: k, line: "" }), `${one.name}, ${sampleName(task, k)}: ${verdict}`);
      tile.dataset.key = `tile ${one.hash} ${k}`;
      tile.setAttribute("aria-pressed", String(one === view.one && k === view.sample));
      row.append(make("td", "", tile));
    }
    body.append(row);
  });
  table.append(body);
  panel.append(scroller("Programs and samples", table));
  return panel;
}

// One sample: input, what is expected, what the program gives.
function drawSample() {
  const panel = byId("sample-panel");
  const { task, one, sample } = view;
  if (!panel || !sampleAt(task, sample)) return;
  const chips = make("div", "chips");
  for (let k = 0; k < sampleCount(task); k += 1) {
    const wrong = one && isWrong(task, one, k);
    const chip = button(wrong ? "bad" : "", sampleName(task, k), () => go({ sample: k, line: "" }));
    chip.dataset.sample = k;
    chip.dataset.key = `sample ${k}`;
    chip.title = wrong ? "The output is wrong." : "";
    chip.setAttribute("aria-pressed", String(k === sample));
    chips.append(chip);
  }
  const tools = make("div", "tools");
  const resize = (by) => () => {
    zoomStep = Math.min(ZOOMS.length - 1, Math.max(0, zoomStep + by));
    drawSample();
  };
  const zoomed = (key, text, by, label) => {
    const element = button("quiet", text, resize(by), label);
    element.dataset.key = key;
    return element;
  };
  tools.append(zoomed("zoom-out", "−", -1, "Smaller grids"), zoomed("zoom-in", "+", 1, "Larger grids"));
  const focused = document.activeElement && panel.contains(document.activeElement) ? document.activeElement.dataset.key : "";
  const views = viewsOf(task, one, sample, tools);
  panel.replaceChildren(make("div", "titled", make("h2", "", "Sample"), chips, tools), views);
  for (const tool of headTools) tool(view, tools);
  const again = focused && panel.querySelector(`[data-key="${focused}"]`);
  if (again) again.focus({ preventScroll: true });
}

function viewsOf(task, one, k, tools) {
  const sample = sampleAt(task, k);
  const expected = expectedAt(task, k);
  const given = one ? givenAt(task, one, k) : undefined;
  const step = view.traced && place.line ? view.traced.lines.get(Number(place.line)) : null;
  const saved = `${task.id}-${sampleName(task, k).toLowerCase().replace(" ", "")}`;
  const room = Math.min(360, Math.max(240, byId("detail").clientWidth - 80));
  const views = make("div", "views", gridView(sample.input, "Input", { side: room, note: sizeOf(sample.input), outlines: outlinesOf(step), saved: `${saved}-input` }));
  if (expected) views.append(gridView(expected, "Expected", { side: room, note: sizeOf(expected), saved: `${saved}-expected` }));
  else views.append(make("figure", "view", make("figcaption", "", make("b", "", "Expected")), make("p", "empty", sample.output ? "Hidden until answers are revealed." : "not known")));
  if (given === undefined) return views;
  if (given.startsWith("!")) {
    views.append(make("figure", "view", make("figcaption", "", make("b", "", "Got")), make("p", "empty", given.slice(1))));
    return views;
  }
  const output = given === "=" ? expected : given;
  const { words, comparable } = expected && given !== "=" ? difference(given, expected) : { words: expected ? "right" : "not graded", comparable: false };
  const isBad = Boolean(expected) && given !== "=";
  const options = { side: room, note: words, bad: isBad, saved: `${saved}-got` };
  const got = gridView(output, "Got", { ...options, expected: comparable ? expected : null });
  views.append(got);
  if (isBad) {
    const flip = button("quiet", "Flicker", () => {
      const on = !flickering;
      flip.setAttribute("aria-pressed", String(on));
      let shown = views.lastChild;
      const show = (text, name) => {
        const next = gridView(text, name, { ...options, note: name === "Got" ? words : "for comparison", bad: false });
        shown.replaceWith(next);
        shown = next;
      };
      if (on) flicker(output, expected, show);
      else drawSample();
      if (!on) stopFlicker();
    });
    flip.dataset.key = "flicker";
    flip.setAttribute("aria-pressed", "false");
    flip.title = "Got and expected in turn, at the same place (f)";
    tools.append(flip);
  }
  return views;
}

function sizeOf(text) {
  const { width, height } = cellsOf(text);
  return `${height}×${width}`;
}

function drawProgram() {
  const panel = byId("program-panel");
  const { task, one, traced } = view;
  if (!panel) return;
  if (!one) {
    panel.remove();
    return;
  }
  if (editing) return;
  const title = make("div", "titled", make("h2", "", "Program"), make("span", "", one.origin ? `${one.name} from ${one.origin}` : one.name));
  title.append(make("div", "tools", button("quiet", "Copy as Python", () => copyText(one.text, "Python text"))));
  if (traced && traced.cut) title.append(make("span", "", "Some pictures were left out, so that the page does not become too large."));
  if (!traced && !data.served) {
    const known = one === best(task) && task.trace ? task.trace.samples.map(({ sample }) => sampleName(task, sample)).join(", ") : "";
    title.append(make("span", "hint", known ? `Values were computed on ${known}.` : "Only the best program is shown with its values."));
  }
  const listing = listingOf(one.text, traced, Number(place.line), (line) => go({ line: String(line) === place.line ? "" : line }, { replace: true }));
  panel.replaceChildren(title, listing);
  for (const tool of programTools) tool(view, panel, title);
}
// What the workbench adds to a program.
const programTools = [];
