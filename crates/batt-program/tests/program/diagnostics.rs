//! Messages about text that is no program.

#![expect(
    clippy::unwrap_used,
    clippy::needless_raw_string_hashes,
    clippy::needless_pass_by_value,
    clippy::format_push_string,
    reason = "tests, and what expect-test writes"
)]

use batt_program::{parse_bytes, parse_expression, parse_file};
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    let rendered: String = parse_file(text).errors.iter().map(|error| error.render("p.py", text)).collect();
    expected.assert_eq(&rendered);
}

fn body(line: &str, expected: Expect) {
    check(&format!("def f(I):\n    x = rot90(I)\n    {line}\n    return x\n"), expected);
}

#[test]
fn unknown_names() {
    body(
        "y = hmiror(I)",
        expect![[r#"
        p.py:3:9: unknown name `hmiror`
            y = hmiror(I)
                ^^^^^^
          help: did you mean `hmirror`?
    "#]],
    );
    body(
        "y = fill(I, FIFE, x)",
        expect![[r#"
        p.py:3:17: unknown name `FIFE`
            y = fill(I, FIFE, x)
                        ^^^^
          help: did you mean `FIVE`?
    "#]],
    );
    body(
        "y = abcdefghijk(I)",
        expect![[r#"
        p.py:3:9: unknown name `abcdefghijk`
            y = abcdefghijk(I)
                ^^^^^^^^^^^
    "#]],
    );
    body(
        "y = add(x17, x)",
        expect![[r#"
        p.py:3:13: unknown name `x17`
            y = add(x17, x)
                    ^^^
    "#]],
    );
    check(
        "def f(I):\n    background = mostcolor(I)\n    return canvas(bakground, UNITY)\n",
        expect![[r#"
        p.py:3:19: unknown name `bakground`
            return canvas(bakground, UNITY)
                          ^^^^^^^^^
          help: did you mean `background`?
    "#]],
    );
}

#[test]
fn variables_before_they_are_set() {
    check(
        "def f(I):\n    x1 = rot90(x2)\n    x2 = rot90(I)\n    return x2\n",
        expect![[r#"
        p.py:2:16: `x2` is used before it is set, which is on line 3
            x1 = rot90(x2)
                       ^^
    "#]],
    );
    check(
        "def f(I):\n    x1 = size(I)\n    size = 3\n    return x1\n",
        expect![[r#"
        p.py:2:10: `size` is used before it is set, which is on line 3
            x1 = size(I)
                 ^^^^
          help: a function that sets a name cannot use the primitive or constant of that name
    "#]],
    );
}

#[test]
fn arity_and_keywords() {
    body(
        "y = fill(I, ONE)",
        expect![[r#"
        p.py:3:9: `fill` takes 3 arguments (grid, value, patch), 2 given
            y = fill(I, ONE)
                ^^^^^^^^^^^^
    "#]],
    );
    body(
        "y = rot90()",
        expect![[r#"
        p.py:3:9: `rot90` takes 1 argument (grid), 0 given
            y = rot90()
                ^^^^^^^
    "#]],
    );
    body(
        "y = rot90(I, I)",
        expect![[r#"
        p.py:3:9: `rot90` takes 1 argument (grid), 2 given
            y = rot90(I, I)
                ^^^^^^^^^^^
    "#]],
    );
    body(
        "y = fill(I, colour=ONE, patch=x)",
        expect![[r#"
        p.py:3:17: `fill` has no parameter `colour`
            y = fill(I, colour=ONE, patch=x)
                        ^^^^^^
          help: its parameters are (grid, value, patch)
    "#]],
    );
    body(
        "y = fill(I, ONE, grid=I)",
        expect![[r#"
        p.py:3:22: the argument `grid` is given twice
            y = fill(I, ONE, grid=I)
                             ^^^^
    "#]],
    );
    body(
        "y = fill(I, patch=x, patch=x)",
        expect![[r#"
        p.py:3:26: the argument `patch` is given twice
            y = fill(I, patch=x, patch=x)
                                 ^^^^^
    "#]],
    );
    body(
        "y = fill(patch=x, I, ONE)",
        expect![[r#"
        p.py:3:23: an argument without a name after one with a name
            y = fill(patch=x, I, ONE)
                              ^
    "#]],
    );
    body(
        "y = fill(I, patch=x)",
        expect![[r#"
        p.py:3:9: `fill` takes 3 arguments (grid, value, patch), 2 given
            y = fill(I, patch=x)
                ^^^^^^^^^^^^^^^^
    "#]],
    );
    body(
        "y = x(grid=I)",
        expect![[r#"
        p.py:3:11: the argument `grid` has a name, but only primitives have named parameters
            y = x(grid=I)
                  ^^^^
          help: only the parameters of primitives have names
    "#]],
    );
    body(
        "y = rot90(*I)",
        expect![[r#"
            p.py:3:15: expected an expression, found `*`
                y = rot90(*I)
                          ^
        "#]],
    );
}

#[test]
fn python_outside_the_subset() {
    let mut table = String::new();
    for line in [
        "if x: pass",
        "for y in x: pass",
        "while T: pass",
        "def g(I): return I",
        "import dsl",
        "x += 1",
        "y, z = x",
        "y = z = x",
        "y",
        "rot90(x)",
        "x.y = 3",
        "x[0] = 3",
        "(y) = 3",
        "y = lambda a: a",
        "y = x + x",
        "y = x == x",
        "y = x and x",
        "y = not x",
        "y = x if T else x",
        "y = 'text'",
        "y = f'{x}'",
        "y = 'text",
        "y = [1, 2]",
        "y = {1, 2}",
        "y = (z for z in x)",
        "y = tuple(rot90(z) for z in x)",
        "y = rot90(z for z in x)",
        "y = first(x for z in x)",
        "y = x.first",
        "y = x[0]",
        "y = None",
        "y = x; z = x",
        "y = -x",
        "y = (x, x, x)",
        "y = frozenset({x})",
        "y = frozenset(x)",
        "y = frozenset",
        "y =",
        "None = x",
        "y = $",
        "y = \0",
        "y = 日本 + §",
    ] {
        let text = format!("def f(I):\n    x = rot90(I)\n    {line}\n    return x\n");
        let file = parse_file(&text);
        assert_eq!((file.programs.len(), file.errors.len()), (0, 1), "{line}");
        let error = &file.errors[0];
        let place = format!("{}:{}", error.span.line, error.span.column);
        let help = error.help.as_ref().map_or_else(String::new, |help| format!(" ({help})"));
        table += &format!("{}: {place}: {}{help}\n", line.escape_debug(), error.message);
    }
    expect![[r#"
        if x: pass: 3:5: `if` statements are not supported (use `branch(condition, a, b)`)
        for y in x: pass: 3:5: `for` loops are not supported (use `apply`, `mapply`, `sfilter` or `power`)
        while T: pass: 3:5: `while` loops are not supported (use `apply`, `mapply`, `sfilter` or `power`)
        def g(I): return I: 3:5: functions inside functions are not supported (a program is a list of assignments `x = f(..)` and a `return`)
        import dsl: 3:5: `import` statements are not supported (a program is a list of assignments `x = f(..)` and a `return`)
        x += 1: 3:7: `+=` is not supported (a program is a list of assignments `x = f(..)` and a `return`)
        y, z = x: 3:5: a statement sets one variable only
        y = z = x: 3:9: an expression cannot set `z`
        y: 3:5: expected `=` after `y` (a program is a list of assignments `x = f(..)` and a `return`)
        rot90(x): 3:5: the value of this call of `rot90` is not used (a program is a list of assignments `x = f(..)` and a `return`)
        x.y = 3: 3:6: attributes are not supported
        x[0] = 3: 3:6: subscripts are not supported (use `first`, `last`, `index` or `get_nth_t`)
        (y) = 3: 3:5: expected an assignment or `return`, found `(`
        y = lambda a: a: 3:9: `lambda` is not supported (make functions with `compose`, `fork`, `lbind`, `rbind` and the like)
        y = x + x: 3:11: the operator `+` is not supported (use `add(a, b)`)
        y = x == x: 3:11: the operator `==` is not supported (use `equality(a, b)`)
        y = x and x: 3:11: the operator `and` is not supported (use `both(a, b)`)
        y = not x: 3:9: the operator `not` is not supported (use `flip(a)`)
        y = x if T else x: 3:11: conditional expressions are not supported (use `branch(condition, a, b)`)
        y = \'text\': 3:9: strings are not supported
        y = f\'{x}\': 3:9: f-strings are not supported
        y = \'text: 3:9: the string has no end
        y = [1, 2]: 3:9: lists are not supported (write a tuple: `(a, b)`)
        y = {1, 2}: 3:9: a set is written `frozenset({..})`
        y = (z for z in x): 3:12: comprehensions are not supported (use `apply`, `mapply` or `sfilter`)
        y = tuple(rot90(z) for z in x): 3:9: unknown name `tuple` (did you mean `astuple`?)
        y = rot90(z for z in x): 3:17: comprehensions are not supported (use `apply`, `mapply` or `sfilter`)
        y = first(x for z in x): 3:17: comprehensions are not supported (use `apply`, `mapply` or `sfilter`)
        y = x.first: 3:10: attributes are not supported
        y = x[0]: 3:10: subscripts are not supported (use `first`, `last`, `index` or `get_nth_t`)
        y = None: 3:9: `None` is not a value here (a call without an answer is undefined)
        y = x; z = x: 3:10: there is one statement a line
        y = -x: 3:10: expected a number after the sign, found `x`
        y = (x, x, x): 3:9: a tuple of 3 items with variables in it (use `repeat`, `astuple` or `combine`; other tuples may contain literals and constants only)
        y = frozenset({x}): 3:9: a set with variables in it (use `initset` and `insert`; `frozenset({..})` may contain literals and constants only)
        y = frozenset(x): 3:19: expected `{` and the items of the set, found `x`
        y = frozenset: 3:18: expected `(` after `frozenset`, found the end of the line
        y =: 3:8: expected an expression, found the end of the line
        None = x: 3:5: expected an assignment or `return`, found `None` (a program is a list of assignments `x = f(..)` and a `return`)
        y = $: 3:9: unexpected character `$` (U+0024)
        y = \0: 3:9: unexpected character (U+0000)
        y = 日本 + §: 3:9: unknown name `日本`
    "#]].assert_eq(&table);
}

#[test]
fn numbers() {
    body(
        "y = 9223372036854775808",
        expect![[r#"
        p.py:3:9: the integer does not fit 64 bits
            y = 9223372036854775808
                ^^^^^^^^^^^^^^^^^^^
    "#]],
    );
    body(
        "y = -9223372036854775809",
        expect![[r#"
        p.py:3:9: the integer does not fit 64 bits
            y = -9223372036854775809
                ^^^^^^^^^^^^^^^^^^^^
    "#]],
    );
    body(
        "y = 1.5",
        expect![[r#"
        p.py:3:9: fractions are not supported
            y = 1.5
                ^^^
          help: numbers are integers
    "#]],
    );
    body(
        "y = 0x1f",
        expect![[r#"
        p.py:3:9: `0x1f` is not a number
            y = 0x1f
                ^^^^
          help: write integers in decimal, without leading zeros
    "#]],
    );
    body(
        "y = 007",
        expect![[r#"
        p.py:3:9: `007` is not a number
            y = 007
                ^^^
          help: write integers in decimal, without leading zeros
    "#]],
    );
}

#[test]
fn tabs_wide_characters_and_long_lines() {
    check(
        "def f(I):\n\tx = rot90(I)\n\treturn\tnope(x)\n",
        expect![[r#"
        p.py:3:9: unknown name `nope`
            return  nope(x)
                    ^^^^
          help: did you mean `move`?
    "#]],
    );
    check(
        "def f(I):\n    日本語 = rot90(I)\n    return hconcat(日本語, 中文)\n",
        expect![[r#"
        p.py:3:25: unknown name `中文`
            return hconcat(日本語, 中文)
                                   ^^^^
    "#]],
    );
    let long = format!("def f(I):\n    return ({}, nope)\n", vec!["1"; 200].join(", "));
    check(
        &long,
        expect![[r#"
        p.py:2:613: unknown name `nope`
        …1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, nope)
                                          ^^^^
          help: did you mean `move`?
    "#]],
    );
    let long = format!("def f(I):\n    return (nope, {})\n", vec!["1"; 200].join(", "));
    check(
        &long,
        expect![[r#"
        p.py:2:13: unknown name `nope`
            return (nope, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1…
                    ^^^^
          help: did you mean `move`?
    "#]],
    );
    check(
        "def f(I):\r\n    x = 3 +\r\n    return x\r\n",
        expect![[r#"
        p.py:2:11: the operator `+` is not supported
            x = 3 +
                  ^
          help: use `add(a, b)`
    "#]],
    );
}

#[test]
fn deep_nesting_is_an_error() {
    for (open, close) in [("(", ")"), ("rot90(", ")"), ("frozenset({", "})"), ("(1, ", ")"), ("fill(grid=", ")"), ("I(", ")")] {
        for depth in [90, 101, 100_000] {
            let text = format!("def f(I):\n    return {}I{}\n", open.repeat(depth), close.repeat(depth));
            let file = parse_file(&text);
            if depth > 100 {
                assert!(file.errors[0].message.contains("nested"), "{open} {depth}: {}", file.errors[0].message);
            }
        }
        let text = format!("def f(I):\n    return {}", open.repeat(100_000));
        assert_eq!(parse_file(&text).errors.len(), 1);
    }
    let tuple = format!("{}1{}", "(".repeat(80), ",)".repeat(80));
    expect!["a literal is nested 65 deep, and 64 is the most"].assert_eq(&parse_expression(&tuple).unwrap_err().message);
    // Calls of calls are not nested.
    assert!(parse_expression(&format!("(I){}", "(I)".repeat(10_000))).is_ok());
}

#[test]
fn bytes_that_are_not_text() {
    let bytes = b"def a(I):\n    return I\n\ndef b(I):\n    # caf\xe9\n    return I\n\ndef c(I):\n    return \xff\n";
    let file = parse_bytes(bytes);
    let source = String::from_utf8_lossy(bytes);
    let rendered: String = file.errors.iter().map(|error| error.render("p.py", &source)).collect();
    expect![[r#"
        p.py:5:10: the byte 0xe9 is not UTF-8 text
            # caf�
                 ^
        p.py:9:12: unexpected character `�` (U+FFFD)
            return �
                   ^
    "#]]
    .assert_eq(&rendered);
    assert_eq!(file.programs.len(), 2);
    assert!(parse_bytes(b"def a(I):\n    return I\n").errors.is_empty());
}

#[test]
fn expressions() {
    for (text, expected) in [
        (
            "",
            expect![[r#"
                <expression>:1:1: expected an expression, found the end of the text

                ^
            "#]],
        ),
        (
            "rot90(",
            expect![[r#"
                <expression>:1:6: `(` is never closed
                rot90(
                     ^
            "#]],
        ),
        (
            "rot90(I) I",
            expect![[r#"
            <expression>:1:10: expected the end of the expression, found `I`
            rot90(I) I
                     ^
        "#]],
        ),
        (
            "x1",
            expect![[r#"
            <expression>:1:1: unknown name `x1`
            x1
            ^^
        "#]],
        ),
        (
            "x = 3",
            expect![[r#"
                <expression>:1:1: an expression cannot set `x`
                x = 3
                ^
            "#]],
        ),
        (
            "return 3",
            expect![[r#"
            <expression>:1:1: expected an expression, found `return`
            return 3
            ^^^^^^
        "#]],
        ),
    ] {
        expected.assert_eq(&parse_expression(text).unwrap_err().render("<expression>", text));
    }
}
