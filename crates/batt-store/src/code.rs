//! The text of a program as a code with one character for each word, so that programs and their changes are short.
//!
//! A code is made of lines, and those of words. A table of the store maps words to characters. Variables are relative: the number of lines
//! since their assignment. So inserting or deleting a line leaves most others unchanged. Any text has a code, and exactly one text comes of
//! a code; canonical texts have short ones. The view `program_text` does in SQL what [`decode`] does, and a test compares the two. Nothing
//! here knows the DSL.

use std::fmt::Write as _;
use std::str::Chars;

use crate::error::Inner;

/// Begins a call: what it gives is the next variable.
const CALL: char = '=';
/// Begins the call that gives the output.
const OUTPUT: char = '!';
/// Begins a line that is no such call and is one word.
const OTHER: char = '|';
/// Says that there is no line feed at the end of the line.
const NO_LINE_FEED: char = '_';
/// Before a character that stands for itself, and begins a word.
pub(crate) const SPELLED: char = '`';
/// Before a character that stands for itself, and goes on with a word.
pub(crate) const SPELLED_ON: char = '~';

/// The characters of variables, by how many lines back they were made: 1, 2, and so on.
const BACK: [(u32, u32); 2] = [(0x30, 0x39), (0x370, 0x3FF)];
/// The characters of words. Those of [`crate::change`] and the above are not among them.
const WORDS: [(u32, u32); 8] =
    [(0x22, 0x2F), (0x3A, 0x3C), (0x3E, 0x40), (0x5B, 0x5E), (0x69, 0x7B), (0x7D, 0x7D), (0xA1, 0x2FF), (0x4E00, 0x9FFF)];
/// Longer words are spelled: the table is for what comes again.
const LONGEST_WORD: usize = 40;

/// The character of the next word of a table that has `count`, unless the table is full.
pub(crate) fn character_of_word(count: usize) -> Option<char> {
    nth(&WORDS, count)
}

/// The code of a text. `character` knows the character of a word, if it has one.
pub(crate) fn encode(text: &str, mut character: impl FnMut(&str) -> Inner<Option<char>>) -> Inner<String> {
    let mut code = String::with_capacity(text.len() / 3);
    let mut calls = 0;
    for whole in text.split_inclusive('\n') {
        let line = whole.strip_suffix('\n');
        if let Some((begin, words)) = line.and_then(|line| call(line, calls + 1)) {
            calls += 1;
            code.push(begin);
            for word in words {
                match variable(word, calls) {
                    Some(back) => code.push(back),
                    None => push_word(&mut code, word, &mut character)?,
                }
            }
            continue;
        }
        code.push(OTHER);
        push_word(&mut code, line.unwrap_or(whole), &mut character)?;
        if line.is_none() {
            code.push(NO_LINE_FEED);
        }
    }
    Ok(code)
}

/// The text of a code; `None` if it is no code. `word` knows the words of characters.
pub(crate) fn decode(code: &str, mut word: impl FnMut(char, &mut String) -> Inner<bool>) -> Inner<Option<String>> {
    let mut text = String::with_capacity(6 * code.len());
    let (mut calls, mut before_word, mut end_of_line) = (0, "", "");
    let mut rest = code.chars();
    while let Some(next) = rest.next() {
        match next {
            CALL | OUTPUT | OTHER => {
                text.push_str(end_of_line);
                calls += usize::from(next != OTHER);
                match next {
                    CALL => {
                        // Writing to a string cannot fail.
                        let _ = write!(text, "    x{calls} = ");
                    }
                    OUTPUT => text.push_str("    O = "),
                    _ => {}
                }
                before_word = "";
                end_of_line = if next == OTHER { "\n" } else { ")\n" };
                continue;
            }
            NO_LINE_FEED => {
                end_of_line = "";
                continue;
            }
            SPELLED_ON => {
                let Some(itself) = rest.next() else { return Ok(None) };
                text.push(itself);
                continue;
            }
            _ => {}
        }
        text.push_str(before_word);
        before_word = if before_word.is_empty() { "(" } else { ", " };
        if !push_decoded(&mut text, next, &mut rest, calls, &mut word)? {
            return Ok(None);
        }
    }
    text.push_str(end_of_line);
    Ok(Some(text))
}

