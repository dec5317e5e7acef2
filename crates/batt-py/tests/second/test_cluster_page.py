"""The Python code of docs/cluster.md runs."""

from __future__ import annotations

from test_documents import run_page


def test_the_code_of_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_page("docs/cluster.md", tmp_path)
