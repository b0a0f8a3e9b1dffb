//! Non-numeric findings of a child's diagnoser (R30).

use serde::Deserialize;
use std::collections::BTreeMap;
use tare_model::{ChildFile, ChildFindings, Remark, Stacks};

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct FoundReply {
    stacks: Vec<String>,
    attachments: Vec<Attached>,
    findings: Vec<FindingReply>,
    facts: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
struct Attached {
    name: String,
    #[serde(default)]
    title: String,
    media_type: String,
    text: Option<String>,
    base64: Option<String>,
}

#[derive(Deserialize)]
struct FindingReply {
    text: String,
    #[serde(default)]
    advice: String,
}

impl FoundReply {
    /// Err: what is wrong with it.
    pub(super) fn read(self) -> Result<ChildFindings, String> {
        let mut stacks = Stacks::default();
        for line in &self.stacks {
            let read = Stacks::parse(line).ok().filter(|one| one.iter().count() == 1 && one.total() > 0);
            let read =
                read.ok_or_else(|| format!("`stacks` contains {line:?}, which is not a stack with its count"))?;
            read.iter().for_each(|(frames, count)| stacks.add(frames.to_vec(), count));
        }
        let files = self.attachments.into_iter().map(Attached::read).collect::<Result<_, _>>()?;
        let remark = |said: FindingReply| Remark { is_warning: false, text: said.text, advice: said.advice };
        Ok(ChildFindings { stacks, files, facts: self.facts, remarks: self.findings.into_iter().map(remark).collect() })
    }
}

impl Attached {
    fn read(self) -> Result<ChildFile, String> {
        let Attached { name, title, media_type, text, base64 } = self;
        let is_name = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']);
        if !is_name || name.chars().any(char::is_control) {
            return Err(format!("an attachment has the name {name:?}, which is not that of a file"));
        }
        let content = match (text, base64) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(text)) => decoded(&text).ok_or_else(|| format!("the content of `{name}` is not base64"))?,
            _ => return Err(format!("the attachment `{name}` needs either `text` or `base64`")),
        };
        Ok(ChildFile { name, title, media_type, content })
    }
}

/// Decodes base64 (RFC 4648) with padding.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    if text.len() % 4 != 0 {
        return None;
    }
    let digits = text.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for four in digits.as_bytes().chunks(4) {
        let word = four.iter().try_fold(0u32, |word, c| Some(word << 6 | u32::from(value(*c)?)))?;
        let word = word << (6 * (4 - four.len()));
        bytes.extend_from_slice(word.to_be_bytes().get(1..four.len())?);
    }
    (text.len() - digits.len() <= 2).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<ChildFindings, String> {
        serde_json::from_str::<FoundReply>(json).expect("json").read()
    }

    #[test]
    fn stacks_files_and_remarks_of_a_child_are_read() {
        let found = read(
            r#"{"stacks":["body;f g 2","body;f g 3","[collector] 1"],"findings":[{"text":"t"}],"facts":{"f":2},"attachments":[
            {"name":"a.txt","media_type":"text/plain","text":"hello"},{"name":"b.pb.gz","title":"T","media_type":"x/y","base64":"AAH/"}]}"#,
        )
        .expect("it is right");
        assert_eq!(found.stacks.to_text(), "[collector] 1\nbody;f g 5\n");
        let contents: Vec<&[u8]> = found.files.iter().map(|file| file.content.as_slice()).collect();
        assert_eq!((contents, found.files[1].title.as_str()), (vec![&b"hello"[..], &[0, 1, 255]], "T"));
        assert_eq!((found.remarks[0].text.as_str(), found.facts["f"]), ("t", 2.0));
        assert_eq!(read("{}"), Ok(ChildFindings::default()));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let file = |member: &str| format!(r#"{{"attachments":[{{"media_type":"t","name":"a"{member}}}]}}"#);
        for (json, part) in [
            (r#"{"stacks":["f"]}"#.to_owned(), "not a stack"),
            (r#"{"stacks":["f 0"]}"#.to_owned(), "not a stack"),
            (r#"{"stacks":["f 1\ng 2"]}"#.to_owned(), "not a stack"),
            (r#"{"attachments":[{"media_type":"t","name":"../a","text":""}]}"#.to_owned(), "not that of a file"),
            (file(""), "needs either"),
            (file(r#","text":"","base64":"""#), "needs either"),
            (file(r#","base64":"AA""#), "not base64"),
            (file(r#","base64":"A===""#), "not base64"),
            (file(r#","base64":"A*==""#), "not base64"),
        ] {
            let error = read(&json).expect_err("refused");
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn base64_is_read() {
        for (text, bytes) in [("", &b""[..]), ("Zg==", b"f"), ("Zm8=", b"fo"), ("Zm9v", b"foo"), ("Zm9vYg==", b"foob")]
        {
            assert_eq!(decoded(text).as_deref(), Some(bytes));
        }
    }
}
