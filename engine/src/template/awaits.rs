//! What the catching nodes of a template wait for, as drivers see it: enough to start what an event starts, and to tell
//! time from events.

use super::{EventName, Template};
use crate::expr::{Data, ExprError};
use crate::ids::NodeId;
use crate::node::Spec;

/// What a catching node waits for.
#[derive(Clone, Copy, Debug)]
pub enum Awaits<'t> {
    /// A message.
    Message(&'t EventName),
    /// A signal.
    Signal(&'t EventName),
    /// A moment; see [`Template::first_due`].
    Timer,
    /// A condition over process data; see [`Template::condition_holds`].
    Condition,
    /// An error with this code, or every error.
    Error(Option<&'t str>),
    /// An escalation with this code, or every escalation.
    Escalation(Option<&'t str>),
}

impl Template {
    /// What `node` waits for; `None` for a node that catches nothing, such as a plain start event.
    ///
    /// ```
    /// use trackside_engine::model::notation;
    /// use trackside_engine::template::{Awaits, Compiled, compile};
    ///
    /// let file = notation::parse("start s(message order) > A{!timer PT1H > e}").unwrap();
    /// let template = compile(&file, &file.processes[0], &Compiled::default()).unwrap();
    /// let start = template.find("s").unwrap();
    /// assert!(matches!(template.awaits(start), Some(Awaits::Message(message)) if message.name == "order"));
    /// assert!(template.awaits(template.find("A").unwrap()).is_none());
    /// ```
    ///
    /// # Panics
    ///
    /// If `node` is not of this template.
    pub fn awaits(&self, node: NodeId) -> Option<Awaits<'_>> {
        Some(match self.kind(node).spec()? {
            Spec::Message(event) => Awaits::Message(self.names.event(*event)),
            Spec::Signal(event) => Awaits::Signal(self.names.event(*event)),
            Spec::Timer(_) => Awaits::Timer,
            Spec::Conditional(_) => Awaits::Condition,
            Spec::Error(code) => Awaits::Error(code.as_deref()),
            Spec::Escalation(code) => Awaits::Escalation(code.as_deref()),
        })
    }

    /// When the timer of `node`, armed at `now` over these data, is due for the first time, in milliseconds since
    /// 1970-01-01T00:00Z. `None` for one that never fires, and for a node without a timer.
    ///
    /// # Errors
    ///
    /// Why its expression gives no time.
    ///
    /// # Panics
    ///
    /// If `node` is not of this template.
    pub fn first_due(&self, node: NodeId, data: &Data, now: i64) -> Result<Option<i64>, String> {
        match self.kind(node).spec() {
            Some(Spec::Timer(timing)) => Ok(timing.schedule(data)?.first(now)),
            _ => Ok(None),
        }
    }

    /// Whether the condition that `node` waits for holds over these data; false for a node without one.
    ///
    /// # Errors
    ///
    /// [`ExprError`] where the condition can't be evaluated.
    ///
    /// # Panics
    ///
    /// If `node` is not of this template.
    pub fn condition_holds(&self, node: NodeId, data: &Data) -> Result<bool, ExprError> {
        match self.kind(node).spec() {
            Some(Spec::Conditional(condition)) => condition.holds(data, &[]),
            _ => Ok(false),
        }
    }
}
