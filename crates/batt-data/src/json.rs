//! Reading a document into a shallow tree whose leaves are grids.
//!
//! All the formats that hold tasks are objects in objects, down to lists of samples or grids. One reader serves
//! them all and leaves the meaning to [`crate::task_json`]. Only broken syntax fails the document; anything else
//! that is wrong stays in its place in the tree. Anything nested deeper than a format needs is passed over
//! without recursion, and a budget on the number of items keeps a hostile file from filling the memory.

use std::collections::HashSet;
use std::fmt;

use batt_core::Grid;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::json_grid::{GridProblem, plain_grid, read_rows, scalars, skip_map};

/// Objects within objects: data set, part, task.
const MAX_OBJECT_DEPTH: usize = 3;
/// The most objects, samples, grids and keys that a document may have.
const MAX_ITEMS: usize = 8_000_000;

/// A value of a document.
#[derive(Debug)]
pub(crate) enum Node {
    Object(Vec<(String, Node)>),
    List(Vec<Element>),
    /// Something that no format has here, in words.
    Other(&'static str),
    /// A value that cannot be represented, such as a number beyond every range.
    Bad(String),
}

/// An item of a list.
#[derive(Debug)]
pub(crate) enum Element {
    Sample(Sample),
    Grid(Result<Grid, GridProblem>),
    Other(&'static str),
}

/// An object with an input and an output, so far as they are there.
#[derive(Debug, Default)]
pub(crate) struct Sample {
    pub(crate) input: Option<Result<Grid, GridProblem>>,
    pub(crate) output: Option<Result<Grid, GridProblem>>,
    /// A key that stands more than once.
    pub(crate) twice: Option<String>,
}

/// Broken syntax, and where.
#[derive(Debug)]
pub(crate) struct SyntaxError {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) message: String,
}

/// Reads a document.
pub(crate) fn parse(text: &str) -> Result<Node, SyntaxError> {
    read(text, 0).or_else(|first| {
        lenient(text, 0).map_err(|second| {
            // The first reading may have stopped at a number out of range, with the syntax broken only after it.
            let later = (second.line(), second.column()) > (first.line(), first.column());
            syntax_error(if later && !second.is_data() { &second } else { &first })
        })
    })
}

/// Reads a value that failed to read as a whole entry by entry, so that only the entry at fault is lost. Fails where
/// the syntax is broken.
fn lenient(text: &str, depth: usize) -> Result<Node, serde_json::Error> {
    let entries = run(text, RawEntries)?;
    let entries = entries.into_iter().map(|(key, raw)| {
        let node = match read(raw.get(), depth + 1) {
            Ok(node) => node,
            Err(error) if depth + 1 == MAX_OBJECT_DEPTH => Node::Bad(message_of(&error)),
            Err(error) => lenient(raw.get(), depth + 1).unwrap_or_else(|_| Node::Bad(message_of(&error))),
        };
        (key, node)
    });
    Ok(Node::Object(entries.collect()))
}

fn read(text: &str, depth: usize) -> Result<Node, serde_json::Error> {
    let mut state = State { cells: Vec::with_capacity(900), items: 0 };
    run(text, NodeSeed { state: &mut state, depth })
}

fn run<'de, S: DeserializeSeed<'de>>(text: &'de str, seed: S) -> Result<S::Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = seed.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

fn syntax_error(error: &serde_json::Error) -> SyntaxError {
    // An empty document ends in column 0.
    SyntaxError { line: error.line(), column: error.column().max(1), message: message_of(error) }
}

/// The message without the position, which callers give in their own way.
fn message_of(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_owned()
}

struct State {
    /// Scratch for the cells of one grid.
    cells: Vec<i8>,
    items: usize,
}

impl State {
    fn count<E: Error>(&mut self) -> Result<(), E> {
        self.items += 1;
        check_items(self.items)
    }
}

fn check_items<E: Error>(items: usize) -> Result<(), E> {
    if items > MAX_ITEMS { Err(E::custom(format_args!("more than {MAX_ITEMS} items"))) } else { Ok(()) }
}

struct NodeSeed<'a> {
    state: &'a mut State,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for NodeSeed<'_> {
    type Value = Node;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl NodeSeed<'_> {
    #[expect(clippy::unused_self, reason = "the shape that the scalar methods call")]
    fn scalar(self, found: &'static str) -> Node {
        Node::Other(found)
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("tasks")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        if self.depth == MAX_OBJECT_DEPTH {
            skip_map(map)?;
            return Ok(Node::Other("an object"));
        }
        let mut entries = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            self.state.count()?;
            let seed = NodeSeed { state: self.state, depth: self.depth + 1 };
            entries.push((key, map.next_value_seed(seed)?));
        }
        Ok(Node::Object(entries))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = seq.next_element_seed(ElementSeed(self.state))? {
            self.state.count()?;
            elements.push(element);
        }
        Ok(Node::List(elements))
    }

    scalars!(Node);
}

struct ElementSeed<'a>(&'a mut State);

