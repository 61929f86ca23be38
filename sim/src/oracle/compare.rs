//! After a transition: whether the engine shows what the rules say.

use trackside_engine::instance::{Conditions, End, Phase, TrackView};
use trackside_engine::world::{Class, Part, World};
use trackside_engine::{InstanceId, TrackId};

use super::evidence::{Names, recorded};
use super::game::{Ending, Game, Judged};
use super::marking::{Doing, Owner, TokenRef, Watcher};
use super::net::{FlowRef, Kind, Net, NodeRef, Waits};
use super::{Reference, Seen, Violation};

impl Game<'_> {
    /// Facts, end and tracks. The end comes first: what else differs is mostly its consequence.
    pub(super) fn compare(&self, seen: &Seen<'_>, was_ended: bool) -> Judged {
        self.compare_ends(seen, was_ended)?;
        self.compare_facts()?;
        self.compare_tracks(seen.tracks)
    }

    /// V4: the right end, and only once.
    fn compare_ends(&self, seen: &Seen<'_>, was_ended: bool) -> Judged {
        if was_ended {
            // Late answers are facts, and compared as such.
            return Ok(());
        }
        let right = match (&self.ending, seen.end) {
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
            self.ending, seen.end
        );
        Err(Violation::new("V4", "INS-5", None, message))
    }

    /// The same facts, in whatever order.
    fn compare_facts(&self) -> Judged {
        let mut excess = recorded(self.m, &self.evidence)?;
        for fact in &self.facts {
            let Some(at) = excess.iter().position(|other| other == fact) else {
                let (invariant, rule) = fact.missing();
                return Err(self.differs(invariant, rule, fact.node(), format!("it does not do this: {fact:?}")));
            };
            excess.swap_remove(at);
        }
        match excess.first() {
            None => Ok(()),
            Some(fact) => {
                let (invariant, rule) = fact.excess();
                Err(self.differs(
                    invariant,
                    rule,
                    fact.node(),
                    format!("the rules do not do this: {fact:?}"),
                ))
            }
        }
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
    fn compare_tracks(&self, tracks: &[TrackView]) -> Judged {
        let mut expected: Vec<_> = self.m.tokens.keys().map(|&token| self.place(token)).collect();
        let found = tracks.iter().map(|track| self.shown(track));
        let mut found: Vec<_> = found.collect::<Result<_, _>>()?;
        expected.sort_unstable_by_key(|place| place.0);
        found.sort_unstable_by_key(|place| place.0);
        if expected == found {
            return Ok(());
        }
        let missing = expected.iter().find(|place| !found.contains(place));
        let excess = found.iter().find(|place| !expected.contains(place));
        let node = missing.or(excess).map(|place| place.1);
        let message = format!("by the rules: {missing:?}; in the engine: {excess:?}");
        Err(self.differs("V6", "TRK-1", node, message))
    }

    fn place(&self, token: TokenRef) -> (TrackId, NodeRef, Option<FlowRef>, Phase) {
        let here = self.m.token(token);
        let parallel = matches!(self.net.node(here.node).kind, Kind::Parallel);
        let (flow, phase) = match here.doing {
            Doing::Travels(flow) => (Some(flow), Phase::InTransit),
            Doing::Ready => (None, Phase::Ready),
            Doing::Throws => (None, Phase::Throwing),
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

/// An action, as far as tokens and subscriptions tell it.
type Offer = (Class, Option<TrackId>, Option<u32>, NodeRef);

impl Reference {
    /// V5: the engine offers what the rules enable, and is stuck exactly if that is nothing (INS-6).
    pub(super) fn compare_enabled(&self, names: &Names, world: &World, instance: InstanceId) -> Judged {
        if self.marking.ended {
            return Ok(());
        }
        let mut offered: Vec<Offer> = Vec::new();
        for action in world.enabled(Part::All) {
            let label = world.label(action);
            if label.instance == Some(instance)
                && let Some(node) = label.node
            {
                offered.push((label.class, label.track, label.run, names.node(node)?));
            }
        }
        for offer in self.offers() {
            match offered.iter().position(|other| *other == offer) {
                Some(at) => drop(offered.swap_remove(at)),
                None => return Err(self.offends(offer.3, format!("not enabled, but should be: {offer:?}"))),
            }
        }
        // Timers fire in due order, which is not judged; late answers are an option.
        let judged = |offer: &&Offer| !(offer.0 == Class::Late || offer.0 == Class::Firing && self.is_timer(offer.3));
        if let Some(offer) = offered.iter().find(judged) {
            return Err(self.offends(offer.3, format!("enabled, but should not be: {offer:?}")));
        }
        let hears = self.marking.watchers.values().any(|watcher| self.may_hear(watcher)) || self.works();
        if hears != world.instance(instance).may_hear() {
            let message = format!("the outside {} do something", if hears { "can" } else { "can't" });
            return Err(Violation::new("V5", "INS-6", None, message));
        }
        Ok(())
    }

    fn offends(&self, node: NodeRef, message: String) -> Violation {
        Violation::new("V5", "INS-4", Some(self.net.id(node)), message)
    }

    fn is_timer(&self, node: NodeRef) -> bool {
        matches!(self.net.node(node).waits, Some(Waits::Timer(_)))
    }

    fn works(&self) -> bool {
        let external = |net: &Net, node| net.is_external(node);
        self.marking
            .tokens
            .values()
            .any(|token| token.doing == Doing::Waits && external(&self.net, token.node))
    }

    /// Whether something from outside could still fire it, within the bound of the environment.
    fn may_hear(&self, watcher: &Watcher) -> bool {
        let raised = matches!(
            self.net.node(watcher.node).waits,
            Some(Waits::Error(_) | Waits::Escalation(_))
        );
        !raised && self.options.refires.is_none_or(|most| watcher.fired < most)
    }

    fn offers(&self) -> Vec<Offer> {
        let m = &self.marking;
        let mut offers = Vec::new();
        for (token, here) in &m.tokens {
            let class = match here.doing {
                Doing::Ready => Class::Step,
                Doing::Travels(_) => Class::Arrival,
                Doing::Waits if self.net.is_external(here.node) => Class::Completion,
                _ => continue,
            };
            offers.push((class, Some(m.tracks[token]), None, here.node));
        }
        for watcher in m.watchers.values().filter(|watcher| self.is_offered(watcher)) {
            let (track, run) = match watcher.owner {
                Owner::Token(token) => (Some(m.tracks[&token]), None),
                Owner::Run(run) => (None, Some(run.0)),
            };
            offers.push((Class::Firing, track, run, watcher.node));
        }
        offers
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
        let mut all = self.marking.watchers.values();
        inside.is_some() && all.any(|other| Some(other.owner) == inside && same(other))
    }
}
