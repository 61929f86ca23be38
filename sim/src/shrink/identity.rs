//! What a run chose, in terms that a smaller model still understands: no track numbers, no step numbers, no position in a
//! list, but element ids.
//!
//! Which of several such actions is meant is told by the order of the list that an identity stands in (the second time that
//! `A` is executed), and by age where several are enabled at once. Where a run could choose how to go on, the identity names what came of it: the flows that were
//! taken and the events that received something.

use std::collections::BTreeSet;

use trackside_engine::InstanceId;
use trackside_engine::instance::{Record, TrackView};
use trackside_engine::world::{Action, Class, World};

/// One choice of a run: which action, and how it was taken.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity {
    /// The class of the action.
    pub class: Class,
    /// Its instance; the clock has none.
    pub instance: Option<u32>,
    /// The element id of its node, where it has one.
    pub node: Option<String>,
    /// The id of the flow, for an arrival.
    pub flow: Option<String>,
    /// Which it was of several such actions that were enabled, 0 being the oldest.
    pub rank: u32,
    /// Which outcome external work had.
    pub outcome: u32,
    /// Where there was a free choice: the ids of the flows that were taken and of the events that received something.
    pub chosen: Option<BTreeSet<String>>,
}

/// How well an action fits an identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// It is the same.
    Same,
    /// It is an arrival at the same node by another flow: what lay between has been cut out.
    Near,
}

/// What is compared: an action without its outcome and choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Face<'w> {
    class: Class,
    instance: Option<u32>,
    node: Option<&'w str>,
    flow: Option<&'w str>,
}

impl<'w> Face<'w> {
    /// The face of an enabled action.
    pub(super) fn of(world: &'w World, action: Action) -> Self {
        let label = world.label(action);
        let template = label.instance.map(|id| world.instance(id).template());
        let node = template.zip(label.node).map(|(of, node)| of.node(node).id.as_str());
        let arriving = label.track.filter(|_| label.class == Class::Arrival);
        let flow = label.instance.zip(arriving).zip(template);
        let flow = flow.and_then(|((id, track), template)| {
            let tracks = world.instance(id).tracks();
            let flow = tracks.into_iter().find(|view: &TrackView| view.id == track)?.flow?;
            Some(template.flow(flow).id.as_str())
        });
        Self {
            class: label.class,
            instance: label.instance.map(|id| id.0),
            node,
            flow,
        }
    }

    pub(super) fn fits(&self, identity: &Identity) -> Option<Fit> {
        let same =
            self.class == identity.class && self.instance == identity.instance && self.node == identity.node.as_deref();
        match same {
            true if self.flow == identity.flow.as_deref() => Some(Fit::Same),
            true => Some(Fit::Near),
            false => None,
        }
    }

    /// The identity of the action when it is taken, as one of several, with this outcome.
    pub(super) fn identity(&self, rank: u32, outcome: u32) -> Identity {
        Identity {
            class: self.class,
            instance: self.instance,
            node: self.node.map(ToOwned::to_owned),
            flow: self.flow.map(ToOwned::to_owned),
            rank,
            outcome,
            chosen: None,
        }
    }
}

/// What the last transition of a world chose: the flows that were taken, the events that received something.
pub(super) fn chosen(world: &World) -> BTreeSet<String> {
    let name = |(id, record): &(InstanceId, Record)| {
        let template = world.instance(*id).template();
        match record {
            Record::Left { flow, .. } | Record::Born { flow: Some(flow), .. } => Some(template.flow(*flow).id.clone()),
            Record::Fired { node, .. } => Some(template.node(*node).id.clone()),
            _ => None,
        }
    };
    world.records().iter().filter_map(name).collect()
}
