//! What the engine recorded of one transition, and how the oracle uses it: to call tokens and subscriptions by the
//! engine's names, to resolve choices that the rules leave open, and to compare.

use trackside_engine::instance::{End, Fault, FaultKind, Instance, Record};
use trackside_engine::{FlowId, InstanceId, NodeId, ScopeId, TrackId, WatcherId};

use super::Violation;
use super::facts::Fact;
use super::marking::{Marking, RunRef, TokenRef};
use super::net::{BodyRef, FlowRef, Kind, Net, NodeRef};

/// The engine's names of nodes and flows, against those of the net. This is all that the oracle knows of a template.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    nodes: Vec<Option<NodeRef>>,
    flows: Vec<Option<FlowRef>>,
    scopes: Vec<BodyRef>,
}

impl Names {
    /// Reads the names off an instance's template, by element ids.
    pub(super) fn read(net: &Net, instance: &Instance) -> Self {
        let template = instance.template();
        let nodes: Vec<_> = template.node_ids().map(|id| net.find(&template.node(id).id)).collect();
        let scopes = (0..net.bodies.len() as u32).map(|id| {
            let host = template.scope(ScopeId(id)).host.and_then(|host| nodes[host.ix()]);
            match host.map(|host| &net.node(host).kind) {
                Some(Kind::Scope(body) | Kind::Handler(body)) => *body,
                _ => BodyRef(0),
            }
        });
        let flows = template.flow_ids().map(|id| net.find_flow(&template.flow(id).id));
        Self {
            scopes: scopes.collect(),
            flows: flows.collect(),
            nodes,
        }
    }

    pub(super) fn node(&self, node: NodeId) -> Result<NodeRef, Violation> {
        let known = self.nodes.get(node.ix()).copied().flatten();
        known.ok_or_else(|| Violation::stray("a node"))
    }

    /// Whether the engine calls this node so.
    pub(super) fn is_node(&self, name: NodeId, node: NodeRef) -> bool {
        self.nodes.get(name.ix()).copied().flatten() == Some(node)
    }

    pub(super) fn flow(&self, flow: FlowId) -> Result<FlowRef, Violation> {
        self.known_flow(flow).ok_or_else(|| Violation::stray("a flow"))
    }

    pub(super) fn known_flow(&self, flow: FlowId) -> Option<FlowRef> {
        self.flows.get(flow.ix()).copied().flatten()
    }

    fn scope(&self, scope: ScopeId) -> Result<BodyRef, Violation> {
        let known = self.scopes.get(scope.ix()).copied();
        known.ok_or_else(|| Violation::stray("a scope"))
    }
}

/// The records of one transition.
#[derive(Clone, Copy, Debug)]
pub(super) enum Records<'r> {
    /// Those of one instance among those of its world.
    Of(InstanceId, &'r [(InstanceId, Record)]),
    /// Those that are said to be.
    Claimed(&'r [Record]),
}

impl<'r> Records<'r> {
    fn len(self) -> usize {
        match self {
            Self::Of(_, records) => records.len(),
            Self::Claimed(records) => records.len(),
        }
    }

    fn get(self, at: usize) -> Option<&'r Record> {
        match self {
            Self::Of(instance, records) => {
                let (of, record) = &records[at];
                (*of == instance).then_some(record)
            }
            Self::Claimed(records) => Some(&records[at]),
        }
    }

    /// All of them, in order.
    pub(super) fn iter(self) -> impl Iterator<Item = &'r Record> + Clone {
        (0..self.len()).filter_map(move |at| self.get(at))
    }
}

/// What is recorded of a join, in the order in which it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Recorded {
    Firing,
    Fault,
}

/// The records of one transition, each to be used once.
pub(super) struct Evidence<'r> {
    pub(super) names: &'r Names,
    pub(super) records: Records<'r>,
    used: Vec<bool>,
}

impl<'r> Evidence<'r> {
    /// `used` is memory to be used again.
    pub(super) fn new(names: &'r Names, records: Records<'r>, mut used: Vec<bool>) -> Self {
        used.clear();
        used.resize(records.len(), false);
        Self { names, records, used }
    }

    /// Gives the memory back.
    pub(super) fn into_memory(self) -> Vec<bool> {
        self.used
    }

