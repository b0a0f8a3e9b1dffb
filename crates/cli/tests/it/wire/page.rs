//! The page in a browser: it opens without a message, sorts, filters and opens rows, and names of others do nothing in it.

use crate::support::{have, json, reference, skip, Place, ROOT, SHORT};
use serde_json::Value;
use std::process::Command;

/// What a reader does, with what is seen; each step waits for nothing, since the page works at once.
const READ: &str = r#"
const all = (selector) => [...document.querySelectorAll(selector)];
const rows = () => all("table.cases tbody tr:not(.group,.open)").filter((row) => row.offsetHeight > 0);
const button = all(".cases thead [role=button]").find((button) => button.textContent.startsWith("time"));
const times = () => rows().slice(0, 3).map((row) => Number(row.cells[button.parentNode.cellIndex].dataset.v));
const seen = { rows: rows().length, scripts: all("script").length, hacked: window.hacked ?? null };
const input = document.querySelector(".tools input");
const type = (text) => { input.value = text; input.dispatchEvent(new Event("input")); };
type(rows()[0].cells[0].textContent.split(" ")[0]); seen.filtered = rows().length; seen.said = document.querySelector(".tools output").textContent;
type("no such name"); seen.none = rows().length; type("");
button.click(); const up = times(); button.click(); const down = times(); button.click();
seen.sorted = [up, down].map((values) => values.map((v, at) => at === 0 ? 0 : Math.sign(v - values[at - 1])));
seen.direction = button.parentNode.getAttribute("aria-sort");
const link = all("table.cases a[data-case]")[0];
link.click(); seen.open = link.getAttribute("aria-expanded"); seen.charts = all(".open svg.chart").filter((chart) => chart.getBoundingClientRect().height > 50).length;
seen.address = location.hash === link.hash; seen.copied = all(".open .command + .copy").length;
link.click(); seen.closed = link.getAttribute("aria-expanded"); seen.left = all(".open").length;
const before = rows()[0].cells.length; all(".menu input")[0].click();
seen.hidden = rows()[0].cells[1].offsetHeight === 0;
document.querySelector(".theme").click(); seen.theme = document.documentElement.dataset.theme;
return seen;
"#;

/// A browser, where this machine has one.
pub fn browser() -> Option<&'static str> {
    let browser = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| have(name));
    let browser = browser.filter(|_| have("python3"));
    if browser.is_none() {
        skip("the page is opened in a browser", "no chromium (Debian: apt-get install chromium), or no python3");
    }
    browser
}

