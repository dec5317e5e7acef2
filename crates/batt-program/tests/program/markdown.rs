//! Programs in the fenced blocks of Markdown.

use batt_program::{ParsedFile, check_in, is_markdown, parse_markdown};
use expect_test::expect;

fn names(file: &ParsedFile) -> Vec<(&str, u32, u32)> {
    file.programs.iter().map(|program| (program.name(), program.name_span().line, program.name_span().column)).collect()
}

const ANSWER: &str = "# Two attempts

The grid is turned around. See ```rot90``` for more.

```python
from dsl import *

def solve(I):
    O = rot180(I)
    return O
```

And another, in a list, in other marks:

1. like this:

    ~~~py title
    def solve(I):
        x1 = rot90(I)
        return hmirror(x1)

    def flip(I):
        return hmirror(I)
    ~~~

```sh
def not_python(I):
```

```python
print('nothing to see')
```
";

#[test]
fn blocks_of_python_are_read_and_nothing_else() {
    for text in [ANSWER.to_owned(), ANSWER.replace('\n', "\r\n"), ANSWER.replace('\n', "\r")] {
        let file = parse_markdown(&text);
        assert_eq!(names(&file), [("solve", 8, 5), ("solve", 18, 9), ("flip", 22, 9)], "{:?}", file.errors);
        assert!(file.errors.is_empty() && file.functions == 3);
        assert!(is_markdown(&text));
    }
    for other in ["", "def f(I):\n    return I\n", "```\ndef f(I):\n    return I\n```\n", "``` python`\n"] {
        assert_eq!(names(&parse_markdown(other)), [], "{other}");
        assert!(!is_markdown(other), "{other}");
    }
}

/// The Markdown text is shown, at the line that it has there.
#[test]
fn errors_have_the_places_of_the_markdown() {
    let text = "Words.

* an attempt:
  ```python
  def first_one(I):
      x1 = rot91(I)
      return x1
  def second(I):
      x2 = add(x3, ONE)
      x3 = ONE
      return x2
  def third(I):
      return hmirror(palette(I))
  def third(I):
      return I
  ```
";
    let file = parse_markdown(text);
    let mut errors = file.errors.clone();
    errors.extend(file.programs.iter().flat_map(|program| check_in(program, text).errors));
    let shown: Vec<String> = errors.iter().map(|error| error.render("a.md", text)).collect();
    expect![[r"
        a.md:6:12: unknown name `rot91`
              x1 = rot91(I)
                   ^^^^^
          help: did you mean `rot90`?
        a.md:9:16: `x3` is used before it is set, which is on line 10
              x2 = add(x3, ONE)
                       ^^
        a.md:14:7: `third` is defined already, on line 12
          def third(I):
              ^^^^^
        a.md:13:14: the output is to be a grid, but `hmirror(palette(I))` is an IntegerSet
              return hmirror(palette(I))
                     ^^^^^^^^^^^^^^^^^^^
    "]]
    .assert_eq(&shown.concat());
    assert_eq!((file.functions, file.programs.len()), (4, 1));
}

#[test]
fn a_block_without_an_end_goes_to_the_end_of_the_text() {
    let file = parse_markdown("````py\ndef f(I):\n    return I\n```\n");
    assert_eq!(names(&file), [("f", 2, 5)]);
    assert_eq!(file.errors.len(), 1, "three marks do not close four: {:?}", file.errors);
    assert_eq!(names(&parse_markdown("```py\ndef f(I):\n    return I")), [("f", 2, 5)]);
}
