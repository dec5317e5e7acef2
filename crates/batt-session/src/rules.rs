//! Fitted rules as a solver of search.

use batt_dsl::by_name;
use batt_program::{Operand, Params, Program, ProgramBuilder};
use batt_rules::{Argument, Family, FitOptions, FittedRule, Recipe};
use batt_search::{Budget, Proposal, Solver};
use batt_vision::Puzzle;

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
        let (whole, parts) = batt_rules::propose_with_parts(puzzle, self.options(budget));
        whole
            .into_iter()
            .filter_map(|whole| proposal(&whole, false))
            .chain(parts.into_iter().filter_map(|part| proposal(&part, true)))
            .collect()
    }

    fn propose_late(&self, puzzle: &Puzzle, budget: &Budget<'_>) -> Vec<Proposal> {
        batt_rules::propose_late(puzzle, self.options(budget)).into_iter().filter_map(|proposed| proposal(&proposed, false)).collect()
    }

    fn follow(&self, puzzle: &Puzzle, budget: &Budget<'_>) -> Vec<Proposal> {
        batt_rules::propose_after(puzzle, self.options(budget)).into_iter().filter_map(|proposed| proposal(&proposed, false)).collect()
    }
}

impl FittedRules {
    fn options(self, budget: &Budget<'_>) -> FitOptions {
        FitOptions { deadline: budget.deadline, without: self.without, ..FitOptions::default() }
    }
}

fn proposal(proposal: &FittedRule, is_part: bool) -> Option<Proposal> {
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
