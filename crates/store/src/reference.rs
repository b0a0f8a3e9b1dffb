//! A user's reference to a run.

use crate::StoreError;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunRef {
    /// This many runs before the newest.
    Latest(usize),
    Prefix(String),
    Path(PathBuf),
}

impl FromStr for RunRef {
    type Err = StoreError;

    /// `latest`, `latest~2`, the start of an id, or a path (anything with a separator or ending in `.json`).
    fn from_str(text: &str) -> Result<RunRef, StoreError> {
        let bad = || StoreError::BadReference { asked: text.to_owned() };
        if let Some(rest) = text.strip_prefix("latest") {
            if rest.is_empty() {
                return Ok(RunRef::Latest(0));
            }
            if let Some(count) = rest.strip_prefix('~') {
                return count.parse().map(RunRef::Latest).map_err(|_| bad());
            }
        }
        if text.contains(std::path::is_separator) || text.ends_with(".json") || text == "." || text == ".." {
            return Ok(RunRef::Path(PathBuf::from(text)));
        }
        let is_id = !text.is_empty() && text.len() <= 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
        if is_id {
            Ok(RunRef::Prefix(text.to_ascii_lowercase()))
        } else {
            Err(bad())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_runs() {
        let parse = |text: &str| text.parse::<RunRef>().ok();
        assert_eq!(parse("latest"), Some(RunRef::Latest(0)));
        assert_eq!(parse("latest~2"), Some(RunRef::Latest(2)));
        assert_eq!(parse("7F3a"), Some(RunRef::Prefix("7f3a".into())));
        assert_eq!(parse("old/run.json"), Some(RunRef::Path("old/run.json".into())));
        assert_eq!(parse("run.json"), Some(RunRef::Path("run.json".into())));
        assert_eq!(parse("latest~x"), None);
        assert_eq!(parse("../x y"), Some(RunRef::Path("../x y".into())));
        assert_eq!(parse("zebra"), None);
        assert_eq!(parse(""), None);
    }
}
