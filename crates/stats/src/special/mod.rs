//! Distribution functions and their inverses.
//!
//! Every function returns `NaN` for arguments outside its domain, and keeps its relative accuracy (about 1e-12)
//! far into the tails: a repeated p-value of 1e-12 must not be rounding noise.

mod beta;
mod distributions;
mod gamma;

pub use beta::inc_beta_both;
pub use distributions::{binom_ppf, chi2_isf, chi2_sf, f_sf, normal_isf, normal_sf, t_isf, t_sf};
pub use gamma::ln_gamma;
