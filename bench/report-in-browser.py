#!/usr/bin/env python3
"""How long a page of `batt report` takes to open in headless Chromium, and how smoothly it scrolls.

    python3 bench/report-in-browser.py report.html [--times 5] [--screenshot FILE.png] [--click SELECTOR] [--dark] [--size 1440x1000]

Drives Chromium by its own protocol through a pipe; needs nothing but Python and Chromium. Prints one JSON object.
"""

import argparse
import base64
import json
import os
import shutil
import statistics
import subprocess
import tempfile

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
         "--disable-background-networking", "--remote-debugging-pipe"]

# From the start of the navigation to the first frame after everything was loaded.
OPENED = """new Promise((done) => requestAnimationFrame(() => setTimeout(() => done({
    ready: performance.now(),
    load: performance.getEntriesByType('navigation')[0].loadEventEnd,
    cards: document.querySelectorAll('.card').length,
    elements: document.querySelectorAll('*').length,
}), 0)))"""

# From the top to the bottom, 120 pixels a frame: the time between frames.
SCROLLED = """new Promise((done) => {
    const frames = [];
    let last = performance.now();
    const step = (now) => {
        frames.push(now - last);
        last = now;
        if (scrollY + innerHeight >= document.documentElement.scrollHeight - 2) { done(frames); return; }
        scrollBy(0, 120);
        requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
})"""


class Browser:
    def __init__(self, size):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        (read_there, write_here), (read_here, write_there) = os.pipe(), os.pipe()
        program = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])))

        def descriptors():
            # Chromium reads on 3 and writes on 4; neither may be closed by the other's move.
            there, answers = os.dup(read_there), os.dup(write_there)
            os.dup2(there, 3)
            os.dup2(answers, 4)

        command = [program, *FLAGS, f"--window-size={size[0]},{size[1]}", f"--user-data-dir={self.profile.name}", "about:blank"]
        self.process = subprocess.Popen(command, preexec_fn=descriptors, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_there)
        os.close(write_there)
        self.requests, self.answers = os.fdopen(write_here, "wb"), os.fdopen(read_here, "rb")
        self.rest, self.last, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)

    def call(self, method, **params):
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.requests.write(json.dumps(message).encode() + b"\0")
        self.requests.flush()
        while True:
            answer = self.receive()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer.get("method"))

    def receive(self):
        while b"\0" not in self.rest:
            more = self.answers.read1(1 << 20)
            if not more:
                raise RuntimeError("the browser is gone")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def open(self, address):
        self.events = []
        self.call("Page.navigate", url=address)
        while "Page.loadEventFired" not in self.events:
            self.events.append(self.receive().get("method"))

    def value(self, expression):
        return self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)["result"].get("value")

    def close(self):
        self.process.kill()
        self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--screenshot")
    parser.add_argument("--click", action="append", default=[])
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--size", default="1440x1000")
    args = parser.parse_args()
    path, _, anchor = args.page.partition("#")
    address = "file://" + os.path.abspath(path) + ("#" + anchor if anchor else "")
    size = [int(number) for number in args.size.split("x")]
    opened, frames = [], []
    for _ in range(args.times):
        browser = Browser(size)
        if args.dark:
            browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        browser.open(address)
        opened.append(browser.value(OPENED))
        if args.screenshot:
            for selector in args.click:
                browser.value(f"document.querySelector({json.dumps(selector)}).click()")
            browser.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))")
            picture = browser.call("Page.captureScreenshot", format="png")["data"]
            with open(args.screenshot, "wb") as file:
                file.write(base64.b64decode(picture))
        else:
            frames.extend(browser.value(SCROLLED)[1:])
        browser.close()
    ready = [one["ready"] for one in opened]
    result = {
        "page": os.path.basename(path),
        "bytes": os.path.getsize(path),
        "cards": opened[0]["cards"],
        "elements_at_first": opened[0]["elements"],
        "open_ms": {"median": round(statistics.median(ready)), "worst": round(max(ready)), "times": len(ready)},
    }
    if frames:
        frames.sort()
        part = lambda share: round(frames[min(len(frames) - 1, int(share * len(frames)))], 1)
        result["scroll_frame_ms"] = {"median": part(0.5), "p99": part(0.99), "worst": round(frames[-1], 1), "frames": len(frames)}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
