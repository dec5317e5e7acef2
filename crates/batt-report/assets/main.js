// Sections, colours, keys; then everything begins.
function showTab(name) {
  for (const tab of document.querySelectorAll(".tabs button")) tab.setAttribute("aria-selected", String(tab.dataset.tab === name));
  for (const section of document.querySelectorAll("main > section")) section.hidden = section.id !== name;
  window.scrollTo(0, 0);
}

const shownTab = () => document.querySelector(".tabs button[aria-selected='true']").dataset.tab;

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
  ["search", ["/"]],
  ["close, or clear the search", ["Esc"]],
  ["turn the order round", ["r"]],
  ["tasks, history, profile", ["1", "2", "3"]],
  ["dark or light", ["t"]],
  ["these keys", ["?"]],
];

function showHelp(on) {
  const help = byId("help");
  if (!help.children.length) {
    help.append(make("h2", "", "Keys"));
    for (const [what, keys] of KEYS) help.append(make("div", "", make("span", "", what), make("span", "", ...keys.map((key) => make("kbd", "", key)))));
    help.addEventListener("click", () => showHelp(false));
  }
  help.hidden = !on;
  byId("veil").hidden = !on && byId("detail").hidden;
  if (on) help.focus();
}

function escape() {
  const search = byId("search");
  if (!byId("help").hidden) showHelp(false);
  else if (!byId("detail").hidden) closeTask();
  else if (document.activeElement === search && search.value === "") search.blur();
  else if (search.value) {
    search.value = "";
    state.search = "";
    search.blur();
    showList();
  } else setCurrent(-1);
}

function nextSample() {
  const chips = [...byId("detail").querySelectorAll("[data-sample]")];
  const now = chips.findIndex((chip) => chip.getAttribute("aria-pressed") === "true");
  if (chips.length > 1) chips[(now + 1) % chips.length].click();
}

function tabNumber(number) {
  const tab = document.querySelectorAll(".tabs button")[number];
  if (tab && !tab.hidden && byId("detail").hidden) showTab(tab.dataset.tab);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    escape();
    event.preventDefault();
    return;
  }
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) {
    if (event.target === byId("search") && event.key === "Enter") {
      event.target.blur();
      if (state.shown.length) setCurrent(Math.max(0, state.current));
    }
    return;
  }
  const inList = byId("detail").hidden && byId("help").hidden;
  const onTasks = shownTab() === "tasks";
  const actions = {
    "?": () => showHelp(byId("help").hidden),
    t: switchTheme,
    d: nextSample,
    1: () => tabNumber(0),
    2: () => tabNumber(1),
    3: () => tabNumber(2),
  };
  if (onTasks) {
    Object.assign(actions, { j: () => move(1), k: () => move(-1), r: turnRound });
    actions.ArrowRight = () => move(1);
    actions.ArrowLeft = () => move(-1);
    if (inList) {
      actions.ArrowDown = () => move(columnCount());
      actions.ArrowUp = () => move(-columnCount());
      actions["/"] = () => byId("search").focus();
      if (!(event.target instanceof HTMLButtonElement)) actions.Enter = () => state.shown[state.current] && openTask(state.shown[state.current]);
    }
  }
  if (!Object.hasOwn(actions, event.key)) return;
  event.preventDefault();
  actions[event.key]();
}

function openFromAddress() {
  let wanted = "";
  try { wanted = decodeURIComponent(location.hash.slice(1)); } catch { return; }
  const task = data.tasks.find((one) => one.id === wanted);
  if (task) openTask(task);
}

setTheme(kept.read() || (system.matches ? "dark" : "light"));
system.addEventListener("change", () => kept.read() || setTheme(system.matches ? "dark" : "light"));
startOverview();
startList();
for (const [name, has, start] of [["history", data.runs.length > 0, startHistory], ["profile", data.profile !== null, startProfile]]) {
  if (!has) continue;
  const tab = document.querySelector(`.tabs [data-tab="${name}"]`);
  tab.hidden = false;
  start();
}
for (const tab of document.querySelectorAll(".tabs button")) tab.addEventListener("click", () => showTab(tab.dataset.tab));
byId("theme").addEventListener("click", switchTheme);
byId("help-open").addEventListener("click", () => showHelp(true));
byId("veil").addEventListener("click", escape);
document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", openFromAddress);
openFromAddress();
