//! `batt dsl`: the table of primitives, for readers and for programs.

use std::collections::BTreeMap;
use std::io::Write;

use batt_dsl::in_words::{returns_in_words, signature, value_type};
use batt_dsl::{ConstId, Cost, Family, Guard, Origin, Primitive, Range, by_name, nearest_name, primitive, primitives};
use serde_json::{Value as Json, json};

use super::{Status, conformance};
use crate::args::{DslArgs, OutFile};
use crate::files::write_json;
use crate::output::{Output, Tone, count};
use crate::table::{Align, Table};

/// A longer signature does not move the sentences of the others to the right.
const LONGEST_SIGNATURE: usize = 60;
/// A terminal on which name, signature and sentence stand side by side.
const WIDE: usize = 150;

/// Lists primitives, explains one, or checks them.
pub(super) fn dsl(args: &DslArgs, out: &mut Output) -> anyhow::Result<Status> {
    if let Some(path) = &args.conformance {
        return conformance::check(path, out);
    }
    let json = args.json.json.as_ref();
    let Some(name) = &args.name else {
        list(json, out)?;
        return Ok(Status::Good);
    };
    if let Some(id) = by_name(name) {
        let row = primitive(id);
        if !write_json(json, || row_as_json(row), out)? {
            explain(row, out)?;
        }
    } else if let Some(id) = ConstId::by_name(name) {
        explain_constant(id, json, out)?;
    } else {
        let hint = nearest_name(name).map_or("`batt dsl` lists all".to_owned(), |near| format!("did you mean `{near}`?"));
        anyhow::bail!("there is no primitive or constant `{name}`; {hint}");
    }
    Ok(Status::Good)
}

fn list(json: Option<&OutFile>, out: &mut Output) -> anyhow::Result<()> {
    if write_json(json, || primitives().map(|(_, row)| row_as_json(row)).collect(), out)? {
        return Ok(());
    }
    let mut families: Vec<Family> = primitives().map(|(_, row)| row.family).collect();
    families.sort_unstable();
    families.dedup();
    for family in families {
        writeln!(out, "{}", out.paint(Tone::Strong, about_family(family)))?;
        let rows: Vec<&Primitive> = primitives().map(|(_, row)| row).filter(|row| row.family == family).collect();
        list_rows(&rows, out)?;
        writeln!(out)?;
    }
    let aliases = primitives().filter(|(_, row)| row.alias.is_some()).count();
    writeln!(out, "{} and {aliases} aliases; `batt dsl NAME` explains one.", count(primitives().len() - aliases, "primitive"))?;
    Ok(())
}

/// One line each, with aligned sentences. On a narrow terminal the sentence has a line of its own, and an alias only the sentence.
fn list_rows(rows: &[&Primitive], out: &mut Output) -> anyhow::Result<()> {
    let narrow = out.look.width.is_some_and(|width| width < WIDE);
    let name_width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let signature_width = rows.iter().map(|row| signature(row).len()).max().unwrap_or(0).min(LONGEST_SIGNATURE);
    for row in rows {
        let (signature, doc) = (signature(row), doc_line(row));
        let name = out.paint(Tone::Good, format_args!("{:name_width$}", row.name));
        let text = match (narrow, row.alias) {
            (true, None) => format!("{signature}\n{:indent$}{}", "", out.paint(Tone::Faint, doc), indent = name_width + 6),
            (true, Some(_)) => out.paint(Tone::Faint, doc),
            (false, None) => format!("{signature:signature_width$}  {doc}"),
            (false, Some(_)) => out.paint(Tone::Faint, format_args!("{signature:signature_width$}  {doc}")),
        };
        writeln!(out, "  {name}  {text}")?;
    }
    Ok(())
}

fn doc_line(row: &Primitive) -> String {
    match row.alias {
        Some(alias) => format!("As {}{}.", primitive(alias.base.into()).name, about_guard(alias.guard)),
        None => row.doc.to_owned(),
    }
}

fn explain(row: &Primitive, out: &mut Output) -> anyhow::Result<()> {
    writeln!(out, "{}{}\n\n{}\n", out.paint(Tone::Strong, row.name), signature(row), row.doc)?;
    let mut table = Table::new([("", Align::Left), ("", Align::Left)]);
    let mut line = |key: &str, text: String| table.row([(key.to_owned(), Tone::Faint), (text, Tone::Plain)]);
    for (k, param) in row.params.iter().enumerate() {
        line(if k == 0 { "takes" } else { "" }, format!("{}: {}", param.name, row.takes(k)));
    }
    line("gives", returns_in_words(row));
    line("family", about_family(row.family).to_owned());
    line("cost", about_cost(row.cost).to_owned());
    for (k, flag) in flags(row).into_iter().enumerate() {
        line(if k == 0 { "flags" } else { "" }, flag);
    }
    if let Some(alias) = row.alias {
        line("alias of", format!("{}{}", primitive(alias.base.into()).name, about_guard(alias.guard)));
    }
    let aliases: Vec<&str> = aliases_of(row).collect();
    if !aliases.is_empty() {
        line("aliases", aliases.join(", "));
    }
    line("example", row.example.call.to_owned());
    line("", format!("= {}", row.example.gives));
    let look = out.look;
    // Types and examples are to be read whole, so nothing is cut.
    table.print(out, crate::output::Look { width: None, ..look }, 2)?;
    Ok(())
}

