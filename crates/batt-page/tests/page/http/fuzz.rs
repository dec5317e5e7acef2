//! Random requests: wrong methods, huge and broken bodies, odd encodings, paths that lead away, foreign hosts. The server answers all of them
//! with a status below 500, and nothing of a file.
//!
//! A soak (`BATT_SOAK`) sends many more.

use batt_core::Random;
use batt_testing::soak::{count, seed};

use super::client::Served;

/// Requests in a normal run, and in a soak.
const REQUESTS: (u64, u64) = (3_000, 100_000);

const METHODS: [&str; 12] = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "X-ODD", "\u{7f}"];
const PATHS: [&str; 28] = [
    "/",
    "/api/tasks",
    "/api/task",
    "/api/search",
    "/api/words",
    "/api/trace",
    "/api/compare",
    "/api/draw",
    "/api/find",
    "/api/lineage",
    "/api/save",
    "/api/runs",
    "/api/session",
    "/favicon.ico",
    "/../secret.txt",
    "/..%2f..%2fsecret.txt",
    "/api/../../secret.txt",
    "//etc/passwd",
    "/%2e%2e/secret.txt",
    "/my.store",
    "/api/task/../../my.store",
    "/%00",
    "/api/trace/",
    "/\\..\\secret.txt",
    "http://evil.example/",
    "*",
    "/%ff%fe",
    "/api/tasks;x=1",
];
const QUERIES: [&str; 14] = [
    "",
    "?id=TASK",
    "?id=../../secret.txt",
    "?id=%00",
    "?q=mirror",
    "?q=%ff",
    "?program=dead&task=TASK",
    "?program=../x&task=TASK&sample=99999999999999999999",
    "?id",
    "?id=TASK&id=TASK",
    "?token=x",
    "?q=",
    "?program=solve&task=TASK&sample=-1",
    "?%%%=%",
];
const BODIES: [&str; 18] = [
    "",
    "{}",
    "null",
    "[]",
    "{\"text\": \"def f(I):\\n    return I\\n\", \"task\": \"TASK\"}",
    "{\"text\": \"def f(I):\\n    O = power(rot90, 99999999)\\n    return O\\n\", \"task\": \"TASK\"}",
    "{\"text\": \"\\u0000\", \"task\": \"TASK\", \"sample\": 18446744073709551615}",
    "{\"input\": [[1,2],[3]], \"task\": \"TASK\", \"programs\": []}",
    "{\"input\": [[1]], \"output\": [[2]], \"task\": \"TASK\"}",
    "{\"input\": [[1]], \"task\": \"TASK\", \"programs\": [\"x\", \"def f(I):\\n    return f\\n\"]}",
    "{\"action\": \"start\"}",
    "{\"action\": \"stop\", \"seconds\": 1e300}",
    "{\"action\": [[[[[[[[[[[[[",
    "{\"text\": \"def f(I):\\n    O = objects(I, T)\\n    return O\\n\", \"other\": \"\", \"task\": \"TASK\"}",
    "\u{feff}{}",
    "{\"text\": 5}",
    "{\"text\": \"def f(S, I, C):\\n    return C\\n\", \"task\": \"TASK\", \"sample\": 0, \"input\": [[9]]}",
    "{\"task\": \"TASK\", \"task\": \"TASK\", \"text\": \"\"}",
];

#[test]
fn random_requests_are_answered_below_500_and_give_no_file_away() {
    let wanted = count(REQUESTS.0, REQUESTS.1);
    let served = Served::start(false);
    let task = served.first_task();
    let mut random = Random::new(seed(7));
    let (mut answered, mut whole) = (0, 0);
    for number in 0..wanted {
        let (request, is_whole) = request(&mut random, &served, &task);
        whole += u64::from(is_whole);
        let Some(answer) = served.bytes(&request, is_whole) else { continue };
        answered += u64::from(is_whole);
        let shown = String::from_utf8_lossy(&request[..request.len().min(600)]).into_owned();
        assert!(answer.status < 500, "request {number}: {} for {shown}", answer.status);
        for secret in ["SECRET", "root:", "SQLite format"] {
            assert!(!answer.body.contains(secret), "request {number}: {shown}");
        }
    }
    assert!(whole * 2 > wanted && answered * 10 > whole * 9, "{answered} of {whole} whole requests of {wanted} were answered");
    assert_eq!(served.get("/api/tasks").status, 200, "it still answers");
}

/// A request that is mostly well-formed, so that it gets far; and whether all of it is there.
fn request(random: &mut Random, served: &Served, task: &str) -> (Vec<u8>, bool) {
    let mut chance = |of: usize| random.one_in(of);
    let (odd_host, odd_origin, no_token, odd_type, wrong_length, huge, cut, flip) =
        (chance(12), chance(12), chance(10), chance(8), chance(15), chance(40), chance(25), chance(6));
    let one = |random: &mut Random, of: &[&str]| (*random.pick(of)).to_owned();
    let method = if random.below(3) > 0 { one(random, &METHODS[..2]) } else { one(random, &METHODS) };
    let path = one(random, &PATHS) + &one(random, &QUERIES).replace("TASK", task);
    let mut body = one(random, &BODIES).replace("TASK", task);
    if huge {
        body = "[".repeat(random.below(400_000));
    }
    let host = if odd_host { one(random, &["evil.example", "", "127.0.0.1:99999", "[::1]", "a b"]) } else { served.host.clone() };
    let mut head = vec![format!("{method} {path} HTTP/1.1"), format!("Host: {host}"), "Connection: close".to_owned()];
    if odd_origin {
        head.push(format!("Origin: {}", one(random, &["null", "http://evil.example", "\u{fc}"])));
    }
    if !no_token {
        head.push(format!("Authorization: Bearer {}", served.token));
    }
    let odd = one(random, &["text/plain", "", "application/json; charset=utf-16"]);
    head.push(format!("Content-Type: {}", if odd_type { &odd } else { "application/json" }));
    let length = random.below(12);
    head.push(match length {
        0 => format!("Content-Length: {}", if wrong_length { 99_999_999_999_999 } else { body.len() as u64 + 5 }),
        1 => "Transfer-Encoding: chunked".to_owned(),
        2 => "Content-Length: -1".to_owned(),
        3 => "Transfer-Encoding: gzip\r\nContent-Encoding: gzip".to_owned(),
        _ => format!("Content-Length: {}", body.len()),
    });
    let mut bytes = format!("{}\r\n\r\n{body}", head.join("\r\n")).into_bytes();
    if flip {
        for _ in 0..=random.below(4) {
            let place = random.below(bytes.len());
            bytes[place] = random.below(256) as u8;
        }
    }
    if cut {
        bytes.truncate(random.below(bytes.len()));
    }
    (bytes, !flip && !cut && length > 3 && method != "CONNECT")
}
