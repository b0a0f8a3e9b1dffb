//! The digest of a result's text (R21).

/// The 64-bit FNV-1a hash of a text, as 16 hexadecimal digits.
pub fn digest(text: &str) -> String {
    let start = 0xcbf2_9ce4_8422_2325_u64;
    let hash = text.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::digest;

    /// The table in `spec/`. Its last column is the text as JSON.
    #[test]
    fn digests_are_those_of_the_table() {
        let table = include_str!("../../../spec/digests.txt");
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split('\t').collect();
            let text: String = serde_json::from_str(columns[3]).expect("a JSON string");
            assert_eq!(digest(&text), columns[2], "{line}");
        }
    }
}
