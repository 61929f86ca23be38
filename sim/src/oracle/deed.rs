//! What a driver did, and how a transition begins by it.

use std::sync::Arc;

use trackside_engine::expr::Data;
use trackside_engine::instance::{Cause, End, FaultKind, Outcome, Record, TrackView};
use trackside_engine::template::Birth;
use trackside_engine::world::{Action, Class, Label, World};

use super::evidence::{Evidence, Records};
use super::facts::Fact;
use super::game::{Actor, Ending, Game, Judged, Work};
use super::marking::{Doing, Owner, TokenRef, WatchRef};
use super::net::{BodyRef, Kind, NodeRef, Waits};
use super::{Reference, Violation};

/// What a driver did.
#[derive(Clone, Copy, Debug)]
pub enum Deed<'d> {
    /// It started the instance by this one of the template's ways to begin.
    Start(usize),
    /// It applied an action, or gave the world an input that is one with data: for a change of data and for cancellation,
    /// the class is enough. Take the label before the action is applied.
    Action {
        /// What the action was about.
        label: Label,
        /// Which outcome external work had: 0 is well.
        outcome: u32,
    },
    /// It sent a message of this name from outside.
    Message(&'d str),
    /// It sent a signal of this name from outside.
    Signal(&'d str),
}

impl Deed<'static> {
    /// The deed of an action that is about to be applied.
    pub fn of(world: &World, action: Action) -> Self {
        Self::Action {
            label: world.label(action),
            outcome: action.outcome(),
        }
    }
}

/// What the engine shows of a transition, by whatever means.
pub(super) struct Shown<'s, T> {
    pub(super) records: Records<'s>,
    pub(super) tracks: T,
    pub(super) end: Option<&'s End>,
    /// The process data; those that it had if `None`.
    pub(super) data: Option<&'s Data>,
}

impl Reference {
    pub(super) fn play<T>(&mut self, shown: Shown<'_, T>, deed: Deed<'_>, birth: Option<Birth>) -> Judged
    where
        T: Iterator<Item = TrackView>,
    {
        let names = self.names.as_ref().ok_or_else(|| Violation::stray("an instance"))?;
        let was_ended = self.marking.ended;
        // Mostly they are the very same.
        let replaced = shown.data.filter(|data| !Arc::ptr_eq(data, &self.marking.data));
        let changed = replaced.is_some_and(|data| *data != self.marking.data);
        if let Some(data) = replaced {
            self.marking.data = Data::clone(data);
        }
        if changed && !brings_data(deed) {
            let message = "data change by what brings none".to_owned();
            return Err(Violation::new("V8", "BND-4", None, message));
        }
        self.lists.clear();
        let used = std::mem::take(&mut self.lists.used);
        let mut game = Game {
            net: &self.net,
            options: &self.options,
            m: &mut self.marking,
            paths: &mut self.paths,
            evidence: Evidence::new(names, shown.records, used),
            parts: 0,
            actor: None,
            ending: None,
            works: 0,
            lists: &mut self.lists,
        };
        if changed && !matches!(deed, Deed::Start(_)) {
            game.lists.work.push_back(Work::Conditions);
        }
        game.play(deed, birth)?;
        game.settle()?;
        game.compare(shown.end, shown.tracks, was_ended)?;
        self.lists.used = game.evidence.into_memory();
        Ok(())
    }
}

/// Work that ends well, an event or an input may bring data; nothing else does.
fn brings_data(deed: Deed<'_>) -> bool {
    match deed {
        Deed::Start(_) | Deed::Message(_) | Deed::Signal(_) => true,
        Deed::Action { label, outcome } => match label.class {
            Class::Completion => outcome == 0,
            Class::Firing | Class::Data => true,
            _ => false,
        },
    }
}

