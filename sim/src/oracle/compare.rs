//! After a transition: whether the engine shows what the rules say.

use trackside_engine::instance::{Conditions, End, Phase, TrackView};
use trackside_engine::world::{Class, Label, Part, World};
use trackside_engine::{InstanceId, TrackId};

use super::evidence::recorded;
use super::game::{Ending, Game, Judged, Lists};
use super::marking::{Doing, Owner, RunRef, Token, TokenRef, WatchRef, Watcher};
use super::net::{FlowRef, Kind, NodeRef, Waits};
use super::{Reference, Violation};

impl Game<'_> {
    /// Facts, end and tracks. The end comes first: what else differs is mostly its consequence.
    pub(super) fn compare(
        &mut self,
        end: Option<&End>,
        tracks: impl Iterator<Item = TrackView>,
        was_ended: bool,
    ) -> Judged {
        self.compare_ends(end, was_ended)?;
        self.compare_facts()?;
        self.compare_tracks(tracks)
    }

    /// V4: the right end, and only once.
    fn compare_ends(&self, end: Option<&End>, was_ended: bool) -> Judged {
        if was_ended {
            // Late answers are facts, and compared as such.
            return Ok(());
        }
        let right = match (&self.ending, end) {
            (None, None)
            | (Some(Ending::Completed), Some(End::Completed))
            | (Some(Ending::Terminated), Some(End::Terminated))
            | (Some(Ending::Canceled), Some(End::Canceled)) => true,
            (Some(Ending::Faulted { kinds, code }), Some(End::Faulted(fault))) => {
                kinds.contains(&fault.kind) && *code == fault.code
            }
            _ => false,
        };
        if right {
            return Ok(());
        }
        let message = format!(
            "by the rules the instance ends as {:?}; it ended as {:?}",
            self.ending, end
        );
        Err(Violation::new("V4", "INS-5", None, message))
    }

    /// The same facts, in whatever order.
    fn compare_facts(&mut self) -> Judged {
        recorded(self.m, &self.evidence, &mut self.lists.recorded)?;
        let Lists { facts, recorded, .. } = &mut *self.lists;
        let missing = facts.iter().find(|fact| {
            let at = recorded.iter().position(|other| other == *fact);
            at.map(|at| recorded.swap_remove(at)).is_none()
        });
        let ((invariant, rule), node, message) = match (missing, recorded.first()) {
            (None, None) => return Ok(()),
            (Some(fact), _) => (fact.missing(), fact.node(), format!("it does not do this: {fact:?}")),
            (None, Some(fact)) => (
                fact.excess(),
                fact.node(),
                format!("the rules do not do this: {fact:?}"),
            ),
        };
        Err(self.differs(invariant, rule, node, message))
    }

    fn differs(
        &self,
        invariant: &'static str,
        rule: &'static str,
        node: Option<NodeRef>,
        message: String,
    ) -> Violation {
        Violation::new(invariant, rule, node.map(|node| self.net.id(node)), message)
    }

    /// Every track is where its token is, and does what it does.
    fn compare_tracks(&mut self, tracks: impl Iterator<Item = TrackView>) -> Judged {
        self.m.untick();
        let mut shown = 0;
        for track in tracks {
            let found = self.shown(&track)?;
            let token = self.m.called(track.id).filter(|&token| self.m.lives(token));
            let expected = token.map(|token| self.place(token));
            let once = token.is_some_and(|token| self.m.tick(token));
            if expected != Some(found) || !once {
                let message = format!("by the rules: {expected:?}; in the engine: {found:?}");
                return Err(self.differs("V6", "TRK-1", Some(found.1), message));
            }
            shown += 1;
        }
        let missing = self
            .m
            .live()
            .map(|(token, _)| token)
            .filter(|&token| !self.m.is_ticked(token));
        match missing.map(|token| self.place(token)).next() {
            Some(place) if shown < self.m.live().count() => Err(self.differs(
                "V6",
                "TRK-1",
                Some(place.1),
                format!("by the rules: {place:?}; in the engine: nothing"),
            )),
            _ => Ok(()),
        }
    }

    fn place(&self, token: TokenRef) -> (TrackId, NodeRef, Option<FlowRef>, Phase) {
        let here = self.m.token(token);
        let parallel = matches!(self.net.node(here.node).kind, Kind::Parallel);
        let (flow, phase) = match here.doing {
            Doing::Travels(flow) => (Some(flow), Phase::InTransit),
            Doing::Ready => (None, Phase::Ready),
            Doing::Throws => (None, Phase::Throwing),
            Doing::Leaves => (None, Phase::Leaving),
            Doing::Waits => (None, Phase::Waiting),
            Doing::Parked(flow, _) if parallel => (Some(flow), Phase::AwaitingMerge),
            Doing::Parked(flow, _) => (Some(flow), Phase::AwaitSync),
        };
        (self.track(token), here.node, flow, phase)
    }

    fn shown(&self, track: &TrackView) -> Judged<(TrackId, NodeRef, Option<FlowRef>, Phase)> {
        let names = self.evidence.names;
        let on_it = matches!(track.phase, Phase::InTransit | Phase::AwaitingMerge | Phase::AwaitSync);
        let flow = track.flow.filter(|_| on_it).map(|flow| names.flow(flow)).transpose()?;
        Ok((track.id, names.node(track.node)?, flow, track.phase))
    }
}

