// One task: every sample with what the best programs give, and the best program line by line.
let returnFocus = null;

function openTask(task) {
  const detail = byId("detail");
  if (detail.hidden) returnFocus = document.activeElement;
  const index = state.shown.indexOf(task);
  if (index >= 0) setCurrent(index);
  const steps = make("div", "steps", button("quiet", "Previous", () => move(-1)), button("quiet", "Next", () => move(1)), button("quiet", "Close", closeTask));
  const title = make("h2", "", task.id);
  title.id = "detail-title";
  const body = make("div", "body", factsOf(task), samplesOf(task));
  const program = make("section", "panel");
  if (best(task)) {
    body.append(program);
    showProgram(program, task, 0, firstWrong(task));
  }
  body.querySelectorAll("th button").forEach((head, k) => {
    head.addEventListener("click", () => {
      showProgram(program, task, k, firstWrong(task));
      program.scrollIntoView({ block: "nearest" });
    });
  });
  detail.replaceChildren(make("header", "", title, badge(task), steps), body);
  detail.scrollTop = 0;
  detail.hidden = false;
  byId("veil").hidden = false;
  document.body.style.overflow = "hidden";
  detail.focus();
  const address = `#${encodeURIComponent(task.id)}`;
  if (location.hash !== address) history.replaceState(null, "", address);
}

function closeTask() {
  byId("detail").hidden = true;
  byId("detail").replaceChildren();
  byId("veil").hidden = true;
  document.body.style.overflow = "";
  history.replaceState(null, "", location.pathname + location.search);
  if (returnFocus && returnFocus.isConnected) returnFocus.focus({ preventScroll: true });
}

function factsOf(task) {
  const list = make("dl", "facts panel");
  const fact = (name, value) => list.append(make("div", "", make("dt", "", name), make("dd", "", value)));
  const first = best(task);
  if (!first) {
    fact("program", "none was proposed");
    return list;
  }
  fact("best program", first.name);
  if (first.origin) fact("from", first.origin);
  fact("demos right", `${first.right} of ${task.demos.length}`);
  if (first.score !== null) fact("score", `${grouped(first.score)} of ${grouped(1000 * task.demos.length)}`);
  if (first.order_dependent) fact("order of sets", "decides what it gives; Python does not fix it");
  fact("calls", grouped(first.size));
  fact("fuel on the demos", grouped(first.fuel));
  if (task.proposed > task.candidates.length) fact("programs", `${task.candidates.length} of ${grouped(task.proposed)} shown`);
  const solver = task.candidates.find((one) => one.solves);
  if (solver && solver !== first) fact("solved by", solver.name);
  return list;
}

function samplesOf(task) {
  const table = make("table", "samples");
  const head = make("tr", "", make("th", ""), make("th", "", "Input"), make("th", "", "Expected"));
  task.candidates.forEach((one, k) => {
    const name = make("button", "", one.name);
    name.type = "button";
    name.title = `${one.name}: show its text`;
    name.dataset.candidate = k;
    const verdict = (one.solves ? "solves the task" : `${one.right}/${task.demos.length} demos`) + (one.order_dependent ? " · order-dependent" : "");
    head.append(make("th", "", name, make("small", "", `${verdict}${one.score === null ? "" : ` · score ${grouped(one.score)}`}`)));
  });
  table.append(make("thead", "", head));
  const body = make("tbody", "");
  [...task.demos, ...task.tests].forEach((sample, k) => {
    const row = make("tr", "", make("td", "", sampleName(task, k)));
    row.append(make("td", "", picture(sample.input, 150, { caption: sizeOf(sample.input) })));
    const known = sample.output ? picture(sample.output, 150, { caption: sizeOf(sample.output) }) : make("div", "picture", make("span", "empty", "not known"));
    row.append(make("td", "", known));
    for (const one of task.candidates) row.append(make("td", "", outputPicture(one.outputs[k], sample.output, 150)));
    body.append(row);
  });
  table.append(body);
  const title = make("div", "titled", make("h2", "", "Samples"));
  if (task.candidates.length) title.append(make("span", "", "Wrong cells are framed or hatched."));
  return make("section", "panel", title, make("div", "scroller", table));
}

