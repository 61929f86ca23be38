//! Planted faults: an engine that is told to misbehave in one named way, so that the judges can be judged.
//!
//! Each fault is the image of a defect that some engine really had. All of it exists under the feature `planted-faults`
//! alone. Without it the hook [`planted!`] is the constant `false`, or nothing at all, and this file holds nothing else.

/// Whether one of these faults is planted in what stands first (a [`Plants`]); with a deed behind it, does that if so.
/// Without the feature, `false`, or nothing.
macro_rules! planted {
    ($of:expr, $($fault:ident)|+) => {{
        #[cfg(feature = "planted-faults")]
        let planted = {
            use $crate::planted::{Fault, Plants as _};
            matches!($of.plant(), Some($(Fault::$fault)|+))
        };
        #[cfg(not(feature = "planted-faults"))]
        let planted = false;
        planted
    }};
    ($of:expr, $($fault:ident)|+ => $deed:expr) => {
        #[cfg(feature = "planted-faults")]
        if $crate::planted::planted!($of, $($fault)|+) {
            $deed;
        }
    };
}

pub(crate) use planted;

#[cfg(feature = "planted-faults")]
pub use catalogue::Fault;

/// What knows which fault is planted.
#[cfg(feature = "planted-faults")]
pub(crate) trait Plants {
    fn plant(&self) -> Option<Fault>;
}

#[cfg(feature = "planted-faults")]
mod catalogue {
    macro_rules! faults {
        ($($number:literal $variant:ident $name:literal $about:literal)*) => {
            /// A way to misbehave.
            ///
            /// ```
            /// use trackside_engine::planted::Fault;
            ///
            /// let fault = Fault::parse("two-arms-win").unwrap();
            /// assert_eq!((fault, fault.number()), (Fault::TwoArmsWin, 16));
            /// assert_eq!(Fault::parse("16"), Some(fault));
            /// ```
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            #[repr(u8)]
            pub enum Fault {
                $(#[doc = $about] $variant = $number),*
            }

            impl Fault {
                /// All of them, by number.
                pub const ALL: &'static [Self] = &[$(Self::$variant),*];

                /// Its name.
                pub const fn name(self) -> &'static str {
                    match self { $(Self::$variant => $name),* }
                }

                /// What goes wrong, in a sentence.
                pub const fn about(self) -> &'static str {
                    match self { $(Self::$variant => $about),* }
                }
            }
        };
    }

    faults! {
        1 JoinRedecidedOnArrivalOnly "join-redecided-on-arrival-only"
            "An inclusive or complex join decides when a token arrives at it, and never again."
        2 JoinNotRedecidedOnMove "join-not-redecided-on-move"
            "An inclusive or complex join decides again when a track dies, but not when a token turns away."
        3 JoinNotRedecidedOnCaughtError "join-not-redecided-on-caught-error"
            "An inclusive or complex join does not decide again when a caught error takes the token it waits for."
        4 ForkInTwoSteps "fork-in-two-steps"
            "A track that forks leaves first, and its siblings come to be in a transition of their own."
        5 InTransitArrivalIgnored "in-transit-arrival-ignored"
            "An inclusive or complex join overlooks a token that is in transit on one of its own flows."
        6 NewSiblingInvisible "new-sibling-invisible"
            "An inclusive or complex join overlooks a track that was spawned and has not executed a node yet."
        7 AllMarkedFiringForgetsParked "all-marked-firing-forgets-parked"
            "An inclusive join whose last flow gets its token lets that one go on and leaves the others parked."
        8 LateTokenParksForEver "late-token-parks-for-ever"
            "A late token of a complex join's wave parks, and nothing ever takes it."
        9 AndJoinCountsTokens "and-join-counts-tokens"
            "A parallel join fires when as many tokens are there as it has flows, wherever they stand."
        10 AndJoinOverwritesSurplus "and-join-overwrites-surplus"
            "A second token on a flow into a parallel join takes the place of the first, which is lost."
        11 StarvedAndJoinCompletes "starved-and-join-completes"
            "A scope whose last tokens wait at parallel joins counts as completed."
        12 ReachabilityMissesJumps "reachability-misses-jumps"
            "What can still come to a join is searched along sequence flow alone, without boundary events and links."
        13 ReachabilityWalksThroughJoin "reachability-walks-through-join"
            "What can still come to a join is searched through that join itself."
        14 JoinStateSharedByPasses "join-state-shared-by-passes"
            "Passes of one scope that run side by side share the state of its joins."
        15 LatchSurvivesRearming "latch-survives-rearming"
            "A join that has fired once in a run of its scope never fires again in it."
        16 TwoArmsWin "two-arms-win"
            "The event of a second arm of a gate is taken too, and brings a second token."
        17 LosingSubscriptionLeaks "losing-subscription-leaks"
            "The arms of a gate that did not win stay subscribed, and swallow their events."
        18 WatcherOutlivesHost "watcher-outlives-host"
            "A boundary event stays armed when its host has ended, and can still fire."
        19 InterruptedHostGoesOn "interrupted-host-goes-on"
            "An interrupted host leaves along its normal flow as well."
        20 InterruptedForkSpawns "interrupted-fork-spawns"
            "A track that is interrupted where it would fork is gone, but its siblings are spawned."
        21 LateResultTaken "late-result-taken"
            "The answer of interrupted work is not discarded: its data are written, or it is a fault."
        22 WatcherNotRearmed "watcher-not-rearmed"
            "A non-interrupting event fires once and is not armed again."
        23 TerminateLeavesParked "terminate-leaves-parked"
            "Terminate does not cancel the tokens that are parked at joins."
        24 ScopedTerminateKillsParent "scoped-terminate-kills-parent"
            "Terminate in a sub-process ends the scope around it too."
        25 PlainEndTerminates "plain-end-terminates"
            "A plain end event ends all other tokens of its scope."
        26 CompletionBeforeSibling "completion-before-sibling"
            "A scope completes while the only tokens left are siblings that have not executed a node yet."
        27 ComplexJoinSamplesTwice "complex-join-samples-twice"
            "A complex join that looks for a way to fire counts its tokens before an arrival and what can come after it."
        28 TrailingTokenRefires "trailing-token-refires"
            "A late token of a complex join's wave makes it fire again."
        29 LineageRewrittenAtMerge "lineage-rewritten-at-merge"
            "A survivor takes over the lineage of a track that it absorbed, and its children name that one as their parent."
        30 BranchOrderFromHashMap "branch-order-from-hash-map"
            "The branches of a split are put on their flows in the order of a hash map."
    }

    impl Fault {
        /// Its number, from 1.
        pub const fn number(self) -> u8 {
            self as u8
        }

        /// The fault with this name or number.
        pub fn parse(text: &str) -> Option<Self> {
            let number = text.parse().ok();
            Self::ALL
                .iter()
                .copied()
                .find(|fault| fault.name() == text || Some(fault.number()) == number)
        }
    }
}

/// These things in the order in which a hash map happens to have them: another one each time.
#[cfg(feature = "planted-faults")]
pub(crate) fn in_any_order<T>(things: impl Iterator<Item = T>) -> Vec<T> {
    let map: std::collections::HashMap<usize, T> = things.enumerate().collect();
    map.into_values().collect()
}
