//! Events, and the declarations that they refer to.

use trackside_engine::model::{
    Binding, Declaration, Definitions, EventDefinition, NodeKind, TaskKind, Timer, Trigger as Definition,
};

use super::super::plan::{Cause, Ending, Event, Trigger, Watch, Work};
use super::node::{Name, Port, condition, expression, id, task_kind};
use super::{Around, Builder, NOWHERE};

/// What an event is for. Messages and signals come from pools, one for each use: what goes on and on would otherwise
/// be started by what it starts, and instances by instances.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// No trigger.
    Plain,
    /// Starts an instance.
    Start,
    /// Happens once: it catches, interrupts, throws.
    Once,
    /// Watches without interruption.
    Again,
}

impl Role {
    pub(super) fn watching(watch: Watch) -> Self {
        if watch.interrupting { Self::Once } else { Self::Again }
    }

    fn pool(self) -> &'static [u8] {
        match self {
            Self::Plain | Self::Once => &[0, 1, 2],
            Self::Again => &[3, 4],
            Self::Start => &[5, 6],
        }
    }
}

const MESSAGES: [&str; 7] = ["m0", "m1", "m2", "reminder0", "reminder1", "order0", "order1"];
const SIGNALS: [&str; 7] = ["g0", "g1", "g2", "alarm0", "alarm1", "begin0", "begin1"];
const ERRORS: [&str; 3] = ["E0", "E1", "E2"];
const ESCALATIONS: [&str; 3] = ["K0", "K1", "K2"];
/// One catcher in so many catches every code.
const CODES: u8 = 4;

const ONCE: [&str; 4] = ["PT1M", "PT1H", "P1D", "PT0S"];
const CYCLES: [&str; 4] = ["R3/PT1H", "R/PT10M", "R1/PT30S", "R2/P1D"];
const DATE: &str = "2030-01-01T00:00:00Z";

/// The codes that a catcher of this index catches, a bit for each.
pub(super) fn codes(index: u8) -> u8 {
    match index % CODES {
        3 => 0b111,
        code => 1 << code,
    }
}

/// What has been referred to, a bit for each declaration.
#[derive(Default)]
pub(super) struct Declared {
    messages: u8,
    signals: u8,
    errors: u8,
    escalations: u8,
}

fn used(declared: &mut u8, names: &[&str], index: usize) -> String {
    *declared |= 1 << index;
    names[index].to_owned()
}

impl Declared {
    fn message(&mut self, index: u8, role: Role) -> String {
        let pool = role.pool();
        used(
            &mut self.messages,
            &MESSAGES,
            pool[usize::from(index) % pool.len()].into(),
        )
    }

    fn signal(&mut self, index: u8, role: Role) -> String {
        let pool = role.pool();
        used(
            &mut self.signals,
            &SIGNALS,
            pool[usize::from(index) % pool.len()].into(),
        )
    }

    /// What is caught: a code, or every one.
    fn caught(&mut self, cause: Cause, index: u8) -> Option<String> {
        let code = usize::from(index % CODES);
        match cause {
            Cause::Error if code < ERRORS.len() => Some(used(&mut self.errors, &ERRORS, code)),
            Cause::Escalation if code < ESCALATIONS.len() => Some(used(&mut self.escalations, &ESCALATIONS, code)),
            _ => None,
        }
    }

    pub(super) fn write(&self, definitions: &mut Definitions) {
        let list = |declared: u8, names: &[&str], coded: bool| -> Vec<Declaration> {
            let names = names.iter().enumerate().filter(|(index, _)| declared >> index & 1 == 1);
            let declaration = |name: &str| Declaration {
                id: name.to_owned(),
                name: Some(name.to_owned()),
                code: coded.then(|| name.to_owned()),
                at: NOWHERE,
            };
            names.map(|(_, name)| declaration(name)).collect()
        };
        definitions.messages = list(self.messages, &MESSAGES, false);
        definitions.signals = list(self.signals, &SIGNALS, false);
        definitions.errors = list(self.errors, &ERRORS, true);
        definitions.escalations = list(self.escalations, &ESCALATIONS, true);
    }
}

