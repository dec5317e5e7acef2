// The overview, and the sections beside the tasks: how runs went, and where the time went.
const TINTS = ["#2c5fd0", "#1d8a4e", "#b8761a", "#8a4fc4", "#2c7fb8", "#c2477f", "#7a8a1d", "#a3a7ae"];

function startOverview() {
  byId("title").textContent = data.title;
  const parts = [data.source, ...data.programs, data.made, `batt ${data.version}`].filter(Boolean);
  byId("about").textContent = parts.join(" · ");
  byId("about").title = parts.join("\n");
  const count = (status) => data.tasks.filter((task) => task.status === status).length;
  const headline = headlineOf(data.tasks);
  const isGraded = data.tasks.some((task) => task.graded);
  const share = make("div", "share");
  const legend = make("div", "legend");
  for (const status of Object.keys(STATUS)) {
    const number = count(status);
    if (status === "solved" && !isGraded) continue;
    const name = status === "fits" && isGraded ? "fits only" : STATUS[status][0];
    const entry = make("span", status, make("span", "dot"), `${name} `, make("b", "", grouped(number)));
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

// How many tasks programs fit, and how many are solved, as far as that is known.
function headlineOf(tasks) {
  const [all, fits, graded] = [tasks.length, tasks.filter(isFit).length, tasks.filter((task) => task.graded).length];
  const share = (part) => (all ? `, ${percent(part / all)}` : "");
  if (graded === 0) {
    const words = `of ${counted(all, "task")} fit${share(fits)}; solved: unknown (no test outputs)`;
    return make("div", "headline", make("b", "", grouped(fits)), make("span", "", words));
  }
  const solved = tasks.filter((task) => task.status === "solved").length;
  const of = graded === all ? `of ${counted(all, "task")} solved${share(solved)}` : `solved of ${counted(graded, "task")} with test outputs`;
  const fit = graded === all ? `fits ${grouped(fits)}${share(fits)}` : `fits ${grouped(fits)} of ${counted(all, "task")}`;
  return make("div", "headline", make("b", "", grouped(solved)), make("span", "", `${of}; ${fit}`));
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
    const charts = make("div", "charts", lineChart(`Tasks that a program fits (of ${grouped(run.tasks)})`, points("fits")), lineChart("Score", points("score")));
    if (timed) charts.append(lineChart("Tasks that a program fits", run.points.map((point) => [point.seconds, point.fits]), { across: "second" }));
    charts.append(lineChart("Mean size of programs", points("size")), lineChart("Different behaviours", points("behaviours")));
    panel.firstChild.append(make("span", "", `start and ${counted(last.generation, "generation")}, ${counted(last.evaluations, "evaluation")}`));
    panel.append(charts);
  } else panel.append(make("p", "", "No generation was saved."));
  if (run.operators.length) {
    const rate = (part, whole) => (whole ? percent(part / whole) : "");
    const rows = run.operators.map((one) => [one.name, grouped(one.tried), rate(one.duplicates, one.tried), grouped(one.improved), rate(one.improved, one.tried), grouped(one.fits), one.tried ? one.improved / one.tried : 0]);
    const columns = [["operator", "code"], ["tried", "number"], ["made before", "number"], ["into a pool", "number"], ["rate", "number"], ["fits", "number"], ["rate", "meter"]];
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
  if (profile.share_of) fact("shares are of", profile.share_of);
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
    const rows = profile.primitives.map((one) => [one.name, one.family, grouped(one.calls), seconds(one.self_s), one.total_s ? seconds(one.total_s) : "", one.priority, percent(one.share, 2), one.share]);
    const columns = [["name", "code"], ["family", ""], ["calls", "number"], ["self", "number"], ["total", "number"], ["priority", ""], ["share", "number"], ["", "meter"]];
    const title = make("div", "titled", make("h2", "", "Primitives"), make("span", "", "by self time; shares with what is not attributed add up to 100%"));
    const panel = make("section", "panel", title);
    const show = (count) => {
      const all = button("quiet more", `Show all ${grouped(rows.length)}`, () => show(rows.length));
      panel.replaceChildren(title, figureTable(columns, rows.slice(0, count)), ...(count < rows.length ? [all] : []));
    };
    // Those that matter are few, and the flame graph is below them.
    show(25);
    stack.append(panel);
  }
  byId("profile-body").append(stack);
  startFlame();
}

function phasePanel(everyPhase) {
  // What was not done took no time.
  const phases = everyPhase.filter((phase) => phase.seconds > 0);
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

// A colour for a frame that depends on its name alone.
function frameColour(name) {
  let hash = 0;
  for (let k = 0; k < name.length; k += 1) hash = (hash * 31 + name.charCodeAt(k)) % 65521;
  return `hsl(${180 + (hash % 40)} ${45 + (hash % 20)}% ${64 + (hash % 14)}%)`;
}

// The frames as a picture as wide as the page. Zooming is giving one of them the whole width.
function startFlame() {
  const frames = data.profile.flame;
  if (frames.length === 0) return;
  const figure = byId("flame");
  figure.hidden = false;
  const [line, wide] = [19, 1200];
  const deepest = frames.reduce((most, frame) => Math.max(most, frame.depth), 0);
  const picture = svg("svg", { viewBox: `0 0 ${wide} ${(deepest + 1) * line}`, role: "img", "aria-label": "flame graph" });
  for (const frame of frames) {
    const y = (deepest - frame.depth) * line;
    const title = `${frame.name} (${seconds(frame.width / 1e9)}, ${percent(frame.width / frames[0].width, 2)})`;
    frame.rect = svg("rect", { y, height: line - 1, rx: 2, fill: frameColour(frame.name) });
    frame.label = svg("text", { y: y + 13 });
    frame.element = svg("g", { class: "frame" }, svg("title", {}, title), frame.rect, frame.label);
    frame.element.addEventListener("click", () => zoom(frame));
    picture.append(frame.element);
  }
  const zoom = (to) => {
    for (const frame of frames) {
      const from = Math.max(frame.x, to.x);
      const until = Math.min(frame.x + frame.width, to.x + to.width);
      frame.element.style.display = until > from ? "" : "none";
      if (until <= from) continue;
      const scale = wide / to.width;
      const width = (until - from) * scale;
      frame.rect.setAttribute("x", (from - to.x) * scale);
      frame.rect.setAttribute("width", Math.max(0.5, width - 1));
      frame.label.setAttribute("x", (from - to.x) * scale + 5);
      const room = Math.floor((width - 8) / 6.8);
      frame.label.textContent = room < 3 ? "" : frame.name.length <= room ? frame.name : `${frame.name.slice(0, room - 1)}…`;
    }
  };
  figure.append(picture);
  zoom(frames[0]);
}
