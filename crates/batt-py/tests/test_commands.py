"""The commands as functions: options, objects where files are, progress, callbacks, Ctrl-C."""

from __future__ import annotations

import inspect
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from datetime import timedelta

import pytest

import batt

PROGRAM = "def solve_ba770101(I):\n    O = rot90(I)\n    return O\n"


def test_run_gives_what_the_command_line_gives():
    result = batt.run(number=5, no_cache=True)
    told = subprocess.run(
        [sys.executable, "-m", "batt", "run", "-n", "5", "--no-cache", "--json", "-"], capture_output=True, text=True, check=True
    )
    expected = json.loads(told.stdout)
    assert result.fits == expected["fits"] and result["samples"] == expected["samples"]
    assert [task["id"] for task in result.by_task] == [task["id"] for task in expected["by_task"]] == [row["id"] for row in result.rows()]
    assert result.status == 0 and "fits 5 of 5 tasks" in str(result)
    assert "<table>" in result._repr_html_()
    with pytest.raises(AttributeError, match="nonsense"):
        result.nonsense  # noqa: B018


def test_objects_where_files_are(tmp_path):
    tasks = batt.load_tasks()
    program = next(one for one in batt.load_programs() if one.name == "solve_ba770101")
    result = batt.run(tasks=[tasks["ba770101"]], programs=program)
    assert result.solved == ["ba770101"] and result.programs == 1
    result = batt.run(tasks=tasks[:3], programs=[program, PROGRAM, batt.load_programs()[1]])
    assert result.tasks == 3 and result.programs == 3
    submission = {task.id: [{"attempt_1": grid.tolist(), "attempt_2": grid.tolist()} for _, grid in task.test] for task in tasks[:3]}
    assert batt.grade(submission, tasks=tasks[:3]).status == 0
    with pytest.raises(batt.Error, match="lacks 2 of 5 tasks, and --partial grades the others"):
        batt.grade(submission, tasks=tasks[:5])
    part = batt.grade(submission, tasks=tasks[:5], partial=True)
    assert (part.tasks_right, part.tasks, part.all_tasks, part.missing) == (3, 3, 5, tasks.ids[3:5])
    assert (part.tasks_share, part.tasks_share_of_all) == (1.0, 0.6)


def test_one_table_of_options():
    names = inspect.signature(batt.search).parameters
    assert "time_per_task" in names and "on_found" in names and "resume" in names
    assert "the longest time for one task" in batt.search.__doc__.lower()
    assert "json" not in names


def test_wrong_options_are_named():
    with pytest.raises(TypeError, match="nonsense"):
        batt.run(nonsense=1)
    with pytest.raises(batt.UsageError, match="top"):
        batt.run(top=0)
    with pytest.raises(batt.UsageError, match="no time"):
        batt.run(time="soon")
    with pytest.raises(batt.Error, match="no-such-tasks"):
        batt.run(tasks="no-such-tasks")
    with pytest.warns(batt.BattWarning, match="no-such-file.py"), pytest.raises(batt.Error, match="there is no program to run"):
        batt.run(programs="no-such-file.py")
    with pytest.raises(batt.UsageError, match="resume is True or False"):
        batt.search(resume="yes")


@pytest.mark.parametrize("limit", [1.5, 90, 1e2, 0.25e2, timedelta(seconds=30), "1.5s", "0.5m"])
def test_times(limit):
    assert batt.run(number=1, time=limit).status == 0


def test_what_is_no_time_is_told():
    with pytest.raises(batt.UsageError, match="`5` has no unit: write 5s for seconds"):
        batt.run(number=1, time="5")
    for limit in (0, -1, float("nan"), float("inf")):
        with pytest.raises(batt.UsageError, match="no time"):
            batt.run(number=1, time=limit)
    # Digits alone reach the command.
    assert batt.run(number=1, time=1e-05).status == 0


def test_search_finds_and_tells():
    found = []
    seen = []
    result = batt.search(
        tasks=batt.load_tasks()[:6],
        columns=20000,
        threads=2,
        progress=lambda what, done, all: seen.append((what, done, all)),
        on_found=lambda task, program: found.append((task, program)),
    )
    assert sorted(task for task, _ in found) == sorted(result.fits)
    assert found and all(isinstance(program, batt.Program) for _, program in found)
    tasks = batt.load_tasks()
    assert all(program.check(tasks[task]).fits for task, program in found)


def test_evolve_and_submit(tmp_path):
    store = tmp_path / "my.store"
    tasks = batt.load_tasks()[:3]
    folder = tmp_path / "tasks.json"
    folder.write_text("{" + ",".join(f'"{task.id}":{task.to_json()}' for task in tasks) + "}")
    result = batt.evolve(tasks=folder, store=store, generations=2, population=50, threads=1)
    assert result.generations == 2
    assert batt.load_programs(store), "programs of a store are programs"
    submission = batt.submit(store=store)
    assert sorted(submission) == sorted(tasks.ids)
    assert batt.grade(submission, tasks=folder).status == 0
    written = tmp_path / "submission.json"
    batt.submit(store=store, out=written)
    assert json.loads(written.read_text()) == submission.data


def test_report_and_profile():
    page = batt.report(number=2)
    assert page.text.lstrip().lower().startswith("<!doctype html") and "<iframe" in page._repr_html_()
    assert batt.profile(number=2, repeat=1).data
    assert batt.profile.task(task="ba770101", repeat=1).data


def test_callbacks_that_raise_end_the_command():
    def broken(task, program):
        raise LookupError("broken")

    with pytest.raises(LookupError, match="broken"):
        batt.search(tasks=batt.load_tasks()[:6], columns=20000, threads=1, on_found=broken)
    assert batt.run(number=1).status == 0


def test_a_command_in_a_callback_is_refused():
    def again(task, program):
        batt.run(number=1)

    with pytest.raises(batt.Error, match="while another one runs"):
        batt.search(tasks=batt.load_tasks()[:6], columns=20000, threads=1, on_found=again)


def test_threads_take_turns():
    results = []
    threads = [threading.Thread(target=lambda: results.append(batt.run(number=3).status)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [0, 0, 0]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_saves_and_raises(tmp_path):
    code = textwrap.dedent("""
        import os, signal, sys, batt
        # A job in the background of a shell ignores the signal.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        def stop(what, done, all):
            if done >= 1 or "evolving" in what:
                os.kill(os.getpid(), signal.SIGINT)
        try:
            batt.evolve(store="my.store", population=200, threads=1, progress=stop)
        except KeyboardInterrupt:
            print("interrupted")
        print(batt.run(number=1).status)
    """)
    told = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert told.stdout.split() == ["interrupted", "0"], told.stderr
    assert (tmp_path / "my.store").is_file()
    submission = subprocess.run(
        [sys.executable, "-m", "batt", "submit", "--store", "my.store", "--out", "submission.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert submission.returncode == 0, submission.stderr


def test_the_module_is_the_command_line():
    told = subprocess.run([sys.executable, "-m", "batt", "--version"], capture_output=True, text=True)
    assert told.returncode == 0 and told.stdout.strip() == f"batt {batt.__version__}"
    wrong = subprocess.run([sys.executable, "-m", "batt", "run", "--nonsense"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "--nonsense" in wrong.stderr


def test_the_module_ends_on_ctrl_c(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "batt", "evolve", "--store", "my.store", "--population", "200"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    # The run has begun when it has a store.
    while process.poll() is None and not (tmp_path / "my.store").exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=120)
    assert process.returncode == 130, told
