//! Any model at all, in the shape in which the reader gives it.

use proptest::prelude::*;
use trackside_engine::model::{
    Activation, Artifact, ArtifactKind, Binding, Collaboration, CorrelationKey, CorrelationProperty, DataElement,
    Declaration, Definitions, Diagram, DiagramEdge, DiagramShape, EventDefinition, Expression, FlowNode, Gateway,
    GatewayDirection, Lane, Loop, MessageFlow, NodeKind, Participant, Position, Process, Retrieval, Scope, ScopeRef,
    SequenceFlow, SubProcessKind, TaskKind, Timer, Trigger,
};

pub(super) const AT: Position = Position { line: 0, column: 0 };

/// Names and codes: anything that XML can hold.
fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![
            prop::sample::select(vec![
                '&',
                '<',
                '>',
                '"',
                '\'',
                '\n',
                '\r',
                '\t',
                ' ',
                ']',
                'é',
                '→',
                '\u{1F600}'
            ]),
            prop::char::range('a', 'z'),
        ],
        0..8,
    )
    .prop_map(String::from_iter)
}

/// References and ids: no space, but colons with prefixes that may be declared.
fn id() -> impl Strategy<Value = String> {
    "(|(bpmn|tns|dc|x|):)[a-z&<\"é]{1,3}"
}

fn expression() -> impl Strategy<Value = Expression> {
    (text(), prop::option::of(text())).prop_map(|(text, language)| Expression {
        text: text.trim().to_owned(),
        language,
        at: AT,
    })
}

fn trigger() -> impl Strategy<Value = Trigger> {
    let timer = prop_oneof![
        expression().prop_map(Timer::Duration),
        expression().prop_map(Timer::Date),
        expression().prop_map(Timer::Cycle),
    ];
    prop_oneof![
        prop::option::of(id()).prop_map(Trigger::Message),
        prop::option::of(id()).prop_map(Trigger::Signal),
        prop::option::of(id()).prop_map(Trigger::Error),
        prop::option::of(id()).prop_map(Trigger::Escalation),
        prop::option::of(timer).prop_map(Trigger::Timer),
        prop::option::of(expression()).prop_map(Trigger::Conditional),
        prop::option::of(text()).prop_map(Trigger::Link),
        Just(Trigger::Terminate),
        Just(Trigger::Compensate),
        Just(Trigger::Cancel),
    ]
}

fn events() -> impl Strategy<Value = Vec<EventDefinition>> {
    let event = (prop::option::of(id()), trigger()).prop_map(|(id, trigger)| EventDefinition { id, at: AT, trigger });
    prop::collection::vec(event, 0..3)
}

fn binding() -> impl Strategy<Value = Binding> {
    prop::sample::select(vec![Binding::Any, Binding::All])
}

fn event() -> impl Strategy<Value = NodeKind> {
    prop_oneof![
        (events(), binding(), any::<bool>()).prop_map(|(events, binding, interrupting)| NodeKind::Start {
            events,
            binding,
            interrupting,
        }),
        events().prop_map(|events| NodeKind::End { events }),
        events().prop_map(|events| NodeKind::Throw { events }),
        (events(), binding()).prop_map(|(events, binding)| NodeKind::Catch { events, binding }),
        (prop::option::of(id()), any::<bool>(), events(), binding()).prop_map(
            |(attached_to, interrupting, events, binding)| NodeKind::Boundary {
                attached_to,
                interrupting,
                events,
                binding,
            }
        ),
    ]
}

fn repeat() -> impl Strategy<Value = Option<Loop>> {
    prop::option::of(any::<bool>().prop_map(|multi_instance| Loop { at: AT, multi_instance }))
}

fn activity() -> impl Strategy<Value = NodeKind> {
    let kinds = vec![
        TaskKind::Abstract,
        TaskKind::Manual,
        TaskKind::Script,
        TaskKind::User,
        TaskKind::Service,
        TaskKind::BusinessRule,
    ];
    let task = |task, message, instantiate, repeat, for_compensation| NodeKind::Task {
        task,
        message,
        instantiate,
        repeat,
        for_compensation,
    };
    prop_oneof![
        (prop::sample::select(kinds), repeat(), any::<bool>()).prop_map(move |(kind, repeat, compensates)| task(
            kind,
            None,
            false,
            repeat,
            compensates
        )),
        (prop::option::of(id()), repeat()).prop_map(move |(message, repeat)| task(
            TaskKind::Send,
            message,
            false,
            repeat,
            false
        )),
        (prop::option::of(id()), any::<bool>()).prop_map(move |(message, instantiate)| task(
            TaskKind::Receive,
            message,
            instantiate,
            None,
            false
        )),
        (prop::option::of(id()), repeat(), any::<bool>()).prop_map(|(called, repeat, for_compensation)| {
            NodeKind::Call {
                called,
                repeat,
                for_compensation,
            }
        }),
    ]
}

