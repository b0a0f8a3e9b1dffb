//! C++: each file is one compiler call. Code shared with C is in `native`.

use super::native::{self, Native};
use super::{Lack, Source};

pub(crate) const LANGUAGE: Source = Source {
    name: NATIVE.language,
    suffixes: &["cpp", "cc", "cxx"],
    build: |context, target| native::build(context, target, &NATIVE),
    lack: || native::lacks(&NATIVE).then_some(LACK),
    // For C and C++.
    includes: &["h", "hh", "hpp", "hxx", "inc", "c", "cc", "cpp"],
    settings: &native::WATCHED,
    shelves: &["cmake"],
    first: &[native::first::CPP],
    ..native::SHARED
};

const LACK: Lack = Lack { needs: "a C++ compiler", program: "g++", instead: "install it: `apt install g++`" };

pub(crate) const NATIVE: Native = Native {
    language: "c++",
    variable: "CXX",
    compilers: &["g++", "clang++", "c++"],
    standard: "-std=c++17",
    main: "main.cpp",
    device: None,
};

#[cfg(test)]
mod tests {
    use tare_model::{Job, ToolchainSetting};

    fn setting() -> &'static ToolchainSetting {
        ToolchainSetting::named("compiler").expect("there is one for both languages")
    }

    #[test]
    fn the_other_compiler_has_the_same_folder_and_the_same_flags() {
        for (text, cxx, c) in [
            ("/opt/gcc-14/bin/gcc", "/opt/gcc-14/bin/g++", "/opt/gcc-14/bin/gcc"),
            ("/opt/g++/bin/clang++-16", "/opt/g++/bin/clang++-16", "/opt/g++/bin/clang-16"),
            ("ccache g++", "ccache g++", "ccache gcc"),
            ("clang --gcc-toolchain=/opt/gcc", "clang++ --gcc-toolchain=/opt/gcc", "clang --gcc-toolchain=/opt/gcc"),
            ("'/opt/my gcc/bin/gcc' -m32", "'/opt/my gcc/bin/g++' -m32", "'/opt/my gcc/bin/gcc' -m32"),
            ("aarch64-linux-gnu-gcc", "aarch64-linux-gnu-g++", "aarch64-linux-gnu-gcc"),
            ("musl-gcc", "musl-g++", "musl-gcc"),
        ] {
            let both = Ok(vec![("c++", cxx.to_owned()), ("c", c.to_owned())]);
            assert_eq!((setting().read)(text), both, "{text}");
        }
        for text in ["/opt/gcc/bin/icx", "cc -gcc", ""] {
            assert!((setting().read)(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_compiler_is_known_by_the_end_of_its_name() {
        for name in
            ["gcc", "g++-13", "clang-19.1", "musl-gcc", "x86_64-w64-mingw32-g++", "/opt/bin/riscv64-linux-gnu-gcc-14"]
        {
            assert!((setting().is_value)(name), "{name}");
        }
        for name in ["icx", "gcc-", "gcc-new", "mygcc", "-gcc.so", "jemalloc", "13"] {
            assert!(!(setting().is_value)(name), "{name}");
        }
    }

    #[test]
    fn compilers_of_one_family_are_one_setting() {
        let shown = |cxx: &str, c: &str| {
            let toolchain = [("c++", cxx), ("c", c)].map(|(name, value)| (name.to_owned(), value.to_owned())).into();
            let settings = Job { toolchain, ..Job::default() }.settings();
            settings.into_iter().map(|setting| format!("{}={}", setting.name, setting.value)).collect::<Vec<_>>()
        };
        assert_eq!(shown("clang++-16", "clang-16"), ["compiler=clang++-16"]);
        assert_eq!(shown("g++", "clang"), ["cxx=g++", "cc=clang"]);
    }
}
