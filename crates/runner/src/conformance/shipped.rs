//! Tests with the conformance benchmarks, which every front end ships (`spec/protocol.md`, section 8) and whose results are known.

use super::examine::{calibrate, measure, tries, ITERATIONS};
use super::exchange::Exchange;
use super::player::{list, Player, MISSING};
use super::script::{Start, State};
use super::trouble::Trouble;
use crate::run_folder::RunFolder;
use tare_model::{Benchmark, SetUp, Strategy};
use tare_protocol::Reply;

pub(super) const GROUP: &str = "conformance";
/// Most benchmarks of the user whose digests are checked.
const DIGESTS_MAX: usize = 50;
/// Length of the text in a reply, in characters.
const TEXT_CHARS: usize = 200;
/// `cost-8` does eight times the work of `cost-1`. Half and double of that stand out from the noise.
const COST_RATIOS: std::ops::Range<f64> = 4.0..16.0;

/// Benchmarks and their texts; None returns nothing.
const TEXTS: [(&str, Option<&str>); 10] = [
    ("text-integer", Some("-42")),
    ("text-big", Some("18446744073709551615")),
    ("text-float", Some("0.1")),
    ("text-whole", Some("2")),
    ("text-exponent", Some("1e+21")),
    ("text-true", Some("true")),
    ("text-text", Some("\u{e4} \"\t")),
    ("text-list", Some("[1,2,3]")),
    ("text-texts", Some(r#"["a","\"\n"]"#)),
    ("text-nothing", None),
];

/// Finds `group/name`, with parameters in brackets if any.
pub(super) fn find<'a>(benchmarks: &'a [Benchmark], name: &str) -> Option<&'a Benchmark> {
    let is_named = |b: &&Benchmark| match b.parameters.is_empty() {
        true => b.full_name() == name,
        false => format!("{}[{}]", b.full_name(), b.parameter_text()) == name,
    };
    benchmarks.iter().filter(|benchmark| benchmark.invalid.is_none()).find(is_named)
}

/// Opens a benchmark; any other answer is outside the scene's subject.
pub(super) fn open(benchmark: &Benchmark, exchange: &mut Exchange) -> Result<(), Trouble> {
    match exchange.ask(&format!("open {} 0", benchmark.index))? {
        Reply::Opened { .. } => Ok(()),
        other => Err(Trouble::undecided(format!("`{}` is not opened: `{}`", benchmark.full_name(), other.kind()))),
    }
}

/// Digest and text of the open benchmark.
fn check(exchange: &mut Exchange) -> Result<(Option<String>, Option<String>), Trouble> {
    match exchange.ask("check")? {
        Reply::Checked { digest, text } => Ok((digest, text)),
        other => Err(Trouble::broken(format!("`check` is answered by `{}`", other.kind()))),
    }
}

/// Checks the text of `check` and its digest. Letters of steps that the benchmark lacks are left out.
pub(super) fn says(text: &str, opened: Option<&Benchmark>, exchange: &mut Exchange) -> Result<(), Trouble> {
    let has = |set_up| opened.is_some_and(|benchmark| benchmark.set_ups.contains(&set_up));
    let is_trace = text.starts_with('S');
    let expected: String = text
        .chars()
        .filter(|letter| match letter {
            'S' if is_trace => has(SetUp::Global),
            's' if is_trace => has(SetUp::Iteration),
            'c' if is_trace => has(SetUp::IterationCleanUp),
            'C' if is_trace => has(SetUp::GlobalCleanUp),
            _ => true,
        })
        .collect();
    let (digest, text) = check(exchange)?;
    if text.as_deref() != Some(&expected) {
        return Err(Trouble::broken(format!("the text is {}, not `{expected}`", shown(text.as_deref()))));
    }
    hash_of(&expected, digest.as_deref()).map_err(|reason| Trouble::broken_rule(21, reason))
}

fn shown(text: Option<&str>) -> String {
    text.map_or_else(|| "null".to_owned(), |text| format!("`{text}`"))
}

fn hash_of(text: &str, digest: Option<&str>) -> Result<(), String> {
    let expected = tare_protocol::digest(text);
    match digest {
        Some(digest) if digest == expected => Ok(()),
        digest => Err(format!("the digest of `{text}` is {}, not `{expected}`", shown(digest))),
    }
}

/// Operations per invocation of the benchmark `operations`.
const OPERATIONS: u64 = 12;

fn of_group<'a>(player: &'a Player<'_>, name: &str) -> Result<&'a Benchmark, Trouble> {
    let name = format!("{GROUP}/{name}");
    find(&player.benchmarks, &name).ok_or_else(|| Trouble::not_applicable(format!("{MISSING}{name}`")))
}

/// R25: operations known from the set-up.
pub(super) fn operations(player: &Player<'_>, exchange: &mut Exchange) -> Result<(), Trouble> {
    let index = of_group(player, "operations")?.index;
    match exchange.ask(&format!("open {index} 0"))? {
        Reply::Opened { work, .. } => match work.operations {
            Some(OPERATIONS) => Ok(()),
            Some(other) => Err(Trouble::broken(format!("`opened` says {other} operations, not {OPERATIONS}"))),
            None => Err(Trouble::broken("`opened` says no `operations`")),
        },
        other => Err(Trouble::undecided(format!("`open {index} 0` is answered by `{}`", other.kind()))),
    }
}

