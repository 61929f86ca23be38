//! Each fault can be found in generated models too, made of what it is known to need.

use trackside_engine::instance::Grain;
use trackside_sim::fault::{Fault, Knowledge};
use trackside_sim::generate::{Family, Kinds, Parameters, model};

use super::judge::{Subject, options};

/// Models per family, each under one schedule per grain.
const MODELS: u64 = 2_000;
/// About how large they are.
const NODES: u32 = 16;

/// The first model in which a judge objects to the fault and to nothing without it.
fn find(known: &Knowledge) -> Option<(Family, u64, &'static str)> {
    let kinds = known.kinds.iter().fold(Kinds::NONE, |kinds, &kind| kinds.with(kind));
    for seed in 0..MODELS {
        for &family in known.families {
            let parameters = Parameters {
                kinds,
                swarm: false,
                ..Parameters::of(family).nodes(NODES)
            };
            let Some(subject) = Subject::new(model(seed, &parameters)) else {
                continue;
            };
            for grain in [Grain::Protocol, Grain::Atomic] {
                let options = options(grain);
                if let Err((invariant, _)) = subject.judge(known.planted_in(options), seed)
                    && subject.judge(known.innocent(options), seed).is_ok()
                {
                    return Some((family, seed, invariant));
                }
            }
        }
    }
    None
}

#[test]
fn every_fault_shows_in_generated_models() {
    let lost: Vec<&str> = Fault::ALL
        .iter()
        .filter(|&&fault| find(Knowledge::of(fault)).is_none())
        .map(|fault| fault.name())
        .collect();
    assert_eq!(lost, Vec::<&str>::new());
}
