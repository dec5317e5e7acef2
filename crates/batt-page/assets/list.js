// The list of tasks: search, filter, order, and which one is current.
const FILTERS = [
  ["all", "All", () => true],
  ["solved", "Solved", (task) => task.status === "solved"],
  ["fits", "Fits", isFit],
  ["nearly", "Nearly", (task) => task.status === "nearly"],
  ["unsolved", "Unsolved", (task) => Boolean(task.status) && !isFit(task)],
];
const ORDERS = {
  id: () => 0,
  score: (task) => scoreShare(task),
  size: (task) => (figuresOf(task) ? figuresOf(task).size : Infinity),
  fuel: (task) => (figuresOf(task) ? figuresOf(task).fuel : Infinity),
};
const state = { current: -1, shown: [], found: null };
const cards = new Map();
const THUMBNAIL = 80;

function thumbnail(text, caption) {
  return picture(text, THUMBNAIL, { caption, now: true });
}

function fillCard(card, task) {
  const name = make("code", "", task.id);
  name.title = task.id;
  const head = make("span", "head", name, badge(task));
  card.removeAttribute("aria-label");
  if (!task.demos) {
    card.replaceChildren(head);
    return;
  }
  const trio = make("span", "trio");
  const first = best(task);
  // The first sample that the best program has wrong says more than one that it has right.
  const shown = Math.max(0, firstWrong(task));
  const sample = sampleAt(task, shown);
  if (sample) {
    const expected = expectedAt(task, shown);
    trio.append(thumbnail(sample.input, `${sampleName(task, shown).toLowerCase()} input`));
    trio.append(expected ? thumbnail(expected, "expected") : make("div", "picture", make("span", "empty", sample.output ? "hidden" : "not known")));
    trio.append(outputPicture(first && givenAt(task, first, shown), expected, THUMBNAIL, true));
  }
  const foot = make("span", "foot");
  if (first) {
    const program = make("code", "", first.name);
    program.title = first.name;
    foot.append(program, make("span", "", `${first.right}/${task.demos.length} demos · ${counted(first.size, "call")} · ${short(first.fuel)} fuel`));
  } else foot.append(make("span", "", "no program"));
  card.replaceChildren(head, trio, foot);
}

function cardOf(task) {
  let card = cards.get(task);
  if (!card) {
    card = make("a", "");
    card.dataset.id = task.id;
    card.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go({ task: task.id, program: "", sample: "", line: "", other: "" });
    });
    card.addEventListener("focus", () => setCurrent(state.shown.indexOf(task), false));
    cards.set(task, card);
    lazily(card, async () => {
      fillCard(card, task);
      if (await source.load(task)) nameCard(card, task);
      card.isFilled = true;
      fillCard(card, task);
    });
  }
  nameCard(card, task);
  return card;
}

function nameCard(card, task) {
  card.className = `card ${task.status || "unknown"}${state.shown[state.current] === task ? " current" : ""}`;
  card.href = addressOf({ ...place, task: task.id });
  // A card that was not drawn yet has no text to be read.
  if (!card.children.length) card.setAttribute("aria-label", `${task.id}, ${statusOf(task)}`);
}

// Draws the cards again that were drawn, for example with the answers.
function refreshCards() {
  for (const [task, card] of cards) if (card.isFilled) fillCard(card, task);
}

function textOf(task) {
  if (task.text === undefined) {
    task.text = [task.id, ...task.candidates.flatMap((one) => [one.name, one.origin, one.text])].join("\n").toLowerCase();
  }
  return task.text;
}

function showList() {
  const current = state.shown[state.current];
  const passes = (FILTERS.find(([name]) => name === place.filter) || FILTERS[0])[2];
  const words = place.q.toLowerCase().split(/\s+/).filter(Boolean);
  const key = ORDERS[place.sort] || ORDERS.id;
  const sign = place.order === "down" ? -1 : 1;
  const matches = (task) => (state.found ? state.found.has(task.id) : words.every((word) => textOf(task).includes(word)));
  const shown = data.tasks.filter((task) => passes(task) && matches(task));
  const keys = new Map(shown.map((task) => [task, key(task)]));
  shown.sort((a, b) => {
    const [x, y] = [keys.get(a), keys.get(b)];
    // What has no figure comes last, whichever way the order goes.
    if (Number.isFinite(x) !== Number.isFinite(y)) return Number.isFinite(x) ? -1 : 1;
    if (x !== y && Number.isFinite(x)) return sign * (x - y);
    return (place.sort === "id" ? sign : 1) * (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  });
  state.shown = shown;
  state.current = current ? shown.indexOf(current) : -1;
  const [list, wanted] = [byId("list"), shown.map(cardOf)];
  // Cards that stay where they are keep the focus.
  const now = [...list.children];
  if (wanted.length !== now.length || wanted.some((card, k) => card !== now[k])) list.replaceChildren(...wanted);
  byId("nothing").hidden = shown.length > 0;
  byId("count").textContent = shown.length === data.tasks.length ? counted(shown.length, "task") : `${grouped(shown.length)} of ${counted(data.tasks.length, "task")}`;
  byId("direction").textContent = place.order === "down" ? "descending" : "ascending";
  byId("sort").value = place.sort;
  if (byId("search").value !== place.q) byId("search").value = place.q;
  for (const chip of byId("filters").children) chip.setAttribute("aria-pressed", String(chip.dataset.filter === place.filter));
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
  if (!dialogs.length) card.focus({ preventScroll: true });
}

// Moves by a number of places; from nowhere, to the first task.
function move(places) {
  if (state.shown.length === 0) return;
  const next = state.current < 0 ? 0 : Math.min(state.shown.length - 1, Math.max(0, state.current + places));
  setCurrent(next);
  if (place.task) go({ task: state.shown[next].id, program: "", sample: "", line: "", other: "" });
}

function columnCount() {
  return getComputedStyle(byId("list")).gridTemplateColumns.split(" ").length;
}

// The list as the address has it. A search is asked for where the page does not know the programs.
let lastSearch = "";
async function applyList() {
  if (place.q !== lastSearch) {
    lastSearch = place.q;
    const found = place.q.trim() ? await source.search(place.q) : null;
    if (place.q !== lastSearch) return;
    state.found = found && new Set(found);
  }
  showList();
}

function showFilters() {
  const chips = [];
  for (const [name, label, passes] of FILTERS) {
    const count = data.tasks.filter(passes).length;
    if (name === "solved" && !data.tasks.some((task) => task.graded)) continue;
    const chip = button("", label, () => go({ filter: name }));
    chip.dataset.filter = name;
    const titles = { fits: "Tasks that a program fits, solved or not.", unsolved: "Tasks that no program fits, nearly or not." };
    if (STATUS[name]) chip.title = titles[name] || STATUS[name][1];
    chip.append(make("b", "", grouped(count)));
    chip.setAttribute("aria-pressed", String(name === place.filter));
    chips.push(chip);
  }
  byId("filters").replaceChildren(...chips);
}

function startList() {
  showFilters();
  byId("search").addEventListener("input", (event) => go({ q: event.target.value }, { replace: true }));
  // The best come first; of sizes and fuel, the least.
  byId("sort").addEventListener("change", (event) => go({ sort: event.target.value, order: event.target.value === "score" ? "down" : "up" }));
  byId("direction").addEventListener("click", turnRound);
  byId("answers").addEventListener("click", toggleAnswers);
}

function turnRound() {
  go({ order: place.order === "down" ? "up" : "down" });
}

function toggleAnswers() {
  go({ answers: place.answers ? "" : "1" });
}
