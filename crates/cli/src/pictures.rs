//! Pictures in files: what the end of the name says of pixels and theme, and letters that need a font of this machine.

use crate::console::Console;
use crate::failure::Failure;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use tare_picture::{letters_of, OtherFont};
use tare_report::{clean, themed, Theme};

const PNG: &str = ".png";
const SVG: &str = ".svg";
const THEMES: [(&str, Theme); 2] = [(".dark", Theme::Dark), (".light", Theme::Light)];

/// How a picture is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// As a PNG file.
    pub is_pixels: bool,
    /// Wherever it is shown.
    theme: Option<Theme>,
}

/// What the end of a name says of the picture in the file, and the name that it has as an SVG file that follows the theme; None for any
/// other file.
pub fn of_name(name: &str) -> Option<(String, Look)> {
    let pixels = name.strip_suffix(PNG);
    let stem = pixels.or_else(|| name.strip_suffix(SVG))?;
    let themed = THEMES.iter().find_map(|(end, theme)| Some((stem.strip_suffix(end)?, *theme)));
    let look = Look { is_pixels: pixels.is_some(), theme: themed.map(|(_, theme)| theme) };
    Some((format!("{}{SVG}", themed.map_or(stem, |(stem, _)| stem)), look))
}

/// The bytes of the file of a picture.
pub fn bytes(svg: &str, look: Look, path: &Path, console: &Console) -> Result<Vec<u8>, Failure> {
    let svg = look.theme.map_or_else(|| svg.to_owned(), |theme| themed(svg, theme));
    if !look.is_pixels {
        return Ok(svg.into_bytes());
    }
    let wanted = tare_picture::foreign(&svg);
    let (fonts, lacking) = fonts_for(&wanted, &folders());
    if !lacking.is_empty() {
        console.warn(&boxes(&lacking, path));
    }
    tare_picture::png(&svg, &fonts).map_err(io::Error::other).map_err(Failure::writing(path))
}

/// Letters that are named when they cannot be drawn.
const NAMED: usize = 8;

fn boxes(lacking: &BTreeSet<char>, path: &Path) -> String {
    let some: Vec<String> = lacking.iter().take(NAMED).map(char::to_string).collect();
    let more = if lacking.len() > NAMED { " ..." } else { "" };
    let path = clean(&path.to_string_lossy());
    let svg = format!("{}{SVG}", path.strip_suffix(PNG).unwrap_or(&path));
    format!(
        "`{path}` shows boxes for letters that are in no font of this machine: {}{more}; browsers show them in `-o {}`",
        clean(&some.join(" ")),
        tare_report::shell_word(&svg)
    )
}

/// Where systems keep fonts.
fn folders() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let of_user = [".local/share/fonts", ".fonts", "Library/Fonts"];
    let of_user = home.iter().flat_map(|home| of_user.map(|folder| home.join(folder)));
    let of_all = ["/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "/System/Library/Fonts"];
    of_user.chain(of_all.map(PathBuf::from)).collect()
}

/// Folders below one of fonts.
const DEPTH: usize = 6;
/// Entries of folders that are looked at: a link may lead to the whole system.
const ENTRIES_MAX: usize = 20_000;
/// Bytes of a file of fonts.
const FONT_MAX: u64 = 100 << 20;

/// As few fonts of these folders as have all of these letters, and the letters that none has. The same files give the same fonts.
fn fonts_for(letters: &BTreeSet<char>, folders: &[PathBuf]) -> (Vec<OtherFont>, BTreeSet<char>) {
    let mut lacking = letters.clone();
    if lacking.is_empty() {
        return (Vec::new(), lacking);
    }
    let mut files = Vec::new();
    let mut left = ENTRIES_MAX;
    folders.iter().for_each(|folder| collect(folder, DEPTH, &mut left, &mut files));
    files.sort_by_cached_key(|file| (unlike(file), file.clone()));
    let mut able: Vec<(BTreeSet<char>, PathBuf)> =
        files.into_iter().filter_map(|file| Some((letters_of_file(&file, letters)?, file))).collect();
    let mut fonts = Vec::new();
    while !lacking.is_empty() {
        let left = |of: &BTreeSet<char>| of.intersection(&lacking).count();
        // Of several that have the same number the first, which is the likest.
        let best = able.iter().enumerate().max_by_key(|(at, (of, _))| (left(of), usize::MAX - at));
        let Some(at) = best.filter(|(_, (of, _))| left(of) > 0).map(|(at, _)| at) else { break };
        let (_, file) = able.swap_remove(at);
        // In its order again.
        able.sort_by_cached_key(|(_, file)| (unlike(file), file.clone()));
        let Some(font) = read_whole(&file).and_then(OtherFont::new) else { continue };
        let drawn = font.drawn(&lacking);
        if !drawn.is_empty() {
            lacking.retain(|letter| !drawn.contains(letter));
            fonts.push(font);
        }
    }
    (fonts, lacking)
}

