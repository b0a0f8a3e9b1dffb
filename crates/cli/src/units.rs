//! Durations, shares and sizes as typed, with errors that suggest a correction.

use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;
use tare_engine::{Budget, Precision};
use tare_model::text::Unclosed;
use tare_model::{DiagnosisPlan, Policy};

/// Seconds of a duration with its unit: `10s`, `1.5 min`, `250ms`. A bare number is refused, since its unit is unknown.
pub fn duration_s(text: &str) -> Result<f64, String> {
    let (number, unit) = split(text, "a duration is a positive number and a unit, such as `10s` or `500ms`")?;
    let seconds = match unit {
        "ms" => number / 1e3,
        "s" | "sec" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        "" if number > 0.0 => return Err(format!("a duration needs a unit: `{text}s` or `{text}min`")),
        "" => return Err("a duration needs a unit and must be greater than 0: `10s` or `500ms`".to_owned()),
        other => return Err(format!("`{other}` is not a unit of time: use ms, s, min or h")),
    };
    positive(seconds, "a duration must be greater than 0")
}

/// `2min` in total, or `5s/case`; `none` for no limit.
pub fn budget(text: &str) -> Result<Budget, String> {
    match text.split_once('/') {
        None if text.trim() == "none" => Ok(Budget::Unlimited),
        None => duration_s(text).map(Budget::Total),
        Some((each, of)) if of.trim() == "case" => duration_s(each).map(Budget::PerCase),
        Some((each, _)) => Err(format!("a budget is a time, such as 2min, or a time per case: `{each}/case`")),
    }
}

pub fn timeout_s(text: &str) -> Result<f64, String> {
    up_to(Policy::TIMEOUT_MAX_S, duration_s(text)?)
}

/// Like `duration_s`, but a number without a unit is in seconds.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(_) => timeout_s(&format!("{text}s")),
        Err(_) => timeout_s(text),
    }
}

pub fn watch_s(text: &str) -> Result<f64, String> {
    up_to(DiagnosisPlan::WATCH_MAX_S, duration_s(text)?)
}

pub fn visit_ns(text: &str) -> Result<f64, String> {
    Ok(up_to(Policy::TIME_MAX_NS / 1e9, duration_s(text)?)? * 1e9)
}

/// Refuses values above a limit: a run with them could not be read again.
fn up_to(most_s: f64, seconds: f64) -> Result<f64, String> {
    match seconds <= most_s {
        true => Ok(seconds),
        false => Err(format!("this duration is at most {most_s} s")),
    }
}

/// A percentage as a share: `0.5%` is 0.005. A bare number is refused, since it could be either.
pub fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = split(text, "a percentage is a positive number and a percent sign, such as `0.5%`")?;
    match unit {
        "%" => {}
        "" if number > 0.0 && number < 100.0 => return Err(format!("a percentage needs a percent sign: `{text}%`")),
        "" => return Err("a percentage needs a percent sign and is between 0 % and 100 %: `0.5%`".to_owned()),
        other => return Err(format!("a percentage ends with `%`, not with `{other}`")),
    }
    if number >= 100.0 {
        return Err("a percentage must be less than 100 %".to_owned());
    }
    positive(number / 100.0, "a percentage must be greater than 0 %")
}

/// `0.5%` of a time, or a time: `20us`.
pub fn precision(text: &str) -> Result<Precision, String> {
    match split(text, "it must be a percentage or a time, such as `0.5%` or `20us`")?.1 {
        "" | "%" => share(text).map(Precision::Share),
        _ => positive(time_ns(text)?, "a time must be greater than 0").map(Precision::Ns),
    }
}

/// ns of a time with its unit: `0.3ns`, `2 us`.
pub fn time_ns(text: &str) -> Result<f64, String> {
    tare_analysis::gate::Limit::time_of(text).map_err(|error| error.to_string())
}

pub fn whole<T, R>(range: R) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display,
    R: RangeBounds<T> + Clone,
{
    move |text| match (text.trim().parse(), range.start_bound(), range.end_bound()) {
        (Ok(number), ..) if range.contains(&number) => Ok(number),
        (_, Bound::Included(least), Bound::Included(most)) => {
            Err(format!("it must be a whole number from {least} to {most}"))
        }
        (_, Bound::Included(least), _) => Err(format!("it must be a whole number, {least} or more")),
        _ => Err("it must be a whole number".to_owned()),
    }
}

/// A number of code layouts.
pub fn layouts(text: &str) -> Result<u32, String> {
    whole(1..=64)(text)
}

/// A seed: decimal or, after `0x`, hexadecimal.
pub fn seed(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| "a seed is a whole number from 0 to 18446744073709551615".to_owned())
}

/// A number and its unit; `otherwise` is the expected format.
fn split<'a>(text: &'a str, otherwise: &str) -> Result<(f64, &'a str), String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text[..end].parse().map_err(|_| otherwise.to_owned())?;
    Ok((number, text[end..].trim()))
}

