//! Reference calls: reading a file of them, running them, saying which hold.
//!
//! A line is a JSON object `{"op": NAME, "from": KIND, "args": [..], "out": VALUE}`, or `"err": CLASS` in the place of
//! `out`, with `"cells": "ijc"` if its cells are `(i, j, c)`. Of the kinds, `program` and `mixed` calls must give an equal value, or be
//! undefined where the reference raised an error; a `wild` call must only end.

use batt_core::{PrimId, Reason, Value, tuple_of};
use serde_json::Value as Json;

use crate::{Cells, Machine, by_name, primitive, with_cells};

/// A reference call.
pub struct Call {
    /// The primitive.
    pub primitive: PrimId,
    /// Where the arguments come from.
    pub kind: CallSource,
    /// The arguments.
    pub args: Vec<Value>,
    /// Value by the reference; `None` where it raised an error.
    pub out: Option<Value>,
}

/// Where the arguments of a reference call come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CallSource {
    /// Real programs on real tasks.
    Program,
    /// Arguments of the declared types.
    Mixed,
    /// Arguments of any type.
    Wild,
}

impl CallSource {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Program, Self::Mixed, Self::Wild];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::Mixed => "mixed",
            Self::Wild => "wild",
        }
    }
}

/// Why a line is not a reference call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// Not JSON.
    #[error("not JSON: {0}")]
    NotJson(String),
    /// A key is missing or has the wrong type.
    #[error("`{0}` is missing or is not what it should be")]
    BadKey(&'static str),
    /// No primitive of this name.
    #[error("there is no primitive `{0}`")]
    UnknownPrimitive(String),
    /// A value that is none of the DSL.
    #[error("not a value: {0}")]
    NotAValue(String),
}

/// Reads one line.
pub fn read_call(line: &str, m: &mut Machine) -> Result<Call, CallError> {
    let json: Json = serde_json::from_str(line).map_err(|e| CallError::NotJson(e.to_string()))?;
    let name = json.get("op").and_then(Json::as_str).ok_or(CallError::BadKey("op"))?;
    let cells = json.get("cells").map(|cells| cells.as_str().and_then(|name| Cells::ALL.into_iter().find(|cells| cells.name() == name)));
    let cells = cells.unwrap_or(Some(Cells::Cij)).ok_or(CallError::BadKey("cells"))?;
    let primitive = by_name(name).ok_or_else(|| CallError::UnknownPrimitive(name.to_owned()))?;
    let kind = json.get("from").and_then(Json::as_str).ok_or(CallError::BadKey("from"))?;
    let kind = CallSource::ALL.into_iter().find(|k| k.name() == kind).ok_or(CallError::BadKey("from"))?;
    let args = json.get("args").and_then(Json::as_array).ok_or(CallError::BadKey("args"))?;
    let args = args.iter().map(|arg| read_value(arg, cells, m)).collect::<Result<_, _>>()?;
    let out = match (json.get("out"), json.get("err")) {
        (Some(out), None) => Some(read_value(out, cells, m)?),
        (None, Some(_)) => None,
        _ => return Err(CallError::BadKey("out")),
    };
    Ok(Call { primitive: with_cells(primitive, cells), kind, args, out })
}

/// Reads a value. Function values are made by calling the primitive that makes them, and have cells that are made so.
pub fn read_value(json: &Json, cells: Cells, m: &mut Machine) -> Result<Value, CallError> {
    let bad = || CallError::NotAValue(json.to_string().chars().take(80).collect());
    let list = |items: &[Json], m: &mut Machine| items.iter().map(|item| read_value(item, cells, m)).collect::<Result<Vec<_>, _>>();
    match json {
        Json::Null => Ok(Value::Nothing),
        Json::Bool(b) => Ok(Value::Bool(*b)),
        Json::Number(n) => n.as_i64().map(Value::Int).ok_or_else(bad),
        Json::Array(items) => Ok(tuple_of(list(items, m)?)),
        Json::Object(map) => {
            if let Some(items) = map.get("set").and_then(Json::as_array) {
                return Ok(Value::set_of(list(items, m)?));
            }
            let name = map.get("fn").and_then(Json::as_str).ok_or_else(bad)?;
            let id = with_cells(by_name(name).ok_or_else(|| CallError::UnknownPrimitive(name.to_owned()))?, cells);
            let Some(args) = map.get("args").and_then(Json::as_array) else { return Ok(Value::Primitive(id)) };
            let args = list(args, m)?;
            m.refuel();
            m.call_primitive(id, &args.iter().collect::<Vec<_>>()).map_err(|_| bad())
        }
        Json::String(_) => Err(bad()),
    }
}

/// How a call came out.
pub enum Verdict {
    /// As it should be.
    Holds,
    /// Not as it should be.
    Differs {
        /// Value by batt.
        found: Result<Value, Reason>,
    },
}

/// Runs a call and compares it with the reference.
pub fn verify(call: &Call, m: &mut Machine) -> Verdict {
    m.refuel();
    let found = m.call_primitive(call.primitive, &call.args.iter().collect::<Vec<_>>());
    let holds = match (&call.out, &found) {
        _ if call.kind == CallSource::Wild => true,
        (Some(expected), Ok(found)) => expected == found,
        (None, Err(_)) => true,
        _ => false,
    };
    if holds { Verdict::Holds } else { Verdict::Differs { found } }
}

/// A value in the files' notation.
pub fn write_value(value: &Value) -> Json {
    let items = |value: &Value| value.items().into_iter().flatten().map(|item| write_value(&item)).collect::<Vec<_>>();
    match value {
        Value::Nothing => Json::Null,
        Value::Int(n) => Json::from(*n),
        Value::Bool(b) => Json::from(*b),
        Value::Primitive(id) => serde_json::json!({ "fn": primitive(*id).name }),
        Value::Closure(closure) => {
            serde_json::json!({ "fn": closure.maker().name(), "args": closure.parts().iter().map(write_value).collect::<Vec<_>>() })
        }
        _ if value.is_set() => serde_json::json!({ "set": items(value) }),
        _ => Json::from(items(value)),
    }
}
