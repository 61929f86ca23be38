//! The oracle's marking: tokens, scope runs and subscriptions, as plain lists.

use std::collections::{BTreeMap, BTreeSet};

use trackside_engine::expr::Data;
use trackside_engine::{TrackId, WatcherId};

use super::net::{BodyRef, FlowRef, NodeRef};

/// A token, dead or alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TokenRef(pub(super) u32);

/// A run of a scope, numbered in order of opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RunRef(pub(super) u32);

/// A subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WatchRef(pub(super) u32);

/// The process itself.
pub(super) const ROOT: RunRef = RunRef(0);

/// What a token is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// It is in transit on a flow.
    Travels(FlowRef),
    /// It is about to execute its node.
    Ready,
    /// It throws a message or signal whose effects come first (EVT-2).
    Throws,
    /// It waits for an event, for external work, or for what it hosts.
    Waits,
    /// It stands at a join, on a flow; the number says in which order tokens came to stand.
    Parked(FlowRef, u32),
}

/// A live token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) node: NodeRef,
    pub(super) doing: Doing,
    pub(super) run: RunRef,
    /// External work of it is running, and not merely waiting (BND-4).
    pub(super) working: bool,
    /// It is the survivor of a complex join's second phase (CPX-6).
    pub(super) resets: bool,
}

/// One run of a scope (INS-9).
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) body: BodyRef,
    pub(super) around: Option<RunRef>,
    /// The token at the sub-process; none for the process and for event sub-processes.
    pub(super) host: Option<TokenRef>,
    /// Arms of a parallel start that have not occurred (EVG-4).
    pub(super) owed: u32,
    /// The complex joins whose wave is open (CPX-6).
    pub(super) waves: BTreeMap<NodeRef, Wave>,
}

/// The wave of a complex join, from its firing until it re-arms.
#[derive(Clone, Debug, Default)]
pub(super) struct Wave {
    pub(super) used: BTreeSet<FlowRef>,
    pub(super) trailed: BTreeSet<FlowRef>,
}

/// Who a subscription belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Token(TokenRef),
    Run(RunRef),
}

/// A subscription.
#[derive(Clone, Debug)]
pub(super) struct Watcher {
    pub(super) node: NodeRef,
    pub(super) owner: Owner,
    /// What its condition was last (EVT-4).
    pub(super) last: bool,
    pub(super) fired: u32,
}

/// Everything that a transition changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Marking {
    pub(super) tokens: BTreeMap<TokenRef, Token>,
    pub(super) runs: BTreeMap<RunRef, Run>,
    pub(super) watchers: BTreeMap<WatchRef, Watcher>,
    /// Work that was asked to stop and has not answered (BND-4).
    pub(super) late: Vec<(TokenRef, NodeRef)>,
    pub(super) ended: bool,
    pub(super) data: Data,
    /// What the engine calls the tokens.
    pub(super) tracks: BTreeMap<TokenRef, TrackId>,
    /// What the engine calls the subscriptions.
    pub(super) names: BTreeMap<WatchRef, WatcherId>,
    tokens_made: u32,
    runs_made: u32,
    watchers_made: u32,
    parkings: u32,
}

impl Marking {
    pub(super) fn bear(&mut self, token: Token) -> TokenRef {
        self.tokens_made += 1;
        let name = TokenRef(self.tokens_made - 1);
        self.tokens.insert(name, token);
        name
    }

    pub(super) fn open(&mut self, run: Run) -> RunRef {
        self.runs_made += 1;
        let name = RunRef(self.runs_made - 1);
        self.runs.insert(name, run);
        name
    }

    pub(super) fn watch(&mut self, watcher: Watcher) -> WatchRef {
        self.watchers_made += 1;
        let name = WatchRef(self.watchers_made - 1);
        self.watchers.insert(name, watcher);
        name
    }

    /// The next place in the order of parking.
    pub(super) fn next_parking(&mut self) -> u32 {
        self.parkings += 1;
        self.parkings
    }

    pub(super) fn token(&self, token: TokenRef) -> &Token {
        &self.tokens[&token]
    }

    /// Whether a track of the engine's stands for a live token of this run.
    pub(super) fn is_in(&self, run: RunRef, track: TrackId) -> bool {
        let of_run = self.tokens.iter().filter(|(_, token)| token.run == run);
        of_run
            .into_iter()
            .any(|(name, _)| self.tracks.get(name) == Some(&track))
    }

    pub(super) fn token_mut(&mut self, token: TokenRef) -> &mut Token {
        self.tokens.get_mut(&token).expect("the token lives")
    }

    pub(super) fn run(&self, run: RunRef) -> &Run {
        &self.runs[&run]
    }

    pub(super) fn run_mut(&mut self, run: RunRef) -> &mut Run {
        self.runs.get_mut(&run).expect("the run is open")
    }

    pub(super) fn tokens_in(&self, run: RunRef) -> Vec<TokenRef> {
        let of_run = self.tokens.iter().filter(|(_, token)| token.run == run);
        of_run.map(|(&name, _)| name).collect()
    }

    /// The event sub-processes that run beside the tokens of a run.
    pub(super) fn handlers_in(&self, run: RunRef) -> Vec<RunRef> {
        let beside = |(_, other): &(&RunRef, &Run)| other.around == Some(run) && other.host.is_none();
        self.runs.iter().filter(beside).map(|(&name, _)| name).collect()
    }

    /// The run below a token at a sub-process.
    pub(super) fn hosted_by(&self, token: TokenRef) -> Option<RunRef> {
        let hosted = self.runs.iter().find(|(_, run)| run.host == Some(token));
        hosted.map(|(&name, _)| name)
    }

    pub(super) fn watchers_of(&self, owner: Owner) -> Vec<WatchRef> {
        let of_owner = self.watchers.iter().filter(|(_, watcher)| watcher.owner == owner);
        of_owner.map(|(&name, _)| name).collect()
    }

    /// The tokens parked on one incoming flow of a join, earliest first (PAR-2).
    pub(super) fn queue(&self, run: RunRef, flow: FlowRef) -> Vec<TokenRef> {
        let mut queue = Vec::new();
        for name in self.tokens_in(run) {
            if let Doing::Parked(on, order) = self.token(name).doing
                && on == flow
            {
                queue.push((order, name));
            }
        }
        queue.sort_unstable();
        queue.into_iter().map(|(_, name)| name).collect()
    }

    /// Whether nothing is left in a run, and nothing owed to it (INS-5, ESP-1, EVG-4).
    pub(super) fn is_drained(&self, run: RunRef) -> bool {
        self.tokens_in(run).is_empty() && self.handlers_in(run).is_empty() && self.run(run).owed == 0
    }
}
