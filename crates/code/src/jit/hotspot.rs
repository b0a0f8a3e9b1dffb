//! The HotSpot virtual machine's log of compiled methods (`CompileCommand=print` with `LogVMOutput`): their bytes, with comments about
//! their origin. No disassembler is needed.

use super::{Compiled, Raw};
use crate::decode::x86::{decode, plain, within};
use crate::names::harmless;
use crate::values::{Frame, Goes};
use std::collections::{BTreeMap, BTreeSet};

const HEAD: &str = "Compiled method (";
const BEGIN: &str = "[MachCode]";
/// What follows the code of a method.
const ENDS: [&str; 4] = ["[/MachCode]", "[Exception Handler]", "[Deopt Handler Code]", "[Stub Code]"];
/// Suffix of generated loops' names in the Java front end, after the name of the body and a number; 0 is the loop of the body.
const LOOP: &str = "TareLoop::run";

pub(super) fn is(listing: &str) -> bool {
    listing.starts_with("<?xml") && listing.contains("<hotspot_log")
}

#[derive(Default)]
struct Logged {
    id: String,
    method: String,
    tier: String,
    /// Its start address, its bytes, and the comments at places in it.
    start: u64,
    bytes: Vec<u8>,
    comments: BTreeMap<u64, Vec<String>>,
}

/// All compiled methods, in order.
pub(super) fn parse(listing: &str) -> Vec<Compiled> {
    let mut all: Vec<Logged> = Vec::new();
    // The place of the comments while the lines are code.
    let mut at = None;
    for line in listing.lines() {
        if let Some(head) = line.strip_prefix(HEAD) {
            all.extend(headed(head));
            at = None;
        } else if line.starts_with(BEGIN) {
            at = Some(0);
        } else if ENDS.iter().any(|end| line.starts_with(end)) {
            at = None;
        } else if let (Some(place), Some(logged)) = (at.as_mut(), all.last_mut()) {
            coded(line, place, logged);
        }
    }
    let names: Vec<String> = all.iter().map(|logged| logged.method.clone()).collect();
    all.iter().filter(|logged| !logged.bytes.is_empty()).map(|logged| compiled(logged, &names)).collect()
}

/// Why the code of these compilations was left for the interpreter, each reason with its count; `None` if it was not.
pub(super) fn traps(listing: &str, ids: &[&str]) -> Option<String> {
    let mut found: BTreeMap<String, u64> = BTreeMap::new();
    for line in listing.lines().filter(|line| line.starts_with("<uncommon_trap ")) {
        let value = |name: &str| line.split_once(&format!(" {name}='"))?.1.split('\'').next();
        let is_left = value("thread").is_some() && value("compile_id").is_some_and(|id| ids.contains(&id));
        if let Some(reason) = value("reason").filter(|_| is_left) {
            *found.entry(harmless(reason)).or_default() += 1;
        }
    }
    let texts: Vec<String> = found.iter().map(|(reason, count)| format!("{reason} ({count})")).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

/// `c2)     38    2 %     4       java.lang.String::indexOf @ 4 (25 bytes)`
fn headed(head: &str) -> Option<Logged> {
    let (compiler, rest) = head.split_once(')')?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let named = words.iter().position(|word| word.contains("::"))?;
    let is_entered_late = words[..named].iter().any(|word| word.starts_with('%'));
    let level = words[..named].last().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let tier = match (compiler, level) {
        ("c1", Some(level)) => format!("C1, level {level}"),
        _ => compiler.to_uppercase(),
    };
    let tier = if is_entered_late { format!("{tier}, entered while it ran") } else { tier };
    let id = words.get(1).copied().unwrap_or_default().to_owned();
    Some(Logged { id, method: harmless(&unescaped(words[named])), tier: harmless(&tier), ..Logged::default() })
}

/// A line of code: bytes from an address on, or a comment about the place there.
fn coded(line: &str, at: &mut u64, logged: &mut Logged) {
    let text = line.trim();
    let addressed = text.strip_prefix("0x").and_then(|text| text.split_once(':'));
    let (address, text) =
        match addressed.and_then(|(digits, rest)| Some((u64::from_str_radix(digits, 16).ok()?, rest.trim()))) {
            Some((address, rest)) => (Some(address), rest),
            None => (None, text),
        };
    *at = address.unwrap_or(*at);
    if text.starts_with(';') {
        logged.comments.entry(*at).or_default().push(unescaped(text.trim_start_matches(';').trim()));
        return;
    }
    let digits: String = text.chars().filter(|c| !c.is_whitespace() && *c != '|').collect();
    let Some(address) =
        address.filter(|_| digits.len() % 2 == 0 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
    else {
        return;
    };
    if logged.bytes.is_empty() {
        logged.start = address;
    }
    if logged.start + logged.bytes.len() as u64 == address {
        let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2).unwrap_or("90"), 16).unwrap_or(0x90);
        logged.bytes.extend((0..digits.len()).step_by(2).map(byte));
    }
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&apos;", "'").replace("&quot;", "\"").replace("&amp;", "&")
}

