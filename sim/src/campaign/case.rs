//! What one seed decides: a model, the settings it runs under, and the schedules it is run by.

use std::sync::Arc;

use serde_json::Value;
use trackside_engine::instance::{ComplexReset, Conditions, Environment, Grain, OrJoin};
use trackside_engine::model::Definitions;
use trackside_engine::template::Compiled;

use super::drain::CHAOS_MAX;
use super::runner::STEPS_MAX;
use super::taste::{CANDIDATES, Taste};
use crate::generate::{Family, Parameters, VARIABLES, model, settings};
use crate::run::{REFIRES_DEFAULT, Settings};
use crate::schedule::{Dice, Named};

/// How many schedules one seed runs its model by, unless asked otherwise.
pub const SCHEDULES_DEFAULT: u32 = 2;
/// The largest generated model, in nodes, unless asked otherwise; the smallest has half as many.
pub const NODES_DEFAULT: u32 = 28;
/// One seed in so many lets the outside do more than the default environment.
const WILD: u64 = 4;

/// Where the models come from.
#[derive(Clone, Debug)]
pub(super) enum Models {
    /// From the generator.
    Generated {
        /// About how many nodes they have at most.
        nodes_max: u32,
        /// Whether each seed has preferences of its own, among kinds of elements and among models. Otherwise all are as
        /// likely.
        swarm: bool,
    },
    /// Processes of given files, in turn.
    Given(Vec<Given>),
}

/// One process of a given file.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) path: String,
    pub(super) definitions: Arc<Definitions>,
    pub(super) process: usize,
}

/// All that a campaign may draw from.
#[derive(Clone, Debug)]
pub(super) struct Space {
    pub(super) models: Models,
    /// Settings that are given and not drawn, by their names on the command line.
    pub(super) pinned: Vec<(String, String)>,
    pub(super) strategy: Named,
    pub(super) schedules: u32,
    /// Whether the outside may do more than the default under some seeds.
    pub(super) wild: bool,
}

/// What one seed decides.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) definitions: Arc<Definitions>,
    pub(super) process: usize,
    pub(super) settings: Settings,
    /// Which of the given models it is, from 0.
    pub(super) model: usize,
}

impl Case {
    /// What the model is compiled with.
    pub(super) fn compiled(&self) -> Compiled {
        Compiled {
            timers: self.settings.timers.clone(),
            ..settings()
        }
    }
}

impl Space {
    /// The case of a seed: the same one always.
    pub(super) fn case(&self, seed: u64) -> Case {
        let mut dice = Dice::new(seed);
        let (definitions, process, model) = match &self.models {
            &Models::Generated { nodes_max, swarm } => (Arc::new(generated(&mut dice, nodes_max, swarm)), 0, 0),
            Models::Given(all) => {
                let at = (seed % all.len() as u64) as usize;
                (Arc::clone(&all[at].definitions), all[at].process, at)
            }
        };
        let mut settings = self.draw(&mut dice, matches!(self.models, Models::Generated { .. }));
        for (name, value) in &self.pinned {
            let set = settings.set(name, value);
            assert!(set.is_ok(), "pinned settings have been checked: {set:?}");
        }
        Case {
            definitions,
            process,
            settings,
            model,
        }
    }

    /// What the outside may do, and the bounds of a schedule, in words.
    pub(super) fn assumptions(&self) -> Vec<String> {
        let pinned = |name: &str| {
            self.pinned
                .iter()
                .rev()
                .find(|(own, _)| own == name)
                .map(|(_, value)| value.as_str())
        };
        let beyond = match pinned("env") {
            Some("") => "no technical failure, cancellation or late answer".to_owned(),
            Some(names) => format!("under all seeds also {}", names.replace('.', ", ")),
            None => "under one seed in four also technical failures, cancellation or late answers".to_owned(),
        };
        let refires = match (pinned("refires"), &self.models) {
            (Some(most), _) => format!("at most {most} times"),
            (None, Models::Given(_)) => format!("at most {REFIRES_DEFAULT} times"),
            (None, Models::Generated { .. }) => format!("at most 1 to {REFIRES_DEFAULT} times, by the seed"),
        };
        vec![
            "one instance, from each of its starts in turn; events only for what is armed; no change of data"
                .to_owned(),
            beyond,
            format!("a trigger that re-arms fires {refires} per run of its host"),
            format!("the strategy chooses {CHAOS_MAX} transitions, the rest up to {STEPS_MAX} is drained fairly"),
        ]
    }

    /// The seed of a schedule's strategy.
    pub(super) fn schedule_seed(seed: u64, schedule: u32) -> u64 {
        // Apart by an odd constant: neighbours share nothing, and the generator's own streams are others.
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(schedule).wrapping_mul(0xd1b5_4a32_d192_ed03) ^ 0x5bd1
    }

