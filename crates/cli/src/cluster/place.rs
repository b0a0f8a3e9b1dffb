//! `slurm`, `slurm: --partition=x`, `kubernetes: image=x`: where to measure, as a user says it.

use super::kubernetes::Pod;
use std::fmt;
use std::str::FromStr;
use tare_model::text::{split_words, Unclosed};

/// Where the parts of a run are measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Nodes that Slurm gives; the options of `sbatch` that the user wants.
    Slurm(Vec<String>),
    /// Pods of a job of Kubernetes.
    Kubernetes(Pod),
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Place, String> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let words = split_words(rest).map_err(|Unclosed(quote)| format!("missing closing quote {quote}"))?;
        match name.trim() {
            "slurm" => options(words).map(Place::Slurm),
            "kubernetes" => Pod::of(&words).map(Place::Kubernetes),
            other => {
                Err(format!("`{other}` is not one of slurm, kubernetes; write 'slurm: --partition=x' to choose nodes"))
            }
        }
    }
}

/// What decides how jobs are cut, named and collected, which the user cannot set: the flag, short and long.
const OURS: [(&str, &str); 6] =
    [("-a", "--array"), ("-o", "--output"), ("-N", "--nodes"), ("-n", "--ntasks"), ("-D", "--chdir"), ("-W", "--wait")];

fn options(words: Vec<String>) -> Result<Vec<String>, String> {
    let is = |word: &str, (short, long): (&str, &str)| {
        let name = word.split('=').next().unwrap_or_default();
        name == long || (word.starts_with(short) && !word.starts_with("--"))
    };
    if let Some(first) = words.first().filter(|word| !word.starts_with('-')) {
        return Err(format!("`{first}` is not an option of `sbatch`: write 'slurm: --partition=x --time=30'"));
    }
    match words.iter().find_map(|word| OURS.into_iter().find(|ours| is(word, *ours))) {
        Some((_, long)) => Err(format!("`{long}` is set by `tare`: leave it out")),
        None => Ok(words),
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Slurm(_) => f.write_str("slurm"),
            Place::Kubernetes(_) => f.write_str("kubernetes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_options() {
        let slurm = |words: &[&str]| Ok(Place::Slurm(words.iter().map(|word| (*word).to_owned()).collect()));
        assert_eq!("slurm".parse(), slurm(&[]));
        assert_eq!(
            "slurm: --partition=x --comment 'two words'".parse(),
            slurm(&["--partition=x", "--comment", "two words"])
        );
        assert_eq!("kubernetes".parse(), Ok(Place::Kubernetes(Pod::default())));
    }

    #[test]
    fn what_is_not_a_place_says_why() {
        let refused = |text: &str| text.parse::<Place>().expect_err(text);
        assert!(refused("pbs").contains("slurm, kubernetes"));
        assert!(refused("slurm: x").contains("not an option of `sbatch`"));
        assert!(refused("slurm: 'x").contains("missing closing quote"));
        for word in ["-a 1-3", "--array=1-3", "-ofile", "--nodes=2", "-N2", "--wait"] {
            assert!(refused(&format!("slurm: {word}")).contains("is set by `tare`"), "{word}");
        }
        assert!(refused("kubernetes: images=x").contains("image="));
    }
}
