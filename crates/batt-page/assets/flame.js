// The flame graph: frames by pointer or by keys, and those that a search finds.

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
  const image = svg("svg", { viewBox: `0 0 ${wide} ${(deepest + 1) * line}`, role: "group", "aria-label": "Flame graph: arrows move, Enter zooms" });
  const share = (frame) => `${seconds(frame.width / 1e9)}, ${percent(frame.width / frames[0].width, 2)}`;
  const told = make("output", "told-frame");
  const search = make("input", "");
  Object.assign(search, { type: "search", placeholder: "Search frames", autocomplete: "off", spellcheck: false });
  search.setAttribute("aria-label", "Search frames");
  let current = frames[0];
  let zoomed = frames[0];
  for (const frame of frames) {
    const y = (deepest - frame.depth) * line;
    frame.rect = svg("rect", { y, height: line - 1, rx: 2, fill: frameColour(frame.name) });
    frame.label = svg("text", { y: y + 13 });
    frame.element = svg("g", { class: "frame", tabindex: "-1", role: "button", "aria-label": `${frame.name}, ${share(frame)}` }, svg("title", {}, `${frame.name} (${share(frame)})`), frame.rect, frame.label);
    frame.element.addEventListener("click", () => zoom(frame));
    frame.element.addEventListener("focus", () => look(frame));
    image.append(frame.element);
  }
  const isShown = (frame) => frame.element.style.display !== "none";
  const look = (frame) => {
    current.element.setAttribute("tabindex", "-1");
    current = frame;
    frame.element.setAttribute("tabindex", "0");
    told.textContent = `${frame.name}: ${share(frame)} of all`;
  };
  const zoom = (to) => {
    zoomed = to;
    const scale = wide / to.width;
    for (const frame of frames) {
      const from = Math.max(frame.x, to.x);
      const until = Math.min(frame.x + frame.width, to.x + to.width);
      frame.element.style.display = until > from ? "" : "none";
      if (until <= from) continue;
      const width = (until - from) * scale;
      frame.rect.setAttribute("x", (from - to.x) * scale);
      frame.rect.setAttribute("width", Math.max(0.5, width - 1));
      frame.label.setAttribute("x", (from - to.x) * scale + 5);
      const room = Math.floor((width - 8) / 6.8);
      frame.label.textContent = room < 3 ? "" : frame.name.length <= room ? frame.name : `${frame.name.slice(0, room - 1)}…`;
    }
    if (!isShown(current)) look(to);
  };
  const inside = (one, other) => one.x >= other.x && one.x + one.width <= other.x + other.width;
  const neighbours = {
    ArrowUp: () => frames.filter((frame) => isShown(frame) && frame.depth === current.depth + 1 && inside(frame, current)).sort((a, b) => b.width - a.width)[0],
    ArrowDown: () => frames.find((frame) => frame.depth === current.depth - 1 && inside(current, frame)),
    ArrowRight: () => frames.filter((frame) => isShown(frame) && frame.depth === current.depth && frame.x > current.x).sort((a, b) => a.x - b.x)[0],
    ArrowLeft: () => frames.filter((frame) => isShown(frame) && frame.depth === current.depth && frame.x < current.x).sort((a, b) => b.x - a.x)[0],
  };
  image.addEventListener("keydown", (event) => {
    if (event.key === "Enter") zoom(current);
    else if (event.key === "Backspace") zoom(frames[0]);
    else if (neighbours[event.key]) {
      const next = neighbours[event.key]();
      if (next) next.element.focus({ preventScroll: true });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    let found = 0;
    // A frame within one that was found is part of its time already.
    let until = -1;
    for (const frame of [...frames].sort((a, b) => a.x - b.x || a.depth - b.depth)) {
      const isFound = wanted !== "" && frame.name.toLowerCase().includes(wanted);
      frame.element.classList.toggle("found", isFound);
      if (!isFound || frame.x < until) continue;
      found += frame.width;
      until = frame.x + frame.width;
    }
    told.textContent = wanted ? `${percent(found / frames[0].width, 2)} of the time is in frames with "${search.value.trim()}"` : "";
  });
  const all = button("quiet", "Whole graph", () => zoom(frames[0]));
  const hint = make("span", "", "Click a frame or press Enter to see it in full width; arrows move.");
  figure.append(make("figcaption", "", make("h2", "", "Flame graph"), search, all, hint), told, image);
  look(frames[0]);
  zoom(zoomed);
}
