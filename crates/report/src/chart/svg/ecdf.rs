//! The share of values up to each value, as steps.

use super::super::{Axis, Chart, Ecdf, Measure, Range, Scale};
use super::density::small;
use super::writer::{num, tone, Svg};

/// Share at either end of the values that the axis does not follow.
const FAR_OUT: f64 = 0.005;

pub(super) fn ecdf(chart: &Chart, plot: &Ecdf) -> Svg {
    let (mut svg, frame) = small(chart, plot.series.iter().map(|(name, of, _)| (name.clone(), *of)));
    let ends = plot.series.iter().filter(|(_, _, values)| !values.is_empty()).flat_map(|(_, _, values)| {
        let far = (values.len() as f64 * FAR_OUT) as usize;
        [values[far], values[values.len() - 1 - far]]
    });
    let Some(range) = Range::of(ends, plot.axis.is_log) else { return svg };
    let x = Scale::new(range.padded(plot.axis.is_log, 0.002), plot.axis.is_log, frame.left, frame.right);
    let y = Scale::new(Range { lower: 0.0, upper: 1.0 }, false, frame.bottom, frame.top);
    svg.y_axis(frame, &Axis::linear("share of visits", Measure::Share), &y, 4);
    svg.x_axis(frame, &plot.axis, &x, 4);
    for (_, of, values) in &plot.series {
        let mut path = format!("M{} {}", num(frame.left), num(frame.bottom));
        let (mut along, mut up) = (frame.left.round(), frame.bottom.round());
        for (at, value) in values.iter().enumerate() {
            let share = (at + 1) as f64 / values.len() as f64;
            let (to_x, to_y) = (x.at(*value).round(), y.at(share).round());
            path.push_str(&format!("h{}v{}", num(to_x - along), num(to_y - up)));
            (along, up) = (to_x, to_y);
        }
        path.push_str(&format!("H{}", num(frame.right)));
        svg.path(&format!("curve {}", tone(*of)), &path);
    }
    svg
}
