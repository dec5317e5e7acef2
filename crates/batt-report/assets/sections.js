// The overview, and the sections beside the tasks: how runs went, and where the time went.
const TINTS = ["#2c5fd0", "#1d8a4e", "#b8761a", "#8a4fc4", "#2c7fb8", "#c2477f", "#7a8a1d", "#a3a7ae"];

function startOverview() {
  byId("title").textContent = data.title;
  const parts = [data.source, ...data.programs, data.made, `batt ${data.version}`].filter(Boolean);
  byId("about").textContent = parts.join(" · ");
  byId("about").title = parts.join("\n");
  const count = (status) => data.tasks.filter((task) => task.status === status).length;
  const solved = count("solved");
  const all = data.tasks.length;
  const headline = make("div", "headline", make("b", "", grouped(solved)), make("span", "", `of ${counted(all, "task")} solved${all ? `, ${percent(solved / all)}` : ""}`));
  const share = make("div", "share");
  const legend = make("div", "legend");
  for (const status of Object.keys(STATUS)) {
    const number = count(status);
    if (number === 0 && status === "selected") continue;
    const entry = make("span", status, make("span", "dot"), `${STATUS[status][0]} `, make("b", "", grouped(number)));
    entry.title = STATUS[status][1];
    legend.append(entry);
    if (number === 0) continue;
    const piece = make("i", status);
    piece.style.flex = String(number);
    share.append(piece);
  }
  byId("overview").append(headline, make("div", "", share, legend));
  if (data.notes.length) {
    const notes = make("details", "notes", make("summary", "", counted(data.notes.length, "note")), make("ul", "", ...data.notes.map((note) => make("li", "", note))));
    byId("overview").append(notes);
  }
}

function startHistory() {
  const section = byId("history");
  const stack = make("div", "stack");
  for (const run of data.runs) stack.append(runPanel(run));
  section.append(stack);
}

function runPanel(run) {
  const panel = make("article", "panel stack", make("div", "titled", make("h2", "", run.name), make("span", "", run.about)));
  if (run.points.length) {
    const last = run.points[run.points.length - 1];
    const timed = run.points.length > 1 && run.points.every((point) => point.seconds !== undefined);
    const points = (value) => run.points.map((point) => [point.generation, point[value]]);
    const charts = make("div", "charts", lineChart(`Solved tasks (of ${grouped(run.tasks)})`, points("solved")), lineChart("Score", points("score")));
    if (timed) charts.append(lineChart("Solved tasks", run.points.map((point) => [point.seconds, point.solved]), { across: "second" }));
    charts.append(lineChart("Mean size of programs", points("size")), lineChart("Different behaviours", points("behaviours")));
    panel.append(make("p", "", `${counted(run.points.length, "generation")}, ${counted(last.evaluations, "evaluation")}`), charts);
  } else panel.append(make("p", "", "No generation was saved."));
  if (run.operators.length) {
    const rate = (part, whole) => (whole ? percent(part / whole) : "");
    const rows = run.operators.map((one) => [one.name, grouped(one.tried), rate(one.duplicates, one.tried), grouped(one.improved), rate(one.improved, one.tried), grouped(one.solved), one.tried ? one.improved / one.tried : 0]);
    const columns = [["operator", "code"], ["tried", "number"], ["made before", "number"], ["into a pool", "number"], ["rate", "number"], ["solved", "number"], ["rate", "meter"]];
    panel.append(figureTable(columns, rows));
  }
  return panel;
}

