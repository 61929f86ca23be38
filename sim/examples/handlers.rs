//! Runs a process with real handlers, each on a thread of its own, and a deadline that interrupts one of them.
//!
//! `cargo run -p trackside-sim --example handlers`
//!
//! The slow handler heeds its cancellation signal, so that the process ends soon after the deadline; its answer comes
//! too late and is discarded.

use std::sync::mpsc::channel;
use std::time::Duration;

use serde_json::json;
use trackside_engine::instance::End;
use trackside_engine::model::notation;
use trackside_sim::handler::{Call, Driver, Reply, contract};

const MODEL: &str = "
    s > F > service Price > J > X -[price > 100]> Approve* > e
    X -[default]> e1
    F > service Credit{!timer PT30S as deadline > Assume*} > M > J
    Assume > M
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A duty of every handler, tested where it is written.
    contract::heeds_cancellation(ask_the_bank)?;

    let model = notation::parse(MODEL)?;
    let (asked, is_asked) = channel();
    let driver = Driver::of(&model)
        .on("Price", |_: &Call| Reply::with([("price", json!(120))]))
        .on("Credit", move |call: &Call| {
            // Tells the clock below that time may pass; in a real program the clock does not wait for anybody.
            let _ = asked.send(());
            ask_the_bank(call)
        })
        .on_incident(|incident| eprintln!("incident at {}: {}", incident.element, incident.message))
        .on_record(|_, record| println!("{record:?}"));

    // The clock of this program: time passes when it says so.
    let clock = driver.inputs();
    let ticking = std::thread::spawn(move || {
        if is_asked.recv().is_ok() {
            clock.pass(Duration::from_secs(30));
        }
    });
    let finished = driver.run(std::sync::Arc::default())?;
    println!("{:?} with {:?}", finished.end(), finished.data());
    assert_eq!(finished.end(), Some(&End::Completed));
    ticking.join().map_err(|_| "the clock broke")?;
    Ok(())
}

/// A call that takes for ever, and stops when it is told to.
fn ask_the_bank(call: &Call) -> Reply {
    call.cancel().wait();
    Reply::Failed("told to stop".to_owned())
}