/// R25: operations of each iteration. The n-th iteration of an instance has n.
pub(super) fn iteration_operations(player: &Player<'_>, exchange: &mut Exchange) -> Result<(), Trouble> {
    open(of_group(player, "iteration-operations")?, exchange)?;
    let can = |capability: &str| player.facts.as_ref().is_some_and(|facts| facts.can(capability));
    // A lead-in counts as an iteration, an empty loop does not.
    let mut requests = vec![("workload 3 2 0", vec![1.0, 2.0, 3.0]), ("overhead 2 1 1", vec![])];
    requests.push(("workload 2 1 1", vec![5.0, 6.0]));
    if can("rolled") {
        requests.push(("rolled 1 1 0", vec![7.0]));
    } else {
        requests.push(("workload 1 1 0", vec![7.0]));
    }
    if can("windows") {
        requests.push(("workload 1 1 0 2", vec![8.0]));
    }
    if can("single") {
        requests.push(("single 1 1 0", vec![if can("windows") { 9.0 } else { 8.0 }]));
    }
    for (request, wanted) in requests {
        let request = format!("measure {request}");
        let Reply::Measured(columns) = exchange.ask(&request)? else {
            return Err(Trouble::undecided(format!("`{request}` is answered by no `measured`")));
        };
        if columns.operations != wanted {
            let reason = format!("`operations` of `{request}` is {:?}, not {wanted:?}", columns.operations);
            return Err(Trouble::broken(reason));
        }
    }
    Ok(())
}

/// R21 on any benchmarks: a complete `text` must have the given digest.
pub(super) fn digests(player: &Player<'_>, exchange: &mut Exchange) -> Result<(), Trouble> {
    let mut seen = 0;
    for index in player.usable.iter().take(DIGESTS_MAX) {
        if !matches!(exchange.ask(&format!("open {index} 0"))?, Reply::Opened { .. }) {
            continue;
        }
        if let Reply::Checked { digest, text } = exchange.ask("check")? {
            seen += usize::from(text.is_some());
            let text_and_digest = (text.as_deref(), digest.as_deref());
            consistent(text_and_digest).map_err(|why| Trouble::broken(format!("benchmark {index}: {why}")))?;
        }
        exchange.ask("close")?;
    }
    match seen {
        0 => Err(Trouble::not_applicable("no benchmark returns a value that has a text")),
        _ => Ok(()),
    }
}

fn consistent((text, digest): (Option<&str>, Option<&str>)) -> Result<(), String> {
    let Some(text) = text else {
        return match digest {
            Some(_) => Err("it has a digest but no text".to_owned()),
            None => Ok(()),
        };
    };
    match text.chars().count() {
        // Bytes that are not UTF-8 are hashed unchanged, but shown differently.
        _ if text.contains('\u{fffd}') => Ok(()),
        count if count > TEXT_CHARS => Err(format!("the text has {count} characters")),
        // It may have been truncated.
        TEXT_CHARS if digest.is_some() => Ok(()),
        _ => hash_of(text, digest),
    }
}

/// R21 on benchmarks with known texts.
pub(super) fn texts(player: &Player<'_>, exchange: &mut Exchange) -> Result<(), Trouble> {
    let mut seen = 0;
    for (name, expected) in TEXTS {
        let Some(benchmark) = find(&player.benchmarks, &format!("{GROUP}/{name}")) else { continue };
        open(benchmark, exchange)?;
        let (digest, text) = check(exchange)?;
        if text.as_deref() != expected {
            let reason = format!("the text of `{name}` is {}, not {}", shown(text.as_deref()), shown(expected));
            return Err(Trouble::broken(reason));
        }
        consistent((text.as_deref(), digest.as_deref())).map_err(Trouble::broken)?;
        exchange.ask("close")?;
        seen += 1;
    }
    match seen {
        0 => Err(Trouble::not_applicable(format!("{MISSING}{GROUP}/text-...`"))),
        _ => Ok(()),
    }
}

/// R21: the text is truncated, but the digest covers all of it.
pub(super) fn long_text(exchange: &mut Exchange) -> Result<(), Trouble> {
    let (digest, text) = check(exchange)?;
    let (whole, first) = ("\u{e4}".repeat(300), "\u{e4}".repeat(TEXT_CHARS));
    if text.as_deref() != Some(&first) {
        let characters = text.map_or(0, |text| text.chars().count());
        return Err(Trouble::broken(format!("the text is not the first {TEXT_CHARS} characters, but {characters}")));
    }
    hash_of(&whole, digest.as_deref()).map_err(Trouble::broken)
}

