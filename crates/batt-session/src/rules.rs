//! Fitted rules as a solver of search.

use batt_core::Grid;
use batt_dsl::by_name;
use batt_program::{Operand, Params, Program, ProgramBuilder};
use batt_rules::{Argument, Family, Recipe};
use batt_search::{Budget, Proposal, Solver};
use batt_vision::{Puzzle, grid_of};

/// The solver that fits rules to demos.
#[derive(Clone, Copy, Debug, Default)]
pub struct FittedRules {
    /// A kind of rules that is left out.
    pub without: Option<Family>,
}

impl Solver for FittedRules {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn propose(&self, puzzle: &Puzzle, budget: &Budget<'_>) -> Vec<Proposal> {
        let (demos, tests, budget) = self.asked(puzzle, budget);
        let (whole, parts) = batt_rules::propose_with_parts(&demos, &tests, budget);
        whole
            .into_iter()
            .filter_map(|whole| proposal(&whole, false))
            .chain(parts.into_iter().filter_map(|part| proposal(&part, true)))
            .collect()
    }

    fn propose_late(&self, puzzle: &Puzzle, budget: &Budget<'_>) -> Vec<Proposal> {
        let (demos, tests, budget) = self.asked(puzzle, budget);
        batt_rules::propose_late(&demos, &tests, budget).into_iter().filter_map(|proposed| proposal(&proposed, false)).collect()
    }

    fn follow(&self, puzzle: &Puzzle, budget: &Budget<'_>) -> Vec<Proposal> {
        let (demos, tests, budget) = self.asked(puzzle, budget);
        batt_rules::propose_after(&demos, &tests, budget).into_iter().filter_map(|proposed| proposal(&proposed, false)).collect()
    }
}

impl FittedRules {
    fn asked(self, puzzle: &Puzzle, budget: &Budget<'_>) -> (Vec<(Grid, Grid)>, Vec<Grid>, batt_rules::Budget) {
        let demos = puzzle.pairs().filter_map(|(input, output)| Some((grid_of(input)?, grid_of(output)?))).collect();
        let tests = puzzle.tests().filter_map(grid_of).collect();
        (demos, tests, batt_rules::Budget { deadline: budget.deadline, without: self.without, ..batt_rules::Budget::default() })
    }
}

fn proposal(proposal: &batt_rules::Proposal, is_part: bool) -> Option<Proposal> {
    Some(Proposal {
        program: program(&proposal.recipe)?,
        cost: proposal.cost,
        foretold: proposal.foretold,
        support: proposal.support,
        families: proposal.families,
        family: proposal.family.name(),
        is_part,
    })
}

/// The program of a recipe; `None` if it calls what is no primitive, which a test of `batt-rules` excludes.
fn program(recipe: &Recipe) -> Option<Program> {
    let mut builder = ProgramBuilder::new(Params::Input);
    let mut made = Vec::with_capacity(recipe.calls().len());
    for call in recipe.calls() {
        let operand = |argument: &Argument| match argument {
            Argument::Input => Some(Operand::Input),
            Argument::Call(place) => made.get(*place).copied(),
            Argument::Value(value) => builder.literal(value.clone()).ok(),
        };
        let arguments: Vec<Operand> = call.arguments.iter().map(operand).collect::<Option<_>>()?;
        made.push(builder.call(by_name(call.primitive)?, &arguments).ok()?);
    }
    builder.finish("solve", *made.last()?).ok()
}
