// Drawing: an input is changed by hand, and what the programs make of it follows. A drawing can become a task.
const drawing = { cells: null, colour: 1, tool: "pen", from: null, copied: null, pairs: [] };
const DRAW_TOOLS = { pen: "Pen", fill: "Flood fill", rectangle: "Rectangle", copy: "Copy", paste: "Paste" };

headTools.push((now, tools) => {
  const open = button("quiet", "Draw", () => openDrawing(now));
  open.dataset.key = "draw";
  open.title = "Change this input, and see what programs make of it";
  tools.append(open);
});

const rowsOf = (text) => {
  const { width, height, cells } = cellsOf(text);
  return Array.from({ length: height }, (_, i) => Array.from({ length: width }, (_, j) => Number(cells[i * width + j]) || 0));
};
const textOfRows = (rows) => `${rows[0].length}:${rows.flat().join("")}`;

// A dialog over the task, with a heading and a button that closes it.
function sheet(heading) {
  const close = () => {
    closeDialog(element);
    element.remove();
  };
  const title = make("h2", "", heading);
  title.id = "sheet-title";
  const body = make("div", "body");
  const element = make("div", "detail sheet-dialog", make("header", "", title, make("div", "steps", button("quiet", "Close", close))), body);
  element.setAttribute("role", "dialog");
  element.setAttribute("aria-modal", "true");
  element.setAttribute("aria-labelledby", "sheet-title");
  element.tabIndex = -1;
  byId("help").before(element);
  openDialog(element, close);
  return body;
}

function openDrawing(now) {
  drawing.cells = rowsOf(sampleAt(now.task, now.sample).input);
  const body = sheet(`Draw: ${now.task.id}, ${sampleName(now.task, now.sample)}`);
  const canvas = make("div", "canvas");
  const followers = make("div", "followers");
  followers.setAttribute("aria-label", "Outputs of the programs");
  followers.setAttribute("role", "group");
  const told = make("output", "cell");
  const parts = { now, canvas, followers, told, body };
  body.append(make("section", "panel drawing", toolsOfDrawing(parts), canvas, told), make("section", "panel", make("div", "titled", make("h2", "", "Outputs"), make("span", "", "They follow every stroke.")), followers), taskPanel(parts));
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "group");
  canvas.setAttribute("aria-label", "Input: arrows move, Space draws, digits choose a colour");
  listenToStrokes(parts);
  paint(parts);
}

function toolsOfDrawing(parts) {
  const palette = make("div", "palette");
  palette.setAttribute("role", "group");
  palette.setAttribute("aria-label", "Colours");
  COLOURS.forEach((colour, k) => {
    const one = make("button", "", make("span", "", String(k)));
    one.type = "button";
    one.style.background = colour;
    one.setAttribute("aria-label", `${k} ${COLOUR_NAMES[k]}`);
    one.setAttribute("aria-pressed", String(k === drawing.colour));
    one.addEventListener("click", () => chooseColour(palette, k));
    palette.append(one);
  });
  const tools = make("div", "chips");
  tools.setAttribute("role", "group");
  tools.setAttribute("aria-label", "Tools");
  for (const [name, label] of Object.entries(DRAW_TOOLS)) {
    const one = button("", label, () => {
      drawing.tool = name;
      for (const chip of tools.children) chip.setAttribute("aria-pressed", String(chip.dataset.tool === name));
    });
    one.dataset.tool = name;
    one.setAttribute("aria-pressed", String(name === drawing.tool));
    tools.append(one);
  }
  const side = (label, get, set) => {
    const field = make("input", "");
    Object.assign(field, { type: "number", min: 1, max: 30, value: get() });
    field.addEventListener("change", () => {
      const wanted = Math.min(30, Math.max(1, Math.round(Number(field.value)) || 1));
      field.value = wanted;
      set(wanted);
      paint(parts);
    });
    return make("label", "", label, field);
  };
  const sized = (height, width) => Array.from({ length: height }, (_, i) => Array.from({ length: width }, (_, j) => (drawing.cells[i] ? drawing.cells[i][j] || 0 : 0)));
  const fields = make("div", "fields",
    side("Rows", () => drawing.cells.length, (rows) => { drawing.cells = sized(rows, drawing.cells[0].length); }),
    side("Columns", () => drawing.cells[0].length, (columns) => { drawing.cells = sized(drawing.cells.length, columns); }),
    button("quiet", "Clear", () => {
      drawing.cells = drawing.cells.map((row) => row.map(() => 0));
      paint(parts);
    }));
  parts.palette = palette;
  return make("div", "drawing", tools, palette, fields);
}

function chooseColour(palette, k) {
  drawing.colour = k;
  [...palette.children].forEach((one, other) => one.setAttribute("aria-pressed", String(other === k)));
}

