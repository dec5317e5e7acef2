//! Fitted rules as a member of search.

use batt_core::Grid;
use batt_dsl::by_name;
use batt_program::{Operand, Params, Program, ProgramBuilder, print_program};
use batt_rules::{Argument, Family, Recipe};
use batt_search::{Budget, Member, Proposal, Question};

/// The member that fits rules to demos.
#[derive(Clone, Copy, Debug, Default)]
pub struct FittedRules {
    /// A kind of rules that is left out.
    pub without: Option<Family>,
}

impl Member for FittedRules {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn propose(&self, question: &Question<'_>, budget: &Budget<'_>) -> Vec<Proposal> {
        let (demos, tests, budget) = self.posed(question, budget);
        let (whole, parts) = batt_rules::propose_with_parts(&demos, &tests, budget);
        whole
            .into_iter()
            .filter_map(|whole| proposal(whole, false))
            .chain(parts.into_iter().filter_map(|part| proposal(part, true)))
            .collect()
    }

    fn propose_late(&self, question: &Question<'_>, budget: &Budget<'_>) -> Vec<Proposal> {
        let (demos, tests, budget) = self.posed(question, budget);
        batt_rules::propose_late(&demos, &tests, budget).into_iter().filter_map(|proposed| proposal(proposed, false)).collect()
    }

    fn follow(&self, question: &Question<'_>, budget: &Budget<'_>) -> Vec<Proposal> {
        let (demos, tests, budget) = self.posed(question, budget);
        batt_rules::propose_after(&demos, &tests, budget).into_iter().filter_map(|proposed| proposal(proposed, false)).collect()
    }
}

impl FittedRules {
    fn posed(self, question: &Question<'_>, budget: &Budget<'_>) -> (Vec<(Grid, Grid)>, Vec<Grid>, batt_rules::Budget) {
        let demos = question.demos.iter().map(|demo| (demo.input.clone(), demo.output.clone())).collect();
        let tests = question.tests.iter().map(|&test| test.clone()).collect();
        (demos, tests, batt_rules::Budget { deadline: budget.deadline, without: self.without, ..batt_rules::Budget::default() })
    }
}

fn proposal(proposal: batt_rules::Proposal, is_part: bool) -> Option<Proposal> {
    Some(Proposal {
        program: print_program(&program(&proposal.recipe)?),
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
