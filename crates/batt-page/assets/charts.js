// Line charts and tables of figures.
const CURVES = ["#2c5fd0", "#1d8a4e", "#b8761a", "#8a4fc4", "#c2477f", "#2c7fb8", "#7a8a1d", "#8a8f98"];

// Round numbers from 0 to the most, about `count` steps apart; the last is not above the most.
function ticks(most, count, whole) {
  if (!(most > 0)) return [0];
  const rough = whole ? Math.max(1, most / count) : most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough * 0.999);
  const all = [];
  for (let k = 0; k * step <= most * 1.0001; k += 1) all.push(Number((k * step).toPrecision(12)));
  return all;
}

// A chart of curves {name, points}, whose points (x, y) are in order of x; axes begin at 0. The ceiling is what cannot be passed. The cursor
// tells the values at a place, by the pointer or by arrows.
function lineChart(title, curves, { across = "generation", format = short, ceiling = 0, key = "" } = {}) {
  const [width, height, left, bottom, top] = [460, 210, 46, 40, 12];
  const all = curves.flatMap((curve) => curve.points);
  // Without spreading, which has a limit that a long run reaches.
  const last = all.reduce((most, [x]) => Math.max(most, x), 0);
  const most = all.reduce((sum, [, y]) => Math.max(sum, y), ceiling);
  const highest = most || 1;
  const placeX = (x) => left + ((width - left - 12) * x) / (last || 1);
  const placeY = (y) => height - bottom - ((height - bottom - top) * y) / highest;
  const frame = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title} by ${across}` });
  for (const row of ticks(highest, 4, all.every(([, y]) => Number.isInteger(y)))) {
    frame.append(svg("line", { class: "axis", x1: left, x2: width - 12, y1: placeY(row), y2: placeY(row) }));
    frame.append(svg("text", { x: left - 8, y: placeY(row) + 4, "text-anchor": "end" }, format(row)));
  }
  for (const column of ticks(last, 5, last >= 5)) frame.append(svg("text", { class: "tick", x: placeX(column), y: height - bottom + 16, "text-anchor": "middle" }, format(column)));
  frame.append(svg("text", { x: width - 12, y: height - 6, "text-anchor": "end" }, across));
  if (ceiling) {
    frame.append(svg("line", { class: "ceiling", x1: left, x2: width - 12, y1: placeY(ceiling), y2: placeY(ceiling) }));
  }
  curves.forEach((curve, k) => {
    const d = curve.points.map(([x, y], n) => `${n ? "L" : "M"}${placeX(x).toFixed(1)} ${placeY(y).toFixed(1)}`).join("");
    const path = svg("path", { class: "curve", d, stroke: CURVES[k % CURVES.length] });
    if (curve.dashed) path.setAttribute("stroke-dasharray", "6 4");
    frame.append(path);
  });
  const cursor = svg("line", { class: "cursor", y1: top, y2: height - bottom, visibility: "hidden" });
  frame.append(cursor);
  const told = make("output", "");
  const nearest = (points, x) => points.reduce((a, b) => (Math.abs(b[0] - x) < Math.abs(a[0] - x) ? b : a), points[0]);
  const tell = (x) => {
    const values = curves.filter((curve) => curve.points.length).map((curve) => `${curves.length > 1 ? `${curve.name} ` : ""}${format(nearest(curve.points, x)[1])}`);
    told.textContent = `${values.join(", ")} at ${format(x)}`;
  };
  if (all.length) tell(last);
  const show = (x) => {
    cursor.setAttribute("visibility", "visible");
    cursor.setAttribute("x1", placeX(x));
    cursor.setAttribute("x2", placeX(x));
    tell(x);
  };
  frame.addEventListener("pointermove", (event) => {
    const box = frame.getBoundingClientRect();
    const x = ((((event.clientX - box.left) / box.width) * width - left) * (last || 1)) / (width - left - 12);
    if (all.length) show(nearest(all, Math.min(last, Math.max(0, x)))[0]);
  });
  frame.addEventListener("pointerleave", () => {
    cursor.setAttribute("visibility", "hidden");
    if (all.length) tell(last);
  });
  const legend = make("div", "legend");
  if (curves.length > 1 || ceiling) {
    curves.forEach((curve, k) => {
      const mark = make("span", curve.dashed ? "stroke dashed" : "stroke");
      mark.style.borderColor = CURVES[k % CURVES.length];
      legend.append(make("span", "", mark, curve.name));
    });
    if (ceiling) legend.append(make("span", "", make("span", "stroke ceiling"), `all ${grouped(ceiling)} tasks`));
  }
  const figure = make("figure", "chart", make("figcaption", "", make("h3", "", title), told), frame, legend);
  figure.dataset.chart = key;
  return figure;
}

// A table of columns [heading, kind], where kind is "", "number" or "meter"; a cell of a meter is a share of 1.
function figureTable(columns, rows) {
  const table = make("table", "figures");
  const head = make("tr", "");
  for (const [heading, kind] of columns) head.append(make("th", kind === "number" ? "number" : "", heading));
  const most = Math.max(1e-12, ...rows.map((row) => Number(row[columns.findIndex(([, kind]) => kind === "meter")]) || 0));
  const body = make("tbody", "");
  for (const row of rows) {
    const line = make("tr", "");
    columns.forEach(([, kind], k) => {
      const cell = make("td", kind);
      if (kind === "meter") {
        const bar = make("div", row.rest ? "rest" : "");
        bar.style.width = `${(100 * row[k]) / most}%`;
        cell.append(bar);
      } else cell.append(kind === "code" ? make("code", "", row[k]) : row[k]);
      line.append(cell);
    });
    body.append(line);
  }
  table.append(make("thead", "", head), body);
  return table;
}
