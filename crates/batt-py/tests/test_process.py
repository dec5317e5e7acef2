"""What the package does to its process: nothing that stays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap

import pytest


def run(code: str) -> str:
    told = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=300)
    assert told.returncode == 0, told.stderr
    return told.stdout.strip()


def test_importing_imports_nothing_that_takes_long():
    imported = json.loads(
        run("import sys; before = set(sys.modules); import batt, json; print(json.dumps(sorted(set(sys.modules) - before)))")
    )
    heavy = {"inspect", "ast", "numpy", "pandas", "polars", "tqdm", "asyncio", "dataclasses", "unittest", "typing_extensions", "batt.dsl"}
    assert not heavy & set(imported), heavy & set(imported)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_after_import_works():
    assert (
        run("""
        import os, batt
        from batt import dsl
        batt.run(number=2, threads=2)
        batt.search(number=1, columns=500, threads=2)
        child = os.fork()
        if child == 0:
            ok = batt.run(number=2, threads=2).status == 0
            ok = ok and batt.search(number=1, columns=500, threads=2).status == 0
            ok = ok and dsl.objects(((0, 1),), True, False, True) == frozenset({frozenset({(1, (0, 1))})})
            program = batt.load_programs()[0]
            ok = ok and len(program.run_many([((1, 2), (3, 4))] * 4, threads=2)) == 4
            os._exit(0 if ok else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """)
        == "0"
    )


def test_a_pool_of_processes_works():
    assert (
        run("""
        import multiprocessing, batt
        from batt import dsl
        if __name__ == "__main__":
            program = batt.Program.from_text("def solve(I):\\n    O = rot90(I)\\n    return O\\n")
            with multiprocessing.get_context("fork").Pool(2) as pool:
                print(pool.map(program, [((1, 2), (3, 4))] * 3) == [((3, 1), (4, 2))] * 3)
        """)
        == "True"
    )


def test_the_interpreter_lock_is_released():
    assert (
        run("""
        import sys, threading, time, batt
        from batt import _native
        # No thread is made to give way, so the other one runs only while the lock is released.
        sys.setswitchinterval(1000)
        is_over, turns = False, 0
        def count():
            global turns
            while not is_over:
                turns += 1
                time.sleep(0)
        threading.Thread(target=count).start()
        program = batt.load_programs()[0]
        grids = [batt.load_tasks()[0].train[0][0].totuple()] * 1000
        def is_released(call):
            before = turns
            for _ in range(1000):
                call()
                if turns > before:
                    return True
            return False
        def command():
            return _native.Command().run(["batt", "run", "-n", "3"], lambda *_: 0, lambda *_: 0)
        print(is_released(lambda: program.run_many(grids)), is_released(command))
        is_over = True
        """)
        == "True True"
    )


def test_no_thread_is_left():
    assert (
        run("""
        import os, time, batt
        def threads():
            return len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 1
        before = threads()
        for _ in range(3):
            batt.run(number=3, threads=4)
            batt.search(number=1, columns=500, threads=4)
        # The system takes a moment to remove a thread that has ended.
        for _ in range(200):
            if threads() == before:
                break
            time.sleep(0.01)
        print(threads() - before)
        """)
        == "0"
    )


def test_a_second_interpreter_is_refused_or_works():
    told = run("""
        try:
            import _interpreters as interpreters
        except ImportError:
            import _xxsubinterpreters as interpreters
        first = interpreters.create()
        try:
            result = interpreters.run_string(first, "import batt; assert batt.run(number=1).status == 0")
            print("works" if result is None else "refused")
        except Exception as error:
            print("refused")
        import batt
        print(batt.run(number=1).status)
    """)
    assert told.split() in (["works", "0"], ["refused", "0"]), told


def test_a_closed_pipe_is_no_error():
    told = subprocess.run(f"{sys.executable} -m batt dsl | head -1", shell=True, capture_output=True, text=True)
    assert told.returncode == 0 and "Traceback" not in told.stderr
