// Where the reader is. It stands in the address behind '#', so that Back works and an address can be passed on.
const NOWHERE = { tab: "tasks", filter: "all", sort: "id", order: "up", q: "", task: "", program: "", sample: "", line: "", other: "", answers: "" };
const place = { ...NOWHERE };

function addressOf(where) {
  const parts = Object.keys(NOWHERE).filter((key) => where[key] !== NOWHERE[key]).map((key) => `${key}=${encodeURIComponent(where[key])}`);
  return parts.length ? `#${parts.join("&")}` : location.pathname + location.search;
}

// Goes somewhere, and shows it. Small steps, such as letters of a search, take the place of the last address.
function go(changes, { replace = false } = {}) {
  for (const [key, value] of Object.entries(changes)) place[key] = String(value);
  const address = addressOf(place);
  if (address !== (location.hash || location.pathname + location.search)) history[replace ? "replaceState" : "pushState"](null, "", address);
  showPlace();
}

// Reads the address. One word alone is the id of a task.
function readAddress() {
  Object.assign(place, NOWHERE);
  const text = location.hash.slice(1);
  const decoded = (part) => {
    try { return decodeURIComponent(part); } catch { return part; }
  };
  if (text && !text.includes("=")) {
    place.task = decoded(text);
    return;
  }
  for (const part of text.split("&")) {
    const [key, value] = [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)];
    if (Object.hasOwn(NOWHERE, key)) place[key] = decoded(value);
  }
}
