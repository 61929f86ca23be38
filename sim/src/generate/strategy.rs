//! The generator as a strategy of `proptest`: a seed is the case, cuts of its plan are what shrinking tries.

use proptest::prelude::*;
use proptest::strategy::{NewTree, ValueTree};
use proptest::test_runner::TestRunner;
use trackside_engine::model::Definitions;

use super::plan::Plan;
use super::{Parameters, reduce};

/// Random plans. They shrink by their [reductions](Plan::reductions), so that what is found is a model from which
/// nothing more can be cut.
#[derive(Clone, Debug)]
pub struct Plans {
    parameters: Parameters,
}

/// Random plans, for what needs both a model and its parts.
///
/// ```
/// use proptest::prelude::*;
/// use trackside_sim::generate::{Parameters, plans};
///
/// proptest!(|(plan in plans(Parameters::default()))| {
///     prop_assert!(!plan.definitions().scopes.is_empty());
/// });
/// ```
pub fn plans(parameters: Parameters) -> Plans {
    Plans { parameters }
}

/// Random models that shrink.
///
/// ```
/// use proptest::prelude::*;
/// use trackside_engine::{problem::any_error, validate::validate};
/// use trackside_sim::generate::{Family, Parameters, models};
///
/// proptest!(|(model in models(Parameters::of(Family::Cyclic)))| {
///     prop_assert!(!any_error(&validate(&model)));
/// });
/// ```
pub fn models(parameters: Parameters) -> impl Strategy<Value = Definitions> {
    plans(parameters).prop_map(|plan| plan.definitions())
}

impl Strategy for Plans {
    type Tree = PlanTree;
    type Value = Plan;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let seed = any::<u64>().new_tree(runner)?.current();
        Ok(PlanTree::new(super::plan(seed, &self.parameters)))
    }
}

/// A plan that is being shrunk.
#[derive(Clone, Debug)]
pub struct PlanTree {
    /// The smallest plan known to fail.
    base: Plan,
    /// The one to try.
    current: Plan,
    /// The reduction of `base` to try next.
    next: usize,
    /// Whether `base` has become smaller since reductions were last tried from the first one on.
    smaller: bool,
}

impl PlanTree {
    fn new(plan: Plan) -> Self {
        Self {
            base: plan.clone(),
            current: plan,
            next: 0,
            smaller: false,
        }
    }

    /// Whether there is one more reduction to try.
    fn advance(&mut self) -> bool {
        let mut reduced = reduce::nth(&self.base, self.next);
        if reduced.is_none() && self.smaller {
            (self.next, self.smaller) = (0, false);
            reduced = reduce::nth(&self.base, 0);
        }
        self.next += 1;
        let found = reduced.is_some();
        self.current = reduced.unwrap_or_else(|| self.base.clone());
        found
    }
}

impl ValueTree for PlanTree {
    type Value = Plan;

    fn current(&self) -> Plan {
        self.current.clone()
    }

    fn simplify(&mut self) -> bool {
        if self.current != self.base {
            // It fails as well: go on from there. What was tried before is mostly in vain now too.
            self.base = self.current.clone();
            self.next = self.next.saturating_sub(1);
            self.smaller = true;
        }
        self.advance()
    }

    fn complicate(&mut self) -> bool {
        self.advance()
    }
}
