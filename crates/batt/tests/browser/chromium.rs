//! Chromium without a window, driven through a pipe by the `DevTools` protocol: real clicks and keys, and everything that goes wrong is noted.
//!
//! Only commands of the protocol's stable version 1.3 are used (Browser, Target, Page, Runtime, Network, Log, Emulation, Input), and no wording
//! of a message counts, so that tests do not depend on the browser's age.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value as Json, json};

/// How long a browser may be silent before a test gives up on it.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one page.
pub(crate) struct Browser {
    process: Child,
    requests: ChildStdin,
    answers: Receiver<Json>,
    last: u64,
    session: Option<String>,
    events: Vec<Json>,
    version: String,
    _profile: tempfile::TempDir,
}

/// The program, where there is one. `BATT_CHROMIUM` names it; else the usual names are looked for.
pub(crate) fn installed() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("BATT_CHROMIUM") {
        return Some(path.into());
    }
    let folders: Vec<PathBuf> = std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|path| path.is_file())
}

impl Browser {
    /// Starts Chromium. `None`, and a line that nobody can overlook, if there is none.
    pub(crate) fn start() -> Option<Self> {
        let Some(program) = installed() else {
            // Not by a macro, which the test harness would hide.
            let line = "\nBROWSER TEST SKIPPED: there is no Chromium here (Debian: apt-get install chromium; or set BATT_CHROMIUM)\n";
            std::io::stderr().write_all(line.as_bytes()).unwrap();
            assert!(std::env::var_os("BATT_REQUIRE_CHROMIUM").is_none(), "BATT_REQUIRE_CHROMIUM is set, and there is no Chromium");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        // Chromium takes its orders on descriptor 3 and answers on 4.
        let mut shell = Command::new("sh");
        shell.args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh"]).arg(program);
        shell.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run"]);
        shell.args(["--disable-background-networking", "--disable-component-update", "--disable-sync", "--mute-audio"]);
        shell.args(["--remote-debugging-pipe", "--window-size=1440,1000", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]);
        shell.arg(format!("--user-data-dir={}", profile.path().display())).arg("about:blank");
        let mut process = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let requests = process.stdin.take().unwrap();
        let answers = listen(process.stdout.take().unwrap());
        let mut browser =
            Self { process, requests, answers, last: 0, session: None, events: Vec::new(), version: String::new(), _profile: profile };
        browser.version = browser.call("Browser.getVersion", &json!({}))["product"].as_str().map(str::to_owned).unwrap_or_default();
        let target = browser.call("Target.createTarget", &json!({"url": "about:blank"}))["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", &json!({"targetId": target, "flatten": true}));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        browser.resize(1440, 1000);
        Some(browser)
    }

    /// Opens a file.
    pub(crate) fn open(&mut self, path: &Path) {
        self.visit(&format!("file://{}", path.display()));
    }

    /// Opens an address in a page of its own, even if it differs from the last one only behind '#'.
    pub(crate) fn visit(&mut self, address: &str) {
        self.load("about:blank");
        self.load(address);
        self.settle();
    }

    fn load(&mut self, address: &str) {
        self.events.clear();
        self.call("Page.navigate", &json!({"url": address}));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.receive();
            self.events.push(event);
        }
    }

    /// Waits until an expression is true.
    pub(crate) fn wait_for(&mut self, expression: &str) {
        for _ in 0..600 {
            if self.eval(&format!("Boolean({expression})")) == true {
                return;
            }
            self.settle();
        }
        panic!("it never came true: {expression}");
    }

    /// Touches places of the window one after the other, with one finger.
    pub(crate) fn touch(&mut self, places: &[(f64, f64)]) {
        for (k, (x, y)) in places.iter().enumerate() {
            let kind = if k == 0 { "touchStart" } else { "touchMove" };
            self.call("Input.dispatchTouchEvent", &json!({"type": kind, "touchPoints": [{"x": x, "y": y}]}));
        }
        self.call("Input.dispatchTouchEvent", &json!({"type": "touchEnd", "touchPoints": []}));
        self.settle();
    }

    /// The middle of an element.
    pub(crate) fn middle(&mut self, selector: &str) -> (f64, f64) {
        let find = format!(
            "(() => {{ const e = document.querySelector({}); if (!e) return null; e.scrollIntoView({{block: 'center'}});
            const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()",
            json!(selector)
        );
        let place = self.eval(&find);
        assert!(place.is_array(), "there is no {selector}");
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    /// Sets the size of the page's window.
    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", &metrics);
    }

