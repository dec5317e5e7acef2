// Where tasks and values come from: in a file, all that was computed is there already. The workbench replaces these by requests.
const source = {
  // Fills in a task; true if it was not known before.
  async load() {
    return false;
  },
  // What the lines of a program give on a sample, by line; null if that was not computed.
  async trace(task, one, sample) {
    if (one !== best(task) || !task.trace) return null;
    const traced = task.trace.samples.find((known) => known.sample === sample);
    if (!traced) return null;
    return { lines: new Map(traced.steps.map((step, k) => [k + 2, step])), cut: task.trace.cut, findings: [] };
  },
  // The ids of tasks that a search finds, or null where the page looks through them itself.
  async search() {
    return null;
  },
};
// What a task can be asked besides, and what tabs there are besides: the workbench adds to these.
const panels = [];
const headTools = [];
// Begins a page that is served; a file has nothing to wait for.
let startServed = (follow) => follow();
