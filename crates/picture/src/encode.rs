//! Pixels as a PNG file.

use crate::raster::Canvas;
use crate::style::Colour;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use std::collections::BTreeMap;
use std::io::Write;

const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];
/// Colours that a palette holds.
const PALETTE_MAX: usize = 256;

/// The file; `scale`: pixels per point.
pub fn png(canvas: &Canvas, scale: f64) -> Vec<u8> {
    let (palette, places) = palette(&canvas.pixels);
    let mut header = Vec::new();
    header.extend((canvas.width as u32).to_be_bytes());
    header.extend((canvas.height as u32).to_be_bytes());
    // Bits per pixel, kind of colours (a palette), compression, filter, interlacing.
    header.extend([8, 3, 0, 0, 0]);
    // Pixels per metre, so that a document shows the picture in its own size.
    let density = ((scale * 96.0 / 0.0254).round() as u32).to_be_bytes();
    let mut compressed = ZlibEncoder::new(Vec::new(), Compression::default());
    for row in canvas.pixels.chunks_exact(canvas.width * 3) {
        // Each row begins with its filter: none.
        let line: Vec<u8> =
            std::iter::once(0).chain(colours(row).map(|colour| places.get(&colour).copied().unwrap_or(0))).collect();
        // Writing to memory cannot fail.
        let _ = compressed.write_all(&line);
    }
    let mut file = SIGNATURE.to_vec();
    chunk(&mut file, b"IHDR", &header);
    chunk(&mut file, b"sRGB", &[0]);
    chunk(&mut file, b"PLTE", &palette.concat());
    chunk(&mut file, b"pHYs", &[&density[..], &density[..], &[1]].concat());
    chunk(&mut file, b"IDAT", &compressed.finish().unwrap_or_default());
    chunk(&mut file, b"IEND", &[]);
    file
}

fn colours(pixels: &[u8]) -> impl Iterator<Item = Colour> + '_ {
    pixels.chunks_exact(3).map(|pixel| [pixel[0], pixel[1], pixel[2]])
}

/// The most frequent colours, and the place in this list of each colour: of a rare one, such as a mixture at an edge, that of the nearest.
/// So a file is half as large as with all colours, and no difference can be seen.
fn palette(pixels: &[u8]) -> (Vec<Colour>, BTreeMap<Colour, u8>) {
    let mut counts: BTreeMap<Colour, usize> = BTreeMap::new();
    // A look-up for each run of equal pixels, as most of a picture is one colour.
    let mut rest = colours(pixels).peekable();
    while let Some(colour) = rest.next() {
        let mut count = 1;
        while rest.next_if_eq(&colour).is_some() {
            count += 1;
        }
        *counts.entry(colour).or_default() += count;
    }
    let mut all: Vec<(Colour, usize)> = counts.into_iter().collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let list: Vec<Colour> = all.iter().take(PALETTE_MAX).map(|(colour, _)| *colour).collect();
    let difference =
        |a: &Colour, b: &Colour| a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum::<u32>();
    let nearest = |colour: &Colour| {
        let found = list.iter().enumerate().min_by_key(|(_, other)| difference(colour, other));
        found.map_or(0, |(at, _)| at as u8)
    };
    let places = all.iter().map(|(colour, _)| (*colour, nearest(colour))).collect();
    (list, places)
}

fn chunk(file: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    file.extend(kind);
    file.extend(data);
    let mut sum = Crc::new();
    sum.update(kind);
    sum.update(data);
    file.extend(sum.sum().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::ZlibDecoder;
    use std::io::Read;

    /// Kind and data of each chunk, whose sums are checked.
    fn chunks(file: &[u8]) -> Vec<(String, Vec<u8>)> {
        assert_eq!(file[..8], SIGNATURE);
        let mut rest = &file[8..];
        let mut found = Vec::new();
        while !rest.is_empty() {
            let length = u32::from_be_bytes([rest[0], rest[1], rest[2], rest[3]]) as usize;
            let (data, sum) = (&rest[4..8 + length], &rest[8 + length..12 + length]);
            let mut crc = Crc::new();
            crc.update(data);
            assert_eq!(sum, crc.sum().to_be_bytes());
            found.push((String::from_utf8_lossy(&data[..4]).into_owned(), data[4..].to_vec()));
            rest = &rest[12 + length..];
        }
        found
    }

    fn unpacked(data: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        ZlibDecoder::new(data).read_to_end(&mut text).expect("compressed");
        text
    }

    #[test]
    fn few_colours_are_kept_and_of_many_the_rare_ones_become_their_neighbours() {
        let mut canvas = Canvas::new(2, 2);
        canvas.pixels[3..6].copy_from_slice(&[1, 2, 3]);
        let found = chunks(&png(&canvas, 2.0));
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["IHDR", "sRGB", "PLTE", "pHYs", "IDAT", "IEND"]);
        assert_eq!(found[0].1, [0, 0, 0, 2, 0, 0, 0, 2, 8, 3, 0, 0, 0]);
        let (palette, lines) = (found[2].1.as_slice(), unpacked(&found[4].1));
        assert_eq!((palette, lines), (&[255, 255, 255, 1, 2, 3][..], vec![0, 0, 1, 0, 0, 0]));
        // 300 shades of which the last 50 stand there once, the others twice.
        let mut canvas = Canvas::new(550, 1);
        for (at, pixel) in canvas.pixels.chunks_exact_mut(3).enumerate() {
            let shade = if at < 500 { at / 2 } else { at - 250 };
            pixel.copy_from_slice(&[(shade % 256) as u8, (shade / 256) as u8 * 9, 0]);
        }
        let found = chunks(&png(&canvas, 1.0));
        let (palette, line) = (&found[2].1, unpacked(&found[4].1));
        assert_eq!(palette.len(), 3 * PALETTE_MAX);
        let worst = canvas.pixels.chunks(3).zip(&line[1..]).map(|(pixel, place)| {
            let shown = &palette[3 * usize::from(*place)..][..3];
            pixel.iter().zip(shown).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
        });
        assert!(worst.max().is_some_and(|worst| worst <= 9));
    }
}
