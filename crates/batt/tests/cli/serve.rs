//! `batt serve` as a process: the line that it prints, and its end.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use batt_store::{Access, Store};

use crate::cli::support::Sandbox;

fn start(sandbox: &Sandbox, args: &[&str]) -> (Child, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_batt"));
    command.arg("serve").args(args).current_dir(sandbox.path("")).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    (process, line)
}

fn interrupt(process: &Child) {
    assert!(Command::new("kill").args(["-INT", &process.id().to_string()]).status().unwrap().success());
}

/// Asks for something, with the token of the address.
fn ask(address: &str, method: &str, path: &str, body: &str) -> String {
    let (host, token) = address.trim().strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n");
    write!(stream, "{head}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_at_once_and_leaves_a_whole_store() {
    let sandbox = Sandbox::new();
    let (mut process, address) = start(&sandbox, &["my.store", "--write", "-n", "3"]);
    assert!(address.starts_with("http://127.0.0.1:") && address.ends_with('\n') && address.contains("/?token="), "{address}");
    assert!(ask(&address, "GET", "/api/tasks", "").contains("ba770101"));
    let started = ask(&address, "POST", "/api/session", r#"{"action": "start", "population": 50, "seed": 1}"#);
    assert!(started.contains("running"), "{started}");
    while !ask(&address, "GET", "/api/runs", "").contains("\"generation\":2") {}
    // Somebody listens, and is not waited for.
    let listener = TcpStream::connect(address.strip_prefix("http://").unwrap().split('/').next().unwrap()).unwrap();
    interrupt(&process);
    assert_eq!(process.wait().unwrap().code(), Some(130));
    drop(listener);
    let store = Store::open(&sandbox.path("my.store"), Access::Read).unwrap();
    store.check().unwrap();
    assert_eq!(store.runs().unwrap().len(), 1);
}

#[cfg(unix)]
#[test]
fn a_port_that_is_taken_is_told() {
    let sandbox = Sandbox::new();
    let (mut process, address) = start(&sandbox, &["--port", "0"]);
    let port = address.split(':').nth(2).unwrap().split('/').next().unwrap().to_owned();
    let told = sandbox.batt(&["serve", "--port", &port]).ends_with(1);
    assert!(told.stderr.contains(&format!("cannot listen on 127.0.0.1:{port}")) && told.stderr.contains("--port"), "{}", told.stderr);
    interrupt(&process);
    process.wait().unwrap();
    let told = sandbox.batt(&["serve", "no.store"]).ends_with(1);
    assert!(told.stderr.contains("no.store"), "{}", told.stderr);
}
