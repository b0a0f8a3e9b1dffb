//! What `tare init javascript` and `tare init typescript` write.

use crate::languages::first::{Draft, First, Inside, Place};

const JAVASCRIPT: &str = include_str!("first/parse.bench.mjs");
const TYPESCRIPT: &str = include_str!("first/parse.bench.ts");
const PACKAGE: &str = include_str!("first/package.json.in");
const MANIFEST: &str = "package.json";
const OF_TYPES: &str = "tsconfig.json";
/// What compiles TypeScript, where Node does not.
const COMPILERS: [&str; 3] = ["esbuild", "@swc/core", "typescript"];
/// What `package.json` has for it.
const ESBUILD: &str = ",\n  \"devDependencies\": {\n    \"esbuild\": \"^0.25.0\"\n  }";
/// Where npm writes packages, which are not committed.
const IGNORED: &str = "node_modules";
const IGNORE: &str = ".gitignore";
/// A line that lets `npm run bench` measure.
const SCRIPT: &str = "\"scripts\": { \"bench\": \"tare run bench\" }\n";

pub(super) const FIRST: &[First] = &[
    First {
        words: &["javascript", "js", "node", "mjs"],
        title: "JavaScript",
        alone: Some(|place| Draft::new(place, &[("parse.bench.mjs", JAVASCRIPT)], "parse.bench.mjs")),
        project: Some(|place| {
            let files = [(MANIFEST, PACKAGE), ("bench/parse.bench.mjs", JAVASCRIPT)];
            Draft::new(place, &files, "bench").with("@more@", "")
        }),
        home: |place| home(place, false),
        inside: |place| inside(place, "bench/parse.bench.mjs", JAVASCRIPT),
    },
    First {
        words: &["typescript", "ts"],
        title: "TypeScript",
        // Node before 22.13 does not take types away: then a package does.
        alone: None,
        project: Some(|place| {
            let files = [(MANIFEST, PACKAGE), ("bench/parse.bench.ts", TYPESCRIPT)];
            let draft = Draft::new(place, &files, "bench").with("@more@", ESBUILD);
            installing(place, draft, "npm install")
        }),
        home: |place| home(place, true),
        inside: |place| inside(place, "bench/parse.bench.ts", TYPESCRIPT),
    },
];

/// A package is one of TypeScript if it says how that is compiled.
fn home(place: &Place, with_types: bool) -> Option<String> {
    (place.has(MANIFEST) && place.has(OF_TYPES) == with_types).then(|| MANIFEST.to_owned())
}

/// With a command that installs packages, which git is to ignore.
fn installing(place: &Place, mut draft: Draft, command: &str) -> Draft {
    let line = format!("{IGNORED}\n");
    if !is_ignored(place) {
        match place.has(IGNORE) {
            true => draft = draft.adding(IGNORE, &line),
            false => draft.files.push((IGNORE.to_owned(), line)),
        }
    }
    draft.after(command)
}

/// Whether git ignores the packages already, by a file of the folder or of one above it in the repository.
fn is_ignored(place: &Place) -> bool {
    let full = std::path::absolute(&place.folder).unwrap_or_else(|_| place.folder.clone());
    let top = full.ancestors().position(|folder| folder.join(".git").exists()).unwrap_or(0);
    full.ancestors().take(top + 1).any(|folder| {
        let text = std::fs::read_to_string(folder.join(IGNORE)).unwrap_or_default();
        text.lines().any(|line| line.trim().trim_matches('/').trim_start_matches("**/") == IGNORED)
    })
}

fn inside(place: &Place, file: &str, source: &str) -> Inside {
    if !place.has(MANIFEST) {
        return Inside::None;
    }
    let text = place.read(MANIFEST);
    let mut draft = Draft::new(place, &[(file, source)], "bench");
    if !text.contains("tare run") {
        draft = draft.adding(MANIFEST, SCRIPT);
    }
    let is_compiled = COMPILERS.iter().any(|name| text.contains(&format!("\"{name}\"")));
    if file.ends_with(".ts") && !is_compiled {
        draft = installing(place, draft, "npm install --save-dev esbuild");
    }
    Inside::Project(MANIFEST.to_owned(), draft)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn packages_that_npm_installs_are_ignored_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        fs::create_dir_all(&inner).expect("made");
        let place = Place::new(&inner);
        let files = |draft: &Draft| draft.files.iter().any(|(path, text)| path == IGNORE && text == "node_modules\n");
        let fresh = |place| installing(place, Draft::default(), "npm install");
        assert!(files(&fresh(&place)));
        // A file of the user is not changed.
        fs::write(inner.join(IGNORE), "*.log\n").expect("written");
        let draft = fresh(&place);
        assert_eq!((files(&draft), draft.additions), (false, vec![(IGNORE.to_owned(), "node_modules\n".to_owned())]));
        fs::write(inner.join(IGNORE), "/node_modules/\n").expect("written");
        assert_eq!(fresh(&place).additions, []);
        // A file above it counts within the repository alone.
        fs::remove_file(inner.join(IGNORE)).expect("removed");
        fs::write(folder.path().join(IGNORE), "node_modules\n").expect("written");
        assert!(files(&fresh(&place)));
        fs::create_dir(folder.path().join(".git")).expect("made");
        assert!(!files(&fresh(&place)));
    }
}
