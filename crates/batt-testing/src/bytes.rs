//! Changes to files, whatever is in them: bytes, and words, numbers and brackets where it is text.

use batt_core::Random;

/// Characters that a terminal acts upon.
const EVIL: [&str; 8] = [
    "\u{1b}[2J",
    "\u{202e}",
    "\u{9b}31m",
    "\r",
    "\u{7}",
    "e\u{1b}]0;v\u{7}\u{2066}i\u{200f}l",
    "\u{fdd1}\u{fdef}",
    "\u{0}\u{8}\u{7f}\u{feff}",
];

/// Numbers at the edges of types, and what is no number.
pub const ODD: [&str; 38] = [
    "0",
    "1",
    "2",
    "-1",
    "",
    "9",
    "10",
    "30",
    "31",
    "255",
    "256",
    "65535",
    "65536",
    "-128",
    "2147483647",
    "2147483648",
    "-2147483649",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "1e400",
    "-1e308",
    "1e-320",
    "0.5",
    "-0",
    "NaN",
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\u{663}",
];

/// Openings that are never closed, or are closed as often as they were opened.
const NESTS: [(&str, &str); 10] = [
    ("[", "]"),
    ("(", ")"),
    ("{\"a\":", "}"),
    ("hmirror(", ")"),
    ("compose(first, ", ")"),
    ("frozenset({", "})"),
    ("lbind(", ", I)"),
    ("-", ""),
    ("\"", "\""),
    ("```python\n", "```\n"),
];

/// Words of programs.
const WORDS: [&str; 24] = [
    "def f(I):\n    ",
    "def g(S, I, C):\n    ",
    "return ",
    "O = ",
    "I",
    "S",
    "C",
    "(",
    ")",
    ", ",
    "frozenset({",
    "})",
    "()",
    "\n    ",
    "\n",
    "x1",
    "identity",
    "compose(",
    "apply(",
    "-9223372036854775808",
    "T",
    "ZERO",
    "value=",
    "#",
];

/// No file grows beyond this.
const MOST: usize = 300_000;

/// Text that does harm, or that is odd.
pub fn odd_text(random: &mut Random) -> String {
    match random.below(8) {
        0..=2 => (*random.pick(&EVIL)).to_owned(),
        3 => {
            let most_bits = if random.one_in(20) { 17 } else { 9 };
            "n".repeat(length(most_bits, random))
        }
        4 => (*random.pick(&[
            "../x",
            "..",
            ".",
            "/",
            "a/b",
            "-",
            "é",
            "𝟙",
            "I",
            "O",
            "S",
            "x1",
            " ",
            "\n",
            "\t",
            "'",
            "\"",
            "\\",
            "%s",
            "solve_flip",
            "flip",
        ]))
        .to_owned(),
        _ => (*random.pick(&ODD)).to_owned(),
    }
}

/// Changes a file; `others` are files that a part may come from.
pub fn change(data: &mut Vec<u8>, others: &[&[u8]], random: &mut Random) {
    match random.below(17) {
        0 | 1 if !data.is_empty() => {
            for _ in 0..=random.below(4) {
                let at = random.below(data.len());
                data[at] ^= 1 << random.below(8);
            }
        }
        2 if !data.is_empty() => {
            let at = random.below(data.len());
            data[at] = *random.pick(&[0, 1, 0x7f, 0x80, 0xff, b'"', b'[', b'0', b'\n', 0xe2]);
        }
        3 => {
            let bytes: Vec<u8> = (0..=random.below(8)).map(|_| random.next_u64() as u8).collect();
            insert(data, &bytes, random);
        }
        4 => {
            let part = part_of(data.len(), random);
            data.drain(part);
        }
        5 => {
            let part = data[part_of(data.len(), random)].repeat(1 + length(4, random));
            insert(data, &part, random);
        }
        6 | 7 => {
            let other = random.pick(others);
            let part = other[part_of(other.len(), random)].to_vec();
            if random.one_in(2) {
                let gone = part_of(data.len(), random);
                data.splice(gone, part);
            } else {
                insert(data, &part, random);
            }
        }
        8 => data.truncate(random.below(data.len() + 1)),
        9 => swap_blocks(data, random),
        10 | 11 => replace_word(data, |byte| byte.is_ascii_digit() || byte == b'-' || byte == b'.', random),
        12 | 13 => replace_word(data, |byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte > 127, random),
        14 => insert(data, odd_text(random).as_bytes(), random),
        15 => insert(data, random.pick(&WORDS).as_bytes(), random),
        _ => {
            let (open, close) = random.pick(&NESTS);
            let most_bits = if random.one_in(30) { 15 } else { 8 };
            let depth = length(most_bits, random);
            let middle = if random.one_in(2) { "I" } else { "1" };
            let end = if random.one_in(2) { close.repeat(depth) } else { String::new() };
            insert(data, format!("{}{middle}{end}", open.repeat(depth)).as_bytes(), random);
        }
    }
    data.truncate(MOST);
}

/// Puts bytes anywhere, or over what is there.
fn insert(data: &mut Vec<u8>, bytes: &[u8], random: &mut Random) {
    let at = random.below(data.len() + 1);
    let end = if random.one_in(3) { (at + bytes.len()).min(data.len()) } else { at };
    data.splice(at..end, bytes.iter().copied());
}

/// Swaps two blocks of a database, or two lines of a text.
fn swap_blocks(data: &mut Vec<u8>, random: &mut Random) {
    let mut blocks: Vec<Vec<u8>> = if data.starts_with(b"SQLite") {
        data.chunks(*random.pick(&[512, 4096])).map(<[u8]>::to_vec).collect()
    } else {
        data.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
    };
    let (one, other) = (random.below(blocks.len()), random.below(blocks.len()));
    if !blocks.is_empty() {
        if random.one_in(2) {
            blocks.swap(one, other);
        } else {
            let copy = blocks[other].clone();
            blocks[one] = copy;
        }
    }
    *data = blocks.concat();
}

/// Replaces a run of such bytes by another one, or by something odd.
fn replace_word(data: &mut Vec<u8>, is_in: impl Fn(u8) -> bool, random: &mut Random) {
    let from = random.below(data.len() + 1);
    let Some((start, end)) = word_after(data, from, &is_in) else { return };
    let from = random.below(data.len() + 1);
    let new = match word_after(data, from, &is_in) {
        Some((start, end)) if random.one_in(2) => data[start..end].to_vec(),
        _ => odd_text(random).into_bytes(),
    };
    data.splice(start..end, new);
}

fn word_after(data: &[u8], from: usize, is_in: impl Fn(u8) -> bool) -> Option<(usize, usize)> {
    let start = from + data[from..].iter().position(|&byte| is_in(byte))?;
    let length = data[start..].iter().position(|&byte| !is_in(byte)).unwrap_or(data.len() - start);
    Some((start, start + length))
}

/// A part of something so long, most often a short one.
pub fn part_of(whole: usize, random: &mut Random) -> std::ops::Range<usize> {
    let start = random.below(whole + 1);
    let most = if random.one_in(8) { whole } else { 16 };
    start..(start + 1 + random.below(most)).min(whole)
}

/// A length: each power of two up to this one is as likely as the others.
pub fn length(most_bits: usize, random: &mut Random) -> usize {
    let bits = random.below(most_bits + 1);
    (1 << bits) + random.below(1 << bits)
}
