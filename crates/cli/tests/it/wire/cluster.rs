//! `--on`: a plan in parts, on a real Slurm that the test starts, and on an invented one.

use crate::support::{err, out, reference, signal, skip, usual_reference, wait_until, Place, ROOT, SHORT};
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
    assert!(said.contains("3 of 3 parts of run") && said.contains("part 3 of 3: "), "{said}");
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
}

#[test]
fn what_was_submitted_is_picked_up() {
    let place = Place::new("slurm-lost");
    let Some(cluster) = Cluster::start(&place) else { return };
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
    assert!(said.contains("missing: ") && said.contains("tare run --resume"), "{said}");
}

/// Commands of a Slurm that does at once what it is asked for, but for task 1 while there is a file `fails`, whose job prints what is in it.
fn invented(place: &Place) {
    place.script(
        "bin/sbatch",
        r#"#!/bin/sh
echo "$@" >> asked
for word; do case $word in --array=*) tasks=${word#--array=};; --output=*) out=${word#--output=};; esac; done
for task in $(echo $tasks | tr , ' '); do
  to=$(echo "$out" | sed "s/%a/$task/")
  if [ $task = 1 ] && [ -e fails ]; then cat fails > "$to"; continue; fi
  SLURM_ARRAY_JOB_ID=41 SLURM_ARRAY_TASK_ID=$task SLURMD_NODENAME=node$task sh "$word" > "$to" 2>&1
done
echo 41
"#,
    );
    place.script("bin/squeue", "#!/bin/sh\n");
}

fn on_invented(place: &Place, words: &[&str]) -> (Option<i32>, String, String) {
    let path = format!("{}:{}", place.join("bin").display(), std::env::var("PATH").unwrap_or_default());
    let output = place.command(words).env("PATH", path).output().expect("tare runs");
    (output.status.code(), out(&output), err(&output))
}

#[test]
fn a_part_that_is_lost_is_said_and_measured_by_resume() {
    let place = Place::new("slurm-invented");
    invented(&place);
    place.write("fails", "slurmstepd: error: *** JOB 41 ON node1 CANCELLED DUE TO TIME LIMIT ***\n");
    let words = [&["run", reference(), "--on", "slurm", "--parts", "3"][..], &SHORT].concat();
    let (code, screen, said) = on_invented(&place, &words);
    assert_eq!(code, Some(96), "{screen}{said}");
    assert!(said.contains("part 2 of 3 is missing: *** JOB 41") && said.contains("--time=60"), "{said}");
    assert_eq!(place.run_json()["status"], "interrupted");
    // What the others measured is kept, also where there was no room for a document.
    std::fs::remove_file(place.join("fails")).expect("removed");
    let parts = std::fs::read_dir(place.only_run().join("runs")).expect("parts");
    for part in parts.flatten() {
        std::fs::remove_file(part.path().join("run.json")).expect("removed");
    }
    let (code, screen, said) = on_invented(&place, &["run", "--resume", "latest"]);
    assert_eq!(code, Some(0), "{screen}{said}");
    assert!(said.contains("2 of 3 parts measured"), "{said}");
    assert!(place.read("asked").lines().last().is_some_and(|line| line.contains("--array=1 ")), "{said}");
    is_whole(&place, 3);
}

#[test]
fn a_node_without_the_program_says_so() {
    let place = Place::new("slurm-gone");
    let program = place.script("program", &format!("#!/bin/sh\nexec '{}' \"$@\"\n", reference()));
    invented(&place);
    // It is there when it is planned, and gone on the node.
    let sbatch = place.read("bin/sbatch").replace("echo 41\n", "mv hidden program\necho 41\n");
    place.script("bin/sbatch", &sbatch.replacen("for word;", "mv program hidden\nfor word;", 1));
    let (code, screen, said) = on_invented(&place, &["run", &program, "--on", "slurm", "--parts", "1"]);
    assert_eq!(code, Some(96), "{screen}{said}");
    assert!(said.contains("`program` cannot be measured on node0"), "{said}");
}

#[test]
fn what_cannot_be_submitted_is_refused() {
    let place = Place::new("slurm-refused");
    let refused = |words: &[&str]| place.fails_with(2, [&["run", reference()][..], words].concat());
    assert!(refused(&["--on", "pbs"]).contains("is not `slurm`"));
    assert!(refused(&["--on", "slurm", "--no-save"]).contains("cannot be used with"));
    assert!(refused(&["--parts", "3"]).contains("--on <WHERE>"));
    let said = place.fails_with(2, ["run", "--resume", "7f3a", "--on", "slurm"]);
    assert!(said.contains("`--on` cannot be given with `--resume`"), "{said}");
    let nothing = place.command(["run", reference(), "--on", "slurm"]).env("PATH", place.join("empty")).output();
    let nothing = nothing.expect("tare runs");
    assert_eq!(nothing.status.code(), Some(96), "{}", err(&nothing));
    assert!(err(&nothing).contains("`sbatch` cannot be started"), "{}", err(&nothing));
    assert!(place.runs().is_empty());
}
