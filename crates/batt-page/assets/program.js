// A program line by line, with what its lines give on the sample that is looked at.

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

const linesOf = (text) => text.replace(/\n+$/, "").split("\n");

// The lines of a program; `onLine` is told which one is chosen.
function listingOf(text, traced, chosen, onLine) {
  const listing = make("div", "program");
  const lines = linesOf(text);
  lines.forEach((line, k) => {
    const number = button("number", String(k + 1), () => onLine(k + 1), `Line ${k + 1}`);
    number.dataset.key = `line ${k + 1}`;
    number.setAttribute("aria-pressed", String(k + 1 === chosen));
    const row = make("div", "line", number, codeOf(line));
    row.dataset.line = k + 1;
    const shown = traced && traced.lines.get(k + 1);
    if (shown) addValues(row, shown);
    row.addEventListener("pointerenter", () => markUses(listing, lines, k, true));
    row.addEventListener("pointerleave", () => markUses(listing, lines, k, false));
    listing.append(row);
  });
  listing.addEventListener("copy", copyCode);
  return listing;
}

function addValues(row, shown) {
  row.classList.toggle("failed", Boolean(shown.failed));
  row.classList.toggle("idle", shown.words === "not used" || shown.words === "not reached");
  row.append(valuesOf(shown));
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

// The lines of two texts, each with whether it is in both, only before, or only after.
function diffLines(before, after) {
  const [a, b] = [linesOf(before), linesOf(after)];
  const common = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
  }
  const lines = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push([" ", a[i]]);
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && common[i + 1][j] >= common[i][j + 1])) {
      lines.push(["-", a[i]]);
      i += 1;
    } else {
      lines.push(["+", b[j]]);
      j += 1;
    }
  }
  return lines;
}

const DIFF_WORDS = { "+": "added", "-": "removed", " ": "" };
function diffView(before, after, { onlyChanges = false } = {}) {
  const list = make("div", "diff");
  const lines = diffLines(before, after).filter(([kind]) => !onlyChanges || kind !== " ");
  for (const [kind, line] of lines) {
    const mark = make("span", "sign", kind);
    mark.setAttribute("aria-label", DIFF_WORDS[kind]);
    mark.setAttribute("role", "img");
    if (kind === " ") mark.setAttribute("aria-hidden", "true");
    list.append(make("div", { "+": "added", "-": "removed", " ": "" }[kind], mark, make("code", "", line)));
  }
  if (lines.every(([kind]) => kind === " ")) list.append(make("p", "hint", "No line differs."));
  return list;
}
