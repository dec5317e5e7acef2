"""The Python code of the documents runs."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]
# Pages whose blocks of Python are one session. Blocks that name a file are programs for the command line.
PAGES = ["docs/python.md", "docs/arc-dsl.md", "docs/notebook.md", "docs/kaggle.md"]


@pytest.mark.parametrize("page", PAGES)
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # A page may give a module another name.
    monkeypatch.delitem(sys.modules, "dsl", raising=False)
    run_page(page, tmp_path)


def run_page(page, tmp_path):
    text = (REPOSITORY / page).read_text()
    blocks = [
        (text[: match.start()].count("\n") + 2, match.group(1)) for match in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S)
    ]
    assert blocks
    # One file with the lines at their places, so that functions have a source and errors have the lines of the page.
    lines = [""] * text.count("\n")
    for first, block in blocks:
        for k, line in enumerate(block.splitlines()):
            lines[first - 1 + k] = line
    file = tmp_path / f"{Path(page).stem}.py"
    file.write_text("\n".join(lines))
    exec(compile(file.read_text(), str(file), "exec"), {"__name__": "page"})
