//! Completion against firing (BND-2): every host kind, trigger and mode, and every order of what may happen to them.
//!
//! The outcomes are those of the rule: what is applied first wins, and the loser finds nothing to act on.

use crate::scenario::check;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Host {
    User,
    Service,
    Receive,
    SubProcess,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trigger {
    Timer,
    Message,
    Signal,
    Conditional,
    Error,
    Escalation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    CompletionFirst,
    FiringFirst,
    /// The clock stands at the due time of a timer, which has not fired; other triggers see half an hour pass.
    ClockBeforeCompletion,
    ClockBeforeFiring,
    TerminateElsewhere,
    ParentInterrupted,
}

const HOSTS: [Host; 4] = [Host::User, Host::Service, Host::Receive, Host::SubProcess];
const TRIGGERS: [Trigger; 6] = [
    Trigger::Timer,
    Trigger::Message,
    Trigger::Signal,
    Trigger::Conditional,
    Trigger::Error,
    Trigger::Escalation,
];
const ORDERS: [Order; 6] = [
    Order::CompletionFirst,
    Order::FiringFirst,
    Order::ClockBeforeCompletion,
    Order::ClockBeforeFiring,
    Order::TerminateElsewhere,
    Order::ParentInterrupted,
];

#[derive(Clone, Copy, Debug)]
struct Race {
    host: Host,
    trigger: Trigger,
    interrupting: bool,
}

impl Race {
    /// Whether there is such a thing: errors interrupt, and an escalation comes from inside of a sub-process.
    fn exists(self) -> bool {
        match self.trigger {
            Trigger::Error => self.interrupting,
            Trigger::Escalation => self.host == Host::SubProcess,
            _ => true,
        }
    }

    fn model(self) -> String {
        let mode = if self.interrupting { '!' } else { '~' };
        let trigger = match self.trigger {
            Trigger::Timer => "timer PT1H",
            Trigger::Message => "message m",
            Trigger::Signal => "signal g",
            Trigger::Conditional => "(if c)",
            Trigger::Error => "error k",
            Trigger::Escalation => "escalation k",
        };
        // Inside the sub-process, `bad` decides whether it raises what its boundary catches.
        let body = match (self.host, self.trigger) {
            (Host::SubProcess, Trigger::Error) => "{s2 > I > X -[bad]> r; X -[default]> e3; end r(error k)}",
            (Host::SubProcess, Trigger::Escalation) => {
                "{s2 > I > X -[bad]> r > I2 > e3; X -[default]> e3; throw r(escalation k)}"
            }
            (Host::SubProcess, _) => "{s2 > I > e3}",
            _ => "",
        };
        let kind = match self.host {
            Host::User => "; user H",
            Host::Service => "; service H",
            Host::Receive => "; receive H(hm)",
            Host::SubProcess => "",
        };
        format!(
            "s > PS{{s1 > F > H{body}{{{mode}{trigger} as T > C > e1}} > D > e2; F > Z > ET{kind}}}{{!out > PX > E2}} > E1"
        )
    }

    fn complete(self) -> &'static str {
        match self.host {
            Host::User | Host::Service => "H",
            Host::Receive => "hm!",
            Host::SubProcess => "I",
        }
    }

    fn fire(self) -> &'static str {
        match (self.trigger, self.host) {
            (Trigger::Timer, _) => "+PT1H",
            (Trigger::Message, _) => "m!",
            (Trigger::Signal, _) => "sig:g",
            (Trigger::Conditional, _) => "c=true",
            (Trigger::Error, Host::SubProcess) | (Trigger::Escalation, _) => "I(bad=true)",
            (Trigger::Error, _) => "H(k)",
        }
    }

    /// What the outside tries when the host has gone; nothing may come of it.
    fn fire_in_vain(self) -> &'static str {
        match self.trigger {
            Trigger::Error | Trigger::Escalation => "bad=true",
            _ => self.fire(),
        }
    }

    /// What completes the host when it is not there any more: a late answer, or a message for nobody.
    fn complete_in_vain(self) -> &'static str {
        match (self.host, self.trigger) {
            (Host::Receive, _) => "hm!",
            (Host::SubProcess, Trigger::Error | Trigger::Escalation) => "bad=false",
            (Host::SubProcess, _) => "late:I",
            _ => "late:H",
        }
    }

    /// The live tokens around the running host.
    fn running(self) -> &'static str {
        match (self.host, self.trigger) {
            (Host::SubProcess, Trigger::Escalation) => "PS H I2",
            (Host::SubProcess, _) => "PS H I",
            _ => "PS H",
        }
    }

    fn completion_wins(self, complete: &str) -> String {
        let fire = self.fire_in_vain();
        format!(
            "{complete} [at PS D Z; armed PS_out; ran H=1; records Fired@T=0 Interrupted=0] \
             {fire} [at PS D Z; records Fired@T=0] D [at PS Z]"
        )
    }

    fn firing_wins(self, fire: &str) -> String {
        if self.interrupting {
            let late = self.complete_in_vain();
            return format!(
                "{fire} [at PS C Z; armed PS_out; records Fired@T=1 Interrupted@H=2] {late} [at PS C Z] C [at PS Z; not H D]"
            );
        }
        let running = self.running();
        let armed = if self.trigger == Trigger::Timer {
            "PS_out"
        } else {
            "PS_out T"
        };
        let armed = if self.host == Host::Receive {
            format!("{armed} H")
        } else {
            armed.to_owned()
        };
        let complete = if self.trigger == Trigger::Escalation {
            "I2"
        } else {
            self.complete()
        };
        format!(
            "{fire} [at {running} C Z; armed {armed}; records Fired@T=1 Interrupted=0] \
             {complete} [at PS C D Z; armed PS_out; ran H=1] C D [at PS Z]"
        )
    }

    fn clock(self) -> &'static str {
        if self.trigger == Trigger::Timer {
            ":clock"
        } else {
            "+PT30M"
        }
    }

    fn script(self, order: Order) -> (String, &'static str) {
        let (clock, fire) = (self.clock(), self.fire());
        let after_clock = if self.trigger == Trigger::Timer { "fire:T" } else { fire };
        let (entries, end) = match order {
            Order::CompletionFirst => (self.completion_wins(self.complete()), "terminated-inside"),
            Order::FiringFirst => (self.firing_wins(fire), "terminated-inside"),
            Order::ClockBeforeCompletion => (
                self.completion_wins(&format!("{clock} {}", self.complete())),
                "terminated-inside",
            ),
            Order::ClockBeforeFiring => (self.firing_wins(&format!("{clock} {after_clock}")), "terminated-inside"),
            Order::TerminateElsewhere => (self.withdrawn("Z"), "completed; ran E1=1 ET=1; not H T C D PX"),
            Order::ParentInterrupted => (
                self.withdrawn("out! [at PX; records Interrupted@PS=2]") + " PX",
                "completed; ran E2=1; not H T C D E1",
            ),
        };
        // However the race ended, the scope around goes on and can be left.
        match end {
            "terminated-inside" => (entries + " Z", "completed; ran E1=1 ET=1; not PX"),
            end => (entries, end),
        }
    }

    fn withdrawn(self, by: &str) -> String {
        let (fire, late) = (self.fire_in_vain(), self.complete_in_vain());
        // Data of an instance that has ended are not changed any more: only events are tried.
        let tries = [fire, late]
            .into_iter()
            .filter(|entry| !entry.contains('='))
            .collect::<Vec<_>>()
            .join(" ");
        format!("{by} [armed -; records Fired@T=0] {tries} [records Fired@T=0]")
    }
}

#[test]
fn bnd_2_bnd_6_whatever_is_applied_first_wins() {
    let mut races = 0;
    for host in HOSTS {
        for trigger in TRIGGERS {
            for interrupting in [true, false] {
                let race = Race {
                    host,
                    trigger,
                    interrupting,
                };
                if !race.exists() {
                    continue;
                }
                for order in ORDERS {
                    let (script, expected) = race.script(order);
                    check(
                        &race.model(),
                        &format!("c=false bad=false | [at {}] {script}", at_first(race)),
                        expected,
                    );
                    races += 1;
                }
            }
        }
    }
    assert_eq!(races, (4 * 9 + 2) * ORDERS.len(), "the whole matrix");
}

fn at_first(race: Race) -> &'static str {
    if race.host == Host::SubProcess {
        "PS H I Z"
    } else {
        "PS H Z"
    }
}
