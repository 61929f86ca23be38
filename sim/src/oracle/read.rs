//! From what an author wrote to the oracle's own net. What the oracle has no rules for is refused here, by name.

use trackside_engine::expr::Program;
use trackside_engine::model::{
    Activation, Definitions, Expression, FlowNode, Gateway, NodeKind, ScopeRef, SubProcessKind, TaskKind,
};
use trackside_engine::template::Compiled;

use super::net::{Body, BodyRef, Flow, FlowRef, Kind, Net, Node, NodeRef, Triple};
use super::triggers;

/// A model, or a setting, that the oracle does not judge.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the oracle does not cover {what}: `{element}`")]
pub struct NotCovered {
    /// What it is.
    pub what: &'static str,
    /// The element.
    pub element: String,
}

impl NotCovered {
    pub(super) fn new(what: &'static str, element: &str) -> Self {
        let element = element.to_owned();
        Self { what, element }
    }
}

/// A file on its way into a net.
pub(super) struct Reader<'m> {
    pub(super) file: &'m Definitions,
    pub(super) settings: &'m Compiled,
}

impl Reader<'_> {
    /// Reads the process with this body.
    pub(super) fn net(&self, body: ScopeRef) -> Result<Net, NotCovered> {
        let scopes = self.scopes_below(body);
        let mut net = Net::default();
        for &(scope, parent, handles) in &scopes {
            self.nodes(&mut net, scope, parent, handles);
        }
        for &(scope, ..) in &scopes {
            self.flows(&mut net, scope)?;
        }
        let all = scopes.iter().flat_map(|&(scope, ..)| &self.file.scope(scope).nodes);
        for (at, node) in all.enumerate() {
            attach(&mut net, NodeRef(at as u32), node)?;
        }
        for (at, node) in scopes
            .iter()
            .flat_map(|&(scope, ..)| &self.file.scope(scope).nodes)
            .enumerate()
        {
            let (kind, place) = (self.kind(&net, &scopes, node)?, NodeRef(at as u32));
            net.nodes[at].kind = kind;
            net.nodes[at].waits = triggers::waits(self, node)?;
            enlist(&mut net, place, node);
        }
        triggers::refuse_conversations(self, &net)?;
        Ok(net)
    }

    /// The body and all below it, each with the place of the one around it and whether it is that of an event sub-process.
    fn scopes_below(&self, body: ScopeRef) -> Vec<(ScopeRef, Option<BodyRef>, bool)> {
        let mut scopes = vec![(body, None, false)];
        let mut at = 0;
        while at < scopes.len() {
            for node in &self.file.scope(scopes[at].0).nodes {
                if let NodeKind::SubProcess { kind, body, .. } = &node.kind {
                    scopes.push((*body, Some(BodyRef(at as u32)), *kind == SubProcessKind::Event));
                }
            }
            at += 1;
        }
        scopes
    }

    /// Puts the nodes of a scope into the net, without what they are.
    fn nodes(&self, net: &mut Net, scope: ScopeRef, parent: Option<BodyRef>, handles: bool) {
        let body = BodyRef(net.bodies.len() as u32);
        net.bodies.push(Body {
            parent,
            handles,
            starts: Vec::new(),
            sources: Vec::new(),
            handlers: Vec::new(),
        });
        net.nodes.extend(self.file.scope(scope).nodes.iter().map(|node| Node {
            id: node.id.clone(),
            body,
            kind: Kind::Exclusive,
            waits: None,
            interrupting: false,
            incoming: Vec::new(),
            outgoing: Vec::new(),
            default: None,
            boundaries: Vec::new(),
        }));
    }

    fn flows(&self, net: &mut Net, scope: ScopeRef) -> Result<(), NotCovered> {
        for written in &self.file.scope(scope).flows {
            let (Some(source), Some(target)) = (net.find(&written.source), net.find(&written.target)) else {
                return Err(NotCovered::new("a flow without a source or target", &written.id));
            };
            let flow = FlowRef(net.flows.len() as u32);
            net.nodes[source.0 as usize].outgoing.push(flow);
            net.nodes[target.0 as usize].incoming.push(flow);
            net.flows.push(Flow {
                id: written.id.clone(),
                source,
                target,
                condition: self.optional(written.condition.as_ref(), &written.id)?,
            });
        }
        Ok(())
    }

    pub(super) fn program(&self, expression: &Expression, element: &str) -> Result<Program, NotCovered> {
        let known = &self.settings.known;
        known
            .program(expression, self.file.expression_language.as_deref())
            .map_err(|_| NotCovered::new("an expression that can't be evaluated", element))
    }

    fn optional(&self, expression: Option<&Expression>, element: &str) -> Result<Option<Program>, NotCovered> {
        expression
            .map(|expression| self.program(expression, element))
            .transpose()
    }

    fn kind(
        &self,
        net: &Net,
        scopes: &[(ScopeRef, Option<BodyRef>, bool)],
        node: &FlowNode,
    ) -> Result<Kind, NotCovered> {
        refuse_markers(node)?;
        Ok(match &node.kind {
            NodeKind::Start { .. } => Kind::Start,
            NodeKind::Boundary { .. } => Kind::Boundary,
            NodeKind::Catch { .. } | NodeKind::Throw { .. } | NodeKind::End { .. } => triggers::event(self, net, node)?,
            NodeKind::Task { task, message, .. } => self.task(net, node, *task, message.as_deref()),
            NodeKind::SubProcess {
                kind: kind @ (SubProcessKind::Event | SubProcessKind::Embedded),
                body,
                ..
            } => {
                let at = scopes.iter().position(|(scope, ..)| scope == body);
                let body = BodyRef(at.unwrap_or_default() as u32);
                if *kind == SubProcessKind::Event {
                    Kind::Handler(body)
                } else {
                    Kind::Scope(body)
                }
            }
            NodeKind::Gateway { gateway, .. } => self.gateway(net, node, gateway)?,
            other => return Err(NotCovered::new(other.element(), &node.id)),
        })
    }

    fn task(&self, net: &Net, node: &FlowNode, task: TaskKind, message: Option<&str>) -> Kind {
        use TaskKind::{Abstract, Manual, Receive, Script, Send, User};
        let hosts = net
            .find(&node.id)
            .is_some_and(|place| !net.node(place).boundaries.is_empty());
        let by_itself = matches!(task, Abstract | Manual | Script | Send);
        Kind::Task {
            // BND-11.
            external: !by_itself || hosts || self.settings.external.contains(&node.id),
            // BND-4.
            running: !matches!(task, Abstract | Manual | User | Receive),
            sends: message
                .filter(|_| task == Send)
                .map(|name| triggers::event_name(&self.file.messages, name)),
        }
    }

    fn gateway(&self, net: &Net, node: &FlowNode, gateway: &Gateway) -> Result<Kind, NotCovered> {
        Ok(match gateway {
            Gateway::Exclusive => Kind::Exclusive,
            Gateway::Parallel => Kind::Parallel,
            Gateway::Inclusive => Kind::Inclusive,
            Gateway::EventBased { parallel, .. } => Kind::Gate { parallel: *parallel },
            Gateway::Complex { activations, condition } => {
                let triples = activations.iter().map(|activation| self.triple(net, node, activation));
                let mut triples: Vec<Triple> = triples.collect::<Result<_, _>>()?;
                if let (true, Some(condition)) = (triples.is_empty(), condition) {
                    triples.push(plain_triple(node, condition)?);
                }
                Kind::Complex(triples)
            }
        })
    }

    fn triple(&self, net: &Net, node: &FlowNode, activation: &Activation) -> Result<Triple, NotCovered> {
        let count = activation.count.and_then(|count| usize::try_from(count).ok());
        Ok(Triple {
            guard: self.optional(activation.condition.as_ref(), &node.id)?,
            count: count.ok_or_else(|| NotCovered::new("an activation without a count", &node.id))?,
            required: activation.required.iter().filter_map(|id| net.find_flow(id)).collect(),
        })
    }
}

