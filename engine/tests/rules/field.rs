//! What broke in other engines: minimal models rebuilt from public bug reports, with the schedule that shows the fault
//! and the outcome that the rules require.

use trackside_engine::instance::CoverageMark;

use crate::marks::hits;
use crate::scenario::{check, check_definitions, check_every, check_interleaved, parse};

// ---- inclusive join ----

#[test]
fn f1_a_dying_branch_makes_the_join_decide_again() {
    let model = "s > F > A > O > E1; F > B{!error err > E2} > O";
    check(
        model,
        "A [at B O.A_O; fired O=0] B(err)",
        "completed; fired O=1; ran E1=1 E2=1; not B",
    );
    check_every(model, "A B(err)", "completed; fired O=1; ran E1=1 E2=1");
}

#[test]
fn f2_every_interleaving_of_arrivals_fires_once() {
    let model = "s > Os > A* > O; Os > B* > O; Os > C* > O > E";
    let states = check_every(model, "", "completed; fired O=1; ran E=1");
    assert!(states > 50, "there is something to interleave: {states}");
}

#[test]
fn f3_surplus_on_a_flow_fires_again() {
    let _tied = hits(CoverageMark::InclusiveSurplusAgain);
    let model = "s > F > A > O; F > B{~m > X} > X > O; O > C > E";
    for order in ["m! B A", "A m! B", "m! A B"] {
        let script = format!("{order} [fired O=2; at C C] C C");
        check(model, &script, "completed; fired O=2; ran C=2 E=2");
        check_interleaved(model, &format!("{order} C C"), "completed; fired O=2; ran C=2 E=2");
    }
}

#[test]
fn f4_a_token_that_also_reaches_a_marked_flow_does_not_block() {
    let model = "s > F > A > O.i1; F > B > M > O.i2; F > W > X -[t]> M; X -[default]> O.i3; O > E";
    check(
        model,
        "t=true | A [fired O=0] B [fired O=1; at W] W",
        "completed; fired O=2; ran E=2",
    );
    check(
        model,
        "t=false | A [fired O=0] B [fired O=1; at W] W",
        "completed; fired O=2; ran E=2",
    );
    let script = "t=false @conservative | A B [fired O=0; at O.i1 O.i2 W] W";
    check(model, script, "completed; fired O=1; ran E=1");
}

#[test]
fn f5_joins_in_a_row_inside_a_loop() {
    let model = "s > O1 > O2 > A > O4; O2 > O3; O2 > B > O3 > O4 > O5 -[again]> O1; O5 -[done]> E";
    let script = "again=true done=false | [at A B O3.O2_O3; awaits O3.B_O3] A [at B O3.O2_O3 O4.A_O4] \
                  B [ran O5=1; at A B O3.O2_O3] again=false done=true B A";
    check(model, script, "completed; ran O1=2 O5=2 E=1");
}

#[test]
fn f6_a_branch_that_was_not_taken_is_not_waited_for() {
    let _tied = hits(CoverageMark::InclusiveByReach);
    let model = "s > Os -[t]> A > O; Os -[t]> B > O; Os -[f]> C > O > D > E";
    check(
        model,
        "t=true f=false | A [fired O=0] B [fired O=1] D",
        "completed; ran D=1; not C",
    );
    check_every(model, "t=true f=false | A B D", "completed; ran D=1; fired O=1; not C");
}

#[test]
fn f8_the_default_flow_only_if_nothing_else() {
    let model = "s > Os -[p]> A > O; Os -[q]> B > O; Os -[default]> D > O > E";
    check(model, "p=true q=true | [at A B] A B", "completed; fired O=1; not D");
    check(model, "p=false q=false | [at D] D", "completed; fired O=1; not A B");
    let bare = "s > Os -[p]> A > O; Os -[q]> B > O > E";
    check(bare, "p=false q=false |", "faulted no-flow Os");
}

// ---- parallel join ----

#[test]
fn f9_a_parallel_join_counts_flows_not_tokens() {
    let model = "s > F > A > M; F > B > M > J.i1; F > D > J.i2; J > C > E";
    let end = "stuck; fired J=1; ran C=1; at J.i1; missing J.i2; records InstanceEnded=0";
    check(model, "A B [fired J=0; at D J.i1 J.i1] D C", end);
    check_every(model, "A B D C", end);
}

#[test]
fn f10_a_parallel_join_waits_for_a_detour() {
    let model = "s > F > A > J; F > X1 -[t]> B > X2; X1 -[f]> X2 > J > E";
    check(
        model,
        "t=true f=false | A [fired J=0; at B J.A_J] B",
        "completed; fired J=1",
    );
}

#[test]
fn f11_a_branch_that_is_redone_delays_the_join() {
    let model = parse("s > F > A > J; F > M > B > X -[ok]> J; X -[redo]> M; J > C > E");
    let script = "ok=false redo=true | A B [fired J=0; at B J.A_J] B(ok=true redo=false) C";
    let count = model.scopes[0].flows.len();
    for turn in 0..count {
        for backwards in [false, true] {
            let mut turned = model.clone();
            let flows = &mut turned.scopes[0].flows;
            flows.rotate_left(turn);
            if backwards {
                flows.reverse();
            }
            check_definitions(&turned, script, "completed; fired J=1; ran B=2 C=1");
        }
    }
}

#[test]
fn f12_three_branches_at_one_instant() {
    let model = "s > F > A* > J; F > B* > J; F > D* > J > C* > E";
    check_every(model, "", "completed; fired J=1; ran C=1 E=1");
}

