//! Canonical text and content hashes.

use std::str::FromStr;

use batt_program::{ContentHash, NoContentHash, canonical_text, print_program, rename};
use batt_testing::program as parsed;

#[test]
fn names_and_layout_do_not_matter() {
    let one = parsed("def solve_a(I):\n    x1 = rot90(I)\n    O = hmirror(x1)\n    return O\n");
    let same = parsed("def b(I):\n    # A comment.\n    return hmirror(rot90(I))\n");
    let other = parsed("def solve_a(I):\n    return hmirror(rot180(I))\n");
    assert_eq!(ContentHash::of(&one), ContentHash::of(&same));
    assert_ne!(ContentHash::of(&one), ContentHash::of(&other));
    let text = canonical_text(&one);
    assert_eq!(text, "def program(I):\n    x1 = rot90(I)\n    O = hmirror(x1)\n    return O\n");
    assert_eq!(rename(&text, "solve_a"), print_program(&one));
    assert_eq!(parsed(&text), one);
}

#[test]
fn hashes_stay_what_they_are() {
    // Stores have them: a change here makes every store foreign.
    let hash = ContentHash::of(&parsed("def f(I):\n    return hmirror(I)\n"));
    expect_test::expect!["d0109175c4aa84123e58d21ac9314901"].assert_eq(&hash.to_string());
    assert_eq!(hash.to_string().parse(), Ok(hash));
    for bad in ["", "12", "+0123456789abcdef0123456789abcde", "0123456789ABCDEF0123456789ABCDEF"] {
        assert_eq!(ContentHash::from_str(bad), Err(NoContentHash), "{bad}");
    }
}