/// The name of the method, `Class:method`; a measuring loop has the name of the body that it contains.
fn name_of(method: &str) -> String {
    let own = method.strip_suffix(LOOP).and_then(|front| {
        let numbered = front.trim_end_matches(|c: char| c.is_ascii_digit());
        // The second loop is the empty one.
        let is_body = &front[numbered.len()..] == "0";
        let (class, body) = numbered.rsplit_once('$')?;
        is_body.then(|| format!("{}:{body}", class.replace('$', ".")))
    });
    own.unwrap_or_else(|| match method.split_once("::") {
        Some((class, name)) => format!("{}::{name}", class.replace('$', ".")),
        None => method.to_owned(),
    })
}

fn compiled(logged: &Logged, names: &[String]) -> Compiled {
    let instructions = decode(&logged.bytes, logged.start);
    let end = logged.start + logged.bytes.len() as u64;
    let jumped: BTreeSet<u64> = instructions.iter().filter_map(|one| within(one, logged.start, end)).collect();
    let label = |address: u64| format!("G_M0_IG{:x}", address - logged.start);
    let mut lines = Vec::new();
    for one in &instructions {
        let from = one.ip();
        if jumped.contains(&from) {
            lines.push(Raw::Label(label(from), Some(from - logged.start)));
        }
        let inside = within(one, logged.start, end).map(label);
        let text = match (inside, called(one, logged, names)) {
            (Some(label), _) => plain(one, Some(&label)),
            (None, Some((kind, name))) => {
                let mnemonic = if kind == Goes::Call { "call" } else { "tail.jmp" };
                format!("{mnemonic} [{name}]")
            }
            (None, None) => plain(one, None),
        };
        let at = (from - logged.start) as usize;
        let bytes = logged.bytes.get(at..at + one.len()).unwrap_or_default();
        let bytes = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        lines.push(Raw::Instruction { bytes, text, note: String::new(), frames: frames(logged, from) });
    }
    Compiled {
        method: name_of(&logged.method),
        id: logged.id.clone(),
        tier: logged.tier.clone(),
        bytes: logged.bytes.len() as u64,
        lines,
    }
}

/// Bytes of a group; a comment precedes the group that contains its place.
const GROUP: u64 = 4;

impl Logged {
    /// The start of the group that contains an address.
    fn group(&self, address: u64) -> u64 {
        address - address.saturating_sub(self.start) % GROUP
    }

    fn said(&self, group: u64) -> impl Iterator<Item = &str> {
        self.comments.get(&group).into_iter().flatten().map(String::as_str)
    }
}

/// Where an instruction comes from, innermost method first: a comment applies to everything back to the previous comment.
fn frames(logged: &Logged, address: u64) -> Vec<Frame> {
    let behind = logged.comments.range(address.saturating_sub(GROUP - 1)..).map(|(_, said)| said);
    let first = |said: &Vec<String>| {
        let traced = said.iter().map(|comment| frame(comment)).skip_while(Option::is_none);
        traced.map_while(|frame| frame).collect::<Vec<Frame>>()
    };
    behind.map(first).find(|frames| !frames.is_empty()).unwrap_or_default()
}

/// ` - shop.Cheap::body@3 (line 12)`
fn frame(comment: &str) -> Option<Frame> {
    let (method, place) = comment.strip_prefix("- ")?.split_once('@')?;
    let line = place.split_once("(line ").and_then(|(_, line)| line.split(')').next()?.parse().ok()).unwrap_or(0);
    let (class, _) = method.split_once("::")?;
    let outer = class.rsplit(['.', '/']).next().unwrap_or(class).split('$').next().unwrap_or(class);
    Some(Frame { function: harmless(method), file: harmless(&format!("{outer}.java")), line })
}

/// The target of a direct call or a jump out of the method: a Java method by name, or a routine of the runtime.
fn called(one: &iced_x86::Instruction, logged: &Logged, names: &[String]) -> Option<(Goes, String)> {
    let kind = match one.flow_control() {
        iced_x86::FlowControl::Call => Goes::Call,
        iced_x86::FlowControl::UnconditionalBranch => Goes::TailCall,
        _ => return None,
    };
    let at = |group| logged.said(group).collect::<Vec<_>>();
    let (here, behind) = (at(logged.group(one.ip())), at(logged.group(one.next_ip() - 1)));
    let routine = here.iter().find_map(|comment| comment.strip_prefix("{runtime_call")?.strip_suffix('}'));
    if let Some(routine) = routine.map(str::trim) {
        return Some((kind, format!("runtime:{}", harmless(if routine.is_empty() { "a routine" } else { routine }))));
    }
    let invoked = behind.iter().find_map(|comment| {
        let (how, rest) = comment.strip_prefix("*invoke")?.split_once(' ')?;
        Some((how, rest.split(' ').next().unwrap_or_default()))
    });
    let (how, name) = invoked.unwrap_or(("", "another method"));
    let mut known: Vec<String> = names
        .iter()
        .filter(|full| !full.ends_with(LOOP) && full.rsplit("::").next() == Some(name))
        .map(|full| name_of(full))
        .collect();
    known.dedup();
    let name = match known.as_slice() {
        [one] => one.clone(),
        _ => format!("invoke{how}:{}", harmless(name)),
    };
    Some((kind, name))
}

