//! What a model can be made of, and how likely each of it is under one seed.

use super::draw::Draw;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// A kind of element, or a way to use elements, that can be switched off. What another kind needs is there all
        /// the same: a loop of blocks has its exclusive gateways, for one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $($(#[$doc])* $name),*
        }

        impl Kind {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];
        }
    };
}

kinds! {
    /// Parallel gateways, and implicit splits that take every flow.
    Parallel,
    /// Exclusive choices.
    Exclusive,
    /// Inclusive gateways, and implicit splits with conditions.
    Inclusive,
    /// Complex gateways with activations.
    Complex,
    /// Event-based gateways.
    EventBased,
    /// Intermediate catch events.
    Catch,
    /// Intermediate throw events.
    Throw,
    /// Link events.
    Link,
    /// Event definitions of messages, send and receive tasks.
    Message,
    /// Timers.
    Timer,
    /// Signals.
    Signal,
    /// Conditional events.
    Conditional,
    /// Errors, raised and caught.
    Error,
    /// Escalations, raised and caught.
    Escalation,
    /// Terminate end events.
    Terminate,
    /// Boundary events.
    Boundary,
    /// Embedded sub-processes. Where a block needs one to be sound, it has one all the same.
    SubProcess,
    /// Event sub-processes.
    EventSubProcess,
    /// Boundary events and event sub-processes that interrupt.
    Interrupting,
    /// Boundary events and event sub-processes that don't.
    NonInterrupting,
    /// Two tokens on one flow: parallel branches that meet in an exclusive merge.
    Surplus,
    /// Several flows out of an activity.
    ImplicitSplit,
    /// Several flows into an activity.
    ImplicitMerge,
    /// Ends without an end event.
    ImplicitEnd,
    /// Choices with a default flow.
    Default,
    /// Several start events.
    Starts,
    /// Flows that lead back. Only in the cyclic family.
    Loop,
    /// Elements that stand in another order than that of the flow.
    Permuted,
}

/// A set of [`Kind`]s.
///
/// ```
/// use trackside_sim::generate::{Kind, Kinds};
///
/// let kinds = Kinds::ALL.without(Kind::Complex);
/// assert!(kinds.has(Kind::Parallel) && !kinds.has(Kind::Complex));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kinds(u32);

impl Kinds {
    /// All kinds.
    pub const ALL: Self = Self((1 << Kind::ALL.len()) - 1);
    /// No kind: what is left are tasks in a row.
    pub const NONE: Self = Self(0);

    /// The set without `kind`.
    #[must_use]
    pub const fn without(self, kind: Kind) -> Self {
        Self(self.0 & !(1 << kind as u32))
    }

    /// The set with `kind`.
    #[must_use]
    pub const fn with(self, kind: Kind) -> Self {
        Self(self.0 | 1 << kind as u32)
    }

    /// Whether `kind` is in the set.
    pub const fn has(self, kind: Kind) -> bool {
        self.0 >> kind as u32 & 1 == 1
    }
}

impl Default for Kinds {
    fn default() -> Self {
        Self::ALL
    }
}

/// Weights are powers of two below this one.
const WEIGHT_BITS: u32 = 6;
/// One kind in so many is switched off.
const OFF: u32 = 4;

/// The weight of each kind under one seed; 0 is off.
pub(super) struct Swarm {
    weights: [u8; Kind::ALL.len()],
}

impl Swarm {
    /// Each seed switches some kinds off and weighs the rest wildly.
    pub(super) fn draw(draw: &mut Draw, allowed: Kinds) -> Self {
        let mut weights = [0; Kind::ALL.len()];
        for (weight, &kind) in weights.iter_mut().zip(Kind::ALL) {
            let number = draw.below(OFF * WEIGHT_BITS);
            if number >= WEIGHT_BITS && allowed.has(kind) {
                *weight = 1 << (number % WEIGHT_BITS);
            }
        }
        Self { weights }
    }

    /// Every allowed kind as likely as every other.
    pub(super) fn even(allowed: Kinds) -> Self {
        let mut weights = [0; Kind::ALL.len()];
        for (weight, &kind) in weights.iter_mut().zip(Kind::ALL) {
            *weight = u8::from(allowed.has(kind)) * 8;
        }
        Self { weights }
    }

    /// Switches `kind` on, if it is allowed.
    pub(super) fn on(&mut self, kind: Kind, allowed: Kinds) {
        let weight = &mut self.weights[kind as usize];
        *weight = (*weight).max(u8::from(allowed.has(kind)) * 16);
    }

    pub(super) fn off(&mut self, kind: Kind) {
        self.weights[kind as usize] = 0;
    }

    pub(super) fn has(&self, kind: Kind) -> bool {
        self.weight(kind) > 0
    }

    fn weight(&self, kind: Kind) -> u32 {
        u32::from(self.weights[kind as usize])
    }

    /// Whether to use `kind` here: never where it is off, mostly where its weight is high.
    pub(super) fn likes(&self, draw: &mut Draw, kind: Kind) -> bool {
        let weight = self.weight(kind);
        weight > 0 && draw.below(weight + 8) < weight
    }

    /// One of `kinds`, by weight; `None` with the weight of `otherwise`, and where all are off.
    pub(super) fn pick(&self, draw: &mut Draw, kinds: &[Kind], otherwise: u32) -> Option<Kind> {
        let all: u32 = kinds.iter().map(|&kind| self.weight(kind)).sum();
        let mut number = draw.below(all + otherwise);
        for &kind in kinds {
            let weight = self.weight(kind);
            if number < weight {
                return Some(kind);
            }
            number -= weight;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_off_is_never_picked_and_what_is_on_is() {
        let mut swarm = Swarm::even(Kinds::ALL);
        swarm.off(Kind::Complex);
        let mut draw = Draw::new(0);
        let kinds = [Kind::Complex, Kind::Parallel, Kind::Timer];
        let picked: Vec<_> = (0..100).map(|_| swarm.pick(&mut draw, &kinds, 1)).collect();
        assert!(!picked.contains(&Some(Kind::Complex)) && !swarm.likes(&mut draw, Kind::Complex));
        assert!(
            picked.contains(&Some(Kind::Parallel)) && picked.contains(&Some(Kind::Timer)) && picked.contains(&None)
        );
        assert_eq!(swarm.pick(&mut draw, &[Kind::Complex], 0), None);
    }

    #[test]
    fn seeds_differ_in_what_they_switch_off() {
        let swarms: Vec<_> = (0..64)
            .map(|seed| Swarm::draw(&mut Draw::new(seed), Kinds::ALL))
            .collect();
        for &kind in Kind::ALL {
            let on = swarms.iter().filter(|swarm| swarm.has(kind)).count();
            assert!((32..64).contains(&on), "{kind:?}: {on} of 64");
        }
        let only = Swarm::draw(&mut Draw::new(0), Kinds::NONE.with(Kind::Link));
        assert!(Kind::ALL.iter().all(|&kind| kind == Kind::Link || !only.has(kind)));
    }
}
