//! Parts of a selection, for several machines.

use super::catalog::parameters_in_order;
use tare_model::Benchmark;

/// One of several parts of a selection. Every benchmark is in exactly one part, and benchmarks that are compared share one. The part
/// depends only on names, so it is the same on every machine and for both sides of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Its number, from 1.
    pub number: u32,
    pub of: u32,
}

impl Shard {
    pub(crate) fn holds(self, benchmark: &Benchmark) -> bool {
        let of_set = if benchmark.group.is_empty() { &benchmark.name } else { &benchmark.group };
        let parameters = parameters_in_order(&benchmark.parameters);
        // FNV-1a with a final mix: names that differ only in their last character must fall into different parts.
        let bytes = of_set.bytes().chain([0]).chain(parameters.bytes());
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
        let mixed = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        let mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        ((mixed >> 32) * u64::from(self.of)) >> 32 == u64::from(self.number) - 1
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
            _ => Err("a shard is its number, from 1, and the number of shards: `2/5`".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::catalog::tests::benchmark_at;
    use tare_model::Parameter;

    #[test]
    fn every_benchmark_is_in_one_shard_with_those_that_it_is_compared_with() {
        let of = |n: u32, group: &str, name: &str| Benchmark {
            parameters: vec![Parameter::new("n", n.to_string())],
            ..benchmark_at(n, group, name)
        };
        let names = [("sort", "std"), ("sort", "own"), ("", "alone")];
        let list: Vec<Benchmark> = (0..100).flat_map(|n| names.map(|(group, name)| of(n, group, name))).collect();
        for count in [1, 2, 5] {
            let sizes = (1..=count).map(|number| {
                let shard = Shard { number, of: count };
                let taken: Vec<&Benchmark> = list.iter().filter(|benchmark| shard.holds(benchmark)).collect();
                let named = |name: &str| taken.iter().filter(|b| b.name == name).map(|b| b.index).collect::<Vec<_>>();
                assert_eq!(named("std"), named("own"));
                taken.len()
            });
            let sizes: Vec<usize> = sizes.collect();
            assert_eq!(sizes.iter().sum::<usize>(), list.len(), "{sizes:?}");
            assert!(sizes.iter().all(|size| *size > list.len() / (2 * count as usize)), "{sizes:?}");
        }
    }

    #[test]
    fn a_shard_is_read_as_it_is_written() {
        assert_eq!("2/5".parse(), Ok(Shard { number: 2, of: 5 }));
        assert_eq!(Shard { number: 2, of: 5 }.to_string(), "2/5");
        assert!(["0/5", "6/5", "2", "a/b", "1/0"].iter().all(|text| text.parse::<Shard>().is_err()));
    }
}
