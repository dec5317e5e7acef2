// Runs as they go: asked for again whenever the store has changed, at most once a second.
let refreshing = 0;
let lastRuns = "";

function startLive() {
  const tab = document.querySelector('.tabs [data-tab="history"]');
  tab.hidden = false;
  byId("history").append(controlPanel(), make("section", "panel", ""), make("div", "runs stack"));
  byId("history").children[1].id = "finds";
  showTab(place.tab);
  listeners.runs.push(refreshSoon);
  refresh();
}

function refreshSoon() {
  if (refreshing) return;
  refreshing = setTimeout(async () => {
    await refresh();
    refreshing = 0;
  }, 1000);
}

async function refresh() {
  await showSession();
  let answer;
  try {
    answer = await ask("/api/runs");
  } catch (error) {
    byId("finds").replaceChildren(make("p", "hint", error.message));
    return;
  }
  const text = JSON.stringify(answer);
  if (text === lastRuns) return;
  lastRuns = text;
  const found = answer.runs.flatMap((run) => run.fitted);
  forgetTasks([...new Set(found)].filter((id) => data.tasks.some((task) => task.id === id && task.status !== "solved")));
  showFinds(answer.finds);
  showRuns(answer.runs);
}

function showFinds(finds) {
  const list = make("div", "finds");
  for (const find of finds) {
    const link = make("a", "", make("code", "", find.task), make("span", "hint", `run ${find.run}, generation ${find.generation}${find.is_solved === null ? "" : find.is_solved ? ", solved" : ", test wrong"}`));
    link.href = addressOf({ ...NOWHERE, task: find.task, program: find.program });
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go({ ...NOWHERE, tab: "history", task: find.task, program: find.program, answers: place.answers });
    });
    const pictures = make("span", "duo");
    if (find.input) pictures.append(picture(find.input, 64, { now: true }));
    if (find.output && !find.output.startsWith("!")) pictures.append(picture(find.output, 64, { now: true }));
    link.append(pictures);
    list.append(link);
  }
  byId("finds").replaceChildren(make("div", "titled", make("h2", "", "Found last"), make("span", "", "programs that fit a task: a test input, and what they give")), finds.length ? list : make("p", "hint", "No program was found that fits a task."));
}
