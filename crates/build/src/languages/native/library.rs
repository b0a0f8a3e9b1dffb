//! Single-file C libraries that the loader preloads into a program, built once for this machine.

use crate::toolchain::cache::{Cache, Key};
use crate::toolchain::context::Variables;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tare_process::helper::{run, Limits};

const COMPILERS: [&str; 3] = ["cc", "gcc", "clang"];
const LIMITS: Limits = Limits { time: Duration::from_secs(60), bytes: 1 << 16 };

/// The library `tare-NAME.so` for `LD_PRELOAD`, in the folder of built programs.
pub fn c_library(name: &str, source: &str, cache: &Path) -> Result<PathBuf, String> {
    let variables = Variables::of_process();
    let Some(compiler) = COMPILERS.iter().find_map(|name| variables.find(name)) else {
        return Err("there is no C compiler (`cc`) to build it with".to_owned());
    };
    let cache = Cache::open(cache).map_err(|error| error.to_string())?;
    let file = format!("{name}-{}/tare-{name}.so", Key::new(name).with(source).finish());
    let place = cache.path(&file);
    if place.is_file() {
        return Ok(place);
    }
    let scratch = cache.scratch().map_err(|error| error.to_string())?;
    let (text, library) = (scratch.path.join(format!("tare-{name}.c")), scratch.path.join(format!("tare-{name}.so")));
    std::fs::write(&text, source).map_err(|error| error.to_string())?;
    let mut command = variables.command(&compiler);
    command.args(["-O2", "-shared", "-fPIC", "-fno-builtin", "-o"]).arg(&library).arg(&text);
    let done = run(&mut command, LIMITS).map_err(|error| error.to_string())?;
    if !done.success {
        let first = done.text().lines().find(|line| line.contains("error")).unwrap_or_default().to_owned();
        return Err(format!("`{}` cannot build it: {first}", compiler.display()));
    }
    let content = std::fs::read(&library).map_err(|error| error.to_string())?;
    cache.write_program(&file, &content).map_err(|error| error.to_string())?;
    Ok(place)
}
