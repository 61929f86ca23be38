//! Link events (EVT-1, ORJ-4): a throw goes on at the catch of the same name in the same scope.
//!
//! Configuration: where the throw leads. State: none. Both are executed in one transition: a link is a line that was not
//! drawn.

use super::exit::{self, Rule};
use super::{Build, Node};
use crate::ids::NodeId;
use crate::instance::{Cx, TokenIx};
use crate::model::{NodeKind, Trigger};
use crate::template::Template;

#[derive(Debug)]
struct Link {
    id: NodeId,
    /// The catch, for a throw.
    target: Option<NodeId>,
}

pub(super) fn build(build: &mut Build<'_, '_>) -> Option<Box<dyn Node>> {
    let (events, throws) = match &build.node.kind {
        NodeKind::Throw { events } => (events, true),
        NodeKind::Catch { events, .. } => (events, false),
        _ => return None,
    };
    let [event] = events.as_slice() else { return None };
    let Trigger::Link(name) = &event.trigger else {
        return None;
    };
    let target = build.around.links.get(&build.id).copied();
    if throws && target.is_none() {
        let message = match name {
            Some(name) => format!(
                "link `{name}`, thrown by `{}`, has no catch event in this scope",
                build.node.id
            ),
            None => format!("`{}` throws a link without a name", build.node.id),
        };
        build.error(
            "EVT-1",
            message,
            "give a link catch event of this scope the same link name",
        );
    }
    Some(Box::new(Link {
        id: build.id,
        target: target.filter(|_| throws),
    }))
}

impl Node for Link {
    fn place(&self) -> NodeId {
        self.id
    }

    fn ways(&self, t: &Template) -> u32 {
        exit::ways(t, self.target.unwrap_or(self.id), Rule::Uncontrolled)
    }

    fn step(&self, cx: &mut Cx<'_>, token: TokenIx, choice: u32) {
        if let Some(target) = self.target {
            cx.executed(token);
            cx.move_to(token, target);
        }
        exit::leave(cx, token, Rule::Uncontrolled, Some(choice), &[]);
    }
}
