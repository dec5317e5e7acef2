// The workbench's tasks and values: asked for when somebody looks at them.
async function ask(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(path, { credentials: "same-origin", ...options });
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.error || `status ${answer.status}`);
  return json;
}

// The same for something that a reader asked for: what goes wrong is told.
async function asked(path, body) {
  try {
    return await ask(path, body);
  } catch (error) {
    tell(error.message);
    return null;
  }
}

const query = (path, parameters) => `${path}?${new URLSearchParams(parameters)}`;
const loading = new Map();

source.load = async (task) => {
  if (task.candidates) return false;
  if (!loading.has(task)) {
    loading.set(task, asked(query("/api/task", { id: task.id })).then((entry) => {
      loading.delete(task);
      Object.assign(task, entry || { demos: [], tests: [], candidates: [] }, { text: undefined });
      noteTask(task);
    }));
  }
  await loading.get(task);
  return true;
};

source.trace = async (task, one, sample) => {
  const seen = await asked("/api/trace", { text: one.text, task: task.id, sample });
  return seen && tracedOf(seen);
};

source.search = (words) => ask(query("/api/search", { q: words })).catch(() => []);

function tracedOf(seen) {
  return { ...seen, lines: new Map((seen.lines || []).map((line) => [line.line, line])) };
}

// Statuses change while the list is looked at: they are counted again now and then, and the list keeps its order.
let counting = 0;
function noteTask(task) {
  const card = cards.get(task);
  if (card) {
    nameCard(card, task);
    if (card.isFilled) fillCard(card, task);
  }
  if (counting) return;
  counting = setTimeout(() => {
    counting = 0;
    showOverview();
    showFilters();
  }, 300);
}

// Programs of tasks have changed: they are asked for again when they are looked at.
function forgetTasks(ids) {
  for (const task of data.tasks) {
    if (ids && !ids.includes(task.id)) continue;
    if (view.task === task) continue;
    delete task.candidates;
    const card = cards.get(task);
    if (!card || !card.isFilled) continue;
    card.isFilled = false;
    lazily(card, async () => {
      await source.load(task);
      card.isFilled = true;
      fillCard(card, task);
    });
  }
}

// Asks for the task again that is looked at.
async function reloadTask() {
  const { task } = view;
  if (!task) return;
  delete task.candidates;
  await source.load(task);
  view.one = null;
  showTask();
}

const listeners = { runs: [] };
function listen() {
  const events = new EventSource("/api/events");
  const byTask = new Map(data.tasks.map((task) => [task.id, task]));
  events.addEventListener("task", (event) => {
    const line = JSON.parse(event.data);
    const task = byTask.get(line.id);
    if (!task) return;
    Object.assign(task, line);
    noteTask(task);
  });
  const changed = () => listeners.runs.forEach((listener) => listener());
  events.addEventListener("runs", changed);
  events.addEventListener("missed", async () => {
    for (const line of await ask("/api/tasks")) Object.assign(byTask.get(line.id) || {}, line);
    showOverview();
    showFilters();
    changed();
  });
}

startServed = (follow) => {
  follow();
  listen();
  if (data.stored) startLive();
};
