//! How outputs are made from columns.

use batt_vision::Frame;

use crate::columns::{ColumnId, Columns};
use crate::cover::{Where, laid};
use crate::scalars::ScalarId;
use crate::tables::{Table, looked_up};

/// The family of answers that are made by a test of the sample.
pub(crate) const BRANCH: &str = "search-branch";

/// How an output is made from columns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Formula {
    /// Pieces laid over each other.
    Cover(Vec<(ColumnId, Where)>),
    /// Cell by cell from the colours of columns.
    Table(Vec<ColumnId>, Table),
    /// Columns beside each other, so many in a row.
    Blocks(usize, Vec<ColumnId>),
    /// One of two, by a test of the sample.
    Branch(Box<Branch>),
}

/// One of two formulas, by a test of the sample.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Branch {
    /// The column of booleans.
    pub(crate) test: ScalarId,
    /// Its value on every sample.
    pub(crate) holds: Vec<bool>,
    /// Formula where it holds.
    pub(crate) then: Formula,
    /// Formula elsewhere.
    pub(crate) otherwise: Formula,
}

impl Formula {
    /// Output on a sample; `None` where blocks do not fit each other.
    pub(crate) fn output(&self, columns: &Columns, sample: usize) -> Option<(Frame, Vec<u8>)> {
        let size_of = |id: ColumnId| {
            let frame = columns.image(id, sample).frame;
            Frame::at_origin(frame.height as usize, frame.width as usize)
        };
        match self {
            Self::Cover(pieces) => Some((size_of(pieces.first()?.0), laid(pieces, columns, sample))),
            Self::Table(layers, table) => Some((size_of(*layers.first()?), looked_up(layers, table, columns, sample))),
            Self::Blocks(across, ids) => beside(*across, ids, columns, sample),
            // The program makes both.
            Self::Branch(branch) => {
                let (then, otherwise) = (branch.then.output(columns, sample)?, branch.otherwise.output(columns, sample)?);
                Some(if branch.holds[sample] { then } else { otherwise })
            }
        }
    }

    /// Its columns.
    pub(crate) fn columns(&self) -> Vec<ColumnId> {
        match self {
            Self::Cover(pieces) => pieces.iter().map(|(id, _)| *id).collect(),
            Self::Table(ids, _) | Self::Blocks(_, ids) => ids.clone(),
            Self::Branch(branch) => [branch.then.columns(), branch.otherwise.columns()].concat(),
        }
    }

    /// Its kind, as stores and JSON name it.
    pub(crate) fn family(&self) -> &'static str {
        match self {
            Self::Cover(pieces) if pieces.len() == 1 => "search-column",
            Self::Cover(_) => "search-cover",
            Self::Table(..) => "search-table",
            Self::Blocks(..) => "search-blocks",
            Self::Branch(_) => BRANCH,
        }
    }
}

/// Images beside each other, so many in a row; `None` if they do not make a rectangle.
fn beside(across: usize, ids: &[ColumnId], columns: &Columns, sample: usize) -> Option<(Frame, Vec<u8>)> {
    let (mut cells, mut width, mut height) = (Vec::new(), None, 0);
    for row in ids.chunks(across) {
        let images: Vec<_> = row.iter().map(|&id| columns.image(id, sample)).collect();
        let rows = images.first()?.height();
        let wide: usize = images.iter().map(batt_vision::Image::width).sum();
        if images.iter().any(|image| image.height() != rows) || width.is_some_and(|width| width != wide) {
            return None;
        }
        (width, height) = (Some(wide), height + rows);
        for line in 0..rows {
            for image in &images {
                cells.extend_from_slice(image.row(line));
            }
        }
    }
    Some((Frame::at_origin(height, width?), cells))
}
