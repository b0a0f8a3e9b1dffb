//! Slow checks, run by hand: `cargo test --release -p tare-stats --test it slow -- --ignored --nocapture`.

use tare_stats::*;

/// Prints the table of `src/modes/dip.rs`: quantiles of sqrt(n)·dip of uniform samples.
#[test]
#[ignore = "half a minute in release"]
fn dip_table() {
    let levels = [0.1, 0.5, 0.8, 0.9, 0.95, 0.99, 0.995, 0.999];
    let sizes = [
        (4, 60_000),
        (5, 60_000),
        (6, 60_000),
        (7, 60_000),
        (8, 60_000),
        (10, 60_000),
        (15, 60_000),
        (20, 60_000),
        (30, 60_000),
        (50, 60_000),
        (100, 60_000),
        (200, 60_000),
        (500, 60_000),
        (1000, 60_000),
        (5000, 25_000),
    ];
    for (n, paths) in sizes {
        let mut rng = Rng::new(1985 + n as u64);
        let mut dips: Vec<f64> = (0..paths)
            .map(|_| {
                let xs: Vec<f64> = (0..n).map(|_| rng.uniform()).collect();
                dip_statistic(&xs).unwrap() * (n as f64).sqrt()
            })
            .collect();
        dips.sort_unstable_by(f64::total_cmp);
        let row: Vec<String> = levels.iter().map(|&p| format!("{:.4}", type7(&dips, p).unwrap())).collect();
        println!("    ({n}, [{}]),", row.join(", "));
    }
}

/// Prints the table of 32 looks for W = 4 (`src/sequential/boundaries.rs`): p-levels that spend `alpha (k/32)^0.8`.
#[test]
#[ignore = "six minutes in release, 500 MB"]
fn long_boundary_tables() {
    for (alpha, row) in long_boundary_table(32, 0.8) {
        let row: Vec<String> = row.iter().map(|p| format!("{p:.3e}")).collect();
        println!("    ({alpha}, [{}]),", row.join(", "));
    }
}

fn long_boundary_table(looks: usize, power: f64) -> Vec<(f64, Vec<f64>)> {
    const PATHS: usize = 12_000_000;
    const ALPHAS: [f64; 3] = [0.10, 0.05, 0.01];
    let mut rng = Rng::new(20_261_120);
    let mut paths = vec![(0.0_f64, 0.0_f64, 0_u8); PATHS];
    let mut table = ALPHAS.map(|alpha| (alpha, Vec::new()));
    let mut crossed = [0_usize; ALPHAS.len()];
    for look in 1..=looks {
        let df = 6.0 * look as f64;
        let mut t: Vec<(f64, u32)> = Vec::with_capacity(PATHS / 4);
        for (index, (d, squares, _)) in paths.iter_mut().enumerate() {
            let value = next_t(&mut rng, 4, look, (d, squares)).abs();
            // No boundary lies below the largest that a plain test at 20 % has.
            if value > 1.25 {
                t.push((value, index as u32));
            }
        }
        t.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        for (row, (alpha, levels)) in table.iter_mut().enumerate() {
            let wanted = (*alpha * (look as f64 / looks as f64).powf(power) * PATHS as f64).round() as usize;
            let bit = 1 << row;
            for (value, index) in &t {
                if crossed[row] >= wanted {
                    levels.push(2.0 * t_sf(*value, df));
                    break;
                }
                let path = &mut paths[*index as usize];
                if path.2 & bit == 0 {
                    path.2 |= bit;
                    crossed[row] += 1;
                }
            }
        }
    }
    table.into()
}

/// The t statistic of a path at this look, after one more wave of `w` processes a side: `d` is the sum of the differences of waves so far, in standard
/// deviations of a process, and `squares` the sum of squares within sides.
fn next_t(rng: &mut Rng, w: usize, look: usize, (d, squares): (&mut f64, &mut f64)) -> f64 {
    *d += rng.normal() * (2.0 / w as f64).sqrt();
    // A chi-square with 2W - 2 degrees of freedom is twice a sum of W - 1 exponentials.
    *squares += 2.0 * (0..w - 1).map(|_| rng.exponential()).sum::<f64>();
    let (n, df) = (look as f64, ((2 * w - 2) * look) as f64);
    *d / n / (*squares / df * 2.0 / (w as f64 * n)).sqrt()
}

