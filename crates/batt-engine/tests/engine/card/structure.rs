//! Nodes and lists of cards.

#![expect(clippy::unwrap_used, reason = "tests")]
#![expect(clippy::needless_raw_string_hashes, reason = "the tool that updates expectations writes them")]

use std::fmt::Write as _;

use crate::card::common::{card_of, check_invariants, describe, programs};
use batt_engine::{Card, CardProgramId};
use batt_program::{parse_file, print_program};
use expect_test::{Expect, expect};

fn check(text: &str, expected: &Expect) {
    let card = card_of(text);
    check_invariants(&card);
    expected.assert_eq(&describe(&card));
}

fn check_slice(text: &str, expected: &Expect) {
    let card = card_of(text);
    expected.assert_eq(&print_program(&card.slice(CardProgramId(0)).unwrap()));
}

#[test]
fn equal_calls_stand_once() {
    check(
        "
def a(I):
    x1 = objects(I, T, F, T)
    x2 = first(x1)
    x3 = rot90(I)
    O = subgrid(x2, I)
    return O

def b(I):
    x1 = objects(I, T, F, T)
    x2 = objects(I, True, False, True)
    x3 = combine(x1, x2)
    x4 = first(x1)
    O = subgrid(x4, I)
    return O

def c(I):
    O = objects(I, 1, ZERO, T)
    return O

def d(I):
    return I
",
        &expect![[r#"
              0 sample    I: Grid
              1 constant  True: Boolean
              2 constant  False: Boolean
              3 sample    objects(0, 1, 2, 1): Objects
              4 sample    first(3): Object
              5 sample    subgrid(4, 0): Grid
              6 constant  1: Integer
              7 constant  0: Integer
              8 sample    objects(0, 6, 7, 1): Objects
            a: 3@0 4@1 5@3 -> 5
            b: 3@0 4@3 5@4 -> 5
            c: 8@0 -> 8
            d:  -> 0
        "#]],
    );
}

#[test]
fn constants_are_one_if_they_have_one_form() {
    check(
        "
def a(I):
    x1 = astuple((1, 1), UNITY)
    x2 = astuple(((), True), ((), 1))
    x3 = astuple(((), True), ((), T))
    x4 = astuple(x1, x2)
    O = astuple(x4, x3)
    return O
",
        &expect![[r#"
              0 constant  (1, 1): Pair
              1 constant  astuple(0, 0): Grid or Tuple of Pair
              2 constant  ((), True): Pair or Grid or Tuple of Boolean/Tuple
              3 constant  ((), 1): Pair or Grid or Tuple of Integer/Tuple
              4 constant  astuple(2, 3): Grid or Tuple of Pair/Grid/Tuple
              5 constant  astuple(2, 2): Grid or Tuple of Pair/Grid/Tuple
              6 constant  astuple(1, 4): Grid or Tuple of Grid/Tuple
              7 constant  astuple(6, 5): Grid or Tuple of Grid/Tuple
            a: 1@0 4@1 5@2 6@3 7@4 -> 7
        "#]],
    );
}

#[test]
fn known_functions_become_calls() {
    check(
        "
def compose_and_chain(I):
    f = compose(height, hmirror)
    a = f(I)
    g = chain(double, increment, f)
    b = g(I)
    O = canvas(a, b)
    return O
",
        &expect![[r#"
              0 constant  height: Function
              1 constant  hmirror: Function
              2 constant  compose(0, 1): Function
              3 sample    I: Grid
              4 sample    hmirror(3): Grid
              5 sample    height(4): Integer
              6 constant  double: Function
              7 constant  increment: Function
              8 constant  chain(6, 7, 2): Function
              9 sample    increment(5): Integer
             10 sample    double(9): Integer
             11 sample    canvas(5, 10): Grid
            compose_and_chain: 2@0 4@1 5@1 8@2 4@3 5@3 9@3 10@3 11@4 -> 11
        "#]],
    );
    check(
        "
def fork_and_matcher(I):
    f = matcher(height, THREE)
    g = fork(multiply, height, width)
    a = f(I)
    b = g(I)
    O = branch(a, b, I)
    return O
",
        &expect![[r#"
              0 constant  height: Function
              1 constant  3: Integer
              2 constant  matcher(0, 1): Function
              3 constant  multiply: Function
              4 constant  width: Function
              5 constant  fork(3, 0, 4): Function
              6 sample    I: Grid
              7 sample    height(6): Integer
              8 sample    7 == 1: Boolean
              9 sample    width(6): Integer
             10 sample    multiply(7, 9): Integer
             11 sample    branch(8, 10, 6): Integer or Grid
            fork_and_matcher: 2@0 5@1 7@2 8@2 7@3 9@3 10@3 11@4 -> 11
        "#]],
    );
}

#[test]
fn bound_and_repeated_functions_become_calls() {
    check(
        "
def bound(I):
    f = rbind(replace, ONE)
    g = rbind(f, TWO)
    a = g(I)
    h = lbind(replace, I)
    b = h(THREE, FOUR)
    k = lbind(hconcat, a)
    O = k(b)
    return O
",
        &expect![[r#"
              0 constant  replace: Function
              1 constant  1: Integer
              2 constant  rbind(0, 1): Function
              3 constant  2: Integer
              4 constant  rbind(2, 3): Function
              5 sample    I: Grid
              6 sample    replace(5, 3, 1): Grid
              7 sample    lbind(0, 5): Function
              8 constant  3: Integer
              9 constant  4: Integer
             10 sample    replace(5, 8, 9): Grid
             11 constant  hconcat: Function
             12 sample    lbind(11, 6): Function
             13 sample    hconcat(6, 10): Grid
            bound: 2@0 4@1 6@2 7@3 10@4 12@5 13@6 -> 13
        "#]],
    );
    check(
        "
def repeated(I):
    f = power(rot90, THREE)
    a = f(I)
    g = power(vconcat, ONE)
    O = g(a, a)
    return O
",
        &expect![[r#"
              0 constant  rot90: Function
              1 constant  3: Integer
              2 constant  power(0, 1): Function
              3 sample    I: Grid
              4 sample    rot90(3): Grid
              5 sample    rot90(4): Grid
              6 sample    rot90(5): Grid
              7 constant  vconcat: Function
              8 constant  1: Integer
              9 constant  power(7, 8): Function
             10 sample    vconcat(6, 6): Grid
            repeated: 2@0 4@1 5@1 6@1 9@2 10@3 -> 10
        "#]],
    );
}

#[test]
fn a_call_that_is_made_twice_is_listed_twice() {
    check(
        "
def twice(I):
    f = fork(hconcat, rot90, rot90)
    a = f(I)
    b = rot90(I)
    O = vconcat(a, b)
    return O
",
        &expect![[r#"
              0 constant  hconcat: Function
              1 constant  rot90: Function
              2 constant  fork(0, 1, 1): Function
              3 sample    I: Grid
              4 sample    rot90(3): Grid
              5 sample    hconcat(4, 4): Grid
              6 sample    vconcat(5, 4): Grid
            twice: 2@0 4@1 4@1 5@1 4@2 6@3 -> 6
        "#]],
    );
}

#[test]
fn what_is_not_known_stays_a_call_of_a_value() {
    check(
        "
def unknown(S, I, C):
    a = equality(I, C)
    f = branch(a, rot90, rot180)
    g = compose(f, hmirror)
    O = g(I)
    return O

def wrong_arity(I):
    f = compose(rot90, hconcat)
    g = rbind(rot90, I)
    a = f(I)
    O = g(a, a)
    return O

def no_function(I):
    O = THREE(I)
    return O

def many_arguments(I):
    f = identity(rot90)
    O = f(I, I, I, I, I, I)
    return O

def high_power(I):
    f = power(rot90, 17)
    O = f(I)
    return O
",
        &expect![[r#"
              0 sample    I: Grid
              1 candidate C: Grid
              2 candidate equality(0, 1): Boolean
              3 constant  rot90: Function
              4 constant  rot180: Function
              5 candidate branch(2, 3, 4): Function
              6 constant  hmirror: Function
              7 candidate compose(5, 6): Function
              8 sample    hmirror(0): Grid
              9 candidate (5)(8): Grid
             10 constant  hconcat: Function
             11 constant  compose(3, 10): Function
             12 sample    rbind(3, 0): Function
             13 sample    (10)(0): nothing
             14 sample    rot90(13): Grid
             15 sample    (12)(14, 14): nothing
             16 constant  3: Integer
             17 sample    (16)(0): Any
             18 constant  identity(3): Function
             19 sample    (18)(0, 0, 0, 0, 0, 0): nothing
             20 constant  17: Integer
             21 constant  power(3, 20): Function
             22 sample    (21)(0): Grid
            unknown: 2@0 5@1 7@2 8@3 9@3 -> 9
            wrong_arity: 11@0 12@1 13@2 14@2 15@3 -> 15
            no_function: 17@0 -> 17
            many_arguments: 18@0 19@1 -> 19
            high_power: 21@0 22@1 -> 22
        "#]],
    );
}

#[test]
fn expansion_has_an_end() {
    // Each function calls the one before twice, so that the last one would make more than 16 million calls.
    let mut text = "def many(I):\n    x0 = fork(hconcat, rot90, rot90)\n".to_owned();
    for k in 1..24 {
        writeln!(text, "    x{k} = fork(hconcat, x{0}, x{0})", k - 1).unwrap();
    }
    text += "    O = x23(I)\n    return O\n";
    let card = card_of(&text);
    assert_eq!(card.program(CardProgramId(0)).unwrap().steps.len(), 25);
    let mut text = "def deep(I):\n    x0 = rot90\n".to_owned();
    for k in 1..40 {
        writeln!(text, "    x{k} = compose(identity, x{})", k - 1).unwrap();
    }
    let finish = |k: usize| format!("{text}    O = x{k}(I)\n    return O\n");
    assert_eq!(card_of(&finish(39)).program(CardProgramId(0)).unwrap().steps.len(), 40);
    assert_eq!(card_of(&finish(20)).program(CardProgramId(0)).unwrap().steps.len(), 20 + 21);
}

#[test]
fn arguments_change_places_only_beyond_doubt() {
    check(
        "
def a(I):
    x1 = height(I)
    x2 = width(I)
    x3 = add(x1, x2)
    x4 = add(x2, x1)
    x5 = astuple(x3, x4)
    x6 = subtract(x1, x2)
    x7 = subtract(x2, x1)
    x8 = astuple(x6, x7)
    O = astuple(x5, x8)
    return O

def doubt(S, I, C):
    x1 = first(S)
    x2 = first(x1)
    x3 = first(x2)
    x4 = first(x3)
    x5 = height(I)
    x6 = add(x5, x3)
    x7 = add(x3, x5)
    x8 = equality(x6, x7)
    x9 = equality(x7, x6)
    O = astuple(x8, x9)
    return O
",
        &expect![[r#"
              0 sample    I: Grid
              1 sample    height(0): Integer
              2 sample    width(0): Integer
              3 sample    add(1, 2): Integer
              4 sample    astuple(3, 3): Pair
              5 sample    subtract(1, 2): Integer
              6 sample    subtract(2, 1): Integer
              7 sample    astuple(5, 6): Pair
              8 sample    astuple(4, 7): Grid or Tuple of Pair
              9 task      S: Grid or Tuple of Tuple
             10 task      first(9): Pair or Tuple
             11 task      first(10): Any
             12 task      first(11): Any
             13 sample    add(1, 12): Integer or Pair or Cell or Grid or Tuple
             14 sample    add(12, 1): Integer or Pair or Cell or Grid or Tuple
             15 sample    equality(13, 14): Boolean
             16 sample    astuple(15, 15): Pair
            a: 1@0 2@1 3@2 3@3 4@4 5@5 6@6 7@7 8@8 -> 8
            doubt: 10@0 11@1 12@2 1@4 13@5 14@6 15@7 15@8 16@9 -> 16
        "#]],
    );
}

#[test]
fn removing_leaves_nothing_behind() {
    let all = programs(batt_starter::LIBRARY);
    let mut card = Card::new();
    let kept: Vec<CardProgramId> = all.iter().step_by(2).map(|program| card.add(program)).collect();
    let (stats, text) = (card.stats(), describe(&card));
    let gone: Vec<CardProgramId> = all.iter().skip(1).step_by(2).map(|program| card.add(program)).collect();
    let with_all = card.stats();
    for _ in 0..3 {
        for &id in &gone {
            assert!(card.remove(id));
            assert!(!card.remove(id));
        }
        check_invariants(&card);
        assert_eq!(card.stats(), stats);
        assert_eq!(describe(&card), text);
        all.iter().skip(1).step_by(2).for_each(|program| {
            card.add(program);
        });
        check_invariants(&card);
        assert_eq!(card.stats(), with_all);
    }
    gone.iter().chain(&kept).for_each(|&id| assert!(card.remove(id)));
    assert!(card.is_empty());
    assert_eq!(card.program_count(), 0);
    assert!(card.slice(CardProgramId(0)).is_none());
}

#[test]
fn slices_have_names_for_constants() {
    check_slice(
        "
def solve(I):
    f = matcher(height, 3)
    g = compose(flip, f)
    a = g(I)
    b = branch(a, True, 0)
    c = replace(I, b, 77)
    d = rbind(shift, (1, 1))
    e = asobject(c)
    h = d(e)
    k = d(e)
    m = combine(h, k)
    n = recolor(-9, m)
    dead = rot90(I)
    O = paint(c, n)
    return O
",
        &expect![[r#"
            def solve(I):
                x1 = height(I)
                x2 = equality(x1, THREE)
                x3 = flip(x2)
                x4 = branch(x3, T, ZERO)
                x5 = replace(I, x4, 77)
                x6 = asobject(x5)
                x7 = shift(x6, UNITY)
                x8 = combine(x7, x7)
                x9 = recolor(NEG_NINE, x8)
                O = paint(x5, x9)
                return O
        "#]],
    );
    check_slice(
        "def wrong_arity(I):\n    f = compose(rot90, hconcat)\n    O = f(I)\n    return O\n",
        &expect![[r#"
        def wrong_arity(I):
            x1 = identity(hconcat)
            x2 = x1(I)
            O = rot90(x2)
            return O
    "#]],
    );
    check_slice(
        "def keep(S, I, C):\n    return C\n",
        &expect![[r#"
        def keep(S, I, C):
            return C
    "#]],
    );
    check_slice(
        "def constant(S, I, C):\n    return ((1, 2), (3, 4))\n",
        &expect![[r#"
        def constant(S, I, C):
            return ((1, 2), (3, 4))
    "#]],
    );
}

#[test]
fn slices_are_read_back_as_they_are_written() {
    let card = card_of(batt_starter::LIBRARY);
    for (id, program) in card.programs() {
        let slice = card.slice(id).unwrap();
        assert_eq!(slice.name(), &*program.name);
        let read = parse_file(&print_program(&slice));
        assert_eq!(read.programs, std::slice::from_ref(&slice));
        // A slice of a slice is the same again.
        let mut again = Card::new();
        let id = again.add(&slice);
        assert_eq!(print_program(&again.slice(id).unwrap()), print_program(&slice));
    }
}

#[test]
fn figures_of_the_starter_programs() {
    let stats = card_of(batt_starter::LIBRARY).stats();
    assert_eq!(stats.call_nodes, stats.classes.values().sum::<usize>());
    assert_eq!(stats.call_nodes, stats.types.values().sum::<usize>());
    assert_eq!(stats.call_nodes, stats.families.values().sum::<usize>());
    assert!(stats.calls >= stats.call_nodes && stats.nodes > stats.call_nodes);
    let text = serde_json::to_string(&stats).unwrap();
    assert_eq!(serde_json::from_str::<batt_engine::CardStats>(&text).unwrap(), stats);
}
