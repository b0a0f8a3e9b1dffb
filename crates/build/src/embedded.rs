//! The sources of the front ends inside the program, compressed by `build.rs`.

use std::sync::LazyLock;

/// Paths and texts, unpacked on first use.
pub(crate) type Files = LazyLock<Vec<(&'static str, &'static str)>>;

/// Unpacks the concatenated texts of files of these lengths. They are never freed.
pub(crate) fn unpacked(packed: &[u8], files: &[(&'static str, usize)]) -> Vec<(&'static str, &'static str)> {
    let bytes = miniz_oxide::inflate::decompress_to_vec(packed).unwrap_or_default();
    let mut left: &'static str = String::from_utf8(bytes).unwrap_or_default().leak();
    let of_file = |&(name, length): &(&'static str, usize)| {
        let (text, others) = left.split_at_checked(length).expect("this program was built with all of its front ends");
        left = others;
        (name, text)
    };
    files.iter().map(of_file).collect()
}

#[cfg(test)]
mod tests {
    /// The languages of `build.rs`, each with a file of its front end.
    macro_rules! front_ends {
        ($($language:literal: $file:literal,)*) => {
            [$(($language, include!(concat!(env!("OUT_DIR"), "/", $language, ".rs")), $file),)*]
        };
    }

    #[test]
    fn every_front_end_is_embedded_without_its_tests() {
        for (language, files, wanted) in front_ends![
            "dotnet": "/Child.cs",
            "go": "/tare_run.go",
            "java": "src/tare/child/Main.java",
            "javascript": "start.js",
            "native": "tare.h",
            "python": "start.py",
            "rust": "src/lib.rs",
        ] {
            let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
            assert!(names.iter().any(|name| name.ends_with(wanted)), "{language}: {names:?}");
            assert!(!names.iter().any(|name| name.contains("tests")), "{language}: {names:?}");
            assert!(files.iter().all(|(_, text)| !text.is_empty()), "{language}: {names:?}");
        }
    }
}
