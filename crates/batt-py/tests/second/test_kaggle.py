"""`examples/kaggle.ipynb` as on Kaggle: a kernel without batt and without network, a wheel in a folder, and the competition's files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError

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
    ours, theirs = (Path(subprocess.run([one, "-c", ask], capture_output=True, text=True, check=True).stdout.strip()) for one in (sys.executable, python))
    for package in ours.iterdir():
        if not package.name.startswith("batt") and not (theirs / package.name).exists():
            (theirs / package.name).symlink_to(package)
    assert subprocess.run([python, "-c", "import batt"], capture_output=True).returncode == 1
    spec = tmp_path / "kernels" / "kaggle" / "kernel.json"
    spec.parent.mkdir(parents=True)
    spec.write_text(json.dumps({"argv": [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "kaggle", "language": "python"}))
    return KernelSpecManager(kernel_dirs=[str(tmp_path / "kernels")])


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


def start(repository, kaggle, wheels, competition, work, seconds):
    """The notebook with other parameters, and what executes it."""
    notebook = nbformat.read(repository / "examples" / "kaggle.ipynb", as_version=4)
    nbformat.validate(notebook)
    place = next(place for place, cell in enumerate(notebook.cells) if "parameters" in cell.metadata.get("tags", []))
    told = f"WHEELS = {str(wheels)!r}\nDATA = {str(competition)!r}\nWORK = {str(work)!r}\nHOURS = {seconds} / 3600"
    notebook.cells.insert(place + 1, nbformat.v4.new_code_cell(told))
    manager = KernelManager(kernel_name="kaggle", kernel_spec_manager=kaggle)
    # Nobody answers there, so whatever needs the network fails.
    manager.extra_env = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
    client = NotebookClient(notebook, km=manager, timeout=600, resources={"metadata": {"path": str(work)}})
    return notebook, manager, client


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
    notebook, manager, client = start(repository, kaggle, wheels, competition, work, 3600)
    failures = []
    over = threading.Event()

    def execute():
        try:
            client.execute()
        except Exception as error:
            failures.append(error)
        over.set()

    thread = threading.Thread(target=execute)
    thread.start()
    store, checked = work / "search.store", 0
    while not over.is_set():
        if (work / "submission.json").exists():
            check_submission(work)
            checked += 1
        if store.exists() and checked >= 3 and saved(store) >= 3:
            break
        time.sleep(0.05)
    if over.is_set():
        raise failures[0] if failures else AssertionError("the notebook was not killed")
    os.kill(manager.provisioner.process.pid, signal.SIGKILL)
    thread.join()
    assert isinstance(failures[0], DeadKernelError), failures
    check_submission(work)
    before = saved(store)

    notebook, _, client = start(repository, kaggle, wheels, competition, work, 10)
    client.execute()
    assert "going on: programs fit" in said(notebook), said(notebook)
    runs = _parts.runs_of(str(store))
    assert len(runs) == 1 and saved(store) >= before
    grade = check_submission(work)
    assert grade.status == 0 and grade.right, "no task is solved"
    assert sorted(path.name for path in work.iterdir()) == ["evolve.store", "evolved.json", "search.store", "submission.json"]
    # All of it once more, from where it is.
    notebook, _, client = start(repository, kaggle, wheels, competition, work, 3)
    client.execute()
    assert len(_parts.runs_of(str(store))) == len(_parts.runs_of(str(work / "evolve.store"))) == 1
    assert check_submission(work).outputs_right >= 1


def saved(store):
    try:
        runs = _parts.runs_of(str(store))
        return (runs[0]["generation"] or 0) if runs else 0
    except batt.Error:
        # It is just being made.
        return 0
