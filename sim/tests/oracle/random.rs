//! Random models under random schedules, with the reference following every step.

use proptest::prelude::*;

use super::drive::{options, walk};
use super::graphs::graph;

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn the_reference_follows_random_models(
        graph in graph(),
        number in any::<u64>(),
        picks in prop::collection::vec(any::<u64>(), 0..80),
    ) {
        let model = graph.text();
        // Both grains and both readings for every model and schedule.
        for variant in 0..4 {
            let options = options((number & !3) | variant);
            if let Err(violation) = walk(&model, options, number, &picks) {
                return Err(TestCaseError::fail(format!("{violation}\n{model}\n{options:?}")));
            }
        }
    }
}
