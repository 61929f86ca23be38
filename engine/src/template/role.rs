//! What part a node has in the order of things, as strategies see it: where tokens meet, and what reaches beyond a track.

use super::{EventRef, Template};
use crate::ids::NodeId;

/// What executing a node does beyond its own track.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    #[default]
    None,
    /// It throws a message or signal.
    Throws(EventRef),
    /// It raises an error or an escalation, which climbs from scope to scope.
    Raises,
    /// It ends its scope with all that is in it.
    Terminates,
}

/// What part a node has in the order of things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Role {
    /// Tokens wait for each other on its incoming flows (PAR, ORJ, CPX).
    pub joins: bool,
    /// It asks what can still come to it, so that moves elsewhere decide as well (ORJ-6, CPX-5).
    pub looks_ahead: bool,
    /// A token there waits for external work.
    pub external: bool,
    /// In the atomic grain, an arriving token executes it in the same transition.
    pub prompt: bool,
    /// What its subscription takes away with it is more than itself: its host, or the scope around it (BND-3, ESP-1).
    pub interrupts: bool,
    /// What executing it does beyond its own track.
    pub effect: Effect,
}

impl Template {
    /// What part `node` has in the order of things.
    ///
    /// ```
    /// use trackside_engine::model::notation;
    /// use trackside_engine::template::{Compiled, Effect, compile};
    ///
    /// let file = notation::parse("s > F > A{!timer PT1H > ET} > J; F > J > e").unwrap();
    /// let template = compile(&file, &file.processes[0], &Compiled::default()).unwrap();
    /// let role = |id: &str| template.role(template.find(id).unwrap());
    /// assert!(role("J").joins && !role("J").looks_ahead && !role("F").joins);
    /// assert!(role("A_timer").interrupts);
    /// assert_eq!(role("ET").effect, Effect::Terminates);
    /// ```
    ///
    /// # Panics
    ///
    /// If `node` is not of this template.
    pub fn role(&self, node: NodeId) -> Role {
        let kind = self.kind(node);
        let several = self.incoming(node).len() > 1;
        Role {
            joins: kind.queues() && several,
            looks_ahead: kind.asks_ahead() && several,
            external: kind.external(),
            prompt: kind.prompt(),
            interrupts: kind.interrupts(),
            effect: kind.effect(),
        }
    }
}
