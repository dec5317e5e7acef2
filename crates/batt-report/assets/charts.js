// Line charts and bars.
// Round numbers from 0 or below the least to above the most, about `count` of them.
function ticks(most, count, whole) {
  if (!(most > 0)) return [0, 1];
  const rough = whole ? Math.max(1, most / count) : most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough * 0.999);
  const all = [];
  for (let k = 0; k * step < most * 0.999 + step; k += 1) all.push(k * step);
  return all;
}

// A chart of points (x, y) in order of x. The cursor tells the values of the nearest point.
function lineChart(title, points, { across = "generation", format = short } = {}) {
  const [width, height, left, bottom, top] = [420, 190, 44, 24, 10];
  const [least, last] = [points[0][0], points[points.length - 1][0]];
  // Without spreading, which has a limit that a long run reaches.
  const most = points.reduce((sum, [, y]) => Math.max(sum, y), 0);
  const rows = ticks(most, 4, points.every(([, y]) => Number.isInteger(y)));
  const highest = rows[rows.length - 1];
  const placeX = (x) => left + (width - left - 8) * (last > least ? (x - least) / (last - least) : 0.5);
  const placeY = (y) => height - bottom - ((height - bottom - top) * y) / highest;
  const frame = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title} by ${across}` });
  for (const row of rows) {
    frame.append(svg("line", { class: "axis", x1: left, x2: width - 8, y1: placeY(row), y2: placeY(row) }));
    frame.append(svg("text", { x: left - 8, y: placeY(row) + 4, "text-anchor": "end" }, format(row)));
  }
  const columns = last > least ? ticks(last - least, 5, true).map((tick) => tick + least).filter((tick) => tick <= last) : [least];
  for (const column of columns) frame.append(svg("text", { x: placeX(column), y: height - 6, "text-anchor": "middle" }, format(column)));
  const line = points.map(([x, y], k) => `${k ? "L" : "M"}${placeX(x).toFixed(1)} ${placeY(y).toFixed(1)}`).join("");
  frame.append(svg("path", { class: "area", d: `${line}L${placeX(last)} ${placeY(0)}L${placeX(least)} ${placeY(0)}Z` }));
  frame.append(svg("path", { class: "curve", d: line }));
  const cursor = svg("line", { class: "cursor", y1: top, y2: height - bottom, visibility: "hidden" });
  const point = svg("circle", { class: "point", r: 4.5, cx: placeX(last), cy: placeY(points[points.length - 1][1]) });
  frame.append(cursor, point);
  const told = make("output", "");
  const tell = ([x, y]) => {
    told.textContent = `${format(y)} at ${across} ${format(x)}`;
    point.setAttribute("cx", placeX(x));
    point.setAttribute("cy", placeY(y));
  };
  tell(points[points.length - 1]);
  frame.addEventListener("pointermove", (event) => {
    const box = frame.getBoundingClientRect();
    const wanted = ((event.clientX - box.left) / box.width) * width;
    const nearest = points.reduce((a, b) => (Math.abs(placeX(b[0]) - wanted) < Math.abs(placeX(a[0]) - wanted) ? b : a));
    cursor.setAttribute("visibility", "visible");
    cursor.setAttribute("x1", placeX(nearest[0]));
    cursor.setAttribute("x2", placeX(nearest[0]));
    tell(nearest);
  });
  frame.addEventListener("pointerleave", () => {
    cursor.setAttribute("visibility", "hidden");
    tell(points[points.length - 1]);
  });
  return make("figure", "chart", make("figcaption", "", make("h3", "", title), told), frame);
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
