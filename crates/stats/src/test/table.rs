//! Fisher's exact test.

use super::TestResult;
use crate::special::{chi2_sf, ln_gamma};

/// More tables than this are not summed; the chi-square approximation is then exact for all purposes.
const MOST_TABLES: u64 = 1_000_000;

/// Fisher's exact test of a 2×2 table of counts `[[a, b], [c, d]]`; the statistic is the odds ratio `ad / bc`.
///
/// The two-sided p adds all tables no more probable than the one seen. `None` when a margin is zero (nothing can
/// be said) or the counts overflow.
pub fn fisher_exact(table: [[u64; 2]; 2]) -> Option<TestResult> {
    let [[a, b], [c, d]] = table;
    let (row, rest) = (a.checked_add(b)?, c.checked_add(d)?);
    let (column, other) = (a.checked_add(c)?, b.checked_add(d)?);
    let n = row.checked_add(rest)?;
    if row == 0 || rest == 0 || column == 0 || other == 0 {
        return None;
    }
    let odds = (a as f64 * d as f64) / (b as f64 * c as f64);
    let low = column.saturating_sub(rest);
    let high = row.min(column);
    let p = if high - low > MOST_TABLES {
        let expected = row as f64 * (column as f64 / n as f64);
        let variance = expected * (rest as f64 / n as f64) * (other as f64 / (n as f64 - 1.0));
        chi2_sf((a as f64 - expected).powi(2) / variance, 1.0)
    } else {
        let ln_choose =
            |n: u64, k: u64| ln_gamma(n as f64 + 1.0) - ln_gamma(k as f64 + 1.0) - ln_gamma((n - k) as f64 + 1.0);
        let ln_p = |k: u64| ln_choose(column, k) + ln_choose(other, row - k) - ln_choose(n, row);
        let seen = ln_p(a);
        (low..=high).map(ln_p).filter(|&l| l <= seen + 1e-7).map(f64::exp).sum()
    };
    Some(TestResult { statistic: odds, df: None, p: f64::min(p, 1.0) })
}
