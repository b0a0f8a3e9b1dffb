//! Many benchmarks, few false alarms (method.md 6).

/// Benjamini & Hochberg's adjusted p-values (1995), in the order given, in `[0, 1]`.
///
/// The false discovery rate at q is held by rejecting those at or below q. A value that is not in `[0, 1]` counts
/// as 1: what is not known is no discovery.
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    adjust(p, 1.0)
}

/// Benjamini & Yekutieli's adjusted p-values (2001): valid under any dependence, at a cost of about ln n.
pub fn benjamini_yekutieli(p: &[f64]) -> Vec<f64> {
    adjust(p, (1..=p.len()).map(|k| 1.0 / k as f64).sum())
}

fn adjust(p: &[f64], penalty: f64) -> Vec<f64> {
    let clean: Vec<f64> = p.iter().map(|&x| if (0.0..=1.0).contains(&x) { x } else { 1.0 }).collect();
    let mut index: Vec<usize> = (0..clean.len()).collect();
    index.sort_by(|&i, &j| clean[i].total_cmp(&clean[j]));
    let n = clean.len() as f64;
    let mut adjusted = vec![1.0; clean.len()];
    let mut smallest: f64 = 1.0;
    for (rank, &i) in index.iter().enumerate().rev() {
        smallest = smallest.min(clean[i] * n * penalty / (rank + 1) as f64);
        adjusted[i] = smallest;
    }
    adjusted
}

/// e-BH (Wang & Ramdas 2022): which hypotheses to reject at false discovery rate `q`, under any dependence.
///
/// Rejects the r largest where r is the greatest with `E_(r) >= n / (q r)` (method.md 5.5). Nothing is rejected for
/// a q outside `(0, 1]`; an e-value that is not a number counts as 0.
pub fn e_bh(e_values: &[f64], q: f64) -> Vec<bool> {
    let clean: Vec<f64> = e_values.iter().map(|&e| if e.is_nan() { 0.0 } else { e }).collect();
    let mut rejected = vec![false; clean.len()];
    if !(q > 0.0 && q <= 1.0) {
        return rejected;
    }
    let mut index: Vec<usize> = (0..clean.len()).collect();
    index.sort_by(|&i, &j| clean[j].total_cmp(&clean[i]));
    let n = clean.len() as f64;
    let count = (1..=index.len()).rev().find(|&r| clean[index[r - 1]] >= n / (q * r as f64)).unwrap_or(0);
    for &i in &index[..count] {
        rejected[i] = true;
    }
    rejected
}
