"""Commands on a real cluster of two nodes, of which workers, a node and the driver are killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import ray
from ray.cluster_utils import Cluster

import batt
import batt.ray
from batt import _parts
from stores import content

COLUMNS = 1500


class Nodes:
    """A cluster of two nodes on this machine."""

    def __init__(self) -> None:
        self.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        self.second = self.cluster.add_node(num_cpus=1, num_gpus=1)
        ray.init(address=self.cluster.address, log_to_driver=False)

    @contextmanager
    def killing_a_node(self) -> Iterator[Callable[[], None]]:
        """A function that kills the second node. Another one takes its place at the end, whatever happened."""
        killed = []

        def kill() -> None:
            if not killed:
                killed.append(self.second.node_id)
                self.cluster.remove_node(self.second, allow_graceful=False)

        try:
            yield kill
            assert killed, "no node was killed"
            # The cluster notices when it looks, which may be after the last part.
            end = time.monotonic() + 60
            while any(node["Alive"] for node in ray.nodes() if node["NodeID"] in killed) and time.monotonic() < end:
                time.sleep(0.1)
            assert [node["NodeID"] for node in ray.nodes() if not node["Alive"]] == killed
        finally:
            if killed:
                self.second = self.cluster.add_node(num_cpus=1, num_gpus=1)

    def working(self) -> list[int]:
        """The processes of this cluster that work on a part right now."""
        raylets = {info.process.pid for node in self.cluster.list_all_nodes() for info in node.all_processes.get("raylet", [])}
        found = []
        for folder in Path("/proc").iterdir():
            try:
                if folder.name.isdigit() and (folder / "cmdline").read_bytes().startswith(b"ray::batt"):
                    parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
                    found += [int(folder.name)] * (parent in raylets)
            except OSError:
                # It has ended meanwhile.
                continue
        return found

    @contextmanager
    def killing_a_worker(self) -> Iterator[Callable[[], None]]:
        """A function that begins to wait for a worker on a part and kills it. The driver goes on meanwhile, so that there are parts."""
        is_over = threading.Event()
        killed = []

        def kill() -> None:
            while not killed and not is_over.is_set():
                for pid in self.working():
                    with suppress(ProcessLookupError):
                        # A process that is stopped cannot finish its part.
                        os.kill(pid, signal.SIGSTOP)
                        if pid in self.working():
                            os.kill(pid, signal.SIGKILL)
                            killed.append(pid)
                            break
                        os.kill(pid, signal.SIGCONT)

        killer = threading.Thread(target=kill)

        def begin() -> None:
            if killer.ident is None:
                killer.start()

        try:
            yield begin
        finally:
            is_over.set()
            if killer.ident is not None:
                killer.join()
        assert killed, "no worker was killed"


@pytest.fixture(scope="module")
def nodes():
    nodes = Nodes()
    yield nodes
    ray.shutdown()
    nodes.cluster.shutdown()


@pytest.fixture(scope="module")
def one_machine(tmp_path_factory):
    """A search on one machine, without Ray."""
    folder = tmp_path_factory.mktemp("one")
    result = batt.search(number=16, columns=COLUMNS, threads=1, store=folder / "my.store", out=folder / "out")
    return folder, result


def test_a_search_loses_nothing_when_a_worker_and_a_node_die(nodes, one_machine, tmp_path):
    folder, expected = one_machine
    found = []
    with nodes.killing_a_node() as kill_node, nodes.killing_a_worker() as kill_worker:

        def kill(what, done, all):
            if done >= 2:
                kill_worker()
            if done >= 6:
                kill_node()
            # What was told is in the store.
            if done:
                assert len(content(tmp_path / "ray.store")["tasks"]) == done

        result = batt.ray.search(
            number=16,
            columns=COLUMNS,
            tasks_per_part=1,
            store=tmp_path / "ray.store",
            out=tmp_path / "out",
            progress=kill,
            on_found=lambda task, program: found.append(task),
        )
    assert result.status == 0 and result.failed == [] and result.parts == 16
    assert content(tmp_path / "ray.store") == content(folder / "my.store")
    assert result.fits == expected.fits and sorted(found) == sorted(expected.fits)
    assert json.loads((tmp_path / "out" / "submission.json").read_text()) == json.loads((folder / "out" / "submission.json").read_text())
    written = batt.load_programs(tmp_path / "out" / "programs.py")
    assert sorted(one.name for one in written) == sorted(one.name for one in batt.load_programs(folder / "out" / "programs.py"))


def test_an_evolution_loses_nothing_when_a_worker_dies(nodes, tmp_path):
    options = {"number": 6, "generations": 6, "population": 3000, "programs": "starter", "seed": 5}
    with nodes.killing_a_worker() as kill_worker:

        def kill(what, done, all):
            if done >= 2:
                kill_worker()

        result = batt.ray.evolve(store=tmp_path / "ray.store", parts=2, submission=tmp_path / "submission.json", progress=kill, **options)
    assert result.status == 0 and result.generations == 6 and result.generations_here == 12
    for shard in (1, 2):
        batt.evolve(store=tmp_path / f"{shard}.store", shard=(shard, 2), threads=1, **options)
    _parts.merge_stores(str(tmp_path / "all.store"), [str(tmp_path / "1.store"), str(tmp_path / "2.store")])
    assert content(tmp_path / "ray.store", history=True) == content(tmp_path / "all.store", history=True)
    assert batt.grade(tmp_path / "submission.json", tasks=batt.load_tasks()[:6]).status == 0
    # It goes on where it was.
    result = batt.ray.evolve(store=tmp_path / "ray.store", resume=True, **{**options, "generations": 7})
    assert result.generations == 7 and result.generations_here == 2
    assert [run["generation"] for run in _parts.runs_of(str(tmp_path / "ray.store"))] == [7, 7]


def test_a_run_gives_what_one_machine_gives(nodes, tmp_path):
    expected = batt.run(number=8, out=tmp_path / "one", programs="starter")
    result = batt.ray.run(number=8, out=tmp_path / "ray", programs="starter", tasks_per_part=3)
    assert result.parts == 3
    for name in ("tasks", "samples", "programs", "evaluations", "fits", "solved", "fits_by", "solved_by", "fuel"):
        assert result[name] == expected[name]
    assert sorted(path.name for path in (tmp_path / "ray").rglob("*")) == sorted(path.name for path in (tmp_path / "one").rglob("*"))
    assert json.loads((tmp_path / "ray" / "submission.json").read_text()) == json.loads((tmp_path / "one" / "submission.json").read_text())


def test_what_is_given_up_is_named_and_can_be_done_later(nodes, one_machine, tmp_path):
    with nodes.killing_a_worker() as kill_worker, pytest.warns(batt.BattWarning, match="given up after 0 retries"):
        result = batt.ray.search(
            number=16,
            columns=COLUMNS,
            tasks_per_part=1,
            retries=0,
            store=tmp_path / "ray.store",
            progress=lambda what, done, all: kill_worker() if done >= 2 else None,
        )
    assert result.status == 1 and len(result.failed) == 1
    again = batt.ray.search(number=16, columns=COLUMNS, store=tmp_path / "ray.store", resume=True)
    assert again.status == 0 and again.tasks == 1 and len(again.searched_before) == 15
    assert content(tmp_path / "ray.store") == content(one_machine[0] / "my.store")


def test_the_submission_has_what_was_found_before(nodes, one_machine, tmp_path):
    folder, expected = one_machine
    shutil.copy(folder / "my.store", tmp_path / "ray.store")
    submission = json.loads((folder / "out" / "submission.json").read_text())
    # All tasks were searched before.
    result = batt.ray.search(number=16, columns=COLUMNS, store=tmp_path / "ray.store", out=tmp_path / "out", resume=True)
    assert len(result.searched_before) == 16 and json.loads((tmp_path / "out" / "submission.json").read_text()) == submission
    # Weaker searches, with and without a store, and by one machine.
    shutil.copytree(folder / "out", tmp_path / "kept")
    weak = {"columns": 1, "no_library": True, "out": tmp_path / "kept"}
    result = batt.ray.search(number=16, tasks_per_part=3, **weak)
    assert result.fits == expected.fits and json.loads((tmp_path / "kept" / "submission.json").read_text()) == submission
    result = batt.search(number=16, **weak)
    assert result.fits == expected.fits and json.loads((tmp_path / "kept" / "submission.json").read_text()) == submission
    batt.ray.search(number=2, store=tmp_path / "ray.store", **weak)
    assert json.loads((tmp_path / "kept" / "submission.json").read_text()) == submission
    # A submission without its answers is put aside.
    (tmp_path / "kept" / "answers.json").unlink()
    with pytest.warns(batt.BattWarning, match="submission-1.json"):
        batt.ray.search(number=1, **weak)
    assert json.loads((tmp_path / "kept" / "submission-1.json").read_text()) == submission


def test_a_killed_driver_goes_on(nodes, one_machine, tmp_path):
    command = [sys.executable, "-m", "batt", "ray", "search", "--address", nodes.cluster.address, "-n", "16", "--columns", str(COLUMNS)]
    command += ["--tasks-per-part", "1", "--store", "ray.store", "--out", "out", "--json", "result.json"]
    driver = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    store = tmp_path / "ray.store"
    while driver.poll() is None and not (store.exists() and 3 <= _tasks_in(store)):
        time.sleep(0.05)
    driver.kill()
    driver.communicate()
    assert driver.returncode == -signal.SIGKILL
    before = _tasks_in(store)
    assert 3 <= before < 16
    # The submission was valid all the time.
    assert batt.grade(tmp_path / "out" / "submission.json", tasks=batt.load_tasks()[:16]).status == 0
    told = subprocess.run([*command, "--resume"], cwd=tmp_path, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    assert "of 16 tasks" in told.stdout
    result = json.loads((tmp_path / "result.json").read_text())
    assert before <= len(result["searched_before"]) < 16 and len(result["by_task"]) == 16 - len(result["searched_before"])
    assert content(store) == content(one_machine[0] / "my.store")


def test_ctrl_c_ends_the_driver_and_keeps_the_store(nodes, tmp_path):
    command = [sys.executable, "-m", "batt", "ray", "search", "--address", nodes.cluster.address, "--columns", str(COLUMNS)]
    command += ["--tasks-per-part", "1", "--store", "ray.store"]
    driver = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while driver.poll() is None and not _tasks_in(tmp_path / "ray.store"):
        time.sleep(0.05)
    driver.send_signal(signal.SIGINT)
    _, told = driver.communicate(timeout=60)
    assert driver.returncode == 130 and "stopped; what was found is saved" in told and "Traceback" not in told, told
    assert 1 <= len(_parts.searched_tasks(str(tmp_path / "ray.store"))) < 48


def _tasks_in(store):
    try:
        return len(content(store)["tasks"])
    except Exception:
        # The driver is making it.
        return 0


def test_ray_tasks_share_a_gpu(nodes, tmp_path):
    options = {"number": 4, "generations": 1, "population": 100, "parts": 2, "num_cpus": 0.5, "num_gpus": 0.5}
    result = batt.ray.evolve(store=tmp_path / "cpu.store", device="cpu", **options)
    assert result.parts == 2 and result.generations == 1
    # The node says that it has a GPU. Evolution runs there unless it is told otherwise.
    info = subprocess.run([sys.executable, "-m", "batt", "gpu", "info"], capture_output=True, text=True)
    if "no CUDA device" in info.stdout:
        with pytest.raises(batt.Error, match="(?i)cuda"):
            batt.ray.evolve(store=tmp_path / "gpu.store", **options)
    else:
        assert batt.ray.evolve(store=tmp_path / "gpu.store", **options).generations == 1


def test_a_cluster_without_room_is_named_and_waited_for_until_the_time_is_over(nodes, tmp_path):
    with pytest.warns(batt.BattWarning, match="no node of the cluster has 1 CPUs and 5 GPUs: waiting for one"):
        result = batt.ray.search(number=3, num_gpus=5, tasks_per_part=1, in_flight=1, time=2, store=tmp_path / "ray.store")
    assert result.status == 1 and result.failed == batt.load_tasks()[:3].ids


def test_time_is_kept(nodes, tmp_path):
    result = batt.ray.search(number=4, time=3, store=tmp_path / "ray.store")
    assert result.tasks == 4 and len(content(tmp_path / "ray.store")["tasks"]) == 4


def test_bad_options_are_named(nodes, tmp_path):
    with pytest.raises(TypeError, match="nonsense"):
        batt.ray.search(nonsense=1)
    with pytest.raises(batt.UsageError, match="columns"):
        batt.ray.search(number=1, columns=-1)
    with pytest.raises(batt.UsageError, match="in_flight is at least 1"):
        batt.ray.search(in_flight=0)
    with pytest.raises(batt.UsageError, match="shard has no meaning"):
        batt.ray.search(shard="1/2")
    with pytest.raises(batt.UsageError, match="resume needs a store"):
        batt.ray.search(resume=True)
    with pytest.raises(batt.UsageError, match="no-such-file.py"):
        batt.ray.run(programs="no-such-file.py")
    with pytest.raises(batt.Error, match="there is no folder"):
        batt.ray.search(store=tmp_path / "no" / "my.store")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert batt.ray.run(number=1).status == 0


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1"])
def test_a_cluster_that_is_not_there_is_named(address, tmp_path):
    told = subprocess.run(
        [sys.executable, "-m", "batt", "ray", "search", "--address", address], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert told.returncode == 1 and told.stderr.startswith(f"error: there is no Ray cluster at {address}: "), told.stderr
    wrong = subprocess.run([sys.executable, "-m", "batt", "ray", "run", "--address", "nowhere"], capture_output=True, text=True, timeout=60)
    assert wrong.returncode == 1 and "'nowhere' is no address" in wrong.stderr


def test_the_options_of_the_command_are_those_of_batt():
    told = subprocess.run([sys.executable, "-m", "batt", "ray", "search", "--help"], capture_output=True, text=True, check=True)
    for option in ("--columns", "--time-per-task", "--store", "--address", "--num-gpus", "--tasks-per-part"):
        assert option in told.stdout
    assert "--shard" not in told.stdout