function sizeOf(text) {
  const { width, height } = cellsOf(text);
  return `${height}×${width}`;
}

// Names of what is called in the accent colour; `def` and `return` faint.
function codeOf(line) {
  const cell = make("code", "code");
  for (const part of line.split(/(\b[A-Za-z_]\w*\b)/)) {
    if (part === "def" || part === "return") cell.append(make("span", "word", part));
    else if (/^[a-z_]\w*$/.test(part) && !/^x\d+$/.test(part)) cell.append(make("span", "call", part));
    else cell.append(part);
  }
  return cell;
}

// A program, with what its lines give on a sample: the wanted one, if it was traced, or else the first that was.
function showProgram(panel, task, candidate, wanted) {
  const one = task.candidates[candidate];
  const trace = candidate === 0 ? task.trace : null;
  const traced = trace ? trace.samples.find(({ sample }) => sample === wanted) || trace.samples[0] : undefined;
  const title = make("div", "titled", make("h2", "", "Program"), make("span", "", one.origin ? `${one.name} from ${one.origin}` : one.name));
  for (const head of byId("detail").querySelectorAll("th button")) head.setAttribute("aria-pressed", String(head.dataset.candidate === String(candidate)));
  if (traced) {
    const chips = make("div", "chips");
    for (const { sample } of trace.samples) {
      const wrong = isWrong(task, one, sample);
      const chip = button(wrong ? "bad" : "", sampleName(task, sample), () => showProgram(panel, task, candidate, sample));
      chip.title = wrong ? "The output is wrong." : "";
      chip.dataset.sample = sample;
      chip.setAttribute("aria-pressed", String(sample === traced.sample));
      chips.append(chip);
    }
    title.append(chips);
    if (trace.cut) title.append(make("span", "", "Some pictures were left out, so that the page does not become too large."));
  } else if (!trace) title.append(make("span", "", "Only the best program is shown with its values."));
  const listing = make("div", "program");
  const lines = one.text.replace(/\n+$/, "").split("\n");
  lines.forEach((line, k) => {
    const row = make("div", "line", codeOf(line));
    row.dataset.line = k + 1;
    const shown = traced ? traced.steps[k - 1] : undefined;
    if (shown) {
      if (shown.failed) row.classList.add("failed");
      if (shown.words === "not used" || shown.words === "not reached") row.classList.add("idle");
      row.append(valuesOf(shown));
    }
    row.addEventListener("pointerenter", () => markUses(listing, lines, k, true));
    row.addEventListener("pointerleave", () => markUses(listing, lines, k, false));
    listing.append(row);
  });
  listing.addEventListener("copy", copyCode);
  panel.replaceChildren(title, listing);
}

// What is copied of a program is its text alone: no numbers of lines, no values.
function copyCode(event) {
  const selection = window.getSelection();
  const lines = [];
  for (let k = 0; k < selection.rangeCount; k += 1) {
    for (const code of selection.getRangeAt(k).cloneContents().querySelectorAll(".code")) lines.push(code.textContent);
  }
  // Within a line, the browser copies what is selected.
  if (lines.length === 0) return;
  event.clipboardData.setData("text/plain", `${lines.join("\n")}\n`);
  event.preventDefault();
}

// The lines that a line takes its values from.
function markUses(listing, lines, k, on) {
  const used = new Set(lines[k].replace(/^\s*\w+ = /, "").match(/\bx\d+\b|\bO\b/g) || []);
  lines.forEach((line, other) => {
    const name = /^\s*(\w+) = /.exec(line);
    if (name && used.has(name[1])) listing.children[other].classList.toggle("uses", on);
  });
}

function valuesOf(shown) {
  const box = make("div", "values");
  const pictures = shown.pictures || [];
  for (const one of pictures) box.append(picture(one, pictures.length > 1 ? 52 : 76));
  if (shown.more) box.append(make("span", "words", pictures.length ? `and ${grouped(shown.more)} more` : "not drawn"));
  box.append(make("span", pictures.length || shown.more || shown.failed ? "words" : "words literal", shown.words));
  return box;
}
