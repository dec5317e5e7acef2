// Why a program fails: the first line whose value another program does not have.
programTools.push((now, panel) => {
  const others = now.task.candidates.filter((one) => one !== now.one);
  if (!others.length) return;
  const choice = make("select", "");
  choice.setAttribute("aria-label", "Compare with another program");
  choice.dataset.key = "compare";
  choice.append(make("option", "", "no other program"));
  choice.firstChild.value = "";
  for (const one of others) {
    const option = make("option", "", `${one.name} (${one.right}/${now.task.demos.length})`);
    option.value = one.hash;
    choice.append(option);
  }
  choice.value = others.some((one) => one.hash === place.other) ? place.other : "";
  choice.addEventListener("change", () => go({ other: choice.value }));
  const told = make("div", "compared");
  told.setAttribute("role", "status");
  panel.append(make("div", "compare", make("label", "", "Compare with ", choice), told));
  const other = others.find((one) => one.hash === choice.value);
  if (other) showCompared(now, other, panel, told);
});

async function showCompared({ task, one, sample }, other, panel, told) {
  const found = await asked("/api/compare", { text: one.text, other: other.text, task: task.id, sample });
  if (!found || !told.isConnected) return;
  for (const row of panel.querySelectorAll(".line.differs")) row.classList.remove("differs");
  if (found.line === null) {
    told.textContent = `${other.name} has the value of every line.`;
    return;
  }
  const row = panel.querySelector(`.line[data-line="${found.line}"]`);
  if (row) row.classList.add("differs");
  told.replaceChildren(make("p", "", `Line ${found.line} is the first whose value ${other.name} does not have on ${sampleName(task, sample)}.`));
  if (found.other_line === null) return;
  told.append(make("p", "", `${other.name} has instead, in line ${found.other_line}: `, make("code", "", found.other_text)));
  if (found.other) told.append(valuesOf(found.other));
}
