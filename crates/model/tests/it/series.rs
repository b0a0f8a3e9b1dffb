use tare_model::*;

fn columns(elapsed: &[f64], metrics: &[(&str, &[f64])], events: &[u32]) -> Columns {
    Columns {
        elapsed_ns: elapsed.to_vec(),
        metrics: metrics.iter().map(|(name, values)| ((*name).to_owned(), values.to_vec())).collect(),
        events: events
            .iter()
            .map(|&iteration| RuntimeEvent { iteration, kind: "collection".to_owned(), at_ns: 0.0, ns: 1.0 })
            .collect(),
        ..Columns::default()
    }
}

#[test]
fn descendants_that_did_not_work_leave_no_gap() {
    let of = |elapsed: &[f64], descendants: &[f64]| Columns {
        descendants_cpu_ns: descendants.to_vec(),
        ..columns(elapsed, &[], &[])
    };
    let mut all = Columns::default();
    for (iterations, descendants) in [(2, &[][..]), (1, &[7.0]), (2, &[]), (1, &[5.0])] {
        all.append(&of(&vec![1.0; iterations], descendants));
    }
    assert_eq!(all.descendants_cpu_ns, [0.0, 0.0, 7.0, 0.0, 0.0, 5.0]);
    all.append(&Columns::default());
    assert_eq!(all.descendants_cpu_ns.len(), all.len());
    let mut none = of(&[1.0], &[]);
    none.append(&of(&[1.0], &[]));
    assert!(none.descendants_cpu_ns.is_empty());
}

#[test]
fn metrics_and_events_stay_with_their_iterations() {
    let mut all = Columns::default();
    all.append(&columns(&[1.0, 2.0], &[("a", &[5.0, 6.0])], &[1]));
    all.append(&columns(&[3.0], &[("a", &[7.0])], &[0]));
    assert_eq!(all.metrics, columns(&[], &[("a", &[5.0, 6.0, 7.0])], &[]).metrics);
    assert_eq!(all.events.iter().map(|e| e.iteration).collect::<Vec<_>>(), [1, 2]);
    assert!(all.events_fit());
    all.events[0].iteration = 3;
    assert!(!all.events_fit());
}
