// The list of tasks: search, filter, order, and which one is current.
const FILTERS = [
  ["all", "All", () => true],
  ["solved", "Solved", (task) => task.status === "solved"],
  ["fits", "Fits", isFit],
  ["nearly", "Nearly", (task) => task.status === "nearly"],
  ["unsolved", "Unsolved", (task) => (task.graded ? task.status !== "solved" : !isFit(task))],
];
const ORDERS = {
  id: () => 0,
  score: (task) => scoreShare(task),
  size: (task) => (best(task) ? best(task).size : Infinity),
  fuel: (task) => (best(task) ? best(task).fuel : Infinity),
};
const state = { filter: "all", order: "id", reverse: false, search: "", current: -1, shown: [] };
const cards = new Map();
const THUMBNAIL = 80;

function thumbnail(text, caption) {
  return picture(text, THUMBNAIL, { caption, now: true });
}

function fillCard(card, task) {
  const name = make("code", "", task.id);
  name.title = task.id;
  const trio = make("div", "trio");
  const first = best(task);
  // The first sample that the best program has wrong says more than one that it has right.
  const shown = Math.max(0, firstWrong(task));
  const sample = sampleAt(task, shown);
  if (sample) {
    trio.append(thumbnail(sample.input, `${sampleName(task, shown).toLowerCase()} input`));
    trio.append(sample.output ? thumbnail(sample.output, "expected") : make("div", "picture", make("span", "empty", "not known")));
    trio.append(outputPicture(first && first.outputs[shown], sample.output, THUMBNAIL, true));
  }
  const footer = make("footer", "");
  if (first) {
    const program = make("code", "", first.name);
    program.title = first.name;
    footer.append(program, make("span", "", `${first.right}/${task.demos.length} demos · ${counted(first.size, "call")} · ${short(first.fuel)} fuel`));
  } else footer.append(make("span", "", "no program"));
  card.append(make("header", "", name, badge(task)), trio, footer);
}

function cardOf(task) {
  let card = cards.get(task);
  if (!card) {
    card = make("article", `card ${task.status}`);
    card.tabIndex = -1;
    card.dataset.id = task.id;
    card.setAttribute("aria-label", `${task.id}, ${statusOf(task)}`);
    card.addEventListener("click", () => openTask(task));
    lazily(card, () => fillCard(card, task));
    cards.set(task, card);
  }
  return card;
}

function textOf(task) {
  if (task.text === undefined) {
    task.text = [task.id, ...task.candidates.flatMap((one) => [one.name, one.origin, one.text])].join("\n").toLowerCase();
  }
  return task.text;
}

function showList() {
  const current = state.shown[state.current];
  const passes = FILTERS.find(([name]) => name === state.filter)[2];
  const words = state.search.toLowerCase().split(/\s+/).filter(Boolean);
  const key = ORDERS[state.order];
  const sign = state.reverse ? -1 : 1;
  const shown = data.tasks.filter((task) => passes(task) && words.every((word) => textOf(task).includes(word)));
  const keys = new Map(shown.map((task) => [task, key(task)]));
  shown.sort((a, b) => {
    const [x, y] = [keys.get(a), keys.get(b)];
    // What has no figure comes last, whichever way the order goes.
    if (Number.isFinite(x) !== Number.isFinite(y)) return Number.isFinite(x) ? -1 : 1;
    if (x !== y && Number.isFinite(x)) return sign * (x - y);
    return (state.order === "id" ? sign : 1) * (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  });
  state.shown = shown;
  byId("list").replaceChildren(...shown.map(cardOf));
  byId("nothing").hidden = shown.length > 0;
  byId("count").textContent = shown.length === data.tasks.length ? counted(shown.length, "task") : `${grouped(shown.length)} of ${counted(data.tasks.length, "task")}`;
  byId("direction").textContent = state.reverse ? "descending" : "ascending";
  for (const chip of byId("filters").children) chip.setAttribute("aria-pressed", String(chip.dataset.filter === state.filter));
  setCurrent(current ? shown.indexOf(current) : -1, false);
}

function setCurrent(index, scroll = true) {
  for (const card of byId("list").querySelectorAll(".current")) card.classList.remove("current");
  state.current = index;
  const task = state.shown[index];
  if (!task) return;
  const card = cardOf(task);
  card.classList.add("current");
  if (!scroll) return;
  card.scrollIntoView({ block: "nearest" });
  if (byId("detail").hidden) card.focus({ preventScroll: true });
}

// Moves by a number of places; from nowhere, to the first task.
function move(places) {
  if (state.shown.length === 0) return;
  const next = state.current < 0 ? 0 : Math.min(state.shown.length - 1, Math.max(0, state.current + places));
  setCurrent(next);
  if (!byId("detail").hidden) openTask(state.shown[next]);
}

function columnCount() {
  return getComputedStyle(byId("list")).gridTemplateColumns.split(" ").length;
}

function setFilter(name) {
  state.filter = name;
  showList();
}

function startList() {
  for (const [name, label, passes] of FILTERS) {
    const count = data.tasks.filter(passes).length;
    if (name === "solved" && !data.tasks.some((task) => task.graded)) continue;
    const chip = button("", label, () => setFilter(name));
    chip.dataset.filter = name;
    const titles = { fits: "Tasks that a program fits, solved or not.", unsolved: "Tasks that are not solved; without test outputs, tasks that no program fits." };
    if (STATUS[name]) chip.title = titles[name] || STATUS[name][1];
    chip.append(make("b", "", grouped(count)));
    byId("filters").append(chip);
  }
  byId("search").addEventListener("input", (event) => {
    state.search = event.target.value;
    showList();
  });
  byId("sort").addEventListener("change", (event) => {
    state.order = event.target.value;
    // The best come first; of sizes and fuel, the least.
    state.reverse = state.order === "score";
    showList();
  });
  byId("direction").addEventListener("click", turnRound);
  showList();
}

function turnRound() {
  state.reverse = !state.reverse;
  showList();
}
