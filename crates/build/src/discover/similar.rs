use std::fs;
use std::path::{Component, Path, PathBuf};
use tare_model::text::{edit_distance, slips_in};

/// The path with its first wrong name corrected, if the result exists.
pub(crate) fn similar(path: &Path) -> Option<PathBuf> {
    let mut above = PathBuf::new();
    let mut parts = path.components();
    let wrong = loop {
        let part = parts.next()?;
        let below = above.join(part);
        match part {
            Component::Normal(name) if !below.exists() => break name.to_str()?.to_owned(),
            _ => above = below,
        }
    };
    let folder = if above.as_os_str().is_empty() { Path::new(".") } else { &above };
    let rest = parts.as_path();
    let names = fs::read_dir(folder).ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    // Hidden names are suggested only for hidden names.
    let is_shown = |name: &String| name.starts_with('.') == wrong.starts_with('.');
    let leads_on = |name: &String| rest.as_os_str().is_empty() || above.join(name).join(rest).exists();
    // Ignores the extension, which many files share.
    let limit = slips_in(Path::new(&wrong).file_stem()?.to_str()?);
    let far = |name: &String| edit_distance(&wrong.to_lowercase(), &name.to_lowercase());
    let near = names.filter(|name| *name != wrong && is_shown(name) && far(name) <= limit && leads_on(name));
    let name = near.min_by_key(|name| (far(name), name.clone()))?;
    Some(if rest.as_os_str().is_empty() { above.join(name) } else { above.join(name).join(rest) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::tests::help::Folder;

    #[test]
    fn a_slip_in_any_part_of_a_path_is_found() {
        let folder = Folder::new();
        folder.write("bench/parse.cpp", "");
        folder.write("bench/sort.cpp", "");
        folder.write("bench/.parse.cpp", "");
        let near = |path: &str| {
            similar(&folder.path.join(path)).map(|near| near.strip_prefix(&folder.path).unwrap().to_owned())
        };
        for wrong in ["bench/prase.cpp", "bench/Parse.cpp", "bench/parse.cp", "bnech/parse.cpp"] {
            assert_eq!(near(wrong).as_deref(), Some(Path::new("bench/parse.cpp")), "{wrong}");
        }
        assert_eq!(near("benhc").as_deref(), Some(Path::new("bench")));
        for other in ["bench/hash.cpp", "bnech/hash.cpp", "other", "bench"] {
            assert_eq!(near(other), None, "{other}");
        }
    }
}