    /// Says what the system prefers: `dark` or `light`.
    pub(crate) fn prefer(&mut self, scheme: &str) {
        self.call("Emulation.setEmulatedMedia", &json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]}));
        self.settle();
    }

    /// The value of an expression in the page.
    pub(crate) fn eval(&mut self, expression: &str) -> Json {
        let arguments = json!({"expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true});
        let answer = self.call("Runtime.evaluate", &arguments);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// The text that an expression gives.
    pub(crate) fn text(&mut self, expression: &str) -> String {
        self.eval(expression).as_str().map(str::to_owned).unwrap_or_default()
    }

    /// The whole number that an expression gives.
    pub(crate) fn number(&mut self, expression: &str) -> i64 {
        let value = self.eval(expression);
        value.as_i64().unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    /// Clicks the middle of the first element of a selector.
    pub(crate) fn click(&mut self, selector: &str) {
        let (x, y) = self.middle(selector);
        self.click_at(x, y);
    }

    /// Clicks a place of the window.
    pub(crate) fn click_at(&mut self, x: f64, y: f64) {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            self.call("Input.dispatchMouseEvent", &json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}));
        }
        self.settle();
    }

    /// Presses keys, one after the other: characters, or names such as `Enter`.
    pub(crate) fn press(&mut self, keys: &[&str]) {
        for key in keys {
            let mut event = json!({"type": "keyDown", "key": key});
            let code = match *key {
                "Enter" => {
                    event["text"] = json!("\r");
                    13
                }
                "Tab" => 9,
                "Backspace" => 8,
                "Home" => 36,
                "End" => 35,
                "Escape" => 27,
                "ArrowLeft" => 37,
                "ArrowUp" => 38,
                "ArrowRight" => 39,
                "ArrowDown" => 40,
                character => {
                    event["text"] = json!(character);
                    0
                }
            };
            event["windowsVirtualKeyCode"] = json!(code);
            self.call("Input.dispatchKeyEvent", &event);
            self.call("Input.dispatchKeyEvent", &json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code}));
        }
        self.settle();
    }

    /// Types text where the focus is.
    pub(crate) fn type_text(&mut self, text: &str) {
        let keys: Vec<String> = text.chars().map(String::from).collect();
        self.press(&keys.iter().map(String::as_str).collect::<Vec<_>>());
    }

    /// A picture of the window as PNG, into the folder that `BATT_SCREENSHOTS` names, for people to look at.
    pub(crate) fn screenshot(&mut self, name: &str) {
        let Some(folder) = std::env::var_os("BATT_SCREENSHOTS") else { return };
        let picture = self.call("Page.captureScreenshot", &json!({"format": "png"}));
        let path = Path::new(&folder).join(format!("{name}.png"));
        std::fs::write(path, decoded(picture["data"].as_str().unwrap())).unwrap();
    }

    /// Ends, and checks that no script failed, that nothing was blocked, and that nothing but the page itself was asked for.
    pub(crate) fn finish(mut self) {
        let (wrong, pages) = self.complaints("file://");
        assert!(wrong.is_empty(), "{}: {wrong:#?}", self.version);
        assert_eq!(pages, 1, "one page was asked for ({})", self.version);
    }

    /// Checks the same of pages of a server, which may ask it for more.
    pub(crate) fn check(&mut self, server: &str) {
        let (wrong, _) = self.complaints(server);
        assert!(wrong.is_empty(), "{}: {wrong:#?}", self.version);
    }

    /// Errors of the page, and the number of requests.
    fn complaints(&mut self, origin: &str) -> (Vec<String>, usize) {
        self.settle();
        let (mut wrong, mut pages) = (Vec::new(), 0);
        let is_asked =
            |what: &Json| origin.starts_with("http") && what["request"]["url"].as_str().is_some_and(|url| url.starts_with(origin));
        for event in &self.events {
            let what = &event["params"];
            match event["method"].as_str().unwrap_or_default() {
                "Runtime.exceptionThrown" => wrong.push(what.to_string()),
                // Warnings, such as of what will be deprecated, come and go with versions of the browser; errors are about the page.
                "Log.entryAdded" if what["entry"]["level"] == "error" => wrong.push(what.to_string()),
                "Runtime.consoleAPICalled" if what["type"] != "log" => wrong.push(what.to_string()),
                "Network.requestWillBeSent" if what["type"] == "Document" => pages += 1,
                "Network.requestWillBeSent" if is_asked(what) => {}
                "Network.requestWillBeSent" | "Network.webSocketCreated" | "Page.javascriptDialogOpening" => wrong.push(event.to_string()),
                _ => {}
            }
        }
        (wrong, pages)
    }

    /// Waits until what was done is drawn.
    pub(crate) fn settle(&mut self) {
        self.eval("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done(1)))))");
    }

    fn call(&mut self, method: &str, params: &Json) -> Json {
        self.last += 1;
        let mut request = json!({"id": self.last, "method": method, "params": params});
        if let Some(session) = &self.session {
            request["sessionId"] = json!(session);
        }
        self.requests.write_all(format!("{request}\0").as_bytes()).unwrap();
        self.requests.flush().unwrap();
        loop {
            let answer = self.receive();
            if answer["id"] == self.last {
                assert!(answer.get("error").is_none(), "{}, {method}: {answer}", self.version);
                return answer["result"].clone();
            }
            self.events.push(answer);
        }
    }

    fn receive(&mut self) -> Json {
        self.answers.recv_timeout(PATIENCE).expect("the browser answers")
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Messages end with a zero byte.
fn listen(output: impl std::io::Read + Send + 'static) -> Receiver<Json> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for message in BufReader::new(output).split(0) {
            let Ok(message) = message else { break };
            let Ok(json) = serde_json::from_slice(&message) else { break };
            if sender.send(json).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Base 64 to bytes.
fn decoded(text: &str) -> Vec<u8> {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.decode(text).unwrap()
}
