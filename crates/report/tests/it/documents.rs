//! What holds for the document of every subject, whatever renders it.

use crate::{compared, reports};
use tare_analysis::gate::Judgement;
use tare_report::{markdown, Compared, Content, Document, Glyphs, Medium, View, Volume};

/// One of a run and of a comparison.
fn documents(medium: &Medium) -> [Document; 2] {
    let (report, comparison, judgement) = (reports::everything(), compared::everything(), compared::judgement());
    let judgement: Option<&Judgement> = Some(&judgement);
    let compared = Compared { comparison: &comparison, report: Some(&report), judgement, top: None };
    [Document::of_run(&report, judgement, medium), Document::of_comparison(&compared, medium)]
}

fn screens() -> impl Iterator<Item = Medium> {
    [Volume::Quiet, Volume::Default, Volume::Verbose]
        .into_iter()
        .map(|volume| Medium::screen(&View { columns: 80, glyphs: Glyphs::Unicode, volume, saved: true }))
}

fn pages() -> impl Iterator<Item = Medium> {
    [Volume::Default, Volume::Verbose].into_iter().map(|volume| Medium::page(volume, Glyphs::Unicode))
}

fn contents(document: &Document) -> impl Iterator<Item = &Content> {
    document.parts.iter().flat_map(|part| &part.contents)
}

fn has_list(document: &Document, title: &str) -> bool {
    contents(document).any(|content| matches!(content, Content::List(list) if list.title == title))
}

#[test]
fn nothing_in_a_document_is_empty() {
    for document in screens().chain(pages()).flat_map(|medium| documents(&medium)) {
        assert!(!document.parts.is_empty());
        assert!(document.parts.iter().all(|part| !part.contents.is_empty()));
        for content in contents(&document) {
            match content {
                Content::Table(table) => assert!(table.blocks.iter().any(|block| !block.rows.is_empty())),
                Content::List(list) => assert!(!list.entries.is_empty(), "{}", list.title),
                Content::Facts(facts) | Content::Sheet(facts) => {
                    assert!(!facts.is_empty() && facts.iter().all(|fact| !fact.text().is_empty()));
                }
                _ => {}
            }
        }
    }
}

#[test]
fn a_screen_ends_with_what_to_do_and_a_page_says_what_the_gate_says() {
    for document in screens().flat_map(|medium| documents(&medium)) {
        assert!(!has_list(&document, "the gate failed"), "it depends on more than what was measured");
    }
    for document in
        screens().filter(|medium| medium.volume != Volume::Quiet).flat_map(|r| documents(&r).into_iter().take(2))
    {
        assert!(matches!(contents(&document).last(), Some(Content::Next { command: Some(_), .. })));
    }
    for document in pages().flat_map(|medium| documents(&medium)) {
        assert!(has_list(&document, "the gate failed"));
        assert!(!contents(&document).any(|content| matches!(content, Content::Next { .. } | Content::Brief(_))));
    }
}

#[test]
fn a_full_page_has_every_case_folded() {
    let report = reports::simple();
    let of = |volume| Document::of_run(&report, None, &Medium::page(volume, Glyphs::Unicode));
    let histograms = |document: &Document| {
        let folded = document.parts.iter().filter(|part| part.folded.is_some());
        folded.filter(|part| part.contents.iter().any(|c| matches!(c, Content::Histogram { .. }))).count()
    };
    assert_eq!((histograms(&of(Volume::Default)), histograms(&of(Volume::Verbose))), (0, 3));
    let text = markdown(&of(Volume::Verbose), Glyphs::Unicode, None);
    let (open, folded) = text.split_once("<details><summary>parse/strtol</summary>\n\n").expect("folded");
    assert!(open.contains("| strtol |") && !open.contains("<details>"), "what is folded comes last");
    assert!(folded.starts_with("- time      9.134 ns") && folded.contains("\n| launch | wave |"), "{folded}");
}
