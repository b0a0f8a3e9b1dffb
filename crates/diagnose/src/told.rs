//! The findings of a program's own diagnoser beside its metrics.

use crate::{Belongs, File, Findings};
use tare_model::{ChildFindings, Maker, Stacks};

/// Stacks and files become attachments; remarks stay as they are.
pub(crate) fn findings(diagnoser: &str, found: ChildFindings) -> Findings {
    let ChildFindings { stacks, files, facts, remarks } = found;
    let folded = (!stacks.is_empty()).then(|| File {
        of: Belongs::Case,
        name: format!("{diagnoser}.folded"),
        title: format!("{} samples, by the program itself", stacks.total()),
        media_type: Stacks::MEDIA_TYPE.to_owned(),
        maker: Maker::Program,
        content: Ok(stacks.to_text().into_bytes()),
    });
    let own = files.into_iter().map(|file| File {
        of: Belongs::Case,
        name: file.name,
        title: file.title,
        media_type: file.media_type,
        maker: Maker::Program,
        content: Ok(file.content),
    });
    Findings {
        files: folded.into_iter().chain(own).collect(),
        counts: facts.into_iter().collect(),
        remarks,
        ..Findings::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::ChildFile;

    #[test]
    fn stacks_and_files_become_attachments() {
        let mut found = ChildFindings::default();
        assert_eq!(findings("heat", found.clone()).files.len(), 0);
        found.stacks.add(vec!["body".to_owned(), "f".to_owned()], 3);
        let text = |name: &str| ChildFile {
            name: name.to_owned(),
            title: String::new(),
            media_type: "text/plain".to_owned(),
            content: b"x".to_vec(),
        };
        found.files.push(text("a.txt"));
        let files = findings("heat", found).files;
        assert_eq!((files[0].name.as_str(), files[0].content.as_deref()), ("heat.folded", Ok(&b"body;f 3\n"[..])));
        assert_eq!((files[1].name.as_str(), files[1].content.as_deref()), ("a.txt", Ok(&b"x"[..])));
    }
}
