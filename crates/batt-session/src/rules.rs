//! Fitted rules as a member of search.

use batt_core::Grid;
use batt_search::{Budget, Member, Proposal, Question};

/// The member that fits rules to demos.
#[derive(Clone, Copy, Debug, Default)]
pub struct FittedRules;

impl Member for FittedRules {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn propose(&self, question: &Question<'_>, budget: &Budget<'_>) -> Vec<Proposal> {
        let demos: Vec<(Grid, Grid)> = question.demos.iter().map(|demo| (demo.input.clone(), demo.output.clone())).collect();
        let tests: Vec<Grid> = question.tests.iter().map(|&test| test.clone()).collect();
        let budget = batt_rules::Budget { deadline: budget.deadline, ..batt_rules::Budget::default() };
        let proposals = batt_rules::propose(&demos, &tests, budget).into_iter();
        let proposal = |proposal: batt_rules::Proposal| Proposal {
            program: proposal.program,
            cost: proposal.cost,
            foretold: proposal.foretold,
            family: proposal.family.name(),
        };
        proposals.map(proposal).collect()
    }
}
