//! Dense indices, one type each, so that no bare number crosses a module border.

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        #[allow(unreachable_pub, reason = "some indices are the crate's own")]
        pub struct $name(pub u32);

        #[allow(dead_code, unreachable_pub, reason = "not every index needs every method")]
        impl $name {
            /// The value that stands for "none" where a whole `Option` would cost too much.
            pub const NONE: Self = Self(u32::MAX);

            /// The index of the `n`-th element.
            ///
            /// # Panics
            ///
            /// If `n` does not fit: no table of this crate grows that far.
            pub fn new(n: usize) -> Self {
                let n = u32::try_from(n).expect("a dense table holds fewer than 2^32 elements");
                assert!(n != u32::MAX, "the last index is reserved");
                Self(n)
            }

            /// The index as a `usize`.
            pub const fn ix(self) -> usize {
                self.0 as usize
            }

            /// Whether this is [`Self::NONE`].
            pub const fn is_none(self) -> bool {
                self.0 == u32::MAX
            }

            /// `None` for [`Self::NONE`].
            pub fn some(self) -> Option<Self> {
                (!self.is_none()).then_some(self)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}", self.0)
            }
        }
    };
}

index! {
    /// A node of a template; nodes of one scope are neighbours, in document order.
    NodeId
}
index! {
    /// A sequence flow of a template; flows of one scope are neighbours, in document order.
    FlowId
}
index! {
    /// A scope of a template: 0 is the process, the others are sub-processes.
    ScopeId
}
index! {
    /// A track of an instance, counted from 0 in order of birth.
    TrackId
}
index! {
    /// An instance of a world, counted from 0 in order of birth.
    InstanceId
}
index! {
    /// A subscription of an instance, counted from 0 in the order of arming.
    WatcherId
}

pub(crate) use index;
