//! Writes pixels as a PNG file.

use crate::raster::Canvas;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use std::io::Write;

const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];

/// The bytes of the file; `scale`: pixels per point.
pub fn png(canvas: &Canvas, scale: f64) -> Vec<u8> {
    let mut header = Vec::new();
    header.extend((canvas.width as u32).to_be_bytes());
    header.extend((canvas.height as u32).to_be_bytes());
    // Bits per colour, kind of colours (red, green, blue), compression, filter, interlacing.
    header.extend([8, 2, 0, 0, 0]);
    // Pixels per metre, so that documents show the picture at its own size.
    let density = ((scale * 96.0 / 0.0254).round() as u32).to_be_bytes();
    let mut compressed = ZlibEncoder::new(Vec::new(), Compression::default());
    for row in canvas.pixels.chunks_exact(canvas.width * 3) {
        // Each row begins with its filter, here none. Writing to memory cannot fail.
        let _ = compressed.write_all(&[0]).and_then(|()| compressed.write_all(row));
    }
    let mut file = SIGNATURE.to_vec();
    chunk(&mut file, b"IHDR", &header);
    chunk(&mut file, b"sRGB", &[0]);
    chunk(&mut file, b"pHYs", &[&density[..], &density[..], &[1]].concat());
    chunk(&mut file, b"IDAT", &compressed.finish().unwrap_or_default());
    chunk(&mut file, b"IEND", &[]);
    file
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

    /// Kind and data of each chunk, with checksums verified.
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
    fn rows_are_pixels_behind_their_filter() {
        let mut canvas = Canvas::new(2, 2);
        canvas.pixels[3..6].copy_from_slice(&[1, 2, 3]);
        let found = chunks(&png(&canvas, 2.0));
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["IHDR", "sRGB", "pHYs", "IDAT", "IEND"]);
        assert_eq!(found[0].1, [0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0]);
        assert_eq!(unpacked(&found[3].1), [0, 255, 255, 255, 1, 2, 3, 0, 255, 255, 255, 255, 255, 255]);
    }
}
