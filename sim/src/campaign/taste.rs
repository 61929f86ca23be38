//! What a seed is after: of several generated models it runs the one that has most of what it likes side by side.
//!
//! Faults of ordering need several things to meet in one scope (an inclusive join *and* a caught error, a terminate end
//! *and* a parked token), and most random models have little of any given combination. So each seed likes about half of a
//! list of features, as swarm testing leaves out about half of what there is, and picks among a few candidates the one with
//! most of them in one scope. That is all it does: every candidate is a model of the generator, and every model stays
//! possible.

use std::collections::BTreeMap;

use trackside_engine::model::{Definitions, Gateway, NodeKind, Scope, Trigger};

use crate::schedule::Dice;

/// So many models are drawn, of which one is run.
pub(super) const CANDIDATES: usize = 6;
/// Something that a scope has, as a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Feature {
    AndJoin,
    OrJoin,
    ComplexJoin,
    OrSplit,
    EventGate,
    Interrupting,
    NonInterrupting,
    Raise,
    Catch,
    Terminate,
    SubProcess,
    Handler,
    Link,
    Inner,
    /// Several tokens may come by one flow, or more than once.
    Merge,
    External,
    /// Whether it is the process itself.
    Root,
}

const FEATURES: u32 = Feature::Root as u32 + 1;

/// The features that a seed likes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Taste(u32);

impl Taste {
    pub(super) fn draw(dice: &mut Dice) -> Self {
        Self(dice.below(1 << FEATURES) as u32)
    }

    /// How much it likes a model: the features of the scope that has most of them.
    pub(super) fn of(self, model: &Definitions) -> u32 {
        let liked = model.scopes.iter().map(|scope| (features(scope) & self.0).count_ones());
        liked.max().unwrap_or(0)
    }
}

fn features(scope: &Scope) -> u32 {
    let mut ways: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for flow in &scope.flows {
        ways.entry(&flow.target).or_default().0 += 1;
        ways.entry(&flow.source).or_default().1 += 1;
    }
    let mut all = 0;
    let mut add = |feature: Feature| all |= 1 << feature as u32;
    for node in &scope.nodes {
        let (incoming, outgoing) = ways.get(&*node.id).copied().unwrap_or_default();
        if incoming > 1 {
            add(Feature::Merge);
        }
        kind(&node.kind, incoming > 1, outgoing > 1, &mut add);
    }
    add(if scope.parent.is_none() {
        Feature::Root
    } else {
        Feature::Inner
    });
    all
}

fn kind(kind: &NodeKind, joins: bool, splits: bool, add: &mut impl FnMut(Feature)) {
    match kind {
        NodeKind::Gateway { gateway, .. } => match gateway {
            Gateway::Parallel if joins => add(Feature::AndJoin),
            Gateway::Complex { .. } if joins => add(Feature::ComplexJoin),
            Gateway::EventBased { .. } => add(Feature::EventGate),
            Gateway::Inclusive => {
                if joins {
                    add(Feature::OrJoin);
                }
                if splits {
                    add(Feature::OrSplit);
                }
            }
            _ => {}
        },
        NodeKind::Boundary {
            interrupting, events, ..
        } => {
            add(if *interrupting {
                Feature::Interrupting
            } else {
                Feature::NonInterrupting
            });
            if events
                .iter()
                .any(|event| matches!(event.trigger, Trigger::Error(_) | Trigger::Escalation(_)))
            {
                add(Feature::Catch);
            }
        }
        NodeKind::End { events } | NodeKind::Throw { events } => {
            for event in events {
                match event.trigger {
                    Trigger::Terminate => add(Feature::Terminate),
                    Trigger::Error(_) | Trigger::Escalation(_) => add(Feature::Raise),
                    Trigger::Link(_) => add(Feature::Link),
                    _ => {}
                }
            }
        }
        NodeKind::SubProcess { .. } => add(Feature::SubProcess),
        NodeKind::Start {
            interrupting, events, ..
        } if !events.is_empty() => {
            add(Feature::Handler);
            add(if *interrupting {
                Feature::Interrupting
            } else {
                Feature::NonInterrupting
            });
        }
        NodeKind::Task { .. } => add(Feature::External),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use trackside_engine::model::notation;

    use super::*;

    #[test]
    fn a_taste_prefers_what_has_more_of_it_in_one_scope() {
        let taste = Taste(1 << Feature::OrJoin as u32 | 1 << Feature::Terminate as u32);
        let like = |text: &str| taste.of(&notation::parse(text).expect("a model"));
        let both = "s > O > A > J > e; O > B > J; O > ET; or J";
        let apart = "s > O > A > J > e; O > B > J; O > S{s1 > ET1} > J; or J";
        assert_eq!((like("s > A > e"), like(apart), like(both)), (0, 1, 2));
    }

    #[test]
    fn every_feature_comes_up_in_generated_models() {
        let models = (0..300).map(|seed| crate::generate::model(seed, &crate::generate::Parameters::default()));
        let seen = models.fold(0, |seen, model| {
            model.scopes.iter().fold(seen, |seen, scope| seen | features(scope))
        });
        assert_eq!(seen, (1 << FEATURES) - 1);
    }
}
