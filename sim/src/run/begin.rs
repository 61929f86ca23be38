//! How an instance begins (INS-8): which of its starts it takes, and when.

use std::sync::Arc;

use trackside_engine::expr::Data;
use trackside_engine::template::{Awaits, Birth, Template};

use crate::schedule::{Dice, Named};
use crate::token::Plan;

/// The ways in which the instance may begin, and with what.
pub(super) struct Begin {
    pub(super) template: Arc<Template>,
    /// The possible ways, as indices into the template's own list.
    pub(super) births: Vec<usize>,
    pub(super) data: Data,
    /// The way that a token says.
    pub(super) chosen: Option<usize>,
}

impl Begin {
    /// The element behind a way to begin.
    pub(super) fn element(&self, birth: usize) -> Option<&str> {
        element(&self.template, self.template.births()[birth])
    }

    /// Picks one of these ways: as the token says, else as the seed says.
    pub(super) fn pick(&self, ways: &[usize], plan: &Plan) -> usize {
        let picked = match plan {
            // Another stream than that of the schedule.
            Plan::Seeded(Named::Fifo, _) | Plan::Deviations(_) => 0,
            Plan::Seeded(_, seed) => Dice::new(!seed).below(ways.len() as u64),
        };
        self.chosen.unwrap_or(ways[picked as usize])
    }

    /// The ways that need no event. They exclude the others: where there is one, an instance begins by itself.
    pub(super) fn plain(&self) -> &[usize] {
        let first = self.births.first().map(|&birth| self.template.births()[birth]);
        match first {
            Some(birth) if awaits(&self.template, birth).is_none() => &self.births,
            _ => &[],
        }
    }

    /// The timer starts with the time they are due at, when armed at time 0.
    pub(super) fn timers(&self) -> Vec<(i64, usize)> {
        let arms = self.births.iter().map(|&way| (way, self.template.births()[way].arm));
        let mut due: Vec<_> = arms
            .filter(|(_, arm)| !arm.is_none())
            .filter_map(|(way, arm)| Some((self.template.first_due(arm, &self.data, 0).ok()??, way)))
            .collect();
        due.sort_unstable();
        due
    }

    /// The first conditional start whose condition holds over these data.
    pub(super) fn by_condition(&self) -> Option<usize> {
        self.births.iter().copied().find(|&way| {
            let arm = self.template.births()[way].arm;
            !arm.is_none() && self.template.condition_holds(arm, &self.data) == Ok(true)
        })
    }
}

fn awaits(template: &Template, birth: Birth) -> Option<Awaits<'_>> {
    birth.node.and_then(|_| template.awaits(birth.arm))
}

/// The element behind one of the template's ways to begin.
pub(crate) fn element_of(template: &Template, birth: usize) -> Option<String> {
    element(template, template.births()[birth]).map(ToOwned::to_owned)
}

fn element(template: &Template, birth: Birth) -> Option<&str> {
    birth.arm.some().map(|arm| template.node(arm).id.as_str())
}

/// The starts without a trigger if there are any, else all.
pub(crate) fn possible(template: &Template) -> Vec<usize> {
    let births = template.births();
    let plain = |way: &usize| awaits(template, births[*way]).is_none();
    let all = 0..births.len();
    let none: Vec<usize> = all.clone().filter(plain).collect();
    if none.is_empty() { all.collect() } else { none }
}

/// The way to begin at this element.
pub(crate) fn find(template: &Template, id: &str) -> Option<usize> {
    template
        .births()
        .iter()
        .position(|&birth| element(template, birth) == Some(id))
}

/// Whether `id` is an element with a timer.
pub(crate) fn is_timer(template: &Template, id: &str) -> bool {
    let awaits = template.find(id).and_then(|node| template.awaits(node));
    matches!(awaits, Some(Awaits::Timer))
}
