//! Text from outside.

use batt_core::shown::{count, cut_words, grouped, inert, is_active, one_line};
use proptest::prelude::*;

use crate::cases;

/// Text with more than its share of characters that a terminal acts upon, and of those that JSON escapes.
fn text() -> impl Strategy<Value = String> {
    let some = prop::sample::select(vec!['a', ' ', '\n', '\t', '\x1b', '\u{7f}', '\u{9b}', '\u{202e}', '\u{e0041}', '"', '\\', 'ä', '漢']);
    prop::collection::vec(prop_oneof![3 => some, 1 => any::<char>()], 0..24).prop_map(|all| all.into_iter().collect())
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn no_active_character_is_left(text in text(), most in 0..30usize) {
        prop_assert!(!inert(&text).contains(|c| is_active(c) && c != '\n' && c != '\t'));
        let line = one_line(&text, most);
        prop_assert!(!line.contains(is_active), "{:?}", line);
        prop_assert!(line.chars().count() <= most.max(1), "{:?}", line);
        let once = inert(&text);
        prop_assert_eq!(&inert(&once), &once);
    }

    /// Words are cut, and what is between them stays.
    #[test]
    fn words_are_cut(text in text(), most in 1..8usize) {
        let shown = cut_words(&text, most);
        prop_assert!(shown.split(char::is_whitespace).all(|word| word.chars().count() <= most), "{:?}", shown);
        let spaces = |text: &str| text.chars().filter(|c| c.is_whitespace()).collect::<String>();
        prop_assert_eq!(spaces(&shown), spaces(&text));
    }

    /// Inert JSON is the same JSON.
    #[test]
    fn json_stays_what_it_was(text in text()) {
        let json = serde_json::to_string(&text).unwrap();
        prop_assert_eq!(serde_json::from_str::<String>(&inert(&json)).unwrap(), text);
    }
}

#[test]
fn numbers_have_commas_and_nouns() {
    assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    assert_eq!([0, 1, 2000].map(|number: u64| count(number, "task")), ["0 tasks", "1 task", "2,000 tasks"]);
}

#[test]
fn what_acts_is_written_out() {
    let controls = (0..=0x1f).chain(0x7f..=0x9f).filter_map(char::from_u32);
    let marks = "\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}\u{2028}\u{2029}\u{feff}";
    for c in controls.chain(marks.chars()) {
        assert!(is_active(c), "{c:?}");
        let text = format!("a{c}b");
        assert!(!one_line(&text, 100).contains(c), "{c:?}");
        assert_eq!(inert(&text).contains(c), matches!(c, '\n' | '\t'), "{c:?}");
    }
    assert_eq!(inert("a\x1b[2J\u{202e}b\nc"), "a\\u001b[2J\\u202eb\nc");
    assert_eq!(one_line("a\nb\u{e0041}", 100), "a\\u000ab\\udb40\\udc41");
    for plain in ["", "abc", "größer · × → 漢字", "emoji 👩"] {
        assert_eq!((inert(plain), one_line(plain, 100)), (plain.into(), plain.to_owned()));
    }
}

#[test]
fn long_text_is_cut() {
    assert_eq!(one_line("abcdef", 6), "abcdef");
    assert_eq!(one_line("abcdefg", 6), "abcde…");
    assert_eq!(one_line("äöüß", 3), "äö…");
    assert_eq!(one_line("abcd\x1b", 6), "abcd\\…");
    assert_eq!(one_line("ab", 0), "…");
    assert_eq!(one_line(&"x".repeat(1 << 20), 8), "xxxxxxx…");
    assert_eq!(cut_words("is no name: abcdefgh, 12", 5), "is no name: abcd… 12");
    assert_eq!(cut_words("a\nbcdefgh", 4), "a\nbcd…");
    assert_eq!(cut_words("all short", 5), "all short");
}
