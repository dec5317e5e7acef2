//! Text that comes from outside, for people to read: what a terminal would act upon is written out, and what is long is cut.
//!
//! Names, ids, paths and programs come from files that anybody may have made. Whoever prints them does so through here.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Mark at the place of a cut.
const CUT: char = '…';

/// Whether a terminal acts upon a character instead of showing it, or shows what follows elsewhere: control characters, line and paragraph
/// separators, marks that turn the direction of text, and others that have no shape.
pub fn is_active(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{180e}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
                | '\u{fdd0}'..='\u{fdef}' | '\u{e0000}'..='\u{e007f}'
        )
}

/// The text with such characters written as JSON writes them, such as `\u001b`: JSON stays what it was. Line feeds and tabs stay, too.
pub fn inert(text: &str) -> Cow<'_, str> {
    let acts = |c: char| is_active(c) && c != '\n' && c != '\t';
    if !text.contains(acts) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if acts(c) { write_out(c, &mut shown) } else { shown.push(c) }
    }
    shown.into()
}

/// The text on one line of at most `most` characters, of which none is active.
pub fn one_line(text: &str, most: usize) -> String {
    let mut line = String::new();
    let mut length = 0;
    for c in text.chars() {
        let end = line.len();
        if is_active(c) {
            write_out(c, &mut line);
        } else {
            line.push(c);
        }
        length += line[end..].chars().count();
        if length > most {
            // What does not fit goes, and one character more for the mark.
            let kept = line.char_indices().nth(most.saturating_sub(1)).map_or(0, |(at, _)| at);
            line.truncate(kept);
            line.push(CUT);
            return line;
        }
    }
    line
}

/// A number with commas: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `1 task`, `2,000 tasks`.
pub fn count(number: impl TryInto<u64>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// The text with words of more than `most` characters cut to that, so that a sentence can be read whatever is named in it.
pub fn cut_words(text: &str, most: usize) -> Cow<'_, str> {
    let is_long = |word: &str| word.len() > most && word.chars().nth(most).is_some();
    if !text.split(char::is_whitespace).any(is_long) {
        return text.into();
    }
    let mut shown = String::new();
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end_matches(char::is_whitespace);
        if is_long(word) {
            shown.extend(word.chars().take(most.saturating_sub(1)));
            shown.push(CUT);
        } else {
            shown.push_str(word);
        }
        shown.push_str(&piece[word.len()..]);
    }
    shown.into()
}

fn write_out(c: char, text: &mut String) {
    let mut units = [0; 2];
    for unit in c.encode_utf16(&mut units) {
        // Writing to a string cannot fail.
        let _ = write!(text, "\\u{unit:04x}");
    }
}
