//! Helpers that build benches, run them, and talk to them through pipes.
#![allow(dead_code)]

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Mutex;

/// Builds a bench of this package with `cargo bench --no-run` and returns its path.
pub fn bench(name: &str) -> PathBuf {
    bench_with(name, &[])
}

/// The same with environment variables, such as `CARGO_PROFILE_BENCH_LTO`.
pub fn bench_with(name: &str, settings: &[(&str, &str)]) -> PathBuf {
    static BUILT: Mutex<Vec<(String, PathBuf)>> = Mutex::new(Vec::new());
    let key = format!("{name} {settings:?}");
    let mut built = BUILT.lock().unwrap();
    if let Some((_, path)) = built.iter().find(|(other, _)| *other == key) {
        return path.clone();
    }
    let output = Command::new(env!("CARGO"))
        .args(["bench", "--no-run", "--jobs", "2", "--package", "tare-tests", "--bench", name])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .envs(settings.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    let line = text.lines().find(|line| line.contains("Executable")).expect("cargo says where the bench is");
    let path = line.split(['(', ')']).nth(1).unwrap();
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    built.push((key, path.clone()));
    path
}

/// Runs a bench directly, with these arguments.
pub fn run(name: &str, words: &[&str]) -> Output {
    let mut command = Command::new(bench(name));
    command.args(words).env("TARE_DIRECT", "1").env_remove("TARE_LINK").output().unwrap()
}

pub fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

extern "C" {
    fn pipe(ends: *mut [i32; 2]) -> i32;
    fn fcntl(descriptor: i32, command: i32, ...) -> i32;
}

fn pair() -> (File, File) {
    let mut ends = [0; 2];
    // SAFETY: `ends` has room for two descriptors, which belong to this code afterwards.
    unsafe {
        assert_eq!(pipe(&mut ends), 0);
        (File::from_raw_fd(ends[0]), File::from_raw_fd(ends[1]))
    }
}

fn close_on_exec(file: &File) {
    // SAFETY: sets FD_CLOEXEC of an open descriptor.
    unsafe { assert_eq!(fcntl(file.as_raw_fd(), 2, 1), 0) };
}

/// A child and the host's ends of its link.
pub struct Link {
    pub child: Child,
    requests: Option<File>,
    replies: BufReader<File>,
}

impl Link {
    pub fn start(name: &str) -> Link {
        Self::start_with(name, &[])
    }

    pub fn start_with(name: &str, environment: &[(&str, &str)]) -> Link {
        static START: Mutex<()> = Mutex::new(());
        let path = bench(name);
        let _one = START.lock().unwrap();
        let (read, requests) = pair();
        let (replies, write) = pair();
        close_on_exec(&requests);
        close_on_exec(&replies);
        let child = Command::new(path)
            .env("TARE_LINK", format!("fd:{},{}", read.as_raw_fd(), write.as_raw_fd()))
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Link { child, requests: Some(requests), replies: BufReader::new(replies) }
    }

    pub fn send(&mut self, bytes: &[u8]) {
        self.requests.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// Receives one line.
    pub fn receive(&mut self) -> String {
        let mut line = String::new();
        self.replies.read_line(&mut line).unwrap();
        assert!(line.ends_with('\n'), "the child has gone: {line:?}");
        line.trim_end().to_owned()
    }

    /// Sends a request and returns its reply.
    pub fn ask(&mut self, request: &str) -> String {
        self.send(format!("{request}\n").as_bytes());
        without_place(self.receive())
    }

    /// The reply to `list` without its end line.
    pub fn list(&mut self) -> Vec<String> {
        let mut lines = vec![self.ask("list")];
        while !lines.last().unwrap().contains(r#""reply":"end""#) {
            let line = self.receive();
            lines.push(line);
        }
        lines.pop();
        lines
    }

    /// The index of the only listed benchmark whose line contains all `parts`.
    pub fn index(&mut self, parts: &[&str]) -> usize {
        let lines = self.list();
        let fitting: Vec<usize> =
            (0..lines.len()).filter(|&at| parts.iter().all(|part| lines[at].contains(part))).collect();
        assert_eq!(fitting.len(), 1, "{parts:?} in {lines:#?}");
        fitting[0]
    }

    /// Closes the host's end, waits, and returns the exit status.
    pub fn hang_up(mut self) -> i32 {
        self.requests = None;
        self.child.wait().unwrap().code().expect("an exit status")
    }
}

/// The numbers of a column.
pub fn column(reply: &str, name: &str) -> Vec<u64> {
    let from = reply.find(&format!("\"{name}\":[")).unwrap_or_else(|| panic!("no {name} in {reply}"));
    let list = &reply[from + name.len() + 4..];
    let list = &list[..list.find(']').unwrap()];
    list.split(',').map(|number| number.parse().unwrap()).collect()
}

/// An `opened` reply without the address of its loop, which differs in each process.
fn without_place(reply: String) -> String {
    let Some((before, rest)) = reply.split_once(r#","loop_address":"#) else { return reply };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    assert!(digits > 0 && before.contains(r#""opened""#), "{reply}");
    format!("{before}{}", &rest[digits..])
}
