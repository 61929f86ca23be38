//! The models that Trackside ships, embedded: small, readable, one idea each.
//!
//! They are what documentation runs, what tests start from, and a place to look up how an element is written. Where a
//! model has a script (`NAME.events` beside it), the script tells its most interesting story.
//!
//! ```
//! let timeout = trackside_corpus::model("timeout").expect("it is shipped");
//! assert!(timeout.xml.starts_with("<?xml"));
//! assert!(timeout.events.is_some_and(|script| script.contains("advance PT2H")));
//! ```

/// One shipped model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// The name of its file, without `.bpmn`.
    pub name: &'static str,
    /// The file: BPMN 2.0 XML in UTF-8.
    pub xml: &'static str,
    /// A script of what happens from outside, where there is one: `NAME.events`.
    pub events: Option<&'static str>,
}

macro_rules! model {
    ($name:literal) => {
        Model {
            name: $name,
            xml: include_str!(concat!("../models/", $name, ".bpmn")),
            events: None,
        }
    };
    ($name:literal with events) => {
        Model {
            events: Some(include_str!(concat!("../models/", $name, ".events"))),
            ..model!($name)
        }
    };
}

/// All of them, in name order.
static MODELS: &[Model] = &[
    model!("cancel-order" with events),
    model!("discriminator" with events),
    model!("error-path" with events),
    model!("escalation" with events),
    model!("first-answer" with events),
    model!("notice"),
    model!("or-diamond"),
    model!("order" with events),
    model!("reminder" with events),
    model!("starved-join"),
    model!("timeout" with events),
];

/// All models, in name order.
///
/// ```
/// assert!(trackside_corpus::models().iter().any(|model| model.name == "or-diamond"));
/// ```
pub fn models() -> &'static [Model] {
    MODELS
}

/// The model of this name.
///
/// ```
/// assert!(trackside_corpus::model("no-such-model").is_none());
/// ```
pub fn model(name: &str) -> Option<&'static Model> {
    MODELS.iter().find(|model| model.name == name)
}
