//! Running programs on tasks.

mod card_changes_nothing;
mod deferred;
mod panics;
mod stopping;
