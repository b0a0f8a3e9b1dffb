//! What a run in parts keeps in its folder: how it was cut, what each node runs, the jobs that were submitted, and the parts as they come.
//! All nodes see it.

use crate::cluster::Place;
use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tare_model::{Artifact, Event};
use tare_report::shell_word;
use tare_store::{cache_dir, write_atomically};

/// How a run was cut.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Cut {
    /// Where its parts are measured.
    pub on: String,
    /// What the user wants of `sbatch`.
    pub options: Vec<String>,
    /// The folder that it is measured in.
    pub directory: String,
    /// The `tare` that was called.
    pub tare: String,
    /// The groups of each part.
    pub parts: Vec<Vec<u32>>,
    /// Built programs that nodes may lack: where they were, and their name in the folder.
    pub programs: Vec<(String, String)>,
}

/// Jobs that were submitted.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Submitted {
    /// The number of the job.
    pub job: String,
    /// Its parts.
    pub parts: Vec<u32>,
    /// It was taken back.
    #[serde(default)]
    pub cancelled: bool,
}

/// A part that a node began: its place in the cut, and its folder.
#[derive(Debug, Clone)]
pub struct Begun {
    /// Its place in the cut.
    pub part: usize,
    /// Its folder.
    pub folder: PathBuf,
}

/// The folder of a run that is measured in parts.
#[derive(Debug, Clone)]
pub struct Folder {
    run: PathBuf,
    id: String,
}

/// Digits of the number of a part in the id of its run.
const PART_DIGITS: usize = 4;

impl Cut {
    /// Of a plan that was cut into these groups.
    pub fn new(place: &Place, parts: Vec<Vec<u32>>, artifacts: &[Artifact]) -> Result<Cut, Failure> {
        let here =
            std::env::current_dir().map_err(|source| Failure::CannotRead { path: PathBuf::from("."), source })?;
        let tare = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("tare"));
        let options = match place {
            Place::Slurm(options) => options.clone(),
            Place::Kubernetes(_) => Vec::new(),
        };
        Ok(Cut {
            on: place.to_string(),
            options,
            directory: here.display().to_string(),
            tare: tare.display().to_string(),
            parts,
            programs: built(artifacts),
        })
    }
}

/// Files of the cache that are part of a command, each with a name of its own.
fn built(artifacts: &[Artifact]) -> Vec<(String, String)> {
    let Some(cache) = cache_dir() else { return Vec::new() };
    let words = artifacts.iter().flat_map(|artifact| artifact.command.iter().chain(&artifact.layouts));
    let mut files: Vec<&String> = words.filter(|word| Path::new(word).starts_with(&cache)).collect();
    files.retain(|file| Path::new(file).is_file());
    files.sort();
    files.dedup();
    files.into_iter().enumerate().map(|(at, file)| (file.clone(), at.to_string())).collect()
}

impl Folder {
    /// The folder of this run, whether it is in parts or not.
    pub fn new(run: &Path) -> Folder {
        let id = run.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Folder { run: run.to_owned(), id }
    }

    /// The id of the run.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The folder of the run.
    pub fn run(&self) -> &Path {
        &self.run
    }

    /// Where it is written what nodes do.
    pub fn cluster(&self) -> PathBuf {
        self.run.join("cluster")
    }

    /// Where the runs of the parts are.
    pub fn parts(&self) -> PathBuf {
        self.run.join("runs")
    }

    /// What each node runs.
    pub fn script(&self) -> PathBuf {
        self.cluster().join("job.sh")
    }

    /// What a job printed.
    pub fn output(&self, job: &str, part: usize) -> PathBuf {
        self.cluster().join(format!("out-{job}-{part}.txt"))
    }

    /// The copy of a program.
    pub fn program(&self, name: &str) -> PathBuf {
        self.cluster().join("programs").join(name)
    }

    /// Whether the run is measured in parts.
    pub fn is_made(&self) -> bool {
        self.cluster().join("cut.json").is_file()
    }

    /// Writes what the nodes need. How it was cut is written last: then all of it is there.
    pub fn make(&self, cut: &Cut, started: &Event) -> Result<(), Failure> {
        let programs = self.cluster().join("programs");
        fs::create_dir_all(&programs).map_err(Failure::writing(&programs))?;
        let originals = cut.programs.iter().map(|(file, name)| (file.as_str(), name.as_str()));
        for (file, name) in originals.chain([(cut.tare.as_str(), "tare")]) {
            let copy = self.program(name);
            // One file with two names where that can be: most programs are large.
            let copied = fs::hard_link(file, &copy).or_else(|_| fs::copy(file, &copy).map(drop));
            copied.map_err(Failure::writing(&copy))?;
        }
        self.write("started.json", &started.to_json().map_err(|error| unreadable(&self.cluster(), &error))?)?;
        self.write("job.sh", self.script_text(cut).as_bytes())?;
        let text = serde_json::to_vec(cut).map_err(|error| unreadable(&self.cluster(), &error))?;
        self.write("cut.json", &text)
    }

