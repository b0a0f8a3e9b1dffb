//! Names that look like another.

use tare_model::text::{edit_distance, slips_in};

const COUNT: usize = 4;

/// The names nearest to `name`, best first; when none is near, the first of them.
pub(super) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let all: Vec<&str> = names.collect();
    let wanted = name.to_lowercase();
    let mut near: Vec<(usize, &str)> =
        all.iter().filter_map(|n| Some((rank(&wanted, &n.to_lowercase())?, *n))).collect();
    near.sort_by_key(|(rank, _)| *rank);
    let chosen: Vec<&str> = match near.is_empty() {
        true => all,
        false => near.into_iter().map(|(_, name)| name).collect(),
    };
    chosen.into_iter().take(COUNT).map(str::to_owned).collect()
}

pub(super) fn is_slip(wanted: &str, name: &str) -> bool {
    let wanted = wanted.to_lowercase();
    wanted.chars().count() > 2 && edit_distance(&wanted, &name.to_lowercase()) <= slips_in(&wanted)
}

/// How far a name is; None when it is another.
fn rank(wanted: &str, name: &str) -> Option<usize> {
    // `main` is meant by `origin/main`, and by `feature/x` its last part.
    let parts = [name, name.rsplit('/').next().unwrap_or(name)];
    let least = parts.into_iter().map(|part| edit_distance(wanted, part)).min().unwrap_or(usize::MAX);
    let is_near = least <= slips_in(wanted);
    let contains = wanted.len() >= 3 && (name.contains(wanted) || (name.len() >= 3 && wanted.contains(name)));
    (is_near || contains).then_some(if is_near { least } else { least.max(3) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_come_first() {
        let names = ["other", "origin/main", "main", "v1.0", "feature/parser"];
        assert_eq!(nearest("mian", names.into_iter()), ["origin/main", "main"]);
        assert_eq!(nearest("qqqq", names.into_iter()).len(), 4);
        assert_eq!(nearest("maim", names.into_iter()), ["origin/main", "main"]);
        assert_eq!(nearest("parser", names.into_iter()), ["feature/parser"]);
        assert_eq!(nearest("v1.0.0", names.into_iter())[0], "v1.0");
    }
}
