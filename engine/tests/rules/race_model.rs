//! What BND says of a race, written down a second time: a small model of one host with two boundary events, the scope
//! around it, and everything that may happen to them. It shares nothing with the engine.

use trackside_engine::world::Class;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Host {
    User,
    Manual,
    Abstract,
    Receive,
    Service,
    Script,
    Send,
    BusinessRule,
    SubProcess,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trigger {
    Timer,
    Message,
    Signal,
    Conditional,
    Error,
    Escalation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Boundary {
    pub(crate) trigger: Trigger,
    pub(crate) interrupting: bool,
}

/// A host with two boundary events.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Race {
    pub(crate) host: Host,
    pub(crate) boundaries: [Boundary; 2],
    /// Both wait for the same message or signal.
    pub(crate) shared: bool,
}

/// What may happen, each once per order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The work of the host ends well.
    Completion,
    /// The trigger of the first or second boundary event.
    Trigger(usize),
    /// Virtual time jumps to the next due timer; nothing fires by that.
    Clock,
    /// Beside the host, a terminate end event is reached.
    Terminate,
    /// The scope around the host is interrupted.
    Parent,
}

pub(crate) const EVENTS: [Event; 6] = [
    Event::Completion,
    Event::Trigger(0),
    Event::Trigger(1),
    Event::Clock,
    Event::Terminate,
    Event::Parent,
];

const T: [&str; 2] = ["T1", "T2"];
const C: [&str; 2] = ["C1", "C2"];
pub(crate) const R: [&str; 2] = ["R1", "R2"];

impl Host {
    /// BND-4: whether there is work that runs, and may answer after it was asked to stop. In the sub-process there is.
    fn runs(self) -> bool {
        !matches!(self, Self::User | Self::Manual | Self::Abstract | Self::Receive)
    }
}

impl Boundary {
    /// Whether something inside of a sub-process brings it about.
    fn raised(self) -> bool {
        matches!(self.trigger, Trigger::Error | Trigger::Escalation)
    }
}

impl Race {
    /// Where the work is whose end completes the host.
    pub(crate) fn work(self) -> &'static str {
        if self.host == Host::SubProcess { "I" } else { "H" }
    }

    /// The number in the name of what boundary event `i` waits for.
    pub(crate) fn number(self, i: usize) -> usize {
        if self.shared { 1 } else { i + 1 }
    }

    /// The host stands in the sub-process `PS`, beside `Z`, which terminates it. After `PS`, `Y` or `PX` keep the
    /// instance alive, so that whatever comes too late is seen to do nothing.
    pub(crate) fn text(self) -> String {
        let (body, kind) = match self.host {
            Host::User => ("", "user H"),
            Host::Manual => ("", "manual H"),
            Host::Abstract => ("", "task H"),
            Host::Receive => ("", "receive H(hm)"),
            Host::Service => ("", "service H"),
            Host::Script => ("", "script H"),
            Host::Send => ("", "send H(sm)"),
            Host::BusinessRule => ("", "rule H"),
            Host::SubProcess => ("{s2 > F2 > I > ET2; service I", ""),
        };
        let inside = |(i, boundary): (usize, &Boundary)| {
            let n = i + 1;
            match (self.host, boundary.trigger) {
                (Host::SubProcess, Trigger::Error) => format!("; F2 > R{n} > Q{n}; end Q{n}(error k{n})"),
                (Host::SubProcess, Trigger::Escalation) => {
                    format!("; F2 > R{n} > Q{n} > e3; throw Q{n}(escalation k{n})")
                }
                _ => String::new(),
            }
        };
        let event = |(i, boundary): (usize, &Boundary)| {
            let mode = if boundary.interrupting { '!' } else { '~' };
            let trigger = match boundary.trigger {
                Trigger::Timer => "timer PT1H".to_owned(),
                Trigger::Message => format!("message m{}", self.number(i)),
                Trigger::Signal => format!("signal g{}", self.number(i)),
                Trigger::Conditional => format!("(if c{})", i + 1),
                Trigger::Error => format!("error k{}", i + 1),
                Trigger::Escalation => format!("escalation k{}", i + 1),
            };
            format!("{{{mode}{trigger} as {} > {} > e1}}", T[i], C[i])
        };
        let numbered = || self.boundaries.iter().enumerate();
        let inside: String = numbered().map(inside).collect();
        let events: String = numbered().map(event).collect();
        let close = if body.is_empty() { "" } else { "}" };
        let host = format!("H{body}{inside}{close}{events}");
        format!("s > PS{{s1 > F > {host} > D > e2; F > Z > ET; {kind}}}{{!out > PX > E2}} > Y > E1")
    }
}

