//! Everything beside model, script and schedule that shapes the result of a run.
//!
//! Settings are written as pairs of a name and a value, the names being those of the command line. Tokens carry the
//! pairs that differ from the defaults, and a fingerprint over all of them, so that a later default can't change what an
//! old token means unnoticed.

use std::collections::BTreeMap;

use serde_json::Value;
use trackside_engine::instance::{ComplexReset, Conditions, Environment, Grain, Options, OrJoin};

use crate::hash::Fnv;

/// The default bound of one run, in transitions.
pub const STEPS_DEFAULT: u64 = 1_000_000;
/// The largest bound of one run that can be asked for: what a run remembers grows with it.
pub const STEPS_MAX: u64 = 100_000_000;
/// How often a re-arming trigger fires per run of its host, where no script says when.
pub const REFIRES_DEFAULT: u32 = 3;

/// What shapes the result of a run.
///
/// ```
/// use trackside_sim::run::Settings;
///
/// let mut settings = Settings::default();
/// settings.set("or-join", "conservative")?;
/// settings.set("var.amount", "12")?;
/// assert_eq!(settings.deviating(false), [
///     ("or-join".to_owned(), "conservative".to_owned()),
///     ("var.amount".to_owned(), "12".to_owned()),
/// ]);
/// assert!(settings.set("or-join", "perhaps").is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The engine's own options; `refires` is [`Settings::refires`] instead.
    pub options: Options,
    /// How often a re-arming trigger is offered per run of its host; by default 3, and without bound under a script.
    pub refires: Option<u32>,
    /// The most transitions of one run.
    pub steps_max: u64,
    /// Process data that the instance begins with.
    pub variables: BTreeMap<String, Value>,
    /// Timer values that stand in for those of the model, by element id (EVT-7).
    pub timers: BTreeMap<String, String>,
    /// Whether the other processes of the file take part.
    pub collaboration: bool,
    /// Whether a model is run that the validator refuses, as long as it can be compiled.
    pub lenient: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            options: Options::default(),
            refires: None,
            steps_max: STEPS_DEFAULT,
            variables: BTreeMap::new(),
            timers: BTreeMap::new(),
            collaboration: false,
            lenient: false,
        }
    }
}

impl Settings {
    /// The options for the engine, under a script or without one.
    pub fn engine_options(&self, scripted: bool) -> Options {
        let refires = self.refires.or((!scripted).then_some(REFIRES_DEFAULT));
        Options {
            refires,
            records: true,
            ..self.options
        }
    }

    /// All settings as pairs, in a fixed order.
    pub fn pairs(&self, scripted: bool) -> Vec<(String, String)> {
        let options = self.engine_options(scripted);
        let mut pairs: Vec<(String, String)> = [
            ("or-join", or_join(options.or_join).to_owned()),
            ("complex-reset", complex_reset(options.complex_reset).to_owned()),
            ("grain", grain(options.grain).to_owned()),
            ("conditions", conditions(options.conditions).to_owned()),
            ("timed", options.timed.to_string()),
            ("refires", options.refires.map_or("none".to_owned(), |k| k.to_string())),
            ("env", environment(options.environment)),
            ("redact", options.redact.to_string()),
            ("steps", self.steps_max.to_string()),
            ("collaboration", self.collaboration.to_string()),
            ("lenient", self.lenient.to_string()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        let variables = self.variables.iter();
        pairs.extend(variables.map(|(name, value)| (format!("var.{name}"), value.to_string())));
        let timers = self.timers.iter();
        pairs.extend(timers.map(|(id, value)| (format!("timer.{id}"), value.clone())));
        #[cfg(feature = "planted-faults")]
        pairs.extend(options.plant.map(|fault| ("plant".to_owned(), fault.name().to_owned())));
        pairs
    }

    /// The name of the planted fault; a normal build has none.
    pub fn plant(&self) -> Option<&'static str> {
        #[cfg(feature = "planted-faults")]
        let plant = self.options.plant.map(trackside_engine::planted::Fault::name);
        #[cfg(not(feature = "planted-faults"))]
        let plant = None;
        plant
    }

    /// The pairs that differ from the defaults.
    pub fn deviating(&self, scripted: bool) -> Vec<(String, String)> {
        let defaults = Self::default().pairs(scripted);
        let mut pairs = self.pairs(scripted);
        pairs.retain(|pair| !defaults.contains(pair));
        pairs
    }

    /// A hash over all settings.
    pub fn fingerprint(&self, scripted: bool) -> Fnv {
        let mut hash = Fnv::default();
        for (name, value) in self.pairs(scripted) {
            // Neither a length nor a name holds a line break that could make two lists look like one.
            hash.write(format!("{} {} {name}{value}\n", name.len(), value.len()).as_bytes());
        }
        hash
    }

    /// Sets one setting from its pair.
    ///
    /// # Errors
    ///
    /// What is wrong with the name or the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let options = &mut self.options;
        match name {
            "or-join" => options.or_join = one_of(value, &[OrJoin::Standard, OrJoin::Conservative], or_join)?,
            "complex-reset" => {
                options.complex_reset = one_of(value, &[ComplexReset::Silent, ComplexReset::Standard], complex_reset)?;
            }
            "grain" => options.grain = one_of(value, &[Grain::Protocol, Grain::Atomic], grain)?,
            "conditions" => options.conditions = one_of(value, &[Conditions::Data, Conditions::Symbolic], conditions)?,
            "timed" => options.timed = flag(value)?,
            "refires" if value == "none" => self.refires = None,
            "refires" => self.refires = Some(number(value)?),
            "env" => options.environment = read_environment(value)?,
            "redact" => options.redact = flag(value)?,
            "steps" => self.steps_max = number(value).and_then(within_bound)?,
            "collaboration" => self.collaboration = flag(value)?,
            "lenient" => self.lenient = flag(value)?,
            #[cfg(feature = "planted-faults")]
            "plant" => options.plant = Some(planted(value)?),
            _ => return self.set_named(name, value),
        }
        Ok(())
    }

