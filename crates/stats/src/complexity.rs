//! How cost grows with size: fits of the usual complexity classes, ranked by their residuals.

use crate::sample::{finite, usable};

/// A class of growth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Complexity {
    /// O(1)
    Constant,
    /// O(log n)
    Logarithmic,
    /// O(n)
    Linear,
    /// O(n log n)
    Linearithmic,
    /// O(n²)
    Quadratic,
    /// O(n³)
    Cubic,
}

impl Complexity {
    /// All classes, slowest growth first.
    pub const ALL: [Complexity; 6] = [
        Complexity::Constant,
        Complexity::Logarithmic,
        Complexity::Linear,
        Complexity::Linearithmic,
        Complexity::Quadratic,
        Complexity::Cubic,
    ];

    /// The function of the class at size `n`; logarithms to the base 2.
    pub fn at(self, n: f64) -> f64 {
        match self {
            Complexity::Constant => 1.0,
            Complexity::Logarithmic => n.log2(),
            Complexity::Linear => n,
            Complexity::Linearithmic => n * n.log2(),
            Complexity::Quadratic => n * n,
            Complexity::Cubic => n * n * n,
        }
    }

    /// The usual notation, for example `O(n log n)`.
    pub fn notation(self) -> &'static str {
        match self {
            Complexity::Constant => "O(1)",
            Complexity::Logarithmic => "O(log n)",
            Complexity::Linear => "O(n)",
            Complexity::Linearithmic => "O(n log n)",
            Complexity::Quadratic => "O(n²)",
            Complexity::Cubic => "O(n³)",
        }
    }
}

/// One class fitted to the costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// The class.
    pub complexity: Complexity,
    /// Cost for a unit of the class's function, in the unit of the costs.
    pub coefficient: f64,
    /// Constant cost added to it; `None` for the fits through the origin (and for O(1), which is constant itself).
    pub constant: Option<f64>,
    /// Weighted root mean square of the residuals, corrected for the number of fitted parameters, relative to the weighted root mean square
    /// of the costs. 0.02 is 2 % with the default weights.
    pub rms: f64,
    /// Rank among the fits of the same kind, 1 is best. Fits with a falling cost come last, as they make no sense.
    pub rank: usize,
}

/// All fits, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct Fits {
    /// `cost = a f(n)`.
    pub through_origin: Vec<Fit>,
    /// `cost = a f(n) + c`; empty below three distinct sizes.
    pub with_constant: Vec<Fit>,
}

/// Fits every class by weighted least squares.
///
/// Sizes and costs are positive, one cost per size and launch. `weights` apply to squared residuals; the default `1 / cost²` makes the
/// relative error count, and small sizes as much as large ones. `None` for slices of different length, fewer than two distinct sizes, or a
/// value that is not positive and finite.
pub fn fit_complexity(sizes: &[f64], costs: &[f64], weights: Option<&[f64]>) -> Option<Fits> {
    let positive = |xs: &[f64]| usable(xs) && xs.iter().all(|&x| x > 0.0);
    let default: Vec<f64> = costs.iter().map(|c| 1.0 / (c * c)).collect();
    let weights = weights.unwrap_or(&default);
    if sizes.len() != costs.len() || sizes.len() != weights.len() {
        return None;
    }
    if !positive(sizes) || !positive(costs) || !positive(weights) {
        return None;
    }
    let mut distinct = sizes.to_vec();
    distinct.sort_unstable_by(f64::total_cmp);
    distinct.dedup();
    if distinct.len() < 2 {
        return None;
    }
    let data = Data { sizes, costs, weights };
    let through_origin = ranked(Complexity::ALL.iter().filter_map(|&c| data.line(c)).collect());
    let with_constant = match distinct.len() {
        2 => Vec::new(),
        _ => ranked(Complexity::ALL[1..].iter().filter_map(|&c| data.affine(c)).collect()),
    };
    Some(Fits { through_origin, with_constant })
}

fn ranked(mut fits: Vec<Fit>) -> Vec<Fit> {
    fits.sort_by(|a, b| {
        let falls = |f: &Fit| f.coefficient < 0.0;
        falls(a).cmp(&falls(b)).then(a.rms.total_cmp(&b.rms)).then(a.complexity.cmp(&b.complexity))
    });
    for (i, fit) in fits.iter_mut().enumerate() {
        fit.rank = i + 1;
    }
    fits
}

struct Data<'a> {
    sizes: &'a [f64],
    costs: &'a [f64],
    weights: &'a [f64],
}

impl Data<'_> {
    /// Weighted sum of a function of (f(n), cost).
    fn sum(&self, class: Complexity, f: impl Fn(f64, f64) -> f64) -> f64 {
        let terms = self.sizes.iter().zip(self.costs).zip(self.weights);
        terms.map(|((&n, &cost), &w)| w * f(class.at(n), cost)).sum()
    }

    fn line(&self, class: Complexity) -> Option<Fit> {
        let coefficient = finite(self.sum(class, |x, y| x * y) / self.sum(class, |x, _| x * x))?;
        self.fit(class, coefficient, None)
    }

    fn affine(&self, class: Complexity) -> Option<Fit> {
        let weight = self.sum(class, |_, _| 1.0);
        let (mx, my) = (self.sum(class, |x, _| x) / weight, self.sum(class, |_, y| y) / weight);
        let top = self.sum(class, |x, y| (x - mx) * (y - my));
        let coefficient = finite(top / self.sum(class, |x, _| (x - mx) * (x - mx)))?;
        self.fit(class, coefficient, Some(finite(my - coefficient * mx)?))
    }

    fn fit(&self, complexity: Complexity, coefficient: f64, constant: Option<f64>) -> Option<Fit> {
        let n = self.sizes.len() as f64;
        let parameters = if constant.is_some() { 2.0 } else { 1.0 };
        let rest = self.sum(complexity, |x, y| (y - coefficient * x - constant.unwrap_or(0.0)).powi(2));
        let whole = self.sum(complexity, |_, y| y * y);
        let rms = finite((rest / whole * n / (n - parameters).max(1.0)).sqrt())?;
        Some(Fit { complexity, coefficient, constant, rms, rank: 0 })
    }
}
