use super::{c, Crash, LanguageFacts, Rebuild, ToolchainSetting};
use std::collections::BTreeMap;

const NAME: &str = "c++";

pub(super) const FACTS: LanguageFacts = LanguageFacts {
    name: NAME,
    title: "C++",
    settings: &[COMPILER, CXX],
    flags_with_word: &[
        "-I", "-D", "-U", "-L", "-l", "-W", "-F", "-x", "--param", "-include", "-isystem", "-Xclang", "-target",
        "-mllvm",
    ],
    operations: "`.operations(n)`",
    optimise: OPTIMISE,
    main: MAIN,
    declaring: r#"`TARE_BENCH("name", [] { return work(); });`"#,
    crashes: CRASHES,
    loop_files: &["/tare.h", "/tare/detail/add.hpp", "/tare/detail/keep.hpp", "/tare/detail/loop.hpp"],
    loop_is_left: true,
    remarks: Some(remarks),
    unwinds: true,
    ..LanguageFacts::UNKNOWN
};

/// Commands for optimisation remarks, from the compiler call of one file, which ends with the program's name, or from a CMake build.
pub(super) fn remarks(of: &Rebuild) -> Result<Vec<Vec<String>>, String> {
    match of.command {
        [first, build, folder, .., target, name] if first == "cmake" && build == "--build" && target == "--target" => {
            of_cmake(of, folder, name)
        }
        [words @ .., output, _] if output == "-o" => {
            let flags = flags_of_remarks(words.first().map_or("", String::as_str));
            let more = [output.clone(), format!("{}/program", of.folder)].into_iter();
            Ok(vec![words.iter().cloned().chain(more).chain(flags.iter().map(|flag| (*flag).to_owned())).collect()])
        }
        _ => Err("only files and CMake projects that Tare builds are compiled once more for remarks".to_owned()),
    }
}

fn flags_of_remarks(compiler: &str) -> &'static [&'static str] {
    match compiler.contains("clang") {
        true => &["-Rpass=inline|loop-vectorize", "-Rpass-missed=inline|loop-vectorize"],
        false => &["-fopt-info-inline-vec-optimized-missed"],
    }
}

/// Configures the project again as before, with flags for remarks, and builds the one program.
fn of_cmake(of: &Rebuild, built_in: &str, name: &str) -> Result<Vec<Vec<String>>, String> {
    let cache = (of.read)(&format!("{built_in}/CMakeCache.txt")).ok_or("the folder in which CMake built it is gone")?;
    let value = |name: &str| {
        let line = cache.lines().find(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(':')));
        line.and_then(|line| line.split_once('=')).map_or("", |(_, value)| value)
    };
    let mut configure = ["cmake", "-S", of.directory, "-B", of.folder].map(str::to_owned).to_vec();
    if !value("CMAKE_GENERATOR").is_empty() {
        configure.extend(["-G".to_owned(), value("CMAKE_GENERATOR").to_owned()]);
    }
    for name in ["CMAKE_BUILD_TYPE", "CMAKE_CXX_COMPILER", "CMAKE_C_COMPILER", "tare_DIR"] {
        configure.extend(Some(value(name)).filter(|of| !of.is_empty()).map(|of| format!("-D{name}={of}")));
    }
    for language in ["CXX", "C"] {
        let flags = flags_of_remarks(value(&format!("CMAKE_{language}_COMPILER"))).join(" ");
        let name = format!("CMAKE_{language}_FLAGS");
        // Quoted because some flags contain a `|`.
        let flags = flags.split(' ').map(|flag| format!("'{flag}'")).collect::<Vec<_>>().join(" ");
        configure.push(format!("-D{name}={} {flags}", value(&name)));
    }
    let build = ["cmake", "--build", of.folder, "--target", name].map(str::to_owned).to_vec();
    Ok(vec![configure, build])
}

pub(super) const OPTIMISE: &str = "`-O2`";

pub(super) const MAIN: &str = "call `tare_main(argc, argv)` in its `main`, or leave `main` out";

pub(super) const CRASHES: &[Crash] = &[
    Crash { signal: Some(4), ..Crash::any("illegal instruction: build for this machine (-march)") },
    Crash::any("run the program under a debugger or with -fsanitize=address,undefined"),
];

/// Both compilers of a family; one of them is given.
const COMPILER: ToolchainSetting = ToolchainSetting {
    is_value: is_compiler,
    also: |cxx| Some(c_compiler(cxx)),
    ..ToolchainSetting::new(
        "compiler",
        |value| compilers(value).map(|(cxx, cc)| vec![(NAME, cxx), (c::NAME, cc)]),
        family,
    )
};

const CXX: ToolchainSetting = ToolchainSetting::new(
    "cxx",
    |value| Ok(vec![(NAME, value.to_owned())]),
    |chosen| chosen.get(NAME).filter(|_| family(chosen).is_none()).cloned(),
);

pub(super) fn family(chosen: &BTreeMap<String, String>) -> Option<String> {
    let (cxx, cc) = (chosen.get(NAME)?, chosen.get(c::NAME)?);
    (c_compiler(cxx) == *cc).then(|| cxx.clone())
}

/// The C compiler of the family of a C++ compiler: `gcc-13` of `g++-13`.
fn c_compiler(cxx: &str) -> String {
    cxx.replace("clang++", "clang").replace("g++", "gcc")
}

/// A compiler by its usual name: with or without a version, with a prefix for another C library or system, or in a folder: `clang-19`,
/// `musl-gcc`, `/opt/bin/aarch64-linux-gnu-g++-13`.
fn is_compiler(word: &str) -> bool {
    let is_version = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let file = word.rsplit('/').next().unwrap_or(word);
    let name = file.rsplit_once('-').filter(|(_, version)| is_version(version)).map_or(file, |(name, _)| name);
    let family = name.rsplit_once('-').map_or(name, |(_, family)| family);
    ["clang++", "clang", "g++", "gcc"].contains(&family)
}

/// The C++ and C compilers that belong together. Only file names are searched, since folders may contain the name too.
fn compilers(text: &str) -> Result<(String, String), String> {
    let mut end = text.len();
    // The last word that is not a flag: a launcher such as ccache may come before it.
    for word in text.rsplit(char::is_whitespace) {
        let start = end - word.len();
        if !word.starts_with('-') {
            let name = start + word.rfind('/').map_or(0, |at| at + 1);
            // The longer name first: each contains the shorter one of its family.
            for (cxx, cc) in [("clang++", "clang"), ("g++", "gcc")] {
                let with = |old: &str, new: &str| {
                    let at = name + text[name..end].rfind(old)?;
                    Some(format!("{}{new}{}", &text[..at], &text[at + old.len()..]))
                };
                if let Some(other) = with(cxx, cc) {
                    return Ok((text.to_owned(), other));
                }
                if let Some(other) = with(cc, cxx) {
                    return Ok((other, text.to_owned()));
                }
            }
        }
        // The separator is one character, which may be longer than a byte.
        end = text[..start].char_indices().next_back().map_or(0, |(at, _)| at);
    }
    Err(format!("`{text}` is neither gcc nor clang: name its language with `cxx` or `cc`"))
}
