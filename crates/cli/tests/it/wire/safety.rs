//! What is written is for its owner alone, nothing listens, and no stranger's text reaches the terminal as it is.

use crate::support::{children, json, out, reference, wait_until, Place, SHORT};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Every file and folder below a path that others than the owner may read, write or enter.
fn open_to_others(path: &Path, found: &mut Vec<String>) {
    let data = fs::symlink_metadata(path).expect("there");
    if data.file_type().is_symlink() {
        return;
    }
    if data.permissions().mode() & 0o077 != 0 {
        found.push(format!("{:o} {}", data.permissions().mode() & 0o7777, path.display()));
    }
    if data.is_dir() {
        fs::read_dir(path).expect("a folder").flatten().for_each(|entry| open_to_others(&entry.path(), found));
    }
}

#[test]
fn what_is_kept_is_for_its_owner_alone() {
    let place = Place::with_stand_in("rights");
    place.write("a.c", "#include <tare.h>\n//bench a/b 1\n");
    let command = place
        .command(["run", "a.c", reference(), "--exclude", "sum/*"])
        .args(SHORT)
        .env("XDG_CACHE_HOME", place.join("cache"))
        .output();
    assert_eq!(command.expect("tare runs").status.code(), Some(0));
    let mut found = Vec::new();
    // The folder of the project's runs, the machine profile, the built programs: the last is what is run.
    open_to_others(&place.join(".tare"), &mut found);
    open_to_others(&place.join("home/.local/state/tare"), &mut found);
    let cache = fs::metadata(place.join("cache/tare")).expect("a cache");
    assert_eq!(cache.permissions().mode() & 0o777, 0o700, "the cache is closed");
    assert_eq!(found, Vec::<String>::new());
}

/// A repository can carry a link: what is measured in it must not land where the link leads.
#[test]
fn a_link_in_the_place_of_the_store_is_refused() {
    let place = Place::new("link");
    fs::create_dir(place.join("system")).expect("a folder");
    std::os::unix::fs::symlink(place.join("system"), place.join(".tare")).expect("a link");
    for args in [&["run", reference()][..], &["show", "latest"], &["runs"], &["clean"], &["baseline", "set", "x"]] {
        let output = place.tare(args);
        let reported = crate::support::err(&output);
        assert_eq!(output.status.code(), Some(96), "{args:?}: {reported}");
        assert!(reported.contains("/.tare` cannot be used: it is a symbolic link\n"), "{args:?}: {reported}");
        assert!(reported.contains("hint: results are only stored in a folder that you own"), "{reported}");
    }
    // What is not stored needs no folder.
    place.ends_with(0, ["run", reference(), "--no-save"].iter().chain(&crate::support::SHORT));
    place.ends_with(0, ["time", "true", "--runs", "2", "--no-save"]);
    assert_eq!(fs::read_dir(place.join("system")).expect("a folder").count(), 0);
}

/// A file system socket, a port, a named pipe: there is none. All that is there are the pipes to the children.
#[test]
fn nothing_listens() {
    let place = Place::new("sockets");
    let program = place.misbehave("hang@body");
    let mut tare = place.start(["run", &program, "--quick", "--launches", "2"]);
    wait_until("children run", || place.processes().len() >= 3);
    let mut sockets = Vec::new();
    for line in place.processes() {
        let pid = line.split(' ').next().expect("a number");
        for entry in fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten() {
            let target = fs::read_link(entry.path()).unwrap_or_default();
            if target.to_string_lossy().starts_with("socket:") {
                sockets.push(format!("{line}: {}", target.display()));
            }
        }
    }
    tare.kill().expect("killed");
    tare.wait().expect("an end");
    assert_eq!(sockets, Vec::<String>::new());
    place.assert_nothing_left("a killed run");
}

/// A child whose every text tries to move the cursor, to change the title, to ring the bell, and to turn the text around.
const HOSTILE: &str = r##"
import json, os, sys
EVIL = "\x1b[2J\x1b]0;title\x07\r\n\x9b31m\u202etxet\u0000"
r, w = (int(n) for n in os.environ["TARE_LINK"][3:].split(","))
requests, replies = os.fdopen(r), os.fdopen(w, "w")
sys.stderr.write("on stderr " + EVIL + "\n"); sys.stderr.flush()
def say(**reply):
    replies.write(json.dumps(reply) + "\n"); replies.flush()
