//! Choosing outputs by what the demos say, without a look at any test output.

use std::cmp::Reverse;
use std::collections::HashMap;

use batt_core::Grid;
use batt_engine::OrderMark;

/// A program's showing on a task.
#[derive(Clone, Debug)]
pub struct Performance {
    /// The program, by position.
    pub program: u32,
    /// How many demos it has right.
    pub demos_right: u32,
    /// The scores of its candidates on the demos, added up.
    pub score: u64,
    /// Whether what it gives depends on the order of a set.
    pub order: OrderMark,
    /// Its number of steps.
    pub size: u32,
    /// Its output node on the card: programs with the same node are the same program.
    pub node: u32,
    /// A grid for each test input; none where it gives no valid grid.
    pub outputs: Vec<Option<Grid>>,
}

/// An output that is proposed for a test input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedOutput {
    /// The grid.
    pub grid: Grid,
    /// The best program that gives it.
    pub program: u32,
    /// How many demos that program has right.
    pub demos_right: u32,
    /// The score of that program.
    pub score: u64,
    /// Whether what that program gives depends on the order of a set.
    pub order: OrderMark,
    /// How many different programs give it.
    pub votes: u32,
}

/// The distinct outputs for a test input, best first. Keys in order: correct demos, score, order dependence, votes of programs that are as
/// good on the demos, size.
pub fn proposals(showings: &[Performance], test: usize) -> Vec<RankedOutput> {
    let mut groups: HashMap<&Grid, Vec<&Performance>> = HashMap::new();
    for showing in showings {
        if let Some(Some(grid)) = showing.outputs.get(test) {
            groups.entry(grid).or_default().push(showing);
        }
    }
    let mut ranked: Vec<(RankedOutput, u32)> = groups
        .into_iter()
        .filter_map(|(grid, givers)| {
            let best = *givers.iter().min_by_key(|s| (Reverse(s.demos_right), Reverse(s.score), s.order, s.size, s.program))?;
            let mut nodes: Vec<u32> =
                givers.iter().filter(|s| (s.demos_right, s.score) == (best.demos_right, best.score)).map(|s| s.node).collect();
            nodes.sort_unstable();
            nodes.dedup();
            let proposal = RankedOutput {
                grid: grid.clone(),
                program: best.program,
                demos_right: best.demos_right,
                score: best.score,
                order: best.order,
                votes: nodes.len() as u32,
            };
            Some((proposal, best.size))
        })
        .collect();
    // The program's position decides the rest, so that the order never depends on the order of a hash table.
    ranked.sort_by_key(|(p, size)| (Reverse(p.demos_right), Reverse(p.score), p.order, Reverse(p.votes), *size, p.program));
    ranked.into_iter().map(|(proposal, _)| proposal).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn showing(program: u32, demos_right: u32, score: u64, size: u32, colour: i8) -> Performance {
        Performance { program, demos_right, score, order: OrderMark::Free, size, node: program, outputs: vec![Grid::filled(1, 1, colour)] }
    }

    fn colours(showings: &[Performance]) -> Vec<i8> {
        proposals(showings, 0).iter().map(|p| p.grid.cells()[0]).collect()
    }

    #[test]
    fn demo_evidence_comes_first_then_votes_then_size() {
        let showings = [
            showing(0, 1, 1500, 1, 1),
            showing(1, 2, 2000, 9, 2),
            showing(2, 2, 2000, 3, 3),
            showing(3, 2, 2000, 3, 3),
            showing(4, 2, 2000, 2, 4),
        ];
        assert_eq!(colours(&showings), [3, 4, 2, 1]);
    }

    #[test]
    fn the_same_program_twice_is_one_vote() {
        let mut showings = vec![showing(0, 1, 1000, 2, 1), showing(1, 1, 1000, 2, 1), showing(2, 1, 1000, 1, 2)];
        showings[1].node = 0;
        assert_eq!(colours(&showings), [2, 1]);
        assert_eq!(proposals(&showings, 0).iter().find(|p| p.grid.cells() == [1]).unwrap().votes, 1);
    }

    #[test]
    fn an_output_that_hangs_on_the_order_of_a_set_comes_after_others_as_good() {
        let mut showings = vec![showing(0, 2, 2000, 1, 1), showing(1, 2, 2000, 1, 1), showing(2, 2, 2000, 5, 2), showing(3, 1, 1900, 1, 3)];
        assert_eq!(colours(&showings), [1, 2, 3]);
        showings[0].order = OrderMark::Dependent;
        assert_eq!(colours(&showings), [1, 2, 3], "another program gives it too");
        showings[1].order = OrderMark::Dependent;
        assert_eq!(colours(&showings), [2, 1, 3]);
    }

    #[test]
    fn outputs_are_different() {
        let showings = [showing(0, 1, 1000, 1, 5), showing(1, 0, 500, 1, 5)];
        assert_eq!(colours(&showings), [5]);
    }
}
