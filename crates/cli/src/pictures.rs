//! Picture files: pixels and theme from the end of the file name.

use crate::console::Console;
use crate::failure::Failure;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use tare_report::{clean, themed, Theme};

const PNG: &str = ".png";
const SVG: &str = ".svg";
const THEMES: [(&str, Theme); 2] = [(".dark", Theme::Dark), (".light", Theme::Light)];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureStyle {
    pub is_pixels: bool,
    /// None: follows the theme of the page.
    theme: Option<Theme>,
}

/// The style given by the end of a file name, and the name of the same picture as an SVG file that follows the theme; None if it is not a
/// picture.
pub fn of_name(name: &str) -> Option<(String, PictureStyle)> {
    let pixels = name.strip_suffix(PNG);
    let stem = pixels.or_else(|| name.strip_suffix(SVG))?;
    let themed = THEMES.iter().find_map(|(end, theme)| Some((stem.strip_suffix(end)?, *theme)));
    let look = PictureStyle { is_pixels: pixels.is_some(), theme: themed.map(|(_, theme)| theme) };
    Some((format!("{}{SVG}", themed.map_or(stem, |(stem, _)| stem)), look))
}

pub fn bytes(svg: &str, look: PictureStyle, path: &Path, console: &Console) -> Result<Vec<u8>, Failure> {
    let svg = look.theme.map_or_else(|| svg.to_owned(), |theme| themed(svg, theme));
    if !look.is_pixels {
        return Ok(svg.into_bytes());
    }
    let lacking = tare_picture::foreign(&svg);
    if !lacking.is_empty() {
        console.warn(&boxes(&lacking, path));
    }
    tare_picture::png(&svg).map_err(io::Error::other).map_err(Failure::writing(path))
}

/// Number of undrawable characters to name.
const NAMED: usize = 8;

fn boxes(lacking: &BTreeSet<char>, path: &Path) -> String {
    let some: Vec<String> = lacking.iter().take(NAMED).map(char::to_string).collect();
    let more = if lacking.len() > NAMED { " ..." } else { "" };
    let path = clean(&path.to_string_lossy());
    let svg = format!("{}{SVG}", path.strip_suffix(PNG).unwrap_or(&path));
    format!(
        "`{path}` shows boxes for letters that are neither Latin, Greek nor Cyrillic: {}{more}; browsers show them in `-o {}`",
        clean(&some.join(" ")),
        tare_report::shell_word(&svg)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_name_says_what_is_written() {
        let of = |name: &str| of_name(name).map(|(svg, look)| (svg, look.is_pixels, look.theme));
        assert_eq!(of("a.svg"), Some(("a.svg".to_owned(), false, None)));
        assert_eq!(of("a.box.png"), Some(("a.box.svg".to_owned(), true, None)));
        assert_eq!(of("a.box.dark.png"), Some(("a.box.svg".to_owned(), true, Some(Theme::Dark))));
        assert_eq!(of("a.light.svg"), Some(("a.svg".to_owned(), false, Some(Theme::Light))));
        assert_eq!((of("a.dark.html"), of("a.svg.gz")), (None, None));
    }

    #[test]
    fn letters_without_a_font_are_named_with_what_shows_them() {
        let text = boxes(&BTreeSet::from(['漢', '字']), Path::new("my pic.box.png"));
        assert_eq!(
            text,
            "`my pic.box.png` shows boxes for letters that are neither Latin, Greek nor Cyrillic: 字 漢; browsers show them in `-o 'my pic.box.svg'`"
        );
    }
}
