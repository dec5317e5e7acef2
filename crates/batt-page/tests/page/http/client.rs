//! A server in this process, and requests to it by hand.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use batt_page::{Server, Workbench, WorkbenchInputs};
use batt_program::Reading;
use batt_session::Programs;
use batt_store::{Access, Store};
use serde_json::Value as Json;

/// A server on the first starter tasks, which ends with this value.
pub(crate) struct Served {
    pub(crate) address: String,
    pub(crate) token: String,
    pub(crate) host: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    folder: tempfile::TempDir,
}

/// Answer of the server.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        self.headers
            .lines()
            .filter_map(|line| line.split_once(": "))
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.to_owned())
    }

    pub(crate) fn json(&self) -> Json {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

impl Served {
    /// Starts a server with a store; `writes` is whether it may write to it.
    pub(crate) fn start(writes: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my.store");
        drop(Store::open(&path, Access::Create).unwrap());
        std::fs::write(folder.path().join("secret.txt"), "SECRET").unwrap();
        let server = Server::bind(0).unwrap();
        let address = server.address();
        let token = address.split_once("token=").unwrap().1.to_owned();
        let host = address.strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
        let stop = Arc::new(AtomicBool::new(false));
        let inputs = WorkbenchInputs {
            source: "starter".to_owned(),
            tasks: batt_starter::pack().into_iter().take(4).collect(),
            programs: Programs::read(&[], Reading::Auto).loaded.into_iter().take(12).collect(),
            store: Some(path),
            threads: 2,
            writes,
            stop: Arc::clone(&stop),
            ..WorkbenchInputs::default()
        };
        let thread = std::thread::spawn(move || server.run(Workbench::new(inputs)).unwrap());
        Self { address, token, host, stop, thread: Some(thread), folder }
    }

    /// Ends the server, and returns its store.
    pub(crate) fn end(&self) -> PathBuf {
        self.stop.store(true, Ordering::Relaxed);
        while !self.thread.as_ref().unwrap().is_finished() {
            std::thread::yield_now();
        }
        self.folder.path().join("my.store")
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request("GET", path, "", "")
    }

    pub(crate) fn post(&self, path: &str, body: &Json) -> Answer {
        self.request("POST", path, "Content-Type: application/json\r\n", &body.to_string())
    }

    pub(crate) fn first_task(&self) -> String {
        self.get("/api/tasks").json()[0]["id"].as_str().unwrap().to_owned()
    }

    /// A request with the token.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n{headers}Content-Length: {length}\r\n",
            self.host, self.token
        );
        self.raw(&format!("{head}\r\n{body}"))
    }

    /// Sends text, and reads what comes until the server closes.
    pub(crate) fn raw(&self, text: &str) -> Answer {
        self.bytes(text.replacen("\r\n", "\r\nConnection: close\r\n", 1).as_bytes(), true).unwrap_or_else(|| panic!("no answer to {text}"))
    }

    /// Sends any bytes; there may be no answer. Unless they are whole, the connection is closed, so that the server does not wait.
    pub(crate) fn bytes(&self, bytes: &[u8], is_whole: bool) -> Option<Answer> {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        // A server that has refused already may have closed.
        let _ = stream.write_all(bytes);
        if !is_whole {
            let _ = stream.shutdown(std::net::Shutdown::Write);
        }
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = text.split_once("\r\n\r\n")?;
        let (first, headers) = head.split_once("\r\n").unwrap_or((head, ""));
        let status = first.split(' ').nth(1)?.parse().ok()?;
        Some(Answer { status, headers: headers.to_lowercase(), body: body.to_owned() })
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A panic of it has failed the test already.
            let _ = thread.join();
        }
    }
}