/// A number of bytes: `2GB`, `512 MiB`.
pub fn bytes(text: &str) -> Result<u64, String> {
    const OTHERWISE: &str = "write a number with kB, MB, GB, KiB, MiB or GiB";
    let (number, unit) = split(text, OTHERWISE)?;
    let factor = match unit.to_ascii_lowercase().as_str() {
        "b" => 1.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(OTHERWISE.to_owned()),
    };
    positive(number * factor, OTHERWISE).map(|bytes| bytes as u64)
}

fn positive(value: f64, otherwise: &str) -> Result<f64, String> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(otherwise.to_owned())
    }
}

/// Splits compiler flags as a shell does.
pub fn words(text: &str) -> Result<Vec<String>, String> {
    tare_model::text::split_words(text).map_err(|Unclosed(quote)| format!("missing closing quote {quote}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_is_one_of_its_range() {
        assert_eq!(whole(1..=64)("64"), Ok(64));
        assert_eq!(whole(0_usize..)("0"), Ok(0));
        for text in ["0", "65", "-3", "1.5", "many", "", "99999999999999999999"] {
            assert_eq!(whole(1..=64)(text), Err("it must be a whole number from 1 to 64".to_owned()), "{text}");
        }
        assert_eq!(whole(1_u64..)("0"), Err("it must be a whole number, 1 or more".to_owned()));
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!((bytes("2GB"), bytes("512 MiB")), (Ok(2_000_000_000), Ok(512 << 20)));
        for bad in ["", "2", "GB", "0GB", "2 parsecs"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn durations_have_units() {
        assert_eq!(duration_s("10s"), Ok(10.0));
        assert_eq!(duration_s("1.5 min"), Ok(90.0));
        assert_eq!(duration_s("250ms"), Ok(0.25));
        assert_eq!(seconds("7"), Ok(7.0));
        assert!(duration_s("10").unwrap_err().contains("`10s`"));
        assert!(duration_s("10 parsecs").unwrap_err().contains("parsecs"));
        for bad in ["", "s", "0s", "-1s", "1e400s", "nan"] {
            assert!(duration_s(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn no_duration_is_longer_than_a_run_can_be_read_with() {
        assert_eq!(
            (timeout_s("100000000s"), seconds("5"), watch_s("1h"), visit_ns("10000s")),
            (Ok(1e8), Ok(5.0), Ok(3600.0), Ok(1e13))
        );
        for longer in [timeout_s("100000h"), seconds("100000001"), watch_s("61min"), visit_ns("20000s")] {
            assert!(longer.is_err_and(|error| error.starts_with("this duration is at most ")));
        }
    }

    /// Suggestions in error messages are accepted themselves.
    #[test]
    fn values_that_errors_propose_are_accepted() {
        for text in ["nonsense", "5", "0", "", "min"] {
            let error = budget(text).expect_err(text);
            let proposed = error.split('`').nth(1).unwrap_or_default();
            assert!(budget(proposed).is_ok(), "{text}: {error}");
        }
        for text in ["nonsense", "5", "0", "100", ""] {
            for error in [share(text).expect_err(text), precision(text).expect_err(text)] {
                let proposed = error.split('`').nth(1).unwrap_or_default();
                assert!(precision(proposed).is_ok(), "{text}: {error}");
            }
        }
    }

    #[test]
    fn budgets_are_of_all_or_of_each_case() {
        assert_eq!(budget("2min"), Ok(Budget::Total(120.0)));
        assert_eq!(budget("5s/case"), Ok(Budget::PerCase(5.0)));
        assert_eq!(budget("none"), Ok(Budget::Unlimited));
        assert!(budget("5s/benchmark").unwrap_err().contains("`5s/case`"));
        for bad in ["5", "5/case", "/case", "0s/case"] {
            assert!(budget(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn shares_have_percent_signs() {
        assert_eq!(share("0.5%"), Ok(0.005));
        assert_eq!(share("1 %"), Ok(0.01));
        for bad in ["1", "0%", "100%", "-1%", "one"] {
            assert!(share(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_precision_is_a_share_or_a_time() {
        assert_eq!(precision("0.5%"), Ok(Precision::Share(0.005)));
        assert_eq!(precision("20us"), Ok(Precision::Ns(20_000.0)));
        assert!(precision("0.5").unwrap_err().contains("`0.5%`"));
        assert!(precision("5 parsecs").is_err() && precision("0ns").is_err());
    }

    #[test]
    fn seeds_are_decimal_or_hexadecimal() {
        assert_eq!((seed("7"), seed("0xff")), (Ok(7), Ok(255)));
        assert!(seed("-1").is_err());
    }

    #[test]
    fn flags_are_words() {
        assert_eq!(words("-O3  -DX='a b' \"\""), Ok(vec!["-O3".into(), "-DX=a b".into(), String::new()]));
        assert!(words("'open").is_err());
    }
}
