//! Folded stacks: a line for each, frames with semicolons between them, then nanoseconds. Flame graph tools and speedscope read it.

use super::{NOT_ATTRIBUTED, nanoseconds};
use crate::Profile;

/// The stacks of a profile, and a line for what is not attributed.
pub fn folded(profile: &Profile) -> String {
    let mut lines: Vec<String> = profile
        .stacks
        .iter()
        .filter(|stack| nanoseconds(stack.self_s) > 0)
        .map(|stack| {
            let frames: Vec<String> = stack.frames.iter().map(|frame| frame.replace([';', '\n', '\r'], " ")).collect();
            format!("{} {}\n", frames.join(";"), nanoseconds(stack.self_s))
        })
        .collect();
    lines.sort_unstable();
    let rest = nanoseconds(profile.not_attributed_share * profile.thread_s);
    if rest > 0 {
        lines.push(format!("{NOT_ATTRIBUTED} {rest}\n"));
    }
    lines.concat()
}
