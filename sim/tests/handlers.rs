//! The driver for real handlers (DRV-1), and the contract test for handlers. Nothing here sleeps: threads meet over
//! channels.

use std::cell::RefCell;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use serde_json::json;
use trackside_engine::expr::Data;
use trackside_engine::instance::{End, FaultKind, Record};
use trackside_engine::model::{Definitions, notation};
use trackside_sim::handler::contract::{self, Deaf, Moment};
use trackside_sim::handler::{Call, Driver, Reply, Stop};

fn model(text: &str) -> Definitions {
    notation::parse(text).expect("the notation is right")
}

/// Lets one thread wait for another.
fn gate() -> (Sender<()>, Mutex<Receiver<()>>) {
    let (open, opened) = channel();
    (open, Mutex::new(opened))
}

fn pass(gate: &Mutex<Receiver<()>>) {
    gate.lock()
        .expect("nobody panics in here")
        .recv()
        .expect("somebody opens it");
}

#[test]
fn handlers_read_and_write_process_data() {
    let model = model("s > service A > script B > X -[n == 3]> service C > e; X -[default]> e1");
    let finished = Driver::of(&model)
        .on("A", |call: &Call| {
            Reply::with([("n", json!(call.data["n"].as_i64().unwrap_or(0) + 1))])
        })
        .on_kind("scriptTask", |call: &Call| {
            assert_eq!(call.element, "B");
            Reply::with([("n", json!(3))])
        })
        .on_kind("serviceTask", |_: &Call| Reply::done())
        .run(Data::new([("n".to_owned(), json!(1))].into()))
        .expect("the model compiles");
    assert_eq!((finished.end(), finished.stop), (Some(&End::Completed), Stop::Ended));
    assert_eq!(finished.data()["n"], 3);
}

#[test]
fn handlers_work_side_by_side() {
    // Each waits for the other: one after the other would never end.
    let model = model("s > F > service A > J > e; F > service B > J");
    let ((open_a, a), (open_b, b)) = (gate(), gate());
    let finished = Driver::of(&model)
        .on("A", move |_: &Call| {
            open_b.send(()).expect("B waits");
            pass(&a);
            Reply::done()
        })
        .on("B", move |_: &Call| {
            open_a.send(()).expect("A waits");
            pass(&b);
            Reply::done()
        })
        .run(Data::default())
        .expect("the model compiles");
    assert_eq!(finished.end(), Some(&End::Completed));
}

#[test]
fn an_interrupted_handler_is_told_to_stop_and_its_answer_is_discarded() {
    let model = model("s > service A{!timer PT1H as t > B* > e1} > e");
    let (begun, has_begun) = gate();
    let records = RefCell::new(Vec::new());
    let driver = Driver::of(&model)
        .on("A", move |call: &Call| {
            begun.send(()).expect("the test waits");
            call.cancel().wait();
            Reply::with([("secret", json!("late"))])
        })
        .on_record(|_, record| records.borrow_mut().push(record.clone()));
    let inputs = driver.inputs();
    std::thread::spawn(move || {
        pass(&has_begun);
        inputs.pass(Duration::from_hours(1));
    });
    let finished = driver.run(Data::default()).expect("the model compiles");
    assert_eq!(finished.end(), Some(&End::Completed));
    assert!(!finished.data().contains_key("secret"));
    let records = records.borrow();
    let at = |is: fn(&Record) -> bool| records.iter().position(is);
    let (asked, discarded) = (
        at(|r| matches!(r, Record::WorkAskedToStop { .. })),
        at(|r| matches!(r, Record::Discarded { .. })),
    );
    assert!(asked.is_some() && asked < discarded, "{records:?}");
}

#[test]
fn a_fault_stops_the_others_and_is_an_incident() {
    let model = model("s > F > service A > e; F > service B > e1");
    let (begun, has_begun) = gate();
    let incidents = RefCell::new(Vec::new());
    let finished = Driver::of(&model)
        .on("A", move |call: &Call| {
            begun.send(()).expect("B waits");
            call.cancel().wait();
            Reply::Error("raised while unwinding".to_owned())
        })
        .on("B", move |_: &Call| {
            pass(&has_begun);
            Reply::Error("E1".to_owned())
        })
        .on_incident(|incident| incidents.borrow_mut().push(incident.clone()))
        .run(Data::default())
        .expect("the model compiles");
    assert!(matches!(finished.end(), Some(End::Faulted(fault)) if fault.code.as_deref() == Some("E1")));
    let incidents = incidents.borrow();
    assert_eq!(incidents.len(), 1, "the late error is none (BND-4): {incidents:?}");
    assert_eq!((incidents[0].element.as_str(), incidents[0].track), ("B", Some(1)));
}

