//! The CSV of Celero (`-t FILE`).
//!
//! Traps: its time is that of its fastest sample, and columns differ between versions.

use super::table::{self, case, cells, number};
use super::{Format, Read};
use crate::builder::{calls, Builder};
use crate::node::Fault;
use tare_analysis::SavedCase;

pub(crate) const FORMAT: Format = Format {
    tool: "celero",
    known_as: "Celero (`-t FILE`)",
    begins: |text| text.lines().find(|line| !line.trim().is_empty())?.starts_with(HEADER).then_some(0),
    read: Read::Text(|text, _| table::read(FORMAT.tool, text, rows)),
    ..Format::NONE
};

const HEADER: &str = "Group,Experiment,Problem Space,";
/// Celero prints whole microseconds for all iterations of a sample.
const STEP_NS: f64 = 1e3;

fn rows(text: &str, builder: &mut Builder) -> Result<(), Fault> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(HEADER));
    let header = lines.next().map(cells).unwrap_or_default();
    let place = |name: &str| header.iter().position(|column| column == name);
    let (time, failure, iterations) = (place("us/Iteration"), place("Failure"), place("Iterations"));
    for row in lines.map(cells).filter(|row| row.len() >= 4) {
        let of = |place: Option<usize>| place.and_then(|at| row.get(at)).map_or("", String::as_str);
        let size = row[2].as_str();
        let sizes = [("problem_space", size)];
        // Without a problem space it writes the lowest number.
        let has_none = ["", "0", "-9223372036854775808"].contains(&size);
        let case = case(&row[0], &row[1], if has_none { &[] } else { &sizes });
        match number(of(time)) {
            Some(us) if ["", "0"].contains(&of(failure)) => {
                let count = number(of(iterations)).filter(|count| *count >= 1.0);
                let resolution_ns = count.map(|count| STEP_NS / count);
                builder.case(
                    SavedCase { launches: vec![vec![us * 1e3]], resolution_ns, calls: calls([count]), ..case },
                    "",
                )?;
            }
            _ => builder.lost(&case, "Celero reports a failure"),
        }
    }
    Ok(())
}
