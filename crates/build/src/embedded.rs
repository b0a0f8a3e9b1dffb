//! The sources of the front ends inside the program, which `build.rs` compresses.

use std::sync::LazyLock;

/// Paths and texts, unpacked when they are first asked for.
pub(crate) type Files = LazyLock<Vec<(&'static str, &'static str)>>;

/// Unpacks the texts of files of these lengths, which lie behind each other. They stay until the program ends.
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