    /// Settings of a seed. Those of given models are the defaults of the command line, but for what the outside does.
    fn draw(&self, dice: &mut Dice, generated: bool) -> Settings {
        let mut settings = Settings::default();
        settings.options.conditions = Conditions::Symbolic;
        settings.options.timed = false;
        settings.refires = Some(REFIRES_DEFAULT);
        if generated {
            vary(&mut settings, dice);
        }
        if self.wild && dice.below(WILD) == 0 {
            let bits = 1 + dice.below(7);
            settings.options.environment = Environment {
                failures: bits & 1 != 0,
                cancel: bits & 2 != 0,
                late: bits & 4 != 0,
                births: false,
            };
        }
        settings
    }
}

/// The rules' options, each with its default most of the time.
fn vary(settings: &mut Settings, dice: &mut Dice) {
    let mut one_in = |bound: u64| dice.below(bound) == 0;
    let options = &mut settings.options;
    if one_in(6) {
        options.grain = Grain::Atomic;
    }
    if one_in(4) {
        options.or_join = OrJoin::Conservative;
    }
    if one_in(4) {
        options.complex_reset = ComplexReset::Standard;
    }
    options.timed = one_in(4);
    if one_in(4) {
        options.conditions = Conditions::Data;
        let values = VARIABLES
            .iter()
            .map(|name| ((*name).to_owned(), Value::from(dice.below(4))));
        settings.variables = values.collect();
    }
    settings.refires = Some(1 + dice.below(u64::from(REFIRES_DEFAULT)) as u32);
}

/// A third is of each family; sizes up to the largest are as likely.
fn generated(dice: &mut Dice, nodes_max: u32, swarm: bool) -> Definitions {
    let taste = Taste::draw(dice);
    let mut candidate = || {
        let family = Family::ALL[dice.below(Family::ALL.len() as u64) as usize];
        let nodes = nodes_max - dice.below(u64::from(nodes_max / 2) + 1) as u32;
        let parameters = Parameters {
            swarm,
            ..Parameters::of(family).nodes(nodes)
        };
        model(dice.below(u64::MAX), &parameters)
    };
    let mut best = candidate();
    let mut liking = taste.of(&best);
    for _ in 1..if swarm { CANDIDATES } else { 1 } {
        let next = candidate();
        let likes = taste.of(&next);
        if likes > liking {
            (best, liking) = (next, likes);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn space() -> Space {
        Space {
            models: Models::Generated {
                nodes_max: NODES_DEFAULT,
                swarm: true,
            },
            pinned: Vec::new(),
            strategy: Named::Random,
            schedules: SCHEDULES_DEFAULT,
            wild: true,
        }
    }

    #[test]
    fn a_seed_decides_model_and_settings() {
        let (one, same, other) = (space().case(5), space().case(5), space().case(6));
        assert_eq!((&one.definitions, &one.settings), (&same.definitions, &same.settings));
        assert_ne!((&one.definitions, &one.settings), (&other.definitions, &other.settings));
    }

    #[test]
    fn every_setting_that_is_drawn_comes_up() {
        let pairs = (0..400).flat_map(|seed| space().case(seed).settings.pairs(false));
        let seen: BTreeSet<String> = pairs.map(|(name, value)| format!("{name}={value}")).collect();
        for setting in [
            "grain=atomic",
            "grain=protocol",
            "or-join=standard",
            "or-join=conservative",
            "complex-reset=silent",
            "complex-reset=standard",
            "conditions=data",
            "conditions=symbolic",
            "timed=true",
            "timed=false",
            "refires=1",
            "refires=3",
            "env=",
            "env=failures.cancel.late",
            "var.a=0",
            "var.a=3",
        ] {
            assert!(seen.contains(setting), "{setting} never comes up");
        }
    }

    #[test]
    fn what_is_pinned_is_not_drawn() {
        let pinned = vec![
            ("grain".to_owned(), "atomic".to_owned()),
            ("env".to_owned(), String::new()),
        ];
        let space = Space { pinned, ..space() };
        for seed in 0..50 {
            let options = space.case(seed).settings.options;
            assert_eq!(options.grain, Grain::Atomic);
            assert_eq!(options.environment, Environment::default());
        }
    }

    #[test]
    fn schedules_have_seeds_of_their_own() {
        let seeds: BTreeSet<u64> = (0..100)
            .flat_map(|seed| (0..100).map(move |schedule| Space::schedule_seed(seed, schedule)))
            .collect();
        assert_eq!(seeds.len(), 10_000);
    }
}
