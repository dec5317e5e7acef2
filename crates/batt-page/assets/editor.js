// The editor: a program is typed, and the values of its lines follow.
const edit = { from: null, text: "", timer: 0, turn: 0, choices: [], chosen: 0, start: 0 };

programTools.push((now, panel, title) => {
  const tools = title.querySelector(".tools");
  const open = button("quiet", "Edit", () => openEditor(now, panel));
  open.dataset.key = "edit";
  tools.append(open);
});

function openEditor(now, panel) {
  Object.assign(edit, { from: now.one, text: now.one.text, choices: [] });
  const area = make("textarea", "code");
  Object.assign(area, { value: now.one.text, spellcheck: false, autocomplete: "off", rows: linesOf(now.one.text).length + 2 });
  area.setAttribute("aria-label", "Program");
  area.setAttribute("aria-describedby", "editor-findings");
  area.setAttribute("autocapitalize", "off");
  area.id = "editor";
  const marks = make("div", "marks code");
  marks.setAttribute("aria-hidden", "true");
  const lines = make("div", "program values-only");
  const findings = make("div", "findings");
  findings.id = "editor-findings";
  findings.setAttribute("role", "status");
  const list = make("ul", "completions");
  list.id = "completions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Completions");
  list.hidden = true;
  area.setAttribute("aria-autocomplete", "list");
  area.setAttribute("aria-controls", "completions");
  const help = make("div", "word-help");
  const verdict = make("p", "verdict");
  const difference = make("details", "origin", make("summary", "", `Changes of ${now.one.name}`));
  const parts = { area, marks, lines, findings, list, help, verdict, difference, now };
  const close = button("quiet", "Close editor", closeEditor);
  const copy = button("quiet", "Copy as Python", () => copyText(area.value, "Python text"));
  const tools = make("div", "tools", copy);
  if (data.writes) tools.append(button("quiet", "Save to store", () => saveProgram(parts)));
  else tools.append(make("span", "hint", "Read-only: --write allows saving."));
  tools.append(close);
  const title = make("div", "titled", make("h2", "", "Program"), make("span", "", `made from ${now.one.name}`), tools);
  const page = make("div", "editor", make("div", "sheet", marks, area, list), lines);
  panel.replaceChildren(title, verdict, page, findings, help, difference);
  area.addEventListener("input", () => typed(parts));
  area.addEventListener("keydown", (event) => editorKeys(event, parts));
  area.addEventListener("click", () => showHelpAt(parts));
  area.addEventListener("blur", () => setTimeout(() => showChoices(parts, []), 150));
  list.addEventListener("pointerdown", (event) => {
    const item = event.target.closest("li");
    if (!item) return;
    event.preventDefault();
    complete(parts, Number(item.dataset.choice));
  });
  difference.addEventListener("toggle", () => showChanges(parts));
  editing = { task: now.task, program: place.program, one: now.one, panel, redraw: () => redraw(parts) };
  area.focus();
  redraw(parts);
}

function closeEditor() {
  editing = null;
  edit.from = null;
  view.traced = null;
  view.one = null;
  showTask();
}

// A letter is followed by its values: the request goes out at once, and only the answer to the last one counts.
function typed(parts) {
  redraw(parts);
  offer(parts);
  showHelpAt(parts);
}

async function redraw(parts) {
  const { area, now } = parts;
  edit.text = area.value;
  edit.turn += 1;
  const turn = edit.turn;
  area.rows = area.value.split("\n").length + 1;
  let seen;
  try {
    seen = await ask("/api/trace", { text: area.value, task: now.task.id, sample: view.sample });
  } catch (error) {
    seen = { findings: [{ line: 1, column: 1, length: 1, message: error.message, is_error: true }] };
  }
  if (turn !== edit.turn || !area.isConnected) return;
  showSeen(parts, tracedOf(seen));
}

function showSeen(parts, seen) {
  const { area, marks, lines, findings, verdict, now } = parts;
  const text = linesOf(area.value);
  const byLine = new Map();
  for (const one of seen.findings) byLine.set(one.line, [...(byLine.get(one.line) || []), one]);
  const rows = area.value.split("\n").map((line, k) => {
    const row = make("div", "");
    let column = 1;
    for (const one of byLine.get(k + 1) || []) {
      if (one.column < column) continue;
      row.append(line.slice(column - 1, one.column - 1), make("u", one.is_error ? "error" : "warning", line.slice(one.column - 1, one.column - 1 + one.length) || " "));
      column = one.column + one.length;
    }
    row.append(line.slice(column - 1) || "​");
    return row;
  });
  marks.replaceChildren(...rows);
  lines.replaceChildren(...text.map((line, k) => {
    const row = make("div", "line", make("span", "number", String(k + 1)));
    const shown = seen.lines.get(k + 1);
    if (shown) addValues(row, shown);
    else row.append(make("span", "values"));
    row.dataset.line = k + 1;
    return row;
  }));
  findings.replaceChildren(...seen.findings.map((one) => {
    const place = button("linklike", `${one.line}:${one.column}`, () => {
      const start = area.value.split("\n").slice(0, one.line - 1).reduce((sum, line) => sum + line.length + 1, 0) + one.column - 1;
      area.focus();
      area.setSelectionRange(start, start + one.length);
    });
    return make("p", one.is_error ? "error" : "warning", place, ` ${one.message}`, one.help ? make("small", "", ` ${one.help}`) : null);
  }));
  edit.seen = seen;
  if (!seen.outputs) {
    verdict.textContent = "There is no program to run.";
    return;
  }
  const typedOne = { ...now.one, name: seen.name, text: area.value, hash: seen.hash, outputs: seen.outputs, right: seen.right, size: seen.size, fuel: seen.fuel, score: null, origin: "the editor" };
  verdict.replaceChildren(`${seen.right} of ${now.task.demos.length} demos right, ${counted(seen.size, "call")}, ${short(seen.fuel)} fuel. `, tilesOf(now.task, typedOne));
  verdict.classList.toggle("good", seen.right === now.task.demos.length);
  // The sample above shows what is typed.
  view.traced = seen;
  view.one = typedOne;
  if (editing) editing.one = typedOne;
  drawSample();
  if (parts.difference.open) showChanges(parts);
}

