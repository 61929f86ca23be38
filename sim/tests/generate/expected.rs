//! How often what has to come up at least.

use trackside_sim::generate::Family;

/// What has to come up in each family, and how often at least in 2,000 models.
pub(crate) fn expected(family: Family) -> Vec<(String, u32)> {
    let mut expected: Vec<(String, u32)> = Vec::new();
    let mut often = |names: &[&str], least: u32| expected.extend(names.iter().map(|&name| (name.to_owned(), least)));
    often(
        &[
            "task",
            "manualTask",
            "scriptTask",
            "userTask",
            "serviceTask",
            "businessRuleTask",
        ],
        90,
    );
    often(&["sendTask", "receiveTask", "sub-process", "event sub-process"], 90);
    often(
        &["parallelGateway: join", "parallelGateway: split without a default"],
        90,
    );
    often(
        &["exclusiveGateway: join", "exclusiveGateway: split with a default"],
        90,
    );
    often(
        &[
            "exclusiveGateway: split without a default",
            "inclusiveGateway: split without a default",
        ],
        25,
    );
    often(
        &["inclusiveGateway: join", "inclusiveGateway: split with a default"],
        90,
    );
    often(
        &[
            "complexGateway: join",
            "complexGateway: split with a default",
            "eventBasedGateway: split without a default",
        ],
        15,
    );
    often(
        &[
            "activation with a guard",
            "activation that requires",
            "activation beside another",
            "activation by some flows",
        ],
        25,
    );
    often(
        &[
            "condition",
            "implicit split with a default",
            "implicit split without a default",
        ],
        25,
    );
    often(
        &["implicit merge", "implicit end", "permuted", "several start events"],
        25,
    );
    often(
        &[
            "start: none",
            "start: message",
            "start: signal",
            "start: duration",
            "start: condition",
        ],
        50,
    );
    often(
        &[
            "end: none",
            "end: message",
            "end: signal",
            "end: error",
            "end: escalation",
            "end: terminate",
        ],
        15,
    );
    often(
        &[
            "throw: none",
            "throw: message",
            "throw: signal",
            "throw: link",
            "catch: link",
        ],
        25,
    );
    often(&["throw: escalation", "sub-process, nested"], 8);
    often(
        &[
            "catch: message",
            "catch: signal",
            "catch: duration",
            "catch: date",
            "catch: condition",
        ],
        15,
    );
    for arm in ["receiveTask none", "message", "duration", "signal", "condition"] {
        let arm = if arm.contains(' ') {
            arm.to_owned()
        } else {
            format!("intermediateCatchEvent {arm}")
        };
        expected.push((format!("arm: {arm}"), 60));
    }
    for trigger in [
        "message",
        "signal",
        "duration",
        "condition",
        "escalation",
        "any escalation",
        "error",
        "any error",
        "cycle",
    ] {
        for mode in ["interrupting", "non-interrupting"] {
            let impossible =
                trigger.contains("error") && mode == "non-interrupting" || trigger == "cycle" && mode == "interrupting";
            if impossible {
                continue;
            }
            for host in ["task", "receive task", "sub-process"] {
                expected.push((format!("boundary: {trigger}, {mode}, on a {host}"), 2));
            }
            expected.push((format!("event sub-process: {trigger}, {mode}"), 2));
        }
    }
    match family {
        Family::Block => {}
        Family::Acyclic => expected.extend(
            [
                "exclusiveGateway: mixed",
                "parallelGateway: mixed",
                "complexGateway: mixed",
            ]
            .map(|name| (name.to_owned(), 20)),
        ),
        Family::Cyclic => expected.push(("a loop".to_owned(), 1_400)),
    }
    expected
}
