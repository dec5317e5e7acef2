//! Cards as bytes, to be kept between runs.
//!
//! A header says what the bytes are, which format and which table of primitives they were written with, and how many follow with which
//! checksum. Reading checks all of that, and then every index: bytes that are not a card of this program and this table give an error.
//!
//! Where the bytes are kept is the caller's business.

mod stored;
mod types;
mod values;

use std::sync::LazyLock;

use batt_program::{ContentHash, table_hash};

use crate::card::programs::Card;
use stored::StoredCard;

const MAGIC: [u8; 8] = *b"battcard";
/// Raised whenever the same bytes would mean something else.
const FORMAT: u32 = 2;
const HEADER: usize = 8 + 4 + 8 + 8 + 8;

/// Why bytes are not a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CacheError {
    /// Not the bytes of a card at all.
    #[error("this is not a card")]
    NotACard,
    /// Another format, or another table of primitives.
    #[error("the card was made by another version")]
    Stale,
    /// Fewer or more bytes than were written.
    #[error("the card has {found} bytes where {expected} were written")]
    Length {
        /// How many bytes follow the header.
        found: usize,
        /// How many were written.
        expected: u64,
    },
    /// Other bytes than were written.
    #[error("the card is damaged")]
    Damaged,
    /// The bytes are as they were written, but make no card.
    #[error("the card is inconsistent: {0}")]
    Inconsistent(&'static str),
}

impl Card {
    /// This card as bytes. Equal cards with equal ids give equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Writing plain vectors to memory cannot fail; if it did, the empty payload would be refused when it is read.
        let payload = postcard::to_allocvec(&StoredCard::of(self));
        debug_assert!(payload.is_ok(), "plain data is written");
        let payload = payload.unwrap_or_default();
        let mut bytes = Vec::with_capacity(HEADER + payload.len());
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&FORMAT.to_le_bytes());
        bytes.extend_from_slice(&TABLE_HASH.to_le_bytes());
        bytes.extend_from_slice(&(payload.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&ContentHash::of_bytes(&payload).short().to_le_bytes());
        bytes.extend_from_slice(&payload);
        bytes
    }

    /// The card that was written as these bytes, with the same ids.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CacheError> {
        let (magic, rest) = bytes.split_first_chunk::<8>().ok_or(CacheError::NotACard)?;
        if *magic != MAGIC {
            return Err(CacheError::NotACard);
        }
        let (format, rest) = rest.split_first_chunk::<4>().ok_or(CacheError::NotACard)?;
        let (table, rest) = rest.split_first_chunk::<8>().ok_or(CacheError::NotACard)?;
        if u32::from_le_bytes(*format) != FORMAT || u64::from_le_bytes(*table) != *TABLE_HASH {
            return Err(CacheError::Stale);
        }
        let (length, rest) = rest.split_first_chunk::<8>().ok_or(CacheError::NotACard)?;
        let (checksum, payload) = rest.split_first_chunk::<8>().ok_or(CacheError::NotACard)?;
        let expected = u64::from_le_bytes(*length);
        if payload.len() as u64 != expected {
            return Err(CacheError::Length { found: payload.len(), expected });
        }
        if ContentHash::of_bytes(payload).short() != u64::from_le_bytes(*checksum) {
            return Err(CacheError::Damaged);
        }
        let stored: StoredCard<'_> = postcard::from_bytes(payload).map_err(|_| CacheError::Damaged)?;
        stored.card().map_err(CacheError::Inconsistent)
    }
}

/// A hash of everything that the meaning of a card depends on: the rows of the table, and the version of typing and resolving.
static TABLE_HASH: LazyLock<u64> =
    LazyLock::new(|| ContentHash::of_text(&format!("{} {}", env!("CARGO_PKG_VERSION"), table_hash())).short());