/// The records that count in a race; `T`, `H`, `PS` are the boundary events, the host, and the scope around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) fired: [u32; 2],
    pub(crate) refired: [u32; 2],
    /// Torn down because it was taken, and because its host ended.
    pub(crate) taken: [u32; 2],
    pub(crate) torn: [u32; 2],
    pub(crate) executed: u32,
    pub(crate) interrupted: u32,
    pub(crate) canceled: u32,
    pub(crate) failed: u32,
    pub(crate) parent_interrupted: u32,
    pub(crate) stopped: u32,
    pub(crate) discarded: u32,
    pub(crate) undelivered: u32,
}

/// What can be seen from outside: live tokens, armed subscriptions, what may happen next. Each sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct View<'n> {
    pub(crate) tokens: Vec<&'n str>,
    pub(crate) armed: Vec<&'n str>,
    pub(crate) enabled: Vec<(Class, &'n str)>,
}

impl View<'_> {
    pub(crate) fn sort(&mut self) {
        self.tokens.sort_unstable();
        self.armed.sort_unstable();
        self.enabled.sort_unstable();
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Running,
    Completed,
    /// Interrupted, by one of its boundary events or with the scope around it.
    Gone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    Running,
    Terminated,
    Interrupted,
}

/// How the race stands.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    race: Race,
    host: Fate,
    around: Around,
    /// Whether the work inside that raises an error or an escalation has done so.
    raised: [bool; 2],
    /// Whether the clock has reached the timers.
    rung: bool,
    /// Whether work that was asked to stop has not answered yet.
    owes: bool,
    pub(crate) tally: Tally,
}

impl Model {
    pub(crate) fn new(race: Race) -> Self {
        Self {
            race,
            host: Fate::Running,
            around: Around::Running,
            raised: [false; 2],
            rung: false,
            owes: false,
            tally: Tally::default(),
        }
    }

    pub(crate) fn happens(&mut self, event: Event) {
        match event {
            Event::Completion => self.completes(),
            Event::Trigger(i) => self.triggers(i),
            Event::Clock => self.rung |= (0..2).any(|i| self.timed(i)),
            Event::Terminate if self.around == Around::Running => self.withdraws(Around::Terminated),
            // `Z` was waiting work and is gone: whoever does it all the same is not heard.
            Event::Terminate => self.tally.discarded += 1,
            Event::Parent if self.around == Around::Running => {
                self.tally.parent_interrupted += 2;
                self.withdraws(Around::Interrupted);
            }
            Event::Parent => self.tally.undelivered += 1,
        }
    }

    /// BND-1: armed while the host runs; BND-5: a duration is used up by its one firing.
    fn armed(&self, i: usize) -> bool {
        self.host == Fate::Running && self.tally.taken[i] == 0
    }

    fn timed(&self, i: usize) -> bool {
        self.armed(i) && self.race.boundaries[i].trigger == Trigger::Timer
    }

    fn completes(&mut self) {
        match (self.host, self.race.host) {
            (Fate::Running, host) => {
                self.tear_down();
                self.host = Fate::Completed;
                self.tally.executed += 1;
                // What it sends reaches nobody.
                self.tally.undelivered += u32::from(host == Host::Send);
            }
            (_, Host::Receive) => self.tally.undelivered += 1,
            _ => self.answers_late(),
        }
    }

    /// BND-4: recorded, and nothing else comes of it.
    fn answers_late(&mut self) {
        self.tally.discarded += 1;
        self.owes = false;
    }

