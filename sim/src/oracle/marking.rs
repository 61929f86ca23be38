//! The oracle's marking: tokens, scope runs and subscriptions, as plain lists that keep their memory from run to run.

use std::collections::{BTreeMap, BTreeSet};

use trackside_engine::expr::Data;
use trackside_engine::{TrackId, WatcherId};

use super::net::{BodyRef, FlowRef, NodeRef};
use super::paths::Position;
use super::table::Table;

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
    /// It is done with its node, within an action about something else, and is about to choose its way out (EVT-6).
    Leaves,
    /// It waits for an event, for external work, or for what it hosts.
    Waits,
    /// It stands at a join, on a flow; the number says in which order tokens came to stand.
    Parked(FlowRef, u32),
}

/// A token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) node: NodeRef,
    pub(super) doing: Doing,
    pub(super) run: RunRef,
    /// External work of it is running, and not merely waiting (BND-4).
    pub(super) working: bool,
    /// It is the survivor of a complex join's second phase (CPX-6).
    pub(super) resets: bool,
    /// What the engine calls it.
    pub(super) track: TrackId,
    lives: bool,
    ticked: u64,
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
    is_open: bool,
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
    /// What the engine calls it.
    pub(super) name: WatcherId,
    is_armed: bool,
    ticked: u64,
}

/// Everything that a transition changes. Tokens, runs and subscriptions of a whole run are kept under their numbers;
/// beside them stand lists of those that there are, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Marking {
    tokens: Vec<Token>,
    live: Vec<TokenRef>,
    runs: Vec<Run>,
    open: Vec<RunRef>,
    watchers: Vec<Watcher>,
    armed: Vec<WatchRef>,
    /// Work that was asked to stop and has not answered (BND-4).
    pub(super) late: Vec<(TokenRef, NodeRef)>,
    pub(super) ended: bool,
    pub(super) data: Data,
    /// The tokens by what the engine calls them.
    named: Table<Option<TokenRef>>,
    parkings: u32,
    ticks: u64,
}

impl Marking {
    /// Nothing has happened; memory is kept.
    pub(super) fn clear(&mut self) {
        self.tokens.clear();
        self.live.clear();
        self.runs.clear();
        self.open.clear();
        self.watchers.clear();
        self.armed.clear();
        self.late.clear();
        self.named.clear();
        (self.ended, self.parkings, self.ticks) = (false, 0, 0);
    }

    // ---- tokens ----

    /// A token is born that the engine calls `track`. `None` if that can't be the name of a track.
    pub(super) fn bear(&mut self, track: TrackId, node: NodeRef, doing: Doing, run: RunRef) -> Option<TokenRef> {
        let token = TokenRef(self.tokens.len() as u32);
        *self.named.at_mut(track.0)? = Some(token);
        self.tokens.push(Token {
            node,
            doing,
            run,
            working: false,
            resets: false,
            track,
            lives: true,
            ticked: 0,
        });
        self.live.push(token);
        Some(token)
    }

    pub(super) fn bury(&mut self, token: TokenRef) {
        if let Ok(at) = self.live.binary_search(&token) {
            self.live.remove(at);
        }
        self.token_mut(token).lives = false;
    }

    pub(super) fn token(&self, token: TokenRef) -> &Token {
        &self.tokens[token.0 as usize]
    }

    pub(super) fn token_mut(&mut self, token: TokenRef) -> &mut Token {
        &mut self.tokens[token.0 as usize]
    }

    pub(super) fn lives(&self, token: TokenRef) -> bool {
        self.token(token).lives
    }

    /// The live tokens, oldest first.
    pub(super) fn live(&self) -> impl Iterator<Item = (TokenRef, &Token)> + Clone {
        self.live.iter().map(|&name| (name, self.token(name)))
    }

    /// The token that the engine calls so, dead or alive.
    pub(super) fn called(&self, track: TrackId) -> Option<TokenRef> {
        self.named.at(track.0)
    }

    /// Whether a track of the engine's stands for a live token of this run.
    pub(super) fn is_in(&self, run: RunRef, track: TrackId) -> bool {
        self.called(track)
            .is_some_and(|token| self.lives(token) && self.token(token).run == run)
    }

    pub(super) fn of_run(&self, run: RunRef) -> impl Iterator<Item = (TokenRef, &Token)> + Clone {
        self.live().filter(move |(_, token)| token.run == run)
    }

    pub(super) fn tokens_in(&self, run: RunRef) -> Vec<TokenRef> {
        self.of_run(run).map(|(name, _)| name).collect()
    }

    /// Where the live tokens of a run are that are not parked at `join`. One that hosts a scope counts as being at its
    /// sub-process (ORJ-3).
    pub(super) fn others(&self, run: RunRef, join: NodeRef) -> impl Iterator<Item = Position> {
        let elsewhere = self
            .of_run(run)
            .filter(move |(_, token)| !(token.node == join && matches!(token.doing, Doing::Parked(..))));
        elsewhere.map(|(_, token)| match token.doing {
            Doing::Travels(flow) => Position::On(flow),
            _ => Position::At(token.node),
        })
    }

