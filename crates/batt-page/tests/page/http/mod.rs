//! The server as others meet it: through a socket, with good, bad and hostile requests.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod client;
mod fuzz;

use std::net::TcpStream;

use client::{Answer, Served};
use serde_json::{Value as Json, json};

#[test]
fn the_token_opens_the_page_and_nothing_else_does() {
    let served = Served::start(false);
    assert!(served.address.starts_with("http://127.0.0.1:") && served.token.len() == 32, "{}", served.address);
    let entered = served.raw(&format!("GET /?token={} HTTP/1.1\r\nHost: {}\r\n\r\n", served.token, served.host));
    assert_eq!((entered.status, entered.header("location")), (303, Some("/".to_owned())));
    let cookie = entered.header("set-cookie").unwrap();
    assert!(cookie.contains("httponly") && cookie.contains("samesite=strict"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let page = served.raw(&format!("GET / HTTP/1.1\r\nHost: {}\r\nCookie: other=1; {cookie}\r\n\r\n", served.host));
    assert_eq!(page.status, 200);
    assert!(page.body.contains("connect-src 'self'") && !page.body.contains(&served.token));
    for request in [
        "GET / HTTP/1.1",
        "GET /api/tasks HTTP/1.1",
        "GET /?token=0123 HTTP/1.1",
        "GET /api/tasks?token=TOKEN HTTP/1.1",
        "POST /api/save HTTP/1.1",
    ] {
        let request = request.replace("TOKEN", &served.token);
        assert_eq!(served.raw(&format!("{request}\r\nHost: {}\r\n\r\n", served.host)).status, 401, "{request}");
    }
}

#[test]
fn foreign_hosts_and_origins_get_nothing() {
    let served = Served::start(false);
    let bearer = format!("Authorization: Bearer {}", served.token);
    let port = served.host.split(':').nth(1).unwrap().to_owned();
    let ask = |headers: &str| served.raw(&format!("GET /api/tasks HTTP/1.1\r\n{headers}\r\n{bearer}\r\n\r\n")).status;
    assert_eq!(ask(&format!("Host: {}", served.host)), 200);
    assert_eq!(ask(&format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}")), 200);
    for host in ["evil.example", "127.0.0.1", "127.0.0.1:1", &format!("evil.example:{port}"), &format!("127.0.0.1:{port}.evil.example"), ""]
    {
        assert_eq!(ask(&format!("Host: {host}")), 403, "{host}");
    }
    for origin in ["http://evil.example", "null", &format!("https://{}", served.host), "http://127.0.0.1"] {
        assert_eq!(ask(&format!("Host: {}\r\nOrigin: {origin}", served.host)), 403, "{origin}");
    }
    assert_eq!(ask(&format!("Host: {}\r\nSec-Fetch-Site: cross-site", served.host)), 403);
}

#[test]
fn nothing_is_written_without_being_allowed() {
    let served = Served::start(false);
    let text = "def f(I):\n    O = hmirror(I)\n    return O\n";
    let id = served.first_task();
    assert_eq!(served.post("/api/save", &json!({"text": text, "task": id})).status, 403);
    assert_eq!(served.post("/api/session", &json!({"action": "start"})).status, 403);
}

#[test]
fn what_is_typed_is_checked_run_and_limited() {
    let served = Served::start(false);
    let id = served.first_task();
    let trace = |text: &str| served.post("/api/trace", &json!({"text": text, "task": id, "sample": 0}));
    let good = trace("def f(I):\n    x1 = hmirror(vmirror(I))\n    O = vmirror(x1)\n    return O\n").json();
    let lines: Vec<i64> = good["lines"].as_array().unwrap().iter().map(|line| line["line"].as_i64().unwrap()).collect();
    assert_eq!((lines, good["findings"].as_array().unwrap().len()), (vec![2, 3], 0));
    let bad = trace("def f(I):\n    x1 = vmirror(I)\n    O = vmiror(x1)\n    return O\n").json();
    assert_eq!((bad["findings"][0]["line"].as_i64(), bad["findings"][0]["column"].as_i64()), (Some(3), Some(9)));
    assert!(bad["findings"][0]["help"].as_str().unwrap().contains("vmirror"));
    assert_eq!(bad["lines"].as_array().unwrap().len(), 1, "the line before keeps its value");
    // Endless work ends by its fuel, and endless text is not read.
    let heavy = trace(
        "def f(I):\n    x1 = upscale(I, 30)\n    x2 = objects(x1, T, F, F)\n    x3 = power(rot90, 1000000)\n    O = x3(I)\n    return O\n",
    );
    assert_eq!(heavy.status, 200);
    assert_eq!(trace(&format!("#{}\n", "x".repeat(70_000))).status, 413);
    assert_eq!(trace(&"x".repeat(300_000)).status, 413);
    // Grids have the size of grids.
    for input in [json!([]), json!([[]]), json!([[10]]), json!([[1], [1, 2]]), json!(vec![vec![0; 31]; 2]), json!([[-1]]), json!("x")] {
        let answer = served.post("/api/draw", &json!({"input": input, "task": id, "programs": []}));
        assert!((400..500).contains(&answer.status), "{input}: {}", answer.status);
    }
    assert_eq!(served.post("/api/trace", &json!({"text": "", "task": "no such task"})).status, 404);
    assert_eq!(served.post("/api/trace", &json!({"text": "def f(I):\n    return I\n", "task": id, "sample": 999})).status, 404);
}

#[test]
fn a_hundred_clients_and_a_slow_one_hold_nobody_up() {
    let served = Served::start(false);
    // Clients that say nothing, or half of something, and some that listen to events without reading.
    let mut silent: Vec<TcpStream> = (0..60).map(|_| TcpStream::connect(&served.host).unwrap()).collect();
    for (k, stream) in silent.iter_mut().enumerate() {
        use std::io::Write as _;
        let path = if k % 2 == 0 { "/api/events" } else { "/api/tasks" };
        let end = if k % 3 == 0 { "" } else { "\r\n\r\n" };
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}{end}", served.host, served.token).unwrap();
    }
    let id = served.first_task();
    std::thread::scope(|scope| {
        for _ in 0..100 {
            scope.spawn(|| {
                let entry = served.get(&format!("/api/task?id={id}"));
                assert_eq!(entry.status, 200);
                assert!(!entry.json()["candidates"].as_array().unwrap().is_empty());
            });
        }
    });
    drop(silent);
}

#[test]
fn saving_puts_the_program_into_the_store_and_the_task() {
    let served = Served::start(true);
    let id = served.first_task();
    let text = "def mine(I):\n    x1 = hmirror(I)\n    O = hmirror(x1)\n    return O\n";
    let saved = served.post("/api/save", &json!({"text": text, "task": id, "from": "other"})).json();
    assert_eq!(saved["is_new"], true);
    let entry = served.get(&format!("/api/task?id={id}")).json();
    let names: Vec<&str> = entry["candidates"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"mine"), "{names:?}");
    assert_eq!(served.post("/api/save", &json!({"text": "def f(I):\n    return x\n", "task": id})).status, 400);
    let again = served.post("/api/save", &json!({"text": text, "task": id})).json();
    assert_eq!(again["is_new"], false);
}

#[test]
fn a_run_starts_pauses_goes_on_and_ends_with_the_server() {
    let served = Served::start(true);
    let order = |action: &str| served.post("/api/session", &json!({"action": action, "population": 5, "seconds": 600, "seed": 1}));
    let wait = |wanted: &str| {
        for _ in 0..20_000 {
            let state = served.get("/api/session").json();
            if state["status"] == wanted {
                return state;
            }
        }
        panic!("it is never {wanted}");
    };
    assert_eq!(order("pause").status, 409);
    assert_eq!(order("start").status, 200);
    assert_eq!(order("start").status, 409);
    let generations = || served.get("/api/runs").json()["runs"][0]["points"].as_array().map_or(0, Vec::len);
    while generations() < 2 {}
    assert_eq!(order("pause").status, 200);
    let paused = wait("paused");
    assert_eq!((paused["run"].as_i64(), &paused["message"]), (Some(1), &Json::from("")));
    let before = generations();
    assert_eq!(order("resume").status, 200);
    while generations() <= before {}
    assert_eq!(wait("running")["run"], 1, "the same run goes on");
    let store = served.end();
    batt_store::Store::open(&store, batt_store::Access::Read).unwrap().check().unwrap();
}

#[test]
fn answers_are_json_that_pages_of_others_cannot_use() {
    let served = Served::start(false);
    let Answer { status, headers, .. } = served.get("/api/tasks");
    assert_eq!(status, 200);
    for wanted in [
        "content-type: application/json",
        "x-content-type-options: nosniff",
        "cache-control: no-store",
        "cross-origin-resource-policy: same-origin",
    ] {
        assert!(headers.contains(wanted), "{wanted} is not in {headers}");
    }
    assert!(!headers.contains("access-control"));
    let words = served.get("/api/words").json();
    assert!(
        words.as_array().unwrap().iter().any(|word| word["name"] == "objects" && word["signature"].as_str().unwrap().contains("univalued"))
    );
    // A preflight of another site is no method of ours.
    assert_eq!(served.request("OPTIONS", "/api/tasks", "", "").status, 405);
    assert_eq!(served.get("/etc/passwd").status, 404);
}
