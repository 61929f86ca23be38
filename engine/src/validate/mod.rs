//! The rules that a file must keep before any of its processes runs: all of them judged at once.
//!
//! [`validate`] reports everything that is wrong with a file, sorted by place, each problem with its rule and a way out.
//! A problem is an *error* where the process can't be executed as it stands, or would do something else than it says;
//! it is a *warning* where the process runs, although some part of it can't go well, is never used, or is ignored. What
//! stands beside the flow (pools, lanes, data, associations) never gives an error.
//!
//! The rules are those of `docs/semantics.md` (`EVG-5`, `CPX-7`, …), and these, which BPMN leaves to good sense:
//!
//! | Rule | What it says | Severity |
//! |---|---|---|
//! | `XML-ID` | an id is used twice | error (warning: one of the two is never executed) |
//! | `XML-REF` | a reference names nothing | error (warning: from what stands beside the flow) |
//! | `FLOW-1` | a node is never reached | warning |
//! | `FLOW-2` | a gateway without any flow | error |
//! | `FLOW-3` | a process or sub-process without any node | warning |
//! | `MODEL` | the scopes of a model made by a program are no tree | error, the only one then |
//! | `UNSUPPORTED` | an element that is not executed | error |
//!
//! Each family of elements has a file of its own. They look at an index of the whole file, never at each other, and
//! each takes about linear time. What only compiling can tell (whether an expression can be evaluated, say) comes from
//! [`compile`], for every process.

mod boundary;
mod complex;
mod event_gate;
mod gateway;
mod ids;
mod index;
mod raise;
mod reach;
mod references;
mod report;
mod start;
mod structure;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use crate::model::Definitions;
use crate::problem::Problem;
use crate::template::{Compiled, compile};

use index::Index;
use report::Report;

/// One family of rules.
type Family = fn(&Index<'_>, &mut Report);

/// All families. The order is of no consequence.
const FAMILIES: &[Family] = &[
    boundary::check,
    complex::check,
    event_gate::check,
    gateway::check,
    ids::check,
    raise::check,
    reach::check,
    references::check,
    start::check,
    structure::check,
];

/// Everything that is wrong with a file, in the order of its places.
///
/// A file without errors compiles: [`compile`] takes every process of it.
///
/// ```
/// use trackside_engine::model::notation::parse;
/// use trackside_engine::validate::validate;
///
/// let model = parse("s > G; G > catch a(message m) > E; G > B > E")?;
/// let problems = validate(&model);
/// assert_eq!(problems[0].rule, "EVG-5");
/// assert_eq!(problems[0].element.as_deref(), Some("B"));
/// # Ok::<(), trackside_engine::model::notation::NotationError>(())
/// ```
pub fn validate(definitions: &Definitions) -> Vec<Problem> {
    let index = match Index::new(definitions) {
        Ok(index) => index,
        Err(problem) => return vec![*problem],
    };
    let mut report = Report::default();
    for family in FAMILIES {
        family(&index, &mut report);
    }
    let mut problems = report.into_problems();
    for process in &definitions.processes {
        if let Err(found) = compile(definitions, process, &Compiled::default()) {
            problems.extend(found);
        }
    }
    sorted(problems)
}

/// By place, errors first, each once: what concerns the whole file is found for each of its processes.
fn sorted(mut problems: Vec<Problem>) -> Vec<Problem> {
    let mut seen = BTreeSet::new();
    problems.retain(|p| seen.insert((p.at, p.element.clone(), p.rule.clone(), p.message.clone())));
    problems.sort_by(|a, b| (a.at, a.severity, &a.rule).cmp(&(b.at, b.severity, &b.rule)));
    problems
}
