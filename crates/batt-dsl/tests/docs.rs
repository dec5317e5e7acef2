//! `docs/primitives.md` is generated from the table. When this test fails, run it with `UPDATE_EXPECT=1`.

use std::collections::BTreeMap;
use std::fmt::Write;

use batt_dsl::{ConstId, Cost, Guard, Primitive, primitive, primitives};
use expect_test::expect_file;

fn row(out: &mut String, row: &Primitive) -> std::fmt::Result {
    let params: Vec<String> = row.params.iter().map(|param| format!("{}: {}", param.name, param.takes)).collect();
    let cost = match row.cost {
        Cost::Unit => "one",
        Cost::Linear => "linear",
        Cost::Product => "product",
    };
    let flags =
        [("total", row.flags.total), ("ordered", row.flags.ordered), ("commutative", row.flags.commutative), ("kernel", row.kernel)];
    let flags: Vec<&str> = flags.iter().filter(|(_, set)| *set).map(|(name, _)| *name).collect();
    writeln!(out, "### `{}({})`\n", row.name, params.join(", "))?;
    writeln!(out, "{}\n", row.doc)?;
    writeln!(out, "```python\n{}  # {}\n```\n", row.example.call, row.example.gives)?;
    writeln!(out, "Cost: {cost}. {}\n", if flags.is_empty() { String::new() } else { format!("Flags: {}.", flags.join(", ")) }.trim())
}

fn page() -> Result<String, std::fmt::Error> {
    let mut out = String::from(
        "# The primitives\n\nGenerated from the table in `crates/batt-dsl/src/table/`; `batt dsl NAME` shows the same in a terminal.\n\n\
         *Total*: defined for all arguments of the declared types. *Ordered*: depends on the order of a set. *Commutative*: the arguments may change places. \
         *Kernel*: the fast executor has a kernel for it. Fuel is counted by *cost*: one unit, the weight of arguments and value, or the product of the weights.\n\n",
    );
    let mut families: BTreeMap<_, Vec<&Primitive>> = BTreeMap::new();
    for (_, row) in primitives().filter(|(_, row)| row.alias.is_none()) {
        families.entry(row.family).or_default().push(row);
    }
    for (family, rows) in families {
        writeln!(out, "## {family:?}\n")?;
        for primitive in rows {
            row(&mut out, primitive)?;
        }
    }
    writeln!(out, "## Aliases of the typed dialect\n\n| name | stands for | takes | example |\n|---|---|---|---|")?;
    for (_, row) in primitives() {
        if let Some(alias) = row.alias {
            let takes = match alias.guard {
                Guard::Tuple => "a tuple or grid",
                Guard::Set => "a set",
                Guard::Indices => "a set of locations",
                Guard::Object => "a set of cells",
                Guard::None => "the same",
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
    expect_file!["../../../docs/primitives.md"].assert_eq(&page().unwrap_or_default());
}
