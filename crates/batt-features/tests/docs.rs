//! The lists of `docs/rules.md` are generated. When this test fails, run it with `UPDATE_EXPECT=1`.

use std::fmt::Write;

use batt_features::{CellKind, ItemKind};
use expect_test::expect_file;

const HEAD: &str = "# Rules

The primitives of the family Rule, from `cellrule` to `templaterule`, take their parameters as
literals. `batt-rules` fits them to the demos of a task. Each can be written by hand too.

A *rule* is a pair of tests and a paint: `(((0, 0, 0, 0, 3),), 5)`. The first rule whose tests all
hold decides. A test is `(operator, kind, a, b, number)`. The operators: the value of the feature
`(kind, a, b)` is the number (0), is another (1), is not less (2), is there and not more (3), is the
own colour of the cell or object (4), is another than the own colour (5). A paint is a colour, 10
for the background's colour, or a feature `(kind, a, b)`; where a feature has no value, the rule is
skipped. A feature without a value is -1.

`ground` is the background's colour, or 10 for the most common colour. The modes of objects are:
one colour joined by sides (0), by corners too (1), any colours by sides (2), by corners too (3),
background regions (4), panels between lines of one colour (5), all cells of a colour (6), rows (7),
columns (8).

The eight directions are up, down, left, right, up left, down right, up right, down left (0 to 7).
The eight symmetries are identity, left-right, upside down, half turn (0 to 3) and the same
transposed (4 to 7).

```python
cellrule(((3, 0), (3, 3)), 0, ((((0, 0, 0, 0, 0), (2, 6, 0, 0, 2)), 4), ((), (0, 0, 0))))
```

This paints background with two or more neighbours in colour 4 and leaves all other cells alone.

A paint of `moverule` is a move: stay `(0, 0, 0)`, vanish `(1, 0, 0)`, slide in direction `a`
`(2, a, 0)`, slide towards the nearest cell of colour `a` straight ahead, 10 for any and 11 for its
own `(3, a, 0)`, step by rows and columns `(4, a, b)`, move by its own size in direction `a`
`(5, a, 0)`.
";

fn page() -> Result<String, std::fmt::Error> {
    let mut out = String::from(HEAD);
    writeln!(out, "\n## Features of cells\n\n| kind | name | value |\n|---|---|---|")?;
    for kind in CellKind::ALL {
        writeln!(out, "| {} | {kind:?} | {} |", *kind as u8, kind.describe())?;
    }
    writeln!(out, "\n## Features of objects\n\n| kind | name | value |\n|---|---|---|")?;
    for kind in ItemKind::ALL {
        writeln!(out, "| {} | {kind:?} | {} |", *kind as u8, kind.describe())?;
    }
    Ok(out)
}

#[test]
fn the_page_of_rules_is_fresh() {
    expect_file!["../../../docs/rules.md"].assert_eq(&page().unwrap_or_default());
}