#[cfg(test)]
mod tests {
    use crate::listing::listing;
    use crate::{of_runtime, Method};

    /// `mov eax, [rsi+12]; nop; L: dec edx; jne L; call add; call of the runtime; ret`
    const LOG: &str = "\
<?xml version='1.0' encoding='UTF-8'?>
<hotspot_log version='160 1' process='1' time_ms='1'>
Compiled method (c1)    29  294       3       shop.Cheap$sum0TareLoop::run (34 bytes)
[MachCode]
  0x0000000000002000: c390
[/MachCode]
<uncommon_trap thread='7' reason='unstable_if' action='reinterpret' compile_id='305' compiler='c2' level='4' stamp='0.5'>
<uncommon_trap thread='7' reason='null_check' action='reinterpret' compile_id='999' compiler='c2' level='4' stamp='0.5'>
Compiled method (c2)    31  305 %     4       shop.Cheap$sum0TareLoop::run @ 16 (34 bytes)
[MachCode]
  0x0000000000003000: c390
[/MachCode]
Compiled method (c2)    31  306       4       shop.Cheap::add (5 bytes)
[MachCode]
  0x0000000000004000: 8d04 3ec3
[/MachCode]
Compiled method (c2)    32  313       4       shop.Cheap$sum0TareLoop::run (34 bytes)
 main code      [0x0000000000001000,0x0000000000001014] = 20
[MachCode]
[Verified Entry Point]
  # {method} {0x0000000000007000} &apos;run&apos; &apos;(Ltare/child/LoopState;J)J&apos; in &apos;shop/Cheap$sum0TareLoop&apos;
  0x0000000000001000: ;*getfield n {reexecute=0 rethrow=0 return_oop=0}
                      ; - shop.Cheap::sum@1 (line 7)
                      ; - shop.Cheap$sum0TareLoop::run@10
  0x0000000000001000: 8b46 0c90 | ffca 75fc

  0x0000000000001008: ;   {static_call}
  0x0000000000001008: e813 0000

  0x000000000000100c: ; ImmutableOopMap {}
                      ;*invokestatic add {reexecute=0 rethrow=0 return_oop=0}
                      ; - shop.Cheap::sum@9 (line 8)
                      ; - shop.Cheap$sum0TareLoop::run@10
                      ;   {runtime_call UncommonTrapBlob}
  0x000000000000100c: 00e8 ee0f | 0000 c390
[Exception Handler]
  0x0000000000001014: e99b 7aad
[/MachCode]
</hotspot_log>
";

    #[test]
    fn code_that_counts_for_the_next_compiler_is_not_what_runs() {
        let method = Method { class: "shop.Cheap", name: "sum" };
        let head = "Compiled method (c2)    32  313";
        let (before, last) = LOG.split_at(LOG.find(head).expect("the last one"));
        let counting = "Compiled method (c1)    40  400       3       shop.Cheap$sum0TareLoop::run (34 bytes)\n[MachCode]\n  0x5000: c3\n[/MachCode]\n";
        // After a deoptimisation, the first compiler comes again.
        let code = of_runtime(&format!("{before}{}", last.replace("</hotspot_log>", counting)), &method, "p", 2)
            .expect("its code");
        assert_eq!(code.functions[0].summary.bytes, 20);
        let first = LOG.find("Compiled method (c1)").expect("the first one");
        let alone = format!("{}{counting}", &LOG[..first]);
        assert!(of_runtime(&alone, &method, "p", 2).is_err_and(|why| why.contains("C1, level 3")));
    }

    #[test]
    fn the_loop_with_the_body_in_it_is_the_body() {
        let method = Method { class: "shop.Cheap", name: "sum" };
        let code = of_runtime(LOG, &method, "shop", 2).expect("its code");
        let text = listing(&code, None, 100).join("\n");
        let wanted = [
            "body (C2): 6 instructions, 20 bytes, 1 branch, 1 call, a loop of 2 instructions",
            "  4  dec edx",
            "call shop.Cheap::add",
            "call runtime:UncommonTrapBlob",
            "shop.Cheap::add (C2): 2 instructions",
            "deoptimised: unstable_if (1)",
            "C2, entered while it ran, 2",
        ];
        for line in wanted {
            assert!(text.contains(line), "{line:?} is not in\n{text}");
        }
        assert_eq!(code.places[0].frames[0].line, 7);
        assert_eq!(code.inlining().inlined.into_iter().collect::<Vec<_>>(), ["sum"]);
        for cut in (0..LOG.len()).step_by(7) {
            let _ = of_runtime(&LOG[..cut], &method, "p", 2);
        }
    }
}
