//! Benchmarks in a Python text.

use crate::discover::read_source;
use std::path::{Path, PathBuf};

pub(super) fn uses_tare(text: &str) -> bool {
    imports(text, "tare")
}

pub(super) fn is_child(text: &str) -> bool {
    text.contains("TARE_LINK") && !uses_tare(text)
}

pub(super) fn is_suite(path: &Path, text: &str) -> bool {
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_lowercase();
    let is_called_benchmark = name.starts_with("bench") || name.starts_with("bm_") || name.ends_with("_bench");
    let has_asv = || is_called_benchmark || below_asv(path);
    let code = code_lines(text).collect::<Vec<_>>().join("\n");
    // A call, not a definition.
    let makes = |line: &str| line.contains("Runner(") && !line.trim_end().ends_with(':');
    let has_pyperf = imports(text, "pyperf") && code.lines().any(makes);
    let has_tests = || has_fixture(&code, &fixtures(path, &code));
    has_pyperf || has_tests() || has_mark(&code) || has_timed(&code) && has_asv()
}

/// Stands for a fixture that each test has without naming it.
const OF_ALL_TESTS: &str = "autouse=True";

/// The fixtures that measure a test: those of pytest-benchmark, and fixtures that use them in turn, from the file and each `conftest.py`
/// above it.
fn fixtures(path: &Path, code: &str) -> Vec<String> {
    let mut names: Vec<String> = ["benchmark", "benchmark_weave", "codspeed_benchmark"].map(str::to_owned).to_vec();
    if !code.contains("def test") {
        return names;
    }
    let is_top = |folder: &&Path| !folder.join(".git").exists();
    let above: Vec<&Path> = path.ancestors().skip(1).collect();
    let count = above.iter().take_while(|folder| is_top(folder)).count() + 1;
    let read = |folder: &&Path| read_source(&folder.join("conftest.py")).ok();
    let others: Vec<String> = above.iter().take(count).filter_map(read).collect();
    for text in others.iter().rev().map(String::as_str).chain([code]) {
        for (mark, rest) in text.split("fixture").skip(1).filter_map(|rest| rest.split_once("def ")) {
            let has_one = arguments(rest).iter().any(|name| names.iter().any(|known| known == name));
            names.extend(rest.split('(').next().filter(|_| has_one).map(|name| name.trim().to_owned()));
            names.extend((has_one && mark.contains("autouse=True")).then(|| OF_ALL_TESTS.to_owned()));
        }
    }
    names
}

fn arguments(rest: &str) -> Vec<&str> {
    let inside = rest.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(inside, _)| inside);
    inside.split(',').filter_map(|argument| argument.split([':', '=']).next()).map(str::trim).collect()
}

/// Resolves `package.module` as `python -m` does: to a file or the folder of a package, in this folder or its `src`.
pub(super) fn of_module(folder: &Path, name: &str) -> Option<PathBuf> {
    let is_first = |c: char| c.is_alphabetic() || c == '_';
    let is_name = |part: &str| part.starts_with(is_first) && part.chars().all(|c| is_first(c) || c.is_ascii_digit());
    let module: PathBuf = name.split('.').all(is_name).then(|| name.split('.').collect())?;
    [folder.join(&module), folder.join("src").join(&module)].into_iter().find_map(|path| {
        let file = path.with_extension("py");
        let is_package = path.join("__init__.py").is_file();
        file.is_file().then_some(file).or_else(|| is_package.then_some(path))
    })
}

/// `import x`, `import x.y`, `import a, x`, `from x import y`, `from x.y import z`, at the beginning of a line or within a block.
fn imports(text: &str, module: &str) -> bool {
    let is_it = |name: &str| name.split_whitespace().next().and_then(|name| name.split('.').next()) == Some(module);
    code_lines(text).map(str::trim_start).any(|line| {
        line.strip_prefix("from ").is_some_and(is_it)
            || line.strip_prefix("import ").is_some_and(|names| names.split(',').any(is_it))
    })
}

/// The lines outside multi-line strings: an example in a docstring is not an import.
fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut quote: Option<&str> = None;
    text.lines().filter(move |line| {
        let is_inside = quote.is_some();
        let mut rest = *line;
        loop {
            let next = match quote {
                Some(open) => rest.find(open).map(|at| (at, open)),
                None => ["\"\"\"", "'''"].iter().filter_map(|open| Some((rest.find(open)?, *open))).min(),
            };
            let Some((at, found)) = next else { break };
            quote = if quote.is_some() { None } else { Some(found) };
            rest = &rest[at + found.len()..];
        }
        !is_inside
    })
}

/// Whether a test has one of these fixtures. With settings of pytest, tests may be named `bench_...` too.
fn has_fixture(text: &str, fixtures: &[String]) -> bool {
    let tests = text.split("def ").skip(1).filter(|rest| rest.starts_with("test") || rest.starts_with("bench"));
    let is_known = |name: &str| fixtures.iter().any(|known| known == name);
    is_known(OF_ALL_TESTS) || tests.flat_map(arguments).any(is_known)
}

/// A mark with which pytest-codspeed measures a whole test, or all tests of a class or file.
fn has_mark(text: &str) -> bool {
    let code = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let mut marks = code.flat_map(|line| line.split("mark.").skip(1));
    let is_one = |rest: &str| {
        let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
        ["benchmark", "codspeed_benchmark"].contains(&rest.split(|c| !is_of_name(c)).next().unwrap_or_default())
    };
    text.contains("def test") && marks.any(is_one)
}

