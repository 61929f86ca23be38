//! Exclusive gateways (XOR): a split takes one flow, a merge lets every token through.
//!
//! Configuration: none beyond the flows. State: none.

use super::exit::{self, Rule};
use super::{Build, Node};
use crate::ids::NodeId;
use crate::instance::{Cx, TokenIx};
use crate::model::{Gateway, NodeKind};
use crate::template::Template;

#[derive(Debug)]
struct Exclusive {
    id: NodeId,
}

pub(super) fn build(build: &mut Build<'_, '_>) -> Option<Box<dyn Node>> {
    let exclusive = matches!(
        build.node.kind,
        NodeKind::Gateway {
            gateway: Gateway::Exclusive,
            ..
        }
    );
    exclusive.then(|| Box::new(Exclusive { id: build.id }) as Box<dyn Node>)
}

impl Node for Exclusive {
    fn place(&self) -> NodeId {
        self.id
    }

    fn passes(&self) -> bool {
        true
    }

    fn ways(&self, t: &Template) -> u32 {
        exit::ways(t, self.id, Rule::Exclusive)
    }

    fn step(&self, cx: &mut Cx<'_>, token: TokenIx, choice: u32) {
        exit::leave(cx, token, Rule::Exclusive, Some(choice), &[]);
    }
}