impl<'de> DeserializeSeed<'de> for ElementSeed<'_> {
    type Value = Element;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Element, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl ElementSeed<'_> {
    #[expect(clippy::unused_self, reason = "the shape that the scalar methods call")]
    fn scalar(self, found: &'static str) -> Element {
        Element::Other(found)
    }
}

impl<'de> Visitor<'de> for ElementSeed<'_> {
    type Value = Element;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a sample or a grid")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Element, A::Error> {
        let mut sample = Sample::default();
        let (mut has_input, mut has_output, mut others) = (false, false, HashSet::new());
        while let Some(key) = map.next_key_seed(KeySeed)? {
            let twice = match key {
                Key::Input => {
                    sample.input = map.next_value_seed(GridSeed(self.0))?;
                    std::mem::replace(&mut has_input, true).then(|| "input".to_owned())
                }
                Key::Output => {
                    sample.output = map.next_value_seed(GridSeed(self.0))?;
                    std::mem::replace(&mut has_output, true).then(|| "output".to_owned())
                }
                Key::Other(name) => {
                    self.0.count()?;
                    map.next_value::<serde::de::IgnoredAny>()?;
                    others.replace(name)
                }
            };
            sample.twice = sample.twice.or(twice);
        }
        Ok(Element::Sample(sample))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Element, A::Error> {
        read_rows(seq, &mut self.0.cells).map(Element::Grid)
    }

    scalars!(Element);
}

/// Reads the grid of a sample; `null` is as good as none.
///
/// The value is first delimited and then read, which for the plain grids that nearly all are is faster than a visit of
/// every cell.
struct GridSeed<'a>(&'a mut State);

impl<'de> DeserializeSeed<'de> for GridSeed<'_> {
    type Value = Option<Result<Grid, GridProblem>>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let text = <&RawValue>::deserialize(deserializer)?.get();
        if let Some(grid) = plain_grid(text, &mut self.0.cells) {
            return Ok(Some(Ok(grid)));
        }
        Ok(run(text, AnyGridSeed(self.0)).unwrap_or_else(|error| Some(Err(GridProblem::Unreadable(message_of(&error))))))
    }
}

/// Reads the grid of a sample, whatever it is, and finds out what is wrong with it.
struct AnyGridSeed<'a>(&'a mut State);

impl<'de> DeserializeSeed<'de> for AnyGridSeed<'_> {
    type Value = Option<Result<Grid, GridProblem>>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl AnyGridSeed<'_> {
    #[expect(clippy::unused_self, reason = "the shape that the scalar methods call")]
    fn scalar(self, found: &'static str) -> Option<Result<Grid, GridProblem>> {
        (found != "null").then_some(Err(GridProblem::NotAList(found)))
    }
}

impl<'de> Visitor<'de> for AnyGridSeed<'_> {
    type Value = Option<Result<Grid, GridProblem>>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a grid")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        skip_map(map)?;
        Ok(Some(Err(GridProblem::NotAList("an object"))))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        read_rows(seq, &mut self.0.cells).map(Some)
    }

    scalars!(Self::Value);
}

enum Key {
    Input,
    Output,
    Other(String),
}

struct KeySeed;

impl<'de> DeserializeSeed<'de> for KeySeed {
    type Value = Key;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for KeySeed {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Key, E> {
        Ok(match key {
            "input" => Key::Input,
            "output" => Key::Output,
            _ => Key::Other(key.to_owned()),
        })
    }
}

/// The entries of an object, unread.
struct RawEntries;

impl<'de> DeserializeSeed<'de> for RawEntries {
    type Value = Vec<(String, &'de RawValue)>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RawEntries {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
            check_items(entries.len())?;
        }
        Ok(entries)
    }
}