function startProfile() {
  const profile = data.profile;
  const facts = make("dl", "facts panel");
  const fact = (name, value) => facts.append(make("div", "", make("dt", "", name), make("dd", "", value)));
  fact("profile", profile.name);
  fact("wall time", seconds(profile.wall_s));
  fact("thread time", seconds(profile.thread_s));
  fact("not attributed", percent(profile.not_attributed));
  fact("overhead of measuring", percent(profile.overhead));
  const stack = make("div", "stack", facts);
  const pair = make("div", "pair");
  if (profile.phases.length) pair.append(phasePanel(profile.phases));
  if (profile.families.length) {
    const rows = profile.families.map((one) => [one.name, grouped(one.calls), percent(one.share), one.share]);
    rows.push(Object.assign(["not attributed", "", percent(profile.not_attributed), profile.not_attributed], { rest: true }));
    const columns = [["family", ""], ["calls", "number"], ["share", "number"], ["", "meter"]];
    pair.append(make("section", "panel", make("div", "titled", make("h2", "", "Families")), figureTable(columns, rows)));
  }
  if (pair.children.length) stack.append(pair);
  if (profile.primitives.length) {
    const rows = profile.primitives.map((one) => [one.name, one.family, grouped(one.calls), seconds(one.self_s), one.total_s ? seconds(one.total_s) : "", percent(one.share, 2), one.share]);
    const columns = [["name", "code"], ["family", ""], ["calls", "number"], ["self", "number"], ["total", "number"], ["share", "number"], ["", "meter"]];
    const title = make("div", "titled", make("h2", "", "Primitives"), make("span", "", "by self time; shares with what is not attributed add up to 100%"));
    stack.append(make("section", "panel", title, figureTable(columns, rows)));
  }
  byId("profile-body").append(stack);
  startFlame();
}

function phasePanel(phases) {
  const all = phases.reduce((sum, phase) => sum + phase.seconds, 0);
  const bar = make("div", "phases");
  phases.forEach((phase, k) => {
    const piece = make("i", "");
    piece.style.flex = String(phase.seconds / (all || 1));
    piece.style.background = TINTS[k % TINTS.length];
    piece.title = `${phase.name}: ${seconds(phase.seconds)}`;
    bar.append(piece);
  });
  const rows = phases.map((phase) => [phase.name, seconds(phase.seconds), percent(all ? phase.seconds / all : 0)]);
  const table = figureTable([["phase", ""], ["time", "number"], ["share of phases", "number"]], rows);
  phases.forEach((_, k) => {
    const dot = make("span", "dot");
    dot.style.background = TINTS[k % TINTS.length];
    table.tBodies[0].rows[k].cells[0].prepend(dot);
  });
  return make("section", "panel", make("div", "titled", make("h2", "", "Phases")), bar, table);
}

// inferno says of each frame where it begins and how wide it is; zooming is giving one frame the whole width.
function startFlame() {
  const picture = byId("flame").querySelector("svg");
  if (!picture) return;
  byId("flame").hidden = false;
  const frames = [...picture.querySelectorAll("g")].filter((g) => g.querySelector("rect") && g.querySelector("title"));
  const number = (frame, name) => Number(frame.querySelector("rect").getAttribute(`fg:${name}`));
  const zoom = (to) => {
    const [start, width] = [number(to, "x"), number(to, "w")];
    for (const frame of frames) {
      const [x, w] = [number(frame, "x"), number(frame, "w")];
      const from = Math.max(x, start);
      const until = Math.min(x + w, start + width);
      frame.style.display = until > from ? "" : "none";
      if (until <= from) continue;
      const rect = frame.querySelector("rect");
      rect.setAttribute("x", `${(100 * (from - start)) / width}%`);
      rect.setAttribute("width", `${(100 * (until - from)) / width}%`);
      const text = frame.querySelector("text");
      if (!text) continue;
      text.setAttribute("x", `${(100 * (from - start)) / width + 0.25}%`);
      const name = frame.querySelector("title").textContent.replace(/ \([^()]*\)$/, "");
      const room = Math.floor(((until - from) / width) * 170);
      text.textContent = room < 3 ? "" : name.length <= room ? name : `${name.slice(0, room - 2)}..`;
    }
  };
  for (const frame of frames) frame.addEventListener("click", () => zoom(frame));
}
