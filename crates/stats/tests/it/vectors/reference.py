"""Writes reference.json: values of SciPy (and of diptest) that the tests of tare-stats are held against.

Run once by hand: `pip install scipy diptest && python reference.py > reference.json`. Not part of the build.
"""

import json

import diptest
import numpy as np
from scipy import special, stats

rng = np.random.default_rng(20260801)


def table(f, *grids):
    rows = [[]]
    for g in grids:
        rows = [r + [v] for r in rows for v in g]
    return [r + [float(f(*r))] for r in rows]


dfs = [0.5, 1, 2, 3, 7.9275523066035, 30, 1000, 1e6, 1e9]
x = [float(v) for v in rng.lognormal(0, 0.5, 37).round(6)]
y = [float(v) for v in rng.lognormal(0.2, 0.5, 41).round(6)]
tied_x = [float(v) for v in rng.integers(0, 12, 25)]
tied_y = [float(v) for v in rng.integers(2, 14, 25)]
size = [float(v) for v in range(1, 21)]
noisy = [float(v) for v in (0.3 * np.arange(1, 21) + rng.normal(0, 2, 20)).round(6)]
bimodal = [float(v) for v in np.concatenate([rng.normal(0, 1, 60), rng.normal(6, 1, 40)]).round(6)]


def test(r):
    return [float(r.statistic), float(r.pvalue)]


out = {
    "ln_gamma": table(special.gammaln, [1e-10, 0.1, 0.5, 0.999, 1.5, 2.001, 7.3, 15.99, 16.01, 171.5, 1e5, 1e10]),
    "reg_inc_beta": table(
        lambda a, b, v: special.betainc(a, b, v),
        [0.05, 0.5, 3, 40, 5000.5],
        [0.5, 2.5, 100, 1e5],
        [1e-9, 1e-4, 0.03, 0.3, 0.5, 0.9, 0.9999],
    ),
    "normal_sf": table(stats.norm.sf, [-8.0, -1.0, 0.0, 0.3, 1.0, 2.5, 6.0, 20.0, 37.0]),
    "normal_isf": table(stats.norm.isf, [1e-300, 1e-20, 1e-5, 0.01, 0.3, 0.5, 0.8, 0.999]),
    "t_sf": table(stats.t.sf, [-40.0, -1.0, 0.0, 0.1, 1.0, 4.0, 30.0, 1000.0], dfs),
    "t_isf": table(stats.t.isf, [1e-30, 1e-9, 0.0005, 0.025, 0.2, 0.49, 0.7, 0.999], dfs[:-1]),
    "chi2_sf": table(stats.chi2.sf, [0.01, 1.0, 10.0, 50.0, 400.0], [0.5, 1, 3, 20, 350]),
    "chi2_isf": table(stats.chi2.isf, [1e-10, 0.01, 0.5, 0.99], [0.5, 1, 3, 20, 350]),
    "f_sf": table(stats.f.sf, [0.1, 1.0, 3.0, 40.0], [1, 3, 20.5], [2, 6, 200]),
    "binom_ppf": table(stats.binom.ppf, [0.01, 0.5, 0.99, 0.999], [1, 10, 100, 300, 1000], [0.001, 0.01, 0.3, 0.9]),
    "x": x,
    "y": y,
    "tied_x": tied_x,
    "tied_y": tied_y,
    "noisy": noisy,
    "skew": float(stats.moment(x, 3) / np.std(x, ddof=1) ** 3),
    "kurtosis": float(stats.moment(x, 4) / np.var(x, ddof=1) ** 2),
    "welch": test(stats.ttest_ind(x, y, equal_var=False)),
    "pooled_t": test(stats.ttest_ind(x, y)),
    "yuen_10": test(stats.ttest_ind(x, y, equal_var=False, trim=0.1)),
    "mwu_asymptotic": test(stats.mannwhitneyu(x, y, method="asymptotic")),
    "mwu_tied": test(stats.mannwhitneyu(tied_x, tied_y, method="asymptotic")),
    "mwu_exact_30": test(stats.mannwhitneyu(x[:30], y[:35], method="exact")),
    "wilcoxon_exact": test(stats.wilcoxon(x[:30], y[:30], method="exact")),
    "fisher": [[t, float(stats.fisher_exact(t).pvalue)] for t in ([[8, 2], [1, 5]], [[10, 0], [3, 9]], [[100, 80], [70, 95]])],
    "spearman": test(stats.spearmanr(size, noisy)),
    "ols": [float(v) for v in stats.linregress(size, noisy)[:4]] + [float(stats.linregress(size, noisy).stderr)],
    "hd": [[p, float(stats.mstats.hdquantiles(x, [p])[0])] for p in (0.05, 0.25, 0.5, 0.9, 0.99)],
    "t_interval_99": [float(v) for v in stats.t.interval(0.99, len(x) - 1, np.mean(x), stats.sem(x))],
    "bimodal": bimodal,
    "dip": [[d, float(diptest.dipstat(np.array(d)))] for d in (x, tied_x, tied_y, bimodal, noisy, [1.0, 2.0, 4.0, 9.0])],
}
print(json.dumps(out, indent=0))
