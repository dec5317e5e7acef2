// Where a program comes from: its ancestors, what each step changed, and where that changed what the program gives.
programTools.push((now, panel, title) => {
  if (!data.stored || !now.one.hash) return;
  const open = button("quiet", "Lineage", () => openLineage(now));
  open.dataset.key = "lineage";
  title.querySelector(".tools").append(open);
});

async function openLineage({ task, one, sample }) {
  const answer = await asked(query("/api/lineage", { program: one.hash, task: task.id, sample }));
  if (!answer) return;
  const body = sheet(`Lineage: ${one.name}`);
  const byHash = new Map(answer.nodes.map((node) => [node.hash, node]));
  const steps = make("section", "panel lineage", make("div", "titled", make("h2", "", "Steps"), make("span", "", `with outputs on ${sampleName(task, sample)}, where they change`)));
  for (const node of answer.nodes) steps.append(stepOf(node, byHash));
  if (answer.more) steps.append(make("p", "hint", `${counted(answer.more, "earlier ancestor")} not shown`));
  body.append(make("section", "panel lineage", make("h2", "", "Graph"), graphOf(answer.nodes, byHash)), steps);
}

function originOf(node) {
  if (node.source) return `${node.operator} from ${node.source}`;
  return node.run === null ? node.operator : `${node.operator}, run ${node.run} generation ${node.generation}`;
}

function stepOf(node, byHash) {
  const parent = byHash.get(node.parents[0]);
  const pruned = node.parents_pruned ? `; ${counted(node.parents_pruned, "parent")} pruned` : "";
  const head = make("p", "", make("b", "", node.name), ` ${originOf(node)}${pruned}`);
  const row = make("div", "generation", head);
  row.id = `step-${node.hash}`;
  row.tabIndex = -1;
  row.append(parent ? diffView(nameless(parent.text), nameless(node.text), { onlyChanges: true }) : diffView("", node.text));
  const isSame = parent && parent.output === node.output;
  if (!isSame) row.append(node.output.startsWith("!") ? make("div", "picture", make("span", "empty", node.output.slice(1))) : picture(node.output, 90, { caption: parent ? "changed" : "first", now: true }));
  return row;
}

// The first line has the name, which is another for each program.
const nameless = (text) => text.split("\n").slice(1).join("\n");

// A row for each generation back; parents above their children.
function graphOf(nodes, byHash) {
  const rows = new Map();
  for (const node of nodes) rows.set(node.depth, [...(rows.get(node.depth) || []), node]);
  const [wide, high, gapX, gapY] = [150, 26, 14, 26];
  const deepest = Math.max(...rows.keys());
  const most = Math.max(...[...rows.values()].map((row) => row.length));
  const places = new Map();
  for (const [depth, row] of rows) row.forEach((node, k) => places.set(node.hash, [k * (wide + gapX), (deepest - depth) * (high + gapY)]));
  const image = svg("svg", { class: "graph", viewBox: `-4 -4 ${most * (wide + gapX) + 8} ${(deepest + 1) * (high + gapY)}`, width: most * (wide + gapX) + 8, role: "group", "aria-label": "Ancestors, parents above children" });
  for (const node of nodes) {
    const [x, y] = places.get(node.hash);
    for (const parent of node.parents.filter((hash) => byHash.has(hash))) {
      const [px, py] = places.get(parent);
      image.append(svg("path", { class: "edge", d: `M${px + wide / 2} ${py + high}C${px + wide / 2} ${py + high + gapY / 2} ${x + wide / 2} ${y - gapY / 2} ${x + wide / 2} ${y}` }));
    }
  }
  for (const node of nodes) {
    const [x, y] = places.get(node.hash);
    const label = node.name.length > 20 ? `${node.name.slice(0, 19)}…` : node.name;
    const box = svg("g", { class: node.depth === 0 ? "node chosen" : "node", tabindex: "0", role: "button", "aria-label": `${node.name}, ${originOf(node)}` }, svg("title", {}, `${node.name}: ${originOf(node)}`), svg("rect", { x, y, width: wide, height: high, rx: 5 }), svg("text", { x: x + 8, y: y + 17 }, label));
    const show = () => {
      const row = byId(`step-${node.hash}`);
      row.scrollIntoView({ block: "center" });
      row.focus();
    };
    box.addEventListener("click", show);
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      show();
    });
    image.append(box);
  }
  return scroller("Graph", image);
}