impl Game<'_> {
    fn play(&mut self, deed: Deed<'_>, birth: Option<Birth>) -> Judged {
        match deed {
            Deed::Start(_) => self.start(birth),
            Deed::Action { label, outcome } => self.act(label, outcome),
            Deed::Message(name) => {
                let starts = self.starts(|waits| matches!(waits, Waits::Message(own) if own == name));
                if !self.send(name)? && !starts {
                    self.lists
                        .facts
                        .push(Fact::Undelivered(Cause::Message(name.to_owned())));
                }
                Ok(())
            }
            Deed::Signal(name) => {
                let starts = self.starts(|waits| matches!(waits, Waits::Signal(own) if own == name));
                if !self.broadcast(name, true)? && !starts {
                    self.lists.facts.push(Fact::Undelivered(Cause::Signal(name.to_owned())));
                }
                Ok(())
            }
        }
    }

    /// Whether the event starts another instance: then it is not undelivered, whatever this one does with it.
    fn starts(&self, is_it: impl Fn(&Waits) -> bool) -> bool {
        let net = self.net;
        let starts = net.bodies[0].starts.iter();
        let arms = starts.flat_map(|&start| match net.node(start).kind {
            Kind::Gate { .. } => self.targets(start),
            _ => vec![start],
        });
        arms.filter_map(|node| net.node(node).waits.as_ref()).any(is_it)
    }

    fn start(&mut self, birth: Option<Birth>) -> Judged {
        let birth = birth.ok_or_else(|| Violation::stray("a way to begin"))?;
        let root = self.open(BodyRef(0), None, None);
        self.arm_handlers(root)?;
        if self.ending.is_some() {
            return Ok(());
        }
        match birth.node {
            None => self.begin(root, None),
            Some(node) => {
                let (node, arm) = (self.evidence.names.node(node)?, self.evidence.names.node(birth.arm)?);
                self.instantiate(node, arm)
            }
        }
    }

    fn act(&mut self, label: Label, outcome: u32) -> Judged {
        match label.class {
            Class::Step => {
                let token = self.actor(label, |doing| matches!(doing, Doing::Ready | Doing::Leaves))?;
                self.actor = Some(Actor::Token(token));
                match self.m.token(token).doing {
                    Doing::Leaves => self.leave(token),
                    _ => self.execute(token),
                }
            }
            Class::Arrival => {
                let token = self.actor(label, |doing| matches!(doing, Doing::Travels(_)))?;
                self.arrive(token)
            }
            Class::Completion => {
                let token = self.actor(label, |doing| matches!(doing, Doing::Waits))?;
                self.actor = Some(Actor::Token(token));
                self.complete(token, outcome)
            }
            Class::Late => self.answer_late(label),
            Class::Firing => self.trigger(label),
            // Time is not judged; by itself it changes nothing (EVT-3).
            Class::Clock | Class::Data => Ok(()),
            Class::Control => {
                self.end_instance(Ending::Canceled, None);
                Ok(())
            }
        }
    }

    fn not_enabled(&self, label: Label) -> Violation {
        let node = label.node.and_then(|node| self.evidence.names.node(node).ok());
        let message = format!("the rules do not enable this: {label:?}");
        Violation::new("V5", "INS-4", node.map(|node| self.net.id(node)), message)
    }

    /// The token that an action is about, if it may do that.
    fn actor(&self, label: Label, may: impl Fn(Doing) -> bool) -> Judged<TokenRef> {
        let (track, node) = (
            label.track,
            label.node.map(|node| self.evidence.names.node(node)).transpose()?,
        );
        let is_it = |token: &TokenRef| {
            let here = self.m.token(*token);
            self.m.lives(*token) && Some(here.node) == node && may(here.doing)
        };
        let found = track.and_then(|track| self.m.called(track)).filter(is_it);
        found.ok_or_else(|| self.not_enabled(label))
    }

    /// External work ends (ERR-1, ERR-3). With which code is read off the record.
    fn complete(&mut self, token: TokenRef, outcome: u32) -> Judged {
        let node = self.m.token(token).node;
        if !self.net.is_external(node) {
            return Err(self.violation("V5", "BND-11", node, "this is no external work"));
        }
        let track = self.track(token);
        let ended = self.evidence.take(|record| match record {
            Record::WorkEnded { track: of, outcome, .. } if *of == track => Some(outcome),
            _ => None,
        });
        self.lists.facts.push(Fact::WorkEnded(token, node));
        self.m.token_mut(token).working = false;
        match ended {
            Some(ended) if (*ended == Outcome::Ok) != (outcome == 0) => {
                Err(self.violation("V8", "BND-2", node, "its work ends with another outcome"))
            }
            Some(Outcome::Ok) => self.finish_work(token),
            Some(Outcome::Error(code)) => self.raise(token, code, true),
            Some(Outcome::Failure(_)) => {
                self.fault(FaultKind::Technical, None, Some(token));
                Ok(())
            }
            None => Err(self.violation("V8", "BND-2", node, "its work ends without a record")),
        }
    }

    /// BND-4: the answer of interrupted work is discarded, and that is all.
    fn answer_late(&mut self, label: Label) -> Judged {
        let answers = |&(token, _): &(TokenRef, NodeRef)| Some(self.track(token)) == label.track;
        let Some(at) = self.m.late.iter().position(answers) else {
            return Err(self.not_enabled(label));
        };
        let (token, node) = self.m.late.remove(at);
        self.lists.facts.push(Fact::Discarded(token, node));
        Ok(())
    }

    /// A subscription receives its trigger; a signal reaches all (EVT-2).
    fn trigger(&mut self, label: Label) -> Judged {
        let Some(watcher) = self.watcher_of(label)? else {
            return Err(self.not_enabled(label));
        };
        let node = self.m.watcher(watcher).node;
        self.actor = Some(Actor::Watcher(watcher));
        match &self.net.node(node).waits {
            Some(Waits::Signal(name)) => self.broadcast(name, true).map(|_| ()),
            Some(Waits::Error(_) | Waits::Escalation(_)) => Err(self.not_enabled(label)),
            _ => self.fire(watcher),
        }
    }

    pub(super) fn watcher_of(&self, label: Label) -> Judged<Option<WatchRef>> {
        let node = label.node.map(|node| self.evidence.names.node(node)).transpose()?;
        let is_owner = |owner: Owner| match owner {
            Owner::Token(token) => label.track == Some(self.track(token)),
            Owner::Run(run) => label.run == Some(run.0),
        };
        let mut all = self.m.armed();
        let found = all.find(|(_, watcher)| Some(watcher.node) == node && is_owner(watcher.owner));
        Ok(found.map(|(name, _)| name))
    }
}
