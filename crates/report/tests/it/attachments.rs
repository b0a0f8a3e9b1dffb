//! Files that belong to a run: a list in every form that people read, and on a page the content of what is small and safe.

use crate::exporters::{shown, small_run, text};
use std::collections::BTreeMap;
use tare_analysis::analyse;
use tare_model::{Attachment, Maker, Owner, Run};
use tare_report::{is_shown, Attached, Exporter, Presentation};

fn attachment(number: u8, name: &str, media_type: &str, maker: Maker, bytes: u64) -> Attachment {
    Attachment {
        of: Owner::Case(0),
        part: 0,
        diagnoser: "calls".to_owned(),
        name: name.to_owned(),
        title: "a <title>\u{1b}[31m".to_owned(),
        media_type: media_type.to_owned(),
        maker,
        bytes,
        hash: format!("{number:02x}").repeat(32),
        lost: None,
    }
}

const SCRIPT: &str = "<script>alert(1)</script>";
const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(2)\"/>";

fn run() -> Run {
    let mut run = small_run();
    run.attachments = vec![
        attachment(1, "text.txt", "text/plain; charset=utf-8", Maker::Program, 20),
        attachment(2, "ours.svg", "image/svg+xml", Maker::Tare, 20),
        attachment(3, "theirs.svg", "image/svg+xml", Maker::Program, 20),
        attachment(4, "page.html", "text/html", Maker::Program, 20),
        attachment(5, "large.txt", "text/plain", Maker::Program, 1 << 20),
        attachment(6, "bad.txt", "text/plain", Maker::Program, 20),
        Attachment { lost: Some("no room".to_owned()), ..attachment(7, "lost.txt", "text/plain", Maker::Program, 20) },
        Attachment { of: Owner::Launch(1), ..attachment(8, "bytes.txt", "text/plain", Maker::Program, 20) },
    ];
    run
}

fn attached(run: &Run) -> Attached {
    let content = |a: &Attachment| match a.name.as_str() {
        "text.txt" => Ok(Some(format!("{SCRIPT}\n&\u{1b}[31m").into_bytes())),
        "ours.svg" | "theirs.svg" => Ok(Some(SVG.as_bytes().to_vec())),
        "page.html" => Ok(Some(SCRIPT.as_bytes().to_vec())),
        "bytes.txt" => Ok(Some(vec![0xff, 0xfe])),
        "bad.txt" => Err("it is damaged".to_owned()),
        _ => Ok(None),
    };
    let contents: BTreeMap<_, _> = run.attachments.iter().filter_map(|a| Some((a.path()?, content(a)))).collect();
    Attached { folder: Some("runs/x".to_owned()), contents }
}

fn rendered(name: &str) -> String {
    let run = run();
    let report = analyse(&run);
    let shown = Presentation { attached: attached(&run), ..shown(&run, &report) };
    text(Exporter::of_name(name).expect("it is there"), &shown)
}

#[test]
fn a_page_holds_what_is_small_and_safe_and_lists_the_rest() {
    let page = rendered("html");
    assert!(page.contains("&lt;script&gt;alert(1)") && !page.contains(SCRIPT), "{page}");
    assert_eq!(page.matches("data:image/svg+xml;base64,").count(), 1);
    assert!(!page.contains("onload") && !page.contains('\u{1b}'));
    for path in ["0303030303030303-theirs.svg", "0404040404040404-page.html", "0505050505050505-large.txt"] {
        assert!(page.contains(path), "{path} is not in\n{page}");
    }
    let shown: Vec<String> = run().attachments.into_iter().filter(is_shown).map(|a| a.name).collect();
    assert_eq!(shown, ["text.txt", "ours.svg", "bad.txt", "bytes.txt"]);
}

#[test]
fn every_form_for_people_lists_them_and_names_what_is_wrong() {
    for form in ["table", "md", "html", "asciidoc", "jira"] {
        let flat = rendered(form).replace("<code>", "`").replace("</code>", "`");
        for part in ["text.txt", "it is damaged", "no room"] {
            assert!(flat.contains(part) || form == "table", "{form}: {part:?} is not in\n{flat}");
        }
        assert!(!flat.contains('\u{1b}'), "{form}");
    }
    // A screen has five of them, and says how to see the others.
    let screen = rendered("table");
    assert!(screen.contains("attachments (8)") && screen.contains("3 more"), "{screen}");
    assert!(screen.contains("`runs/x/attachments/0101010101010101-text.txt`"), "{screen}");
}

#[test]
fn json_has_each_with_its_path() {
    let json = rendered("json");
    for part in ["\"attachments\"", "attachments/0101010101010101-text.txt", "\"lost\": \"no room\"", "\"launch\": 1"] {
        assert!(json.contains(part), "{part:?} is not in\n{json}");
    }
}
