//! Calls whose work is more than their arguments look: each must be paid for, so that none takes long.

use crate::runaway::{Ends, check};

const ANY: &[Ends] = &[Ends::Value, Ends::Undefined, Ends::OutOfFuel];

#[test]
fn tuples_of_large_tuples_are_paid_for() {
    for call in
        ["mostcommon(x1)", "dedupe(x1)", "argmin(x1, identity)", "compress(x1)", "asindices(x1)", "cmirror(x1)", "colorcount(x1, 1)"]
    {
        check(ANY, &[&format!("x = interval(0, 60000, 1)\nx1 = repeat(x, 60000)\nO = {call}")]);
    }
    check(ANY, &["x = repeat(0, 60000)\nO = repeat(x, 60000)"]);
}

#[test]
fn comparing_all_with_all_is_paid_for() {
    check(
        ANY,
        &[
            "x = interval(0, 60000, 1)\nO = difference(x, x)",
            "x = interval(0, 60000, 1)\nO = difference_tuple(x, x)",
            "x = canvas(0, (250, 250))\nx1 = asindices(x)\nO = difference(x1, shift(x1, (1000, 0)))",
            "x = canvas(0, (250, 250))\nO = intersection(asobject(x), asindices(x))",
            "x = canvas(0, (60000, 1))\nO = hsplit(x, 60000)",
            "x = canvas(0, (1, 60000))\nO = hsplit(x, 60000)",
            "x = canvas(0, (60000, 1))\nO = vsplit(x, 60000)",
            "x = apply(tojvec, interval(0, 60000, 1))\nO = partition(x)",
            "x = apply(tojvec, interval(0, 60000, 1))\nO = fgpartition(x)",
            "x = apply(tojvec, interval(0, 60000, 1))\nO = get_color_rank(x, 0)",
        ],
    );
}

#[test]
fn periods_of_wide_objects_are_paid_for() {
    check(
        ANY,
        &[
            "x = insert((4, (0, 1000000000)), initset((3, (0, 0))))\nO = hperiod(x)",
            "x = insert((4, (1000000000000000000, 0)), initset((3, (0, 0))))\nO = vperiod(x)",
            "O = hperiod(asobject(canvas(0, (250, 250))))",
        ],
    );
}

#[test]
fn values_that_share_their_parts_are_not_endless() {
    check(
        ANY,
        &[
            "x = power(fork(astuple, identity, identity), 50)\nx1 = x(I)\nx2 = x(I)\nO = equality(x1, x2)",
            "x = power(fork(insert, identity, identity), 50)\nO = x(initset(0))",
            "x = power(fork(astuple, identity, identity), 50)\nx1 = x(I)\nx2 = x(I)\nO = insert(x1, initset(x2))",
        ],
    );
}
