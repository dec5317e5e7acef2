//! Frames of a stack, as small numbers. Time is attributed to them.

use batt_core::PrimId;
use batt_dsl::{Cells, with_cells};
use batt_engine::Activity;
use batt_engine::Class;

/// A frame: a part of a task's work, the class of a node, or a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Frame(pub(crate) u16);

const CLASSES: u16 = Activity::ALL.len() as u16;
const PRIMITIVES: u16 = CLASSES + Class::ALL.len() as u16;

/// Meaning of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameKind {
    Activity(Activity),
    Class(Class),
    Primitive(PrimId),
}

impl Frame {
    #[inline]
    pub(crate) fn part(part: Activity) -> Self {
        Self(part as u16)
    }

    #[inline]
    pub(crate) fn class(class: Class) -> Self {
        Self(CLASSES + class as u16)
    }

    /// A primitive, whichever cells it is called on.
    #[inline]
    pub(crate) fn primitive(id: PrimId) -> Self {
        Self(PRIMITIVES + with_cells(id, Cells::Cij).0)
    }

    pub(crate) fn kind(self) -> FrameKind {
        if let Some(place) = self.0.checked_sub(PRIMITIVES) {
            FrameKind::Primitive(PrimId(place))
        } else if let Some(place) = self.0.checked_sub(CLASSES) {
            FrameKind::Class(Class::ALL[usize::from(place)])
        } else {
            FrameKind::Activity(Activity::ALL[usize::from(self.0)])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_what_it_was_made_of() {
        for part in Activity::ALL {
            assert_eq!(Frame::part(part).kind(), FrameKind::Activity(part));
        }
        for class in Class::ALL {
            assert_eq!(Frame::class(class).kind(), FrameKind::Class(class));
        }
        for (id, _) in batt_dsl::primitives() {
            assert_eq!(Frame::primitive(id).kind(), FrameKind::Primitive(id));
        }
    }
}