    /// The records that have not been used.
    fn unused(&self) -> impl Iterator<Item = &'r Record> {
        let unused = (0..self.used.len()).filter(|&at| !self.used[at]);
        unused.filter_map(|at| self.records.get(at))
    }

    /// The first record that has not been used and of which `read` makes something; it is used up.
    pub(super) fn take<T>(&mut self, mut read: impl FnMut(&'r Record) -> Option<T>) -> Option<T> {
        for at in 0..self.used.len() {
            if !self.used[at]
                && let Some(found) = self.records.get(at).and_then(&mut read)
            {
                self.used[at] = true;
                return Some(found);
            }
        }
        None
    }

    /// The track that was born of this parent, at this node, on this flow.
    pub(super) fn birth(&mut self, parent: Option<TrackId>, node: NodeRef, flow: Option<FlowRef>) -> Option<TrackId> {
        let names = self.names;
        self.take(|record| match *record {
            Record::Born {
                track,
                parent: found,
                node: at,
                flow: on,
            } => {
                let same_node = names.is_node(at, node);
                let same_flow = on.map(|on| names.known_flow(on)) == flow.map(Some);
                (found == parent && same_node && same_flow).then_some(track)
            }
            _ => None,
        })
    }

    /// The subscription that was armed for this node and host.
    pub(super) fn arming(&mut self, node: NodeRef, host: Option<TrackId>) -> Option<WatcherId> {
        let names = self.names;
        self.take(|record| match *record {
            Record::Armed {
                watcher,
                node: at,
                host: of,
                ..
            } => (names.is_node(at, node) && of == host).then_some(watcher),
            _ => None,
        })
    }

    /// Whether `track` does anything after it has arrived at `node` for the `nth` time.
    pub(super) fn executes_after(&self, track: TrackId, node: NodeRef, nth: usize) -> bool {
        let arrives = |record: &Record| match *record {
            Record::Arrived {
                track: of, node: at, ..
            } => of == track && self.names.is_node(at, node),
            _ => false,
        };
        let acts = |record: &Record| match *record {
            Record::Armed { host, .. } | Record::ScopeOpened { host, .. } => host == Some(track),
            Record::Stepped { track: of, .. }
            | Record::WorkStarted { track: of, .. }
            | Record::Thrown { track: of, .. } => of == track,
            _ => false,
        };
        let mut arrivals = 0;
        self.records.iter().any(|record| {
            arrivals += usize::from(arrives(record));
            arrivals >= nth && acts(record)
        })
    }

    /// What there is of this join that has not been accounted for: a firing or re-arming before a fault, which ends all,
    /// before nothing.
    pub(super) fn decision(&self, m: &Marking, run: RunRef, join: NodeRef) -> Option<Recorded> {
        let names = self.names;
        let is_it = |node: NodeId| names.is_node(node, join);
        let found = self.unused().filter_map(|record| match record {
            Record::JoinFired { node, survivor, .. } if is_it(*node) && m.is_in(run, *survivor) => {
                Some(Recorded::Firing)
            }
            Record::Rearmed { node } if is_it(*node) => Some(Recorded::Firing),
            Record::InstanceEnded {
                end: End::Faulted(Fault { node, .. }),
            } if is_it(*node) => Some(Recorded::Fault),
            _ => None,
        });
        found.min()
    }

    /// Whether the instance ends because an expression of this node failed.
    pub(super) fn fails_at(&self, node: NodeRef) -> bool {
        self.unused().any(|record| match record {
            Record::InstanceEnded {
                end: End::Faulted(fault),
            } => fault.kind == FaultKind::Expression && self.names.is_node(fault.node, node),
            _ => false,
        })
    }

    /// The flows that `track` and its children took when it left `node`. Where flows lead is a choice under symbolic
    /// conditions (EVT-6).
    pub(super) fn ways_taken(&mut self, net: &Net, track: TrackId, node: NodeRef) -> Vec<FlowRef> {
        let names = self.names;
        let own = self.take(|record| match *record {
            Record::Left { track: left, flow } if left == track => {
                names.known_flow(flow).filter(|&flow| net.flow(flow).source == node)
            }
            _ => None,
        });
        // The births of the others give them their names too, and are used up by that.
        let others = self.unused().filter_map(|record| match *record {
            Record::Born {
                parent,
                node: at,
                flow: Some(flow),
                ..
            } if parent == Some(track) && names.is_node(at, node) => names.known_flow(flow),
            _ => None,
        });
        let taken: Vec<FlowRef> = own.into_iter().chain(others).collect();
        // In document order (TRK-7).
        let in_order = net.node(node).outgoing.iter().copied();
        in_order.filter(|flow| taken.contains(flow)).collect()
    }
}

