//! From the model to BPMN 2.0 XML: one element to a line, the same model when it is read again.
//!
//! A model may come from a program instead of a file, so nothing is taken for granted here: bodies and lanes that refer
//! to each other in a circle are written once, and characters that XML cannot hold become U+FFFD.

mod diagram;
mod event;
mod out;
mod scope;
mod side;

use std::borrow::Cow;

use crate::model::{Collaboration, CorrelationProperty, Declaration, Definitions, Expression};

use super::namespace::uri;
use out::Out;

/// Stands in for a target namespace that the model does not have.
const NO_TARGET: &str = "urn:trackside:no-target-namespace";

/// Writes `definitions` as a BPMN 2.0 file.
///
/// Reading the result gives the same model again, but for the positions. What [`read`](super::read) skips is not
/// there to be written.
///
/// ```
/// use trackside_engine::xml;
///
/// let source = br#"<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL">
///     <process id="p"><startEvent id="s"/></process></definitions>"#;
/// let first = xml::read(source).definitions;
/// let text = xml::write(&first);
/// assert!(text.contains(r#"<bpmn:startEvent id="s"/>"#));
/// assert_eq!(xml::read(text.as_bytes()).definitions.processes[0].id, "p");
/// ```
pub fn write(definitions: &Definitions) -> String {
    let mut out = Out::new();
    root(&mut out, definitions);
    declarations(&mut out, definitions);
    for property in &definitions.correlation_properties {
        correlation_property(&mut out, property);
    }
    for collaboration in &definitions.collaborations {
        self::collaboration(&mut out, collaboration);
    }
    scope::processes(&mut out, definitions);
    for diagram in &definitions.diagrams {
        diagram::diagram(&mut out, diagram);
    }
    out.end();
    out.finish()
}

fn root(out: &mut Out, definitions: &Definitions) {
    let usable = |name: &&str| !name.is_empty() && *name != uri::XML && *name != uri::XMLNS;
    let target = definitions.target_namespace.as_deref();
    out.start("bpmn:definitions")
        .attribute("xmlns:bpmn", uri::BPMN)
        .attribute("xmlns:bpmndi", uri::BPMN_DI)
        .attribute("xmlns:dc", uri::DC)
        .attribute("xmlns:di", uri::DI)
        .attribute("xmlns:xsi", uri::XSI)
        .attribute("xmlns:trackside", uri::TRACKSIDE)
        .attribute("xmlns:tns", target.filter(usable).unwrap_or(NO_TARGET))
        .optional("id", definitions.id.as_deref())
        .optional("name", definitions.name.as_deref())
        .optional("targetNamespace", target)
        .optional("expressionLanguage", definitions.expression_language.as_deref());
}

fn declarations(out: &mut Out, definitions: &Definitions) {
    let kinds: [(&str, &str, &[Declaration]); 4] = [
        ("bpmn:message", "", &definitions.messages),
        ("bpmn:signal", "", &definitions.signals),
        ("bpmn:error", "errorCode", &definitions.errors),
        ("bpmn:escalation", "escalationCode", &definitions.escalations),
    ];
    for (name, code, declarations) in kinds {
        for declaration in declarations {
            out.start(name)
                .attribute("id", &declaration.id)
                .optional("name", declaration.name.as_deref());
            if !code.is_empty() {
                out.optional(code, declaration.code.as_deref());
            }
            out.end();
        }
    }
}

fn correlation_property(out: &mut Out, property: &CorrelationProperty) {
    out.start("bpmn:correlationProperty")
        .attribute("id", &property.id)
        .optional("name", property.name.as_deref());
    for retrieval in &property.retrievals {
        out.start("bpmn:correlationPropertyRetrievalExpression")
            .attribute("messageRef", &reference(&retrieval.message));
        expression(out, "bpmn:messagePath", &retrieval.path);
        out.end();
    }
    out.end();
}

fn collaboration(out: &mut Out, collaboration: &Collaboration) {
    out.start("bpmn:collaboration")
        .optional("id", collaboration.id.as_deref());
    for participant in &collaboration.participants {
        out.start("bpmn:participant")
            .attribute("id", &participant.id)
            .optional("name", participant.name.as_deref())
            .optional("processRef", participant.process.as_deref().map(reference).as_deref())
            .end();
    }
    for flow in &collaboration.message_flows {
        out.start("bpmn:messageFlow")
            .attribute("id", &flow.id)
            .optional("name", flow.name.as_deref())
            .attribute("sourceRef", &reference(&flow.source))
            .attribute("targetRef", &reference(&flow.target))
            .end();
    }
    for key in &collaboration.keys {
        out.start("bpmn:correlationKey")
            .attribute("id", &key.id)
            .optional("name", key.name.as_deref());
        for property in &key.properties {
            out.start("bpmn:correlationPropertyRef")
                .text(&reference(property))
                .end();
        }
        out.end();
    }
    out.end();
}

/// A reference that reads back as it is. One with a colon would lose what looks like a prefix; it gets one to lose.
fn reference(id: &str) -> Cow<'_, str> {
    if id.contains(':') {
        Cow::Owned(format!("tns:{id}"))
    } else {
        Cow::Borrowed(id)
    }
}

fn expression(out: &mut Out, name: &'static str, expression: &Expression) {
    out.start(name);
    if name.starts_with("bpmn:") {
        out.attribute("xsi:type", "bpmn:tFormalExpression");
    }
    out.optional("language", expression.language.as_deref())
        .text(&expression.text)
        .end();
}
