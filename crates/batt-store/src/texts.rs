//! Texts of programs into codes and back, inside a transaction or a snapshot of a store.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use rusqlite::{Connection, OptionalExtension as _, Row};

use crate::change::{change, changed};
use crate::code::{character_of_word, decode, encode};
use crate::error::Inner;

/// The most parents that must be read to read a program: more changes in a row save little and are slower to read.
const LONGEST_LINE: usize = 12;
/// Codes that are remembered. Relatives are read together, so few are enough.
const REMEMBERED: usize = 10_000;

/// Words that are read at once.
const AT_ONCE: i64 = 1_000;

/// What is written of a program.
pub(crate) struct NewText {
    pub(crate) is_change: bool,
    pub(crate) code: String,
    /// The whole code, and how many changes made it.
    whole: (Rc<str>, usize),
}

/// What a program is made of, in three columns: `first_parent`, `is_change`, `code`.
pub(crate) struct Link {
    first_parent: Option<i64>,
    is_change: bool,
    code: String,
}

impl Link {
    pub(crate) fn at(row: &Row<'_>, column: usize) -> rusqlite::Result<Self> {
        Ok(Self { first_parent: row.get(column)?, is_change: row.get(column + 1)?, code: row.get(column + 2)? })
    }
}

/// Words by their characters.
pub(crate) type Words = HashMap<char, Box<str>>;

/// Reads and writes texts, and remembers words and codes that it has come across.
pub(crate) struct Texts<'a> {
    connection: &'a Connection,
    words: Words,
    /// Where the words are for whoever reads next.
    home: Option<&'a Cell<Words>>,
    characters: HashMap<String, Option<char>>,
    /// The whole codes of programs, and how many changes made them.
    codes: HashMap<i64, (Rc<str>, usize)>,
}

impl<'a> Texts<'a> {
    pub(crate) fn new(connection: &'a Connection) -> Self {
        Self { connection, words: Words::new(), home: None, characters: HashMap::new(), codes: HashMap::new() }
    }

    /// The same, with words from `home`, which go back there. Only for what is committed: a word stays then, and its character has no
    /// other meaning ever.
    pub(crate) fn with_words(connection: &'a Connection, home: &'a Cell<Words>) -> Self {
        let mut texts = Self::new(connection);
        (texts.words, texts.home) = (home.take(), Some(home));
        texts
    }

    /// The text of a program; `None` if there is none any more. `own` is its row, if somebody has read that.
    pub(crate) fn text(&mut self, program: i64, own: Option<Link>) -> Inner<Option<String>> {
        let Some((code, _)) = self.code(program, own)? else { return Ok(None) };
        decode(&code, |character, text| self.push_word(character, text))
    }

    /// The whole code of a program; `None` if there is none any more.
    pub(crate) fn whole(&mut self, program: i64) -> Inner<Option<Rc<str>>> {
        Ok(self.code(program, None)?.map(|(code, _)| code))
    }

    /// A text as it is written: what it changes of its first parent, if that is shorter. New words are added.
    pub(crate) fn write(&mut self, text: &str, first_parent: Option<i64>) -> Inner<NewText> {
        let whole = encode(text, |word| self.character(word))?;
        if let Some((parent, changes)) = first_parent.map(|parent| self.code(parent, None)).transpose()?.flatten()
            && changes < LONGEST_LINE
        {
            let code = change(&parent, &whole);
            if 4 * code.len() < 3 * whole.len() {
                return Ok(NewText { is_change: true, code, whole: (whole.into(), changes + 1) });
            }
        }
        Ok(NewText { is_change: false, code: whole.clone(), whole: (whole.into(), 0) })
    }

    /// Remembers what was written of a program.
    pub(crate) fn remember(&mut self, program: i64, written: NewText) {
        if self.codes.len() >= REMEMBERED {
            self.codes.clear();
        }
        self.codes.insert(program, written.whole);
    }

    /// The whole code of a program, and how many changes made it; `None` if it cannot be read any more.
    fn code(&mut self, program: i64, mut own: Option<Link>) -> Inner<Option<(Rc<str>, usize)>> {
        let mut line = Vec::new();
        let mut next = Some(program);
        let mut read = self.connection.prepare_cached("SELECT first_parent, is_change, code FROM program WHERE id = ?")?;
        let (mut code, mut changes) = loop {
            // Whoever changed the file may have made a circle.
            let Some(id) = next.filter(|_| line.len() <= LONGEST_LINE) else { return Ok(None) };
            if let Some(known) = self.codes.get(&id) {
                break known.clone();
            }
            let link = if own.is_some() { own.take() } else { read.query_row([id], |row| Link::at(row, 0)).optional()? };
            let Some(Link { first_parent, is_change, code }) = link else { return Ok(None) };
            if !is_change {
                let whole = (Rc::from(code), 0);
                self.codes.insert(id, whole.clone());
                break whole;
            }
            line.push((id, code));
            next = first_parent;
        };
        if self.codes.len() >= REMEMBERED {
            self.codes.clear();
        }
        for (id, change) in line.into_iter().rev() {
            let Some(whole) = changed(&code, &change) else { return Ok(None) };
            (code, changes) = (whole.into(), changes + 1);
            self.codes.insert(id, (Rc::clone(&code), changes));
        }
        Ok(Some((code, changes)))
    }

    /// Adds the word of a character, if it has one.
    fn push_word(&mut self, character: char, text: &mut String) -> Inner<bool> {
        if let Some(word) = self.words.get(&character) {
            text.push_str(word);
            return Ok(true);
        }
        if self.words.is_empty() {
            // Most tables are small, and then this is one question instead of hundreds.
            let mut all = self.connection.prepare_cached("SELECT id, text FROM word LIMIT ?")?;
            let mut rows = all.query([AT_ONCE])?;
            while let Some(row) = rows.next()? {
                self.words.extend(char::from_u32(row.get(0)?).zip(Some(row.get::<_, String>(1)?.into())));
            }
        }
        if !self.words.contains_key(&character) {
            let mut find = self.connection.prepare_cached("SELECT text FROM word WHERE id = ?")?;
            let found = find.query_row([u32::from(character)], |row| row.get::<_, String>(0)).optional()?;
            self.words.extend(found.map(|word| (character, word.into())));
        }
        let word = self.words.get(&character);
        text.push_str(word.map_or("", |word| word));
        Ok(word.is_some())
    }

    /// The character of a word, which is added if it is not there and there is room.
    fn character(&mut self, word: &str) -> Inner<Option<char>> {
        if let Some(&known) = self.characters.get(word) {
            return Ok(known);
        }
        let mut find = self.connection.prepare_cached("SELECT id FROM word WHERE text = ?")?;
        let found = find.query_row([word], |row| row.get::<_, u32>(0)).optional()?;
        let character = if let Some(number) = found { char::from_u32(number) } else { self.add_word(word)? };
        self.characters.insert(word.to_owned(), character);
        Ok(character)
    }

    fn add_word(&mut self, word: &str) -> Inner<Option<char>> {
        let count: i64 = self.connection.prepare_cached("SELECT count(*) FROM word")?.query_row([], |row| row.get(0))?;
        let character = character_of_word(count as usize);
        if let Some(character) = character {
            let mut add = self.connection.prepare_cached("INSERT INTO word (id, text) VALUES (?, ?)")?;
            add.execute((u32::from(character), word))?;
        }
        Ok(character)
    }
}

impl Drop for Texts<'_> {
    fn drop(&mut self) {
        if let Some(home) = self.home {
            home.set(std::mem::take(&mut self.words));
        }
    }
}
