//! Cards as text.

#![expect(clippy::unwrap_used, reason = "tests")]
#![expect(clippy::needless_raw_string_hashes, reason = "the tool that updates expectations writes them")]

use crate::card::common::programs;
use batt_engine::{Card, emit};
use expect_test::expect;

fn sample() -> Card {
    let all = programs(
        "
def solve_1(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = compose(hmirror, rot90)
    x4 = x3(I)
    O = paint(x4, x2)
    return O

def solve_2(S, I, C):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = get_nth_t(S, L3)
    x4 = apply(x3, (5, 1))
    O = fill(I, 11, x2)
    return O

def differ_1(S, I, C):
    x1 = matcher(height, 3)
    x2 = x1(C)
    x3 = a_mr(S)
    x4 = branch(x2, rot90, mir_rot_t)
    O = x4(C, x3)
    return O
",
    );
    let mut card = Card::new();
    card.add(&all[0]);
    card.add(&all[1]);
    card.add_differ(&all[2]);
    card
}

#[test]
fn python() {
    expect![[r#"
        from dsl import *
        from constants import *


        class Undefined:
            def __repr__(self):
                return 'Undefined'


        UNDEFINED = Undefined()


        def _call(function, *args):
            if function is UNDEFINED or any(arg is UNDEFINED for arg in args):
                return UNDEFINED
            try:
                return function(*args)
            except Exception:
                return UNDEFINED


        def _tuple_only(container):
            if not isinstance(container, tuple):
                raise TypeError(container)
            return container


        def mir_rot_t(grid, angle):
            turns = {0: hmirror, 1: dmirror, 2: vmirror, 3: cmirror, 4: rot90, 5: rot180, 6: rot270}
            return turns.get(angle, identity)(_tuple_only(grid))


        def a_mr(S):
            return next(a for a in range(8) if all(mir_rot_t(i, a) == o for i, o in S))


        def batt(S, I, C):
            s = []
            o = []
            t1 = _call(objects, I, T, F, T)
            t2 = _call(argmax, t1, size)
            t3 = _call(rot90, I)
            t4 = _call(hmirror, t3)
            t5 = _call(paint, t4, t2)
            o.append((0, 'solve_1', t5))
            t6 = _call(fill, I, 11, t2)
            o.append((1, 'solve_2', t6))
            t7 = _call(height, C)
            t8 = _call(equality, t7, THREE)
            t9 = _call(a_mr, S)
            t10 = _call(branch, t8, rot90, mir_rot_t)
            t11 = _call(t10, C, t9)
            s.append((2, 'differ_1', t11))
            return o, s
    "#]]
    .assert_eq(&emit::py(&sample()));
}

#[test]
fn graphviz() {
    expect![[r#"
        digraph card {
            rankdir=LR;
            node [shape=box, style=filled, fontname="monospace"];
            n0 [label="I", fillcolor="palegreen"];
            n17 [label="C", fillcolor="lightsalmon"];
            n20 [label="S", fillcolor="lightblue"];
            n3 [label="t1 = objects(I, T, F, T)", fillcolor="palegreen", peripheries=2, xlabel="2 programs"];
            n0 -> n3;
            n5 [label="t2 = argmax(t1, size)", fillcolor="palegreen", peripheries=2, xlabel="2 programs"];
            n3 -> n5;
            n9 [label="t3 = rot90(I)", fillcolor="palegreen"];
            n0 -> n9;
            n10 [label="t4 = hmirror(t3)", fillcolor="palegreen"];
            n9 -> n10;
            n11 [label="t5 = paint(t4, t2)", fillcolor="palegreen"];
            n10 -> n11;
            n5 -> n11;
            p0 [label="solve_1", shape=ellipse, fillcolor="white"];
            n11 -> p0;
            n13 [label="t6 = fill(I, 11, t2)", fillcolor="palegreen"];
            n0 -> n13;
            n5 -> n13;
            p1 [label="solve_2", shape=ellipse, fillcolor="white"];
            n13 -> p1;
            n18 [label="t7 = height(C)", fillcolor="lightsalmon"];
            n17 -> n18;
            n19 [label="t8 = equality(t7, THREE)", fillcolor="lightsalmon"];
            n18 -> n19;
            n21 [label="t9 = a_mr(S)", fillcolor="lightblue"];
            n20 -> n21;
            n23 [label="t10 = branch(t8, rot90, mir_rot_t)", fillcolor="lightsalmon"];
            n19 -> n23;
            n24 [label="t11 = t10(C, t9)", fillcolor="lightsalmon"];
            n23 -> n24;
            n17 -> n24;
            n21 -> n24;
            p2 [label="differ_1", shape=hexagon, fillcolor="white"];
            n24 -> p2;
        }
    "#]]
    .assert_eq(&emit::dot(&sample()));
}

#[test]
fn json() {
    let text = emit::json(&sample());
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["schema"], emit::JSON_SCHEMA);
    assert_eq!(value["nodes"].as_array().unwrap().len(), sample().len());
    expect![[r#"[{"calls":[[3,0],[5,1],[8,2],[9,3],[10,3],[11,4]],"hash":null,"id":0,"kind":"solver","name":"solve_1","output":11,"params":"I"},{"calls":[[3,0],[5,1],[13,4]],"hash":null,"id":1,"kind":"solver","name":"solve_2","output":13,"params":"S, I, C"},{"calls":[[16,0],[18,1],[19,1],[21,2],[23,3],[24,4]],"hash":null,"id":2,"kind":"differ","name":"differ_1","output":24,"params":"S, I, C"}]"#]].assert_eq(&serde_json::to_string(&value["programs"]).unwrap());
    expect![[r#"[{"class":"sample","id":0,"op":"input","type":"Grid"},{"class":"constant","id":1,"op":"constant","type":"Boolean","value":"True"},{"class":"constant","id":2,"op":"constant","type":"Boolean","value":"False"},{"class":"sample","id":3,"op":"call","primitive":"objects","type":"Objects","uses":[0,1,2,1]},{"class":"constant","id":4,"op":"constant","type":"Function","value":"size"},{"class":"sample","id":5,"op":"call","primitive":"argmax","type":"Object","uses":[3,4]},{"class":"constant","id":6,"op":"constant","type":"Function","value":"hmirror"},{"class":"constant","id":7,"op":"constant","type":"Function","value":"rot90"},{"class":"constant","id":8,"op":"call","primitive":"compose","type":"Function","uses":[6,7]},{"class":"sample","id":9,"op":"call","primitive":"rot90","type":"Grid","uses":[0]},{"class":"sample","id":10,"op":"call","primitive":"hmirror","type":"Grid","uses":[9]},{"class":"sample","id":11,"op":"call","primitive":"paint","type":"Grid","uses":[10,5]},{"class":"constant","id":12,"op":"constant","type":"Integer","value":"11"},{"class":"sample","id":13,"op":"call","primitive":"fill","type":"Grid","uses":[0,12,5]},{"class":"constant","id":14,"op":"constant","type":"Function","value":"height"},{"class":"constant","id":15,"op":"constant","type":"Integer","value":"3"},{"class":"constant","id":16,"op":"call","primitive":"matcher","type":"Function","uses":[14,15]},{"class":"candidate","id":17,"op":"candidate","type":"Grid"},{"class":"candidate","id":18,"op":"call","primitive":"height","type":"Integer","uses":[17]},{"class":"candidate","id":19,"op":"equals","type":"Boolean","uses":[18,15]},{"class":"task","id":20,"op":"demos","type":"Grid or Tuple of Tuple"},{"class":"task","id":21,"op":"call","primitive":"a_mr","type":"Integer","uses":[20]},{"class":"constant","id":22,"op":"constant","type":"Function","value":"mir_rot_t"},{"class":"candidate","id":23,"op":"call","primitive":"branch","type":"Function","uses":[19,7,22]},{"class":"candidate","id":24,"op":"call_value","type":"Grid","uses":[23,17,21]}]"#]].assert_eq(&serde_json::to_string(&value["nodes"]).unwrap());
    assert_eq!(value["stats"], serde_json::to_value(sample().stats()).unwrap());
}

#[test]
fn an_empty_card_is_a_function_too() {
    assert!(emit::py(&Card::new()).ends_with("def batt(S, I, C):\n    s = []\n    o = []\n    return o, s\n"));
}
