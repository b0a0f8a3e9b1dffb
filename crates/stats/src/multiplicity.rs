//! Multiple comparisons with few false alarms.

/// Benjamini & Hochberg's adjusted p-values (1995), in input order, in `[0, 1]`.
///
/// Rejecting those at or below q keeps the false discovery rate at q. A value outside `[0, 1]` counts as 1, so it is never a discovery.
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let clean: Vec<f64> = p.iter().map(|&x| if (0.0..=1.0).contains(&x) { x } else { 1.0 }).collect();
    let mut index: Vec<usize> = (0..clean.len()).collect();
    index.sort_by(|&i, &j| clean[i].total_cmp(&clean[j]));
    let n = clean.len() as f64;
    let mut adjusted = vec![1.0; clean.len()];
    let mut smallest: f64 = 1.0;
    for (rank, &i) in index.iter().enumerate().rev() {
        smallest = smallest.min(clean[i] * n / (rank + 1) as f64);
        adjusted[i] = smallest;
    }
    adjusted
}