    fn set_named(&mut self, name: &str, value: &str) -> Result<(), String> {
        if let Some(variable) = name.strip_prefix("var.").filter(|name| !name.is_empty()) {
            let value = serde_json::from_str(value).map_err(|error| format!("`{variable}` is not JSON: {error}"))?;
            self.variables.insert(variable.to_owned(), value);
        } else if let Some(timer) = name.strip_prefix("timer.").filter(|id| !id.is_empty()) {
            self.timers.insert(timer.to_owned(), value.to_owned());
        } else {
            return Err(format!("there is no setting `{name}`"));
        }
        Ok(())
    }
}

fn one_of<T: Copy>(value: &str, all: &[T], name: impl Fn(T) -> &'static str) -> Result<T, String> {
    all.iter().copied().find(|&it| name(it) == value).ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|&it| name(it)).collect();
        format!("`{value}` is none of {}", names.join(", "))
    })
}

fn flag(value: &str) -> Result<bool, String> {
    value
        .parse()
        .map_err(|_| format!("`{value}` is neither `true` nor `false`"))
}

fn number<T: std::str::FromStr>(value: &str) -> Result<T, String> {
    value
        .parse()
        .map_err(|_| format!("`{value}` is no number, or too large"))
}

#[cfg(feature = "planted-faults")]
fn planted(value: &str) -> Result<trackside_engine::planted::Fault, String> {
    trackside_engine::planted::Fault::parse(value).ok_or_else(|| format!("there is no planted fault `{value}`"))
}

/// Checks a bound of one run.
pub(crate) fn within_bound(steps: u64) -> Result<u64, String> {
    if (1..=STEPS_MAX).contains(&steps) {
        Ok(steps)
    } else {
        Err(format!("a run is bounded to between 1 and {STEPS_MAX} steps"))
    }
}

const fn or_join(rule: OrJoin) -> &'static str {
    match rule {
        OrJoin::Standard => "standard",
        OrJoin::Conservative => "conservative",
    }
}

const fn complex_reset(rule: ComplexReset) -> &'static str {
    match rule {
        ComplexReset::Silent => "silent",
        ComplexReset::Standard => "standard",
    }
}

const fn grain(grain: Grain) -> &'static str {
    match grain {
        Grain::Protocol => "protocol",
        Grain::Atomic => "atomic",
    }
}

const fn conditions(conditions: Conditions) -> &'static str {
    match conditions {
        Conditions::Data => "data",
        Conditions::Symbolic => "symbolic",
    }
}

/// The names of what the outside does beyond the default, joined by dots; empty for nothing.
fn environment(environment: Environment) -> String {
    let Environment {
        failures,
        cancel,
        late,
        births,
    } = environment;
    let all = [
        (failures, "failures"),
        (cancel, "cancel"),
        (late, "late"),
        (births, "births"),
    ];
    let on: Vec<_> = all.iter().filter(|(on, _)| *on).map(|&(_, name)| name).collect();
    on.join(".")
}

fn read_environment(text: &str) -> Result<Environment, String> {
    let mut environment = Environment::default();
    for name in text.split('.').filter(|name| !name.is_empty()) {
        match name {
            "failures" => environment.failures = true,
            "cancel" => environment.cancel = true,
            "late" => environment.late = true,
            "births" => environment.births = true,
            _ => return Err(format!("`{name}` is none of failures, cancel, late, births")),
        }
    }
    Ok(environment)
}
