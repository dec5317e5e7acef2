// Programs by what they do: those that give a grid, and those that come closest.
headTools.push((now, tools) => {
  const open = button("quiet", "Find programs", () => findPrograms(now));
  open.dataset.key = "find";
  open.title = "Which stored programs give the expected output";
  tools.append(open);
});

async function findPrograms(now) {
  const { task, sample, one } = now;
  const expected = expectedAt(task, sample);
  const body = sheet(`Programs by behaviour: ${task.id}, ${sampleName(task, sample)}`);
  const choices = expected ? [["the expected output", expected]] : [];
  const given = one && givenAt(task, one, sample);
  if (given && given !== "=" && !given.startsWith("!")) choices.push([`what ${one.name} gives`, given]);
  if (drawing.cells) choices.push(["the drawing", textOfRows(drawing.cells)]);
  if (!choices.length) {
    body.append(make("p", "hint", "There is no grid to look for: reveal the answers, or draw one."));
    return;
  }
  const wanted = make("select", "");
  wanted.setAttribute("aria-label", "Grid to look for");
  choices.forEach(([name], k) => {
    const option = make("option", "", name);
    option.value = k;
    wanted.append(option);
  });
  const found = make("div", "stack");
  found.setAttribute("role", "status");
  const look = async () => {
    found.replaceChildren(make("p", "hint", "Running all programs…"));
    const answer = await asked("/api/find", { task: task.id, input: rowsOf(sampleAt(task, sample).input), output: rowsOf(choices[wanted.value][1]) });
    if (answer) showFound(answer, found, choices[wanted.value][1]);
  };
  wanted.addEventListener("change", look);
  body.append(make("section", "panel stack", make("div", "fields", make("label", "", "Programs that give", wanted)), found));
  await look();
}

function showFound(answer, found, wanted) {
  const head = make("p", "", `${counted(answer.exact, "program")} of ${grouped(answer.tried)} run give it${answer.tried < answer.of ? ` (the store has ${grouped(answer.of)})` : ""}.`);
  const list = make("div", "followers");
  for (const one of answer.closest) {
    const words = one.wrong === 0 ? "the same" : one.wrong === null ? "another size" : `${one.wrong} of ${one.cells} differ`;
    const show = button("linklike", one.name, () => copyText(one.text, `text of ${one.name}`), `Copy ${one.name} as Python`);
    const shown = picture(one.output, 120, { expected: one.wrong ? wanted : null, caption: words, bad: one.wrong !== 0, now: true });
    list.append(make("figure", "", make("figcaption", "", show), shown, make("small", "hint", one.origin)));
  }
  found.replaceChildren(head, list);
}
