//! A probe is told of every evaluation of every node, also of those that it did not want to see.

use std::collections::BTreeMap;

use batt_core::{Reason, Value};
use batt_engine::{Activity, CardExecutor, Inputs, Limits, NodeCall, OnUndefined, Plan, Probe};
use batt_engine::{Card, NodeId, NodeOp};
use batt_testing::{grid, programs};

/// Wants to see nodes that spent something, and is told how often each was evaluated.
#[derive(Default)]
struct Counting {
    seen: u64,
    called: BTreeMap<u32, (u32, bool)>,
}

impl Probe for Counting {
    const WATCHES: bool = true;
    type Calls = u32;

    fn count(calls: &mut u32) {
        *calls += 1;
    }

    fn wants(&self, last_fuel: u64) -> bool {
        last_fuel > 0
    }

    fn leave_node(&mut self, _call: &NodeCall, _result: &Result<Value, Reason>, _fuel: u64) {
        self.seen += 1;
    }

    fn called(&mut self, by: Activity, node: u32, calls: u32, (result, _): (&Result<Value, Reason>, u64)) {
        assert_eq!(by, Activity::Execute);
        if calls > 0 {
            self.called.insert(node, (calls, result.is_err()));
        }
    }
}

#[test]
fn every_evaluation_is_counted_and_shared_ones_once() {
    let text = "def a(I):\n    x = hmirror(I)\n    O = vmirror(x)\n    return O\n\ndef b(I):\n    x = hmirror(I)\n    O = hconcat(x, x)\n    return O\n\n\
                def c(I):\n    x = height(I)\n    y = hmirror(x)\n    O = vmirror(y)\n    return O\n";
    let mut card = Card::new();
    for program in programs(text) {
        card.add(&program);
    }
    let plan = Plan::new(&card, Limits::default(), OnUndefined::Propagate);
    let mut executor = CardExecutor::watched(&plan, Counting::default());
    executor.begin_task();
    let demos = Value::empty_tuple();
    for sample in 0..3 {
        executor.begin_sample();
        let input = Value::Grid(grid(&format!("0{sample} 20")));
        for program in 0..3 {
            executor.run(&plan, program, Inputs { input: &input, demos: &demos, candidate: None });
        }
    }
    let evaluated = executor.nodes_evaluated();
    let Counting { seen, called } = executor.into_probe();
    let name = |node: u32| match &card.node(NodeId(node)).unwrap().op {
        NodeOp::Call { primitive, .. } => batt_dsl::primitive(*primitive).name,
        _ => "?",
    };
    let mut told: Vec<(&str, u32, bool)> = called.iter().map(|(&node, &(calls, failed))| (name(node), calls, failed)).collect();
    told.sort_unstable();
    assert_eq!(told, [("hconcat", 3, false), ("height", 3, false), ("hmirror", 3, false), ("hmirror", 3, true), ("vmirror", 3, false)]);
    assert_eq!(evaluated, called.values().map(|&(calls, _)| u64::from(calls)).sum::<u64>());
    assert!(seen < evaluated, "the first of each spent nothing before, and was not wanted");
}
