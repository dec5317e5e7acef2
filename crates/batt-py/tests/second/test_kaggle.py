"""`examples/kaggle.ipynb` as on Kaggle: a kernel without batt and without network, a wheel in a folder, and the competition's files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

import batt
from batt import _parts

TASKS = 10


@pytest.fixture(scope="module")
def wheels() -> Path:
    folder = Path(os.environ["BATT_WHEELS"]).resolve()
    assert len(list(folder.glob("batt-*.whl"))) == 1
    return folder


@pytest.fixture
def kaggle(tmp_path):
    """An environment with Jupyter and without batt, and a kernel in it."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    ours, theirs = (
        Path(subprocess.run([one, "-c", ask], capture_output=True, text=True, check=True).stdout.strip())
        for one in (sys.executable, python)
    )
    for package in ours.iterdir():
        if not package.name.startswith("batt") and not (theirs / package.name).exists():
            (theirs / package.name).symlink_to(package)
    assert subprocess.run([python, "-c", "import batt"], capture_output=True).returncode == 1
    spec = tmp_path / "jupyter" / "kernels" / "kaggle" / "kernel.json"
    spec.parent.mkdir(parents=True)
    spec.write_text(
        json.dumps(
            {"argv": [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "kaggle", "language": "python"}
        )
    )
    return tmp_path / "jupyter"


@pytest.fixture
def competition(tmp_path):
    """The competition's files: challenges without answers, and an empty submission."""
    folder = tmp_path / "input"
    folder.mkdir()
    challenges = {}
    for task in batt.load_tasks()[:TASKS]:
        demos = [{"input": given.tolist(), "output": wanted.tolist()} for given, wanted in task.train]
        challenges[task.id] = {"train": demos, "test": [{"input": given.tolist()} for given, _ in task.test]}
    (folder / "arc-agi_test_challenges.json").write_text(json.dumps(challenges))
    empty = {id: [{"attempt_1": [[0, 0], [0, 0]], "attempt_2": [[0, 0], [0, 0]]} for _ in task["test"]] for id, task in challenges.items()}
    (folder / "sample_submission.json").write_text(json.dumps(empty))
    return folder


# Executes a notebook in its kernel and writes it with its outputs.
EXECUTE = """
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, kernel_name="kaggle", timeout=600, resources={"metadata": {"path": sys.argv[3]}}).execute()
nbformat.write(notebook, sys.argv[2])
"""


def start(repository, kaggle, wheels, competition, work, seconds):
    """Begins to execute the notebook with other parameters."""
    notebook = nbformat.read(repository / "examples" / "kaggle.ipynb", as_version=4)
    nbformat.validate(notebook)
    place = next(place for place, cell in enumerate(notebook.cells) if "parameters" in cell.metadata.get("tags", []))
    told = f"WHEELS = {str(wheels)!r}\nDATA = {str(competition)!r}\nWORK = {str(work)!r}\nHOURS = {seconds} / 3600\n"
    told += f"import os\nopen({str(work.parent / 'pid')!r}, 'w').write(str(os.getpid()))"
    notebook.cells.insert(place + 1, nbformat.v4.new_code_cell(told))
    nbformat.write(notebook, work.parent / "given.ipynb")
    # Nobody answers at that port, so whatever needs the network fails.
    environment = {**os.environ, "JUPYTER_PATH": str(kaggle), "http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
    arguments = [work.parent / "given.ipynb", work.parent / "executed.ipynb", work]
    return subprocess.Popen(
        [sys.executable, "-c", EXECUTE, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def finish(process, work):
    """The notebook with its outputs."""
    told, _ = process.communicate(timeout=300)
    assert process.returncode == 0, told
    return nbformat.read(work.parent / "executed.ipynb", as_version=4)


def said(notebook):
    return "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", []))


def check_submission(work):
    tasks = batt.load_tasks()[:TASKS]
    submission = json.loads((work / "submission.json").read_text())
    sample = json.loads((work.parent / "input" / "sample_submission.json").read_text())
    assert {id: len(attempts) for id, attempts in submission.items()} == {id: len(attempts) for id, attempts in sample.items()}
    for attempts in submission.values():
        for attempt in attempts:
            assert set(attempt) == {"attempt_1", "attempt_2"}
            assert all(batt.Grid(attempt[name]).height >= 1 for name in attempt)
    return batt.grade(submission, tasks=tasks)


def test_the_notebook_survives_being_killed(repository, kaggle, wheels, competition, tmp_path):
    work = tmp_path / "working"
    work.mkdir()
    # Far more time than it gets.
    process = start(repository, kaggle, wheels, competition, work, 3600)
    store, checked = work / "search.store", 0
    while process.poll() is None:
        if (work / "submission.json").exists():
            check_submission(work)
            checked += 1
        if store.exists() and checked >= 3 and saved(store) >= 3:
            break
        time.sleep(0.05)
    assert process.poll() is None, process.communicate()[0]
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
    process.kill()
    process.communicate()
    check_submission(work)
    before = saved(store)

    notebook = finish(start(repository, kaggle, wheels, competition, work, 10), work)
    assert "going on: programs fit" in said(notebook), said(notebook)
    runs = _parts.runs_of(str(store))
    assert len(runs) == 1 and saved(store) >= before
    grade = check_submission(work)
    assert grade.status == 0 and grade.right, "no task is solved"
    assert sorted(path.name for path in work.iterdir()) == [
        "answers.json",
        "evolve.store",
        "programs.py",
        "search.store",
        "submission.json",
    ]


def saved(store):
    try:
        runs = _parts.runs_of(str(store))
        return (runs[0]["generation"] or 0) if runs else 0
    except batt.Error:
        # It is just being made.
        return 0
