//! Cards: their structure, their bytes and their texts.

mod cache;
mod common;
mod emit;
mod properties;
mod structure;
