//! Programs that `dotnet build` made with BenchmarkDotNet, and without Tare: the runtime loads the front end before `Main`, and an adapter
//! for the library that lies beside the program reads what it declares.

use super::file::runtime_version;
use super::front_end::{keep, words_of, FrontEnd, TARE};
use super::msbuild::hooks;
use super::sdk::Sdk;
use crate::discover::Target;
use crate::toolchain::cache::{hash_file, CacheError, Key};
use crate::toolchain::context::{text, BuildContext};
use crate::toolchain::failure::BuildFailure;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tare_process::files::entries;

const ADAPTER: &str = "Tare.BenchmarkDotNet";
const SOURCES: &str = "BenchmarkDotNet";
/// What lies beside a program that uses the library, and what the adapter refers to.
const LIBRARY: &str = "BenchmarkDotNet.dll";
const REFERENCES: [&str; 3] = [LIBRARY, "BenchmarkDotNet.Annotations.dll", "Perfolizer.dll"];

/// The variables of its processes; none where it does not use the library, or has the front end beside it.
pub(super) fn hook(context: &BuildContext, target: &Target) -> Result<BTreeMap<String, String>, BuildFailure> {
    let folder = target.path.parent().unwrap_or(Path::new("/"));
    let library = folder.join(LIBRARY);
    if !library.is_file() || folder.join(format!("{ADAPTER}.dll")).is_file() {
        return Ok(BTreeMap::new());
    }
    let sdk = Sdk::find(context)?;
    let front_end = FrontEnd::find(context, &sdk)?;
    let references = sdk.references_for(context, runtime_version(&target.path).as_deref())?;
    let compiled = front_end.compiled(context, &sdk, &references)?;
    let hash = |path: &Path| hash_file(path).map_err(|e| CacheError::new("read", path, e));
    let key = Key::new("csharp-adapter").with(&front_end.key).with(&references.place).with(hash(&library)?).finish();
    let place = format!("adapters/{}", &key[..16]);
    let folder_of_adapter = context.cache.path(&place);
    let hooked = folder_of_adapter.join(format!("{TARE}.dll"));
    if !folder_of_adapter.join(format!("{ADAPTER}.dll")).is_file() {
        let scratch = context.cache.scratch()?;
        let to = scratch.path.join(format!("{ADAPTER}.dll"));
        // A newer assembly of the framework lies beside a program that brings it.
        let beside = beside(folder);
        let is_beside = |path: &PathBuf| beside.iter().any(|own| own.file_name() == path.file_name());
        let mut references = references;
        references.files.retain(|path| !is_beside(path));
        let mut words = words_of(&references, Some(&compiled), "library", &to);
        words.extend(beside.iter().map(|file| format!("-r:{}", file.display())));
        words.extend(front_end.sources(SOURCES));
        front_end.compile(context, &sdk, &words)?;
        for path in [&compiled, &to] {
            keep(&context.cache, &place, path)?;
        }
    }
    Ok(hooks(context, &text(&hooked)))
}

/// The assemblies beside a program that the adapter or the library may need.
fn beside(folder: &Path) -> Vec<PathBuf> {
    let is_needed = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_of_framework = ["System.", "Microsoft."].iter().any(|begin| name.starts_with(begin));
        REFERENCES.contains(&name.as_str()) || (is_of_framework && name.ends_with(".dll"))
    };
    entries(folder).into_iter().filter(is_needed).collect()
}
