//! Conditions that fail a gate: `slower`, `slower:3%`, `faster`, `unclear`, `counts`, `limit`, `different`, and in a history `creep`.

use std::fmt;
use std::str::FromStr;

/// One word of `--fail-on`. The share is the smallest change that counts; without one every verdict counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    Slower {
        from: Option<f64>,
    },
    /// A benchmark is faster: then the baseline is out of date, or some work was lost.
    Faster {
        from: Option<f64>,
    },
    Unclear {
        /// Only comparisons whose interval reaches beyond this change.
        from: Option<f64>,
    },
    Counts {
        from: Option<f64>,
    },
    Limit,
    Different,
    /// In a history: a benchmark becomes slower gradually.
    Creep {
        from: Option<f64>,
    },
}

impl Rule {
    /// Whether it judges comparisons.
    pub(super) fn is_about_ratios(&self) -> bool {
        matches!(self, Rule::Slower { .. } | Rule::Faster { .. } | Rule::Unclear { .. } | Rule::Counts { .. })
    }

    pub fn from(&self) -> Option<f64> {
        match self {
            Rule::Slower { from } | Rule::Faster { from } | Rule::Unclear { from } | Rule::Creep { from } => *from,
            Rule::Counts { from } => *from,
            Rule::Limit | Rule::Different => None,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            Rule::Slower { .. } => "slower",
            Rule::Faster { .. } => "faster",
            Rule::Unclear { .. } => "unclear",
            Rule::Counts { .. } => "counts",
            Rule::Limit => "limit",
            Rule::Different => "different",
            Rule::Creep { .. } => "creep",
        };
        match self.from() {
            // A share has few digits; binary rounding errors are removed.
            Some(from) => write!(f, "{word}:{}%", (from * 1e8).round() / 1e6),
            None => f.write_str(word),
        }
    }
}

impl FromStr for Rule {
    type Err = String;

    fn from_str(text: &str) -> Result<Rule, String> {
        let (word, from) = match text.trim().split_once(':') {
            None => (text.trim(), None),
            Some((word, share)) => (word.trim(), Some(share_of(share)?)),
        };
        match (word, from) {
            ("slower", from) => Ok(Rule::Slower { from }),
            ("faster", from) => Ok(Rule::Faster { from }),
            ("unclear", from) => Ok(Rule::Unclear { from }),
            ("counts" | "count", from) => Ok(Rule::Counts { from }),
            ("limit" | "limits", None) => Ok(Rule::Limit),
            ("different", None) => Ok(Rule::Different),
            ("creep", from) => Ok(Rule::Creep { from }),
            _ => {
                Err("use `slower`, `slower:3%`, `faster`, `unclear`, `counts`, `limit` or `different`, and for a history `creep`"
                    .to_owned())
            }
        }
    }
}

fn share_of(text: &str) -> Result<f64, String> {
    let number =
        text.trim().strip_suffix('%').ok_or_else(|| format!("a share needs a percent sign: `{}%`", text.trim()))?;
    let share = number.trim().parse::<f64>().map_err(|_| format!("`{number}` is not a number"))? / 100.0;
    if share > 0.0 && share.is_finite() {
        Ok(share)
    } else {
        Err("a share must be greater than 0 %".to_owned())
    }
}
