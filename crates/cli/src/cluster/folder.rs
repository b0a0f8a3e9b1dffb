//! What a run in parts keeps in its folder: how it was cut, what each node runs, what that printed, and the parts as they come. All nodes
//! see it.

use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use tare_model::Event;
use tare_report::shell_word;
use tare_store::write_atomically;

#[derive(Debug, Serialize, Deserialize)]
pub struct Cut {
    /// What the user wants of `sbatch`.
    pub options: Vec<String>,
    /// The groups of each part.
    pub parts: Vec<Vec<u32>>,
}

#[derive(Debug, Clone)]
pub struct Folder {
    pub run: PathBuf,
    pub id: String,
}

/// Digits of the number of a part in the id of its run.
const PART_DIGITS: usize = 4;

impl Folder {
    pub fn of(run: &Path) -> Result<Folder, Failure> {
        let run = std::path::absolute(run).map_err(|source| Failure::CannotRead { path: run.to_owned(), source })?;
        let id = run.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Folder { run, id })
    }

    pub fn cluster(&self) -> PathBuf {
        self.run.join("cluster")
    }

    pub fn runs(&self) -> PathBuf {
        self.run.join("runs")
    }

    pub fn is_made(&self) -> bool {
        self.cluster().join("cut.json").is_file()
    }

    /// Writes what the nodes need. How it was cut is written last: then all of it is there.
    pub fn make(&self, options: &[String], parts: Vec<Vec<u32>>, started: &Event) -> Result<(), Failure> {
        let folder = self.cluster();
        fs::create_dir_all(&folder).map_err(Failure::writing(&folder))?;
        let cut = Cut { options: options.to_vec(), parts };
        let started = started.to_json().map_err(|error| unreadable(&folder, &error))?;
        let cut = serde_json::to_vec(&cut).map_err(|error| unreadable(&folder, &error))?;
        for (name, content) in
            [("started.json", &started[..]), ("job.sh", self.script()?.as_bytes()), ("cut.json", &cut)]
        {
            let path = folder.join(name);
            write_atomically(&path, 0o600, |writer| writer.write_all(content)).map_err(Failure::writing(&path))?;
        }
        Ok(())
    }

    /// What each node runs: the numbers come from Slurm. How it ended is the last line of what it prints.
    fn script(&self) -> Result<String, Failure> {
        let of = |path: std::io::Result<PathBuf>| {
            let path = path.map_err(|source| Failure::CannotRead { path: PathBuf::from("."), source })?;
            Ok::<_, Failure>(shell_word(&path.display().to_string()))
        };
        let (here, tare) = (of(std::env::current_dir())?, of(std::env::current_exe())?);
        let run = shell_word(&self.run.display().to_string());
        Ok(format!(
            "#!/bin/sh\n# A part of run {} of tare.\ncd {here} && {tare} {} {run} \"$SLURM_ARRAY_TASK_ID\" \
             \"$SLURM_ARRAY_JOB_ID\" \"${{SLURM_RESTART_COUNT:-0}}\" && exit\nstatus=$?\n\
             echo \"error: it ended with status $status on ${{SLURMD_NODENAME:-a node}}\"\nexit $status\n",
            self.id,
            super::node::WORD
        ))
    }

    pub fn cut(&self) -> Result<Cut, Failure> {
        let path = self.cluster().join("cut.json");
        serde_json::from_slice(&read(&path)?).map_err(|error| unreadable(&path, &error))
    }

    pub fn started(&self) -> Result<Event, Failure> {
        let path = self.cluster().join("started.json");
        Event::from_json(&read(&path)?).map_err(|error| unreadable(&path, &error))
    }

    /// The first error that the job of a part printed; the time limit, or a cancelled job, is one of Slurm.
    pub fn error(&self, part: usize) -> Option<String> {
        let text = fs::read(self.cluster().join(format!("out-{part}.txt"))).ok()?;
        let text = String::from_utf8_lossy(&text);
        text.lines().find_map(|line| line.split_once("error: ")).map(|(_, error)| error.trim().to_owned())
    }

    /// The id of the run of a part: that of the whole, the part, the job, and how often Slurm has begun it again.
    pub fn part_id(&self, part: usize, job: u64, restart: u32) -> String {
        format!("{}{part:0PART_DIGITS$x}{job:010x}{restart:02x}", self.id)
    }

    pub fn begun(&self) -> Vec<(usize, PathBuf)> {
        let entries = fs::read_dir(self.runs()).into_iter().flatten().flatten();
        let of = |name: String| usize::from_str_radix(name.strip_prefix(&self.id)?.get(..PART_DIGITS)?, 16).ok();
        entries
            .filter_map(|entry| Some((of(entry.file_name().to_string_lossy().into_owned())?, entry.path())))
            .collect()
    }

    pub fn clear(&self) {
        // What is left takes room, and nothing else.
        let _ = fs::remove_dir_all(self.runs());
        let _ = fs::remove_dir_all(self.cluster());
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|source| Failure::CannotRead { path: path.to_owned(), source })
}

fn unreadable(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::CannotRead { path: path.to_owned(), source: Error::new(ErrorKind::InvalidData, error.to_string()) }
}
