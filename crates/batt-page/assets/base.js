// What all parts use: the data, elements, numbers in words. Text only ever becomes a text node.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

// An element with a class, and text or other elements in it.
function make(tag, className, ...content) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...content.filter((part) => part !== null && part !== undefined));
  return element;
}

function button(className, text, onClick, label = "") {
  const element = make("button", className, text);
  element.type = "button";
  if (label) element.setAttribute("aria-label", label);
  element.addEventListener("click", onClick);
  return element;
}

// Something that may be wider than the page; it scrolls by keys, too.
function scroller(label, content) {
  const box = make("div", "scroller", content);
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", label);
  return box;
}

const grouped = (number) => Math.round(number).toLocaleString("en-US");
const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)}%`;
const counted = (number, noun) => `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;

// A number in few characters: 1,234 is 1.2k.
function short(number) {
  for (const [unit, name] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (Math.abs(number) >= unit) return `${(number / unit).toFixed(number >= 100 * unit ? 0 : 1).replace(/\.0$/, "")}${name}`;
  }
  return Number.isInteger(number) ? String(number) : number.toFixed(2).replace(/0+$/, "").replace(/\.$/, "");
}

function seconds(time) {
  if (time >= 100) return `${time.toFixed(0)} s`;
  if (time >= 1) return `${time.toFixed(2)} s`;
  if (time >= 1e-3) return `${(time * 1e3).toFixed(1)} ms`;
  return `${(time * 1e6).toFixed(0)} µs`;
}

const STATUS = {
  solved: ["solved", "A program fits (it is right on every demo) and is right on every test."],
  fits: ["fits", "A program fits (it is right on every demo); it is wrong on a test, or the test outputs are not known."],
  nearly: ["nearly", "Unsolved: no program fits, and the best is right on at least half of the demos."],
  unsolved: ["unsolved", "No program fits, and none is right on half of the demos."],
};
const isFit = (task) => task.status === "solved" || task.status === "fits";
function statusOf(task) {
  if (!task.status) return "not run yet";
  return task.status === "fits" && task.graded ? "fits, test wrong" : STATUS[task.status][0];
}

function badge(task) {
  const element = make("span", `badge ${task.status || "unknown"}`, make("span", "dot"), statusOf(task));
  element.title = task.status ? STATUS[task.status][1] : "The programs of this task were not run yet.";
  return element;
}

// Samples by position: demos come first, then tests.
const sampleAt = (task, k) => task.demos[k] || task.tests[k - task.demos.length];
const sampleCount = (task) => task.demos.length + task.tests.length;
const isTest = (task, k) => k >= task.demos.length;
const sampleName = (task, k) => (isTest(task, k) ? `Test ${k - task.demos.length + 1}` : `Demo ${k + 1}`);
// What is expected on a sample, as far as the reader wants to know: the answers of tests are shown when they are asked for.
const expectedAt = (task, k) => (isTest(task, k) && !place.answers ? undefined : sampleAt(task, k).output);
// What a program gives on a sample, as a picture where it is right.
const givenAt = (task, one, k) => (one.outputs[k] === "=" && !expectedAt(task, k) ? sampleAt(task, k).output : one.outputs[k]);
// How a program does on a sample: right, wrong, undefined, or unknown.
function verdictOf(task, one, k) {
  const given = one.outputs[k];
  if (given === undefined) return "unknown";
  if (given.startsWith("!")) return "undefined";
  if (!expectedAt(task, k)) return "unknown";
  return given === "=" ? "right" : "wrong";
}
const isWrong = (task, one, k) => ["wrong", "undefined"].includes(verdictOf(task, one, k));
// The first sample that a program has wrong, or -1.
const firstWrong = (task, one = best(task)) => (one ? one.outputs.findIndex((_, k) => isWrong(task, one, k)) : -1);

// What the tasks are ordered by; a task without a program has no figures.
const best = (task) => (task.candidates || [])[0];
function figuresOf(task) {
  const first = best(task);
  return first ? { right: first.right, score: first.score, size: first.size, fuel: first.fuel, demos: task.demos.length } : task.figures;
}
function scoreShare(task) {
  const first = figuresOf(task);
  if (!first || first.demos === 0) return -1;
  const score = first.score === null ? 1000 * first.right : first.score;
  return first.right / first.demos + score / (1e4 * first.demos);
}

// Tells something to whoever looks or listens, for a while.
let toldUntil = 0;
function tell(text) {
  const line = byId("told");
  line.textContent = text;
  line.hidden = false;
  clearTimeout(toldUntil);
  toldUntil = setTimeout(() => { line.hidden = true; }, 4000);
}

async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A page from a file may not have the clipboard; what is selected can be copied all the same.
    const area = make("textarea", "offscreen");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  tell(`${what} copied`);
}

function saveFile(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
