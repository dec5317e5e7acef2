"""`batt.run`, `batt.search` and `batt.evolve` on a Ray cluster: `pip install 'batt[ray]'`.

Each function takes the options of its command, and these:

- `address`: the cluster, such as `auto` or `10.0.0.1:6379`. Without it, a connection that is open is used, or Ray starts on this machine.
- `num_cpus`, `num_gpus`: what a Ray task needs, 1 and 0 by default. Both may be fractions. With a GPU, evolution runs on it.
- `tasks_per_part`: how many ARC tasks a Ray task has (`run`, `search`); `parts`: how many shards there are (`evolve`).
- `in_flight`: how many Ray tasks are submitted at a time, twice as many as can run by default.
- `retries`: how often a Ray task is repeated whose worker or node died, 3 by default.
- `runtime_env`: passed to `ray.init`, for the environment of the workers.

Tasks and programs are put into the object store once. Workers have temporary stores. The driver merges them into `store` as they come, so
that all that was reported is in it, once. Evolution runs in shards, as with `--shard`; its shards are kept in `STORE.parts/`.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import shutil
import socket
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from batt import _parts
from batt._call import Listener
from batt._errors import BattWarning, Error, UsageError
from batt._native import __version__
from batt._parts import Done, Part
from batt._results import Result

try:
    ray: Any = importlib.import_module("ray")
except ImportError:
    raise ImportError("batt.ray needs Ray: pip install 'batt[ray]'") from None

if TYPE_CHECKING:
    from batt._programs import Program

    Progress = bool | Callable[[str, int, int | None], Any] | None
    Found = Callable[[str, Program], Any] | None

__all__ = ["evolve", "run", "search"]

# How long it may take to reach a cluster.
CONNECT_S = 5.0
# A Ray task that takes much less is mostly overhead; one that takes much longer costs much when its node dies.
PART_S = 60.0
# What a thread of a search has where nobody says what a node has.
LEAST_MEMORY = 512_000_000
# How often a submission is written while parts come in.
SUBMISSION_EVERY_S = 5.0


def run(*, progress: Progress = None, **options: Any) -> Result:
    """`batt.run` on a cluster: every program on every task, some tasks in each Ray task."""
    return _Driver("run", options, progress, None).run()


def search(*, progress: Progress = None, on_found: Found = None, **options: Any) -> Result:
    """`batt.search` on a cluster, some tasks in each Ray task. With `columns`, the store has the content of a search on one machine.

    `resume=True` leaves out the tasks that the store has a search of. `memory` is that of a node. The submission is that of `batt.submit`
    on the store, if there is one; better answers that `store` or `out` have from earlier searches are kept.
    """
    return _Driver("search", options, progress, on_found).run()


def evolve(*, progress: Progress = None, on_found: Found = None, **options: Any) -> Result:
    """`batt.evolve` on a cluster, in shards. With `generations`, the store has the content of the same shards on one machine.

    `generations`, `population` and the other numbers are those of a shard, `evaluations` are divided among the shards. A new evolution
    starts from what `store` holds, besides `programs`.
    """
    return _Driver("evolve", options, progress, on_found).run()


class _Driver:
    """Submits parts, takes in what they give, and joins it."""

    def __init__(self, command: str, options: dict[str, Any], progress: Any, on_found: Any) -> None:
        take = options.pop
        self.command = command
        self.address = take("address", None)
        self.num_cpus = float(take("num_cpus", 1))
        self.num_gpus = float(take("num_gpus", 0))
        self.tasks_per_part = take("tasks_per_part", None) if command != "evolve" else None
        self.parts = take("parts", None) if command == "evolve" else None
        self.in_flight = take("in_flight", None)
        self.retries = int(take("retries", 3))
        self.runtime_env = take("runtime_env", None)
        for name, value in (("num_cpus", self.num_cpus), ("num_gpus", self.num_gpus), ("retries", self.retries)):
            if value < 0:
                raise UsageError(f"{name} is {value}")
        for name in ("tasks_per_part", "parts", "in_flight"):
            if getattr(self, name) is not None and int(getattr(self, name)) < 1:
                raise UsageError(f"{name} is at least 1, not {getattr(self, name)}")
        self.told = _parts.part_options(command, options)
        self.tasks = _parts.chosen_tasks(options)
        self.library = None
        if "programs" in _parts.OPTIONS[command]:
            programs = options.get("programs")
            if programs is None:
                programs = _parts.default_programs(command, options)
            self.library = _parts.library_of(programs, options.get("differs"))
        self.store = os.fspath(options["store"]) if options.get("store") is not None else None
        if command == "evolve" and self.store is None:
            raise TypeError("evolve() needs the keyword argument 'store'")
        self.out = os.fspath(options["out"]) if options.get("out") is not None else None
        self.submission = os.fspath(options["submission"]) if options.get("submission") is not None else None
        if self.out is not None:
            self.submission = os.path.join(self.out, _parts.SUBMISSION)
        self.is_resumed = bool(options.get("resume"))
        if self.is_resumed and self.store is None:
            raise UsageError("resume needs a store")
        self.time = _parts.seconds(self.told.pop("time", None))
        self.generations = self.told.pop("generations", None)
        self.told.setdefault("threads", max(1, int(self.num_cpus)))
        if self.num_gpus and command == "evolve":
            self.told.setdefault("device", "cuda")

        self.listener = Listener(progress, on_found)
        self.began = time.monotonic()
        self.deadline = None if self.time is None else time.time() + self.time
        self.attempts: dict[str, Any] = _parts.no_answers(self.tasks)
        self.answers: dict[str, Any] = {}
        self.written = -math.inf
        self.results: dict[int, Done] = {}
        self.failed: list[str] = []
        self.known: list[str] = []
        # The programs of a search that fit, by part.
        self.texts: dict[int, str] = {}

    def run(self) -> Result:
        if self.store is not None:
            # A store that cannot be written is named before anything is started.
            folder = os.path.dirname(os.path.abspath(self.store))
            if not os.path.isdir(folder):
                raise Error(f"there is no folder {folder} for the store")
        if self.command == "search":
            self._take_earlier()
        self._submit_answers(is_last=True)
        with _connected(self.address, self.runtime_env), self.listener:
            data = ray.put({task.id: task.to_json() for task in self.tasks})
            library = ray.put(self.library)
            plan = self._shards() if self.command == "evolve" else self._chunks()
            self._drive(plan, data, library)
        return self._result()

    def _take_earlier(self) -> None:
        """The answers of earlier searches, in the folder and in the store."""
        if self.out is not None and self.submission is not None:
            self.answers = _parts.read_answers(self.out)
            if os.path.exists(self.submission):
                if not self.answers["tasks"]:
                    self._put_aside(self.submission, f"has no {_parts.ANSWERS} beside it")
                else:
                    try:
                        self.attempts.update(dict(json.loads(_parts.read(self.submission))))
                    except (ValueError, TypeError):
                        self._put_aside(self.submission, "is no submission")
        if self.store is not None and self.submission is not None and os.path.exists(self.store):
            self.attempts.update(_parts.submission_of(self.store, self.tasks))

    def _put_aside(self, path: str, why: str) -> None:
        """Renames a submission that has nothing to add to."""
        stem, ending = os.path.splitext(path)
        place = 1
        while os.path.exists(f"{stem}-{place}{ending}"):
            place += 1
        os.rename(path, f"{stem}-{place}{ending}")
        self.listener.warnings.append(f"{path} {why}: kept as {stem}-{place}{ending}")

    # Parts.

    def _slots(self) -> int:
        """How many Ray tasks can run at the same time."""
        resources = ray.cluster_resources()
        slots = [resources.get(name, 0.0) / one for name, one in (("CPU", self.num_cpus), ("GPU", self.num_gpus)) if one]
        return max(1, int(min(slots, default=1.0)))

    def _has_a_place(self) -> bool:
        """Whether any node could run a Ray task, were it idle."""
        wanted = {"CPU": self.num_cpus, "GPU": self.num_gpus}
        return any(node["Alive"] and all(node["Resources"].get(name, 0.0) >= one for name, one in wanted.items()) for node in ray.nodes())

    def _chunks(self) -> Iterator[tuple[Part, bytes | None]]:
        """Some tasks each, in their order."""
        ids = self.tasks.ids
        if self.command == "search" and self.is_resumed and self.store is not None:
            done = _parts.searched_tasks(self.store)
            self.known = [id for id in ids if id in done]
            ids = [id for id in ids if id not in done]
        slots = self._slots()
        most = len(ids)
        if self.command == "search" and self.time is None and "columns" not in self.told:
            most = max(1, round(PART_S / (_parts.seconds(self.told.get("time_per_task", 10)) or 10)))
        place, left = 0, len(ids)
        while left:
            # Parts get smaller, so that all slots end at about the same time.
            size = min(left, int(self.tasks_per_part or min(most, math.ceil(left / (4 * slots)))))
            options = dict(self.told)
            if self.time is not None:
                # Each has its share of the time that is left.
                share = (self.time - (time.monotonic() - self.began)) * slots * size / left
                options["time"] = f"{max(1, math.floor(share))}s"
            first = len(ids) - left
            part = Part(self.command, place, tuple(ids[first : first + size]), options, *self._wants())
            known = {id: self.answers["tasks"][id] for id in part.ids if id in self.answers.get("tasks", {})}
            yield part._replace(answers=json.dumps({**self.answers, "tasks": known}) if known else None), None
            place, left = place + 1, left - size

    def _wants(self) -> tuple[bool, bool, str, float | None]:
        return self.store is not None and self.command != "run", self.submission is not None, __version__, self.deadline

    def _shards(self) -> Iterator[tuple[Part, bytes | None]]:
        """Every N-th task each, as `--shard` has them; an evolution goes on in slices until it is over."""
        ids = self.tasks.ids
        count = min(int(self.parts or self._slots()), len(ids))
        self.folder = f"{self.store}.parts"
        if not self.is_resumed:
            shutil.rmtree(self.folder, ignore_errors=True)
        elif os.path.isdir(self.folder) and (kept := os.listdir(self.folder)):
            count_before = int(kept[0].rsplit("-", 1)[1].split(".")[0])
            if self.parts is not None and count_before != count:
                raise UsageError(f"{self.folder} has {count_before} parts, not {count}")
            count = count_before
        self.count = count
        self.targets = [0] * count
        self.steps = [1] * count
        self.since = [0.0] * count
        # What a new evolution starts from.
        held = _parts.read(self.store) if self.store is not None and not self.is_resumed and os.path.exists(self.store) else None
        for place in range(count):
            path = self._shard_path(place)
            before = _parts.read(path) if os.path.exists(path) else None
            part = self._slice(place, before)
            yield (part, before) if before is not None else (part._replace(is_new=True), held)

    def _shard_path(self, place: int) -> str:
        return os.path.join(self.folder, f"{place + 1}-of-{self.count}.store")

    def _slice(self, place: int, before: bytes | None) -> Part:
        options = dict(self.told)
        if "evaluations" in options:
            options["evaluations"] = math.ceil(int(options["evaluations"]) / self.count)
        if before is not None and not self.targets[place]:
            self.targets[place] = _parts.generation_of(before)
        target = self.targets[place] + self.steps[place]
        options["generations"] = min(target, int(self.generations)) if self.generations is not None else target
        if self.time is not None:
            options["time"] = f"{max(1, math.ceil(self.time))}s"
        self.since[place] = time.monotonic()
        return Part(self.command, place, tuple(self.tasks.ids[place :: self.count]), options, *self._wants())

    def _next_slice(self, done: Done) -> Part | None:
        """How an evolution goes on, if it does."""
        place, made = done.place, int(done.data["generations"])
        is_over = (
            done.data["stopped"] != "generation limit reached"
            or (self.generations is not None and made >= int(self.generations))
            or (self.time is not None and time.monotonic() - self.began >= self.time)
        )
        if is_over:
            return None
        self.targets[place] = made
        took = time.monotonic() - self.since[place]
        # Slices grow until they take long enough. Where a run is cut does not change it.
        self.steps[place] = max(1, round(self.steps[place] * min(4.0, PART_S / max(took, 0.1))))
        return self._slice(place, done.store)

    # Driving.

    def _drive(self, plan: Iterator[tuple[Part, bytes | None]], data: Any, library: Any) -> None:
        resources: dict[str, Any] = {"num_cpus": self.num_cpus, "num_gpus": self.num_gpus, "max_retries": self.retries}
        work = ray.remote(_work).options(name=f"batt {self.command}", retry_exceptions=False, **resources)
        waiting: dict[Any, Part] = {}
        done, all_tasks = len(self.known), len(self.tasks)
        upcoming = next(plan, None)
        was_told = False
        self.listener.tick("tasks" if self.command != "evolve" else "generations", done, None if self.command == "evolve" else all_tasks)

        def submit(part: Part, before: bytes | None) -> None:
            # The driver keeps what an evolution goes on with, so that no node is needed for it.
            waiting[work.remote(part, data, library, ray.put(before) if before is not None else None)] = part

        try:
            while waiting or upcoming is not None:
                # A bounded number is in flight, so that results never pile up.
                limit = int(self.in_flight or 2 * self._slots())
                while upcoming is not None and len(waiting) < limit:
                    submit(*upcoming)
                    upcoming = next(plan, None)
                ready, _ = ray.wait(list(waiting), num_returns=1, timeout=1.0)
                if not ready and not self._has_a_place():
                    # A cluster may grow, or get back a node that it lost.
                    if not was_told:
                        was_told = True
                        why = f"no node of the cluster has {self.num_cpus:g} CPUs and {self.num_gpus:g} GPUs: waiting for one"
                        warnings.warn(why, BattWarning, stacklevel=4)
                    if self.deadline is not None and time.time() > self.deadline:
                        unfinished = [*waiting.values(), *(part for part, _ in [*([upcoming] if upcoming else []), *plan])]
                        self.failed += [id for part in unfinished for id in part.ids]
                        return
                for ref in ready:
                    part = waiting.pop(ref)
                    result = self._get(ref, part)
                    if result is None:
                        continue
                    self._take_in(result)
                    following = self._next_slice(result) if self.command == "evolve" else None
                    done += len(part.ids) if self.command != "evolve" else result.data["generations_here"]
                    self.listener.tick(*(("generations", done, None) if self.command == "evolve" else ("tasks", done, all_tasks)))
                    if following is not None:
                        submit(following, result.store)
        finally:
            for ref in waiting:
                ray.cancel(ref, force=False)

    def _get(self, ref: Any, part: Part) -> Done | None:
        try:
            result: Done = ray.get(ref)
            return result
        except ray.exceptions.RayTaskError as error:
            cause = getattr(error, "cause", None)
            if isinstance(cause, Error):
                raise cause from None
            raise Error(f"a worker failed on {_named(part.ids)}: {str(cause or error).strip().splitlines()[-1]}") from error
        except ray.exceptions.RayError as error:
            self.failed += part.ids
            why = str(error).strip().splitlines()[0]
            warnings.warn(f"{_named(part.ids)} given up after {self.retries} retries: {why}", BattWarning, stacklevel=5)
            return None

    def _take_in(self, done: Done) -> None:
        """First into the store, then told."""
        before = self.results.get(done.place)
        if done.store is not None and self.store is not None:
            if self.command == "evolve":
                _parts.write_whole(self._shard_path(done.place), done.store)
                _parts.merge_stores(self.store, [self._shard_path(done.place)])
            else:
                _parts.merge_data(self.store, done.store)
        if before is not None:
            data = dict(done.data)
            # Slices count what they did themselves.
            for name in ("evaluations_here", "generations_here", "generations_cut", "made", "panics"):
                data[name] = _parts.added(before.data[name], data[name])
            data.update({name: before.data[name] for name in ("fits_at_start", "start")})
            done = done._replace(data=data)
        else:
            for text in done.warnings:
                if text not in self.listener.warnings:
                    self.listener.warnings.append(text)
        # Stores are not kept in memory.
        self.results[done.place] = done._replace(store=None, files=())
        self.attempts.update(done.submission or {})
        if self.out is not None:
            for name, content in done.files:
                if name == _parts.ANSWERS:
                    found = json.loads(content)
                    self.answers = {**found, "tasks": {**self.answers["tasks"], **found["tasks"]}}
                elif name not in ("results.json", "programs.py"):
                    _parts.write_whole(os.path.join(self.out, name), content)
                elif name == "programs.py" and content:
                    self.texts[done.place] = content.decode()
        self._submit_answers(is_last=False)
        for task, text in done.found:
            self.listener.event("found", text, {"task": task})

    def _submit_answers(self, is_last: bool) -> None:
        if self.submission is not None and (is_last or time.monotonic() - self.written >= SUBMISSION_EVERY_S):
            if self.out is not None and self.answers.get("tasks"):
                _parts.write_whole(os.path.join(self.out, _parts.ANSWERS), (json.dumps(self.answers) + "\n").encode())
            _parts.write_whole(self.submission, (json.dumps(self.attempts) + "\n").encode())
            self.written = time.monotonic()

    def _result(self) -> Result:
        if self.command == "search" and self.store is not None and self.submission is not None and os.path.exists(self.store):
            self.attempts.update(_parts.submission_of(self.store, self.tasks))
        self._submit_answers(is_last=True)
        wall_s = time.monotonic() - self.began
        parts = list(self.results.values())
        data = _parts.joined(self.command, parts, wall_s)
        data["parts"] = len(parts)
        data["failed"] = self.failed
        if self.known:
            data["searched_before"] = self.known
        if self.out is not None:
            if self.command == "search":
                _parts.write_whole(
                    os.path.join(self.out, "programs.py"), "\n\n".join(self.texts[place] for place in sorted(self.texts)).encode()
                )
            else:
                _parts.write_whole(os.path.join(self.out, "results.json"), (json.dumps(data, indent=2) + "\n").encode())
        for text in self.listener.warnings:
            warnings.warn(text, BattWarning, stacklevel=4)
        fits = data.get("fits", 0)
        notes = [f"fits {fits if isinstance(fits, int) else len(fits)} of {len(self.tasks)} tasks; {len(parts)} parts, {wall_s:.1f} s"]
        errors = [error for part in parts for error in part.errors]
        status = max([part.status for part in parts] + [int(bool(self.failed))])
        return Result(f"ray {self.command}", data, "", notes, errors, status)


def _work(part: Part, tasks: Mapping[str, str], library: Any, before: bytes | None) -> Done:
    """What a Ray task does."""
    options = dict(part.options)
    if part.command == "search":
        # The memory of a node is shared by the Ray tasks that run on it.
        node: Any = next((node for node in ray.nodes() if node["NodeID"] == ray.get_runtime_context().get_node_id()), {"Resources": {}})
        share = min(1.0, int(options["threads"]) / max(1.0, node["Resources"].get("CPU", 1.0)))
        memory = int(_bytes(options.get("memory", "4GB")) * share)
        if "memory" not in options:
            # A node with many CPUs has more memory than a command takes by default.
            memory = max(memory, LEAST_MEMORY * int(options["threads"]))
        options["memory"] = f"{memory}B"
    return _parts.do_part(part._replace(options=options), tasks, library, before)


def _bytes(text: Any) -> int:
    units = {"GiB": 1 << 30, "MiB": 1 << 20, "GB": 10**9, "MB": 10**6, "B": 1}
    for name, unit in units.items():
        if str(text).endswith(name) and str(text)[: -len(name)].strip().isdigit():
            return int(str(text)[: -len(name)]) * unit
    raise UsageError(f"{text!r} is no size; write it like 500MB or 4GB")


def _named(ids: tuple[str, ...]) -> str:
    return f"task {ids[0]}" if len(ids) == 1 else f"tasks {ids[0]} and {len(ids) - 1} more"


@contextmanager
def _connected(address: str | None, runtime_env: Any) -> Iterator[None]:
    """A connection to a cluster. One that was open before stays open."""
    if ray.is_initialized():
        yield
        return
    wanted = address
    named = os.environ.get("RAY_ADDRESS") if address in (None, "auto") else address
    if named and named not in ("auto", "local"):
        _reach(named)
    given: dict[str, Any] = {"log_to_driver": False, "logging_level": "warning"}
    if runtime_env is not None:
        given["runtime_env"] = runtime_env
    if not named:
        given["include_dashboard"] = False if wanted is None else None
    try:
        ray.init(address=wanted, **given)
    except (ConnectionError, TimeoutError, RuntimeError, ValueError) as error:
        raise Error(f"there is no Ray cluster at {wanted or named or 'this machine'}: {str(error).strip().splitlines()[0]}") from None
    try:
        yield
    finally:
        ray.shutdown()


def _reach(address: str) -> None:
    """Ray takes minutes to find out that nobody is there, and ends the process."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise Error(f"{address!r} is no address of a Ray cluster: auto, HOST:PORT or ray://HOST:PORT")
    try:
        socket.create_connection((host, int(port)), timeout=CONNECT_S).close()
    except OSError as error:
        raise Error(f"there is no Ray cluster at {address}: {error}") from None