    /// Writes a file that is there whole or not at all.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), Failure> {
        let path = self.cluster().join(name);
        write_atomically(&path, 0o600, |writer| writer.write_all(content)).map_err(Failure::writing(&path))
    }

    /// The text of what each node runs: the number of the part comes from the scheduler.
    pub fn script_text(&self, cut: &Cut) -> String {
        let copy = self.program("tare").display().to_string();
        let (tare, copy, run) = (shell_word(&cut.tare), shell_word(&copy), shell_word(&self.run.display().to_string()));
        format!(
            "#!/bin/sh\n# A part of run {} of tare.\ntare={tare}\n[ -x \"$tare\" ] || tare={copy}\n\
             exec \"$tare\" {} {run} \"${{SLURM_ARRAY_TASK_ID:-$JOB_COMPLETION_INDEX}}\" \
             \"${{SLURM_ARRAY_JOB_ID:-$(date +%s)}}\" \"${{SLURM_RESTART_COUNT:-0}}\"\n",
            self.id,
            super::node::WORD
        )
    }

    /// How it was cut.
    pub fn cut(&self) -> Result<Cut, Failure> {
        let path = self.cluster().join("cut.json");
        let text = self.read(&path)?;
        serde_json::from_slice(&text).map_err(|error| unreadable(&path, &error))
    }

    /// The first event of the run.
    pub fn started(&self) -> Result<Event, Failure> {
        let path = self.cluster().join("started.json");
        Event::from_json(&self.read(&path)?).map_err(|error| unreadable(&path, &error))
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>, Failure> {
        fs::read(path).map_err(|source| Failure::CannotRead { path: path.to_owned(), source })
    }

    /// Notes what was submitted, or taken back, before anything else is done: a lost login node must not lose a job.
    pub fn note(&self, submitted: &Submitted) -> Result<(), Failure> {
        let path = self.cluster().join("jobs.jsonl");
        // If the line before was cut off, this one still begins a line of its own.
        let mut line = vec![b'\n'];
        serde_json::to_writer(&mut line, submitted).map_err(|error| unreadable(&path, &error))?;
        line.push(b'\n');
        let file = OpenOptions::new().create(true).append(true).open(&path);
        file.and_then(|mut file| file.write_all(&line)).map_err(Failure::writing(&path))
    }

    /// The jobs that were submitted and not taken back.
    pub fn jobs(&self) -> Vec<Submitted> {
        let text = fs::read_to_string(self.cluster().join("jobs.jsonl")).unwrap_or_default();
        // A line that was cut off is of a job that is looked for by nobody else: it is measured again.
        let all: Vec<Submitted> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let is_cancelled = |job: &str| all.iter().any(|other| other.cancelled && other.job == job);
        all.iter().filter(|one| !is_cancelled(&one.job)).cloned().collect()
    }

    /// The id of the run of a part: that of the whole, the part, the job, and how often Slurm has begun it again.
    pub fn part_id(&self, part: u32, job: u64, restart: u32) -> String {
        format!("{}{part:0PART_DIGITS$x}{job:010x}{restart:02x}", self.id)
    }

    /// The parts that nodes began.
    pub fn begun(&self) -> Vec<Begun> {
        let entries = fs::read_dir(self.parts()).into_iter().flatten().flatten();
        let of = |name: String| usize::from_str_radix(name.strip_prefix(&self.id)?.get(..PART_DIGITS)?, 16).ok();
        let begun = |entry: fs::DirEntry| {
            let part = of(entry.file_name().to_string_lossy().into_owned())?;
            Some(Begun { part, folder: entry.path() })
        };
        let mut all: Vec<Begun> = entries.filter_map(begun).collect();
        all.sort_by(|a, b| a.folder.cmp(&b.folder));
        all
    }

    /// Puts a built program where it was, if this machine lacks it.
    pub fn bring(&self, (file, name): &(String, String)) -> io::Result<()> {
        let path = Path::new(file);
        if path.exists() {
            return Ok(());
        }
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        // Another part on this node may do the same.
        let beside = path.with_extension(format!("{}.new", std::process::id()));
        fs::copy(self.program(name), &beside)?;
        tare_process::files::make_executable(&beside)?;
        fs::rename(&beside, path)
    }

    /// Removes what is only of use until the run is whole.
    pub fn clear(&self) {
        // What is left takes room, and nothing else.
        let _ = fs::remove_dir_all(self.parts());
        let _ = fs::remove_dir_all(self.cluster());
    }
}

fn unreadable(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::CannotRead { path: path.to_owned(), source: io::Error::new(io::ErrorKind::InvalidData, error.to_string()) }
}
