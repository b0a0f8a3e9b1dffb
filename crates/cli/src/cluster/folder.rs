//! The folder of a run in parts, visible to all nodes: how the run was split, the script of each node and its output, and the parts.

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
    /// Options of `sbatch` from the user.
    pub options: Vec<String>,
    /// The groups of each part.
    pub parts: Vec<Vec<u32>>,
}

#[derive(Debug, Clone)]
pub struct Folder {
    pub run: PathBuf,
    pub id: String,
}

/// Digits of the part number in the id of its run.
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

    /// Writes what the nodes need. The split is written last: its presence means that everything else is there.
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

    /// The script of each node. The numbers come from Slurm; the last line of its output is its exit status.
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

    /// The first error that the job of a part printed. A time limit or a cancelled job is an error of Slurm.
    pub fn error(&self, part: usize) -> Option<String> {
        let text = fs::read(self.cluster().join(format!("out-{part}.txt"))).ok()?;
        let text = String::from_utf8_lossy(&text);
        text.lines().find_map(|line| line.split_once("error: ")).map(|(_, error)| error.trim().to_owned())
    }

    /// The run id of a part, from the id of the whole run, the part, the job and Slurm's restart count.
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
        // A failure to delete costs only disk space.
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
