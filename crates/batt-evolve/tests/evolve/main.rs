//! Evolution and mutation.

mod generations;
mod mutate_hash;
mod mutate_reach;
mod mutate_soak;
mod panics;
