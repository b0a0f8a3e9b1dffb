use crate::languages::first::{Draft, First, Inside, NewProject};

const JAVASCRIPT: &str = include_str!("first/parse.bench.mjs");
const TYPESCRIPT: &str = include_str!("first/parse.bench.ts");
const PACKAGE: &str = include_str!("first/package.json.in");
const MANIFEST: &str = "package.json";
const OF_TYPES: &str = "tsconfig.json";
/// Compilers of TypeScript, for versions of Node that do not run it.
const COMPILERS: [&str; 3] = ["esbuild", "@swc/core", "typescript"];
const ESBUILD: &str = ",\n  \"devDependencies\": {\n    \"esbuild\": \"^0.25.0\"\n  }";
/// Makes `npm run bench` measure.
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
        // Node before 22.13 does not strip types, so a package must.
        alone: None,
        project: Some(|place| {
            let ignored = (".gitignore", "node_modules\n");
            let files = [(MANIFEST, PACKAGE), ("bench/parse.bench.ts", TYPESCRIPT), ignored];
            let files = if place.has(ignored.0) { &files[..2] } else { &files };
            Draft::new(place, files, "bench").with("@more@", ESBUILD).after("npm install")
        }),
        home: |place| home(place, true),
        inside: |place| inside(place, "bench/parse.bench.ts", TYPESCRIPT),
    },
];

/// A package is TypeScript if it has a configuration for it.
fn home(place: &NewProject, with_types: bool) -> Option<String> {
    (place.has(MANIFEST) && place.has(OF_TYPES) == with_types).then(|| MANIFEST.to_owned())
}

fn inside(place: &NewProject, file: &str, source: &str) -> Inside {
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
        draft = draft.after("npm install --save-dev esbuild");
    }
    Inside::Project(MANIFEST.to_owned(), draft)
}