impl Reference {
    /// V5: the engine offers what the rules enable, and is stuck exactly if that is nothing (INS-6).
    pub(super) fn compare_enabled(&mut self, world: &World, instance: InstanceId) -> Judged {
        if self.marking.ended {
            return Ok(());
        }
        self.marking.untick();
        let mut offered = 0;
        for at in 0..world.count(Part::All) {
            let label = world.label(world.nth(Part::All, at));
            if label.instance == Some(instance) && label.node.is_some() {
                offered += usize::from(self.tick_off(label)?);
            }
        }
        let m = &self.marking;
        let tokens = m.live().filter(|(_, token)| self.class(token).is_some());
        let watchers = m.armed().filter(|(_, watcher)| self.is_offered(watcher));
        if offered != tokens.clone().count() + watchers.clone().count() {
            let token = tokens.map(|(name, _)| name).find(|&name| !m.is_ticked(name));
            let watcher = watchers.map(|(name, _)| name).find(|&name| !m.is_watcher_ticked(name));
            let missing = token.map(|token| (m.token(token).node, format!("{:?}", m.token(token))));
            let missing =
                missing.or(watcher.map(|watcher| (m.watcher(watcher).node, format!("{:?}", m.watcher(watcher)))));
            if let Some((node, what)) = missing {
                return Err(self.offends(node, format!("not enabled, but should be: {what}")));
            }
        }
        let hears = m.armed().any(|(_, watcher)| self.may_hear(watcher)) || self.works();
        if hears != world.instance(instance).may_hear() {
            let message = format!("the outside {} do something", if hears { "can" } else { "can't" });
            return Err(Violation::new("V5", "INS-6", None, message));
        }
        Ok(())
    }

    /// Ticks off what is offered; whether it is judged. Timers fire in due order, which is not; late answers are an option.
    fn tick_off(&mut self, label: Label) -> Judged<bool> {
        let names = self.names.as_ref().ok_or_else(|| Violation::stray("an instance"))?;
        let node = label.node.map(|node| names.node(node)).transpose()?;
        let node = node.ok_or_else(|| Violation::stray("an action"))?;
        let m = &mut self.marking;
        let token = label.track.and_then(|track| m.called(track));
        let right = match label.class {
            Class::Late => return Ok(false),
            Class::Firing if matches!(self.net.node(node).waits, Some(Waits::Timer { .. })) => return Ok(false),
            Class::Firing => {
                let owner = label.run.map(|run| Owner::Run(RunRef(run))).or(token.map(Owner::Token));
                let is_it = |name: WatchRef, other: &Watcher| {
                    other.node == node && Some(other.owner) == owner && !m.is_watcher_ticked(name)
                };
                let found = m
                    .armed()
                    .find(|&(name, watcher)| is_it(name, watcher))
                    .map(|(name, _)| name);
                let found = found.filter(|&name| self.is_offered(self.marking.watcher(name)));
                found.map(|name| self.marking.tick_watcher(name)).is_some()
            }
            class => token.is_some_and(|token| {
                let here = self.marking.token(token);
                let right = self.marking.lives(token) && here.node == node && self.class(here) == Some(class);
                right && self.marking.tick(token)
            }),
        };
        if right {
            Ok(true)
        } else {
            Err(self.offends(node, format!("enabled, but should not be: {label:?}")))
        }
    }

    /// What the rules offer of a token.
    fn class(&self, token: &Token) -> Option<Class> {
        match token.doing {
            Doing::Ready | Doing::Leaves => Some(Class::Step),
            Doing::Travels(_) => Some(Class::Arrival),
            Doing::Waits if self.net.is_external(token.node) => Some(Class::Completion),
            _ => None,
        }
    }

    fn offends(&self, node: NodeRef, message: String) -> Violation {
        Violation::new("V5", "INS-4", Some(self.net.id(node)), message)
    }

    fn works(&self) -> bool {
        let mut live = self.marking.live();
        live.any(|(_, token)| token.doing == Doing::Waits && self.net.is_external(token.node))
    }

    /// Whether something from outside could still fire it, within the bound of the environment.
    fn may_hear(&self, watcher: &Watcher) -> bool {
        let raised = matches!(
            self.net.node(watcher.node).waits,
            Some(Waits::Error(_) | Waits::Escalation(_))
        );
        !raised && self.options.refires.is_none_or(|most| watcher.fired < most)
    }

    fn is_offered(&self, watcher: &Watcher) -> bool {
        let node = self.net.node(watcher.node);
        let by_itself = match node.waits {
            Some(Waits::Message(_) | Waits::Signal(_)) => true,
            Some(Waits::Condition(_)) => self.options.conditions == Conditions::Symbolic,
            _ => false,
        };
        // Only what stays armed after it fired can fire too often.
        let again = matches!(node.kind, Kind::Boundary | Kind::Start) && !node.interrupting;
        by_itself
            && !self.is_handled(watcher)
            && (!again || self.options.refires.is_none_or(|most| watcher.fired < most))
    }

    /// ESP-2: a handler inside is armed for the message that a boundary event waits for.
    fn is_handled(&self, watcher: &Watcher) -> bool {
        let (Owner::Token(host), Some(Waits::Message(name))) = (watcher.owner, &self.net.node(watcher.node).waits)
        else {
            return false;
        };
        let inside = self.marking.hosted_by(host).map(Owner::Run);
        let same =
            |other: &Watcher| matches!(&self.net.node(other.node).waits, Some(Waits::Message(own)) if own == name);
        let mut all = self.marking.armed();
        inside.is_some() && all.any(|(_, other)| Some(other.owner) == inside && same(other))
    }
}
