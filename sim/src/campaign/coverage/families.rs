//! The universe as a table: each family of items is a product of lists of words, and its items are neighbours.
//!
//! An item is a number. Families stand one behind the other, and within one the last word varies fastest, so that an
//! observer finds the number of what it saw by a multiplication or two.

use trackside_engine::instance::CoverageMark;

use super::rules::IDS;
use super::words::{
    Addressed, Arm, Branch, By, Cause, Ending, Freed, Heard, HostPhase, Join, Kind, Late, Lead, Mode, Order, Passage,
    Role, ScopePhase, State, Surplus, Ties, Trigger, Unblocked, Wave,
};
use super::{Group, Item};

/// A family in the table.
struct Row {
    group: Group,
    /// What the ids begin with.
    prefix: &'static str,
    words: [&'static [&'static str]; 3],
}

/// Stands for "no more words".
const NO: &[&str] = &[""];

macro_rules! families {
    ($($(#[$doc:meta])* $name:ident = $group:ident, $prefix:literal, $a:expr, $b:expr, $c:expr;)*) => {
        /// A family of items.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Family { $($(#[$doc])* $name),* }

        impl Family {
            pub(super) const ALL: &'static [Self] = &[$(Self::$name),*];
        }

        const TABLE: &[Row] = &[$(Row { group: Group::$group, prefix: $prefix, words: [$a, $b, $c] }),*];
    };
}

families! {
    /// A gateway was passed.
    Passed = Gateways, "", Passage::WORDS, NO, NO;
    /// A boundary event fired: its trigger and mode, the phase of its host, the joins that its flow leads to.
    Boundary = RacePairs, "boundary", WATCH, HostPhase::WORDS, Lead::WORDS;
    /// An arm of a gate was taken while another one could have been.
    Arms = RacePairs, "arms", Arm::WORDS, Arm::WORDS, NO;
    /// A host completed while a boundary event could fire, or the other way round.
    Completion = RacePairs, "completion", Order::WORDS, Trigger::OUTSIDE, Mode::WORDS;
    /// An interrupting boundary event fired while another one of the same host could have.
    Watchers = RacePairs, "watchers", Trigger::OUTSIDE, Trigger::OUTSIDE, NO;
    /// Something ended from outside, by what, and what it was doing.
    TornDown = RacePairs, "ended-by", Cause::WORDS, State::WORDS, NO;
    /// An event sub-process started, and what its scope was doing.
    Handler = RacePairs, "handler", WATCH, ScopePhase::WORDS, NO;
    /// Several tokens on one flow of a join.
    Surplus = RacePairs, "surplus", Join::WORDS, Surplus::WORDS, NO;
    /// Tokens at a complex join that has fired.
    Wave = RacePairs, "wave", Wave::WORDS, NO, NO;
    /// A join fired without an arrival.
    Unblocked = RacePairs, "unblocked", Unblocked::WORDS, By::WORDS, NO;
    /// The last token that moved ended beside parked ones.
    LastEnd = RacePairs, "last-end", Join::WORDS, NO, NO;
    /// One transition freed two joins.
    Freed = RacePairs, "two-freed", Freed::WORDS, NO, NO;
    /// A late answer.
    Late = RacePairs, "late-answer", Late::WORDS, NO, NO;
    /// A branch of a non-interrupting boundary event and its host.
    Branch = RacePairs, "branch", Branch::WORDS, NO, NO;
    /// Two received one signal.
    Heard = RacePairs, "signal", Heard::WORDS, NO, NO;
    /// One of several received a message.
    Addressed = RacePairs, "message", Addressed::WORDS, NO, NO;
    /// Timers that are due together.
    Ties = RacePairs, "timers", Ties::WORDS, NO, NO;
    /// A record.
    Record = Records, "", Kind::WORDS, NO, NO;
    /// A subscription was armed.
    Armed = Records, "Armed", Trigger::WORDS, Role::WORDS, NO;
    /// A subscription fired.
    Fired = Records, "Fired", Trigger::WORDS, Role::WORDS, NO;
    /// A run ended.
    End = Ends, "", Ending::WORDS, NO, NO;
    /// A rule was exercised.
    Rule = Rules, "", IDS, NO, NO;
    /// A branch of the engine was taken.
    Marked = Marks, "mark", CoverageMark::NAMES, NO, NO;
}

/// Triggers with modes.
const WATCH: &[&str] = &[
    "message.interrupting",
    "message.non-interrupting",
    "signal.interrupting",
    "signal.non-interrupting",
    "timer.interrupting",
    "timer.non-interrupting",
    "conditional.interrupting",
    "conditional.non-interrupting",
    "error.interrupting",
    "error.non-interrupting",
    "escalation.interrupting",
    "escalation.non-interrupting",
];

/// The place of a trigger with its mode in [`WATCH`].
pub(super) const fn watch(trigger: Trigger, mode: Mode) -> usize {
    trigger.ix() * 2 + mode.ix()
}

const fn size(row: &Row) -> usize {
    row.words[0].len() * row.words[1].len() * row.words[2].len()
}

/// Where each family begins.
const BASES: [usize; TABLE.len() + 1] = {
    let mut bases = [0; TABLE.len() + 1];
    let mut at = 0;
    while at < TABLE.len() {
        bases[at + 1] = bases[at] + size(&TABLE[at]);
        at += 1;
    }
    bases
};

/// How many numbers there are, those of items that cannot be included.
pub(super) const COUNT: usize = BASES[TABLE.len()];

impl Family {
    /// The item with these words, by their places in the lists.
    #[inline]
    pub(super) const fn item(self, a: usize, b: usize, c: usize) -> Item {
        let row = &TABLE[self as usize];
        let (second, third) = (row.words[1].len(), row.words[2].len());
        debug_assert!(a < row.words[0].len() && b < second && c < third);
        Item((BASES[self as usize] + (a * second + b) * third + c) as u16)
    }

    /// The item of a family with one list.
    #[inline]
    pub(super) const fn one(self, a: usize) -> Item {
        self.item(a, 0, 0)
    }

    /// The item of a family with two lists.
    #[inline]
    pub(super) const fn two(self, a: usize, b: usize) -> Item {
        self.item(a, b, 0)
    }

    pub(super) const fn group(self) -> Group {
        TABLE[self as usize].group
    }

    /// All its items with their ids, in order.
    pub(super) fn items(self) -> impl Iterator<Item = (Item, String)> {
        let row = &TABLE[self as usize];
        let [a, b, c] = row.words;
        let texts = a
            .iter()
            .flat_map(move |a| b.iter().flat_map(move |b| c.iter().map(move |c| [row.prefix, a, b, c])));
        texts.enumerate().map(move |(at, words)| {
            let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
            (Item((BASES[self as usize] + at) as u16), words.join("."))
        })
    }
}
