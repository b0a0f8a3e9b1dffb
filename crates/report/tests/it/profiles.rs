//! Profiles in every form, with names that attack the form: they are made of the stacks that a run keeps.

use crate::exporters::{shown, small_run, text};
use tare_analysis::analyse;
use tare_model::{Attachment, Maker, Owner, Run, Stacks};
use tare_report::{html, Attached, Document, Exporter, Glyphs, Presentation, Rendered, View, Volume};

const HOSTILE: &str = "body;<script>alert(1)</script> 60\nbody;\u{1b}[31m\u{202e}\"'& 30\nbody;caf\u{e9}_[i] 10\n";

fn attachment(case: u32, number: u8) -> Attachment {
    Attachment {
        of: Owner::Case(case),
        part: 0,
        diagnoser: "profile".to_owned(),
        name: "profile.folded".to_owned(),
        title: "100 samples".to_owned(),
        media_type: Stacks::MEDIA_TYPE.to_owned(),
        maker: Maker::Tare,
        bytes: HOSTILE.len() as u64,
        hash: format!("{number:02x}").repeat(32),
        lost: None,
    }
}

fn run() -> (Run, Attached) {
    let mut run = small_run();
    run.attachments = vec![attachment(0, 1), attachment(1, 2)];
    // The second one is damaged, and costs only itself.
    let contents = [HOSTILE, "no stacks"].map(|text| Ok(Some(text.as_bytes().to_vec())));
    let paths = run.attachments.iter().filter_map(Attachment::path);
    let attached = Attached { folder: Some("runs/x".to_owned()), contents: paths.zip(contents).collect() };
    (run, attached)
}

#[test]
fn names_of_functions_are_harmless_in_every_form() {
    let (run, attached) = run();
    let report = analyse(&run);
    let shown = Presentation { attached, ..shown(&run, &report) };
    for name in ["table", "html", "md", "flamegraph", "folded", "speedscope", "firefox"] {
        let exporter = Exporter::of_name(name).expect("it is there");
        let text = text(exporter, &shown);
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{name}: {text}");
        assert!(text.contains("alert(1)") && text.contains("caf\u{e9}"), "{name}: {text}");
        let is_markup = ["html", "md", "flamegraph"].contains(&name);
        assert!(!is_markup || !text.contains("<script>alert"), "{name}: {text}");
        if name == "flamegraph" {
            assert_eq!(tare_picture::unknown(&text), [""; 0]);
            assert!(tare_picture::png(&text).is_ok_and(|file| file.starts_with(b"\x89PNG")));
        }
    }
    let pprof = Exporter::of_name("pprof").expect("it is there");
    assert!(matches!((pprof.render)(&shown), Rendered::Bytes(bytes) if !bytes.is_empty()));
}

#[test]
fn a_table_has_the_samples_beside_every_share() {
    let (run, attached) = run();
    let report = analyse(&run);
    let screen =
        text(Exporter::of_name("table").expect("it is there"), &Presentation { attached, ..shown(&run, &report) });
    let row = screen.lines().find(|line| line.contains("caf\u{e9}")).expect("a row");
    assert!(row.contains("10.0 %") && row.contains("10"), "{screen}");
    assert!(screen.contains("100 samples") && screen.contains("where the time of"), "{screen}");
}

#[test]
fn a_tree_is_of_the_cases_that_are_wanted() {
    let (run, mut attached) = run();
    let report = analyse(&run);
    let document = Document::of_profiles(&report, &attached).expect("a profile");
    let view = View { columns: 60, glyphs: Glyphs::Ascii, volume: Volume::Default, saved: true };
    let lines: Vec<String> = tare_report::screen(&document, &view).iter().map(|line| line.plain()).collect();
    assert!(lines.iter().all(|line| line.len() <= 60 && line.is_ascii()), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("100.0 %") && line.ends_with("body")), "{lines:#?}");
    assert!(html(&document, "t").contains("class=\"frame\""));
    attached.only_profiles_of(&report, |name| name == "none of them");
    assert!(Document::of_profiles(&report, &attached).is_none());
}
