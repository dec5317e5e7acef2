// Grids and patches as SVG, drawn when they come into view. (Canvases make scrolling slow where there is no GPU.)
const COLOURS = ["#000000", "#0074d9", "#ff4136", "#2ecc40", "#ffdc00", "#aaaaaa", "#f012be", "#ff851b", "#7fdbff", "#870c25"];
const OTHER = { "#": "#1b8a84", "?": "#5b4a6b" };
const SVG = "http://www.w3.org/2000/svg";

function svg(tag, attributes, ...content) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content);
  return element;
}

// The cells of a picture: its width, its height, and a character a cell.
function cellsOf(text) {
  const colon = text.indexOf(":");
  const width = Number(text.slice(0, colon));
  const cells = text.slice(colon + 1);
  return { width, height: width ? cells.length / width : 0, cells };
}

// A picture of at most `side` pixels, with a caption, drawn when it comes into view or now. Cells that are not as `expected` are marked;
// every cell has its own colour.
function picture(text, side, { expected = null, caption = "", bad = false, now = false } = {}) {
  const { width, height } = cellsOf(text);
  const size = Math.max(1, Math.min(Math.floor(side / Math.max(width, height, 1)), Math.ceil(side / 3.5)));
  const image = svg("svg", {
    class: "grid",
    width: size * width,
    height: size * height,
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": `${caption || "grid"}, ${height} by ${width}`,
  });
  if (now) draw(image, text, size, expected);
  else lazily(image, () => draw(image, text, size, expected));
  const box = make("div", "picture", image);
  if (caption) box.append(make("span", bad ? "caption bad" : "caption", caption));
  return box;
}

// One path for each colour; neighbours in a row are one rectangle.
function draw(image, text, size, expected) {
  const { width, height, cells } = cellsOf(text);
  const wanted = expected === null ? cells : cellsOf(expected).cells;
  const paths = new Map();
  for (let i = 0; i < height; i += 1) {
    for (let j = 0; j < width;) {
      const first = i * width + j;
      let run = 1;
      while (j + run < width && cells[first + run] === cells[first]) run += 1;
      if (cells[first] !== ".") {
        const fill = OTHER[cells[first]] || COLOURS[cells[first]];
        paths.set(fill, `${paths.get(fill) || ""}M${j} ${i}h${run}v1h${-run}z`);
      }
      j += run;
    }
  }
  for (const [fill, d] of paths) image.append(svg("path", { fill, d }));
  if (size >= 5) {
    const lines = [];
    for (let i = 0; i <= height; i += 1) lines.push(`M0 ${i}h${width}`);
    for (let j = 0; j <= width; j += 1) lines.push(`M${j} 0v${height}`);
    image.append(svg("path", { class: "lines", d: lines.join("") }));
  }
  const { around, across } = marksOf([...cells].map((cell, k) => cell !== wanted[k]), width, height, size);
  if (across) image.append(svg("path", { class: "hatch", d: across }));
  for (const kind of around ? ["casing", "mark"] : []) image.append(svg("path", { class: size >= 9 ? kind : `${kind} thin`, d: around }));
}

// Lines around and across wrong cells, which leave enough of every cell's colour to be seen: a frame in each, where there is room for it,
// or else one around all that touch, with strokes across unless cells are tiny.
function marksOf(wrong, width, height, size) {
  const isWrong = (i, j) => i >= 0 && j >= 0 && i < height && j < width && wrong[i * width + j];
  const inset = 2 / size;
  const side = 1 - 2 * inset;
  let [around, across] = ["", ""];
  wrong.forEach((marked, k) => {
    if (!marked) return;
    const [i, j] = [Math.floor(k / width), k % width];
    if (size >= 9) {
      around += `M${j + inset} ${i + inset}h${side}v${side}h${-side}z`;
      return;
    }
    if (!isWrong(i - 1, j)) around += `M${j} ${i}h1`;
    if (!isWrong(i + 1, j)) around += `M${j} ${i + 1}h1`;
    if (!isWrong(i, j - 1)) around += `M${j} ${i}v1`;
    if (!isWrong(i, j + 1)) around += `M${j + 1} ${i}v1`;
    if (size >= 4) across += `M${j} ${i + 1}l1 -1`;
  });
  return { around, across };
}

// How what is given differs from what is expected, in words.
function difference(output, expected) {
  const [given, wanted] = [cellsOf(output), cellsOf(expected)];
  if (given.width !== wanted.width || given.height !== wanted.height) return { words: `${given.height}×${given.width}, not ${wanted.height}×${wanted.width}`, comparable: false };
  let wrong = 0;
  for (let k = 0; k < given.cells.length; k += 1) wrong += given.cells[k] !== wanted.cells[k];
  return { words: `${wrong} of ${given.cells.length} wrong`, comparable: true };
}

// What a program gives on a sample, beside what is expected.
function outputPicture(output, expected, side, now = false) {
  if (output === undefined) return make("div", "picture", make("span", "empty", "no program"));
  if (output === "=") return picture(expected, side, { caption: "right", now });
  if (output.startsWith("!")) return make("div", "picture", make("span", "empty", output.slice(1)));
  if (expected === undefined || expected === null) return picture(output, side, { caption: "given", now });
  const { words, comparable } = difference(output, expected);
  return picture(output, side, { expected: comparable ? expected : null, caption: words, bad: true, now });
}

// Does something once, when an element comes near to what is seen.
const waiting = new Map();
const observer = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting || !waiting.has(entry.target)) continue;
    const work = waiting.get(entry.target);
    waiting.delete(entry.target);
    observer.unobserve(entry.target);
    work();
  }
}, { rootMargin: "500px 0px" });

function lazily(element, work) {
  waiting.set(element, work);
  observer.observe(element);
}
