//! The invented machine itself: what a neighbour on the core does to bodies and to readings of the width probe.

use tare_engine::{Action, Answer, Ask, Engine, Start};
use tare_model::{Columns, Draw, Loop};
use tare_protocol::Request;
use tare_simulation::{Body, Neighbour, Scene, World};
use tare_stats::location::{mean, median};
use tare_stats::noise::Scenario;

const WINDOWS: u64 = 10;
const BODY_NS: f64 = 1000.0;
/// A reading on a core that is not shared, ns: 14,400 additions, four a cycle of 0.27 ns.
const READING_NS: f64 = 972.0;

/// So many visits of one child of a body, cut into windows of 100 µs.
fn visits(body: Body, neighbour: Option<Neighbour>, visits: usize) -> Vec<Columns> {
    let scene = Scene { neighbour, ..Scene::new(Scenario::Quiet, vec![Body { turn_ns: 0.0, ..body }], 7) };
    let plan = Engine::new(scene.started(), scene.processors).expect("starts").run().plan.clone();
    let mut world = World::new(&scene, plan);
    world.act(&Action::Start(vec![Start { launch: 0, case: 0, draw: Draw { seed: 1, ..Draw::default() } }]));
    let request =
        Request::Measure { which: Loop::Workload, iterations: 1, invocations: 100, lead: 150, windows: WINDOWS };
    (0..visits)
        .map(|_| {
            match world
                .act(&Action::Ask(vec![Ask { launch: 0, request: request.clone(), may_be_placed: false }]))
                .remove(0)
            {
                (0, Answer::Measured { columns, .. }) => *columns,
                other => panic!("{other:?}"),
            }
        })
        .collect()
}

/// Mean time of an invocation, and the readings over one of an unshared core.
fn seen(body: Body, neighbour: Option<Neighbour>) -> (f64, Vec<f64>) {
    let columns = visits(body, neighbour, 1500);
    let windows: Vec<f64> = columns.iter().flat_map(|c| c.window_ns.iter().map(|ns| ns / 100.0)).collect();
    let readings = columns.iter().flat_map(|c| c.width_ns.iter().map(|ns| ns / READING_NS)).collect();
    (mean(&windows).expect("windows"), readings)
}

fn slow(slowdown: f64) -> Body {
    Body { slowdown, ..Body::of("b", BODY_NS) }
}

#[test]
fn windows_add_up_and_have_a_reading_at_either_end() {
    for columns in visits(slow(1.5), Some(Neighbour::of(0.5, 1e-3)), 200) {
        assert!(columns.windows_fit());
        assert_eq!((columns.windows() as u64, columns.len(), columns.width_ns.len() as u64), (WINDOWS, 1, WINDOWS + 1));
        assert!((columns.window_ns.iter().sum::<f64>() / columns.elapsed_ns[0] - 1.0).abs() < 1e-12);
        let readings: f64 = columns.width_ns.iter().sum();
        assert!(columns.cpu_ns[0] > readings && columns.cpu_ns[0] <= columns.elapsed_ns[0] + readings + 1.0);
    }
}

#[test]
fn a_body_is_slower_by_what_it_loses_in_the_shared_part_of_the_time() {
    let (alone_ns, _) = seen(slow(1.0), None);
    for share in [0.0, 0.3, 0.8, 1.0] {
        for shorter_s in [4e-5, 1e-3] {
            let (found_ns, _) = seen(slow(1.7), Some(Neighbour::of(share, shorter_s)));
            // The windows see the share of the time, their work the share of what is done in it.
            let expected = 1.0 / (1.0 - share + share / 1.7);
            // A window has its length in work, so that the mean over windows is that over work.
            assert!((found_ns / alone_ns / expected - 1.0).abs() < 0.03, "{share} {shorter_s}: {found_ns}, {expected}");
        }
    }
    let (found_ns, _) = seen(slow(1.0), Some(Neighbour::of(1.0, 1e-3)));
    assert!((found_ns / alone_ns - 1.0).abs() < 0.005, "what waits for its own results is not slowed");
}

#[test]
fn readings_show_who_uses_the_core() {
    let (_, quiet) = seen(slow(1.0), None);
    assert!((median(&quiet).expect("readings") - 1.0).abs() < 0.005);
    let beyond = |readings: &[f64], limit: f64| {
        readings.iter().filter(|reading| **reading > limit).count() as f64 / readings.len() as f64
    };
    assert_eq!(beyond(&quiet, 1.04), 0.0, "far below the tolerance");
    for (share, shorter_s) in [(0.3, 4e-5), (0.3, 1e-3), (0.8, 1e-3), (1.0, 1e-3)] {
        let (_, readings) = seen(slow(1.0), Some(Neighbour::of(share, shorter_s)));
        assert!((beyond(&readings, 1.05) - share).abs() < 0.04, "{share} {shorter_s}: {}", beyond(&readings, 1.05));
        // What lies between the two levels are readings in which it came or went.
        let mixed = beyond(&readings, 1.05) - beyond(&readings, 1.38);
        let expected = 2.0 * READING_NS * 1e-9 / shorter_s;
        assert!(mixed < 0.001 + expected, "{share} {shorter_s}: {mixed} are mixed");
        assert!(readings.iter().all(|reading| (0.97..1.95).contains(reading)));
    }
}

#[test]
fn a_body_can_be_spared_or_spoil_its_readings() {
    let always = Some(Neighbour::of(1.0, 1e-3));
    let (spared_ns, readings) = seen(Body { spared: true, ..slow(1.7) }, always);
    let (alone_ns, _) = seen(slow(1.7), None);
    assert!((spared_ns / alone_ns - 1.0).abs() < 1e-9 && readings.iter().all(|reading| *reading < 1.04));
    let (spoiling_ns, readings) = seen(Body { spoils: 0.5, ..slow(1.7) }, None);
    let spoiled = readings.iter().filter(|reading| **reading > 1.2).count() as f64 / readings.len() as f64;
    assert!((spoiled - 0.5).abs() < 0.02 && (spoiling_ns / alone_ns - 1.0).abs() < 0.005, "{spoiled}");
}

#[test]
fn readings_of_a_placebo_tell_nothing_of_the_body() {
    let correlation = |placebo: bool| {
        let neighbour = Neighbour { placebo, ..Neighbour::of(0.5, 5e-3) };
        let columns = visits(slow(1.7), Some(neighbour), 1500);
        let slow_when = |shared: bool| {
            let windows = columns.iter().flat_map(|c| c.window_ns.iter().zip(&c.width_ns));
            let of = windows.filter(|(_, reading)| (**reading > 1.2 * READING_NS) == shared).map(|(ns, _)| *ns);
            mean(&of.collect::<Vec<_>>()).expect("windows")
        };
        slow_when(true) / slow_when(false)
    };
    assert!(correlation(false) > 1.5, "{}", correlation(false));
    assert!((correlation(true) - 1.0).abs() < 0.05, "{}", correlation(true));
}
