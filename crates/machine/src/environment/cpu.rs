use super::tree::{field, list, Tree};
use std::collections::BTreeSet;
use tare_model::Cache;

const CPUS: &str = "sys/devices/system/cpu";
/// The first processor's part of `/proc/cpuinfo` is about 1.5 KB.
const CPUINFO_LIMIT: u64 = 8 << 10;

pub(super) struct Cpu {
    pub(super) model: String,
    pub(super) processors: u32,
    pub(super) cores: Option<u32>,
    pub(super) smt: Option<bool>,
    pub(super) caches: Vec<Cache>,
    pub(super) virtual_machine: Option<bool>,
}

pub(super) fn read(tree: Tree) -> Cpu {
    let info = tree.head("proc/cpuinfo", CPUINFO_LIMIT).unwrap_or_default();
    let first = info.split("\n\n").next().unwrap_or_default();
    let online = online(tree);
    let siblings = siblings(tree, &online);
    let threads_share = siblings.as_ref().map(|s| s.iter().any(|core| core.len() > 1));
    Cpu {
        model: model(tree, first),
        processors: processors(tree, online.len()),
        cores: siblings.as_ref().map(|s| count(s.len())),
        smt: match tree.text(&format!("{CPUS}/smt/active")).as_deref() {
            Some("1") => Some(true),
            Some("0") => Some(false),
            _ => threads_share,
        },
        caches: caches(tree),
        virtual_machine: virtual_machine(tree, first),
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn online(tree: Tree) -> Vec<u32> {
    tree.text(&format!("{CPUS}/online")).map(|t| list(&t)).unwrap_or_default()
}

/// Processors in the affinity mask, else those online; at least 1.
fn processors(tree: Tree, online: usize) -> u32 {
    let status = tree.text("proc/self/status").unwrap_or_default();
    let allowed = field(&status, "Cpus_allowed_list", ':').map_or(0, |l| list(l).len());
    count(if allowed > 0 { allowed } else { online.max(1) })
}

/// The processors of each core. Processors already named as a sibling are skipped.
fn siblings(tree: Tree, online: &[u32]) -> Option<Vec<Vec<u32>>> {
    let mut known = BTreeSet::new();
    let mut cores = Vec::new();
    for cpu in online {
        if known.contains(cpu) {
            continue;
        }
        let core = list(&tree.text(&format!("{CPUS}/cpu{cpu}/topology/thread_siblings_list"))?);
        known.extend(core.iter().copied());
        known.insert(*cpu);
        cores.push(core);
    }
    (!cores.is_empty()).then_some(cores)
}

fn caches(tree: Tree) -> Vec<Cache> {
    let folder = format!("{CPUS}/cpu0/cache");
    let one = |name: &String| {
        let file = |file: &str| tree.text(&format!("{folder}/{name}/{file}"));
        let kind = file("type")?.to_lowercase();
        Some(Cache { level: file("level")?.parse().ok()?, kind, size_bytes: size(&file("size")?)? })
    };
    let mut caches: Vec<Cache> =
        tree.names(&folder).iter().filter(|n| n.starts_with("index")).filter_map(one).collect();
    caches.sort_by(|a, b| (a.level, &a.kind).cmp(&(b.level, &b.kind)));
    caches
}

/// Parses sizes such as `48K`, `2M` to bytes.
fn size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let shift = match &text[digits.len()..] {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// `intel_pstate/no_turbo` or `cpufreq/boost`; neither exists if the hypervisor decides.
pub(super) fn turbo(tree: Tree) -> Option<bool> {
    let flag = |name: &str| tree.number::<u32>(&format!("{CPUS}/{name}"));
    match flag("intel_pstate/no_turbo") {
        Some(no_turbo) => Some(no_turbo == 0),
        None => flag("cpufreq/boost").map(|boost| boost != 0),
    }
}

fn model(tree: Tree, info: &str) -> String {
    let named = ["model name", "cpu model", "Model", "cpu"].iter().find_map(|key| field(info, key, ':'));
    if let Some(name) = named {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        return format!("{name}{}", if is_generic(&name) { identity(info) } else { String::new() });
    }
    if let Some(arm) = arm_name(info) {
        return arm;
    }
    let board = tree.text("sys/firmware/devicetree/base/model").map(|t| t.trim_end_matches('\0').to_owned());
    board.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// Hypervisors replace the model with a name that fits several models of different speed.
fn is_generic(name: &str) -> bool {
    !name.contains(|c: char| c.is_ascii_digit()) || name.contains("Virtual") || name.contains("KVM")
}

/// Family and model numbers, on x86.
fn identity(info: &str) -> String {
    match (field(info, "cpu family", ':'), field(info, "model", ':')) {
        (Some(family), Some(model)) => format!(" (family {family}, model {model})"),
        _ => String::new(),
    }
}

/// AArch64 reports numbers instead of a name.
fn arm_name(info: &str) -> Option<String> {
    let implementer = field(info, "CPU implementer", ':')?;
    let part = field(info, "CPU part", ':')?;
    let name = match (implementer, part) {
        ("0x41", "0xd07") => "Cortex-A57",
        ("0x41", "0xd08") => "Cortex-A72",
        ("0x41", "0xd0b") => "Cortex-A76",
        ("0x41", "0xd0c") => "Neoverse-N1",
        ("0x41", "0xd40") => "Neoverse-V1",
        ("0x41", "0xd49") => "Neoverse-N2",
        ("0x41", "0xd4f") => "Neoverse-V2",
        ("0xc0", "0xac3") => "Ampere-1",
        _ => return Some(format!("ARM implementer {implementer} part {part}")),
    };
    Some(name.to_owned())
}

/// The processor flag if available, else the firmware's name of the machine.
fn virtual_machine(tree: Tree, info: &str) -> Option<bool> {
    if let Some(flags) = field(info, "flags", ':') {
        return Some(flags.split_whitespace().any(|flag| flag == "hypervisor"));
    }
    if tree.text("sys/hypervisor/type").is_some() {
        return Some(true);
    }
    let name = ["sys_vendor", "product_name"].map(|f| tree.text(&format!("sys/class/dmi/id/{f}")).unwrap_or_default());
    let name = name.join(" ").to_lowercase();
    let known =
        ["qemu", "kvm", "vmware", "virtualbox", "xen", "bochs", "parallels", "google compute engine", "openstack"];
    if name.contains("amazon ec2") {
        return Some(!name.contains("metal"));
    }
    known.iter().any(|k| name.contains(k)).then_some(true)
}
