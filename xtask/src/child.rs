//! Writes the tables of pages from `spec/child.toml`.

use std::path::PathBuf;
use toml::{Table, Value};

/// The pages, the prefix of their lines, and the tables that follow a line `<!-- spec/child.toml: TABLE -->` in them.
const PAGES: [(&str, &str, &[&str]); 7] = [
    ("spec/protocol.md", "", &["errors", "verbs", "replies", "hello", "benchmark", "measured"]),
    ("frontends/cpp/README.md", "", &["options of cpp"]),
    ("frontends/rust/README.md", "", &["options of rust"]),
    ("frontends/rust/tare/src/lib.rs", "/// ", &["options of rust"]),
    ("frontends/python/README.md", "", &["options of python"]),
    ("frontends/javascript/README.md", "", &["options of javascript"]),
    ("frontends/java/README.md", "", &["options of java"]),
];

/// Reads `spec/child.toml`.
///
/// # Errors
/// If it cannot be read.
pub fn read() -> Result<Table, String> {
    let path = crate::root().join("spec/child.toml");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    text.parse().map_err(|error| format!("{}: {error}", path.display()))
}

/// The entries of one of its lists.
pub fn entries<'a>(file: &'a Table, list: &str) -> Vec<&'a Table> {
    file.get(list).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table).collect()
}

/// A text of an entry; empty if it is missing.
pub fn text<'a>(entry: &'a Table, key: &str) -> &'a str {
    entry.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// How a language spells an option; None if the language lacks it.
pub fn spelled(option: &Table, language: &str) -> Option<String> {
    if !text(option, language).is_empty() {
        return Some(text(option, language).to_owned());
    }
    text(option, "in").split(' ').find(|known| *known == language)?;
    let (name, value) = (text(option, "name"), text(option, "value"));
    let is_flag = value.is_empty();
    let or = |flag: &str| if is_flag { flag.to_owned() } else { value.to_owned() };
    Some(match language {
        "cpp" => format!(".{name}({value})"),
        "rust" if is_flag => name.to_owned(),
        "rust" => format!("{name} = {value}"),
        "python" => format!("{name}={}", or("True")),
        "javascript" => format!("{}: {}", camel(name), or("true")),
        _ => format!("{} = {}", camel(name), or("true")),
    })
}

fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |all, word| all + &word[..1].to_uppercase() + &word[1..])
}

/// Replaces names of options by the spelling of the language.
fn named(file: &Table, language: &str, text: String) -> String {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    entries(file, "options").iter().fold(text, |all, option| match spelled(option, language) {
        Some(spelled) => {
            let name = spelled.trim_start_matches('.').split(|c| !is_of_name(c)).next().unwrap_or_default().to_owned();
            all.replace(&format!("`{}`", self::text(option, "name")), &format!("`{name}`"))
        }
        None => all,
    })
}

/// Titles of columns, and the keys of their cells: a backquote at the start means code.
const COLUMNS: [(&str, &[(&str, &str)]); 6] = [
    ("errors", &[("kind", "`kind"), ("when", "when")]),
    (
        "verbs",
        &[
            ("request", "`request"),
            ("state", "state"),
            ("capability", "`capability"),
            ("limits of the arguments", "limits"),
            ("replies", "replies"),
        ],
    ),
    (
        "replies",
        &[("reply", "`reply"), ("member", "`name"), ("type", "type"), ("required", "required"), ("meaning", "meaning")],
    ),
    ("hello", &[("member", "`name"), ("type", "type"), ("required", "required"), ("meaning", "meaning")]),
    ("benchmark", &[("member", "`name"), ("type", "type"), ("required", "required"), ("meaning", "meaning")]),
    (
        "measured",
        &[
            ("member", "`name"),
            ("required", "required"),
            ("meaning: one number for each iteration, in order", "meaning"),
        ],
    ),
];

/// The lines of a table.
fn table(file: &Table, name: &str) -> Vec<String> {
    let code = |text: &str| if text.is_empty() { String::new() } else { format!("`{text}`") };
    let cell = |entry: &Table, key: &str| match key.strip_prefix('`') {
        Some(key) => code(text(entry, key)),
        None => text(entry, key).to_owned(),
    };
    let (heads, rows): (Vec<&str>, Vec<Vec<String>>) = match name.strip_prefix("options of ") {
        Some(language) => {
            let row = |option: &&Table| {
                let note = text(option, &format!("{language}_note"));
                let meaning = [text(option, "meaning"), note].join(if note.is_empty() { "" } else { "; " });
                Some(vec![code(&spelled(option, language)?), named(file, language, meaning)])
            };
            (vec!["option", "meaning"], entries(file, "options").iter().filter_map(row).collect())
        }
        None => {
            let columns = COLUMNS.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, columns)| columns);
            let row = |entry: &Table| columns.iter().map(|(_, key)| cell(entry, key)).collect();
            (columns.iter().map(|(head, _)| *head).collect(), entries(file, name).into_iter().map(row).collect())
        }
    };
    let line = |cells: &[String]| {
        let cells =
            cells
                .iter()
                .map(|cell| if cell.is_empty() { "|".to_owned() } else { format!("| {}", cell.replace('|', "\\|")) });
        cells.collect::<Vec<_>>().join(" ") + " |"
    };
    let rule = "|---".repeat(heads.len()) + "|";
    let head = format!("| {} |", heads.join(" | "));
    [head, rule].into_iter().chain(rows.iter().map(|row| line(row))).collect()
}

/// The expected text of every page.
///
/// # Errors
/// If a page cannot be read, or lacks the place of a table.
pub fn pages() -> Result<Vec<(PathBuf, String)>, String> {
    let file = read()?;
    let page = |(path, prefix, tables): (&str, &str, &[&str])| {
        let path = crate::root().join(path);
        let mut text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        for name in tables {
            let marker = format!("{prefix}<!-- spec/child.toml: {name} -->\n{}\n", prefix.trim_end());
            let (before, after) = text.split_once(&marker).ok_or(format!("{}: no line {marker}", path.display()))?;
            let is_row = |line: &&str| line.strip_prefix(prefix).is_some_and(|line| line.starts_with('|'));
            let rest: String = after.split_inclusive('\n').skip_while(is_row).collect();
            let lines: String = table(&file, name).iter().map(|line| format!("{prefix}{line}\n")).collect();
            text = format!("{before}{marker}{lines}{rest}");
        }
        Ok((path, text))
    };
    PAGES.into_iter().map(page).collect()
}

/// Writes the pages.
///
/// # Errors
/// If a page cannot be read or written.
pub fn write() -> Result<(), String> {
    for (path, text) in pages()? {
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}
