//! Changes to JSON that leave it JSON: other values, other types, keys that are missing or there twice.

use batt_core::Random;
use batt_testing::bytes::{length, odd_text};
use serde_json::{Value, json};

/// Changes a file of JSON; one that is none stays as it is.
pub(crate) fn change(data: &mut Vec<u8>, random: &mut Random) {
    let Ok(mut value) = serde_json::from_slice::<Value>(data) else { return };
    let nodes = count(&value);
    let other = nth(&mut value, &mut random.below(nodes)).map(|value| value.clone());
    let at = if random.one_in(4) { random.below(nodes.min(12)) } else { random.below(nodes) };
    let mut doubled = None;
    if let Some(node) = nth(&mut value, &mut { at }) {
        doubled = change_node(node, other, random);
    }
    *data = value.to_string().into_bytes();
    if let Some((from, to)) = doubled {
        let text = String::from_utf8_lossy(data).replacen(&from, &to, 1 + random.below(2));
        *data = text.into_bytes();
    }
}

/// Changes a value; returns a piece of text and what replaces it, for what no tree of values has.
fn change_node(node: &mut Value, other: Option<Value>, random: &mut Random) -> Option<(String, String)> {
    match (random.below(10), &mut *node) {
        (0..=3, Value::Object(object)) if !object.is_empty() => {
            let keys: Vec<String> = object.keys().cloned().collect();
            let key = random.pick(&keys).clone();
            match random.below(4) {
                0 => drop(object.remove(&key)),
                1 => drop(object.insert(odd_text(random), json!(1))),
                2 => {
                    let value = object.remove(&key).unwrap_or_default();
                    object.insert(odd_text(random), value);
                }
                _ => {
                    let written = |key: &str| format!("{}:", Value::from(key));
                    return Some((written(&key), written(random.pick(&keys).as_str())));
                }
            }
        }
        (0..=3, Value::Array(array)) if !array.is_empty() => {
            let at = random.below(array.len());
            match random.below(4) {
                0 => drop(array.remove(at)),
                1 => array.clear(),
                2 => {
                    let one = array[at].clone();
                    let times = length(if count(&one) < 4 { 6 } else { 3 }, random);
                    array.splice(at..at, std::iter::repeat_n(one, times));
                }
                _ => array.push(other.unwrap_or_default()),
            }
        }
        (0..=4, Value::String(text)) => {
            let at = (0..=random.below(text.len() + 1)).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            text.insert_str(at, &odd_text(random));
        }
        (5, _) => *node = other.unwrap_or_default(),
        (0..=4, Value::Number(_)) | (6, _) => *node = number(random),
        (7, _) => *node = odd_text(random).into(),
        _ => {
            let all = [
                json!(null),
                json!(true),
                json!([]),
                json!({}),
                json!([[]]),
                json!([[1]]),
                json!(""),
                json!([[0, 1], [2]]),
                json!({"a": 1}),
            ];
            *node = random.pick(&all).clone();
        }
    }
    None
}

fn number(random: &mut Random) -> Value {
    let all = [
        json!(0),
        json!(1),
        json!(-1),
        json!(2),
        json!(10),
        json!(31),
        json!(1000),
        json!(0.5),
        json!(-0.0),
        json!(1e308),
        json!(-1e308),
        json!(5e-324),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(i64::MAX),
        json!(u32::MAX),
        json!(i32::MIN),
        json!(1u64 << 53),
    ];
    random.pick(&all).clone()
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(array) => array.iter().map(count).sum(),
        Value::Object(object) => object.values().map(count).sum(),
        _ => 0,
    }
}

/// The value at a place, counted from 0 in the order of the text.
fn nth<'v>(value: &'v mut Value, left: &mut usize) -> Option<&'v mut Value> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Value::Array(array) => array.iter_mut().find_map(|value| nth(value, left)),
        Value::Object(object) => object.values_mut().find_map(|value| nth(value, left)),
        _ => None,
    }
}
