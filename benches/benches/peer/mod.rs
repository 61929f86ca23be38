//! The crate `snurr`, which reports compare whole runs with.

use trackside_benches::families;
use trackside_engine::model::{Definitions, Gateway, NodeKind};

/// The same model as a process of the peer.
pub(crate) fn process(name: &str, definitions: &Definitions) -> snurr::Process<()> {
    let path = std::env::temp_dir().join(format!(
        "trackside-{}.bpmn",
        name.replace(|c: char| !c.is_ascii_alphanumeric(), "-")
    ));
    std::fs::write(&path, families::with_incoming_and_outgoing(definitions)).expect("a scratch file can be written");
    let mut builder = snurr::ProcessBuilder::<()>::new(&path).expect("the peer reads the file");
    for node in &definitions.scopes[0].nodes {
        builder = match &node.kind {
            NodeKind::Task { .. } => builder.task(node.id.clone(), |()| snurr::Task::default()),
            NodeKind::Gateway {
                gateway: Gateway::Inclusive,
                ..
            } => {
                let leaving = definitions.scopes[0].flows.iter().filter(|flow| flow.source == node.id);
                let taken: Vec<String> = leaving.map(|flow| flow.id.clone()).collect();
                builder.inclusive(node.id.clone(), move |()| {
                    snurr::Inclusive::Fork(taken.iter().map(|flow| flow.clone().into()).collect())
                })
            }
            _ => builder,
        };
    }
    builder.build().expect("the peer builds the process")
}