    fn triggers(&mut self, i: usize) {
        let Boundary { trigger, .. } = self.race.boundaries[i];
        let running = self.host == Fate::Running;
        match (trigger, self.race.host) {
            (Trigger::Message | Trigger::Signal, _) if !running => self.tally.undelivered += 1,
            // EVT-2: a signal reaches all, and who interrupts comes first.
            (Trigger::Signal, _) if self.race.shared => {
                let order = if self.race.boundaries[1].interrupting {
                    [1, 0]
                } else {
                    [0, 1]
                };
                for i in order {
                    self.fires(i);
                }
            }
            (Trigger::Timer, _) => {
                self.rung |= self.armed(i);
                self.fires(i);
            }
            (Trigger::Error | Trigger::Escalation, Host::SubProcess) if !running => self.tally.discarded += 1,
            (Trigger::Error, _) if !running => self.answers_late(),
            _ => self.fires(i),
        }
    }

    fn fires(&mut self, i: usize) {
        if !self.armed(i) {
            return;
        }
        let Boundary { trigger, interrupting } = self.race.boundaries[i];
        self.tally.fired[i] += 1;
        self.raised[i] = true;
        if interrupting || trigger == Trigger::Timer {
            self.tally.taken[i] += 1;
        } else {
            self.tally.refired[i] += 1;
        }
        if interrupting {
            let error = trigger == Trigger::Error;
            self.tally.interrupted += 2;
            self.tally.failed += u32::from(error);
            self.tally.canceled += u32::from(!error);
            self.tear_down();
            self.host = Fate::Gone;
            // An error of the host's own work is its answer.
            if !error || self.race.host == Host::SubProcess {
                self.asked_to_stop();
            }
        }
    }

    /// BND-1: the host leaves, and what is still armed goes with it.
    fn tear_down(&mut self) {
        for i in 0..2 {
            self.tally.torn[i] += u32::from(self.armed(i));
        }
    }

    fn asked_to_stop(&mut self) {
        self.owes = self.race.host.runs();
        self.tally.stopped += u32::from(self.owes);
    }

    /// BND-3, EVT-5: everything in the scope around goes.
    fn withdraws(&mut self, how: Around) {
        if self.host == Fate::Running {
            self.tear_down();
            self.tally.canceled += 1;
            self.asked_to_stop();
        }
        (self.host, self.around) = (Fate::Gone, how);
    }

    pub(crate) fn view(&self) -> View<'static> {
        let mut view = View::default();
        let own = self.race.boundaries.map(|boundary| boundary.trigger);
        match self.around {
            Around::Terminated => view.tokens.push("Y"),
            Around::Interrupted => view.tokens.push("PX"),
            Around::Running => {
                view.tokens.extend(["PS", "Z"]);
                view.armed.push("PS_out");
                for (name, fired) in C.into_iter().zip(self.tally.fired) {
                    view.tokens.extend((0..fired).map(|_| name));
                }
            }
        }
        view.tokens.extend((self.host == Fate::Completed).then_some("D"));
        if self.host == Fate::Running {
            view.tokens.push("H");
            view.armed.extend((0..2).filter(|&i| self.armed(i)).map(|i| T[i]));
            view.armed.extend((self.race.host == Host::Receive).then_some("H"));
            if self.race.host == Host::SubProcess {
                view.tokens.push("I");
                let raising = (0..2).filter(|&i| self.race.boundaries[i].raised() && !self.raised[i]);
                view.tokens.extend(raising.map(|i| R[i]));
            }
        }
        let works = |name: &&str| *name != "PS" && (*name != "H" || self.race.host != Host::SubProcess);
        let works = view.tokens.iter().copied().filter(works);
        view.enabled.extend(works.map(|name| (Class::Completion, name)));
        let offered = |name: &&str| match T.iter().position(|event| event == name).map(|i| own[i]) {
            Some(Trigger::Timer) => self.rung,
            Some(trigger) => matches!(trigger, Trigger::Message | Trigger::Signal),
            None => true,
        };
        let offered = view.armed.iter().copied().filter(offered);
        view.enabled.extend(offered.map(|name| (Class::Firing, name)));
        view.enabled
            .extend(self.owes.then_some((Class::Late, self.race.work())));
        let clock = !self.rung && (0..2).any(|i| self.timed(i));
        view.enabled.extend(clock.then_some((Class::Clock, "")));
        view.sort();
        view
    }
}
