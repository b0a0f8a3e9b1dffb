//! What was seen and gave no value is a failure with its name in every form: a file or a job that did not build.

use crate::support::{err, out, Place, SHORT};
use serde_json::Value;

/// A place with a program that builds.
fn place(name: &str) -> Place {
    let place = Place::with_stand_in(name);
    place.write("good.c", "#include <tare.h>\n//bench g/a 1\n");
    place
}

#[test]
fn a_program_that_was_not_built_is_in_every_form() {
    let place = place("not-built");
    place.write("bad.c", "#include <tare.h>\n#error broken\n");
    let forms = ["junit.xml", "json", "md", "html", "csv", "adoc", "prom"].map(|end| format!("r.{end}"));
    let outputs = forms.iter().flat_map(|file| ["-o", file]);
    let run = place.tare(["run", "good.c", "bad.c"].into_iter().chain(SHORT).chain(outputs));
    assert_eq!(run.status.code(), Some(101), "{}", err(&run));
    assert!(err(&run).ends_with("error: 1 program not built (`bad.c`)\n"), "{}", err(&run));
    for file in &forms {
        assert!(place.read(file).contains("bad.c"), "{file}");
    }
    let junit = place.read("r.junit.xml");
    assert!(junit.contains("tests=\"2\" failures=\"0\" errors=\"1\"") && junit.contains("name=\"bad.c\""), "{junit}");
    let report: Value = serde_json::from_str(&place.read("r.json")).expect("JSON");
    assert_eq!(report["report"]["not_built"][0]["program"], "bad.c");
    let csv = place.read("r.csv");
    let columns: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert!(csv.contains(",not-built,") && columns.iter().all(|n| *n == columns[0]), "{csv}");
    // What is stored says the same, also quietly.
    let shown = place.ends_with(0, ["show", "latest"]);
    assert_eq!(shown, out(&run));
    assert!(shown.contains("failures (1)\n  error: bad.c  could not be built"), "{shown}");
    assert!(shown.contains("\n1 case: 1 program not built (`bad.c`)\nnext: "), "{shown}");
    assert!(place.ends_with(0, ["show", "latest", "-q"]).contains("error: bad.c  could not be built"));
    // With a gate it is one test case all the same.
    let gated = place.tare(["show", "latest", "--fail-on", "slower", "-o", "g.junit.xml"]);
    assert_eq!(gated.status.code(), Some(11), "{}", err(&gated));
    assert_eq!(place.read("g.junit.xml").matches("bad.c\"").count(), 1, "{}", place.read("g.junit.xml"));
}

#[test]
fn a_job_that_was_not_built_has_its_name() {
    let place = place("job-not-built");
    let compiler = place.script("fails", "#!/bin/sh\necho 'no such flag' >&2\nexit 1\n");
    let broken = format!("broken: cc={compiler}");
    let jobs = ["--job", "plain: -O1", "--job", &broken, "-o", "r.junit.xml"];
    let run = place.tare(["run", "good.c"].into_iter().chain(jobs).chain(SHORT));
    assert_eq!(run.status.code(), Some(101), "{}", err(&run));
    assert!(out(&run).contains("error: good.c (job broken)  could not be built"), "{}", out(&run));
    assert!(err(&run).ends_with("error: 1 program not built (`good.c (job broken)`)\n"), "{}", err(&run));
    assert!(place.read("r.junit.xml").contains("<testcase classname=\"not built\" name=\"good.c (job broken)\""));
}

#[test]
fn languages_whose_tools_are_missing_share_one_line() {
    let place = Place::new("missing-tools");
    place.told("good", "bench g/a 1\n");
    let python = "import tare\n@tare.bench\ndef f(): pass\n";
    let files = [
        ("a.cs", "using Tare;\nclass C { [Benchmark] public void F() {} }\n"),
        ("b.mjs", "import { bench } from 'tare';\nbench('f', () => {});\n"),
        ("c.py", python),
        ("d.py", python),
        ("e.cpp", "#include <tare.h>\nTARE_BENCH(\"f\", [] {});\n"),
        ("f.rs", "#[tare::bench]\nfn f() {}\nfn main() { tare::main() }\n"),
    ];
    for (name, text) in files {
        place.write(name, text);
    }
    let list = |words: &[&str]| {
        let mut command = place.command(["list"].iter().chain(words));
        command.env("PATH", "/nowhere").env_remove("DOTNET_ROOT").env_remove("CXX").output().expect("tare runs")
    };
    let listed = list(&[]);
    let said = err(&listed);
    assert_eq!((listed.status.code(), out(&listed).as_str()), (Some(0), "g/a\n"), "{said}");
    let note = "note: not run here: C# (no `dotnet`), C++ (no `g++`), JavaScript (no `node`), Python (no `python3`), \
                Rust (no `cargo`)\n";
    assert!(said.contains(note) && said.matches("note: ").count() == 1, "{said}");
    // A compiler that the user chose is an error where it is missing.
    let listed = list(&["--cxx", "no-compiler"]);
    let (said, missing) = (err(&listed), "error: could not build `e.cpp`: `no-compiler` was not found on the PATH");
    assert_eq!(listed.status.code(), Some(96), "{said}");
    assert!(said.contains(missing) && !said.contains("C++ (no `g++`)"), "{said}");
}

#[test]
fn a_program_for_another_runtime_says_which() {
    let place = Place::new("another-runtime");
    let listed = "Microsoft.NETCore.App 10.0.12 [/d/shared/Microsoft.NETCore.App]";
    place.script("tools/dotnet", &format!("#!/bin/sh\n[ \"$1\" = --list-runtimes ] && echo '{listed}' || exit 150\n"));
    place.write("x.dll", "");
    let list = |version: &str| {
        let framework = format!("{{\"name\": \"Microsoft.NETCore.App\", \"version\": \"{version}\"}}");
        place.write("x.runtimeconfig.json", &format!("{{\"runtimeOptions\": {{\"framework\": {framework}}}}}"));
        let path = format!("{}:{}", place.join("tools").display(), std::env::var("PATH").unwrap_or_default());
        let mut command = place.command(["list", "x.dll"]);
        err(&command.env("PATH", path).env_remove("DOTNET_ROLL_FORWARD").output().expect("tare runs"))
    };
    for version in ["8.0.0", "10.0.13", "11.0.0-rc.1"] {
        let said = list(version);
        assert!(said.contains(&format!("it needs .NET {version}; installed: 10.0.12\n")), "{said}");
        assert!(said.contains("`--runtimes 10.0.12`"), "{said}");
    }
    assert!(list("10.0.0").contains("status 150"), "it was started");
}
