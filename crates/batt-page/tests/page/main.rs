//! The programs that a report shows, and the server.

mod entries;
mod http;
