//! How a program has its cells, from its text.
//!
//! The library of the typed dialect's ancestor has two layouts. It changed from `(c, (i, j))` to `(i, j, c)`, and many of its programs
//! still use the old one. So each program is looked at by itself.

use batt_core::PrimId;
use batt_dsl::{Cells, Origin, primitive};

use super::{Inference, known};
use crate::{Operand, Program};

/// How programs are read that do not say how they have their cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reading {
    /// Each by what it does with them, see [`detect_cells`].
    #[default]
    Auto,
    /// All like this.
    As(Cells),
}

impl Reading {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::As(Cells::Cij), Self::As(Cells::Ijc)];

    /// Its name in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::As(cells) => cells.name(),
        }
    }
}

/// How a program has its cells, going by its calls. Cells are `(c, (i, j))`, unless the program is in the typed dialect and
///
/// - has a name that came with triples: `toij`, `astriple`, `celltuple`, `o_g_t`, `objects_t` or `colorfilter_t`; or
/// - fewer of its calls are known to fail where cells are `(i, j, c)`: it takes the last item of a cell for a colour, say.
pub fn detect_cells(program: &Program) -> Cells {
    let uses = |such: &dyn Fn(PrimId) -> bool| program.primitives().any(such);
    if !uses(&|id| primitive(id).origin == Origin::Dialect) {
        return Cells::Cij;
    }
    if uses(&|id| primitive(id).triples) {
        return Cells::Ijc;
    }
    let doubts_of = |cells: Cells| doubts(&program.clone().with_cells(cells));
    match doubts_of(Cells::Cij) {
        0 => Cells::Cij,
        some if doubts_of(Cells::Ijc) < some => Cells::Ijc,
        _ => Cells::Cij,
    }
}

impl Program {
    /// The program as it is read where `reading` says how; one that says so itself stays as it is.
    #[must_use]
    pub fn read_as(self, reading: Reading) -> Self {
        if self.says_cells() {
            return self;
        }
        let cells = match reading {
            Reading::Auto => detect_cells(&self),
            Reading::As(cells) => cells,
        };
        self.with_cells(cells)
    }
}

/// How many calls that the output needs are known to fail, or compare what is never equal.
fn doubts(program: &Program) -> u32 {
    let mut inference = Inference::doubting();
    let live = program.live();
    let mut steps = Vec::with_capacity(live.len());
    for ((_, step), live) in program.step_ids().zip(live) {
        let operand = |operand: Operand| known(program, &steps, operand);
        let args: Vec<_> = program.step_args(step).iter().map(|&arg| operand(arg)).collect();
        let callee = operand(step.callee);
        steps.push(if live { inference.call(callee, &args) } else { super::Abstract::ANY });
    }
    inference.doubts()
}
