//! BND: boundary events and interruption. Who wins which race is [`super::races`].

use trackside_engine::instance::{CoverageMark, LifeCycle, Record, Withdrawal};

use crate::marks::hits;
use crate::run::Run;
use crate::scenario::{check, check_every, play_one};

#[test]
fn bnd_1_a_watcher_lives_exactly_while_its_host_runs() {
    let model = "s > A{!m > C}{~n > D}{!timer PT1H > H} > B > E";
    check(
        model,
        "[armed A_m A_n A_timer] A [at B; armed -]",
        "records Armed=3 Disarmed=3 Fired=0",
    );
    check(model, "m! [at C; armed -]", "records Armed=3 Disarmed=3 Fired=1");
    check(model, "A(boom)", "faulted error A boom; records Disarmed=3");
    check(model, ":cancel", "canceled; records Disarmed=3");
    let inside = "s > SP{s1 > A{!m > C} > e}{!n > D} > E";
    check(inside, "[armed A_m SP_n] n! [at D; armed -]", "records Disarmed=2");
    check(
        inside,
        "[armed A_m SP_n] m! [at C SP; armed SP_n] C",
        "completed; armed -",
    );
    // A loop arms them again for every run of the host.
    let loops = "s > M > A{~m > C} > X -[again]> M; X -[default]> E";
    check(
        loops,
        "again=true | m! A [armed A_m] m! again=false A C C",
        "completed; ran A=2 A_m=2; records Armed=2 Disarmed=2",
    );
}

fn withdrawals(run: &Run) -> Vec<(&str, Withdrawal)> {
    let of = |record| match record {
        &Record::Disarmed { node, why, .. } => Some((run.name(node), why)),
        _ => None,
    };
    let mut found: Vec<_> = run.log.iter().filter_map(of).collect();
    found.sort_unstable();
    found
}

#[test]
fn bnd_1_a_tear_down_says_whether_the_watcher_was_taken() {
    let model = "s > A{!m > C}{!n > D} > B";
    let run = play_one(model, "m!");
    assert_eq!(
        withdrawals(&run),
        [("A_m", Withdrawal::Taken), ("A_n", Withdrawal::HostEnded)]
    );
    let run = play_one(model, "A");
    assert_eq!(
        withdrawals(&run),
        [("A_m", Withdrawal::HostEnded), ("A_n", Withdrawal::HostEnded)]
    );
    let gate = "s > G > c > A; G > d > B; catch c(message m) d(message n)";
    let run = play_one(gate, "n!");
    assert_eq!(withdrawals(&run), [("c", Withdrawal::Lost), ("d", Withdrawal::Taken)]);
    let handler = "s > A; ESP!h{s1(m) > H}; ESP~k{s2(n) > I}";
    let run = play_one(handler, "m!");
    assert_eq!(
        withdrawals(&run),
        [("s1", Withdrawal::Taken), ("s2", Withdrawal::HostEnded)]
    );
}

#[test]
fn bnd_3_only_the_host_is_canceled_and_a_child_leaves_on_the_boundarys_flow() {
    let model = "s > F > A{!m > C > E2} > D; F > B > E";
    check(model, "m! [at B C] B C", "completed; ran A_m=1 C=1 E=1; not A D");
    let run = play_one(model, "m! [at B C]");
    let host = run.workers(run.node("A"))[0];
    let child = run.workers(run.node("C"))[0];
    let born = run
        .log
        .iter()
        .any(|record| matches!(record, Record::Born { track, parent, .. } if *track == child && *parent == Some(host)));
    assert!(born && host != child);
}

#[test]
fn bnd_3_everything_below_the_host_is_withdrawn() {
    let _tied = hits(CoverageMark::DrainedInVain);
    let _tied = hits(CoverageMark::RunBelowEnds);
    let _tied = hits(CoverageMark::InterruptedHostOfScope);
    let body = "s1 > F > A > J; F > B{~x > H} > J; F > SQ{s2 > D > e2}; F > c > e; J > e; catch c(timer PT1H)";
    let model = format!("s > SP{{{body}; ESP~h{{s3(n) > I}}}}{{!m > C > E2}} > E1");
    let script = "x! n! [at A B D H I SP SQ c] A m! [at C; armed -] +PT2H x! n! [at C; records Undelivered=2] C";
    check(
        &model,
        script,
        "completed; not J e E1 D; records ScopeWithdrawn=3 ScopeCompleted=0",
    );
}

