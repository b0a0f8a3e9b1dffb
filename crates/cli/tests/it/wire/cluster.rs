//! `--on`: a plan in parts, on a real Slurm that the test starts, and on an invented one.

use crate::support::{err, json, out, reference, signal, skip, usual_reference, wait_until, Place, ROOT, SHORT};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A run of some seconds in each part.
const WHILE: [&str; 3] = ["--launches", "8", "--ascii"];

/// A small cluster on this machine.
struct Cluster {
    folder: PathBuf,
    conf: String,
}

impl Cluster {
    fn script() -> PathBuf {
        Path::new(ROOT).join("crates/cli/tests/slurm/cluster")
    }

    /// None where Slurm is not installed, or does not start here.
    fn start(place: &Place) -> Option<Cluster> {
        let folder = place.join("slurm");
        let started = Command::new(Cluster::script()).arg("start").arg(&folder).output().expect("python3 runs");
        match started.status.code() {
            Some(0) => Some(Cluster { folder, conf: out(&started).trim().to_owned() }),
            Some(3) => {
                skip("a suite on a cluster", err(&started).trim());
                None
            }
            _ => panic!("{}", err(&started)),
        }
    }

    fn command(&self, place: &Place, words: &[&str]) -> Command {
        let mut command = place.command(words);
        command.env("SLURM_CONF", &self.conf);
        command
    }

    /// Exit code, standard output, standard error.
    fn tare(&self, place: &Place, words: &[&str]) -> (Option<i32>, String, String) {
        let output = self.command(place, words).output().expect("tare runs");
        (output.status.code(), out(&output), err(&output))
    }

    /// Starts a run of several parts and waits until a node measures.
    fn measuring(&self, place: &Place) -> std::process::Child {
        let words = ["run", usual_reference(), "--on", "slurm", "--parts", "3"];
        let tare = place.start_command(self.command(place, &[&words[..], &WHILE].concat()));
        wait_until("a node measures", || {
            let parts =
                place.runs().into_iter().flat_map(|run| std::fs::read_dir(run.join("runs")).into_iter().flatten());
            parts.flatten().any(|part| {
                let events = std::fs::read_to_string(part.path().join("events.jsonl")).unwrap_or_default();
                !part.path().join("run.json").exists() && events.contains("\"stage\":\"actual\"")
            })
        });
        tare
    }

    fn asked(&self, program: &str, words: &[&str]) -> String {
        let output = Command::new(program).args(words).env("SLURM_CONF", &self.conf).output().expect("it runs");
        out(&output)
    }

    fn has_no_job(&self) -> bool {
        self.asked("squeue", &["--noheader"]).trim().is_empty()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = Command::new(Cluster::script()).arg("stop").arg(&self.folder).status();
    }
}

/// In each group the parts that its launches are of.
fn parts_of_groups(run: &Value) -> BTreeMap<u64, BTreeSet<u64>> {
    let mut all: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for launch in run["launches"].as_array().expect("launches") {
        let of = |name: &str| launch[name].as_u64().expect("a number");
        all.entry(of("group")).or_default().insert(of("part"));
    }
    all
}

/// A whole run: every case is complete, what is compared is of one part, and nothing but the run is left.
fn is_whole(place: &Place, parts: usize) {
    let run = place.run_json();
    assert_eq!(run["status"], "finished");
    assert_eq!(run["parts"].as_array().map(Vec::len), Some(parts));
    assert!(run["results"].as_array().expect("results").iter().all(|result| result["complete"] == true), "{run}");
    assert!(run["plan"]["policy"]["only"].is_null());
    let groups = parts_of_groups(&run);
    assert_eq!(groups.len(), run["plan"]["groups"].as_array().expect("groups").len());
    assert!(groups.values().all(|parts| parts.len() == 1), "{groups:?}");
    let folder = place.only_run();
    assert!(!folder.join("runs").exists() && !folder.join("cluster").exists());
}

fn forget(place: &Place) {
    std::fs::remove_dir_all(place.join(".tare")).expect("removed");
}

