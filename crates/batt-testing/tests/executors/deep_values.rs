//! Values nested without end are undefined, and can be dropped. In a file of its own, since a stack that overflows ends all tests beside it.

use batt_dsl::Prim;
use batt_program::Operand;

use crate::runaway::{Ends, check, ends, long};

#[test]
fn deep_nesting_of_values_is_undefined() {
    check(
        &[Ends::Undefined],
        &[
            "x = power(initset, 1000000)\nO = x(I)",
            "x = rbind(repeat, 1)\nx1 = power(x, 1000000)\nO = x1(I)",
            "x = fork(astuple, identity, identity)\nx1 = power(x, 1000)\nO = x1(I)",
            "x = lbind(astuple, I)\nx1 = power(x, 1000000)\nO = x1(I)",
            "x = power(toivec, 1000000)\nO = x(I)",
            "x = power(tojvec, 1000000)\nO = x(I)",
        ],
    );
    for prim in [Prim::initset, Prim::toivec, Prim::tojvec] {
        let (end, _) = ends(&long(10_000, prim, |last| (prim, vec![last])));
        assert_eq!(end, Ends::Undefined, "{prim:?}");
    }
    let (end, _) = ends(&long(10_000, Prim::initset, |last| (Prim::astuple, vec![last, Operand::Input])));
    assert_eq!(end, Ends::Undefined);
}