/// A watcher, unless another one already interrupts its host or scope for the same (BND-7); timers and conditions are
/// always different ones. `handled` remembers. Inside of a handler that does not interrupt nothing else may watch for a
/// signal so: what goes to all would start that handler again each time, and its scope would never end.
pub(super) fn unique(around: Around, handled: &mut u32, mut watch: Watch) -> Option<Watch> {
    let index = u32::from(watch.trigger.index);
    let bit = match watch.trigger.kind {
        Cause::Message => index % 3,
        Cause::Signal => 4 + index % 3,
        Cause::Error => 8 + index % u32::from(CODES),
        Cause::Escalation => 12 + index % u32::from(CODES),
        Cause::None | Cause::Timer | Cause::Conditional => return Some(watch),
    };
    watch.interrupting |= watch.trigger.kind == Cause::Error;
    if watch.trigger.kind == Cause::Signal && around.handler && !watch.interrupting {
        return None;
    }
    if watch.interrupting {
        if *handled >> bit & 1 == 1 {
            return None;
        }
        *handled |= 1 << bit;
    }
    Some(watch)
}

fn definition(trigger: Definition) -> Vec<EventDefinition> {
    vec![EventDefinition {
        id: None,
        at: NOWHERE,
        trigger,
    }]
}

fn timer(index: u8, role: Role) -> Timer {
    let number = usize::from(index / 4) % 4;
    match (role, index % 4) {
        (Role::Again, 0..=1) => Timer::Cycle(expression(CYCLES[number])),
        (_, 3) if number == 0 => Timer::Date(expression(DATE)),
        _ => Timer::Duration(expression(ONCE[number])),
    }
}

impl Builder {
    fn catching(&mut self, trigger: Trigger, role: Role) -> Vec<EventDefinition> {
        let Trigger { kind, index } = trigger;
        definition(match kind {
            Cause::None => return Vec::new(),
            Cause::Message => Definition::Message(Some(self.declared.message(index, role))),
            Cause::Signal => Definition::Signal(Some(self.declared.signal(index, role))),
            Cause::Timer => Definition::Timer(Some(timer(index, role))),
            Cause::Conditional => Definition::Conditional(Some(condition(index))),
            Cause::Error => Definition::Error(self.declared.caught(kind, index)),
            Cause::Escalation => Definition::Escalation(self.declared.caught(kind, index)),
        })
    }

    /// What an event throws; where nothing around may be thrown at, it is a plain one.
    fn throwing(&mut self, around: Around, Trigger { kind, index }: Trigger) -> Vec<EventDefinition> {
        let role = if around.quiet || index < 128 {
            Role::Once
        } else {
            Role::Again
        };
        let code = index % 3;
        definition(match kind {
            Cause::Message => Definition::Message(Some(self.declared.message(index, role))),
            Cause::Signal => Definition::Signal(Some(self.declared.signal(index, role))),
            Cause::Error if around.errors >> code & 1 == 1 => Definition::Error(self.declared.caught(kind, code)),
            Cause::Escalation if around.escalations >> code & 1 == 1 && !around.muted => {
                Definition::Escalation(self.declared.caught(kind, code))
            }
            _ => return Vec::new(),
        })
    }

    pub(super) fn start(&mut self, around: Around, trigger: Trigger, role: Role, interrupting: bool) -> Name {
        let trigger = match (role, trigger.kind) {
            (Role::Plain, _) => Trigger {
                kind: Cause::None,
                ..trigger
            },
            // What is left has a trigger, and only a handler that of an error.
            (Role::Start, Cause::Error | Cause::Escalation) | (_, Cause::None) => Trigger {
                kind: Cause::Timer,
                ..trigger
            },
            _ => trigger,
        };
        let events = self.catching(trigger, role);
        let kind = NodeKind::Start {
            events,
            binding: Binding::Any,
            interrupting,
        };
        self.node(around, "start", kind)
    }

