//! The colours of charts and pages, light and dark, in one table.

use std::fmt::Write;

/// Name, light and dark colour. The contrast to the paper is at least 4.5 : 1 for text and 3 : 1 for marks. The pairs base and new, and
/// faster and slower, also differ in brightness, to be distinguishable without colour.
const COLOURS: [(&str, &str, &str); 26] = [
    ("paper", "#ffffff", "#14171c"),
    ("raised", "#f6f7f9", "#1b2027"),
    ("line", "#dfe3e8", "#313944"),
    ("grid", "#e8ebef", "#262c35"),
    ("ink", "#1a2029", "#e6e9ee"),
    ("muted", "#58626f", "#9aa5b3"),
    ("link", "#1f5fbf", "#7cb3ff"),
    ("focus", "#1f5fbf", "#7cb3ff"),
    ("effect", "#eceff3", "#232a33"),
    ("dropped", "#8d97a3", "#6f7a88"),
    ("base", "#67727f", "#98a3b1"),
    ("new", "#6a3fc4", "#b79bff"),
    ("faster", "#0b5cad", "#62b0f5"),
    ("slower", "#b8430b", "#ff9558"),
    ("same", "#58626f", "#9aa5b3"),
    ("unclear", "#806000", "#dcb13c"),
    ("error", "#b3261e", "#ff8a80"),
    ("c0", "#0b62a4", "#5db2f0"),
    ("c1", "#b8430b", "#ff9a57"),
    ("c2", "#0a7f5c", "#43c59b"),
    ("c3", "#a03d78", "#e58fc0"),
    ("c4", "#806000", "#e0b33f"),
    ("c5", "#4b5563", "#aab4c0"),
    ("tint-slower", "#fbeee6", "#5a3420"),
    ("tint-faster", "#e7f0fa", "#1c3f60"),
    ("tint-unclear", "#f8f2dc", "#524615"),
];

pub(crate) const CHART_CSS: &str = include_str!("chart.css");

/// The colours of a page, which follow the system unless a theme is chosen.
pub(crate) fn page_colours() -> String {
    let of = |dark: bool| {
        COLOURS.iter().fold(String::new(), |mut text, (name, light, in_dark)| {
            let _ = write!(text, "--{name}:{};", if dark { in_dark } else { light });
            text
        })
    };
    let (light, dark) = (of(false), of(true));
    format!(
        ":root{{color-scheme:light;{light}}}\n@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n\
         :root[data-theme=dark]{{color-scheme:dark;{dark}}}\n@media print{{:root:root:root{{color-scheme:light;{light}}}}}\n"
    )
}

/// A fixed theme for a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    Light,
    Dark,
}

/// Start and end of the dark theme in a file.
const IN_THE_DARK: (&str, &str) = ("@media (prefers-color-scheme:dark){\n", "\n}\n");

/// One of Tare's pictures in a fixed theme.
pub fn themed(svg: &str, theme: Theme) -> String {
    let (from, to) = IN_THE_DARK;
    let parts = svg.split_once(from).and_then(|(before, rest)| Some((before, rest.split_once(to)?)));
    match (parts, theme) {
        (Some((before, (_, after))), Theme::Light) => format!("{before}{after}"),
        (Some((before, (dark, after))), Theme::Dark) => format!("{before}{dark}\n{after}"),
        (None, _) => svg.to_owned(),
    }
}

/// The style of a file: colours are written out, since few image viewers support variables.
pub(crate) fn file_colours() -> String {
    let with = |dark: bool| {
        COLOURS.iter().fold(CHART_CSS.to_owned(), |css, (name, light, in_dark)| {
            css.replace(&format!("var(--{name})"), if dark { in_dark } else { light })
        })
    };
    // The dark theme needs only lines with colours.
    let dark: Vec<String> = with(true).lines().filter(|line| line.contains('#')).map(str::to_owned).collect();
    let (from, to) = IN_THE_DARK;
    format!("{}{from}{}{to}", with(false), dark.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance of a colour (WCAG 2).
    fn luminance(colour: &str) -> f64 {
        let part = |at: usize| {
            let share = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).expect("hexadecimal")) / 255.0;
            if share <= 0.04045 {
                share / 12.92
            } else {
                ((share + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    fn colour(name: &str) -> [&'static str; 2] {
        let (_, light, dark) = COLOURS.iter().find(|(n, ..)| *n == name).expect("a colour");
        [light, dark]
    }

    #[test]
    fn every_text_and_mark_can_be_seen_in_both_themes() {
        for at in [0, 1] {
            for paper in ["paper", "raised"] {
                for text in ["ink", "muted", "link", "faster", "slower", "same", "unclear", "error"] {
                    let found = contrast(colour(text)[at], colour(paper)[at]);
                    assert!(found >= 4.5, "{text} on {paper}: {found:.2}");
                }
            }
            for (text, paper) in [("slower", "tint-slower"), ("faster", "tint-faster"), ("unclear", "tint-unclear")] {
                assert!(contrast(colour(text)[at], colour(paper)[at]) >= 4.5, "{text} on its tint");
            }
            for mark in ["base", "new", "dropped", "c0", "c1", "c2", "c3", "c4", "c5"] {
                assert!(contrast(colour(mark)[at], colour("paper")[at]) >= 2.9, "{mark}");
            }
        }
    }

    #[test]
    fn a_theme_has_its_own_colours_and_asks_for_none() {
        let svg = format!("<svg><style>{}</style>\n<text>}}</text></svg>", file_colours());
        let [light, dark] = [Theme::Light, Theme::Dark].map(|theme| themed(&svg, theme));
        assert!(svg.contains("@media") && !light.contains("@media") && !dark.contains("@media"));
        assert!(!light.contains(colour("ink")[1]) && light.contains(colour("ink")[0]));
        // The later of two rules counts.
        let paper = |at: usize| dark.rfind(&format!(".chart .paper{{fill:{}}}", colour("paper")[at]));
        assert!(paper(1) > paper(0) && paper(0).is_some());
        for text in [light, dark] {
            assert!(text.ends_with("}\n</style>\n<text>}</text></svg>"), "{text}");
        }
        assert_eq!(themed("<svg/>", Theme::Dark), "<svg/>");
    }

    #[test]
    fn a_file_names_no_variable() {
        assert!(!file_colours().contains("var("), "{}", file_colours());
        assert!(page_colours().contains("--ink:#1a2029"));
    }
}
