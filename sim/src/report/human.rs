//! The end of a run, in plain words.

use crate::cli::{Style, Tone};
use crate::run::{InstanceReport, Report, RunEnd, Undelivered, Waiting};

/// Everything after the story: how it ended, what is waited for, and how to see it again.
pub(crate) fn ending(report: &Report, style: Style) -> String {
    let mut lines = vec![String::new()];
    instance(&mut lines, &report.main, report.steps, style);
    for other in &report.others {
        instance(&mut lines, other, report.steps, style);
    }
    let quiet = |text| style.paint(Tone::Quiet, text);
    lines.push(format!("{} {}", quiet("trace hash"), report.trace_hash));
    lines.push(quiet("to see it again:"));
    lines.push(format!("trackside replay {}\n", report.token));
    lines.join("\n")
}

fn instance(lines: &mut Vec<String>, of: &InstanceReport, steps: u64, style: Style) {
    let end = of.end.map_or(String::new(), |end| style.paint(tone(end), words(end)));
    lines.push(match of.instance {
        None => format!("process {}: no instance has begun; {end}", of.process),
        Some(0) => format!("process {}: in {steps} steps, {end}", of.process),
        Some(instance) => format!("process {}, instance {instance}: {end}", of.process),
    });
    if let Some(fault) = &of.fault {
        let values = match fault.values.as_str() {
            "" => String::new(),
            values => format!(" ({values})"),
        };
        let line = format!("at {}, {}: {}{values}", fault.element, fault.kind, fault.message);
        lines.push(format!("  {}", style.paint(Tone::Bad, &line)));
    }
    lines.extend(of.waiting.iter().map(waiting));
    lines.extend(of.undelivered.iter().map(unheard));
}

fn waiting(waiting: &Waiting) -> String {
    let tracks: Vec<_> = waiting.tracks.iter().map(ToString::to_string).collect();
    let tracks = match &tracks[..] {
        [] => String::new(),
        [one] => format!(" (track {one})"),
        several => format!(" (tracks {})", several.join(", ")),
    };
    format!("  {}: {}{tracks}", waiting.kind, waiting.detail)
}

fn unheard(undelivered: &Undelivered) -> String {
    let Undelivered { cause, name, line } = undelivered;
    let name = name.as_deref().map_or(String::new(), |name| format!(" {name}"));
    let line = line.map_or(String::new(), |line| format!(" (line {line})"));
    format!("  undelivered: {cause}{name}{line}")
}

const fn words(end: RunEnd) -> &'static str {
    match end {
        RunEnd::Completed => "completed",
        RunEnd::Terminated => "terminated",
        RunEnd::Faulted => "faulted",
        RunEnd::Canceled => "canceled",
        RunEnd::Stuck => "stuck: nothing can happen any more",
        RunEnd::Waiting => "waiting for the outside",
        RunEnd::Bounded => "stopped by the bound on steps",
    }
}

const fn tone(end: RunEnd) -> Tone {
    match end {
        RunEnd::Completed | RunEnd::Terminated => Tone::Good,
        RunEnd::Faulted | RunEnd::Stuck => Tone::Bad,
        RunEnd::Canceled | RunEnd::Waiting | RunEnd::Bounded => Tone::Doubtful,
    }
}
