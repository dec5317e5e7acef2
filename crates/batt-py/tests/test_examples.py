"""The examples for plain shells and Slurm run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import batt
from stores import content


@pytest.fixture
def environment():
    """The program `batt` of this interpreter comes first."""
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture
def whole(tmp_path):
    batt.search(number=5, columns=300, store=tmp_path / "whole.store")
    return content(tmp_path / "whole.store")


def test_shards_in_a_shell(repository, environment, whole, tmp_path):
    command = ["bash", repository / "examples/shards.sh", "all.store", "3", "-n", "5", "--columns", "300"]
    for _ in range(2):
        # The second time nothing is left to be done.
        subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
        assert content(tmp_path / "all.store") == whole


def test_shards_in_slurm(repository, environment, whole, tmp_path):
    script = repository / "examples/slurm.sh"
    tasks = tmp_path / "tasks.json"
    tasks.write_text("{" + ",".join(f'"{task.id}":{task.to_json()}' for task in batt.load_tasks()[:5]) + "}")
    for element in (1, 2):
        # As Slurm starts an element of an array job.
        of_slurm = {"SLURM_ARRAY_TASK_ID": str(element), "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_CPUS_PER_TASK": "1", "TIME_PER_TASK": "1s"}
        subprocess.run(["bash", script, tasks, "found"], cwd=tmp_path, env={**environment, **of_slurm}, check=True, capture_output=True)
    subprocess.run(["bash", script, "--merge", "found"], cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert content(tmp_path / "found" / "all.store")["tasks"] == whole["tasks"]