/// How far the letters of a font are from those of pictures, as its name says: upright, of ordinary weight, without serifs.
fn unlike(file: &Path) -> usize {
    const OTHERS: [&str; 12] = [
        "bold",
        "black",
        "heavy",
        "light",
        "thin",
        "italic",
        "oblique",
        "mono",
        "serif",
        "condensed",
        "symbol",
        "emoji",
    ];
    let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = name.replace("sansserif", "sans");
    2 * OTHERS.iter().filter(|other| name.contains(*other)).count() + usize::from(!name.contains("sans"))
}

/// The files of fonts in a folder and those below it, as long as any of the `left` entries is left.
fn collect(folder: &Path, depth: usize, left: &mut usize, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(*left);
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    *left -= paths.len();
    paths.sort();
    for path in paths {
        let is_font = path
            .extension()
            .is_some_and(|end| ["ttf", "otf", "ttc", "otc"].iter().any(|known| end.eq_ignore_ascii_case(known)));
        if is_font {
            files.push(path);
        } else if depth > 0 && *left > 0 && path.is_dir() {
            collect(&path, depth - 1, left, files);
        }
    }
}

fn letters_of_file(path: &Path, letters: &BTreeSet<char>) -> Option<BTreeSet<char>> {
    // Opening a pipe would wait for a writer.
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let mut file = File::open(path).ok()?;
    let mut read = |at: u64, length: usize| {
        file.seek(SeekFrom::Start(at)).ok()?;
        let mut bytes = vec![0; length];
        file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    };
    letters_of(letters, &mut read).filter(|found| !found.is_empty())
}

fn read_whole(path: &Path) -> Option<Vec<u8>> {
    let size = fs::metadata(path).ok()?.len();
    (size <= FONT_MAX).then(|| fs::read(path).ok()).flatten()
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
    fn the_likest_fonts_that_have_the_letters_are_taken() {
        const JAPANESE: &[u8] = include_bytes!("../../picture/fonts/test-japanese.ttf");
        let place = tempfile::tempdir().expect("a folder");
        fs::create_dir(place.path().join("deep")).expect("a folder");
        for (name, bytes) in
            [("deep/B-Bold.ttf", JAPANESE), ("deep/ASans.TTF", JAPANESE), ("c.otf", b"no font"), ("d.txt", b"")]
        {
            fs::write(place.path().join(name), bytes).expect("written");
        }
        let folders = [place.path().to_owned(), place.path().join("gone")];
        let (fonts, lacking) = fonts_for(&"漢字語".chars().collect(), &folders);
        assert_eq!((fonts.len(), lacking), (1, BTreeSet::from(['語'])));
        assert_eq!(fonts_for(&BTreeSet::new(), &folders).0.len(), 0);
        let (mut files, mut left) = (Vec::new(), 9);
        collect(place.path(), DEPTH, &mut left, &mut files);
        files.sort_by_key(|file| unlike(file));
        assert!(files.len() == 3 && files[0].ends_with("ASans.TTF") && files[2].ends_with("B-Bold.ttf"), "{files:?}");
        assert_eq!(left, 4, "a folder, two fonts in it, and two files beside it");
        let mut few = Vec::new();
        collect(place.path(), DEPTH, &mut 3, &mut few);
        assert!(few.len() < 3, "it ends: {few:?}");
    }

    #[test]
    fn letters_without_a_font_are_named_with_what_shows_them() {
        let text = boxes(&BTreeSet::from(['漢', '字']), Path::new("my pic.box.png"));
        assert_eq!(
            text,
            "`my pic.box.png` shows boxes for letters that are in no font of this machine: 字 漢; browsers show them in `-o 'my pic.box.svg'`"
        );
    }
}
