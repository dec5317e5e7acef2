// Grids and patches on canvases, drawn when they come into view.
const COLOURS = ["#000000", "#0074d9", "#ff4136", "#2ecc40", "#ffdc00", "#aaaaaa", "#f012be", "#ff851b", "#7fdbff", "#870c25"];
const OTHER = { ".": null, "#": "#1b8a84", "?": "#5b4a6b" };

// The cells of a picture: its width, its height, and a character a cell.
function cellsOf(text) {
  const colon = text.indexOf(":");
  const width = Number(text.slice(0, colon));
  const cells = text.slice(colon + 1);
  return { width, height: width ? cells.length / width : 0, cells };
}

// A picture of at most `side` pixels, with a caption. Against `expected`, right cells are faint and wrong ones framed.
function picture(text, side, { expected = null, caption = "", bad = false } = {}) {
  const box = make("div", "picture");
  const canvas = make("canvas");
  const { width, height } = cellsOf(text);
  const size = Math.max(1, Math.min(Math.floor(side / Math.max(width, height, 1)), Math.ceil(side / 3.5)));
  canvas.style.width = `${size * width}px`;
  canvas.style.height = `${size * height}px`;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${caption || "grid"} ${height} by ${width}`);
  lazily(canvas, () => draw(canvas, text, size, expected));
  box.append(canvas);
  if (caption) box.append(make("span", bad ? "caption bad" : "caption", caption));
  return box;
}

function draw(canvas, text, size, expected) {
  const { width, height, cells } = cellsOf(text);
  const wanted = expected === null ? null : cellsOf(expected);
  const comparable = wanted !== null && wanted.width === width && wanted.height === height;
  const density = Math.min(3, window.devicePixelRatio || 1);
  const scale = Math.max(1, Math.round(size * density));
  canvas.width = scale * width;
  canvas.height = scale * height;
  const context = canvas.getContext("2d");
  const gap = scale >= 5 ? 1 : 0;
  context.fillStyle = "#555555";
  context.fillRect(0, 0, canvas.width, canvas.height);
  const style = getComputedStyle(document.documentElement);
  const surface = style.getPropertyValue("--surface");
  for (let k = 0; k < cells.length; k += 1) {
    const x = (k % width) * scale;
    const y = Math.floor(k / width) * scale;
    const colour = cells[k] in OTHER ? OTHER[cells[k]] : COLOURS[cells[k]];
    const right = comparable && wanted.cells[k] === cells[k];
    if (colour === null) {
      context.fillStyle = style.getPropertyValue("--raised");
      context.fillRect(x, y, scale - gap, scale - gap);
      continue;
    }
    context.fillStyle = colour;
    context.fillRect(x, y, scale - gap, scale - gap);
    if (right) {
      context.globalAlpha = 0.72;
      context.fillStyle = surface;
      context.fillRect(x, y, scale - gap, scale - gap);
      context.globalAlpha = 1;
    } else if (comparable && scale >= 6) {
      const thick = Math.max(1, Math.round(scale / 9));
      context.lineWidth = thick;
      context.strokeStyle = "#ffffff";
      context.strokeRect(x + thick * 0.5, y + thick * 0.5, scale - gap - thick, scale - gap - thick);
      context.strokeStyle = "#000000";
      context.strokeRect(x + thick * 1.5, y + thick * 1.5, scale - gap - 3 * thick, scale - gap - 3 * thick);
    }
  }
}

// What a program gives on a sample, beside what is expected.
function outputPicture(output, expected, side) {
  if (output === undefined) return make("div", "picture", make("span", "empty", "no program"));
  if (output === "=") return picture(expected, side, { caption: "right" });
  if (output.startsWith("!")) return make("div", "picture", make("span", "empty", output.slice(1)));
  if (expected === undefined || expected === null) return picture(output, side, { caption: "not graded" });
  const [given, wanted] = [cellsOf(output), cellsOf(expected)];
  if (given.width !== wanted.width || given.height !== wanted.height) {
    const sizes = `${given.height}×${given.width}, not ${wanted.height}×${wanted.width}`;
    return picture(output, side, { caption: sizes, bad: true });
  }
  let wrong = 0;
  for (let k = 0; k < given.cells.length; k += 1) wrong += given.cells[k] !== wanted.cells[k];
  return picture(output, side, { expected, caption: `${wrong} of ${given.cells.length} wrong`, bad: true });
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
const drawn = new Set();

function lazily(element, work) {
  waiting.set(element, () => {
    if (element instanceof HTMLCanvasElement) {
      element.redraw = work;
      drawn.add(element);
    }
    work();
  });
  observer.observe(element);
}

// Colours of the page are in the pictures too.
function redrawAll() {
  for (const canvas of drawn) {
    if (canvas.isConnected) canvas.redraw();
    else drawn.delete(canvas);
  }
}