/// Adds the word that a character stands for, or that it begins. Says whether there is one.
fn push_decoded(
    text: &mut String,
    next: char,
    rest: &mut Chars<'_>,
    calls: usize,
    word: &mut impl FnMut(char, &mut String) -> Inner<bool>,
) -> Inner<bool> {
    if next == SPELLED {
        let itself = rest.next();
        text.extend(itself);
        return Ok(itself.is_some());
    }
    let Some(back) = place(&BACK, next) else { return word(next, text) };
    let Some(made) = calls.checked_sub(back + 1).filter(|&made| made > 0) else { return Ok(false) };
    // Writing to a string cannot fail.
    let _ = write!(text, "x{made}");
    Ok(true)
}

fn push_word(code: &mut String, word: &str, character: &mut impl FnMut(&str) -> Inner<Option<char>>) -> Inner<()> {
    if word.is_empty() {
        return Ok(());
    }
    let known = if word.len() <= LONGEST_WORD { character(word)? } else { None };
    if let Some(known) = known {
        code.push(known);
        return Ok(());
    }
    for (place, itself) in word.chars().enumerate() {
        code.push(if place == 0 { SPELLED } else { SPELLED_ON });
        code.push(itself);
    }
    Ok(())
}

/// The words of a line that is the call of a number, and how it begins.
fn call(line: &str, number: usize) -> Option<(char, impl Iterator<Item = &str>)> {
    let (target, made) = line.strip_prefix("    ")?.split_once(" = ")?;
    let begin = if target == "O" { OUTPUT } else { CALL };
    if begin == CALL && number_of(target) != Some(number) {
        return None;
    }
    let (callee, arguments) = made.strip_suffix(')')?.split_once('(')?;
    // A word that has no letters could not be spelled.
    (!callee.is_empty() && arguments.split(", ").all(|word| !word.is_empty()))
        .then(|| (begin, std::iter::once(callee).chain(arguments.split(", "))))
}

/// The character of a variable that was made before a call.
fn variable(word: &str, call: usize) -> Option<char> {
    let back = call.checked_sub(number_of(word)?)?.checked_sub(1)?;
    nth(&BACK, back)
}

