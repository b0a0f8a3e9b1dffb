//! Metrics as BenchmarkDotNet writes them. What it counts too has its names and its units there.

use super::benchmarkdotnet::{text, Form, Tree};
use crate::values::{Case, Metric};
use tare_model::Better;

/// How a metric is described there.
struct Descriptor {
    id: String,
    display: String,
    legend: String,
    format: &'static str,
    unit: String,
    priority: u64,
    /// Its value for one in Tare.
    factor: f64,
}

pub(super) fn metrics(case: &Case, form: Form) -> Vec<Tree> {
    case.metrics.iter().map(|metric| item(metric, form)).collect()
}

fn item(metric: &Metric, form: Form) -> Tree {
    let described = descriptor(metric);
    let kinds = [(0, "Dimensionless"), (1, "Time"), (2, "Size")];
    let (number, word) = kinds[if metric.unit == "ns" { 1 } else { 2 * usize::from(metric.unit == "B") }];
    let unit_type = if form == Form::Json { Tree::Integer(number) } else { text(word) };
    let fields = vec![
        ("Id", text(&described.id)),
        ("DisplayName", text(&described.display)),
        ("Legend", text(&described.legend)),
        ("NumberFormat", text(described.format)),
        ("UnitType", unit_type),
        ("Unit", text(&described.unit)),
        ("TheGreaterTheBetter", Tree::Bool(metric.better == Better::Higher)),
        ("PriorityInCategory", Tree::Integer(described.priority)),
    ];
    let value = Tree::Number(metric.value * described.factor);
    Tree::Object(vec![("Value", value), ("Descriptor", Tree::Object(fields))])
}

fn descriptor(metric: &Metric) -> Descriptor {
    /// Collections are counted per this many operations.
    const OPERATIONS: f64 = 1000.0;
    let of = |id: String, display: String, legend: String| Descriptor {
        id,
        display,
        legend,
        format: "0.####",
        unit: metric.unit.to_owned(),
        priority: 0,
        factor: 1.0,
    };
    let generation = metric.name.strip_prefix("collections_").and_then(|generation| generation.parse::<u64>().ok());
    match generation {
        Some(generation) => {
            let legend = format!("GC Generation {generation} collects per 1000 operations");
            Descriptor {
                format: "#0.0000",
                unit: "Count".to_owned(),
                priority: generation,
                factor: OPERATIONS,
                ..of(format!("Gen{generation}Collects"), format!("Gen{generation}"), legend)
            }
        }
        None if metric.name == tare_model::Metric::ALLOCATED_BYTES => {
            let legend = "Allocated memory per single operation (managed only, inclusive, 1KB = 1024B)".to_owned();
            let described = of("Allocated Memory".to_owned(), "Allocated".to_owned(), legend);
            Descriptor { format: "0.##", priority: 3, ..described }
        }
        None => counted(metric.name)
            .map(|(id, display, legend)| Descriptor {
                format: "#0.0000",
                unit: "Count".to_owned(),
                ..of(id.to_owned(), display.to_owned(), legend.to_owned())
            })
            .unwrap_or_else(|| of(metric.name.to_owned(), metric.name.to_owned(), metric.name.to_owned())),
    }
}

/// What its diagnosers of threads and of exceptions call a metric, and what they say of it.
fn counted(name: &str) -> Option<(&'static str, &'static str, &'static str)> {
    Some(match name {
        tare_model::Metric::WORK_ITEMS => (
            "CompletedWorkItemCount",
            "Completed Work Items",
            "The number of work items that have been processed in ThreadPool (per single operation)",
        ),
        tare_model::Metric::LOCK_CONTENTIONS => (
            "LockContentionCount",
            "Lock Contentions",
            "The number of times there was contention upon trying to take a Monitor's lock (per single operation)",
        ),
        tare_model::Metric::EXCEPTIONS => {
            ("ExceptionFrequency", "Exceptions", "Exceptions thrown per single operation")
        }
        _ => return None,
    })
}