fn gateway() -> impl Strategy<Value = NodeKind> {
    let activation = (
        prop::option::of(any::<i64>()),
        prop::collection::vec(id(), 0..3),
        prop::option::of(expression()),
    )
        .prop_map(|(count, required, condition)| Activation {
            at: AT,
            count,
            required,
            condition,
        });
    let gateway = prop_oneof![
        Just(Gateway::Exclusive),
        Just(Gateway::Parallel),
        Just(Gateway::Inclusive),
        (any::<bool>(), any::<bool>())
            .prop_map(|(instantiate, parallel)| Gateway::EventBased { instantiate, parallel }),
        (prop::collection::vec(activation, 0..3), prop::option::of(expression()))
            .prop_map(|(activations, condition)| Gateway::Complex { activations, condition }),
    ];
    let direction = prop::sample::select(vec![
        GatewayDirection::Unspecified,
        GatewayDirection::Converging,
        GatewayDirection::Diverging,
        GatewayDirection::Mixed,
    ]);
    (gateway, direction).prop_map(|(gateway, direction)| NodeKind::Gateway { gateway, direction })
}

fn node() -> impl Strategy<Value = FlowNode> {
    let kind = prop_oneof![event(), activity(), gateway()];
    (id(), prop::option::of(text()), prop::option::of(id()), kind).prop_map(|(id, name, default, kind)| FlowNode {
        id,
        name,
        at: AT,
        default,
        kind,
    })
}

fn flow() -> impl Strategy<Value = SequenceFlow> {
    (
        id(),
        prop::option::of(text()),
        id(),
        id(),
        prop::option::of(expression()),
    )
        .prop_map(|(id, name, source, target, condition)| SequenceFlow {
            id,
            name,
            at: AT,
            source,
            target,
            condition,
        })
}

/// Lanes as a walk down and up: each number says how many levels the next lane goes up.
fn lanes() -> impl Strategy<Value = Vec<Lane>> {
    prop::collection::vec((id(), 0_usize..4, prop::collection::vec(id(), 0..3)), 0..6).prop_map(|lanes| {
        let mut path: Vec<u32> = Vec::new();
        let place = |(index, (id, up, nodes)): (usize, (String, usize, Vec<String>))| {
            path.truncate(path.len().saturating_sub(up));
            let parent = path.last().copied();
            path.push(index as u32);
            Lane {
                id,
                name: None,
                at: AT,
                parent,
                nodes,
            }
        };
        lanes.into_iter().enumerate().map(place).collect()
    })
}

fn artifact() -> impl Strategy<Value = Artifact> {
    let kind = prop_oneof![
        text().prop_map(ArtifactKind::Annotation),
        prop::option::of(id()).prop_map(ArtifactKind::Group),
        (id(), id(), prop::option::of(text())).prop_map(|(source, target, direction)| ArtifactKind::Association {
            source,
            target,
            direction,
        }),
    ];
    (id(), kind).prop_map(|(id, kind)| Artifact { id, at: AT, kind })
}

fn data() -> impl Strategy<Value = DataElement> {
    let element = prop::sample::select(vec!["dataObjectReference", "dataStoreReference"]);
    (id(), element, prop::option::of(id())).prop_map(|(id, element, refers_to)| DataElement {
        id,
        name: None,
        at: AT,
        element: element.to_owned(),
        refers_to,
    })
}

fn scope() -> impl Strategy<Value = Scope> {
    (
        prop::collection::vec(node(), 0..4),
        prop::collection::vec(flow(), 0..3),
        lanes(),
        prop::collection::vec(artifact(), 0..3),
        prop::collection::vec(data(), 0..2),
    )
        .prop_map(|(nodes, flows, lanes, artifacts, data)| Scope {
            parent: None,
            nodes,
            flows,
            lanes,
            artifacts,
            data,
        })
}

