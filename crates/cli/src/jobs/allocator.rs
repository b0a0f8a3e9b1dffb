//! Allocators from Debian packages, preloaded as libraries, and glibc's own huge pages.

use crate::failure::Failure;
use std::path::{Path, PathBuf};
use tare_model::{HugePages, Job};
use tare_report::clean;

struct Allocator {
    name: &'static str,
    files: &'static [&'static str],
    package: &'static str,
}

/// glibc needs no library.
const GLIBC: &str = "glibc";

const ALL: [Allocator; 3] = [
    Allocator { name: "jemalloc", files: &["libjemalloc.so.2"], package: "libjemalloc2" },
    Allocator { name: "mimalloc", files: &["libmimalloc.so.3", "libmimalloc.so.2"], package: "libmimalloc2.0" },
    Allocator {
        name: "tcmalloc",
        files: &["libtcmalloc_minimal.so.4", "libtcmalloc.so.4"],
        package: "libtcmalloc-minimal4",
    },
];

pub fn is_known(name: &str) -> bool {
    name == GLIBC || ALL.iter().any(|known| known.name == name)
}

/// The library of an allocator, given by name or path; None for the default allocator.
pub fn library(name: &str) -> Result<Option<String>, Failure> {
    if name == GLIBC {
        return Ok(None);
    }
    if name.contains('/') {
        let path = std::path::absolute(name).unwrap_or_else(|_| name.into());
        return match path.is_file() {
            true => Ok(Some(path.to_string_lossy().into_owned())),
            false => Err(Failure::Usage {
                what: format!("the allocator `{}` does not exist", clean(name)),
                hint: format!("check the path: `ls -l {}`", clean(name)),
            }),
        };
    }
    let Some(known) = ALL.iter().find(|known| known.name == name) else {
        return Err(Failure::Usage {
            what: format!("`{}` is not an allocator", clean(name)),
            hint: "use glibc, jemalloc, mimalloc, tcmalloc, or the path of a library".to_owned(),
        });
    };
    let folders = folders();
    let found = known.files.iter().find_map(|file| folders.iter().find_map(|folder| in_folder(folder, file)));
    found.map(|path| Some(path.to_string_lossy().into_owned())).ok_or_else(|| Failure::Usage {
        what: format!("the allocator `{name}` is not installed: no `{}` in the folders of the loader", known.files[0]),
        hint: format!("install it: `apt install {}`; or name a library: `allocator=/path/to/lib.so`", known.package),
    })
}

fn folders() -> Vec<PathBuf> {
    let own = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let arch = std::env::consts::ARCH;
    let usual = [
        format!("/usr/lib/{arch}-linux-gnu"),
        format!("/lib/{arch}-linux-gnu"),
        "/usr/lib64".to_owned(),
        "/usr/lib".to_owned(),
        "/usr/local/lib".to_owned(),
    ];
    std::env::split_paths(&own).chain(usual.map(PathBuf::from)).filter(|path| path.is_absolute()).collect()
}

/// The file with this name, or with more version digits after it.
fn in_folder(folder: &Path, file: &str) -> Option<PathBuf> {
    let exact = folder.join(file);
    if exact.is_file() {
        return Some(exact);
    }
    let longer = |name: &str| name.strip_prefix(file).is_some_and(|rest| rest.starts_with('.'));
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter(|entry| longer(&entry.file_name().to_string_lossy()))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found.pop()
}

/// First version of glibc whose allocator supports huge pages.
const GLIBC_MIN: (u32, u32) = (2, 35);

/// Whether this machine supports the huge pages of the job. Without support the program would silently run without them.
pub fn can_have(pages: HugePages, job: &Job) -> Result<(), Failure> {
    let machine = tare_machine::environment::read();
    let no = |why: String, hint: &str| {
        let what = format!("job `{}`: huge pages cannot be `{}`: {why}", clean(&job.id), pages.name());
        Err(Failure::Usage { what, hint: hint.to_owned() })
    };
    if machine.thp.is_none() {
        return no("this system has none".to_owned(), "leave `huge-pages` out");
    }
    if pages == HugePages::Off {
        return Ok(());
    }
    if job.preload.is_some() {
        let why = "the setting belongs to glibc's allocator, but the job uses another one".to_owned();
        return no(why, "use that allocator's own setting, such as `MALLOC_CONF=thp:always` for jemalloc");
    }
    let libc = machine.libc.unwrap_or_default();
    let version = libc.strip_prefix("glibc ").and_then(|version| version.split_once('.'));
    let version = version.and_then(|(major, minor)| Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?)));
    if version.is_none_or(|version| version < GLIBC_MIN) {
        return no(format!("they need glibc 2.35 or later, and this is {libc}"), "leave `huge-pages` out");
    }
    match pages {
        HugePages::On if machine.thp.as_deref() == Some("never") => no(
            "the system provides none to any process".to_owned(),
            "as root: `echo madvise > /sys/kernel/mm/transparent_hugepage/enabled`",
        ),
        HugePages::Reserved if pool_is_empty() => {
            no("the system has none in its pool".to_owned(), "reserve some: `sudo sysctl vm.nr_hugepages=256`")
        }
        _ => Ok(()),
    }
}

fn pool_is_empty() -> bool {
    let count = std::fs::read_to_string("/proc/sys/vm/nr_hugepages").unwrap_or_default();
    count.trim().parse::<u64>().unwrap_or(0) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_found_by_the_beginning_of_its_name() {
        let place = tempfile::tempdir().expect("a folder");
        let at = |name: &str| place.path().join(name);
        for name in ["libmimalloc.so.2.0", "libmimalloc.so.20"] {
            std::fs::write(at(name), "").expect("written");
        }
        assert_eq!(in_folder(place.path(), "libmimalloc.so.2"), Some(at("libmimalloc.so.2.0")));
        assert_eq!(in_folder(place.path(), "libmimalloc.so.3"), None);
        std::fs::write(at("libmimalloc.so.2"), "").expect("written");
        assert_eq!(in_folder(place.path(), "libmimalloc.so.2"), Some(at("libmimalloc.so.2")));
    }

    #[test]
    fn what_is_not_there_is_named_with_its_package() {
        let refused = |name: &str| match library(name) {
            Err(Failure::Usage { what, hint }) => (what, hint),
            other => panic!("{other:?}"),
        };
        assert_eq!(library("glibc").expect("always there"), None);
        assert!(refused("ptmalloc").1.contains("jemalloc"));
        assert!(refused("/no/such.so").0.contains("does not exist"));
        assert!(is_known("tcmalloc") && !is_known("hoard"));
    }
}