#[test]
fn a_panic_is_a_technical_failure() {
    let model = model("s > service A > e");
    let finished = Driver::of(&model)
        .on("A", |_: &Call| panic!("on purpose"))
        .run(Data::default());
    let finished = finished.expect("the model compiles");
    assert!(matches!(finished.end(), Some(End::Faulted(fault)) if fault.kind == FaultKind::Technical));
}

#[test]
fn errors_go_to_their_boundary() {
    let model = model("s > service A{!error bad > service B > e1} > e");
    let finished = Driver::of(&model)
        .on("A", |_: &Call| Reply::Error("bad".to_owned()))
        .on("B", |_: &Call| Reply::with([("mended", json!(true))]))
        .run(Data::default())
        .expect("the model compiles");
    assert_eq!(
        (finished.end(), &finished.data()["mended"]),
        (Some(&End::Completed), &json!(true))
    );
}

#[test]
fn work_without_a_handler_waits_for_somebody() {
    let model = model("start s(message m) > A > e");
    let driver = Driver::of(&model);
    let inputs = driver.inputs();
    let other = inputs.clone();
    other.message("m", Data::new([("x".to_owned(), json!(1))].into()));
    other.answer("A", Reply::with([("y", json!(2))]));
    let finished = driver.run(Data::default()).expect("the model compiles");
    assert_eq!((finished.end(), finished.stop), (Some(&End::Completed), Stop::Ended));
    assert_eq!((&finished.data()["x"], &finished.data()["y"]), (&json!(1), &json!(2)));
}

#[test]
fn a_driver_that_nobody_can_speak_to_any_more_returns() {
    let model = model("s > A > e");
    let finished = Driver::of(&model).run(Data::default()).expect("the model compiles");
    assert_eq!((finished.end(), finished.stop), (None, Stop::Idle));
    let driver = Driver::of(&model);
    let inputs = driver.inputs();
    let speaker = std::thread::spawn(move || drop(inputs));
    assert_eq!(
        driver.run(Data::default()).expect("the model compiles").stop,
        Stop::Idle
    );
    speaker.join().expect("it ends");
}

#[test]
fn a_cancel_from_outside_reaches_the_handlers() {
    let model = model("s > service A > e");
    let (begun, has_begun) = gate();
    let driver = Driver::of(&model).on("A", move |call: &Call| {
        begun.send(()).expect("the test waits");
        call.cancel().wait();
        Reply::done()
    });
    let inputs = driver.inputs();
    std::thread::spawn(move || {
        pass(&has_begun);
        inputs.cancel();
    });
    assert_eq!(
        driver.run(Data::default()).expect("the model compiles").end(),
        Some(&End::Canceled)
    );
}

#[test]
fn a_process_that_is_not_there_is_an_error() {
    let model = model("s > e");
    let error = Driver::of(&model)
        .process("q")
        .run(Data::default())
        .expect_err("there is none");
    assert_eq!(error.to_string(), "there is no process q");
}

#[test]
fn the_contract_lets_attentive_handlers_pass() {
    assert_eq!(
        contract::heeds_cancellation(|call: &Call| {
            while !call.is_canceled() {
                std::hint::spin_loop();
            }
            Reply::Failed("told to stop".to_owned())
        }),
        Ok(())
    );
    assert_eq!(
        contract::heeds_cancellation(|call: &Call| {
            call.cancel().wait();
            Reply::done()
        }),
        Ok(())
    );
    // One that waits for something else, which the signal ends.
    assert_eq!(
        contract::heeds_cancellation(|call: &Call| {
            let (stop, stopped) = channel();
            call.cancel()
                .on_cancel(move || stop.send(()).expect("the handler waits"));
            stopped.recv().expect("the signal comes");
            Reply::done()
        }),
        Ok(())
    );
}

#[test]
fn the_contract_finds_deaf_handlers() {
    assert_eq!(
        contract::heeds_cancellation(|_: &Call| Reply::done()),
        Err(Deaf::NeverLooks)
    );
    assert_eq!(
        contract::heeds_cancellation(|call: &Call| {
            assert!(!call.is_canceled(), "on purpose");
            Reply::done()
        }),
        Err(Deaf::Panics(Moment::BeforeItBegins))
    );
    // It looks once, and then works on for as long as the test lasts.
    let (release, held) = gate();
    let deaf = move |call: &Call| {
        if !call.is_canceled() {
            let _ = held.lock().expect("nobody panics in here").recv();
        }
        Reply::done()
    };
    let outcome = contract::heeds_cancellation_with(deaf, &Data::default(), Duration::from_millis(1));
    // Whatever the machine's mood, the second call can't return before `release` is dropped.
    assert!(matches!(outcome, Err(Deaf::DoesNotReturn(_))), "{outcome:?}");
    drop(release);
}
