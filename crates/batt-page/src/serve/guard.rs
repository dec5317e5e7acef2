//! Who may ask: only pages of this server, under its own name, with its token.
//!
//! The token is in the address that is printed. It becomes a cookie that other sites cannot make the browser send, so that addresses which
//! people copy do not have it. Host and Origin are checked besides: a page of another site that resolves its name to this machine gets
//! nothing.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::serve::api::Failure;

/// Requirements on a request.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    token: String,
    port: u16,
}

impl Guard {
    /// A guard with a new token.
    pub(crate) fn new(port: u16) -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self { token: format!("{:032x}", u128::from_be_bytes(bytes)), port })
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// A cookie is sent to every port of a machine, so its name has the port.
    fn cookie_name(&self) -> String {
        format!("batt-{}", self.port)
    }

    fn is_own_name(&self, host: &str) -> bool {
        ["127.0.0.1", "localhost"].iter().any(|name| host.strip_prefix(name).is_some_and(|rest| rest == format!(":{}", self.port)))
    }

    /// Whether the request is addressed to this server, by a page of this server or by no page.
    fn is_addressed(&self, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok());
        let is_own_host = host.is_some_and(|host| self.is_own_name(host)) && hosts.next().is_none();
        let is_own_origin = |origin: &HeaderValue| {
            origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://")).is_some_and(|host| self.is_own_name(host))
        };
        let from = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        is_own_host && headers.get_all(ORIGIN).iter().all(is_own_origin) && !matches!(from, Some(b"cross-site" | b"same-site"))
    }

    fn has_token(&self, headers: &HeaderMap) -> bool {
        let bearer = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        let name = self.cookie_name();
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok()).flat_map(|cookies| cookies.split(';'));
        let cookie = cookies.filter_map(|cookie| cookie.trim().split_once('=')).find(|(known, _)| *known == name);
        bearer.into_iter().chain(cookie.map(|(_, value)| value)).any(|given| self.is_token(given))
    }

    /// Compares in a time that does not depend on how much is right.
    fn is_token(&self, given: &str) -> bool {
        let differing = given.bytes().zip(self.token.bytes()).fold(0, |differing, (a, b)| differing | (a ^ b));
        given.len() == self.token.len() && differing == 0
    }
}

/// Lets a request pass, or answers it.
pub(crate) async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut response = if !guard.is_addressed(request.headers()) {
        Failure::new(StatusCode::FORBIDDEN, "this server answers its own pages only").into_response()
    } else if let Some(given) = token_in(request.uri().query().unwrap_or_default()).filter(|_| request.uri().path() == "/") {
        if guard.is_token(given) { enter(&guard) } else { refused() }
    } else if guard.has_token(request.headers()) {
        next.run(request).await
    } else {
        refused()
    };
    let headers = response.headers_mut();
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert("x-content-type-options", HeaderValue::from_static("nosniff"));
    headers.insert("referrer-policy", HeaderValue::from_static("no-referrer"));
    headers.insert("x-frame-options", HeaderValue::from_static("DENY"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    response
}

fn token_in(query: &str) -> Option<&str> {
    query.split('&').find_map(|part| part.strip_prefix("token="))
}

/// Keeps the token in a cookie, and shows the page without it in the address.
fn enter(guard: &Guard) -> Response {
    let cookie = format!("{}={}; Path=/; HttpOnly; SameSite=Strict", guard.cookie_name(), guard.token);
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    response.headers_mut().insert(LOCATION, HeaderValue::from_static("/"));
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    response
}

fn refused() -> Response {
    Failure::new(StatusCode::UNAUTHORIZED, "open the address that `batt serve` printed: it has the token").into_response()
}