/// What a script gives in a page, or in windows of several widths.
pub fn seen(browser: &str, place: &Place, page: &str, script: &str, widths: &[&str]) -> Value {
    let program = format!("{ROOT}/crates/cli/tests/it/wire/browser.py");
    let words = [program.into(), browser.into(), place.join("profile"), place.join(page), script.into()];
    let output = Command::new("python3").arg("-B").args(words).args(widths).output().expect("python3 runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let mut found = json(&text);
    assert_eq!(found["said"], serde_json::json!([]), "no message and no request");
    found["result"].take()
}

/// Where the cells of a large table are, before and after all its columns are shown; on a phone what stands before a number, and the order.
const LOOK: &str = r#"
const all = (selector) => [...document.querySelectorAll(selector)];
const rows = all("table.cases tbody tr:not(.group)").slice(0, 50);
const lines = Math.max(...rows.map((row) => row.offsetHeight));
const lefts = new Set(rows.map((row) => Math.round(row.cells[3].getBoundingClientRect().left)));
const over = document.documentElement.scrollWidth - innerWidth;
const label = getComputedStyle(rows[0].cells[2], "::before").content;
const choice = document.querySelector(".sort");
const isOffered = choice.offsetHeight > 0;
choice.value = [...choice.options].find((option) => option.textContent.startsWith("new") && option.textContent.endsWith("↓")).value;
choice.dispatchEvent(new Event("change"));
const values = [...document.querySelector("table.cases tbody").rows].filter((row) => !row.matches(".group")).map((row) => Number(row.cells[3].dataset.v));
all(".menu input").forEach((box) => { if (!box.checked) box.click(); });
const scroll = document.querySelector(".scroll");
scroll.scrollLeft = 60;
const name = rows[0].cells[0].getBoundingClientRect().left - scroll.getBoundingClientRect().left;
return { lines, lefts: lefts.size, over, label, isOffered, sorted: values.every((v, at) => at === 0 || v <= values[at - 1]),
  overAll: document.documentElement.scrollWidth - innerWidth, name, isOver: scroll.matches(".over") };
"#;

#[test]
fn a_large_page_fits_every_screen() {
    let Some(browser) = browser() else { return };
    let place = Place::new("page-large");
    let row = |at: usize, factor: f64| {
        let (time, name) = (factor * (20 + at % 7 * 1000) as f64, format!("BM_some/{at}"));
        serde_json::json!({ "name": name, "run_name": name, "run_type": "iteration", "repetitions": 1, "threads": 1,
            "iterations": 100, "real_time": time, "cpu_time": time, "time_unit": "ns" })
    };
    for (file, factor) in [("a.json", 1.0), ("b.json", 1.3)] {
        let rows: Vec<Value> = (0..420).map(|at| row(at, factor)).collect();
        let context = serde_json::json!({ "date": "2026-05-01T09:00:00+00:00", "host_name": "h", "num_cpus": 4 });
        place.write(file, &serde_json::json!({ "context": context, "benchmarks": rows }).to_string());
    }
    place.tare(["compare", "a.json", "b.json", "-o", "large.html"]);
    let found = seen(browser, &place, "large.html", LOOK, &["400", "700", "1000", "1400"]);
    for (at, width) in [400, 700, 1000, 1400].into_iter().enumerate() {
        let look = &found[at];
        let is_phone = width == 400;
        assert!(look["over"].as_i64() <= Some(0) && look["overAll"].as_i64() <= Some(0), "{width}: {look}");
        assert_eq!(
            (look["isOffered"].as_bool(), look["sorted"].as_bool()),
            (Some(is_phone), Some(true)),
            "{width}: {look}"
        );
        if is_phone {
            assert_eq!(look["label"].as_str(), Some("\"base\""), "{look}");
            continue;
        }
        // A name may take two lines, a number none; all rows have the same columns.
        assert!(look["lines"].as_i64() <= Some(56) && look["lefts"].as_i64() == Some(1), "{width}: {look}");
        let is_kept = look["name"].as_f64().is_some_and(|left| left.abs() <= 1.0);
        assert!(is_kept, "names stay where the table is scrolled: {width}: {look}");
    }
}

#[test]
fn a_page_works_in_a_browser() {
    let Some(browser) = browser() else { return };
    let place = Place::new("page");
    place.ends_with(0, ["run", reference()].iter().chain(&SHORT));
    hostile(&place);
    place.ends_with(0, ["show", "hostile.json", "-o", "page.html"]);
    let seen = &seen(browser, &place, "page.html", READ, &[]);
    let number = |name: &str| seen[name].as_u64().unwrap_or(u64::MAX);
    assert_eq!((number("scripts"), &seen["hacked"]), (1, &Value::Null), "names run nothing: {seen}");
    assert!(number("rows") > 3 && (1..number("rows")).contains(&number("filtered")) && number("none") == 0, "{seen}");
    assert!(seen["said"].as_str().is_some_and(|text| text.contains("filters hide the others")), "{seen}");
    let signs =
        |at: usize| seen["sorted"][at].as_array().map(|s| s.iter().filter_map(Value::as_i64).collect::<Vec<_>>());
    assert!(signs(0).is_some_and(|s| !s.contains(&-1)) && signs(1).is_some_and(|s| !s.contains(&1)), "{seen}");
    assert_eq!((seen["direction"].as_str(), seen["open"].as_str()), (Some("none"), Some("true")), "{seen}");
    assert!(number("charts") >= 2 && number("copied") >= 1 && seen["address"] == true, "{seen}");
    assert_eq!((seen["closed"].as_str(), number("left")), (Some("false"), 0), "{seen}");
    assert_eq!((&seen["hidden"], seen["theme"].as_str()), (&Value::Bool(true), Some("dark")), "{seen}");
}

#[test]
fn a_comparison_of_files_is_a_page_and_a_picture() {
    let place = Place::new("page-compare");
    place.ends_with(0, ["run", reference()].iter().chain(&SHORT));
    let mut run = place.run_json();
    place.write("a.json", &run.to_string());
    run["id"] = "0b5e55ed".into();
    place.write("b.json", &run.to_string());
    let words = ["compare", "a.json", "b.json", "-o", "c.html", "--plot", "c.svg", "-o", "c.strip.svg"];
    let screen = place.ends_with(0, words);
    let (page, picture) = (place.read("c.html"), place.read("c.svg"));
    let verdict = screen.split_whitespace().next().expect("a verdict");
    assert!(
        page.contains(&format!(">{verdict}</b>")) && page.contains("<code>b.json</code> against <code>a.json</code>")
    );
    assert!(page.contains("<svg class=\"dot t-") && picture.contains("<path class=\"mark t-"), "every row has its dot");
    assert!(place.read("c.strip.svg").contains("the single measurements are unknown"), "it says why it is empty");
    let refused = place.fails_with(2, ["show", "latest", "-o", "page.htm"]);
    assert!(refused.contains(".html"), "{refused}");
    // What could not be measured leaves no page of the day before.
    place.ends_with(2, ["run", "no-such-file", "-o", "c.html", "--plot", "c.png"]);
    assert!(place.read("c.html").contains("nothing was measured") && place.png_size("c.png")[1] > 100);
}

/// The run of a place with names that would be markup, in `hostile.json`.
fn hostile(place: &Place) {
    const NAMES: [&str; 3] =
        ["<img src=x onerror=hacked=1>", "</bdi><script>hacked=1</script>", "\u{202e}\"onclick=hacked=1 x='"];
    let mut run = place.run_json();
    for (at, case) in run["plan"]["cases"].as_array_mut().expect("cases").iter_mut().enumerate() {
        let name = case["benchmark"]["name"].as_str().unwrap_or_default().to_owned();
        case["benchmark"]["name"] = format!("{name} {}", NAMES[at % NAMES.len()]).into();
        case["benchmark"]["description"] = NAMES[(at + 1) % NAMES.len()].into();
    }
    place.write("hostile.json", &run.to_string());
}
