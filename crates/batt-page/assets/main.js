// Sections, colours, keys; then everything begins.
function showTab(name) {
  const tabs = [...document.querySelectorAll(".tabs button")];
  const wanted = tabs.find((tab) => tab.dataset.tab === name && !tab.hidden) || tabs[0];
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", String(tab === wanted));
    tab.tabIndex = tab === wanted ? 0 : -1;
  }
  for (const section of document.querySelectorAll("main > section")) section.hidden = section.id !== wanted.dataset.tab;
}

const shownTab = () => document.querySelector(".tabs button[aria-selected='true']").dataset.tab;

// Tabs are chosen by arrows, too, as tabs are.
function tabKeys(event) {
  const tabs = [...document.querySelectorAll(".tabs button:not([hidden])")];
  const now = tabs.indexOf(event.target);
  const next = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (now < 0 || next === undefined) return;
  const tab = tabs[(next + tabs.length) % tabs.length];
  event.preventDefault();
  event.stopPropagation();
  go({ tab: tab.dataset.tab });
  tab.focus();
}

// Shows what the address says.
let shownAnswers = "";
function showPlace() {
  showTab(place.tab);
  byId("answers").setAttribute("aria-pressed", String(Boolean(place.answers)));
  byId("answers").textContent = place.answers ? "Hide answers" : "Reveal answers";
  applyList();
  if (shownAnswers !== place.answers) {
    shownAnswers = place.answers;
    refreshCards();
  }
  showTask();
}

// The choice is kept where the browser allows it; a page from a file may have no place for it.
const kept = {
  read() {
    try { return localStorage.getItem("batt-theme"); } catch { return null; }
  },
  write(theme) {
    try { localStorage.setItem("batt-theme", theme); } catch { /* It lasts as long as the page. */ }
  },
};
const system = window.matchMedia("(prefers-color-scheme: dark)");

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId("theme").textContent = theme === "dark" ? "Light" : "Dark";
}

function switchTheme() {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  kept.write(theme);
  setTheme(theme);
}

const KEYS = [
  ["next, previous task", ["j", "k"]],
  ["move in the list", ["←", "→", "↑", "↓"]],
  ["open a task", ["Enter"]],
  ["the next sample, in a task", ["d"]],
  ["the next program, in a task", ["p"]],
  ["got and expected in turn", ["f"]],
  ["larger, smaller grids", ["+", "-"]],
  ["reveal answers", ["a"]],
  ["search", ["/"]],
  ["close, or clear the search", ["Esc"]],
  ["turn the order round", ["r"]],
  ["tasks, runs, profile", ["1", "2", "3"]],
  ["dark or light", ["t"]],
  ["these keys", ["?"]],
];

function showHelp(on) {
  const help = byId("help");
  if (!help.children.length) {
    help.append(make("div", "titled", make("h2", "", "Keys"), button("quiet", "Close", () => showHelp(false))));
    for (const [what, keys] of KEYS) help.append(make("div", "key", make("span", "", what), make("span", "", ...keys.map((key) => make("kbd", "", key)))));
  }
  if (on) openDialog(help, () => showHelp(false));
  else closeDialog(help);
}

function escape() {
  const search = byId("search");
  const top = dialogs[dialogs.length - 1];
  if (top) top.onClose();
  else if (document.activeElement === search && search.value === "") search.blur();
  else if (place.q) {
    search.blur();
    go({ q: "" });
  } else setCurrent(-1);
}

function nextSample() {
  const chips = [...byId("detail").querySelectorAll("[data-sample]")];
  const now = chips.findIndex((chip) => chip.getAttribute("aria-pressed") === "true");
  if (chips.length > 1) chips[(now + 1) % chips.length].click();
}

function nextProgram() {
  if (!view.task || !view.task.candidates || view.task.candidates.length < 2) return;
  const all = view.task.candidates;
  go({ program: all[(all.indexOf(view.one) + 1) % all.length].hash, sample: "", line: "" });
}

function pressTool(key) {
  const tool = byId("detail").querySelector(`[data-key="${key}"]`);
  if (tool) tool.click();
}

function tabNumber(number) {
  const tab = document.querySelectorAll(".tabs button")[number];
  if (tab && !tab.hidden && !dialogs.length) go({ tab: tab.dataset.tab });
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    escape();
    event.preventDefault();
    return;
  }
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement || event.target instanceof HTMLTextAreaElement) {
    if (event.target === byId("search") && event.key === "Enter") {
      event.target.blur();
      if (state.shown.length) setCurrent(Math.max(0, state.current));
    }
    return;
  }
  const inList = dialogs.length === 0;
  const onTasks = shownTab() === "tasks";
  const actions = {
    "?": () => showHelp(byId("help").hidden),
    t: switchTheme,
    d: nextSample,
    p: nextProgram,
    f: () => pressTool("flicker"),
    "+": () => pressTool("zoom-in"),
    "-": () => pressTool("zoom-out"),
    a: toggleAnswers,
    1: () => tabNumber(0),
    2: () => tabNumber(1),
    3: () => tabNumber(2),
  };
  if (onTasks) {
    Object.assign(actions, { j: () => move(1), k: () => move(-1), r: turnRound });
    if (inList) {
      actions.ArrowRight = () => move(1);
      actions.ArrowLeft = () => move(-1);
      actions.ArrowDown = () => move(columnCount());
      actions.ArrowUp = () => move(-columnCount());
      actions["/"] = () => byId("search").focus();
    }
  }
  if (!Object.hasOwn(actions, event.key)) return;
  event.preventDefault();
  actions[event.key]();
}

setTheme(kept.read() || (system.matches ? "dark" : "light"));
system.addEventListener("change", () => kept.read() || setTheme(system.matches ? "dark" : "light"));
showOverview();
startList();
for (const [name, has, start] of [["history", data.runs.length > 0, startHistory], ["profile", data.profile !== null, startProfile]]) {
  if (!has) continue;
  document.querySelector(`.tabs [data-tab="${name}"]`).hidden = false;
  start();
}
for (const tab of document.querySelectorAll(".tabs button")) tab.addEventListener("click", () => go({ tab: tab.dataset.tab }));
document.querySelector(".tabs").addEventListener("keydown", tabKeys);
byId("theme").addEventListener("click", switchTheme);
byId("help-open").addEventListener("click", () => showHelp(true));
byId("veil").addEventListener("click", escape);
document.addEventListener("keydown", keepFocus);
document.addEventListener("keydown", onKey);
const follow = () => {
  readAddress();
  showPlace();
};
window.addEventListener("popstate", follow);
if (data.served) startServed(follow);
else follow();
