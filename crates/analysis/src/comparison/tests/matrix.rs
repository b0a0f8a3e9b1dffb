//! Several machines beside each other.

use super::{case, defaults, exact, side};
use crate::comparison::{compare_matrix, compare_saved, Consistency, Matrix};
use crate::saved::geometric_mean;
use crate::verdict::Verdict;
use crate::{Code, Finding, Severity};
use crate::{Comparison, SkippedOn, SkippedRow};

fn machine(name: &str, ratios: &[(&str, f64)]) -> (String, Comparison) {
    let of = |scale: &dyn Fn(f64) -> f64| {
        ratios
            .iter()
            .map(|(key, ratio)| case(key, exact(&[100.0, 100.1, 99.9, 100.0].map(|t| t * scale(*ratio)))))
            .collect()
    };
    let (base, new) = (side("base", of(&|_| 1.0)), side("new", of(&|ratio| ratio)));
    (name.to_owned(), compare_saved(&base, &new, &defaults()))
}

fn keys(matrix: &Matrix) -> Vec<&str> {
    matrix.rows.iter().map(|r| r.key.as_str()).collect()
}

fn two_machines() -> Vec<(String, Comparison)> {
    vec![
        machine("one", &[("mild", 1.15), ("worst", 2.0), ("better", 0.5), ("still", 1.0), ("split", 1.5)]),
        machine("two", &[("mild", 1.0), ("worst", 1.8), ("better", 0.6), ("split", 0.6)]),
    ]
}

#[test]
fn rows_are_sorted_by_what_got_slower_and_cells_keep_their_machine() {
    let matrix = compare_matrix(&two_machines());
    assert_eq!(keys(&matrix), ["worst", "mild", "still", "split", "better"]);
    let still = &matrix.rows[2];
    assert!(still.cells[0].is_some() && still.cells[1].is_none());
    let by_key = |key: &str| matrix.rows.iter().find(|r| r.key == key).expect("a row").consistency;
    assert_eq!(by_key("worst"), Consistency::Agree);
    assert_eq!(by_key("mild"), Consistency::Partial);
    assert_eq!(by_key("still"), Consistency::Undecided);
    assert_eq!(by_key("split"), Consistency::Contradict);
    let words = matrix.machines[0].words;
    assert_eq!((words.slower, words.faster, words.unclear, words.total()), (3, 1, 1, 5));
    assert!((words.share(Verdict::Slower) - 0.6).abs() < 1e-12);
    assert_eq!(matrix.groups[""].total(), 9);
}

#[test]
fn intervals_and_findings_of_each_machine_are_kept() {
    let mut machines = two_machines();
    let finding = |code, severity| Finding::new(code, severity, "so it is".into(), "look");
    machines[0].1.findings = vec![finding(Code::OtherTool, Severity::Note)];
    machines[1].1.findings = vec![finding(Code::OtherMachine, Severity::Warning)];
    let matrix = compare_matrix(&machines);
    let said: Vec<String> = matrix.findings().into_iter().map(|f| format!("{} {}", f.code, f.evidence)).collect();
    assert_eq!(said, ["other-machine two: so it is", "other-tool one: so it is"]);
    let of = |key: &str| machines[0].1.rows.iter().find(|r| r.key == key).and_then(|r| r.interval);
    let worst = matrix.rows[0].cells[0].as_ref().and_then(|cell| cell.interval);
    assert!(worst.is_some() && worst == of("worst"));
}

#[test]
fn what_a_machine_has_in_no_row_is_named() {
    let mut machines = vec![machine("one", &[("a", 1.0)])];
    machines[0].1.not_measured = vec!["g/gone".to_owned()];
    machines[0].1.only_new = vec!["g/new".to_owned()];
    machines[0].1.skipped =
        vec![SkippedRow { key: "k".into(), name: "g/gpu".into(), on: SkippedOn::Both, reason: "no GPU".into() }];
    let matrix = compare_matrix(&machines);
    let said = matrix.machines[0].findings.iter().filter(|finding| finding.code == Code::LeftOut);
    let said: Vec<String> = said.map(|finding| finding.evidence.to_string()).collect();
    assert_eq!(
        said,
        [
            "not in any row: `g/gone: not compared`",
            "not in any row: `g/new: only on the new side`, `g/gpu: skipped: no GPU`"
        ]
    );
}

#[test]
fn top_is_taken_after_sorting() {
    let matrix = compare_matrix(&two_machines()).top(2);
    assert_eq!((keys(&matrix), matrix.left_out), (vec!["worst", "better"], 3));
    assert_eq!(matrix.machines[0].words.total(), 5, "columns are of all rows");
    assert_eq!(compare_matrix(&two_machines()).top(100).left_out, 0);
}

#[test]
fn a_geometric_mean_counts_what_it_cannot_take_in() {
    let (_, mut comparison) = machine("one", &[("a", 2.0), ("b", 0.5), ("c", 1.0)]);
    comparison.rows[2].ratio = f64::INFINITY;
    let mean = geometric_mean(&comparison.rows);
    assert!((mean.value.expect("a mean") - 1.0).abs() < 1e-12);
    assert_eq!((mean.count, mean.left_out), (2, 1));
    comparison.rows[1].ratio = 0.0;
    let matrix = compare_matrix(&[("one".to_owned(), comparison)]);
    assert_eq!((matrix.machines[0].geometric_mean.count, matrix.machines[0].geometric_mean.left_out), (1, 2));
    assert_eq!(compare_matrix(&[]).rows.len(), 0);
}
