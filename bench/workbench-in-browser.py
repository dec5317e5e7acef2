#!/usr/bin/env python3
"""What the page of `batt serve` takes, in headless Chromium.

    python3 bench/workbench-in-browser.py open ADDRESS [--times 9]       from the address to cards that are drawn
    python3 bench/workbench-in-browser.py type ADDRESS                   from a letter to redrawn values, on every task that has a program of its name
    python3 bench/workbench-in-browser.py memory ADDRESS --minutes 60    the page while a run that it starts goes on
    python3 bench/workbench-in-browser.py pictures ADDRESS --out DIR     pictures of the page, as the documents have them

ADDRESS is what `batt serve` prints. Prints one JSON object; ids of tasks are not among it.
"""

import argparse
import base64
import importlib.util
import json
import statistics
import time
from pathlib import Path

spec = importlib.util.spec_from_file_location("report_in_browser", Path(__file__).with_name("report-in-browser.py"))
report_in_browser = importlib.util.module_from_spec(spec)
spec.loader.exec_module(report_in_browser)
Browser = report_in_browser.Browser

OPENED = """new Promise((done) => {
    const look = () => (document.querySelectorAll('.card .grid').length >= 12 ? requestAnimationFrame(() => done(performance.now())) : setTimeout(look, 2));
    look();
})"""

# A letter more in the editor of a task: until the values are in the page, and until they are drawn.
TYPED = """(async (task) => {
    const until = async (what) => { for (let k = 0; k < 4000 && !what(); k += 1) await new Promise((done) => setTimeout(done, 2)); return what(); };
    location.hash = '';
    location.hash = `task=${encodeURIComponent(task)}`;
    if (!(await until(() => document.querySelector('#detail-title')?.textContent === task && document.querySelector('#program-panel .line .values')))) return null;
    const own = [...document.querySelectorAll('.matrix .name')].find((name) => name.textContent === `solve_${task}`);
    if (!own) return null;
    own.click();
    if (!(await until(() => location.hash.includes('program=') && document.querySelector('#program-panel .line .values')))) return null;
    document.querySelector('[data-key=edit]').click();
    if (!(await until(() => document.querySelector('.values-only .line')))) return null;
    const [area, lines, times] = [document.getElementById('editor'), document.querySelector('.values-only'), []];
    for (const letter of ['#', ' ', 'x']) {
        const drawn = new Promise((done) => new MutationObserver((_, seer) => { seer.disconnect(); done(performance.now()); }).observe(lines, { childList: true }));
        const began = performance.now();
        area.setRangeText(letter, area.value.length, area.value.length, 'end');
        area.dispatchEvent(new Event('input'));
        times.push(await Promise.race([drawn.then((at) => at - began), new Promise((done) => setTimeout(() => done(null), 10000))]));
    }
    return times;
})"""


def opening(address, times):
    found = []
    for _ in range(times):
        browser = Browser([1440, 1000])
        browser.open(address)
        found.append(browser.value(OPENED))
        tasks = browser.value("document.querySelectorAll('.card').length")
        browser.close()
    return {"tasks": tasks, "open_ms": {"median": round(statistics.median(found)), "worst": round(max(found)), "times": times}}


def typing(address):
    browser = Browser([1440, 1000])
    browser.open(address)
    browser.value(OPENED)
    tasks = browser.value("fetch('/api/tasks').then((answer) => answer.json()).then((tasks) => tasks.map((task) => task.id))")
    found = [browser.value(f"({TYPED})({json.dumps(task)})") for task in tasks]
    browser.close()
    letters = sorted(time for times in found if times for time in times if time is not None)
    by_task = sorted(statistics.median(times) for times in found if times and None not in times)
    at = lambda values, share: round(values[min(len(values) - 1, int(share * len(values)))], 1)
    figures = lambda values: {"median": at(values, 0.5), "95%": at(values, 0.95), "worst": round(values[-1], 1), "count": len(values)}
    return {"tasks": len(tasks), "letters_ms": figures(letters), "tasks_ms": figures(by_task)}


def memory(address, minutes):
    browser = Browser([1440, 1000])
    browser.call("Performance.enable")
    browser.open(address)
    browser.value(OPENED)
    browser.value("location.hash = 'tab=history'")
    time.sleep(2)
    browser.value(f"(() => {{ document.querySelectorAll('#control input')[2].value = {round(60 * minutes) + 60}; document.querySelector('[data-action=start]').click(); }})()")
    began, found = time.monotonic(), []
    while True:
        browser.call("HeapProfiler.collectGarbage")
        metrics = {one["name"]: one["value"] for one in browser.call("Performance.getMetrics")["metrics"]}
        generation = browser.value("document.querySelector('#history article .titled')?.innerText.match(/([\\d,]+) generation/)?.[1]")
        found.append({"minutes": round((time.monotonic() - began) / 60, 1), "heap_mb": round(metrics["JSHeapUsedSize"] / 1e6, 2), "nodes": int(metrics["Nodes"]), "generations": generation})
        if time.monotonic() - began > 60 * minutes:
            break
        time.sleep(min(60, 60 * minutes / 10))
    browser.value("document.querySelector('[data-action=stop]').click()")
    time.sleep(2)
    browser.close()
    return {"while_running": found}


PICTURES = [
    ("serve-task", "light", "task=ba770304", "[data-key='line 2']"),
    ("serve-editor", "dark", "task=ba770304", "[data-key=edit]"),
    ("serve-runs", "light", "tab=history", None),
]


def pictures(address, folder):
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, theme, place, click in PICTURES:
        browser = Browser([1440, 1000])
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        browser.open(address)
        browser.value(OPENED)
        browser.value(f"location.hash = {json.dumps(place)}")
        time.sleep(1.5)
        if click:
            browser.value(f"document.querySelector({json.dumps(click)}).click()")
            time.sleep(1)
            browser.value("document.querySelector('#sample-panel').scrollIntoView({ block: 'start' }); document.getElementById('detail').scrollBy(0, -70)")
            time.sleep(0.3)
        picture = browser.call("Page.captureScreenshot", format="png")["data"]
        (Path(folder) / f"{name}.png").write_bytes(base64.b64decode(picture))
        browser.close()
    return {"pictures": [name for name, *_ in PICTURES]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["open", "type", "memory", "pictures"])
    parser.add_argument("address")
    parser.add_argument("--times", type=int, default=9)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--out", default="docs")
    args = parser.parse_args()
    works = {
        "open": lambda: opening(args.address, args.times),
        "type": lambda: typing(args.address),
        "memory": lambda: memory(args.address, args.minutes),
        "pictures": lambda: pictures(args.address, args.out),
    }
    print(json.dumps(works[args.what](), indent=1))


main()
