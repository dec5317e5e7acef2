// How runs went: what programs fit and what they solve, against time, evaluations or generations; several runs over each other.
const MEASURES = { generation: ["generations", (point) => point.generation], evaluations: ["evaluations", (point) => point.evaluations], seconds: ["seconds", (point) => point.seconds] };
const runsShown = { across: "generation", chosen: null, runs: [] };

function curveOf(run, value) {
  const at = MEASURES[runsShown.across][1];
  return run.points.filter((point) => at(point) !== undefined && point[value] !== undefined && point[value] !== null).map((point) => [at(point), point[value]]);
}

function startHistory() {
  showRuns(data.runs);
}

// Draws the runs. Those that were chosen stay so.
function showRuns(runs) {
  runsShown.runs = runs;
  const known = new Set(runs.map((run) => run.id));
  const chosen = (runsShown.chosen || []).filter((id) => known.has(id));
  runsShown.chosen = chosen.length ? chosen : runs.slice(0, 1).map((run) => run.id);
  const section = byId("history");
  const body = section.querySelector(".runs") || section.appendChild(make("div", "runs stack"));
  const key = document.activeElement && body.contains(document.activeElement) ? document.activeElement.dataset.key : "";
  body.replaceChildren(...(runs.length ? [choicePanel(), ...chosenRuns().map(runPanel)] : [make("p", "nothing", "There is no run in the store.")]));
  const again = key && body.querySelector(`[data-key="${key}"]`);
  if (again) again.focus({ preventScroll: true });
}

const chosenRuns = () => runsShown.runs.filter((run) => runsShown.chosen.includes(run.id));

function choicePanel() {
  const panel = make("section", "panel stack");
  const runs = make("div", "chips");
  for (const run of runsShown.runs) {
    const chip = button("", run.name, () => {
      const isChosen = runsShown.chosen.includes(run.id);
      runsShown.chosen = isChosen && runsShown.chosen.length > 1 ? runsShown.chosen.filter((id) => id !== run.id) : [...new Set([...runsShown.chosen, run.id])];
      showRuns(runsShown.runs);
    });
    chip.dataset.key = `run ${run.id}`;
    chip.setAttribute("aria-pressed", String(runsShown.chosen.includes(run.id)));
    runs.append(chip);
  }
  runs.setAttribute("role", "group");
  runs.setAttribute("aria-label", "Runs");
  const across = make("div", "chips");
  across.setAttribute("role", "group");
  across.setAttribute("aria-label", "Against");
  for (const [name, [label]] of Object.entries(MEASURES)) {
    if (name === "seconds" && !runsShown.runs.some((run) => run.points.some((point) => point.seconds !== undefined))) continue;
    const chip = button("", label, () => {
      runsShown.across = name;
      showRuns(runsShown.runs);
    });
    chip.dataset.key = `across ${name}`;
    chip.setAttribute("aria-pressed", String(runsShown.across === name));
    across.append(chip);
  }
  const shown = chosenRuns();
  const curves = shown.flatMap((run) => {
    const name = shown.length > 1 ? `${run.name} ` : "";
    const solved = curveOf(run, "solved");
    return [{ name: `${name}fits`, points: curveOf(run, "fits") }, ...(solved.length ? [{ name: `${name}solved`, points: solved, dashed: true }] : [])];
  }).filter((curve) => curve.points.length);
  panel.append(make("div", "titled", make("h2", "", "Runs"), runs, across));
  if (curves.length) {
    const ceiling = shown.reduce((most, run) => Math.max(most, run.tasks), 0);
    const chart = lineChart("Tasks that a program fits, and tasks solved", curves, { across: MEASURES[runsShown.across][0], ceiling, key: "fits" });
    chart.classList.add("large");
    panel.append(chart);
  }
  if (shown.length === 2 && shown.every((run) => run.fitted)) panel.append(betweenRuns(...shown));
  return panel;
}

// Tasks that one run has and the other has not.
function betweenRuns(one, other) {
  const [before, after] = one.id < other.id ? [one, other] : [other, one];
  const list = make("div", "between");
  for (const [what, from, to] of [["fits", before.fitted, after.fitted], ["solved", before.solved, after.solved]]) {
    const gained = to.filter((task) => !from.includes(task));
    const lost = from.filter((task) => !to.includes(task));
    for (const [word, tasks] of [["gained", gained], ["lost", lost]]) {
      const line = make("p", "", make("b", "", `${what}, ${word} from ${before.name} to ${after.name}: ${tasks.length}`));
      for (const task of tasks.slice(0, 40)) line.append(" ", button("linklike", task, () => go({ tab: "tasks", task })));
      list.append(line);
    }
  }
  return list;
}

function runPanel(run) {
  const panel = make("article", "panel stack", make("div", "titled", make("h2", "", run.name), make("span", "", run.about)));
  if (run.points.length) {
    const last = run.points[run.points.length - 1];
    const across = MEASURES[runsShown.across][0];
    const charts = make("div", "charts");
    for (const [title, value] of [["Score", "score"], ["Mean size of programs", "size"], ["Different behaviours", "behaviours"]]) {
      const points = curveOf(run, value);
      if (points.length) charts.append(lineChart(title, [{ name: title, points }], { across, key: value }));
    }
    panel.firstChild.append(make("span", "", `start and ${counted(last.generation, "generation")}, ${counted(last.evaluations, "evaluation")}`));
    panel.append(charts);
  } else panel.append(make("p", "", "No generation was saved."));
  if (run.operators.length) {
    const rate = (part, whole) => (whole ? percent(part / whole) : "");
    const rows = run.operators.map((one) => [one.name, grouped(one.tried), rate(one.duplicates, one.tried), grouped(one.improved), grouped(one.fits), rate(one.improved, one.tried), one.tried ? one.improved / one.tried : 0]);
    const columns = [["operator", "code"], ["tried", "number"], ["made before", "number"], ["into a pool", "number"], ["fits", "number"], ["into a pool, of tried", "number"], ["", "meter"]];
    panel.append(scroller("Operators", figureTable(columns, rows)));
  }
  return panel;
}
