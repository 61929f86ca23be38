//! All schedules of a small model, one after another.

use trackside_engine::world::{Action, Part, World};

use super::{Seeded, Strategy};

/// Enumerates every schedule, outcomes and free choices included, by backtracking: the last choice that has an alternative
/// takes it, and everything before is made again. The first schedule is the default order.
///
/// ```
/// # use std::sync::Arc;
/// # use trackside_engine::instance::{Grain, Options};
/// # use trackside_engine::model::notation;
/// # use trackside_engine::template::{Compiled, compile};
/// # use trackside_engine::world::{Part, World};
/// use trackside_sim::schedule::{Exhaustive, Strategy};
///
/// # let file = notation::parse("s > F > A* > B* > e1; F > C* > e2").unwrap();
/// # let template = compile(&file, &file.processes[0], &Compiled::default()).unwrap();
/// # let options = Options { grain: Grain::Atomic, ..Options::default() };
/// # let mut world = World::new(options);
/// # let process = world.add(Arc::new(template));
/// let mut exhaustive = Exhaustive::new(100);
/// while exhaustive.next_schedule() {
///     world.reset();
///     world.start(process, 0, Default::default());
///     while let Some(action) = exhaustive.choose(&world, Part::All) {
///         world.apply(action).unwrap();
///     }
/// }
/// assert_eq!(exhaustive.schedules(), 3);
/// assert!(!exhaustive.was_cut());
/// ```
#[derive(Clone, Debug)]
pub struct Exhaustive {
    steps_max: usize,
    /// The choices of the current schedule: which was taken, and of how many.
    path: Vec<(u64, u64)>,
    at: usize,
    schedules: u64,
    cut: bool,
    over: bool,
}

impl Exhaustive {
    /// An enumeration of the schedules of at most so many steps; longer ones are cut off there.
    pub fn new(steps_max: usize) -> Self {
        Self {
            steps_max,
            path: Vec::new(),
            at: 0,
            schedules: 0,
            cut: false,
            over: false,
        }
    }

    /// Goes to the next schedule, which is to be played from the start; false when there are no more.
    pub fn next_schedule(&mut self) -> bool {
        if self.schedules > 0 {
            // What was not come to, when the run before was left early, is no part of it.
            self.path.truncate(self.at);
            while let Some((taken, of)) = self.path.pop() {
                if taken + 1 < of {
                    self.path.push((taken + 1, of));
                    break;
                }
            }
            self.over |= self.path.is_empty();
        }
        self.at = 0;
        self.schedules += u64::from(!self.over);
        !self.over
    }

    /// How many schedules there have been so far, the current one included.
    pub fn schedules(&self) -> u64 {
        self.schedules
    }

    /// Whether some schedule was longer than the bound, so that not all there is has been seen.
    pub fn was_cut(&self) -> bool {
        self.cut
    }
}

impl Strategy for Exhaustive {
    /// # Panics
    ///
    /// If the runs before have gone another way under the same choices.
    fn choose(&mut self, world: &World, part: Part) -> Option<Action> {
        let enabled = world.enabled(part);
        let ways = |action: &Action| {
            let (outcomes, choices) = world.choices(*action);
            (u64::from(outcomes.max(1)), u64::from(choices.max(1)))
        };
        let of = enabled
            .iter()
            .map(ways)
            .map(|(outcomes, choices)| outcomes * choices)
            .sum();
        if of == 0 {
            return None;
        }
        if self.at == self.steps_max {
            self.cut = true;
            return None;
        }
        if self.at == self.path.len() {
            self.path.push((0, of));
        }
        let (mut taken, before) = self.path[self.at];
        assert_eq!(before, of, "the same choices lead to the same state");
        self.at += 1;
        for action in enabled {
            let (outcomes, choices) = ways(&action);
            if taken < outcomes * choices {
                return Some(action.choose((taken / choices) as u32, (taken % choices) as u32));
            }
            taken -= outcomes * choices;
        }
        unreachable!("a choice is below the number of choices")
    }
}

impl Seeded for Exhaustive {
    /// Begins the enumeration again, whatever the seed.
    fn restart(&mut self, _: u64) {
        *self = Self::new(self.steps_max);
    }
}
