//! Processes and sub-processes with everything in them.

use crate::model::{Activation, Definitions, Expression, FlowNode, Gateway, GatewayDirection, Loop, NodeKind, Scope};
use crate::model::{ScopeRef, SequenceFlow, SubProcessKind, TaskKind};

use super::out::Out;
use super::{event, expression, reference, side};

/// Writes every process. Bodies nest, so the stack is our own: the nodes that are still to be written at each level.
pub(super) fn processes(out: &mut Out, definitions: &Definitions) {
    let mut written = vec![false; definitions.scopes.len()];
    for process in &definitions.processes {
        out.start("bpmn:process")
            .attribute("id", &process.id)
            .optional("name", process.name.as_deref())
            .optional_flag("isExecutable", process.is_executable);
        let mut stack = vec![Body::open(out, definitions, &mut written, process.body)];
        while let Some(body) = stack.last_mut() {
            let Some((node, rest)) = body.nodes.split_first() else {
                body.close(out);
                stack.pop();
                continue;
            };
            body.nodes = rest;
            if let Some(inner) = self::node(out, node) {
                stack.push(Body::open(out, definitions, &mut written, inner));
            }
        }
    }
}

/// What is left of a body whose element is open.
struct Body<'d> {
    nodes: &'d [FlowNode],
    scope: Option<&'d Scope>,
}

impl<'d> Body<'d> {
    /// Writes what comes before the nodes. A body that is not there, or was written before, is empty.
    fn open(out: &mut Out, definitions: &'d Definitions, written: &mut [bool], scope: ScopeRef) -> Self {
        let index = scope.0 as usize;
        let is_new = written
            .get_mut(index)
            .is_some_and(|written| !std::mem::replace(written, true));
        let scope = definitions.scopes.get(index).filter(|_| is_new);
        if let Some(scope) = scope {
            side::lanes(out, &scope.lanes);
            for data in &scope.data {
                side::data(out, data);
            }
        }
        Self {
            nodes: scope.map_or(&[], |scope| &scope.nodes),
            scope,
        }
    }

    /// Writes what comes after the nodes, and the end of the element.
    fn close(&self, out: &mut Out) {
        if let Some(scope) = self.scope {
            for flow in &scope.flows {
                sequence_flow(out, flow);
            }
            for artifact in &scope.artifacts {
                side::artifact(out, artifact);
            }
        }
        out.end();
    }
}

fn sequence_flow(out: &mut Out, flow: &SequenceFlow) {
    out.start("bpmn:sequenceFlow")
        .attribute("id", &flow.id)
        .optional("name", flow.name.as_deref())
        .attribute("sourceRef", &reference(&flow.source))
        .attribute("targetRef", &reference(&flow.target));
    if let Some(condition) = &flow.condition {
        expression(out, "bpmn:conditionExpression", condition);
    }
    out.end();
}

/// Writes a node; one with a body is left open, and its body is returned.
fn node(out: &mut Out, node: &FlowNode) -> Option<ScopeRef> {
    out.start(element(&node.kind))
        .attribute("id", &node.id)
        .optional("name", node.name.as_deref())
        .optional("default", node.default.as_deref().map(reference).as_deref());
    match &node.kind {
        NodeKind::Task {
            message,
            instantiate,
            repeat,
            for_compensation,
            ..
        } => {
            out.optional("messageRef", message.as_deref().map(reference).as_deref())
                .flag("instantiate", *instantiate, false);
            activity(out, repeat.as_ref(), *for_compensation);
        }
        NodeKind::Call {
            called,
            repeat,
            for_compensation,
        } => {
            out.optional("calledElement", called.as_deref().map(reference).as_deref());
            activity(out, repeat.as_ref(), *for_compensation);
        }
        NodeKind::SubProcess {
            kind,
            body,
            repeat,
            for_compensation,
        } => {
            out.flag("triggeredByEvent", *kind == SubProcessKind::Event, false);
            activity(out, repeat.as_ref(), *for_compensation);
            return Some(*body);
        }
        NodeKind::Gateway { gateway, direction } => self::gateway(out, gateway, *direction),
        NodeKind::Start { .. }
        | NodeKind::End { .. }
        | NodeKind::Throw { .. }
        | NodeKind::Catch { .. }
        | NodeKind::Boundary { .. } => event::event(out, &node.kind),
    }
    out.end();
    None
}

