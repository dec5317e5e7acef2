//! Enums whose variants are numbered in programs, and described once: here, in the documentation and in `docs/rules.md`.

/// Declares an enum of numbered kinds. The documentation of a kind is its description.
#[macro_export]
macro_rules! kinds {
    ($(#[$doc:meta])* $name:ident { $($(#[doc = $text:literal])* $kind:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $name { $($(#[doc = $text])* $kind),* }

        impl $name {
            /// All kinds, each at the place of its number.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];
            /// The number of kinds.
            pub const COUNT: usize = Self::ALL.len();

            /// A kind by its number.
            pub fn from_number(number: impl TryInto<usize>) -> Option<Self> {
                Self::ALL.get(number.try_into().ok()?).copied()
            }

            /// Description in a sentence.
            pub const fn describe(self) -> &'static str {
                match self { $(Self::$kind => concat!($($text),*).trim_ascii(),)* }
            }
        }
    };
}