/// R16: a body of known cost.
pub(super) fn cost(player: &Player<'_>, exchange: &mut Exchange) -> Result<(), Trouble> {
    tries(|| {
        let mut of_one = |name: &str| {
            let benchmark = find(&player.benchmarks, &format!("{GROUP}/{name}"));
            let benchmark = benchmark.ok_or_else(|| Trouble::undecided(format!("there is no `{name}`")))?;
            open(benchmark, exchange)?;
            let (invocations, _) = calibrate(exchange, false)?;
            let (time, _) = measure(exchange, "workload", ITERATIONS, invocations, invocations)?;
            exchange.ask("close")?;
            Ok(time / invocations as f64)
        };
        let (one, eight) = (of_one("cost-1")?, of_one("cost-8")?);
        let ratio = eight / one;
        Ok((!COST_RATIOS.contains(&ratio)).then(|| {
            format!("eight times the work takes {eight:.1} ns instead of {one:.1} ns: {ratio:.2} times as long, not about 8")
        }))
    })
}

/// R22: the list and the opened benchmark follow the parameter values.
pub(super) fn parameters(exchange: &mut Exchange) -> Result<(), Trouble> {
    match exchange.ask("set n 12 34")? {
        Reply::Set { benchmarks: 0 } => {
            return Err(Trouble::broken("`set n 12 34` is reported to affect no benchmark"))
        }
        Reply::Set { .. } => {}
        other => return Err(Trouble::broken(format!("`set n 12 34` is answered by `{}`", other.kind()))),
    }
    let benchmarks = list(exchange)?;
    let of_group: Vec<&Benchmark> =
        benchmarks.iter().filter(|b| b.group == GROUP && b.name == "parameter" && b.invalid.is_none()).collect();
    let listed: Vec<&str> = of_group.iter().flat_map(|b| &b.parameters).map(|p| p.value.as_str()).collect();
    if listed != ["12", "34"] {
        return Err(Trouble::broken(format!("the list has the values {listed:?} of `n`, not 12 and 34")));
    }
    for (benchmark, value) in of_group.into_iter().zip(["12", "34"]) {
        open(benchmark, exchange)?;
        let (_, text) = check(exchange)?;
        if text.as_deref() != Some(value) {
            return Err(Trouble::broken(format!("with `n` = {value} the body returns {}", shown(text.as_deref()))));
        }
        exchange.ask("close")?;
    }
    Ok(())
}

/// R27: processes of one run share what is made once, including later ones; those of another run make their own.
pub(super) fn once(player: &mut Player<'_>, exchange: &mut Exchange) -> Result<(), Trouble> {
    let name = format!("{GROUP}/once");
    let benchmark = find(&player.benchmarks, &name).cloned();
    let benchmark = benchmark.ok_or_else(|| Trouble::not_applicable(format!("{MISSING}{name}`")))?;
    let folder = RunFolder::new();
    let place = folder.of(0).ok_or_else(|| Trouble::undecided("a folder for the run could not be created"))?;
    let start = Start::InFolder(place);
    let mut texts = Vec::new();
    // Two at the same time, then one more.
    for together in [2, 1] {
        let mut exchanges = Vec::new();
        for _ in 0..together {
            let mut other = player.exchange(&start)?;
            player.reach(State::Ready, &mut other)?;
            other.send(&format!("open {} 0\n", benchmark.index))?;
            exchanges.push(other);
        }
        for other in &mut exchanges {
            match other.reply()? {
                Reply::Opened { .. } => texts.push(check(other)?.1),
                reply => return Err(Trouble::broken(format!("`{name}` is not opened: `{}`", reply.kind()))),
            }
        }
        exchanges.into_iter().for_each(Exchange::finish);
    }
    if texts.iter().any(|text| *text != texts[0] || text.is_none()) {
        let all: Vec<String> = texts.iter().map(|text| shown(text.as_deref())).collect();
        return Err(Trouble::broken(format!("three processes of a run found {}: it was made twice", all.join(", "))));
    }
    open(&benchmark, exchange)?;
    match check(exchange)?.1 {
        Some(text) if Some(&text) != texts[0].as_ref() => Ok(()),
        text => Err(Trouble::broken(format!("a process of another run found {}", shown(text.as_deref())))),
    }
}

/// R24: the list gives the strategies of benchmarks for which they are known.
pub(super) fn strategies(benchmarks: &[Benchmark]) -> Result<(), Trouble> {
    const KNOWN: [(&str, Strategy); 3] =
        [("count", Strategy::Throughput), ("cold-start", Strategy::ColdStart), ("monitoring", Strategy::Monitoring)];
    // An unknown strategy would make the benchmark invalid and hide it from all other scenes.
    let of = |name: &str| benchmarks.iter().find(|b| b.group == GROUP && b.name == name);
    for (name, expected) in KNOWN {
        let Some(benchmark) = of(name) else { continue };
        if let Some(reason) = &benchmark.invalid {
            return Err(Trouble::broken(format!("`{name}` is invalid: {reason}")));
        }
        if benchmark.strategy != expected {
            let (is, not) = (benchmark.strategy.title(), expected.title());
            return Err(Trouble::broken(format!("the strategy of `{name}` is {is}, not {not}")));
        }
    }
    match of("cold-start").or(of("monitoring")) {
        None => Err(Trouble::not_applicable(format!("{MISSING}{GROUP}/cold-start`"))),
        Some(_) => Ok(()),
    }
}
