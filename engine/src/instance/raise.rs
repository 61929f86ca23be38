//! Errors and escalations climb scopes to the innermost catcher (ERR-1, ESC-1, ESP-2, ESP-3), in the transition that
//! raised them.

use super::cx::Cx;
use super::mark::mark;
use super::state::{Owner, ScopeIx, TokenIx, WatcherIx};
use super::{Cause, FaultKind, Record};
use crate::ids::{ScopeId, TrackId};
use crate::node::Spec;

/// Which of the two is climbing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Raised {
    Error,
    Escalation,
}

impl Cx<'_> {
    /// `token` raises an error; `own` says whether the node it stands at is a host that may catch it itself.
    /// An uncaught one ends the instance (ERR-2).
    pub(crate) fn raise_error(&mut self, token: TokenIx, code: &str, own: bool) {
        let track = self.track(token);
        let node = self.token(token).node;
        self.record(|_| Record::Thrown {
            track,
            node,
            cause: Cause::Error(code.to_owned()),
        });
        if let Some(catcher) = self.catcher(token, Raised::Error, code, own) {
            self.fire(catcher, None, Some(code), None);
        } else {
            let message = format!("error `{code}` is caught nowhere");
            self.fault(FaultKind::Error, node, Some(track), Some(code.to_owned()), message, &[]);
        }
    }

    /// `token` raises an escalation and goes on; an uncaught one is recorded.
    pub(crate) fn raise_escalation(&mut self, token: TokenIx, code: &str) {
        let track = self.track(token);
        let node = self.token(token).node;
        self.record(|_| Record::Thrown {
            track,
            node,
            cause: Cause::Escalation(code.to_owned()),
        });
        if let Some(catcher) = self.catcher(token, Raised::Escalation, code, false) {
            self.fire(catcher, None, Some(code), None);
        } else {
            mark!(self.core, EscalationUncaught);
            self.record(|_| Record::Undelivered {
                cause: Cause::Escalation(code.to_owned()),
            });
        }
    }

    /// Whether the track is still there: what it raised may have withdrawn it.
    pub(crate) fn lives(&self, token: TokenIx, track: TrackId) -> bool {
        let here = self.token(token);
        self.core.end.is_none() && here.id == track && here.phase != super::Phase::Dead
    }

    /// The innermost catcher: at each level the handlers of the scope come before the boundary of its activity, and the
    /// same code before one without.
    fn catcher(&mut self, token: TokenIx, raised: Raised, code: &str, own: bool) -> Option<WatcherIx> {
        if own && let Some(found) = self.catcher_of(Owner::Token(token), raised, code, None) {
            return Some(found);
        }
        let mut scope = self.token(token).scope;
        let mut below = None;
        loop {
            if let Some(found) = self.catcher_of(Owner::Scope(scope), raised, code, below) {
                return Some(found);
            }
            let run = self.core.scopes.get(scope.0);
            let (def, host, parent) = (run.def, run.host, run.parent);
            if let Some(host) = host.some()
                && let Some(found) = self.catcher_of(Owner::Token(host), raised, code, None)
            {
                return Some(found);
            }
            below = Some(def);
            scope = parent.some()?;
        }
    }

    /// What `owner` holds that catches it. A handler does not catch what is raised in its own run, `below`: passing on
    /// what it could not handle would never end.
    fn catcher_of(&mut self, owner: Owner, raised: Raised, code: &str, below: Option<ScopeId>) -> Option<WatcherIx> {
        let mut next = match owner {
            Owner::Token(token) => self.token(token).watchers,
            Owner::Scope(ScopeIx(scope)) => self.core.scopes.get(scope).watchers,
        };
        // The list has the youngest first; among equals the one that stands first in the document takes it.
        let (mut exact, mut any) = (None, None);
        while let Some(ix) = next.some() {
            let watcher = self.watcher(ix);
            next = watcher.next;
            if below == Some(self.t.node(watcher.node).scope) {
                mark!(self.core, OwnRunSkipped);
                continue;
            }
            let ((Some(Spec::Error(caught)), Raised::Error) | (Some(Spec::Escalation(caught)), Raised::Escalation)) =
                (self.t.kind(watcher.node).spec(), raised)
            else {
                continue;
            };
            match caught {
                Some(caught) if caught == code => exact = Some(ix),
                Some(_) => {}
                None => any = Some(ix),
            }
        }
        mark!(self.core, ExactCodeFirst if exact.is_some() && any.is_some());
        exact.or(any)
    }
}