/// The engine's records as facts.
pub(super) fn recorded(m: &Marking, evidence: &Evidence<'_>, facts: &mut Vec<Fact>) -> Result<(), Violation> {
    let reading = Reading {
        names: evidence.names,
        m,
    };
    for record in evidence.records.iter() {
        facts.extend(reading.fact(record)?);
    }
    Ok(())
}

struct Reading<'a> {
    names: &'a Names,
    m: &'a Marking,
}

impl Reading<'_> {
    fn token(&self, track: TrackId) -> Result<TokenRef, Violation> {
        let token = self.m.called(track);
        token.ok_or_else(|| Violation::new("V6", "TRK-2", None, format!("track {track} is born by no rule")))
    }

    fn host(&self, host: Option<TrackId>) -> Result<Option<TokenRef>, Violation> {
        host.map(|host| self.token(host)).transpose()
    }

    fn flows(&self, flows: &[FlowId]) -> Result<Vec<FlowRef>, Violation> {
        let mut named: Vec<FlowRef> = flows
            .iter()
            .map(|&flow| self.names.flow(flow))
            .collect::<Result<_, _>>()?;
        named.sort_unstable();
        Ok(named)
    }

    /// What is left out: positions and data, which are compared as they are after the transition.
    fn fact(&self, record: &Record) -> Result<Option<Fact>, Violation> {
        let node = |node: NodeId| self.names.node(node);
        Ok(Some(match record {
            Record::Born {
                track,
                parent,
                node: at,
                flow,
            } => Fact::Born {
                token: self.token(*track)?,
                parent: self.host(*parent)?,
                node: node(*at)?,
                flow: flow.map(|flow| self.names.flow(flow)).transpose()?,
            },
            Record::Stepped { track, node: at } => Fact::Stepped(self.token(*track)?, node(*at)?),
            Record::JoinFired {
                node: at,
                survivor,
                flows,
            } => Fact::JoinFired {
                join: node(*at)?,
                survivor: self.token(*survivor)?,
                flows: self.flows(flows)?,
            },
            Record::Merged { track, into, .. } => Fact::Merged {
                token: self.token(*track)?,
                into: self.token(*into)?,
            },
            Record::Trailing { track, flow, .. } => Fact::Trailing(self.token(*track)?, self.names.flow(*flow)?),
            Record::Rearmed { node: at } => Fact::Rearmed(node(*at)?),
            Record::WorkStarted { track, node: at } => Fact::WorkStarted(self.token(*track)?, node(*at)?),
            Record::WorkEnded { track, node: at, .. } => Fact::WorkEnded(self.token(*track)?, node(*at)?),
            Record::WorkAskedToStop { track, node: at } => Fact::WorkAskedToStop(self.token(*track)?, node(*at)?),
            Record::Discarded { track, node: at } => Fact::Discarded(self.token(*track)?, node(*at)?),
            Record::Armed { node: at, host, .. } => Fact::Armed(node(*at)?, self.host(*host)?),
            Record::Fired { node: at, host, .. } => Fact::Fired(node(*at)?, self.host(*host)?),
            Record::Disarmed { node: at, host, .. } => Fact::Disarmed(node(*at)?, self.host(*host)?),
            Record::Interrupted { track, by, state, .. } => Fact::Interrupted(self.token(*track)?, *state, node(*by)?),
            Record::Thrown { track, cause, .. } => Fact::Thrown(self.token(*track)?, cause.clone()),
            Record::Undelivered { cause } => Fact::Undelivered(cause.clone()),
            Record::ScopeOpened { scope, host } => Fact::ScopeOpened(self.names.scope(*scope)?, self.host(*host)?),
            Record::ScopeCompleted { scope, host } => {
                Fact::ScopeCompleted(self.names.scope(*scope)?, self.host(*host)?)
            }
            Record::ScopeWithdrawn { scope, host } => {
                Fact::ScopeWithdrawn(self.names.scope(*scope)?, self.host(*host)?)
            }
            Record::TrackEnded { track, state, .. } => Fact::Ended(self.token(*track)?, *state),
            Record::Left { .. }
            | Record::Arrived { .. }
            | Record::Parked { .. }
            | Record::Resumed { .. }
            | Record::Refired { .. }
            | Record::DataChanged { .. }
            | Record::Clock { .. }
            | Record::InstanceEnded { .. } => return Ok(None),
        }))
    }
}
