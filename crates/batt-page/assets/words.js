// The words of the language: completion and help, from the table of primitives.
let allWords = null;
async function wordsOfLanguage() {
  if (!allWords) allWords = (await asked("/api/words")) || [];
  return allWords;
}

// The word before a place of a text, and where it begins.
function wordBefore(text, end) {
  const found = /[A-Za-z_]\w*$/.exec(text.slice(0, end));
  return found ? { word: found[0], start: end - found[0].length } : { word: "", start: end };
}

// The innermost call that a place of a text is in.
function callAround(text, end) {
  let depth = 0;
  for (let k = end - 1; k >= 0 && text[k] !== "\n"; k -= 1) {
    if (text[k] === ")") depth += 1;
    else if (text[k] === "(") {
      if (depth === 0) return wordBefore(text, k).word;
      depth -= 1;
    }
  }
  return "";
}

// What may stand at a place: words of the language and names of the program that begin so.
function completionsAt(text, end, words) {
  const { word, start } = wordBefore(text, end);
  // A whole word may be meant as it is.
  if (word.length < 2 || words.some((one) => one.name === word)) return { start, choices: [] };
  const own = [...new Set(text.match(/\b(?:x\d+|[A-Z]\w*)\b/g) || [])].map((name) => ({ name, signature: "", doc: "" }));
  const known = new Set(words.map((one) => one.name));
  const all = [...words, ...own.filter((one) => !known.has(one.name))];
  const choices = all.filter((one) => one.name.startsWith(word) && one.name !== word).sort((a, b) => a.name.length - b.name.length || (a.name < b.name ? -1 : 1));
  return { start, choices: choices.slice(0, 8) };
}

function helpOf(one) {
  const box = make("div", "help-line", make("code", "", `${one.name}${one.signature}`), make("span", "", one.doc));
  if (one.example) box.append(make("code", "example", one.example));
  return box;
}
