//! Functions as values: a primitive, or a closure that a primitive such as `compose` made.

use crate::Value;

/// A row of the table of primitives. What it means is known to the crate that has the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PrimId(pub u16);

/// The primitives that make functions, in the order of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Maker {
    /// `x -> h(g(f(x)))`.
    Chain,
    /// `x -> outer(inner(x))`.
    Compose,
    /// `x -> outer(a(x), b(x))`.
    Fork,
    /// The function with its first argument fixed.
    Lbind,
    /// `x -> function(x) == target`.
    Matcher,
    /// The function applied n times.
    Power,
    /// The function with its last argument fixed.
    Rbind,
}

impl Maker {
    /// How many arguments the primitive takes that makes this kind of closure.
    pub const fn parts(self) -> usize {
        match self {
            Self::Chain | Self::Fork => 3,
            Self::Compose | Self::Lbind | Self::Matcher | Self::Power | Self::Rbind => 2,
        }
    }

    /// The number of arguments that a closure takes whose first part takes `first`; `first` is asked only where it matters. A function
    /// with one argument fixed counts as the reference has it: two and three become one and two, and everything else three.
    pub fn arity<N: From<u8> + PartialEq>(self, first: impl FnOnce() -> Option<N>) -> Option<N> {
        if !matches!(self, Self::Lbind | Self::Rbind) {
            return Some(N::from(1));
        }
        let first = first()?;
        let bound = [2, 3].into_iter().find(|&arity| first == N::from(arity)).unwrap_or(4);
        Some(N::from(bound - 1))
    }

    /// The name of the primitive that makes this kind of closure.
    pub fn name(self) -> &'static str {
        match self {
            Self::Compose => "compose",
            Self::Chain => "chain",
            Self::Matcher => "matcher",
            Self::Rbind => "rbind",
            Self::Lbind => "lbind",
            Self::Power => "power",
            Self::Fork => "fork",
        }
    }
}

/// A function made at run time. Its parts are the maker's arguments, so that a closure prints as the call that made it. Whether a part can
/// be called is checked when it is called.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Closure {
    maker: Maker,
    arity: u8,
    depth: u16,
    parts: Box<[Value]>,
}

impl Closure {
    /// The deepest nesting of closures. Calls recurse as deep as that on the machine's stack.
    pub const MAX_DEPTH: u16 = 48;

    /// A closure over `parts`; `None` if it would be nested too deep.
    pub fn new(maker: Maker, arity: u8, parts: Box<[Value]>) -> Option<Self> {
        let depth = 1 + parts.iter().map(Value::depth).max().unwrap_or(0);
        (depth <= Self::MAX_DEPTH).then_some(Self { maker, arity, depth, parts })
    }

    /// The primitive that made it.
    pub fn maker(&self) -> Maker {
        self.maker
    }

    /// The number of arguments it takes.
    pub fn arity(&self) -> u8 {
        self.arity
    }

    /// How deep its parts are nested.
    pub fn depth(&self) -> u16 {
        self.depth
    }

    /// The maker's arguments.
    pub fn parts(&self) -> &[Value] {
        &self.parts
    }
}
