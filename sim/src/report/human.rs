//! The end of a run, in plain words.

use crate::cli::{Style, Tone};
use crate::run::{InstanceReport, Report, RunEnd, Undelivered};

/// Everything after the story: how it ended, what is waited for, and how to see it again.
pub(crate) fn ending(report: &Report, style: Style) -> String {
    let mut out = String::from("\n");
    instance(&mut out, &report.main, report.steps, style);
    for other in &report.others {
        instance(&mut out, other, report.steps, style);
    }
    let quiet = |text| style.paint(Tone::Quiet, text);
    out.push_str(&format!("{} {}\n", quiet("trace hash"), report.trace_hash));
    out.push_str(&format!(
        "{}\ntrackside replay {}\n",
        quiet("to see it again:"),
        report.token
    ));
    out
}

fn instance(out: &mut String, of: &InstanceReport, steps: u64, style: Style) {
    let end = of.end.map_or(String::new(), |end| style.paint(tone(end), words(end)));
    let which = match of.instance {
        None => format!("process {}: no instance has begun;", of.process),
        Some(0) => format!("process {}: in {steps} steps,", of.process),
        Some(instance) => format!("process {}, instance {instance}:", of.process),
    };
    out.push_str(&format!("{which} {end}\n"));
    if let Some(fault) = &of.fault {
        let values = if fault.values.is_empty() {
            String::new()
        } else {
            format!(" ({})", fault.values)
        };
        let line = format!("at {}, {}: {}{values}", fault.element, fault.kind, fault.message);
        out.push_str(&format!("  {}\n", style.paint(Tone::Bad, &line)));
    }
    for waiting in &of.waiting {
        let tracks: Vec<_> = waiting.tracks.iter().map(ToString::to_string).collect();
        let tracks = match tracks.len() {
            0 => String::new(),
            1 => format!(" (track {})", tracks[0]),
            _ => format!(" (tracks {})", tracks.join(", ")),
        };
        out.push_str(&format!("  {}: {}{tracks}\n", waiting.kind, waiting.detail));
    }
    for undelivered in &of.undelivered {
        out.push_str(&format!("  {}\n", unheard(undelivered)));
    }
}

fn unheard(undelivered: &Undelivered) -> String {
    let Undelivered { cause, name, line } = undelivered;
    let name = name.as_deref().map_or(String::new(), |name| format!(" {name}"));
    let line = line.map_or(String::new(), |line| format!(" (line {line})"));
    format!("undelivered: {cause}{name}{line}")
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
