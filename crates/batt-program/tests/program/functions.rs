//! Messages about functions that have no proper form, and programs that are read in spite of them.

#![expect(
    clippy::needless_raw_string_hashes,
    clippy::needless_pass_by_value,
    clippy::too_many_lines,
    reason = "tests, and what expect-test writes"
)]

use batt_program::parse_file;
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    let rendered: String = parse_file(text).errors.iter().map(|error| error.render("p.py", text)).collect();
    expected.assert_eq(&rendered);
}

#[test]
fn shapes_of_functions() {
    check(
        "def f(I):\n    x = rot90(I)\n",
        expect![[r#"
        p.py:1:5: `f` has no `return`
        def f(I):
            ^
          help: a program ends in `return` and the value that it gives
    "#]],
    );
    check(
        "def f(I):\n    return I\n    x = rot90(I)\n",
        expect![[r#"
        p.py:3:5: there is code after `return`
            x = rot90(I)
            ^
    "#]],
    );
    check(
        "def f(I):\n    return\n",
        expect![[r#"
        p.py:2:11: expected the value to return, found the end of the line
            return
                  ^
    "#]],
    );
    check(
        "def f(I):\n\ndef g(I):\n    return I\n",
        expect![[r#"
        p.py:1:5: `f` has no body
        def f(I):
            ^
          help: its statements go on the next lines, indented
    "#]],
    );
    check(
        "def f(I):\nreturn I\n",
        expect![[r#"
        p.py:1:5: `f` has no body
        def f(I):
            ^
          help: its statements go on the next lines, indented
    "#]],
    );
    check(
        "def f(I):\n    x = rot90(I)\n      y = rot90(I)\n    return x\n",
        expect![[r#"
        p.py:3:7: this line is indented deeper than the one before
              y = rot90(I)
              ^
          help: all lines of a function start with the same white space
    "#]],
    );
    check(
        "def f(I):\n    x = rot90(I)\n\ty = rot90(I)\n    return x\n",
        expect![[r#"
        p.py:3:2: this line is not indented like the lines before
            y = rot90(I)
            ^
          help: all lines of a function start with the same white space
    "#]],
    );
    check(
        "    x = rot90(I)\n",
        expect![[r#"
        p.py:1:5: unexpected indentation
            x = rot90(I)
            ^
          help: a function starts with `def` at the start of a line
    "#]],
    );
    check(
        "def f():\n    return 1\n",
        expect![[r#"
        p.py:1:6: a program takes one parameter or three, not 0
        def f():
             ^^
          help: write `(I)` for the input, or `(S, I, C)` for the demo pairs, the input and the candidate
    "#]],
    );
    check(
        "def f(I, C):\n    return 1\n",
        expect![[r#"
        p.py:1:6: a program takes one parameter or three, not 2
        def f(I, C):
             ^^^^^^
          help: write `(I)` for the input, or `(S, I, C)` for the demo pairs, the input and the candidate
    "#]],
    );
    check(
        "def f(I, I, I):\n    return 1\n",
        expect![[r#"
        p.py:1:10: the parameter `I` is given twice
        def f(I, I, I):
                 ^
    "#]],
    );
    check(
        "def f(I=3):\n    return 1\n",
        expect![[r#"
        p.py:1:8: parameters have no default values here
        def f(I=3):
               ^
    "#]],
    );
    check(
        "def f(I)\n    return 1\n",
        expect![[r#"
        p.py:1:9: expected `:`, found the end of the line
        def f(I)
                ^
    "#]],
    );
    check(
        "def (I):\n    return 1\n",
        expect![[r#"
        p.py:1:5: expected the name of the function, found `(`
        def (I):
            ^
    "#]],
    );
    check(
        "def if(I):\n    return 1\n",
        expect![[r#"
        p.py:1:5: `if` cannot be the name of a function
        def if(I):
            ^^
    "#]],
    );
    check(
        "def f(I",
        expect![[r#"
            p.py:1:6: `(` is never closed
            def f(I
                 ^
        "#]],
    );
    check(
        "x = 3\n",
        expect![[r#"
        p.py:1:1: expected `def`, found `x`
        x = 3
        ^
          help: a file of programs has imports and functions only
    "#]],
    );
    check(
        "@cached\ndef f(I):\n    return I\n",
        expect![[r#"
        p.py:1:1: decorators are not supported
        @cached
        ^
    "#]],
    );
    check(
        "def f(I):\n    return I\n\n\ndef f(I):\n    return rot90(I)\n",
        expect![[r#"
        p.py:5:5: `f` is defined already, on line 1
        def f(I):
            ^
    "#]],
    );
}

#[test]
fn brackets_without_end() {
    check(
        "def f(I):\n    x = rot90(I\n    y = rot90(x)\n    return y\n\ndef g(I):\n    return I\n",
        expect![[r#"
        p.py:2:14: `(` is never closed
            x = rot90(I
                     ^
    "#]],
    );
    check(
        "def f(I):\n    return rot90((1, 2\n\ndef g(I):\n    return I\n",
        expect![[r#"
        p.py:2:18: `(` is never closed
            return rot90((1, 2
                         ^
    "#]],
    );
    check(
        "def f(I):\n    return frozenset({1, 2",
        expect![[r#"
        p.py:2:22: `{` is never closed
            return frozenset({1, 2
                             ^
    "#]],
    );
    check(
        "def f(I):\n    return rot90(I))\n",
        expect![[r#"
        p.py:2:20: expected the end of the line, found `)`
            return rot90(I))
                           ^
    "#]],
    );
    check(
        "def f(I):\n    return rot90(I]\n",
        expect![[r#"
        p.py:2:19: expected `,` or `)`, found `]`
            return rot90(I]
                          ^
    "#]],
    );
}

#[test]
fn an_error_loses_its_function_only() {
    let text = "def a(I):\n    return I\n\ndef b(I):\n    x = (\n\ndef c(I):\n    return nope\n\ndef d(I):\n    return rot90(I)\n";
    let file = parse_file(text);
    let names: Vec<&str> = file.programs.iter().map(batt_program::Program::name).collect();
    assert_eq!(names, ["a", "d"]);
    let lines: Vec<u32> = file.errors.iter().map(|error| error.span.line).collect();
    assert_eq!(lines, [5, 8]);
}
