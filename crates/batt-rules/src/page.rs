//! `docs/rules.md` is generated: a section for each primitive from its row, the rest from here. When this test fails, run it with
//! `UPDATE_EXPECT=1`.

use std::fmt::Write;

use batt_vision::{CellKind, ItemKind, Mode, Role};
use expect_test::expect_file;

use crate::families::Family;
use crate::row::{Part, Table, listed};
use crate::rules::Operator;

const HEAD: &str = "# Rules

The primitives of the family Rule take their parameters as literals. `batt search` fits them to the
demos of a task. They can be written by hand too: [primitives.md](primitives.md#rule) has an
example of each.

";

const LISTS: &str = "## Lists of rules

`rules` is a tuple of rules. A rule is a pair of tests and a paint: `(((0, 0, 0, 0, 3),), 5)`. The
first rule whose tests all hold decides. Objects without such a rule keep their colour.

```python
cellrule(((3, 0), (3, 3)), 0, ((((0, 0, 0, 0, 0), (2, 6, 0, 0, 2)), 4), ((), (0, 0, 0))))
```

This paints background cells with two or more neighbours in colour 4 and keeps all other cells.

A test is `(operator, kind, a, b, number)`. It compares the feature `(kind, a, b)` of a
[cell](#features-of-cells) or an [object](#features-of-objects) with the number. A feature without a
value is -1.
";

const PAINTS: &str = "A paint is a [colour](#colours), 10 for the background's colour, or a feature `(kind, a, b)`. Where
it has no value, the next rule decides.

## Colours

A colour as an argument is 0 to 9 for itself, 20 plus the number of a [role](#roles), or one of the
numbers from 10 on that its rule explains. `ground` is the background's colour, or 10 for the most
common colour.

A role is a colour or a number by what it is in the image. `b` of the features Modulo and
NearestModulo takes roles of numbers, 20 more as well. If two colours share a role, it has no value.

## Objects

`mode` says how cells are grouped. Where there are no lines, panels are equal parts between
lines of background, or squares of the shorter side.
";

const DIRECTIONS: &str = "## Directions and symmetries

The eight directions are up, down, left, right, up left, down right, up right, down left (0 to 7).
The eight symmetries are identity, left-right, upside down, half turn (0 to 3) and the same
transposed (4 to 7).
";

fn part(out: &mut String, part: &Part) -> std::fmt::Result {
    let Part::Table(table) = part else {
        let Part::Text(text) = part else { return Ok(()) };
        return writeln!(out, "{text}");
    };
    let Table { number, rows, columns } = table();
    writeln!(out, "| {number} | {} |\n|--:{}|", columns.join(" | "), "|---".repeat(columns.len()))?;
    for (number, columns) in rows {
        writeln!(out, "| {number} | {} |", columns.join(" | "))?;
    }
    writeln!(out)
}

fn page() -> Result<String, std::fmt::Error> {
    let rules = || Family::ALL.iter().flat_map(|family| family.row().rules);
    let mut page = String::from(HEAD);
    let out = &mut page;
    writeln!(out, "| primitive | gives |\n|---|---|")?;
    for rule in rules() {
        writeln!(out, "| [`{}`](#{}) | {} |", rule.name, rule.gives.1, rule.gives.0)?;
    }
    writeln!(out)?;
    let shared = [Part::Text(LISTS), listed!("operator", Operator), Part::Text(PAINTS), listed!("mode", Mode), Part::Text(DIRECTIONS)];
    shared.iter().try_for_each(|shared| part(out, shared))?;
    for rule in rules().filter(|rule| !rule.page.is_empty()) {
        writeln!(out, "## `{}`\n", rule.name)?;
        rule.page.iter().try_for_each(|page| part(out, page))?;
    }
    for (title, table) in [
        ("Features of cells", listed!("kind", CellKind)),
        ("Features of objects", listed!("kind", ItemKind)),
        ("Roles", listed!("role", Role)),
    ] {
        writeln!(out, "## {title}\n")?;
        part(out, &table)?;
    }
    Ok(page.trim_end().to_owned() + "\n")
}

#[test]
fn the_page_of_rules_is_fresh() {
    expect_file!["../../../docs/rules.md"].assert_eq(&page().unwrap_or_default());
}
