// The overview, and where the time went.
const TINTS = ["#2c5fd0", "#1d8a4e", "#b8761a", "#8a4fc4", "#2c7fb8", "#c2477f", "#7a8a1d", "#a3a7ae"];

function showOverview() {
  byId("title").textContent = data.title;
  const parts = [data.source, ...data.programs, data.made, `batt ${data.version}`].filter(Boolean);
  byId("about").textContent = parts.join(" · ");
  byId("about").title = parts.join("\n");
  const count = (status) => data.tasks.filter((task) => task.status === status).length;
  const headline = headlineOf(data.tasks);
  const isGraded = data.tasks.some((task) => task.graded);
  const isAllGraded = data.tasks.every((task) => task.graded);
  const share = make("div", "share");
  const legend = make("div", "legend");
  for (const status of Object.keys(STATUS)) {
    const number = count(status);
    if (status === "solved" && !isGraded) continue;
    const names = { fits: isGraded && (isAllGraded ? "fits, test wrong" : "fits only"), unsolved: count("nearly") > 0 && "other unsolved" };
    const name = names[status] || STATUS[status][0];
    const entry = make("span", status, make("span", "dot"), `${name} `, make("b", "", grouped(number)));
    entry.title = STATUS[status][1];
    legend.append(entry);
    if (number === 0) continue;
    const piece = make("i", status);
    piece.style.flex = String(number);
    share.append(piece);
  }
  byId("overview").replaceChildren(headline, make("div", "", share, legend));
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
    pair.append(make("section", "panel", make("div", "titled", make("h2", "", "Families")), scroller("Families", figureTable(columns, rows))));
  }
  if (pair.children.length) stack.append(pair);
  if (profile.primitives.length) {
    const rows = profile.primitives.map((one) => [one.name, one.family, grouped(one.calls), seconds(one.self_s), one.interval_s ? `${seconds(one.interval_s[0])} to ${seconds(one.interval_s[1])}` : "", one.total_s ? seconds(one.total_s) : "", one.priority, percent(one.share, 2), one.share]);
    const columns = [["name", "code"], ["family", ""], ["calls", "number"], ["self", "number"], ["between, by repeated runs", "number"], ["total", "number"], ["priority", ""], ["share", "number"], ["", "meter"]];
    const title = make("div", "titled", make("h2", "", "Primitives"), make("span", "", "by self time; shares with what is not attributed add up to 100%. A priority is by the least time that repeated runs support."));
    const panel = make("section", "panel", title);
    const show = (count) => {
      const all = button("quiet more", `Show all ${grouped(rows.length)}`, () => show(rows.length));
      panel.replaceChildren(title, scroller("Primitives", figureTable(columns, rows.slice(0, count))), ...(count < rows.length ? [all] : []));
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

