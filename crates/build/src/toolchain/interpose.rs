//! The allocator that counts what programs allocate: built once for this machine, and put in front of that of the C library by the loader.

use super::cache::{Cache, Key};
use super::context::Variables;
use super::options::BuildOptions;
use std::path::PathBuf;
use std::time::Duration;
use tare_process::helper::{run, Limits};

const SOURCE: &str = include_str!("interpose.c");
const COMPILERS: [&str; 3] = ["cc", "gcc", "clang"];
const LIMITS: Limits = Limits { time: Duration::from_secs(60), bytes: 1 << 16 };

/// The library for `LD_PRELOAD`, in the cache.
///
/// # Errors
/// Where there is none for this system, no C compiler, or no room: why, for people.
pub fn interposer(options: &BuildOptions) -> Result<PathBuf, String> {
    if !cfg!(all(target_os = "linux", target_env = "gnu")) {
        return Err("an allocator can be put in front of a program on Linux with glibc only".to_owned());
    }
    let variables = Variables::of_process();
    let Some(compiler) = COMPILERS.iter().find_map(|name| variables.find(name)) else {
        return Err("there is no C compiler (`cc`) to build it with".to_owned());
    };
    let cache = Cache::open(&options.cache).map_err(|error| error.to_string())?;
    let name = format!("memory-{}/tare-memory.so", Key::new("memory").with(SOURCE).finish());
    let place = cache.path(&name);
    if place.is_file() {
        return Ok(place);
    }
    let scratch = cache.scratch().map_err(|error| error.to_string())?;
    let (source, library) = (scratch.path.join("tare-memory.c"), scratch.path.join("tare-memory.so"));
    std::fs::write(&source, SOURCE).map_err(|error| error.to_string())?;
    let mut command = variables.command(&compiler);
    command.args(["-O2", "-shared", "-fPIC", "-fno-builtin", "-o"]).arg(&library).arg(&source);
    let done = run(&mut command, LIMITS).map_err(|error| error.to_string())?;
    if !done.success {
        let first = done.text().lines().find(|line| line.contains("error")).unwrap_or_default().to_owned();
        return Err(format!("`{}` cannot build it: {first}", compiler.display()));
    }
    let content = std::fs::read(&library).map_err(|error| error.to_string())?;
    cache.write_program(&name, &content).map_err(|error| error.to_string())?;
    Ok(place)
}
