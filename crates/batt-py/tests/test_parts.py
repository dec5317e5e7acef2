"""Commands in parts, without a cluster: the parts together are the whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import batt
from batt import _parts
from stores import content

PROGRAM = "def solve_ba770101(I):\n    O = rot90(I)\n    return O\n"


def parts_of(command, tasks, count, options, **more):
    data = {task.id: task.to_json() for task in tasks}
    library = _parts.library_of("starter") if command != "search" else None
    parts = [_parts.Part(command, place, tuple(tasks.ids[place::count]), options, **more) for place in range(count)]
    return [_parts.do_part(part, data, library) for part in parts]


def test_a_search_in_parts_is_the_search(tmp_path):
    tasks = batt.load_tasks()[:6]
    here = os.getcwd()
    done = parts_of("search", tasks, 3, {"columns": 500, "threads": 1}, has_store=True, has_submission=True)
    assert os.getcwd() == here
    # In any order, and twice.
    for part in [*reversed(done), done[0]]:
        _parts.merge_data(str(tmp_path / "parts.store"), part.store)
    whole = batt.search(tasks=tasks, columns=500, store=tmp_path / "whole.store", out=tmp_path / "out")
    assert content(tmp_path / "parts.store") == content(tmp_path / "whole.store")
    joined = _parts.joined("search", done, 0.0)
    for name in ("fits", "right_top1", "right_top2"):
        assert sorted(joined[name]) == sorted(whole[name])
    for name in ("tasks", "columns", "calls", "outputs", "outputs_top2", "graded"):
        assert joined[name] == whole[name]
    submission = {id: attempts for part in done for id, attempts in part.submission.items()}
    assert batt.grade(submission, tasks=tasks).data == batt.grade(tmp_path / "out" / "submission.json", tasks=tasks).data
    assert _parts.searched_tasks(str(tmp_path / "parts.store")) == set(tasks.ids)


def test_a_part_keeps_better_answers_of_earlier_searches(tmp_path):
    tasks = batt.load_tasks()["ba770303"]
    tasks = batt.TaskSet([tasks], "starter")
    found = batt.search(tasks=tasks, columns=400, no_library=True, out=tmp_path / "out", store=tmp_path / "my.store")
    assert found.fits == tasks.ids
    earlier = _parts.read_answers(str(tmp_path / "out"))
    part = _parts.Part("search", 0, tuple(tasks.ids), {"columns": 1, "threads": 1, "no_library": True}, has_submission=True)
    data = {task.id: task.to_json() for task in tasks}
    assert _parts.do_part(part, data, None).data["fits"] == []
    again = _parts.do_part(part._replace(answers=json.dumps(earlier)), data, None)
    assert again.data["fits"] == tasks.ids and again.data["kept"] == 1
    submission = json.loads((tmp_path / "out" / "submission.json").read_text())
    assert again.submission == submission == _parts.submission_of(str(tmp_path / "my.store"), tasks)
    assert json.loads(dict(again.files)["answers.json"])["tasks"].keys() == {"ba770303"}
    (tmp_path / "out" / "answers.json").write_text("[]")
    with pytest.raises(batt.Error, match="answers.json"):
        _parts.read_answers(str(tmp_path / "out"))
    assert _parts.read_answers(str(tmp_path / "none"))["tasks"] == {}


def test_a_new_evolution_in_a_part_starts_from_its_store(tmp_path):
    tasks = batt.load_tasks()[:2]
    store = tmp_path / "my.store"
    batt.evolve(tasks=tasks, programs="starter", generations=1, population=20, threads=1, store=store)
    wrong = _parts.library_of("def solve_none(I):\n    O = canvas(0, UNITY)\n    return O\n")
    options = {"generations": 1, "population": 20, "threads": 1}
    part = _parts.Part("evolve", 0, tuple(tasks.ids), options, has_store=True, is_new=True)
    data = {task.id: task.to_json() for task in tasks}
    assert _parts.do_part(part, data, wrong, store.read_bytes()).data["fits_at_start"] == 2
    assert _parts.do_part(part, data, wrong).data["fits_at_start"] == 0


def test_a_run_in_parts_is_the_run():
    tasks = batt.load_tasks()[:5]
    joined = _parts.joined("run", parts_of("run", tasks, 2, {"threads": 1, "differs": True}), 0.0)
    whole = batt.run(tasks=tasks, programs="starter", differs=True)
    assert set(whole.data) - set(joined) == {"heaviest"}
    for name in (
        "tasks",
        "samples",
        "programs",
        "evaluations",
        "undefined",
        "out_of_fuel",
        "candidates",
        "fuel",
        "graded",
        "card",
        "fits_by",
    ):
        assert joined[name] == whole[name], name


def test_an_evolution_in_slices_is_the_evolution(tmp_path):
    tasks = batt.load_tasks()[:2]
    data = {task.id: task.to_json() for task in tasks}
    store = None
    for generations in (1, 3, 4):
        part = _parts.Part("evolve", 0, tuple(tasks.ids), {"generations": generations, "population": 50, "threads": 1}, has_store=True)
        done = _parts.do_part(part, data, _parts.library_of("starter"), store)
        store = done.store
        assert done.data["generations"] == generations == _parts.generation_of(store) and not done.warnings
        _parts.merge_data(str(tmp_path / "parts.store"), store)
    batt.evolve(tasks=tasks, programs="starter", generations=4, population=50, threads=1, store=tmp_path / "whole.store")
    assert content(tmp_path / "parts.store", history=True) == content(tmp_path / "whole.store", history=True)


def test_built_in_libraries_are_named():
    assert _parts.library_of("found") == _parts.Library((), ("found",))
    assert len(batt.load_programs("found")) > 100
    assert _parts.default_programs("evolve", {}) == "starter" == _parts.default_programs("run", {"tasks": "arc1"})
    assert _parts.default_programs("evolve", {"tasks": batt.load_tasks()}) == "found"


def test_a_store_is_closed_when_its_command_returns(tmp_path):
    # What is left open is no file that can be copied.
    for generations in range(1, 6):
        batt.evolve(number=1, generations=generations, population=20, threads=1, store=tmp_path / "my.store", resume=generations > 1)
        assert os.listdir(tmp_path) == ["my.store"]


def test_programs_travel_as_data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "one.py").write_text(PROGRAM)
    (tmp_path / "mine" / "notes.txt").write_text("no program")
    library = _parts.library_of(["mine", tmp_path / "mine" / "one.py", PROGRAM, "starter"])
    assert library.names[0] == "mine" and library.names[-1] == "starter" and len(library.names) == 4
    assert sorted(os.path.basename(name) for name, _ in library.files) == ["one.py", "one.py", "program-2.py"]
    assert not any(os.path.isabs(name) for name, _ in library.files)
    with pytest.raises(batt.UsageError, match="no-such-file.py"):
        _parts.library_of("no-such-file.py")


def test_tasks_are_chosen_as_by_the_command_line():
    every = batt.load_tasks()
    assert _parts.chosen_tasks({}).ids == every.ids
    assert _parts.chosen_tasks({"tasks": 3}).ids == _parts.chosen_tasks({"tasks": "3"}).ids == every.ids[:3]
    assert _parts.chosen_tasks({"tasks": ["starter"], "start": 2, "number": 2}).ids == every.ids[2:4]
    assert _parts.chosen_tasks({"task": [every.ids[4], every.ids[1]]}).ids == [every.ids[1], every.ids[4]]
    with pytest.raises(batt.UsageError, match="nonsense"):
        _parts.chosen_tasks({"task": "nonsense"})
    with pytest.raises(batt.UsageError, match="no task"):
        _parts.chosen_tasks({"start": 1000})


def test_another_version_is_refused():
    tasks = batt.load_tasks()[:1]
    with pytest.raises(batt.Error, match="0.0.1"):
        parts_of("search", tasks, 1, {"columns": 100}, version="0.0.1")


def test_times_are_read():
    assert [_parts.seconds(value) for value in ("90s", "1h30m", "0.5m", 2, 0.5, None)] == [90, 5400, 30, 2, 0.5, None]
    for wrong, says in (("soon", "no time"), ("5", "`5` has no unit: write 5s"), ("0s", "no time"), (True, "no time")):
        with pytest.raises(batt.UsageError, match=says):
            _parts.seconds(wrong)


def test_ray_that_is_not_installed_is_named():
    code = "import sys; sys.modules['ray'] = None\nimport batt\ntry:\n    batt.ray.search()\nexcept ImportError as error:\n    print(error)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'batt[ray]'" in told.stdout, told.stderr
    code = "import sys; sys.modules['ray'] = None; sys.argv = ['batt', 'ray', 'search']\nfrom batt.__main__ import main; main()"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert told.returncode == 1 and told.stderr.strip() == "error: batt.ray needs Ray: pip install 'batt[ray]'"


def test_json_of_a_cluster_goes_where_that_of_a_command_goes(monkeypatch, tmp_path, capsys):
    from types import SimpleNamespace

    from batt import _ray_command

    fake = SimpleNamespace(run=lambda **_: batt.run(number=1))
    monkeypatch.setitem(sys.modules, "batt.ray", fake)
    monkeypatch.setattr(batt, "ray", fake, raising=False)
    for given in (["--json"], ["--json", "-"], ["--json=-"]):
        assert _ray_command.main(["run", *given]) == 0
        assert json.loads(capsys.readouterr().out)["tasks"] == 1
    path = tmp_path / "results.json"
    assert _ray_command.main(["run", f"--json={path}"]) == 0
    assert json.loads(path.read_text())["tasks"] == 1 and "fits 1 of 1 task" in capsys.readouterr().out
