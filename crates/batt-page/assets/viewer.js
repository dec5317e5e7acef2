// Grids to be looked at closely: in any size, cell by cell, and against what was expected.
const COLOUR_NAMES = ["black", "blue", "red", "green", "yellow", "grey", "magenta", "orange", "sky", "maroon"];
const ZOOMS = [0.5, 1, 1.5, 2, 3, 4];
let zoomStep = 1;

// A grid with its name. The reader's place in it is told as row, column and colour, by the pointer or by arrows.
function gridView(text, name, { expected = null, outlines = [], side = 330, note = "", bad = false, saved = "grid" } = {}) {
  const { width, height, cells } = cellsOf(text);
  const fitting = Math.min(Math.floor(side / Math.max(width, height, 1)), 44);
  const size = Math.max(2, Math.round(Math.max(fitting, 8) * ZOOMS[zoomStep]));
  const image = svg("svg", { class: "grid", width: size * width, height: size * height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${name}, ${height} by ${width}` });
  draw(image, text, size, expected);
  for (const d of outlines) for (const kind of ["casing", "outline"]) image.append(svg("path", { class: kind, d }));
  const cursor = svg("rect", { class: "cursor", width: 1, height: 1, visibility: "hidden" });
  image.append(cursor);
  const told = make("output", "cell");
  const window = make("div", "window", image);
  window.tabIndex = 0;
  window.setAttribute("role", "group");
  window.setAttribute("aria-label", `${name}: arrows read its cells`);
  let at = null;
  const look = (i, j) => {
    at = [i, j];
    cursor.setAttribute("x", j);
    cursor.setAttribute("y", i);
    cursor.setAttribute("visibility", "visible");
    told.textContent = cellInWords(i, j, cells[i * width + j]);
  };
  window.addEventListener("pointermove", (event) => {
    const box = image.getBoundingClientRect();
    const [i, j] = [Math.floor((event.clientY - box.top) / size), Math.floor((event.clientX - box.left) / size)];
    if (i >= 0 && j >= 0 && i < height && j < width) look(i, j);
  });
  window.addEventListener("pointerleave", () => {
    cursor.setAttribute("visibility", "hidden");
    told.textContent = "";
  });
  window.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const [i, j] = at ? [at[0] + step[0], at[1] + step[1]] : [0, 0];
    if (i >= 0 && j >= 0 && i < height && j < width) look(i, j);
  });
  const exports = make("span", "exports",
    button("tiny", "SVG", () => saveFile(`${saved}.svg`, standaloneSvg(image), "image/svg+xml"), `Save as SVG: ${name}`),
    button("tiny", "PNG", () => savePng(text, `${saved}.png`), `Save as PNG: ${name}`));
  const caption = make("figcaption", "", make("b", "", name), make("span", bad ? "bad" : "", note), exports);
  return make("figure", "view", caption, window, told);
}

function cellInWords(i, j, cell) {
  if (cell === ".") return `row ${i}, column ${j}: no cell`;
  if (cell === "#") return `row ${i}, column ${j}: a location`;
  return `row ${i}, column ${j}: ${cell} ${COLOUR_NAMES[cell] || "no colour of ARC"}`;
}

// The path around the cells of a patch, at its place.
function outlineOf(text, [top, left]) {
  const { width, height, cells } = cellsOf(text);
  const has = (i, j) => i >= 0 && j >= 0 && i < height && j < width && cells[i * width + j] !== ".";
  let around = "";
  for (let i = 0; i < height; i += 1) {
    for (let j = 0; j < width; j += 1) {
      if (!has(i, j)) continue;
      const [y, x] = [i + top, j + left];
      if (!has(i - 1, j)) around += `M${x} ${y}h1`;
      if (!has(i + 1, j)) around += `M${x} ${y + 1}h1`;
      if (!has(i, j - 1)) around += `M${x} ${y}v1`;
      if (!has(i, j + 1)) around += `M${x + 1} ${y}v1`;
    }
  }
  return around;
}

const outlinesOf = (step) => (step && step.at ? step.pictures.map((text, k) => outlineOf(text, step.at[k])).filter(Boolean) : []);

// The picture as a file of its own, with the lines that the page's style gives it.
function standaloneSvg(image) {
  const copy = image.cloneNode(true);
  copy.setAttribute("xmlns", SVG);
  for (const one of copy.querySelectorAll(".cursor")) one.remove();
  const style = svg("style", {}, "path{vector-effect:non-scaling-stroke}.lines{fill:none;stroke:#777;stroke-opacity:.55}.casing{fill:none;stroke:#fff;stroke-width:3px}.mark,.outline{fill:none;stroke:#000}.hatch{fill:none;stroke:#fff}");
  copy.prepend(style);
  return new XMLSerializer().serializeToString(copy);
}

function savePng(text, name) {
  const { width, height, cells } = cellsOf(text);
  const size = Math.max(8, Math.floor(600 / Math.max(width, height)));
  const canvas = make("canvas", "");
  [canvas.width, canvas.height] = [width * size + 1, height * size + 1];
  const context = canvas.getContext("2d");
  context.fillStyle = "#777777";
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (let k = 0; k < cells.length; k += 1) {
    context.fillStyle = cells[k] === "." ? "#eceef1" : OTHER[cells[k]] || COLOURS[cells[k]];
    context.fillRect((k % width) * size + 1, Math.floor(k / width) * size + 1, size - 1, size - 1);
  }
  canvas.toBlob((blob) => saveFile(name, blob));
}

// Shows what was given and what was expected in turn, at the same place.
let flickering = 0;
function stopFlicker() {
  clearInterval(flickering);
  flickering = 0;
}

function flicker(given, expected, show) {
  stopFlicker();
  let isGiven = true;
  const turn = () => {
    isGiven = !isGiven;
    show(isGiven ? given : expected, isGiven ? "Got" : "Expected");
  };
  turn();
  flickering = setInterval(turn, 500);
}