/// Prints the tables of last looks (`src/sequential/last.rs`): p-levels at which a look spends what earlier looks left of alpha.
#[test]
#[ignore = "six minutes in release, 300 MB"]
fn last_look_tables() {
    let four = |looks: usize| Design { processes_per_side: 4, looks };
    for design in [four(32), four(8), Design::of(2)] {
        last_look_table(design);
    }
}

fn last_look_table(design: Design) {
    const PATHS: usize = 6_000_000;
    let w = design.processes_per_side;
    let alphas: [f64; 3] = [0.10, 0.05, 0.01];
    let mut rng = Rng::new(20_261_125 + w as u64);
    let mut paths = vec![(0.0_f64, 0.0_f64, 0_u8); PATHS];
    let mut crossed = vec![0_usize; alphas.len()];
    let mut rows = vec![Vec::new(); alphas.len()];
    for look in 1..=design.max_looks().unwrap() {
        let df = ((2 * w - 2) * look) as f64;
        let mut found: Vec<(f64, u32)> = Vec::with_capacity(PATHS / 4);
        for (index, (d, squares, _)) in paths.iter_mut().enumerate() {
            let t = next_t(&mut rng, w, look, (d, squares)).abs();
            if t > 1.25 {
                found.push((t, index as u32));
            }
        }
        found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        for (row, alpha) in alphas.iter().enumerate() {
            let bit = 1 << row;
            let critical = t_isf(design.p_level(look, *alpha).unwrap() / 2.0, df);
            let all = (alpha * PATHS as f64).round() as usize;
            let (mut count, mut last) = (crossed[row], None);
            for (t, index) in &found {
                let path = &mut paths[*index as usize];
                if path.2 & bit != 0 {
                    continue;
                }
                if *t > critical {
                    path.2 |= bit;
                    crossed[row] += 1;
                }
                count += 1;
                if count == all {
                    last = Some(*t);
                }
                if count >= all && *t <= critical {
                    break;
                }
            }
            // The last of all looks may spend a little less than is left, by the rounding of its table.
            let level = last.map_or(design.p_level(look, *alpha).unwrap(), |t| 2.0 * t_sf(t, df));
            rows[row].push(format!("{level:.3e}"));
        }
    }
    for (alpha, row) in alphas.iter().zip(rows) {
        println!("W={w} looks {}: ({alpha}, [{}]),", design.looks, row.join(", "));
    }
}

/// Repeats the Monte Carlo of the boundaries with fewer paths: the tables must spend `alpha (k/K)^1.5`, the long one
/// `alpha (k/K)^0.8`.
#[test]
#[ignore = "half a minute in release"]
fn boundary_tables_spend_what_they_say() {
    const PATHS: usize = 400_000;
    let long = Design { processes_per_side: 4, looks: 32 };
    for (design, power) in [(Design::of(2), 1.5), (Design::of(4), 1.5), (long, 0.8)] {
        let (w, looks) = (design.processes_per_side, design.looks);
        for alpha in [0.10, 0.05, 0.01] {
            let critical: Vec<f64> =
                (1..=looks).map(|k| t_isf(design.p_level(k, alpha).unwrap() / 2.0, ((2 * w - 2) * k) as f64)).collect();
            let mut rng = Rng::new(w as u64 * 1000 + (alpha * 1e3) as u64);
            let mut crossed = vec![0usize; looks];
            for _ in 0..PATHS {
                let (mut d, mut squares) = (0.0, 0.0);
                for (k, limit) in critical.iter().enumerate() {
                    let t = next_t(&mut rng, w, k + 1, (&mut d, &mut squares));
                    if t.abs() > *limit {
                        crossed[k] += 1;
                        break;
                    }
                }
            }
            let mut spent = 0.0;
            for (k, count) in crossed.iter().enumerate() {
                spent += *count as f64 / PATHS as f64;
                let planned = alpha * ((k + 1) as f64 / looks as f64).powf(power);
                let error = (planned / PATHS as f64).sqrt();
                println!("W={w} alpha={alpha} look {}: spent {spent:.5}, planned {planned:.5}", k + 1);
                // 4.5 standard errors of this simulation and 1.5 % for the rounding of the table.
                assert!((spent - planned).abs() < 4.5 * error + 0.015 * planned, "W={w} alpha={alpha} look {}", k + 1);
            }
        }
    }
}
