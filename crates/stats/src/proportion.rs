//! Shares of counts, and whether they differ beyond chance.

/// Many functions are compared, and some differ by chance: 99.9 %.
const Z: f64 = 3.3;

/// Difference of a part's share in two samples; `None` if it may be chance.
pub fn change(part: [u64; 2], all: [u64; 2]) -> Option<f64> {
    let [n0, n1] = all.map(|n| n.max(1) as f64);
    let [p0, p1] = [part[0] as f64 / n0, part[1] as f64 / n1];
    let pooled = part[0].saturating_add(part[1]) as f64 / (n0 + n1);
    let error = (pooled * (1.0 - pooled) * (1.0 / n0 + 1.0 / n1)).sqrt();
    ((p1 - p0).abs() > Z * error.max(1.0 / n0.min(n1) / Z)).then_some(p1 - p0)
}
