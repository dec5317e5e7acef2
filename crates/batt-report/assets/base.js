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

function button(className, text, onClick) {
  const element = make("button", className, text);
  element.type = "button";
  element.addEventListener("click", onClick);
  return element;
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
  nearly: ["nearly", "No program fits; the best is right on at least half of the demos."],
  unsolved: ["unsolved", "No program is right on half of the demos."],
};
const isFit = (task) => task.status === "solved" || task.status === "fits";
const statusOf = (task) => (task.status === "fits" && task.graded ? "fits, test wrong" : STATUS[task.status][0]);

function badge(task) {
  const element = make("span", `badge ${task.status}`, make("span", "dot"), statusOf(task));
  element.title = STATUS[task.status][1];
  return element;
}

// Samples by position: demos come first, then tests.
const sampleAt = (task, k) => task.demos[k] || task.tests[k - task.demos.length];
const sampleName = (task, k) => (k < task.demos.length ? `Demo ${k + 1}` : `Test ${k - task.demos.length + 1}`);
// Whether a program is known to be wrong on a sample: it gives nothing, or not what is expected.
const isWrong = (task, one, k) => one.outputs[k] !== "=" && (one.outputs[k].startsWith("!") || Boolean(sampleAt(task, k).output));
// The first sample that the best program has wrong, or -1.
const firstWrong = (task) => (best(task) ? best(task).outputs.findIndex((_, k) => isWrong(task, best(task), k)) : -1);

// What the tasks are ordered by; a task without a program has no figures.
const best = (task) => task.candidates[0];
const scoreShare = (task) => {
  const first = best(task);
  if (!first || task.demos.length === 0) return -1;
  const score = first.score === null ? 1000 * first.right : first.score;
  return first.right / task.demos.length + score / (1e4 * task.demos.length);
};
