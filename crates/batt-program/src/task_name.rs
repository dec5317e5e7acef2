//! The id of a task as part of a name in Python, and back.
//!
//! Letters, digits and underscores stay as they are. Any other character is written as `_x`, its number in hexadecimal and `_`, so that
//! `a-b`, `a_b` and `a b` are `a_x2d_b`, `a_b` and `a_x20_b`. An underscore before an `x` is written the same way, so different ids have
//! different names.

use std::fmt::Write as _;

/// The name of a function that solves a task.
pub fn solver_name(id: &str) -> String {
    format!("solve_{}", identifier(id))
}

/// The id of a task as part of a name. [`id_of`] has the way back.
pub fn identifier(id: &str) -> String {
    let mut name = String::with_capacity(id.len());
    for (place, letter) in id.char_indices() {
        let is_plain = letter.is_ascii_alphanumeric() || letter == '_' && !id[place..].starts_with("_x");
        if is_plain {
            name.push(letter);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(name, "_x{:x}_", u32::from(letter));
        }
    }
    name
}

/// The id that a part of a name stands for, if it is another text than the part itself.
pub fn id_of(part: &str) -> Option<String> {
    let (mut id, mut rest, mut is_other) = (String::new(), part, false);
    while let Some(next) = rest.find("_x") {
        id.push_str(&rest[..next]);
        rest = &rest[next..];
        let (letter, length) = group(rest).unwrap_or(('_', 1));
        is_other |= length > 1;
        id.push(letter);
        rest = &rest[length..];
    }
    is_other.then(|| id + rest)
}

/// The character that a text begins with as a group, and the length of the group.
fn group(text: &str) -> Option<(char, usize)> {
    let (digits, _) = text.strip_prefix("_x")?.split_once('_')?;
    let is_number = !digits.is_empty() && digits.len() <= 6 && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
    let number = if is_number && !digits.starts_with('0') { u32::from_str_radix(digits, 16).ok()? } else { return None };
    Some((char::from_u32(number)?, 2 + digits.len() + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_ids_have_different_names() {
        let expected = [
            ("007bbfb7", "007bbfb7"),
            ("a_b", "a_b"),
            ("a-b", "a_x2d_b"),
            ("a b", "a_x20_b"),
            ("a_x2d_b", "a_x5f_x2d_b"),
            ("a_x5f_x2d_b", "a_x5f_x5f_x5f_x2d_b"),
            ("a_x", "a_x5f_x"),
            ("_x2d-", "_x5f_x2d_x2d_"),
            ("Größe", "Gr_xf6__xdf_e"),
            ("-_-", "_x2d___x2d_"),
            ("_x02d_", "_x5f_x02d_"),
            ("", ""),
        ];
        for (id, name) in expected {
            assert_eq!(identifier(id), name, "{id}");
            assert_eq!(id_of(name).as_deref().unwrap_or(name), id, "{name}");
        }
        assert_eq!(solver_name("a-b"), "solve_a_x2d_b");
    }

    #[test]
    fn every_short_id_comes_back() {
        const LETTERS: [char; 8] = ['_', 'x', '2', 'd', '-', 'a', 'é', '5'];
        let mut ids = vec![String::new()];
        for length in 0..6 {
            let longer: Vec<String> =
                ids.iter().filter(|id| id.chars().count() == length).flat_map(|id| LETTERS.map(|letter| format!("{id}{letter}"))).collect();
            ids.extend(longer);
        }
        for id in &ids {
            let name = identifier(id);
            assert!(name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_'), "{name}");
            assert_eq!(id_of(&name).unwrap_or(name), *id);
        }
    }
}