#[test]
fn a_suite_is_measured_on_the_nodes_of_slurm() {
    let place = Place::new("slurm");
    let Some(cluster) = Cluster::start(&place) else { return };
    let on = ["--on", "slurm", "--parts", "3"];
    let words = [&["run", reference()][..], &SHORT, &on].concat();
    let (code, screen, said) = cluster.tare(&place, &words);
    assert_eq!(code, Some(0), "{screen}{said}");
    assert!(said.contains("3 parts of run") && said.contains("part 3 of 3 on node"), "{said}");
    is_whole(&place, 3);
    assert_eq!(screen, place.ends_with(0, ["show", "latest"]), "as it was measured here");
    let again = place.fails_with(2, ["run", "--resume", "latest"]);
    assert!(again.contains("nothing to resume"), "{again}");
    forget(&place);
    // Both sides of each benchmark are on one node.
    let [old, new] =
        ["old", "new"].map(|side| place.script(side, &format!("#!/bin/sh\nexec '{}' \"$@\"\n", reference())));
    let words = [&["compare", &old, &new][..], &SHORT, &on].concat();
    let (code, screen, said) = cluster.tare(&place, &words);
    assert_eq!(code, Some(0), "{screen}{said}");
    is_whole(&place, 3);
    forget(&place);
    let (code, _, said) = cluster.tare(&place, &["run", reference(), "--on", "slurm: --partition=nowhere"]);
    assert_eq!(code, Some(96), "{said}");
    assert!(said.contains("`sbatch` failed: invalid partition specified: nowhere"), "{said}");
    assert!(place.runs().is_empty(), "nothing is left of what was refused");
    let (code, printed, said) = cluster.tare(&place, &["run", reference(), "--on", "slurm", "--dry-run"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(printed.contains("# sbatch --parsable") && printed.contains("--exclusive"), "{printed}");
    assert!(place.runs().is_empty() && cluster.has_no_job());
}

#[test]
fn parts_that_are_lost_are_measured_again() {
    let place = Place::new("slurm-lost");
    let Some(cluster) = Cluster::start(&place) else { return };
    // A part is killed.
    let mut tare = cluster.measuring(&place);
    let part = place.processes().into_iter().find(|process| process.contains(" part-of-run ")).expect("a part");
    signal("KILL", part.split(' ').next().unwrap_or_default());
    let status = tare.wait().expect("it ends");
    let said = place.read("stderr");
    assert_eq!(status.code(), Some(0), "{said}");
    assert!(said.contains("was lost, and is submitted again:"), "{said}");
    is_whole(&place, 3);
    forget(&place);
    // The login node is lost: the jobs go on.
    let mut tare = cluster.measuring(&place);
    tare.kill().expect("killed");
    tare.wait().expect("it ends");
    let (code, screen, said) = cluster.tare(&place, &["run", "--resume", "latest"]);
    assert_eq!(code, Some(0), "{screen}{said}");
    assert!(said.contains("still in the queue") && !said.contains("job "), "nothing is submitted again: {said}");
    is_whole(&place, 3);
    forget(&place);
    // Ctrl-C takes the jobs back.
    let mut tare = cluster.measuring(&place);
    signal("INT", &tare.id().to_string());
    assert_eq!(tare.wait().expect("it ends").code(), Some(130), "{}", place.read("stderr"));
    wait_until("the jobs are gone", || cluster.has_no_job());
    assert!(place.read("stdout").contains("next: tare run --resume"), "{}", place.read("stdout"));
    let (code, screen, said) = cluster.tare(&place, &["run", "--resume", "latest"]);
    assert_eq!(code, Some(0), "{screen}{said}");
    is_whole(&place, 3);
    forget(&place);
    // Somebody else takes them back.
    let mut tare = cluster.measuring(&place);
    let name = format!("--name=tare-{}", place.only_run().file_name().expect("a name").to_string_lossy());
    cluster.asked("scancel", &[&name]);
    let status = tare.wait().expect("it ends");
    let said = place.read("stderr");
    assert_eq!(status.code(), Some(96), "{said}");
    assert!(said.contains("is missing: it was cancelled") && said.contains("tare run --resume"), "{said}");
}

/// Commands of a Slurm that does at once what it is asked for: task 1 fails as often as `fails` says, and ends as `state` says.
fn invented(place: &Place, fails: u32, state: &str) {
    place.write("fails", &fails.to_string());
    place.script(
        "bin/sbatch",
        r#"#!/bin/sh
echo "$@" >> asked
job=$(( $(cat job 2>/dev/null || echo 40) + 1 )); echo $job > job
for word; do case $word in --array=*) tasks=${word#--array=};; --output=*) out=${word#--output=};; esac; done
case $tasks in *-*) tasks=$(seq ${tasks%-*} ${tasks#*-});; esac
for task in $(echo $tasks | tr , ' '); do
  if [ $task = 1 ] && [ $(cat fails) -gt 0 ]; then echo $(( $(cat fails) - 1 )) > fails; continue; fi
  SLURM_ARRAY_JOB_ID=$job SLURM_ARRAY_TASK_ID=$task SLURMD_NODENAME=node$task sh "$word" \
    > "$(echo "$out" | sed "s/%A/$job/; s/%a/$task/")" 2>&1
done
echo $job
"#,
    );
    place.script("bin/squeue", "#!/bin/sh\n");
    place.script("bin/sacct", &format!("#!/bin/sh\necho '{state}|node1'\n"));
    place.script("bin/scancel", "#!/bin/sh\n");
}

fn on_invented(place: &Place, words: &[&str]) -> (Option<i32>, String, String) {
    let path = format!("{}:{}", place.join("bin").display(), std::env::var("PATH").unwrap_or_default());
    let output = place.command(words).env("PATH", path).output().expect("tare runs");
    (output.status.code(), out(&output), err(&output))
}

#[test]
fn a_part_that_fails_is_submitted_again_and_not_for_ever() {
    let words = [&["run", reference(), "--on", "slurm", "--parts", "3"][..], &SHORT].concat();
    for (fails, state, code) in [(1, "NODE_FAIL", 0), (9, "NODE_FAIL", 96), (9, "TIMEOUT", 96)] {
        let place = Place::new("slurm-invented");
        invented(&place, fails, state);
        let (ended, screen, said) = on_invented(&place, &words);
        assert_eq!(ended, Some(code), "{screen}{said}");
        let asked = place.read("asked");
        let tried = match state {
            "TIMEOUT" => 1,
            _ => 1 + fails.min(2) as usize,
        };
        assert_eq!(asked.lines().count(), tried, "{asked}");
        if tried > 1 {
            assert!(
                asked
                    .lines()
                    .nth(1)
                    .is_some_and(|line| line.contains("--array=1 ") && line.contains("--exclude=node1")),
                "{asked}"
            );
        }
        if code == 0 {
            is_whole(&place, 3);
            continue;
        }
        let why = if state == "TIMEOUT" { "the time limit of the job ended it" } else { "it failed too often" };
        assert!(said.contains(&format!("part 2 of 3 is missing: {why}: {state} on node1")), "{said}");
        assert_eq!(said.contains("--time=60"), state == "TIMEOUT", "{said}");
        assert_eq!(place.run_json()["status"], "interrupted");
        // What the others measured is kept.
        invented(&place, 0, "COMPLETED");
        let (ended, screen, said) = on_invented(&place, &["run", "--resume", "latest"]);
        assert_eq!(ended, Some(0), "{screen}{said}");
        assert!(said.contains("2 of 3 parts measured"), "{said}");
        is_whole(&place, 3);
    }
}

#[test]
fn a_part_without_room_for_its_document_is_measured_all_the_same() {
    let place = Place::new("slurm-no-room");
    invented(&place, 0, "FAILED");
    let sbatch = place.read("bin/sbatch");
    place.script("bin/sbatch", &sbatch.replace("echo $job\n", "rm .tare/runs/*/runs/*/run.json\necho $job\n"));
    let words = [&["run", reference(), "--on", "slurm", "--parts", "2"][..], &SHORT].concat();
    let (code, screen, said) = on_invented(&place, &words);
    assert_eq!(code, Some(0), "{screen}{said}");
    assert_eq!(place.read("asked").lines().count(), 1, "nothing is submitted again: {said}");
    is_whole(&place, 2);
}

#[test]
fn a_job_that_cannot_be_noted_is_taken_back() {
    let place = Place::new("slurm-not-noted");
    invented(&place, 0, "FAILED");
    // In place of the file there is a folder.
    place.script("bin/sbatch", "#!/bin/sh\nmkdir \"$(echo .tare/runs/*/cluster)/jobs.jsonl\"\necho 41\n");
    place.script("bin/scancel", "#!/bin/sh\necho \"$@\" >> taken-back\n");
    let (code, screen, said) = on_invented(&place, &["run", reference(), "--on", "slurm", "--parts", "2"]);
    assert_eq!(code, Some(110), "{screen}{said}");
    assert!(said.contains("jobs.jsonl"), "{said}");
    assert_eq!(place.read("taken-back").trim(), "41");
    assert!(place.runs().is_empty(), "nothing is left of it");
}

#[test]
fn a_node_without_the_program_says_so() {
    let place = Place::new("slurm-gone");
    let program = place.script("program", &format!("#!/bin/sh\nexec '{}' \"$@\"\n", reference()));
    invented(&place, 0, "FAILED");
    // It is there when it is planned, and gone on the node.
    let sbatch = place.read("bin/sbatch").replace("echo $job\n", "mv hidden program\necho $job\n");
    place.script("bin/sbatch", &sbatch.replacen("for word;", "mv program hidden\nfor word;", 1));
    let (code, screen, said) = on_invented(&place, &["run", &program, "--on", "slurm", "--parts", "1"]);
    assert_eq!(code, Some(96), "{screen}{said}");
    assert!(said.contains("`program` cannot be measured on node0"), "{said}");
}

#[test]
fn a_node_that_lacks_a_built_program_gets_it() {
    let place = Place::with_stand_in("slurm-brought");
    place.write("a.cpp", "#include <tare.h>\n//bench one 1\n");
    invented(&place, 0, "FAILED");
    // The cache is one of the login node.
    place.script("bin/sbatch", &place.read("bin/sbatch").replacen("for word;", "mv cache hidden\nfor word;", 1));
    let path = format!("{}:{}", place.join("bin").display(), std::env::var("PATH").unwrap_or_default());
    let words = [&["run", "a.cpp", "--on", "slurm", "--parts", "1"][..], &SHORT].concat();
    let output = place.command(words).env("PATH", path).env("XDG_CACHE_HOME", place.join("cache")).output();
    let output = output.expect("tare runs");
    assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), err(&output));
    is_whole(&place, 1);
}

#[test]
fn what_cannot_be_submitted_is_refused() {
    let place = Place::new("slurm-refused");
    let refused = |words: &[&str]| place.fails_with(2, [&["run", reference()][..], words].concat());
    assert!(refused(&["--on", "pbs"]).contains("is not one of slurm, kubernetes"));
    assert!(refused(&["--on", "slurm: --array=1"]).contains("`--array` is set by `tare`"));
    assert!(refused(&["--on", "slurm", "--no-save"]).contains("`--no-save` cannot be given with `--on`"));
    assert!(refused(&["--on", "kubernetes"]).contains("add `--dry-run`"));
    assert!(refused(&["--parts", "3"]).contains("`--parts` is for `--on`"));
    assert!(refused(&["--dry-run"]).contains("write `--dry`"));
    for flag in [&["--on", "slurm"][..], &["--parts", "3"], &["--dry-run"]] {
        let said = place.fails_with(2, [&["run", "--resume", "7f3a"][..], flag].concat());
        assert!(said.contains(&format!("`{}` cannot be given with `--resume`", flag[0])), "{said}");
    }
    let nothing = place.command(["run", reference(), "--on", "slurm"]).env("PATH", place.join("empty")).output();
    let nothing = nothing.expect("tare runs");
    assert_eq!(nothing.status.code(), Some(96), "{}", err(&nothing));
    assert!(err(&nothing).contains("`sbatch` cannot be started"), "{}", err(&nothing));
    assert!(place.runs().is_empty());
}

#[test]
fn a_manifest_is_printed_and_what_its_pods_measured_is_one_run() {
    let place = Place::new("kubernetes");
    let words = [&["run", reference(), "--on", "kubernetes", "--dry-run", "--parts", "2"][..], &SHORT].concat();
    let manifest = place.ends_with(0, &words);
    assert!(manifest.contains("completionMode: Indexed") && manifest.contains("completions: 2"), "{manifest}");
    assert!(manifest.contains("has not been tested"), "{manifest}");
    let early = place.fails_with(96, ["run", "--resume", "latest"]);
    assert!(early.contains("2 of 2 parts are not measured yet"), "{early}");
    let script = place.only_run().join("cluster/job.sh");
    for part in ["0", "1"] {
        let mut pod = place.other("sh");
        let pod = pod.arg(&script).env("JOB_COMPLETION_INDEX", part).output().expect("sh runs");
        assert!(pod.status.success(), "{}", err(&pod));
    }
    let folders = std::fs::read_dir(place.only_run().join("runs")).expect("parts");
    let folders: Vec<String> = folders.flatten().map(|part| part.path().display().to_string()).collect();
    let alone = json(&std::fs::read_to_string(Path::new(&folders[0]).join("run.json")).expect("a run"));
    assert_eq!(alone["plan"]["policy"]["only"].as_array().map(Vec::is_empty), Some(false));
    let merged = place.ends_with(0, ["merge", &folders[0], &folders[1], "--format", "csv"]);
    let merged_run = place.runs().into_iter().find(|run| !run.join("cluster").exists()).expect("a run");
    std::fs::remove_dir_all(merged_run).expect("removed");
    // Each line begins with the id of its run.
    let without_id =
        |text: &str| text.lines().filter_map(|line| Some(line.split_once(',')?.1.to_owned())).collect::<Vec<_>>();
    let resumed = place.ends_with(0, ["run", "--resume", "latest", "--format", "csv"]);
    assert!(without_id(&merged) == without_id(&resumed), "{merged}\n{resumed}");
    is_whole(&place, 2);
}