/// Loops, several instances and compensation.
fn refuse_markers(node: &FlowNode) -> Result<(), NotCovered> {
    match &node.kind {
        NodeKind::Task { repeat: Some(_), .. } | NodeKind::SubProcess { repeat: Some(_), .. } => {
            Err(NotCovered::new("a loop marker", &node.id))
        }
        NodeKind::Task {
            for_compensation: true, ..
        }
        | NodeKind::SubProcess {
            for_compensation: true, ..
        } => Err(NotCovered::new("compensation", &node.id)),
        _ => Ok(()),
    }
}

/// CPX-8: a plain activation condition is covered where it counts over all flows.
fn plain_triple(node: &FlowNode, condition: &Expression) -> Result<Triple, NotCovered> {
    let count = condition
        .text
        .strip_prefix("activationCount >= ")
        .and_then(|count| count.parse().ok());
    Ok(Triple {
        guard: None,
        count: count.ok_or_else(|| NotCovered::new("a plain activation condition", &node.id))?,
        required: Vec::new(),
    })
}

/// Default flows and boundary events: what refers to other elements.
fn attach(net: &mut Net, place: NodeRef, node: &FlowNode) -> Result<(), NotCovered> {
    net.nodes[place.0 as usize].default = node.default.as_deref().and_then(|id| net.find_flow(id));
    match &node.kind {
        NodeKind::Boundary {
            attached_to,
            interrupting,
            ..
        } => {
            net.nodes[place.0 as usize].interrupting = *interrupting || triggers::is_error(node);
            let host = attached_to.as_deref().and_then(|id| net.find(id));
            let host = host.ok_or_else(|| NotCovered::new("a boundary event without a host", &node.id))?;
            net.nodes[host.0 as usize].boundaries.push(place);
        }
        NodeKind::Start { interrupting, .. } => {
            net.nodes[place.0 as usize].interrupting = *interrupting || triggers::is_error(node);
        }
        _ => {}
    }
    Ok(())
}

/// Where a scope begins (INS-8) and what handles events in it (ESP-1).
fn enlist(net: &mut Net, place: NodeRef, node: &FlowNode) {
    let body = net.node(place).body;
    let instantiates = match node.kind {
        NodeKind::Task { instantiate, .. }
        | NodeKind::Gateway {
            gateway: Gateway::EventBased { instantiate, .. },
            ..
        } => instantiate,
        _ => false,
    };
    let placed = matches!(
        net.node(place).kind,
        Kind::Start | Kind::Boundary | Kind::Handler(_) | Kind::LinkCatch
    );
    if matches!(net.node(place).kind, Kind::Start) || instantiates {
        net.bodies[body.0 as usize].starts.push(place);
    } else if !placed && net.node(place).incoming.is_empty() {
        net.bodies[body.0 as usize].sources.push(place);
    }
    let Body { parent, handles, .. } = net.body(body);
    if let (true, Some(parent), Kind::Start) = (*handles, *parent, &net.node(place).kind) {
        net.bodies[parent.0 as usize].handlers.push(place);
    }
}