/// Processes, each a chain of bodies in bodies.
fn bodies() -> impl Strategy<Value = (Vec<Process>, Vec<Scope>)> {
    let kinds = prop::sample::select(vec![
        SubProcessKind::Embedded,
        SubProcessKind::Event,
        SubProcessKind::Transaction,
        SubProcessKind::AdHoc,
    ]);
    let inner = prop::collection::vec((scope(), id(), kinds, repeat()), 0..3);
    let process = (
        scope(),
        id(),
        prop::option::of(text()),
        prop::option::of(any::<bool>()),
        inner,
    );
    prop::collection::vec(process, 0..3).prop_map(|written| {
        let (mut processes, mut scopes) = (Vec::new(), Vec::new());
        for (body, id, name, is_executable, inner) in written {
            processes.push(Process {
                id,
                name,
                at: AT,
                is_executable,
                body: ScopeRef(scopes.len() as u32),
            });
            scopes.push(body);
            for (mut body, id, kind, repeat) in inner {
                let parent = scopes.len() - 1;
                let kind = NodeKind::SubProcess {
                    kind,
                    body: ScopeRef(scopes.len() as u32),
                    repeat,
                    for_compensation: false,
                };
                scopes[parent].nodes.push(FlowNode {
                    id,
                    name: None,
                    at: AT,
                    default: None,
                    kind,
                });
                body.parent = Some(ScopeRef(parent as u32));
                scopes.push(body);
            }
        }
        (processes, scopes)
    })
}

fn declarations(with_code: bool) -> impl Strategy<Value = Vec<Declaration>> {
    let code = prop::option::of(text()).prop_map(move |code| code.filter(|_| with_code));
    let declaration =
        (id(), prop::option::of(text()), code).prop_map(|(id, name, code)| Declaration { id, name, code, at: AT });
    prop::collection::vec(declaration, 0..2)
}

fn collaboration() -> impl Strategy<Value = Collaboration> {
    let participant = (id(), prop::option::of(id())).prop_map(|(id, process)| Participant {
        id,
        name: None,
        at: AT,
        process,
    });
    let message_flow = (id(), id(), id()).prop_map(|(id, source, target)| MessageFlow {
        id,
        name: None,
        at: AT,
        source,
        target,
    });
    let key = (id(), prop::collection::vec(id(), 0..3)).prop_map(|(id, properties)| CorrelationKey {
        id,
        name: None,
        at: AT,
        properties,
    });
    (
        prop::option::of(id()),
        prop::collection::vec(participant, 0..2),
        prop::collection::vec(message_flow, 0..2),
        prop::collection::vec(key, 0..2),
    )
        .prop_map(|(id, participants, message_flows, keys)| Collaboration {
            id,
            at: AT,
            participants,
            message_flows,
            keys,
        })
}

fn correlation_property() -> impl Strategy<Value = CorrelationProperty> {
    let retrieval = (id(), expression()).prop_map(|(message, path)| Retrieval { message, path });
    (id(), prop::collection::vec(retrieval, 0..3)).prop_map(|(id, retrievals)| CorrelationProperty {
        id,
        name: None,
        at: AT,
        retrievals,
    })
}

fn diagram() -> impl Strategy<Value = Diagram> {
    let number = || prop::num::f64::NORMAL | prop::num::f64::ZERO;
    let bounds = || [number(), number(), number(), number()];
    let flag = || prop::option::of(any::<bool>());
    let shape = (
        prop::option::of(id()),
        id(),
        bounds(),
        prop::option::of(bounds()),
        [flag(), flag(), flag()],
    )
        .prop_map(
            |(id, element, bounds, label, [horizontal, expanded, marker])| DiagramShape {
                id,
                element,
                bounds,
                label,
                horizontal,
                expanded,
                marker,
            },
        );
    let points = prop::collection::vec([number(), number()], 0..3);
    let edge = (prop::option::of(id()), id(), points, prop::option::of(bounds())).prop_map(
        |(id, element, waypoints, label)| DiagramEdge {
            id,
            element,
            waypoints,
            label,
        },
    );
    (
        prop::option::of(id()),
        prop::option::of(id()),
        prop::collection::vec(shape, 0..2),
        prop::collection::vec(edge, 0..2),
    )
        .prop_map(|(id, plane, shapes, edges)| Diagram {
            id,
            plane,
            shapes,
            edges,
        })
}

pub(super) fn definitions() -> impl Strategy<Value = Definitions> {
    (
        (
            prop::option::of(id()),
            prop::option::of(text()),
            prop::option::of(text()),
            prop::option::of(text()),
        ),
        bodies(),
        (
            declarations(false),
            declarations(false),
            declarations(true),
            declarations(true),
        ),
        prop::collection::vec(collaboration(), 0..2),
        prop::collection::vec(correlation_property(), 0..2),
        prop::collection::vec(diagram(), 0..2),
    )
        .prop_map(
            |(head, (processes, scopes), declared, collaborations, correlation_properties, diagrams)| {
                let (id, name, target_namespace, expression_language) = head;
                let (messages, signals, errors, escalations) = declared;
                Definitions {
                    id,
                    name,
                    target_namespace,
                    expression_language,
                    processes,
                    scopes,
                    messages,
                    signals,
                    errors,
                    escalations,
                    collaborations,
                    correlation_properties,
                    diagrams,
                }
            },
        )
}