#[test]
fn f13_a_choice_that_bypasses_a_flow_starves_the_join() {
    let model = "s > F > A > J; F > X -[p]> B > J; X -[q]> D > J > E";
    let end = "stuck; at J.A_J J.B_J; missing J.D_J; fired J=0; records InstanceEnded=0";
    check_every(model, "p=true q=false | A B", end);
}

#[test]
fn f14_the_second_pass_of_a_loop_waits_again() {
    let model = "s > M > F > A > J; F > B > J > C > X -[again]> M; X -[default]> E";
    let script = "again=true | A B C [at A B] A [fired J=1; at B J.A_J] again=false B [fired J=2] C";
    check(model, script, "completed; fired J=2; ran C=2");
}

// ---- complex and event-based ----

#[test]
fn f15_the_second_token_of_a_wave_fires_nothing_and_the_loop_rearms() {
    let model = "s > M > F > A > K; F > B > K(1) -[waitingForStart]> C > X -[again]> M; X -[default]> E";
    let script = "again=true | A [fired K=1; at B C] B [at C; records Trailing=1 Rearmed=1] C [at A B] \
                  B [fired K=2] again=false A [records Trailing=2 Rearmed=2] C";
    check(model, script, "completed; fired K=2; ran C=2");
    let script = "@standard-reset again=true | A B [at C] C B A [at C] again=false C";
    check(model, script, "completed; ran C=2; records Trailing=0 Rearmed=2");
    let unguarded = "s > F > A > K; F > B > K(1) > C > E";
    check(unguarded, "A B C", "completed; ran C=1; records Trailing=1");
    check(unguarded, "@standard-reset | A B C C", "completed; ran C=2");
}

#[test]
fn f16_one_arm_wins_and_the_other_subscription_is_gone() {
    let model = "s > G > c > A > E1; G > t > B > E2; catch c(message m) t(timer PT1H)";
    let won = "[at A; armed -] m! [at A; records Undelivered=1] A";
    check(
        model,
        &format!(":clock [armed c t] m! {won}"),
        "completed; ran G=1 c=1; not t B",
    );
    let won = "[at B; armed -] m! m! [at B; records Undelivered=2] B";
    check(
        model,
        &format!(":clock fire:t {won}"),
        "completed; ran G=1 t=1; not c A",
    );
}

// ---- boundary events, terminate, errors, life cycle ----

#[test]
fn f17_an_error_inside_goes_to_the_boundary_and_nothing_else_runs() {
    let model = "s > SP{s1 > A* > B* > e}{!error err > C > E2} > D > E1";
    check(
        model,
        "external:A | A(err) [at C] C",
        "completed; only s=1 s1=1 SP_err=1 C=1 E2=1",
    );
}

#[test]
fn f18_interrupting_and_not_in_either_order() {
    let model = "s > A{!m1 > C > E1}{~m2 > D > E2} > B > E3";
    let script = "m1! [at C; armed -] m2! [records Undelivered=1] C";
    check(model, script, "completed; only s=1 A_m1=1 C=1 E1=1");
    check(
        model,
        "m2! [at A D] m1! [at C D] D C",
        "completed; ran D=1 C=1 E1=1 E2=1; not A B",
    );
}

#[test]
fn f19_every_firing_runs_and_the_last_one_completes() {
    let model = "s > A{~m > B > E2} > E1";
    check_every(model, "m! m! any: A B B", "completed; ran B=2 E1=1 E2=2");
    check(model, "m! m! A B [waiting] B", "completed; ran B=2");
}

#[test]
fn f20_terminate_takes_the_token_parked_at_a_join() {
    let _tied = hits(CoverageMark::TerminatesProcess);
    let model = "s > F > J; F > A{!error err > ET} > J > E";
    check(
        model,
        "[at A J.F_J] A(err)",
        "terminated; at -; fired J=0; ran ET=1; not A J E",
    );
}

#[test]
fn f21_a_plain_end_ends_its_token_only() {
    let model = "s > F > A > E; F > B > E";
    check(
        model,
        "A [waiting; at B; ran E=1] B",
        "completed; ran E=2; records InstanceEnded=1",
    );
}

#[test]
fn f22_a_mark_dies_with_its_scope() {
    let model = "s > SP{s1 > F > A > J; F > B > J > e}{!m > C > E2} > E1";
    let script = "A [at B J.A_J SP] m! [at C; armed -; records ScopeWithdrawn=1] C";
    check(model, script, "completed; fired J=0; not e E1");
}

#[test]
fn f23_a_split_is_atomic() {
    let model = "s > F > A* > E1; F > B* > E2";
    let script = "@hold | step:s arrive:s_F step:F [at >F_A >F_B] arrive:F_A step:A arrive:A_E1 step:E1 \
                  [running; ran E1=1; at >F_B; records InstanceEnded=0] :settle";
    check(model, script, "completed; ran E1=1 E2=1; records InstanceEnded=1");
    check_every(model, "", "completed; ran E1=1 E2=1; records InstanceEnded=1");
}

#[test]
fn f24_a_failed_branch_never_counts_as_success() {
    let model = "s > F > A > E1; F > B";
    check(
        model,
        "B(boom) [faulted error B boom; at -] late:A",
        "faulted error B boom; not A B",
    );
    check(model, "A B(boom)", "faulted error B boom; ran E1=1");
    check(model, "B(!broken)", "faulted technical B");
}
