//! Campaigns against an engine that is told to misbehave: does the net hold, and how soon?

use std::time::Instant;

use serde::Serialize;
use trackside_engine::planted::Fault;

use super::finding::Finding;
use super::{Campaign, CampaignError};
use crate::schedule::Named;

/// What became of the hunt for one planted fault.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hunt {
    /// The name of the fault.
    pub fault: &'static str,
    /// Whether it was found.
    pub found: bool,
    /// The strategy that was asked for.
    pub strategy: &'static str,
    /// The strategy that found it: of a portfolio, the member. Documents have it with the finding.
    #[serde(skip)]
    pub by: Option<&'static str>,
    /// How many schedules it took, the one that found it included; or were run in vain.
    pub schedules: u64,
    /// How many models these were of.
    pub models: u64,
    /// How long it took, shrinking included.
    pub elapsed_ms: u64,
    /// The finding, shrunk.
    #[serde(flatten)]
    pub finding: Option<Finding>,
}

/// Hunts one fault by this strategy, until it is found or the campaign's bounds are reached.
///
/// ```
/// use trackside_engine::planted::Fault;
/// use trackside_sim::campaign::{Campaign, planted::hunt};
/// use trackside_sim::schedule::Named;
///
/// let campaign = Campaign::generated().seed(1).seeds(2_000);
/// let hunt = hunt(&campaign, Fault::TwoArmsWin, Named::Portfolio)?;
/// assert!(hunt.found && hunt.finding.is_some_and(|finding| finding.nodes <= 8));
/// # Ok::<(), trackside_sim::campaign::CampaignError>(())
/// ```
///
/// # Errors
///
/// As [`Campaign::run`].
pub fn hunt(campaign: &Campaign, fault: Fault, strategy: Named) -> Result<Hunt, CampaignError> {
    let began = Instant::now();
    let campaign = campaign.clone().setting("plant", fault.name())?;
    let summary = campaign.strategy(strategy).until_found().run()?;
    let finding = summary.findings.into_iter().next();
    Ok(Hunt {
        fault: fault.name(),
        found: summary.violated > 0,
        strategy: strategy.name(),
        by: finding.as_ref().map(|finding| finding.by),
        schedules: summary.schedules,
        models: summary.models,
        elapsed_ms: began.elapsed().as_millis() as u64,
        finding,
    })
}
