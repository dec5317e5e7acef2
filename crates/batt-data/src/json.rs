//! JSON, one level at a time: an object or a list whose values are still text.
//!
//! All the formats that hold tasks are objects in objects, down to lists of samples or grids. [`parse`] checks the syntax of the whole
//! document without recursion. The other functions open one value, so that what is wrong with it costs nothing else. What a format does not
//! need is never opened. A limit on the number of items keeps a hostile file from filling the memory.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// The most entries or items that are kept of one object or list.
const MAX_ITEMS: usize = 8_000_000;

/// The entries of an object, in order; a key may stand twice.
#[derive(Debug)]
pub(crate) struct Entries<V>(pub(crate) Vec<(String, V)>);

/// An object whose values are still text.
pub(crate) type Object<'a> = Entries<&'a RawValue>;

/// Reads a document: the entries of an object, or in words what else it is. An error is broken syntax.
pub(crate) fn parse(text: &str) -> Result<Result<Object<'_>, &'static str>, serde_json::Error> {
    if text.trim_ascii_start().starts_with('{') {
        serde_json::from_str(text).map(Ok)
    } else {
        serde_json::from_str::<&RawValue>(text).map(|value| Err(kind(value)))
    }
}

/// Type of a value, in words.
pub(crate) fn kind(value: &RawValue) -> &'static str {
    match value.get().as_bytes().first() {
        Some(b'{') => "an object",
        Some(b'[') => "a list",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}

/// The entries of an object; an error says in words what the value is.
pub(crate) fn object(value: &RawValue) -> Result<Object<'_>, String> {
    open("an object", value)
}

/// The items of a list; an error says in words what the value is.
pub(crate) fn list<'a, V: Deserialize<'a>>(value: &'a RawValue) -> Result<Vec<V>, String> {
    open("a list", value).map(|Items(items)| items)
}

/// The message without the position, which callers give in their own way.
pub(crate) fn message_of(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_owned()
}

fn open<'a, T: Deserialize<'a>>(wanted: &str, value: &'a RawValue) -> Result<T, String> {
    if kind(value) != wanted {
        return Err(kind(value).to_owned());
    }
    serde_json::from_str(value.get()).map_err(|error| format!("unreadable ({})", message_of(&error)))
}

struct Items<V>(Vec<V>);

fn keep<T, E: Error>(items: &mut Vec<T>, item: T) -> Result<(), E> {
    items.push(item);
    if items.len() > MAX_ITEMS { Err(E::custom(format_args!("more than {MAX_ITEMS} items"))) } else { Ok(()) }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Entries<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Level::<Self>(PhantomData))
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Items<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Level::<Self>(PhantomData))
    }
}

struct Level<T>(PhantomData<T>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for Level<Entries<V>> {
    type Value = Entries<V>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            keep(&mut entries, entry)?;
        }
        Ok(Entries(entries))
    }
}

impl<'de, V: Deserialize<'de>> Visitor<'de> for Level<Items<V>> {
    type Value = Items<V>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            keep(&mut items, item)?;
        }
        Ok(Items(items))
    }
}