#[test]
fn bnd_4_waiting_work_stops_at_once_and_running_work_is_asked_to_stop() {
    let _tied = hits(CoverageMark::WorkAskedToStop);
    for (kind, asked) in [
        ("user", 0),
        ("receive", 0),
        ("manual", 0),
        ("task", 0),
        ("service", 1),
        ("rule", 1),
        ("script", 1),
        ("send", 1),
    ] {
        let model = format!("s > A{{!m > C > E2}} > B; {kind} A");
        let script =
            format!("m! [at C; records WorkAskedToStop@A={asked} Discarded=0] late:A [at C; records Discarded=1] C");
        check(&model, &script, "completed; not A B");
    }
}

#[test]
fn bnd_4_a_late_answer_commits_nothing_and_faults_nothing() {
    let _tied = hits(CoverageMark::LateAnswerBrought);
    let model = "s > A{!m > C > E2} > B; service A";
    check(
        model,
        "late=false | m! late:A [data late=false; records DataChanged=0 Discarded=1]",
        "at C",
    );
}

#[test]
fn bnd_4_the_late_answer_is_an_action_that_can_only_be_discarded() {
    use trackside_engine::world::{Class, Part};
    let _tied = hits(CoverageMark::LateAnswerTaken);
    let mut run = play_one("s > A{!m > C > E2} > B; service A", "@late | m!");
    let late = run
        .world
        .enabled(Part::All)
        .into_iter()
        .find(|action| action.class() == Class::Late);
    run.apply(late.expect("the interrupted work may answer"));
    crate::expect::must_hold(&run, "at C; records Discarded=1; not A B", "the late answer");
    let again = run
        .world
        .enabled(Part::All)
        .into_iter()
        .any(|action| action.class() == Class::Late);
    assert!(!again, "it answers once");
}

#[test]
fn bnd_5_a_non_interrupting_watcher_fires_again_and_again() {
    let model = "s > A{~m > C > E2} > B > E";
    check(
        model,
        "m! m! m! [at A C C C; armed A_m; records Refired=3 Armed=1] A C C C B",
        "completed; ran A_m=3 C=3",
    );
    let timers = |timer: &str| format!("s > A{{~timer {timer} as T > C* > E2}} > B > E");
    check(
        &timers("R3/PT10M"),
        "+PT10M [ran T=1] +PT10M [ran T=2; armed T] +PT2H [ran T=3; armed -] A B",
        "completed; ran T=3",
    );
    check(&timers("PT10M"), "+PT2H [ran T=1; armed -] A B", "completed; ran T=1");
    check(
        &timers("1970-01-01T00:10:00Z"),
        "+PT2H [ran T=1; armed -]",
        "at A; ran T=1",
    );
    check(
        &timers("R/PT10M"),
        "+PT1H [ran T=6; armed T] A [armed -] +PT1H",
        "at B; ran T=6",
    );
    let conditional = "s > A{~(if x > 1) as T > C* > E2} > B > E";
    check(
        conditional,
        "x=0 | x=2 [ran T=1] x=3 [ran T=1] x=0 x=5 [ran T=2]",
        "at A; armed T",
    );
    check(model, "@refires:2 | fire:A_m fire:A_m", "at A C C; ran A_m=2");
}

#[test]
fn bnd_5_a_refires_bound_takes_the_offer_away_and_nothing_else() {
    use trackside_engine::world::{Class, Part};
    let _tied = hits(CoverageMark::OfferedNoMore);
    let mut run = play_one("s > A{~m > C > E2} > B > E", "@refires:1 | fire:A_m");
    let offered = run
        .world
        .enabled(Part::All)
        .into_iter()
        .any(|action| action.class() == Class::Firing);
    assert!(!offered, "it is not offered again");
    crate::script::perform(&mut run, "m!");
    crate::expect::must_hold(&run, "at A C C; ran A_m=2", "a message from outside still reaches it");
}

