//! The error codes that are caught around each place (ERR-1): what external work there can be said to end with.

use std::sync::Arc;

use super::Template;
use crate::ids::NodeId;
use crate::node::Spec;

/// The error codes that enclosing catchers match, by place (ERR-1).
#[derive(Debug, Default)]
pub(crate) struct Codes {
    /// What is caught around the nodes of a scope.
    pub(crate) of_scope: Vec<Arc<[String]>>,
    /// What is caught for a node that catches something itself.
    pub(crate) of_node: std::collections::BTreeMap<NodeId, Arc<[String]>>,
}

/// The codes that catchers around each place match; a catcher of every error stands for the code `error`.
pub(super) fn gather(t: &mut Template) {
    let caught = |nodes: &[NodeId]| -> Vec<String> {
        let specs = nodes.iter().filter_map(|&node| t.kind(node).spec());
        let codes = specs.filter_map(|spec| match spec {
            Spec::Error(code) => Some(code.clone().unwrap_or_else(|| "error".to_owned())),
            _ => None,
        });
        codes.collect()
    };
    // Most places catch nothing of their own: they share the list of the place around them.
    let merged = |mut own: Vec<String>, around: &Arc<[String]>| -> Arc<[String]> {
        own.retain(|code| around.binary_search(code).is_err());
        if own.is_empty() {
            return Arc::clone(around);
        }
        own.extend_from_slice(around);
        own.sort();
        own.dedup();
        own.into()
    };
    let nothing: Arc<[String]> = Arc::new([]);
    let mut codes = Codes::default();
    // What is left of a scope's list while an interrupting handler runs: its other handlers are gone then.
    let mut unhandled: Vec<Arc<[String]>> = Vec::with_capacity(t.scopes.len());
    for info in &t.scopes {
        let alone = info.handles && info.starts.first().is_some_and(|&start| !t.kind(start).stays_armed());
        let lists = if alone { &unhandled } else { &codes.of_scope };
        let around = info.parent.map_or(&nothing, |parent| &lists[parent.ix()]);
        let at_host = info.host.map_or_else(Vec::new, |host| caught(t.boundary_events(host)));
        let outer = merged(at_host, around);
        codes.of_scope.push(merged(caught(&info.handlers), &outer));
        unhandled.push(outer);
    }
    for node in t.node_ids() {
        let own = caught(t.boundary_events(node));
        if !own.is_empty() {
            let around = &codes.of_scope[t.nodes[node.ix()].scope.ix()];
            codes.of_node.insert(node, merged(own, around));
        }
    }
    t.codes = codes;
}
