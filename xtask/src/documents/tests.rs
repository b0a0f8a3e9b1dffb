use super::*;

const PAGE: &str = "\
# Title
```cpp a.cpp
int main() {}
```
```console
$ echo 1; echo 'time 12.3 ns ▁█'
1
...
time 4.567 µs █
$ exit 3
(exit 0 or 3)
```
```console no-run: needs a network
$ curl example.org
```
```rust
fn main() {}
```
";

#[test]
fn a_page_is_taken_apart() {
    let found = blocks(PAGE).expect("blocks");
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(found[0], Block::File { path: "a.cpp".into(), text: "int main() {}\n".into() });
    let Block::Console(steps) = &found[1] else { panic!("{found:?}") };
    assert_eq!((steps[0].line, &steps[0].exits[..], &steps[1].exits[..]), (6, &[0][..], &[0, 3][..]));
    assert_eq!(found[2], Block::NotRun("needs a network".into()));
    assert!(blocks("```console no-run\n$ x\n```\n").is_err());
    assert!(blocks("```console\nx\n```\n").is_err());
    assert!(blocks("```console no-run: see `x`\n$ x\n```\n").is_err());
}

#[test]
fn steps_are_run_and_compared_loosely() {
    let Block::Console(steps) = &blocks(PAGE).expect("blocks")[1] else { panic!() };
    let here = std::env::temp_dir();
    assert_eq!(one_step(&steps[0], &here, &here), Ok(()));
    assert_eq!(one_step(&steps[1], &here, &here), Ok(()));
    let wrong = Step { output: vec!["time of day".into()], ..steps[0].clone() };
    assert!(one_step(&wrong, &here, &here).unwrap_err().contains("time of day"));
    let failed = Step { exits: vec![0, 11], ..steps[1].clone() };
    assert!(one_step(&failed, &here, &here).unwrap_err().contains("exit status: 3"));
}

#[test]
fn little_is_measured() {
    let short = |command: &str| shortened(command);
    assert_eq!(short("tare run a.cpp --quick"), "tare run a.cpp --quick --launches 2 --rounds 5");
    assert_eq!(short("tare run -- python3 a.py"), "tare run --launches 2 --rounds 5 -- python3 a.py");
    assert_eq!(short("tare time 'sh a.sh' --quick"), "tare time 'sh a.sh' --runs 4");
    assert_eq!(short("tare show latest -v"), "tare show latest -v");
}

#[test]
fn lines_are_in_order() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(missing(&lines("a 1\nb 2"), "x\na 7\ny\nb 0.5"), None);
    assert_eq!(missing(&lines("b 2\na 1"), "a 7\nb 0.5"), Some("a 1"));
    assert_eq!(loose("|  9.344 ns |  1.000 | `x`"), loose("| 12 µs | 1,000 | `x`"));
    assert_ne!(loose("faster"), loose("slower"));
    // The name in a row counts; measurements and verdicts do not.
    assert_eq!(loose("  stoi  9.41 ns  0.502 faster"), loose("  stoi  < 12 ns  unclear"));
    assert_ne!(loose("  stoi  9.41 ns"), loose("  strtol  9.41 ns"));
}

#[test]
fn links_are_found() {
    let text = "[a](docs/a.md), [b](b.md#place \"title\")\n[c](https://example.org) [d](#here) [](const int& n) {}";
    assert_eq!(links(text).collect::<Vec<_>>(), ["docs/a.md", "b.md"]);
}