#[test]
fn bnd_6_errors_interrupt_even_if_the_model_says_otherwise() {
    check(
        "s > A{~error err > C > E2} > B",
        "A(err) [at C; armed -] C",
        "completed; not A B",
    );
}

#[test]
fn bnd_8_an_interrupted_host_takes_none_of_its_flows() {
    let model = "s > A{!m > C > E2}; A > B > E; A > D > E; A > H > E";
    check(model, "m! [at C] C", "completed; not A B D H");
    check(model, "A [at B D H] B D H", "completed; ran A=1; not C");
}

#[test]
fn bnd_9_no_record_and_no_fault_holds_data_that_is_to_be_hidden() {
    let run = play_one("s > A{!m > C > E2} > B; service A", "m! late:A");
    assert!(
        !format!("{:?}", run.log).contains("true"),
        "the late answer carried a value"
    );
    let model = "s > A > X -[secret > 5]> B";
    let shown = play_one(model, "| A(secret=3)");
    assert!(format!("{:?}", shown.log).contains("secret = 3"));
    let hidden = play_one(model, "@redact | A(secret=3)");
    let story = format!("{:?}", hidden.log);
    assert!(story.contains("NoFlow") && !story.contains("= 3"), "{story}");
}

fn life_cycle(run: &Run) -> Vec<(LifeCycle, Option<&str>)> {
    let of = |record| match record {
        &Record::Interrupted { state, ref code, .. } => Some((state, code.as_deref())),
        _ => None,
    };
    run.log.iter().filter_map(of).collect()
}

#[test]
fn bnd_10_records_name_the_life_cycle() {
    let model = "s > A{!m > C}{!error err > D} > B";
    assert_eq!(
        life_cycle(&play_one(model, "m!")),
        [(LifeCycle::Terminating, None), (LifeCycle::Terminated, None)]
    );
    let caught = [(LifeCycle::Failing, Some("err")), (LifeCycle::Failed, Some("err"))];
    assert_eq!(life_cycle(&play_one(model, "A(err)")), caught);
    assert_eq!(life_cycle(&play_one(model, "A")), []);
}

#[test]
fn bnd_3_the_host_ends_canceled_or_failed() {
    use crate::run::ended_as;
    use trackside_engine::instance::Final;
    let _tied = hits(CoverageMark::InterruptedByError);
    let model = "s > A{!m > C}{!error err > D} > B";
    let run = play_one(model, "m!");
    assert_eq!(
        (ended_as(&run.log, Final::Canceled), ended_as(&run.log, Final::Failed)),
        (1, 0)
    );
    let run = play_one(model, "A(err)");
    assert_eq!(
        (ended_as(&run.log, Final::Canceled), ended_as(&run.log, Final::Failed)),
        (0, 1)
    );
}

#[test]
fn bnd_11_a_host_and_whatever_a_script_names_is_external_work() {
    for kind in ["task", "manual", "script", "send"] {
        check(&format!("s > A > E; {kind} A"), "", "completed; records WorkStarted=0");
        check(
            &format!("s > A > E; {kind} A"),
            "external:A | [at A] A",
            "completed; records WorkStarted=1",
        );
        check(
            &format!("s > A{{~m}} > E; {kind} A"),
            "[at A] A",
            "completed; records WorkStarted=1",
        );
    }
    for kind in ["user", "service", "rule", "receive"] {
        check(
            &format!("s > A > E; {kind} A"),
            "[at A] A",
            "completed; records WorkStarted=1",
        );
    }
}

#[test]
fn bnd_5_firings_and_completion_in_every_order() {
    check_every(
        "s > A{~m > B > E2}{!n > D > E3} > E1",
        "m! n! any: B D",
        "completed; ran B=1 D=1; not A",
    );
    let states = check_every(
        "s > A{~m > B* > E2} > C* > E1",
        "m! m! any: A",
        "completed; ran B=2 C=1",
    );
    assert!(states > 3);
}