/// The number of a variable. It has no digits too many, so that the number gives back the word.
fn number_of(word: &str) -> Option<usize> {
    let digits = word.strip_prefix('x')?;
    let plain = !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

/// The character of a place in ranges.
pub(crate) fn nth(ranges: &[(u32, u32)], place: usize) -> Option<char> {
    let mut left = u32::try_from(place).ok()?;
    for &(first, last) in ranges {
        if left <= last - first {
            return char::from_u32(first + left);
        }
        left -= last - first + 1;
    }
    None
}

/// The place of a character in ranges.
pub(crate) fn place(ranges: &[(u32, u32)], character: char) -> Option<usize> {
    let mut before = 0;
    for &(first, last) in ranges {
        if (first..=last).contains(&u32::from(character)) {
            return Some((before + u32::from(character) - first) as usize);
        }
        before += last - first + 1;
    }
    None
}

/// A table of words in memory, with room for so many: for tests and fuzzing.
#[doc(hidden)]
pub struct WordTable {
    words: Vec<String>,
    room: usize,
}

impl WordTable {
    /// A table without a word.
    pub fn new(room: usize) -> Self {
        Self { words: Vec::new(), room }
    }

    /// The code of a text. Words that are new get a place while there is room.
    pub fn encode(&mut self, text: &str) -> Option<String> {
        let character = |word: &str| {
            let known = self.words.iter().position(|known| known == word);
            let place = known.unwrap_or(self.words.len());
            let character = character_of_word(place).filter(|_| known.is_some() || place < self.room);
            if known.is_none() && character.is_some() {
                self.words.push(word.to_owned());
            }
            Ok(character)
        };
        encode(text, character).ok()
    }

    /// The text of a code, if it is one.
    pub fn decode(&self, code: &str) -> Option<String> {
        let word = |character, text: &mut String| {
            let word = place(&WORDS, character).and_then(|place| self.words.get(place));
            text.extend(word.map(String::as_str));
            Ok(word.is_some())
        };
        decode(code, word).ok().flatten()
    }

    /// How to make a code of another.
    pub fn change(from: &str, to: &str) -> String {
        crate::change::change(from, to)
    }

    /// A code that is changed, if the change is of this code.
    pub fn changed(from: &str, change: &str) -> Option<String> {
        crate::change::changed(from, change)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::change::{change, changed};

    const CANONICAL: &str = "def program(I):\n    x1 = objects(I, T, F, T)\n    x2 = argmax(x1, size)\n    x3 = compose(x2, -12)\n    O = paint(x3, x1)\n    return O\n";

    #[test]
    fn a_canonical_text_is_a_character_a_word() {
        let mut table = WordTable::new(1_000);
        let code = table.encode(CANONICAL).unwrap();
        expect_test::expect![[r#"|"=#$%&%='0(=)0*!+02|,"#]].assert_eq(&code);
        assert_eq!(table.decode(&code).unwrap(), CANONICAL);
    }

    #[test]
    fn any_text_comes_back() {
        let long = format!("def program(I):\n    x1 = f({})\n    x2 = g(x1)\n", "12, ".repeat(30));
        let deep: String = (1..400).map(|n| format!("    x{n} = f(x1, x{})\n", (n - 1).max(1))).collect::<Vec<_>>().concat();
        let odd = [
            "",
            "\n",
            "\n\n",
            "def program(I):",
            "def program(I):\n    x01 = f(I)\n    x1 = f()\n    x1 = f(I, x1, x2)\n    x2 = f(x01, x+1)",
            "    x1 = (-1)(I)\n    O = f(, )\n    O = f(x1)\n    x3 = f(x2)\n\treturn `~|_=!\r\n",
            "|=!_`~ABCabc019\u{400}\u{58f}\u{370}\u{4e00}\n",
            "    x1 = f(`, ~, |, A, a, 0)\n    x2 = aüü\u{10ffff}(x1)\n",
            "    x18446744073709551616 = f(I)\n",
            CANONICAL,
            &long,
            &deep,
        ];
        for room in [0, 3, 1_000] {
            let mut table = WordTable::new(room);
            let codes = odd.map(|text| table.encode(text).unwrap());
            for (text, code) in odd.iter().zip(&codes) {
                assert_eq!(table.decode(code).as_deref(), Some(*text), "{code:?}");
                for other in &codes {
                    let how = change(other, code);
                    assert_eq!(changed(other, &how).as_ref(), Some(code), "{how:?} of {other:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_code_has_no_text() {
        let table = WordTable { words: vec!["f".to_owned()], room: 1 };
        for code in ["=\"0", "|\u{7f}", "|`", "|`a~", "=\"1", "A", "a"] {
            assert_eq!(table.decode(code), None, "{code:?}");
        }
        assert_eq!(table.decode("=\"\"=\"0").as_deref(), Some("    x1 = f(f)\n    x2 = f(x1)\n"));
        assert_eq!(changed("abc", "D"), None, "there is less to take over");
        assert_eq!(changed("abc", "d"), None, "or to leave out");
        assert_eq!(changed("abc", "`").as_deref(), None);
    }

    #[test]
    fn a_change_is_short() {
        let mut table = WordTable::new(1_000);
        let parent = table.encode(CANONICAL).unwrap();
        let constant = table.encode(&CANONICAL.replace("(I, T,", "(I, F,")).unwrap();
        assert_eq!(change(&parent, &constant).chars().count(), 3, "take over, leave out, add");
        let inserted =
            CANONICAL.replace("    x3 = compose(x2", "    x3 = compose(x2, x2)\n    x4 = compose(x2").replace("paint(x3", "paint(x4");
        let inserted = table.encode(&inserted).unwrap();
        let how = change(&parent, &inserted);
        assert!(how.chars().count() <= 12, "lines that stay are taken over: {how}");
        assert_eq!(change(&parent, &parent), "");
    }

    #[test]
    fn characters_mean_one_thing() {
        let special: Vec<u32> = [CALL, OUTPUT, OTHER, NO_LINE_FEED, SPELLED, SPELLED_ON].map(u32::from).to_vec();
        let single = |&character: &u32| (character, character);
        let ranges: Vec<(u32, u32)> =
            special.iter().map(single).chain(BACK).chain(WORDS).chain(crate::change::TAKE).chain(crate::change::LEAVE).collect();
        for (k, one) in ranges.iter().enumerate() {
            assert!(ranges[k + 1..].iter().all(|other| one.1 < other.0 || other.1 < one.0), "{one:?}");
        }
        assert_eq!(character_of_word(0), Some('"'));
        let count: u32 = WORDS.iter().map(|(first, last)| last - first + 1).sum();
        assert!(character_of_word(count as usize - 1).is_some() && character_of_word(count as usize).is_none());
    }
}
