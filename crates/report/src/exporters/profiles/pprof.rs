//! The format of `pprof`: an uncompressed protocol buffers message, which readers accept.

use super::Table;
use tare_model::{Stacks, Weight};

// Fields of `profile.proto`.
const SAMPLE_TYPE: u64 = 1;
const SAMPLE: u64 = 2;
const LOCATION: u64 = 4;
const FUNCTION: u64 = 5;
const STRINGS: u64 = 6;

/// The bytes of a profile. Each stack has a value per unit.
pub(super) fn encoded(all: &[(Weight, Stacks)]) -> Vec<u8> {
    let mut strings = Table::default();
    // The first string is empty; those of the value types follow.
    strings.place("");
    let mut functions = Table::default();
    let mut profile = Message::default();
    for (weight, _) in all {
        let unit = if *weight == Weight::Bytes { "bytes" } else { "count" };
        let mut value_type = Message::default();
        value_type.number(1, strings.place(weight.text()) as u64);
        value_type.number(2, strings.place(unit) as u64);
        profile.message(SAMPLE_TYPE, value_type);
    }
    for (at, frames, count) in
        all.iter().enumerate().flat_map(|(at, (_, stacks))| stacks.iter().map(move |(f, n)| (at, f, n)))
    {
        // From leaf to root. Location numbers start at 1.
        let ids: Vec<u64> = frames.iter().rev().map(|frame| functions.place(frame) as u64 + 1).collect();
        let mut sample = Message::default();
        sample.numbers(1, &ids);
        let values: Vec<u64> = (0..all.len()).map(|place| if place == at { count } else { 0 }).collect();
        sample.numbers(2, &values);
        profile.message(SAMPLE, sample);
    }
    for (id, name) in (1..).zip(&functions.names) {
        let mut line = Message::default();
        line.number(1, id);
        let mut location = Message::default();
        location.number(1, id);
        location.message(4, line);
        profile.message(LOCATION, location);
        let mut function = Message::default();
        function.number(1, id);
        function.number(2, strings.place(name) as u64);
        function.number(3, strings.place(name) as u64);
        profile.message(FUNCTION, function);
    }
    for text in strings.names {
        profile.bytes(STRINGS, text.as_bytes());
    }
    profile.content
}

#[derive(Default)]
struct Message {
    content: Vec<u8>,
}

impl Message {
    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.content.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.content.push(number as u8);
    }

    fn number(&mut self, field: u64, number: u64) {
        self.varint(field << 3);
        self.varint(number);
    }

    fn numbers(&mut self, field: u64, numbers: &[u64]) {
        let mut packed = Message::default();
        numbers.iter().for_each(|number| packed.varint(*number));
        self.bytes(field, &packed.content);
    }

    fn message(&mut self, field: u64, message: Message) {
        self.bytes(field, &message.content);
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.content.extend_from_slice(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_written_as_the_form_says() {
        let bytes = encoded(&[(Weight::Samples, Stacks::parse("a;b 300\n").expect("stacks"))]);
        let sample_type = [0x0a, 4, 8, 1, 16, 2];
        // Locations 1 and 2, leaf first; 300 is two bytes.
        let sample = [0x12, 8, 0x0a, 2, 1, 2, 0x12, 2, 0xac, 2];
        let locations = [
            0x22, 6, 8, 1, 0x22, 2, 8, 1, 0x2a, 6, 8, 1, 16, 3, 24, 3, 0x22, 6, 8, 2, 0x22, 2, 8, 2, 0x2a, 6, 8, 2, 16,
            4, 24, 4,
        ];
        let mut wanted = [&sample_type[..], &sample, &locations].concat();
        for text in ["", "samples", "count", "b", "a"] {
            wanted.extend([0x32, text.len() as u8]);
            wanted.extend(text.as_bytes());
        }
        assert_eq!(bytes, wanted);
    }
}
