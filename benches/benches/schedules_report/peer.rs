//! The peer: the same forks and joins as threads under the crate `shuttle`, at its defaults (vector clocks are off).

use shuttle::rand::{Rng, thread_rng};
use shuttle::scheduler::{PctScheduler, RandomScheduler, Scheduler};
use shuttle::sync::{Arc, Condvar, Mutex};
use shuttle::{Config, Runner, thread};

use super::BATCH;

/// The depth of the peer's PCT scheduler: that of ours.
const DEPTH: usize = trackside_sim::schedule::DEPTH as usize;

/// A program of threads.
pub(super) type Program = fn();

/// Runs a batch of schedules under a seed.
pub(super) type By = fn(Program, u64);

/// Three branches, of which a random set that is not empty runs; each does one step, and those that run are joined.
pub(super) fn or_diamond() {
    let taken = taken();
    let branches = (0..3).filter(|branch| taken >> branch & 1 == 1);
    join(branches.map(|_| thread::spawn(thread::yield_now)).collect());
}

/// The same with a thread for each branch, which looks by itself whether it is to run.
pub(super) fn or_diamond_guarded() {
    let taken = taken();
    let branch = |branch: u32| {
        move || {
            if taken >> branch & 1 == 1 {
                thread::yield_now();
            }
        }
    };
    join((0..3).map(|at| thread::spawn(branch(at))).collect());
}

fn taken() -> u32 {
    thread_rng().gen_range(1..8)
}

/// Ten branches of two steps each, and their join.
pub(super) fn fork() {
    let branch = || {
        thread::yield_now();
        thread::yield_now();
    };
    join((0..10).map(|_| thread::spawn(branch)).collect());
}

/// The guarded diamond, where a step is a change of what all share, and the join is a condition over that.
pub(super) fn or_diamond_shared() {
    let taken = taken();
    shared(3, 1, |branch| taken >> branch & 1 == 1);
}

/// The fork with steps and join of the same kind.
pub(super) fn fork_shared() {
    shared(10, 2, |_| true);
}

fn shared(branches: u32, steps: u32, runs: impl Fn(u32) -> bool) {
    let state = Arc::new((Mutex::new(0), Condvar::new()));
    let mut expected = 0;
    for branch in 0..branches {
        let (runs, state) = (runs(branch), Arc::clone(&state));
        expected += if runs { steps } else { 0 };
        thread::spawn(move || {
            for _ in 0..if runs { steps } else { 0 } {
                *state.0.lock().expect("nobody panics") += 1;
                state.1.notify_one();
            }
        });
    }
    let mut done = state.0.lock().expect("nobody panics");
    while *done < expected {
        done = state.1.wait(done).expect("nobody panics");
    }
}

fn join(threads: Vec<thread::JoinHandle<()>>) {
    for thread in threads {
        thread.join().expect("the thread does not panic");
    }
}

/// A batch of schedules, by its random scheduler.
pub(super) fn random(program: Program, seed: u64) {
    run(program, RandomScheduler::new_from_seed(seed, BATCH as usize));
}

/// A batch of schedules, by its PCT scheduler.
pub(super) fn pct(program: Program, seed: u64) {
    run(program, PctScheduler::new_from_seed(seed, DEPTH, BATCH as usize));
}

fn run(program: Program, scheduler: impl Scheduler + 'static) {
    let run = Runner::new(scheduler, Config::new()).run(program);
    assert_eq!(run, BATCH as usize);
}