fn has_timed(text: &str) -> bool {
    let is_it = |name: &str| ["time_", "timeraw_", "mem_", "peakmem_"].iter().any(|prefix| name.starts_with(prefix));
    text.lines().filter_map(|line| line.trim_start().strip_prefix("def ")).any(is_it)
}

/// Whether a folder above has the configuration of asv.
fn below_asv(path: &Path) -> bool {
    path.ancestors().skip(1).take(4).any(|folder| folder.join("asv.conf.json").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_found() {
        for text in ["import tare\n", "x = 1\nfrom tare import bench\n", "import os, tare\n", "    import tare as t\n"]
        {
            assert!(uses_tare(text), "{text}");
        }
        assert!(uses_tare("\"\"\"About it.\"\"\"\nimport tare\n") && uses_tare("x = '''\n\"\"\"'''\nimport tare\n"));
        assert!(!uses_tare("\"\"\"As here:\n\n    import tare\n\"\"\"\n") && !uses_tare("x = '''\nimport tare\n'''\n"));
        for text in ["import tarefile\n", "from .tare import x\n", "# import tare\n", "x = 'import tare'\n"] {
            assert!(!uses_tare(text), "{text}");
        }
    }

    #[test]
    fn modules_are_found_by_their_names() {
        let place = tempfile::tempdir().expect("a folder");
        let root = place.path();
        for file in ["speed/bench_sort.py", "src/pkg/__init__.py", "src/pkg/bench.py"] {
            std::fs::create_dir_all(root.join(file).parent().expect("a folder")).expect("made");
            std::fs::write(root.join(file), "").expect("written");
        }
        let of = |name: &str| of_module(root, name);
        assert_eq!(of("speed.bench_sort"), Some(root.join("speed/bench_sort.py")));
        assert_eq!(of("pkg.bench"), Some(root.join("src/pkg/bench.py")));
        assert_eq!(of("pkg"), Some(root.join("src/pkg")));
        for none in ["speed", "speed.other", "..speed", "speed/bench_sort", "bench_sort.py", "8.bench"] {
            assert_eq!(of(none), None, "{none}");
        }
    }

    #[test]
    fn suites_of_others_are_found() {
        let of = |name: &str, text: &str| is_suite(Path::new(name), text);
        let fixture =
            "@pytest.mark.benchmark\ndef test_sort(tmp_path,\n        benchmark: Any):\n    benchmark(sorted, [])\n";
        assert!(of("/x/test_sort.py", fixture) && !of("/x/test_sort.py", "def test_benchmark():\n    pass\n"));
        assert!(!of("/x/test_sort.py", "def test_a(benchmarks): pass\n"));
        assert!(of("/x/speed.py", "class S:\n    def bench_sort(self, benchmark): pass\n"));
        let pyperf = "import pyperf\nrunner = pyperf.Runner()\n";
        for name in ["bm_bench.py", "bm_nbody/run_benchmark.py", "benchmarks/contains.py", "tools/speed.py"] {
            assert!(of(&format!("/x/{name}"), pyperf), "{name}");
        }
        assert!(!of("/x/a.py", "import pyperf\nclass Runner(pyperf.Runner):\n    pass\n"), "a library of somebody's");
        assert!(!of("/x/a.py", "\"\"\"import pyperf\nrunner = pyperf.Runner()\n\"\"\"\n"), "an example");
        let test = "\ndef test_sum():\n    assert sum([]) == 0\n";
        for mark in [
            "@pytest.mark.benchmark",
            "@pytest.mark.benchmark(group='g')",
            "@mark.codspeed_benchmark",
            "pytestmark = pytest.mark.benchmark()",
            "pytestmark = [pytest.mark.slow, pytest.mark.benchmark]",
            "@pytest.mark.benchmark\nclass TestSum:",
        ] {
            assert!(of("/x/test_sum.py", &format!("{mark}{test}")), "{mark}");
        }
        for other in ["@pytest.mark.benchmarks", "# @pytest.mark.benchmark", "@pytest.mark.slow"] {
            assert!(!of("/x/test_sum.py", &format!("{other}{test}")), "{other}");
        }
        let asv = "class Suite:\n    def time_keys(self):\n        pass\n";
        assert!(of("/x/benchmarks.py", asv) && !of("/x/clock.py", asv));
        let child = "#!/usr/bin/env python3\nlink = os.environ['TARE_LINK']\n";
        assert!(is_child(child) && !is_child("import tare\nx = 'TARE_LINK'\n"));
    }

    #[test]
    fn tests_are_found_by_fixtures_that_have_the_fixture() {
        let folder = crate::toolchain::tests::help::Folder::new();
        folder.write("a/.git/HEAD", "");
        folder.write("a/conftest.py", "@pytest.fixture()\ndef timed(benchmark: object):\n    return benchmark\n");
        folder.write("a/b/conftest.py", "@pytest.fixture\ndef twice(timed): pass\n@pytest.fixture\ndef data(): pass\n");
        let is = |path: &str, text: &str| is_suite(&folder.path.join(path), text);
        assert!(is("a/b/test_x.py", "def test_x(data, twice): twice(len, data)\n"));
        assert!(is("a/test_x.py", "def test_x(timed): pass\n") && !is("a/test_x.py", "def test_x(twice): pass\n"));
        assert!(is("test_x.py", "@fixture\ndef own(benchmark): pass\ndef test_x(own): pass\n"));
        assert!(!is("a/b/test_x.py", "def test_x(data): pass\ndef helper(timed): pass\n"));
        let class = "class A(TestCase):\n  @fixture(autouse=True)\n  def own(self, benchmark): pass\n  def test_x(self): pass\n";
        assert!(is("test_x.py", class) && !is("test_x.py", &class.replace("True", "False")));
    }
}
