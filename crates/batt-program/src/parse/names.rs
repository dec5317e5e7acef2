//! Lookup of names: variables of the function at hand, else primitives and constants.

use batt_dsl::{ConstId, by_name, edits, nearest_name};
use rustc_hash::FxHashMap;

use crate::{Operand, Span};

/// The names of a file. Entries stay from function to function, so that each name is looked up in the table once.
#[derive(Default)]
pub(super) struct Names<'s> {
    entries: FxHashMap<&'s str, Entry>,
    /// The number of the function at hand: what an entry says about another one is out of date.
    function: u32,
}

#[derive(Clone, Copy)]
struct Entry {
    global: Option<Operand>,
    variable: Operand,
    /// The function whose variable it is.
    variable_in: u32,
    /// The function that used it as a primitive or constant, and where.
    global_in: u32,
    global_at: Span,
}

impl<'s> Names<'s> {
    /// Starts a function, which has no variables so far.
    pub(super) fn begin_function(&mut self) {
        self.function += 1;
    }

    /// The operand that a name stands for; `at` is where it is used.
    pub(super) fn get(&mut self, name: &'s str, at: Span) -> Option<Operand> {
        let function = self.function;
        let entry = self.entries.entry(name).or_insert_with(|| Entry::new(name));
        if entry.variable_in == function {
            return Some(entry.variable);
        }
        if entry.global.is_some() && entry.global_in != function {
            entry.global_in = function;
            entry.global_at = at;
        }
        entry.global
    }

    /// Sets a variable. An earlier use of the primitive or constant of that name is the error. In Python, a name that a function assigns is
    /// a variable in the whole function.
    pub(super) fn set(&mut self, name: &'s str, operand: Operand) -> Result<(), Span> {
        let function = self.function;
        let entry = self.entries.entry(name).or_insert_with(|| Entry::new(name));
        if entry.variable_in != function && entry.global_in == function {
            return Err(entry.global_at);
        }
        entry.variable = operand;
        entry.variable_in = function;
        Ok(())
    }

    /// Whether a name is a variable.
    pub(super) fn is_variable(&self, name: &str) -> bool {
        self.entries.get(name).is_some_and(|entry| entry.variable_in == self.function)
    }

    /// The nearest name to a misspelt one.
    pub(super) fn nearest(&self, name: &str) -> Option<&'s str> {
        // For `x13` there is always some `x12`, and for `z` some `F`: they are not what was meant.
        let numbered = name.strip_prefix('x').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
        if numbered || name.len() < 3 {
            return None;
        }
        let variables = self.entries.iter().filter(|(_, entry)| entry.variable_in == self.function);
        let variable = variables.filter_map(|(&known, _)| Some((edits(name, known, known.len().min(name.len()) / 3)?, known))).min();
        let global = nearest_name(name).and_then(|known| Some((edits(name, known, usize::MAX)?, known)));
        [variable, global].into_iter().flatten().min_by_key(|&(distance, _)| distance).map(|(_, known)| known)
    }
}

impl Entry {
    fn new(name: &str) -> Self {
        let global = by_name(name).map(Operand::Primitive).or_else(|| ConstId::by_name(name).map(Operand::Constant));
        Self { global, variable: Operand::Input, variable_in: 0, global_in: 0, global_at: Span::default() }
    }
}
