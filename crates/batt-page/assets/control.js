// Starting, pausing and stopping a run. A pause ends at a generation that is saved, and the run goes on from there.
function controlPanel() {
  const panel = make("section", "panel");
  panel.id = "control";
  const kind = make("select", "");
  for (const name of ["evolve", "search"]) {
    const option = make("option", "", name);
    option.value = name;
    kind.append(option);
  }
  const field = (label, value, least) => {
    const input = make("input", "");
    Object.assign(input, { type: "number", min: least, value });
    return [make("label", "", label, input), input];
  };
  const [seedLabel, seed] = field("Seed", 0, 0);
  const [populationLabel, population] = field("Programs per task", 200, 1);
  const [secondsLabel, lasting] = field("Seconds", 600, 1);
  const number = (input) => Math.max(Number(input.min), Math.round(Number(input.value)) || 0);
  const order = (action) => async () => {
    await asked("/api/session", { action, kind: kind.value, seed: number(seed), population: number(population), seconds: number(lasting) });
    showSession();
  };
  const buttons = ["start", "pause", "resume", "stop"].map((action) => {
    const one = button("quiet", action[0].toUpperCase() + action.slice(1), order(action));
    one.dataset.action = action;
    one.dataset.key = action;
    return one;
  });
  const told = make("p", "hint");
  told.id = "session";
  told.setAttribute("role", "status");
  const fields = make("div", "fields", make("label", "", "Kind", kind), seedLabel, populationLabel, secondsLabel, ...buttons);
  panel.append(make("div", "titled", make("h2", "", "Run")), ...(data.writes ? [fields] : []), told);
  if (!data.writes) told.textContent = "Read-only: `batt serve STORE --write` lets this page start, pause and stop runs.";
  return panel;
}

const SESSION_WORDS = { idle: "No run is going on here.", running: "Running", pausing: "Pausing: the generation is being saved", paused: "Paused", stopping: "Stopping: the generation is being saved" };
async function showSession() {
  if (!data.writes) return;
  const session = await asked("/api/session");
  if (!session) return;
  const run = session.run === null ? "" : `, run ${session.run}`;
  byId("session").textContent = `${SESSION_WORDS[session.status]}${session.status === "idle" ? "" : run}${session.message ? ` (${session.message})` : ""}`;
  const can = { start: ["idle", "paused"], pause: ["running"], resume: ["paused"], stop: ["running", "pausing", "paused"] };
  for (const one of byId("control").querySelectorAll("[data-action]")) one.disabled = !can[one.dataset.action].includes(session.status);
}
