//! Counted nouns, words of a shell, and names that look like another.

use tare_model::text::{edit_distance, nearest, plural, shell_line, shell_word, split_words, Unclosed};

#[test]
fn one_is_singular() {
    let found = [(1_u64, "case"), (2, "case"), (0, "launch"), (3, "process")].map(|(n, noun)| plural(n, noun));
    assert_eq!(found, ["1 case", "2 cases", "0 launches", "3 processes"]);
}

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn a_slip_is_found() {
    let names: Vec<String> = ["parse/strtol", "parse/from_chars", "sort/std"].map(str::to_owned).to_vec();
    assert_eq!(nearest("strol", &names, 3), ["parse/strtol"]);
    assert_eq!(nearest("*PARSE*", &names, 1), ["parse/strtol"]);
    assert!(nearest("zzzzzzzz", &names, 3).is_empty());
    let names: Vec<String> = ["sum/loop[n=10]", "sum/loop[n=1000]", "sum/formula[n=10]"].map(str::to_owned).to_vec();
    assert_eq!(nearest("sum/lop*", &names, 3), names[..2]);
}

#[test]
fn swapped_neighbours_are_one_slip() {
    assert_eq!((edit_distance("HAED", "HEAD"), edit_distance("spilt", "split")), (1, 1));
    assert_eq!(edit_distance("ab", "ba"), 1);
    // Each letter is swapped once at most.
    assert_eq!(edit_distance("ca", "abc"), 3);
    assert_eq!(nearest("spilt", &words(&["parse/strtol", "text/split"]), 3), ["text/split"]);
    assert_eq!(nearest("sotr", &words(&["hash/std", "sort/std"]), 1), ["sort/std"]);
    assert_eq!(nearest("haed", &words(&["head", "hard"]), 3), ["head", "hard"]);
    assert_eq!(nearest("ba", &words(&["ab"]), 1), ["ab"]);
}

#[test]
fn words_as_a_shell_splits_them() {
    let of = |text: &str| split_words(text).expect("quotes are closed");
    assert_eq!(of(r#" -a  "-Db=c d" '' -e\ f 'g"h'i "#), ["-a", "-Db=c d", "", "-e f", "g\"hi"]);
    assert_eq!(of(r#"grep "a\|b" "\"c\"" 'd\'"#), ["grep", r"a\|b", r#""c""#, r"d\"]);
    assert_eq!(of("\\"), [""]);
    assert_eq!((split_words("grep 'a"), split_words("x \"")), (Err(Unclosed('\'')), Err(Unclosed('"'))));
}

#[test]
fn words_come_back_from_a_shell_as_they_were() {
    for word in ["plain", "a b", "it's", "", "$HOME", "HEAD^", "a\"b", "naïve", "--x=1", "*"] {
        assert_eq!(split_words(&shell_word(word)).as_deref(), Ok(&[word.to_owned()][..]), "{word}");
    }
    assert_eq!(shell_line(["cc", "-o", "a b"]), "cc -o 'a b'");
}