for line in requests:
    verb, *words = line.split()
    if verb == "hello":
        say(reply="hello", protocol=1, language="evil" + EVIL, front_end="f" + EVIL, optimised=True, clock="c" + EVIL,
            clock_resolution_ns=1, unroll=1, compiler="cc" + EVIL, flags=EVIL, capabilities=["check"])
    elif verb == "list":
        for index, name in enumerate(["good", "throws"]):
            say(reply="benchmark", index=index, group="group" + EVIL, name=name + EVIL, unit="op" + EVIL,
                parameters=[{"name": "p" + EVIL, "value": "v" + EVIL}], description="d" + EVIL, file="f" + EVIL, line=1,
                categories=["c" + EVIL], baseline=index == 0)
        say(reply="end", count=2)
    elif verb == "open":
        bad = words[0] == "1"
        say(reply="opened")
    elif verb == "check":
        say(reply="checked", digest="d" + EVIL, text="t" + EVIL)
    elif verb == "measure" and bad:
        say(reply="error", kind="exception", step="body", message="m" + EVIL, type="t" + EVIL, file="f" + EVIL, line=1)
    elif verb == "measure":
        say(reply="measured", elapsed_ns=[float(words[2]) * 10.0] * int(words[1]))
    elif verb == "close":
        say(reply="closed")
    else:
        say(reply="bye")
        sys.exit(0)
"##;

/// Control characters, and those that change the direction of text, in what is shown to people.
fn tricks(text: &str) -> Vec<char> {
    let turns =
        ['\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}'];
    text.chars().filter(|c| (c.is_control() && *c != '\n') || turns.contains(c)).collect()
}

#[test]
fn control_characters_of_a_child_do_not_reach_the_screen() {
    if !crate::support::have("python3") {
        return crate::support::skip("a hostile child", "no python3");
    }
    let place = Place::new("hostile");
    let child = place.script("child", &format!("#!/usr/bin/env python3\n{HOSTILE}"));
    let forms: [(i32, &[&str]); 8] = [
        (0, &["list"]),
        (0, &["list", "--tree"]),
        (0, &["list", "--json"]),
        (100, &["run", "-v"]),
        (0, &["show", "--md"]),
        (0, &["show", "--json"]),
        (4, &["run", "--filter", "gouod"]),
        (0, &["runs"]),
    ];
    for (code, words) in forms {
        let (verb, flags) = words.split_first().expect("a verb");
        let mut args = vec![*verb];
        match *verb {
            "runs" => {}
            "show" => args.push("latest"),
            "run" => args.extend([child.as_str()].iter().chain(&SHORT)),
            _ => args.push(&child),
        }
        args.extend(flags);
        let output = place.tare(&args);
        let (reported, errors) = (out(&output), crate::support::err(&output));
        assert_eq!(output.status.code(), Some(code), "{args:?}: {reported}{errors}");
        let of_text = if args.contains(&"--json") || args.contains(&"json") {
            // For programs: what RFC 8259 calls a control character is escaped.
            reported.chars().filter(|c| *c < ' ' && *c != '\n').collect()
        } else {
            tricks(&reported)
        };
        assert_eq!((of_text, tricks(&errors)), (vec![], vec![]), "{args:?}: {reported:?} {errors:?}");
    }
    // One that says no more than this.
    let rude = place.script("rude", "#!/bin/sh\nprintf 'rude \\033]0;x\\007\\n' >&2\nexit 3\n");
    let reported = place.ends_with(103, ["conformance", "--quick", &rude]);
    assert!(tricks(&reported).is_empty() && reported.contains("the last line it printed: rude"), "{reported:?}");
    // The raw text is in the run, where programs read it.
    let run = json(&fs::read_to_string(place.runs().pop().expect("a run").join("run.json")).expect("run.json"));
    assert!(run["plan"]["cases"][0]["benchmark"]["name"].as_str().expect("a name").contains('\u{1b}'));
}

/// Nothing of the host's environment for the link is seen by what a benchmark starts, and standard input is empty.
#[test]
fn a_child_has_only_what_it_needs() {
    let place = Place::new("descriptors");
    let misbehave = children().join("reference-child");
    let text =
        format!("#!/bin/sh\nls -l /proc/self/fd >'{}'\nexec '{}'\n", place.join("fds").display(), misbehave.display());
    let program = place.script("child", &text);
    place.ends_with(0, ["list", &program]);
    let open: Vec<String> =
        place.read("fds").lines().filter_map(|l| l.split(" -> ").nth(1).map(str::to_owned)).collect();
    assert!(open.contains(&"/dev/null".to_owned()), "{open:?}");
    // 0, 1, 2 and the link; `ls` has opened the folder itself.
    let others = open.iter().filter(|to| !to.starts_with("/proc/"));
    assert_eq!(others.count(), 5, "{open:?}");
    assert!(place.ends_with(0, ["list", reference()]).contains("text/strlen"));
}
