//! The test that the README shows.

use trackside_sim::property::Property;
use trackside_sim::source::Source;

#[test]
fn every_order_is_completed() {
    let source = Source::read("../corpus/models/or-diamond.bpmn").unwrap();
    Property::of(&source).schedules(500).assert();
}
