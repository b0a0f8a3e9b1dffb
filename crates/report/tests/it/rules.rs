//! What holds for every screen, whatever is on it.

use crate::forms::{markdown, screen};
use crate::reports;
use crate::screens::text;
use tare_report::{width, Glyphs, Role, View, Volume};

fn views() -> impl Iterator<Item = View> {
    let volumes = [Volume::Quiet, Volume::Default, Volume::Verbose];
    let widths = [20, 40, 60, 79, 80, 100, 120, 200];
    volumes.into_iter().flat_map(move |volume| {
        widths.into_iter().flat_map(move |columns| {
            [Glyphs::Unicode, Glyphs::Ascii].map(|glyphs| View { columns, glyphs, volume, saved: true })
        })
    })
}

#[test]
fn no_line_is_wider_than_the_screen_but_for_commands() {
    for report in [reports::everything(), reports::simple(), reports::compared()] {
        for view in views().filter(|v| v.columns >= 60) {
            for line in screen(&report, &view) {
                let has_command = line.spans.iter().any(|s| s.role == Role::Command);
                assert!(
                    has_command || width(&line.plain()) <= view.columns,
                    "{} columns: {}",
                    view.columns,
                    line.plain()
                );
            }
        }
    }
}

#[test]
fn no_screen_is_too_narrow() {
    for view in views() {
        assert!(!screen(&reports::everything(), &view).is_empty());
    }
}

#[test]
fn ascii_screens_are_ascii() {
    for report in [reports::everything(), reports::simple(), reports::compared()] {
        for view in views().filter(|v| v.glyphs == Glyphs::Ascii) {
            let text = text(&report, &view);
            assert!(text.is_ascii(), "{text}");
        }
        let text = markdown(&report, Glyphs::Ascii);
        assert!(text.is_ascii(), "{text}");
    }
}

#[test]
fn an_unclear_comparison_is_told_in_one_place() {
    let report = reports::compared();
    let command = "--filter 'parse/json-small' --filter 'parse/json-large' --launches 20";
    for view in views().filter(|v| v.volume == Volume::Default && v.columns >= 80) {
        let text = text(&report, &view);
        assert_eq!(text.matches("the ratio is 0.983").count(), 1, "{text}");
        // The hint and the last line name the same command.
        assert_eq!(text.matches(command).count(), 2, "{text}");
    }
}

#[test]
fn no_control_character_reaches_the_screen() {
    for view in views() {
        for line in screen(&reports::everything(), &view) {
            assert!(!line.plain().chars().any(char::is_control), "{}", line.plain());
        }
    }
}

#[test]
fn no_time_is_a_bare_zero() {
    for view in views() {
        let text = text(&reports::everything(), &view);
        for unit in ["ns", "µs", "us", "ms", "s"] {
            for zero in [" 0 ", " 0.0 ", " 0.00 ", " -"] {
                assert!(!text.contains(&format!("{zero}{unit} ")), "{zero}{unit} in\n{text}");
            }
        }
    }
}

#[test]
fn the_last_line_is_the_next_command() {
    for report in [reports::everything(), reports::simple(), reports::compared()] {
        let view = View { columns: 80, glyphs: Glyphs::Unicode, volume: Volume::Default, saved: true };
        let lines = screen(&report, &view);
        let last = lines.last().and_then(|l| l.spans.last()).expect("a last line");
        assert_eq!(last.role, Role::Command);
        assert!(last.text.starts_with("tare "), "{}", last.text);
    }
}

#[test]
fn the_same_report_gives_the_same_screen() {
    let view = View { columns: 100, glyphs: Glyphs::Unicode, volume: Volume::Verbose, saved: true };
    assert_eq!(screen(&reports::everything(), &view), screen(&reports::everything(), &view));
}
