//! quick
use std::time::Duration;
use trackside_benches::{families, measure};
fn main() {
    for (name, d) in [("lin10", families::linear(10)), ("lin100", families::linear(100)), ("lin1000", families::linear(1000)),
      ("fork10x5", families::fork(10,5)),("fork10x50", families::fork(10,50)),("fork100x5", families::fork(100,5)),
      ("or3", families::or_diamond(3)),("or30", families::or_diamond(30)),("or300", families::or_diamond(300))] {
        let t = families::template(&d);
        let n = measure::run_once(&t, measure::quiet());
        let path = std::env::temp_dir().join(format!("{name}.bpmn"));
        std::fs::write(&path, peer(&d)).unwrap();
        let mut b = snurr::ProcessBuilder::<()>::new(&path).unwrap();
        for n in &d.scopes[0].nodes {
            b = match &n.kind {
                trackside_engine::model::NodeKind::Task{..} => b.task(n.id.clone(), |_| Default::default()),
                trackside_engine::model::NodeKind::Gateway{gateway: trackside_engine::model::Gateway::Inclusive, ..} => {
                  let ids: Vec<String> = d.scopes[0].flows.iter().filter(|f| f.source == n.id).map(|f| f.id.clone()).collect();
                  b.inclusive(n.id.clone(), move |_| snurr::Inclusive::Fork(ids.iter().map(|s| s.clone().into()).collect()))
                }
                _ => b,
            };
        }
        let p = b.build().unwrap();
        p.run(()).unwrap();
        let mut f = || { measure::run_once(&t, measure::quiet()); };
        let mut g = || { p.run(()).unwrap(); };
        let times = measure::rounds(9, Duration::from_millis(20), &mut [&mut f, &mut g]);
        let [_, m, _] = measure::quartiles(&times[0]);
        let [_, s, _] = measure::quartiles(&times[1]);
        println!("{name} {n} transitions {m:?} = {:.1} ns/transition; snurr {s:?} ratio {:.2}", m.as_nanos() as f64 / n as f64, s.as_secs_f64() / m.as_secs_f64());
    }
}

fn peer(d: &trackside_engine::model::Definitions) -> String {
    let mut x = String::from("<definitions xmlns=\"http://www.omg.org/spec/BPMN/20100524/MODEL\"><process id=\"p\" isExecutable=\"true\">");
    let sc = &d.scopes[0];
    let mut io: std::collections::BTreeMap<&str, String> = Default::default();
    for f in &sc.flows {
        io.entry(&f.source).or_default().push_str(&format!("<outgoing>{}</outgoing>", f.id));
        io.entry(&f.target).or_default().push_str(&format!("<incoming>{}</incoming>", f.id));
    }
    for n in &sc.nodes {
        let e = n.kind.element();
        x.push_str(&format!("<{e} id=\"{}\">{}</{e}>\n", n.id, io[n.id.as_str()]));
    }
    for f in &sc.flows { x.push_str(&format!("<sequenceFlow id=\"{}\" sourceRef=\"{}\" targetRef=\"{}\"/>\n", f.id, f.source, f.target)); }
    x.push_str("</process></definitions>");
    x
}