function tilesOf(task, one) {
  const tiles = make("span", "tiles");
  for (let k = 0; k < sampleCount(task); k += 1) {
    const verdict = verdictOf(task, one, k);
    const tile = make("span", `tile ${verdict}`, TILES[verdict]);
    tile.setAttribute("role", "img");
    tile.setAttribute("aria-label", `${sampleName(task, k)}: ${verdict}`);
    tiles.append(tile);
  }
  return tiles;
}

function showChanges({ difference, area }) {
  const [summary] = difference.children;
  difference.replaceChildren(summary, ...(difference.open && edit.from ? [diffView(edit.from.text, area.value)] : []));
}

async function offer(parts) {
  const words = await wordsOfLanguage();
  const { area } = parts;
  const { start, choices } = completionsAt(area.value, area.selectionEnd, words);
  edit.start = start;
  showChoices(parts, choices);
}

function showChoices({ list, area, help }, choices) {
  Object.assign(edit, { choices, chosen: 0 });
  list.hidden = choices.length === 0;
  list.replaceChildren(...choices.map((one, k) => {
    const item = make("li", "", make("code", "", one.name), make("span", "", one.signature));
    item.id = `choice-${k}`;
    item.dataset.choice = k;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", String(k === 0));
    return item;
  }));
  if (choices.length) {
    area.setAttribute("aria-activedescendant", "choice-0");
    help.replaceChildren(...(choices[0].doc ? [helpOf(choices[0])] : []));
    const before = area.value.slice(0, edit.start).split("\n");
    list.style.top = `${before.length * 21 + 8}px`;
    list.style.left = `${Math.min(before[before.length - 1].length * 7.6 + 8, Math.max(0, area.clientWidth - 240))}px`;
  } else area.removeAttribute("aria-activedescendant");
}

function complete(parts, number) {
  const { area } = parts;
  const one = edit.choices[number];
  if (!one) return;
  area.setRangeText(one.name, edit.start, area.selectionEnd, "end");
  showChoices(parts, []);
  typed(parts);
  showChoices(parts, []);
}

async function showHelpAt({ area, help, list }) {
  const words = await wordsOfLanguage();
  // What is offered has its own help.
  if (!list.hidden) return;
  const { word } = wordBefore(area.value, area.selectionEnd);
  const name = [word, callAround(area.value, area.selectionEnd)].find((one) => words.some((known) => known.name === one));
  const one = words.find((known) => known.name === name);
  help.replaceChildren(...(one ? [helpOf(one)] : []));
}

function editorKeys(event, parts) {
  const { list, area } = parts;
  if (!list.hidden) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      edit.chosen = (edit.chosen + by + edit.choices.length) % edit.choices.length;
      [...list.children].forEach((item, k) => item.setAttribute("aria-selected", String(k === edit.chosen)));
      area.setAttribute("aria-activedescendant", `choice-${edit.chosen}`);
      parts.help.replaceChildren(...(edit.choices[edit.chosen].doc ? [helpOf(edit.choices[edit.chosen])] : []));
    } else if (event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)) complete(parts, edit.chosen);
    else if (event.key === "Escape") showChoices(parts, []);
    else return;
    event.preventDefault();
    event.stopPropagation();
    return;
  }
  if (event.key === "Escape") {
    // What was typed is not lost by a key: the next thing by Tab is to copy or save it.
    event.preventDefault();
    event.stopPropagation();
    document.querySelector("#program-panel .tools button").focus();
  } else if (event.key === "Enter") {
    // The next line begins where this one does.
    const line = area.value.slice(0, area.selectionStart).split("\n").pop();
    const indent = /^\s*/.exec(line)[0] || (line.startsWith("def ") ? "    " : "");
    event.preventDefault();
    area.setRangeText(`\n${indent}`, area.selectionStart, area.selectionEnd, "end");
    typed(parts);
  }
}

async function saveProgram({ area, now }) {
  const saved = await asked("/api/save", { text: area.value, from: edit.from ? `${edit.from.name} ${edit.from.hash}` : "", task: now.task.id });
  if (!saved) return;
  tell(saved.is_new ? `saved as ${saved.hash}` : "the store has this program already");
  editing = null;
  await reloadTask();
  go({ program: saved.hash, sample: "", line: "" });
}