fn element(kind: &NodeKind) -> &'static str {
    match kind {
        NodeKind::Start { .. } => "bpmn:startEvent",
        NodeKind::End { .. } => "bpmn:endEvent",
        NodeKind::Throw { .. } => "bpmn:intermediateThrowEvent",
        NodeKind::Catch { .. } => "bpmn:intermediateCatchEvent",
        NodeKind::Boundary { .. } => "bpmn:boundaryEvent",
        NodeKind::Task { task, .. } => match task {
            TaskKind::Abstract => "bpmn:task",
            TaskKind::Manual => "bpmn:manualTask",
            TaskKind::Script => "bpmn:scriptTask",
            TaskKind::Send => "bpmn:sendTask",
            TaskKind::Receive => "bpmn:receiveTask",
            TaskKind::User => "bpmn:userTask",
            TaskKind::Service => "bpmn:serviceTask",
            TaskKind::BusinessRule => "bpmn:businessRuleTask",
        },
        NodeKind::SubProcess { kind, .. } => match kind {
            SubProcessKind::Embedded | SubProcessKind::Event => "bpmn:subProcess",
            SubProcessKind::Transaction => "bpmn:transaction",
            SubProcessKind::AdHoc => "bpmn:adHocSubProcess",
        },
        NodeKind::Call { .. } => "bpmn:callActivity",
        NodeKind::Gateway { gateway, .. } => match gateway {
            Gateway::Exclusive => "bpmn:exclusiveGateway",
            Gateway::Parallel => "bpmn:parallelGateway",
            Gateway::Inclusive => "bpmn:inclusiveGateway",
            Gateway::Complex { .. } => "bpmn:complexGateway",
            Gateway::EventBased { .. } => "bpmn:eventBasedGateway",
        },
    }
}

fn activity(out: &mut Out, repeat: Option<&Loop>, for_compensation: bool) {
    out.flag("isForCompensation", for_compensation, false);
    if let Some(repeat) = repeat {
        let name = if repeat.multi_instance {
            "bpmn:multiInstanceLoopCharacteristics"
        } else {
            "bpmn:standardLoopCharacteristics"
        };
        out.start(name).end();
    }
}

fn gateway(out: &mut Out, gateway: &Gateway, direction: GatewayDirection) {
    let direction = match direction {
        GatewayDirection::Unspecified => None,
        GatewayDirection::Converging => Some("Converging"),
        GatewayDirection::Diverging => Some("Diverging"),
        GatewayDirection::Mixed => Some("Mixed"),
    };
    out.optional("gatewayDirection", direction);
    match gateway {
        Gateway::Exclusive | Gateway::Parallel | Gateway::Inclusive => {}
        Gateway::EventBased { instantiate, parallel } => {
            out.flag("instantiate", *instantiate, false)
                .optional("eventGatewayType", parallel.then_some("Parallel"));
        }
        Gateway::Complex { activations, condition } => complex(out, activations, condition.as_ref()),
    }
}

fn complex(out: &mut Out, activations: &[Activation], condition: Option<&Expression>) {
    if !activations.is_empty() {
        out.start("bpmn:extensionElements");
        for activation in activations {
            let required: Vec<_> = activation.required.iter().map(|id| reference(id)).collect();
            out.start("trackside:activation")
                .optional("count", activation.count.map(|count| count.to_string()).as_deref())
                .optional(
                    "required",
                    (!required.is_empty()).then(|| required.join(" ")).as_deref(),
                );
            if let Some(condition) = &activation.condition {
                expression(out, "trackside:condition", condition);
            }
            out.end();
        }
        out.end();
    }
    if let Some(condition) = condition {
        expression(out, "bpmn:activationCondition", condition);
    }
}
