//! `docs/primitives.md` is generated from the table. When this test fails, run it with `UPDATE_EXPECT=1`.

use std::collections::BTreeMap;
use std::fmt::Write;

use batt_dsl::{ConstId, Cost, Family, Flags, Guard, Origin, Primitive, primitive, primitives};
use expect_test::expect_file;

fn row(out: &mut String, row: &Primitive) -> std::fmt::Result {
    let params: Vec<String> = row.params.iter().map(|param| format!("{}: {}", param.name, param.takes)).collect();
    let cost = match row.cost {
        Cost::Unit => "one",
        Cost::Linear => "linear",
        Cost::Product => "product",
    };
    let set = row.flags.all().into_iter().filter(|(_, _, set)| *set).map(|(name, ..)| name);
    let flags: Vec<&str> = set.chain(row.kernel.then_some("kernel")).collect();
    writeln!(out, "### `{}({})`\n", row.name, params.join(", "))?;
    writeln!(out, "{}\n", row.doc)?;
    writeln!(out, "```python\n{}  # {}\n```\n", row.example.call, row.example.gives)?;
    let flags = if flags.is_empty() { String::new() } else { format!(" Flags: {}.", flags.join(", ")) };
    let origin = if row.origin == Origin::ArcDsl { String::new() } else { format!(" Origin: {}.", row.origin.name()) };
    writeln!(out, "Cost: {cost}.{flags}{origin}\n")
}

fn page() -> Result<String, std::fmt::Error> {
    let mut out = String::from(
        "# The primitives\n\nGenerated from the table in `crates/batt-dsl/src/table/`; `batt dsl NAME` shows the same in a terminal.\n\n\
         *Cost* is the cost class of [fuel](programs.md#limits). *Origin* is who has it: arc-dsl if nothing is said, the typed dialect,\n\
         or batt alone. Flags:\n\n",
    );
    for (name, meaning, _) in Flags::default().all() {
        writeln!(out, "- *{name}*: {meaning}")?;
    }
    writeln!(out, "- *kernel*: has a faster version for the common forms\n")?;
    let mut families: BTreeMap<_, Vec<&Primitive>> = BTreeMap::new();
    for (_, row) in primitives().filter(|(_, row)| row.alias.is_none()) {
        families.entry(row.family).or_default().push(row);
    }
    for (family, rows) in families {
        writeln!(out, "## {family:?}\n")?;
        if family == Family::Rule {
            writeln!(out, "[rules.md](rules.md) says what the numbers in arguments mean.\n")?;
        }
        for primitive in rows {
            row(&mut out, primitive)?;
        }
    }
    writeln!(out, "## Aliases of the typed dialect\n\n| name | stands for | takes | example |\n|---|---|---|---|")?;
    for (_, row) in primitives() {
        if let Some(alias) = row.alias {
            let takes = match alias.guard {
                Guard::None => "the same",
                Guard::Tuple => "a tuple or grid",
                Guard::Set => "a set",
                Guard::AsTuple => "a container, as a tuple",
                Guard::AsSet => "a container, as a set",
                Guard::Patch => "a patch, as a set",
                Guard::Indices => "locations, as a set",
                Guard::Object => "cells, as a set",
            };
            writeln!(
                out,
                "| `{}` | `{}` | {takes} | `{}` gives `{}` |",
                row.name,
                primitive(alias.base.into()).name,
                row.example.call,
                row.example.gives
            )?;
        }
    }
    writeln!(out, "\n## Constants\n\n| name | value | range |\n|---|---|---|")?;
    for constant in ConstId::all() {
        writeln!(out, "| `{}` | `{:?}` | {:?} |", constant.name(), constant.value(), constant.range())?;
    }
    Ok(out)
}

#[test]
fn the_page_of_primitives_is_fresh() {
    expect_file!["../../../../docs/primitives.md"].assert_eq(&page().unwrap_or_default());
}