function listenToStrokes(parts) {
  const { canvas, told } = parts;
  let [start, at] = [null, [0, 0]];
  const cellAt = (event) => {
    const image = canvas.querySelector("svg");
    const box = image.getBoundingClientRect();
    const i = Math.floor(((event.clientY - box.top) / box.height) * drawing.cells.length);
    const j = Math.floor(((event.clientX - box.left) / box.width) * drawing.cells[0].length);
    return i >= 0 && j >= 0 && i < drawing.cells.length && j < drawing.cells[0].length ? [i, j] : null;
  };
  canvas.addEventListener("pointerdown", (event) => {
    const cell = cellAt(event);
    if (!cell) return;
    start = cell;
    canvas.setPointerCapture(event.pointerId);
    if (drawing.tool === "pen") stroke(parts, cell, cell);
  });
  canvas.addEventListener("pointermove", (event) => {
    const cell = cellAt(event);
    if (cell) told.textContent = cellInWords(...cell, String(drawing.cells[cell[0]][cell[1]]));
    if (start && cell && drawing.tool === "pen") stroke(parts, cell, cell);
  });
  canvas.addEventListener("pointerup", (event) => {
    const cell = cellAt(event) || start;
    if (start && drawing.tool !== "pen") stroke(parts, start, cell);
    start = null;
  });
  canvas.addEventListener("pointercancel", () => { start = null; });
  let corner = null;
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (step) at = [Math.min(drawing.cells.length - 1, Math.max(0, at[0] + step[0])), Math.min(drawing.cells[0].length - 1, Math.max(0, at[1] + step[1]))];
    else if (event.key === " ") {
      const isArea = drawing.tool === "rectangle" || drawing.tool === "copy";
      if (isArea && !corner) corner = at;
      else {
        stroke(parts, corner || at, at);
        corner = null;
      }
    } else if (/^\d$/.test(event.key)) chooseColour(parts.palette, Number(event.key));
    else return;
    event.preventDefault();
    event.stopPropagation();
    told.textContent = `${cellInWords(...at, String(drawing.cells[at[0]][at[1]]))}${corner ? "; Space ends the area" : ""}`;
    showCursor(canvas, at);
  });
}

function showCursor(canvas, [i, j]) {
  const cursor = canvas.querySelector(".cursor");
  if (!cursor) return;
  cursor.setAttribute("x", j);
  cursor.setAttribute("y", i);
  cursor.setAttribute("visibility", "visible");
}

// What a tool does between two cells.
function stroke(parts, [i, j], [k, l]) {
  const { cells, colour, tool } = drawing;
  const [top, left, bottom, right] = [Math.min(i, k), Math.min(j, l), Math.max(i, k), Math.max(j, l)];
  if (tool === "pen") cells[k][l] = colour;
  if (tool === "fill") flood(cells, k, l, colour);
  if (tool === "rectangle") for (let row = top; row <= bottom; row += 1) cells[row].fill(colour, left, right + 1);
  if (tool === "copy") {
    drawing.copied = cells.slice(top, bottom + 1).map((row) => row.slice(left, right + 1));
    tell(`${bottom - top + 1} by ${right - left + 1} cells copied`);
  }
  if (tool === "paste" && drawing.copied) {
    drawing.copied.forEach((row, y) => row.forEach((cell, x) => { if (cells[k + y] && cells[k + y][l + x] !== undefined) cells[k + y][l + x] = cell; }));
  }
  paint(parts);
}

function flood(cells, i, j, colour) {
  const before = cells[i][j];
  if (before === colour) return;
  const waiting = [[i, j]];
  while (waiting.length) {
    const [y, x] = waiting.pop();
    if (!cells[y] || cells[y][x] !== before) continue;
    cells[y][x] = colour;
    waiting.push([y - 1, x], [y + 1, x], [y, x - 1], [y, x + 1]);
  }
}

// Draws the grid, and asks what programs make of it.
let followTurn = 0;
async function paint(parts) {
  const { canvas, followers, now } = parts;
  const text = textOfRows(drawing.cells);
  const { width, height } = cellsOf(text);
  const size = Math.max(10, Math.min(36, Math.floor(Math.min(620, window.innerWidth - 80) / Math.max(width, height))));
  const image = svg("svg", { class: "grid", width: size * width, height: size * height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `drawing, ${height} by ${width}` });
  draw(image, text, size, null);
  image.append(svg("rect", { class: "cursor", width: 1, height: 1, visibility: "hidden" }));
  canvas.replaceChildren(image);
  followTurn += 1;
  const turn = followTurn;
  const programs = now.task.candidates.slice(0, 16);
  if (!programs.length) return;
  const answer = await asked("/api/draw", { input: drawing.cells, task: now.task.id, programs: programs.map((one) => one.text) });
  if (!answer || turn !== followTurn || !followers.isConnected) return;
  drawing.outputs = answer.outputs;
  followers.replaceChildren(...answer.outputs.map((output, k) => {
    const shown = output.startsWith("!") ? make("p", "empty", output.slice(1)) : picture(output, 150, { now: true });
    return make("figure", "", make("figcaption", "", programs[k].name), shown);
  }));
}

// A new task of drawings: pairs of a drawing and what it becomes.
function taskPanel(parts) {
  const list = make("div", "followers");
  const show = () => list.replaceChildren(...drawing.pairs.map(([input, output], k) => make("figure", "", make("figcaption", "", `Pair ${k + 1}`), picture(textOfRows(input), 80, { now: true }), picture(textOfRows(output), 80, { now: true }))));
  const copy = (rows) => rows.map((row) => [...row]);
  let input = null;
  const take = button("quiet", "Take as input", () => {
    input = copy(drawing.cells);
    tell("input taken: now draw its output");
  });
  const add = button("quiet", "Add pair with this output", () => {
    if (!input) tell("take an input first");
    else drawing.pairs.push([input, copy(drawing.cells)]);
    input = null;
    show();
  });
  const whole = () => {
    const pairs = drawing.pairs.map(([one, other]) => ({ input: one, output: other }));
    return JSON.stringify({ train: pairs.slice(0, -1), test: pairs.slice(-1) });
  };
  const save = button("quiet", "Export JSON", () => (drawing.pairs.length > 1 ? saveFile("task.json", whole(), "application/json") : tell("a task has two pairs at least; the last is its test")));
  const single = button("quiet", "Export this grid", () => saveFile("grid.json", JSON.stringify(drawing.cells), "application/json"));
  show();
  return make("section", "panel", make("div", "titled", make("h2", "", "New task"), make("span", "", "The last pair is the test.")), make("div", "fields", take, add, save, single), list);
}
