//! The embedded front end for C and C++, written into the cache when a build needs it.

use crate::embedded::Files;
use crate::toolchain::cache::{Cache, CacheError, Key};
use std::path::PathBuf;
use std::sync::OnceLock;

static HEADERS: Files = Files::new(|| include!(concat!(env!("OUT_DIR"), "/native.rs")));
/// A translation unit that supplies a weak `main`: the user's own takes precedence.
const MAIN: &str = "#include <tare.h>\nTARE_MAIN()\n";
const CMAKE_CONFIG: &str = include_str!("cmake/tare-config.cmake");
const CMAKE_VERSION: &str = include_str!("cmake/tare-config-version.cmake");

/// Name of its folder in the cache, which depends on its content.
pub(crate) fn folder() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let key = Key::new("cpp").with_all(HEADERS.iter().flat_map(|(name, text)| [*name, *text]));
        format!("frontends/cpp-{}", key.with(MAIN).with(CMAKE_CONFIG).with(CMAKE_VERSION).finish())
    })
}

/// Writes `include/tare.h`, `main.cpp`, `main.c` and `cmake/`. Returns the folder.
pub(crate) fn write(cache: &Cache) -> Result<PathBuf, CacheError> {
    let folder = folder();
    for (name, text) in HEADERS.iter().filter(|(name, _)| name.starts_with("include/")) {
        cache.write(&format!("{folder}/{name}"), text.as_bytes())?;
    }
    let others = [
        ("main.cpp", MAIN),
        ("main.c", MAIN),
        ("cmake/tare-config.cmake", CMAKE_CONFIG),
        ("cmake/tare-config-version.cmake", CMAKE_VERSION),
    ];
    for (name, text) in others {
        cache.write(&format!("{folder}/{name}"), text.as_bytes())?;
    }
    Ok(cache.path(folder))
}
