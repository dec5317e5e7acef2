//! Identity of a program without its name: a canonical text, and a hash of it.
//!
//! The hash is of the text and of nothing else, so that whoever has the text can check it, today or in another language.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use batt_dsl::{ConstId, primitives};

use crate::{Program, print_program};

/// The name that every program has in its canonical text.
pub const CANONICAL_NAME: &str = "program";

/// The longest name of a program that is shown whole.
const LONGEST_NAME: usize = 200;

/// The first 128 bits of the BLAKE3 hash of a canonical text. Equal programs have equal hashes, whatever they are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash(pub [u8; 16]);

/// Text that is no content hash: not 32 lower-case hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a content hash is 32 hexadecimal digits")]
pub struct NoContentHash;

/// The text of a program as [`print_program`] writes it, under the name [`CANONICAL_NAME`].
pub fn canonical_text(program: &Program) -> String {
    rename(&print_program(program), CANONICAL_NAME)
}

/// The text of one printed program under another name.
pub fn rename(text: &str, name: &str) -> String {
    let from_parameters = text.find('(').map_or("", |open| &text[open..]);
    format!("def {name}{from_parameters}")
}

/// A name that can be shown: of a long one the beginning, and what tells it from others that begin alike.
pub fn shown_name(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        None => name.to_owned(),
        Some((end, _)) => format!("{}…{:08x}", &name[..end], ContentHash::of_text(name).short() as u32),
    }
}

/// A hash of the table of primitives and constants: programs mean the same under equal tables.
///
/// Names, parameters, types, costs, flags, aliases and the values of constants take part; sentences and examples do not.
pub fn table_hash() -> ContentHash {
    let mut text = String::new();
    for (_, row) in primitives() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} {:?} {:?} {:?} {:?} {:?}", row.name, row.params, row.returns, row.cost, row.flags, row.alias);
    }
    for id in ConstId::all() {
        let _ = writeln!(text, "{} {:?}", id.name(), id.value());
    }
    ContentHash::of_text(&text)
}

impl ContentHash {
    /// The hash of a program.
    pub fn of(program: &Program) -> Self {
        Self::of_text(&canonical_text(program))
    }

    /// The hash of a canonical text.
    pub fn of_text(text: &str) -> Self {
        Self::of_bytes(text.as_bytes())
    }

    /// The hash of any bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let mut first = [0; 16];
        first.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
        Self(first)
    }

    /// The first 64 bits.
    pub fn short(&self) -> u64 {
        (u128::from_be_bytes(self.0) >> 64) as u64
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl FromStr for ContentHash {
    type Err = NoContentHash;

    fn from_str(text: &str) -> Result<Self, NoContentHash> {
        let digits = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if text.len() != 32 || !digits {
            return Err(NoContentHash);
        }
        u128::from_str_radix(text, 16).map(|bits| Self(bits.to_be_bytes())).map_err(|_| NoContentHash)
    }
}
