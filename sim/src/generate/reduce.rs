//! Smaller plans: what is cut out of one, a piece at a time.

mod cut;

use super::plan::Plan;
use cut::Cutter;

/// The [reductions](Plan::reductions) of a plan.
#[derive(Clone, Debug)]
pub struct Reductions<'p> {
    plan: &'p Plan,
    next: usize,
}

pub(super) fn reductions(plan: &Plan) -> Reductions<'_> {
    Reductions { plan, next: 0 }
}

impl Iterator for Reductions<'_> {
    type Item = Plan;

    fn next(&mut self) -> Option<Plan> {
        let reduced = nth(self.plan, self.next)?;
        self.next += 1;
        Some(reduced)
    }
}

/// The `n`-th reduction of a plan.
pub(super) fn nth(plan: &Plan, n: usize) -> Option<Plan> {
    let mut reduced = plan.clone();
    let mut cutter = Cutter::at(n);
    cutter.plan(&mut reduced);
    cutter.has_cut().then_some(reduced)
}
