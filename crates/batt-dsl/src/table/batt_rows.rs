//! The primitives that batt has and no one else.

/// Adds these rows to those before, and calls the next macro with them.
macro_rules! batt_rows {
    ([$next:ident $($after:ident)*] $($before:tt)*) => {
        $next! { [$($after)*] $($before)* Batt {
        enclosed(patch: PATCH) -> Always(Type::INDICES); Line [total];
            "The locations that a patch encloses: no way of steps to the side leads out."; "enclosed(frozenset({(0, 1), (1, 0), (1, 2), (2, 1)}))" => "frozenset({(1, 1)})";
        } }
    };
}
pub(super) use batt_rows;
