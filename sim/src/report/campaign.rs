//! What a campaign says to people.

#![allow(
    clippy::cast_precision_loss,
    reason = "figures for people and bounds: sixteen digits are plenty"
)]

use crate::campaign::statistics::Depth;
use crate::campaign::{Finding, Summary};
use crate::cli::{Style, Tone};

/// So many missing items of a group are named.
const MISSING_MAX: usize = 8;

/// Sums, coverage, what it means, and each finding with its story.
pub(crate) fn human(summary: &Summary, style: Style) -> String {
    let mut lines = Vec::new();
    for finding in &summary.findings {
        lines.extend(found(finding, style));
        lines.push(String::new());
    }
    let seconds = summary.elapsed.as_secs_f64().max(0.001);
    lines.push(format!(
        "{} schedules of {} models (seeds {} to {}), {} transitions in {seconds:.1} s: {:.0} schedules/s",
        summary.schedules,
        summary.models,
        summary.first_seed,
        summary.first_seed.wrapping_add(summary.seeds.saturating_sub(1)),
        summary.actions,
        summary.schedules as f64 / seconds,
    ));
    let ends = &summary.ends;
    lines.push(format!(
        "ends: {} completed, {} terminated, {} faulted, {} canceled, {} stuck, {} at a bound",
        ends.completed, ends.terminated, ends.faulted, ends.canceled, ends.stuck, ends.bounded
    ));
    lines.push("assumed:".to_owned());
    lines.extend(summary.assumptions.iter().map(|assumption| format!("  {assumption}")));
    if summary.uncovered > 0 {
        lines.push(format!(
            "{} of the models have elements that the reference has no rules for: what records tell was judged there, no more",
            summary.uncovered
        ));
    }
    lines.extend(covered(summary, style));
    lines.push(verdict(summary, style));
    lines.push(String::new());
    lines.join("\n")
}

fn found(finding: &Finding, style: Style) -> Vec<String> {
    let head = format!("{} ({}) {}", finding.invariant, finding.rule, finding.message);
    let mut lines = vec![style.paint(Tone::Bad, &head)];
    lines.push(format!(
        "  seed {}, by {}, after {} schedules; shrunk to {} nodes and {} deviations",
        finding.seed, finding.by, finding.after, finding.nodes, finding.deviations
    ));
    lines.extend(finding.story.iter().map(|row| format!("  {row}")));
    if let Some(model) = &finding.model {
        lines.push(format!("  model: {}", model.display()));
    }
    if finding.reproduced {
        lines.push(style.paint(Tone::Quiet, "  to see it again:"));
        lines.push(format!("  trackside replay {}", finding.token));
    } else {
        lines.push("  it did not come a second time".to_owned());
    }
    lines
}

fn covered(summary: &Summary, style: Style) -> Vec<String> {
    let mut lines = vec!["covered:".to_owned()];
    for (group, share) in &summary.covered.0 {
        let named: Vec<&str> = share.missing.iter().take(MISSING_MAX).copied().collect();
        let more = share.missing.len().saturating_sub(MISSING_MAX);
        let missing = match (named.len(), more) {
            (0, _) => String::new(),
            (_, 0) => format!("; not {}", named.join(", ")),
            _ => format!("; not {}, and {more} more", named.join(", ")),
        };
        let share = format!("  {group:<10} {:>4} of {}", share.hit, share.total);
        lines.push(format!("{share}{}", style.paint(Tone::Quiet, &missing)));
    }
    lines
}

fn verdict(summary: &Summary, style: Style) -> String {
    if summary.violated > 0 {
        let text = format!(
            "{} of {} seeds broke an invariant; {} that differ are told above",
            summary.violated,
            summary.seeds,
            summary.findings.len()
        );
        return style.paint(Tone::Bad, &text);
    }
    let clean = style.paint(Tone::Good, "no invariant was broken");
    let statistics = &summary.statistics;
    let share = statistics.share.map(|share| {
        format!("with 95 % confidence, what is judged in every run shows under fewer than {share:.1e} of all seeds")
    });
    let by_depth = statistics.by_depth.iter().map(|depth| {
        let Depth {
            depth,
            schedules,
            missed,
        } = depth;
        format!(
            "an order of depth {depth} that every run can have is missed by {schedules} schedules of pct with at most {missed:.1e}, choices and outcomes aside"
        )
    });
    let bounds: Vec<String> = share.into_iter().chain(by_depth).collect();
    if bounds.is_empty() {
        clean
    } else {
        format!("{clean}: {}", bounds.join("; "))
    }
}
