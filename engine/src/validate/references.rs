//! References of what stands beside the flow: pools, message flows, lanes, data, associations, correlation. They are
//! never executed (but for correlation, which then just finds no key), so that a wrong one is a warning.
//!
//! References of flow nodes and sequence flows are errors, and reported by the compiler or with the element's own rules.

use std::collections::BTreeSet;

use crate::model::{ArtifactKind, Collaboration, Definitions, Scope};

use super::ids::elements;
use super::index::Index;
use super::report::{Element, Report};

/// XML-REF.
pub(super) fn check(index: &Index<'_>, report: &mut Report) {
    let definitions = index.definitions;
    let mut check = Check {
        known: elements(definitions).iter().map(|element| element.id).collect(),
        report,
    };
    for collaboration in &definitions.collaborations {
        check.pools(definitions, collaboration);
    }
    check.correlation(definitions);
    for scope in &definitions.scopes {
        check.lanes(scope);
        check.artifacts(scope);
        check.data(scope);
    }
}

struct Check<'m, 'r> {
    known: BTreeSet<&'m str>,
    report: &'r mut Report,
}

impl Check<'_, '_> {
    fn dangling(&mut self, element: &dyn Element, what: &str, attribute: &str, reference: &str, names: &str) {
        let id = element.id();
        let message = format!("{what} `{id}`: {attribute} `{reference}` names no {names}");
        let hint = "correct the reference, or remove it";
        self.report.warning("XML-REF", element, message, hint);
    }

    /// F30: a pool may be a black box, but what it names must be there.
    fn pools(&mut self, definitions: &Definitions, collaboration: &Collaboration) {
        let processes: BTreeSet<&str> = definitions.processes.iter().map(|process| &*process.id).collect();
        for pool in &collaboration.participants {
            if let Some(process) = pool.process.as_deref().filter(|id| !processes.contains(id)) {
                self.dangling(pool, "participant", "processRef", process, "process of this file");
            }
        }
        for flow in &collaboration.message_flows {
            for (attribute, end) in [("sourceRef", &flow.source), ("targetRef", &flow.target)] {
                if !self.known.contains(&**end) {
                    self.dangling(flow, "message flow", attribute, end, "pool or flow node of this file");
                }
            }
        }
    }

    /// COR-1.
    fn correlation(&mut self, definitions: &Definitions) {
        let properties: BTreeSet<&str> = definitions.correlation_properties.iter().map(|p| &*p.id).collect();
        let messages: BTreeSet<&str> = definitions.messages.iter().map(|message| &*message.id).collect();
        for key in definitions.collaborations.iter().flat_map(|c| &c.keys) {
            for name in key.properties.iter().filter(|name| !properties.contains(&***name)) {
                let names = "correlation property of this file";
                self.dangling(key, "correlation key", "correlationPropertyRef", name, names);
            }
        }
        for property in &definitions.correlation_properties {
            let unknown = property.retrievals.iter().filter(|r| !messages.contains(&*r.message));
            for retrieval in unknown {
                let (message, names) = (&retrieval.message, "message of this file");
                self.dangling(property, "correlation property", "messageRef", message, names);
            }
        }
    }

    fn lanes(&mut self, scope: &Scope) {
        for lane in &scope.lanes {
            for node in lane
                .nodes
                .iter()
                .filter(|node| !self.known.contains(&***node))
                .collect::<Vec<_>>()
            {
                self.dangling(lane, "lane", "flowNodeRef", node, "element of this file");
            }
        }
    }

    fn artifacts(&mut self, scope: &Scope) {
        for artifact in &scope.artifacts {
            let ArtifactKind::Association { source, target, .. } = &artifact.kind else {
                continue;
            };
            for (attribute, end) in [("sourceRef", source), ("targetRef", target)] {
                if !self.known.contains(&**end) {
                    self.dangling(artifact, "association", attribute, end, "element of this file");
                }
            }
        }
    }

    /// Data stores are declared outside of what is read, so that only references to data objects can be judged.
    fn data(&mut self, scope: &Scope) {
        for data in scope.data.iter().filter(|data| data.element == "dataObjectReference") {
            if let Some(object) = data.refers_to.as_deref().filter(|id| !self.known.contains(id)) {
                self.dangling(
                    data,
                    "data object reference",
                    "dataObjectRef",
                    object,
                    "data object of this file",
                );
            }
        }
    }
}
