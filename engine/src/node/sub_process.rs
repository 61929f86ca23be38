//! Embedded sub-processes (INS-9): a child scope per entry. An event sub-process is a room that no token enters.
//!
//! Configuration: the scope of the body. State: the scope run below the host token.

use super::exit::{self, Rule};
use super::{Build, Node, boundary};
use crate::ids::{NodeId, ScopeId};
use crate::instance::{Cx, Owner, TokenIx, Withdrawal};
use crate::model::{NodeKind, SubProcessKind};
use crate::template::Template;

#[derive(Debug)]
struct SubProcess {
    id: NodeId,
    body: ScopeId,
}

pub(super) fn build(build: &mut Build<'_, '_>) -> Option<Box<dyn Node>> {
    let NodeKind::SubProcess {
        kind,
        repeat,
        for_compensation,
        ..
    } = &build.node.kind
    else {
        return None;
    };
    match kind {
        SubProcessKind::Embedded | SubProcessKind::Event => {}
        SubProcessKind::Transaction => build.unsupported("a transaction"),
        SubProcessKind::AdHoc => build.unsupported("an ad-hoc sub-process"),
    }
    super::task::refuse_markers(build, repeat.as_ref(), *for_compensation);
    let body = build.body?;
    Some(Box::new(SubProcess { id: build.id, body }))
}

impl Node for SubProcess {
    fn place(&self) -> NodeId {
        self.id
    }

    fn prompt(&self) -> bool {
        true
    }

    fn ways(&self, t: &Template) -> u32 {
        exit::ways(t, self.id, Rule::Uncontrolled)
    }

    fn step(&self, cx: &mut Cx<'_>, token: TokenIx, _: u32) {
        cx.wait(token);
        if !boundary::arm(cx, token) {
            return;
        }
        let parent = cx.token(token).scope;
        let child = cx.open_scope(self.body, parent, token);
        cx.arm_handlers(child);
        if cx.core.end.is_none() {
            let track = cx.track(token);
            cx.begin(child, Some(track));
        }
    }

    fn drained(&self, cx: &mut Cx<'_>, token: TokenIx) {
        cx.disarm_all_of(Owner::Token(token), Withdrawal::HostEnded);
        exit::leave(cx, token, Rule::Uncontrolled, None, &[]);
    }
}
