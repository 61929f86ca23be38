//! The decision of an inclusive join by itself, for tables of markings.

use trackside_engine::instance::OrJoin;
use trackside_engine::model::Definitions;
use trackside_engine::template::Compiled;

use super::paths::{Paths, Position};
use super::read::{NotCovered, Reader};

/// Where a token is, by the id of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place<'p> {
    /// At a node, also parked there, but not at the join that decides.
    At(&'p str),
    /// In transit on a flow.
    On(&'p str),
}

/// Whether the inclusive join `join` of the first process of `file` fires, with registered tokens on the incoming flows
/// `registered` and other live tokens of its scope run at `others` (ORJ-1, ORJ-2).
///
/// ```
/// use trackside_engine::instance::OrJoin;
/// use trackside_engine::model::notation::parse;
/// use trackside_sim::oracle::{Place, inclusive_join_fires};
///
/// let file = parse("s > O > A* > J.1; O > B* > J.2; J > e; or J").unwrap();
/// let fires = |others| inclusive_join_fires(&file, "J", OrJoin::Standard, &["1"], others);
/// assert_eq!(fires(&[]), Ok(true));
/// assert_eq!(fires(&[Place::At("B")]), Ok(false));
/// ```
///
/// # Errors
///
/// [`NotCovered`] for a model that the oracle has no rules for, and for an id that is not in it.
pub fn inclusive_join_fires(
    file: &Definitions,
    join: &str,
    rule: OrJoin,
    registered: &[&str],
    others: &[Place<'_>],
) -> Result<bool, NotCovered> {
    let unknown = |id: &str| NotCovered::new("an element that is not in the file", id);
    let process = file.processes.first().ok_or_else(|| unknown(""))?;
    let net = Reader {
        file,
        settings: &Compiled::default(),
    }
    .net(process.body)?;
    let node = |id: &str| net.find(id).ok_or_else(|| unknown(id));
    let flow = |id: &str| net.find_flow(id).ok_or_else(|| unknown(id));
    let marked: Vec<_> = registered.iter().map(|id| flow(id)).collect::<Result<_, _>>()?;
    let place = |place: &Place<'_>| match *place {
        Place::At(id) => node(id).map(Position::At),
        Place::On(id) => flow(id).map(Position::On),
    };
    let others: Vec<Position> = others.iter().map(place).collect::<Result<_, _>>()?;
    Ok(Paths::default().inclusive_fires(&net, node(join)?, rule, &marked, others.into_iter()))
}
