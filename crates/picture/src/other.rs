//! Fonts for letters that those of pictures have not. Who calls brings their bytes.

use crate::font::draws;
use std::collections::BTreeSet;
use ttf_parser::{cmap, Face, GlyphId};

/// A font of the machine; of a collection the first.
#[derive(Debug, Clone)]
pub struct OtherFont(Vec<u8>);

impl OtherFont {
    /// The font of a file; None where it is none.
    pub fn new(bytes: Vec<u8>) -> Option<OtherFont> {
        let font = OtherFont(bytes);
        font.face().is_some().then_some(font)
    }

    /// Those of these letters that it can draw.
    pub fn drawn(&self, letters: &BTreeSet<char>) -> BTreeSet<char> {
        let face = self.face();
        letters.iter().copied().filter(|letter| face.as_ref().is_some_and(|face| draws(face, *letter))).collect()
    }

    pub(crate) fn face(&self) -> Option<Face<'_>> {
        Face::parse(&self.0, 0).ok()
    }
}

/// Most bytes of the table of letters of a font.
const TABLE_MAX: usize = 8 << 20;

/// Which of these letters a file of fonts has, from its table of letters alone: a file of Chinese has 20 MB. `read` gives so many bytes from
/// a place of the file on.
pub fn letters_of(
    letters: &BTreeSet<char>,
    read: &mut dyn FnMut(u64, usize) -> Option<Vec<u8>>,
) -> Option<BTreeSet<char>> {
    let number = |bytes: &[u8], at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let head = read(0, 16)?;
    let start = if head.starts_with(b"ttcf") { u64::from(number(&head, 12)?) } else { 0 };
    let head = read(start, 12)?;
    let tables = usize::from(u16::from_be_bytes(head.get(4..6)?.try_into().ok()?));
    let records = read(start + 12, 16 * tables)?;
    let record = records.chunks_exact(16).find(|record| record.starts_with(b"cmap"))?;
    let length = number(record, 12)? as usize;
    let table = if length <= TABLE_MAX { read(u64::from(number(record, 8)?), length)? } else { return None };
    let table = cmap::Table::parse(&table)?;
    let has = |letter: &char| {
        let of = |part: cmap::Subtable| part.glyph_index(u32::from(*letter)).filter(|glyph| *glyph != GlyphId(0));
        table.subtables.into_iter().filter(cmap::Subtable::is_unicode).any(|part| of(part).is_some())
    };
    Some(letters.iter().copied().filter(has).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three letters of Noto Sans JP: 漢, 字 and か.
    const JAPANESE: &[u8] = include_bytes!("../fonts/test-japanese.ttf");

    fn letters(text: &str) -> BTreeSet<char> {
        text.chars().collect()
    }

    fn found(bytes: &[u8], text: &str) -> Option<BTreeSet<char>> {
        let mut read = |at: u64, length: usize| Some(bytes.get(at as usize..)?.get(..length)?.to_vec());
        letters_of(&letters(text), &mut read)
    }

    #[test]
    fn a_font_says_which_letters_it_has() {
        assert_eq!(found(JAPANESE, "a漢字語"), Some(letters("漢字")));
        let font = OtherFont::new(JAPANESE.to_vec()).expect("a font");
        assert_eq!(font.drawn(&letters("a漢字語")), letters("漢字"));
        // A collection of one, whose tables stand behind its head.
        let mut many = [b"ttcf".as_slice(), &[0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 16]].concat();
        let mut moved = JAPANESE.to_vec();
        for record in moved[12..].chunks_exact_mut(16).take(usize::from(JAPANESE[5])) {
            let at = u32::from_be_bytes(record[8..12].try_into().expect("four")) + 16;
            record[8..12].copy_from_slice(&at.to_be_bytes());
        }
        many.extend(moved);
        assert_eq!(found(&many, "漢"), Some(letters("漢")));
        assert_eq!(OtherFont::new(many).expect("a font").drawn(&letters("か")), letters("か"));
    }

    #[test]
    fn what_is_no_font_has_no_letters() {
        for bytes in
            [&b""[..], b"ttcf", b"ttcf000000000000", b"some text that is longer than its head", &JAPANESE[..200]]
        {
            assert_eq!(found(bytes, "漢"), None);
            assert!(OtherFont::new(bytes.to_vec()).is_none_or(|font| font.drawn(&letters("漢")).is_empty()));
        }
    }
}