    pub(super) fn catch(&mut self, around: Around, trigger: Trigger) -> Name {
        let kind = match trigger.kind {
            Cause::None | Cause::Error | Cause::Escalation => Cause::Timer,
            kind => kind,
        };
        let events = self.catching(Trigger { kind, ..trigger }, Role::Once);
        let binding = Binding::Any;
        self.node(around, "catch", NodeKind::Catch { events, binding })
    }

    pub(super) fn boundary(&mut self, around: Around, host: Name, watch: Watch) -> Name {
        let kind = match watch.trigger.kind {
            Cause::None => Cause::Timer,
            kind => kind,
        };
        let trigger = Trigger { kind, ..watch.trigger };
        let events = self.catching(trigger, Role::watching(watch));
        let kind = NodeKind::Boundary {
            attached_to: Some(host.id()),
            interrupting: watch.interrupting,
            events,
            binding: Binding::Any,
        };
        self.node(around, "boundary", kind)
    }

    /// An intermediate event, or a link's two, behind `from`; gives the last.
    pub(super) fn event(&mut self, around: Around, event: Event, from: Port) -> Name {
        if event == Event::Link {
            return self.link(around, from);
        }
        let name = self.event_alone(around, event);
        self.flow(around, from, name);
        name
    }

    /// An intermediate event. A link is none by itself: a plain throw event stands in for it.
    pub(super) fn event_alone(&mut self, around: Around, event: Event) -> Name {
        let events = match event {
            Event::Catch(trigger) => return self.catch(around, trigger),
            // An error can't be thrown on the way.
            Event::Link | Event::Throw(Trigger { kind: Cause::Error, .. }) => Vec::new(),
            Event::Throw(trigger) => self.throwing(around, trigger),
        };
        self.node(around, "throw", NodeKind::Throw { events })
    }

    pub(super) fn link(&mut self, around: Around, from: Port) -> Name {
        self.links += 1;
        let events = || definition(Definition::Link(Some(id("link", self.links))));
        let (thrown, caught) = (events(), events());
        let throw = self.node(around, "throw", NodeKind::Throw { events: thrown });
        self.flow(around, from, throw);
        let binding = Binding::Any;
        self.node(
            around,
            "catch",
            NodeKind::Catch {
                events: caught,
                binding,
            },
        )
    }

    /// Ends a way.
    pub(super) fn end(&mut self, around: Around, ending: Ending, from: Port) {
        let events = match ending {
            Ending::Open => return,
            Ending::Terminate if !around.root => definition(Definition::Terminate),
            Ending::Terminate => Vec::new(),
            Ending::Event(trigger) => self.throwing(around, trigger),
        };
        let end = self.node(around, "end", NodeKind::End { events });
        self.flow(around, from, end);
    }

    pub(super) fn work(&mut self, around: Around, work: Work) -> Name {
        let (name, kind, message) = match work {
            Work::Abstract => ("task", TaskKind::Abstract, None),
            Work::Manual => ("manual", TaskKind::Manual, None),
            Work::Script => ("script", TaskKind::Script, None),
            Work::User => ("user", TaskKind::User, None),
            Work::Service => ("service", TaskKind::Service, None),
            Work::BusinessRule => ("rule", TaskKind::BusinessRule, None),
            Work::Send(index) => {
                let role = if around.quiet || index < 128 {
                    Role::Once
                } else {
                    Role::Again
                };
                ("send", TaskKind::Send, Some(self.declared.message(index, role)))
            }
            Work::Receive(index) => (
                "receive",
                TaskKind::Receive,
                Some(self.declared.message(index, Role::Once)),
            ),
        };
        self.node(around, name, task_kind(kind, message))
    }
}