fn explain_constant(id: ConstId, json: Option<&OutFile>, out: &mut Output) -> anyhow::Result<()> {
    let value = batt_program::print_literal(&id.value());
    let row = || json!({ "name": id.name(), "constant": true, "value": value, "range": about_range(id.range()) });
    if write_json(json, row, out)? {
        return Ok(());
    }
    writeln!(out, "{} = {value}\n\nA constant: {}.", out.paint(Tone::Strong, id.name()), about_range(id.range()))?;
    Ok(())
}

fn row_as_json(row: &Primitive) -> Json {
    let params: Vec<Json> =
        row.params.iter().enumerate().map(|(k, param)| json!({ "name": param.name, "type": row.takes(k).to_string() })).collect();
    json!({
        "name": row.name,
        "params": params,
        "returns": value_type(row),
        "signature": format!("{}{}", row.name, signature(row)),
        "family": family_name(row.family),
        "cost": format!("{:?}", row.cost).to_lowercase(),
        "flags": row.flags.all().into_iter().map(|(name, _, set)| (name, set)).collect::<BTreeMap<_, _>>(),
        "origin": row.origin.name(),
        "kernel": row.kernel,
        "alias_of": row.alias.map(|alias| primitive(alias.base.into()).name),
        "doc": row.doc,
        "example": { "call": row.example.call, "gives": row.example.gives },
    })
}

fn aliases_of(row: &Primitive) -> impl Iterator<Item = &'static str> {
    let name = row.name;
    primitives()
        .filter(move |(_, other)| other.alias.is_some_and(|alias| primitive(alias.base.into()).name == name))
        .map(|(_, other)| other.name)
}

fn flags(row: &Primitive) -> Vec<String> {
    let partial = (!row.flags.total).then(|| "partial: may be undefined".to_owned());
    let set = row.flags.all().into_iter().filter(|(_, _, set)| *set).map(|(name, meaning, _)| format!("{name}: {meaning}"));
    let kernel = row.kernel.then(|| "kernel: has a faster version for the common forms".to_owned());
    let origin = match row.origin {
        Origin::ArcDsl => None,
        Origin::Dialect => Some("dialect: the typed dialect has it and arc-dsl has not".to_owned()),
        Origin::Batt => Some("batt: batt has it and arc-dsl has not".to_owned()),
    };
    partial.into_iter().chain(set).chain(kernel).chain(origin).collect()
}

fn family_name(family: Family) -> String {
    format!("{family:?}")
}

fn about_family(family: Family) -> &'static str {
    match family {
        Family::Number => "Number: integers, pairs, truth values",
        Family::Container => "Container: tuples and sets of anything",
        Family::Function => "Function: functions that make functions",
        Family::HigherOrder => "HigherOrder: functions called on the items of containers",
        Family::Patch => "Patch: sets of locations, with or without colours",
        Family::Line => "Line: locations made from locations",
        Family::Object => "Object: finding things on grids",
        Family::Colour => "Colour: colours and their counts",
        Family::Grid => "Grid: whole grids",
        Family::Drawing => "Drawing: putting patches onto grids",
        Family::Rank => "Rank: choosing by position or rank",
        Family::Demo => "Demo: facts about the demo pairs of the task",
        Family::Image => "Image: coarse steps on grids that have a place, as search takes them",
        Family::Rule => "Rule: rules whose parameters are fitted to demos",
    }
}

fn about_cost(cost: Cost) -> &'static str {
    match cost {
        Cost::Unit => "unit: one unit of fuel",
        Cost::Linear => "linear: the weight of the arguments and the value",
        Cost::Product => "product: an eighth of the product of the arguments' weights, and the value",
    }
}

fn about_guard(guard: Guard) -> &'static str {
    match guard {
        Guard::None => "",
        Guard::Tuple => ", for tuples and grids",
        Guard::Set => ", for sets",
        Guard::AsTuple => ", of a tuple or of a set as a tuple",
        Guard::AsSet => ", of a set or of a tuple as a set",
        Guard::Patch => ", for patches as sets or tuples",
        Guard::Indices => ", for locations in a set or tuple",
        Guard::Object => ", for cells in a set or tuple",
    }
}

fn about_range(range: Range) -> &'static str {
    match range {
        Range::Colour => "a colour",
        Range::Rank => "a rank, from the first or from the last",
        Range::KindOf4 => "one of four kinds",
        Range::KindOf8 => "one of eight kinds",
        Range::AngleOf4 => "one of four mirrors",
        Range::AngleOf8 => "one of eight mirrors and rotations",
        Range::Boolean => "a truth value",
        Range::Small => "a small integer",
        Range::Count => "a count",
        Range::Pair => "a pair of integers",
        Range::Scale => "a large factor",
    }
}
