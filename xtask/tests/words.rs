//! Texts for users keep to the glossary: one term for each thing, and no phrase that reads as translated.

use xtask::words::{findings, glossary, holds, of_source, texts, BANNED, OTHER_SENSE};

#[test]
fn texts_for_users_keep_the_glossary() {
    let lines: Vec<String> = findings()
        .expect("texts")
        .into_iter()
        .map(|f| {
            format!("{}:{}: `{}`: write `{}`: {}", f.text.file, f.text.line, f.phrase, f.instead, f.text.words.trim())
        })
        .collect();
    assert!(lines.is_empty(), "{} phrases to change:\n{}", lines.len(), lines.join("\n"));
}

#[test]
fn all_kinds_of_texts_are_looked_at() {
    let all = texts(&xtask::root()).expect("texts");
    for (file, words) in [
        ("README.md", "A process is the unit of evidence"),
        ("docs/guides/ci.md", "CI machines are shared"),
        ("spec/exit-codes.md", "an internal error of Tare"),
        ("frontends/cpp/README.md", "Headers for C++17"),
        ("crates/cli/src/args/effort.rs", "Faster, less certain"),
        ("crates/cli/src/failure/hints.rs", "please report this bug"),
        ("crates/report/src/parts/failures.rs", "perhaps out of memory"),
    ] {
        assert!(all.iter().any(|text| text.file == file && text.words.contains(words)), "{file}: {words}");
    }
    let tests: Vec<_> = all.iter().filter(|text| text.file.contains("/tests/")).collect();
    assert!(tests.is_empty(), "{tests:?}");
}

#[test]
fn the_lists_are_of_the_glossary_and_of_use() {
    let terms = glossary(&xtask::root()).expect("the glossary");
    assert!(terms.contains(&("data point".to_owned(), "measurement".to_owned())), "{terms:?}");
    for (word, sense) in OTHER_SENSE {
        assert!(terms.iter().any(|(term, _)| term == word) && !sense.is_empty(), "`{word}` is not in the glossary");
    }
    // No banned phrase is proposed elsewhere.
    for (phrase, _) in BANNED {
        assert!(BANNED.iter().all(|(_, instead)| !holds(instead, phrase, false)), "{phrase}");
    }
}

#[test]
fn whole_words_are_found() {
    assert!(holds("one data point", "data point", true) && holds("data points, two", "data point", true));
    assert!(!holds("data pointer", "data point", true) && !holds("amendment", "mend", false));
    assert!(!holds("plug-ins", "plug", true));
}

#[test]
fn literals_are_found_without_code_and_comments() {
    let source = "/// a doc\nfn f() { // \"no no\"\n    let a = \"one `two` \\\n        three\"; let b = '\"'; g(\"x\", \"four five\"); }\n\
                  #[cfg(test)]\nmod tests { const A: &str = \"six seven\"; }\n";
    assert_eq!(of_source(source, false), [(3, "one ` three".to_owned()), (4, "four five".to_owned())]);
    assert_eq!(of_source(source, true)[0], (1, "a doc".to_owned()));
}
