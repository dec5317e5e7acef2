//! Runs and searches in a store, and the programs that search found.

mod evolution;
mod found;
mod search;