    /// The next place in the order of parking.
    pub(super) fn next_parking(&mut self) -> u32 {
        self.parkings += 1;
        self.parkings
    }

    /// The tokens parked on one incoming flow of a join, each with its place in the order of parking.
    pub(super) fn parked(&self, run: RunRef, flow: FlowRef) -> impl Iterator<Item = (u32, TokenRef)> + Clone {
        self.of_run(run).filter_map(move |(name, token)| match token.doing {
            Doing::Parked(on, order) if on == flow => Some((order, name)),
            _ => None,
        })
    }

    /// The one of them that has stood longest (PAR-2).
    pub(super) fn first_parked(&self, run: RunRef, flow: FlowRef) -> Option<TokenRef> {
        self.parked(run, flow).min().map(|(_, name)| name)
    }

    // ---- scope runs ----

    pub(super) fn open(&mut self, body: BodyRef, around: Option<RunRef>, host: Option<TokenRef>) -> RunRef {
        let run = RunRef(self.runs.len() as u32);
        self.runs.push(Run {
            body,
            around,
            host,
            owed: 0,
            waves: BTreeMap::new(),
            is_open: true,
        });
        self.open.push(run);
        run
    }

    pub(super) fn close(&mut self, run: RunRef) {
        self.open.retain(|&other| other != run);
        self.run_mut(run).is_open = false;
    }

    pub(super) fn run(&self, run: RunRef) -> &Run {
        &self.runs[run.0 as usize]
    }

    pub(super) fn run_mut(&mut self, run: RunRef) -> &mut Run {
        &mut self.runs[run.0 as usize]
    }

    pub(super) fn is_open(&self, run: RunRef) -> bool {
        self.runs.get(run.0 as usize).is_some_and(|run| run.is_open)
    }

    pub(super) fn open_runs(&self) -> impl Iterator<Item = (RunRef, &Run)> {
        self.open.iter().map(|&name| (name, self.run(name)))
    }

    /// The event sub-processes that run beside the tokens of a run.
    pub(super) fn handlers_in(&self, run: RunRef) -> impl Iterator<Item = RunRef> {
        let beside = move |(_, other): &(RunRef, &Run)| other.around == Some(run) && other.host.is_none();
        self.open_runs().filter(beside).map(|(name, _)| name)
    }

    /// The run below a token at a sub-process.
    pub(super) fn hosted_by(&self, token: TokenRef) -> Option<RunRef> {
        let mut hosted = self.open_runs().filter(|(_, run)| run.host == Some(token));
        hosted.next().map(|(name, _)| name)
    }

    /// Whether nothing is left in a run, and nothing owed to it (INS-5, ESP-1, EVG-4).
    pub(super) fn is_drained(&self, run: RunRef) -> bool {
        self.of_run(run).next().is_none() && self.handlers_in(run).next().is_none() && self.run(run).owed == 0
    }

    // ---- subscriptions ----

    pub(super) fn arm(&mut self, name: WatcherId, node: NodeRef, owner: Owner, last: bool) -> WatchRef {
        let watcher = WatchRef(self.watchers.len() as u32);
        self.watchers.push(Watcher {
            node,
            owner,
            last,
            fired: 0,
            name,
            is_armed: true,
            ticked: 0,
        });
        self.armed.push(watcher);
        watcher
    }

    pub(super) fn disarm(&mut self, watcher: WatchRef) {
        self.armed.retain(|&other| other != watcher);
        self.watcher_mut(watcher).is_armed = false;
    }

    pub(super) fn watcher(&self, watcher: WatchRef) -> &Watcher {
        &self.watchers[watcher.0 as usize]
    }

    pub(super) fn watcher_mut(&mut self, watcher: WatchRef) -> &mut Watcher {
        &mut self.watchers[watcher.0 as usize]
    }

    pub(super) fn is_armed(&self, watcher: WatchRef) -> bool {
        self.watcher(watcher).is_armed
    }

    /// The subscriptions that are armed, oldest first.
    pub(super) fn armed(&self) -> impl Iterator<Item = (WatchRef, &Watcher)> + Clone {
        self.armed.iter().map(|&name| (name, self.watcher(name)))
    }

    pub(super) fn armed_of(&self, owner: Owner) -> impl Iterator<Item = WatchRef> {
        let own = self.armed().filter(move |(_, watcher)| watcher.owner == owner);
        own.map(|(name, _)| name)
    }

    // ---- ticking off ----

    /// From now on nothing is ticked off.
    pub(super) fn untick(&mut self) {
        self.ticks += 1;
    }

    /// Ticks a token off; `false` if it was already.
    pub(super) fn tick(&mut self, token: TokenRef) -> bool {
        std::mem::replace(&mut self.tokens[token.0 as usize].ticked, self.ticks) != self.ticks
    }

    pub(super) fn tick_watcher(&mut self, watcher: WatchRef) {
        self.watchers[watcher.0 as usize].ticked = self.ticks;
    }

    pub(super) fn is_ticked(&self, token: TokenRef) -> bool {
        self.token(token).ticked == self.ticks
    }

    pub(super) fn is_watcher_ticked(&self, watcher: WatchRef) -> bool {
        self.watcher(watcher).ticked == self.ticks
    }
}
