use super::*;
use crate::calls::How;
use crate::jit::Method;

/// A file as the runtime writes it.
struct Writer {
    bytes: Vec<u8>,
}

const RUNTIME: &str = "Microsoft-Windows-DotNETRuntime";

fn text(text: &str) -> Vec<u8> {
    text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect()
}

fn number(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

impl Writer {
    /// A trace that began at 2026-11-27 15:00:00.5, when its clock of 1000 ticks per second was at 7000.
    fn new() -> Writer {
        let mut writer = Writer { bytes: b"Nettrace\x14\0\0\0!FastSerialization.1".to_vec() };
        let mut content: Vec<u8> =
            [2026_u16, 11, 5, 27, 15, 0, 0, 500].into_iter().flat_map(u16::to_le_bytes).collect();
        content.extend([7000_u64, 1000].into_iter().flat_map(u64::to_le_bytes));
        content.extend([8_u32, 1, 1, 0].into_iter().flat_map(u32::to_le_bytes));
        writer.object("Trace", &content, false);
        writer
    }

    fn object(&mut self, name: &str, content: &[u8], is_block: bool) {
        self.bytes.extend([5, 5, 1, 4, 0, 0, 0, 4, 0, 0, 0]);
        self.bytes.extend((name.len() as u32).to_le_bytes());
        self.bytes.extend(name.as_bytes());
        self.bytes.push(6);
        if is_block {
            self.bytes.extend((content.len() as u32).to_le_bytes());
            self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        }
        self.bytes.extend(content);
        self.bytes.push(6);
    }

    fn block(&mut self, name: &str, blobs: &[Vec<u8>]) {
        let mut content = vec![20, 0, 1, 0];
        content.resize(20, 0);
        content.extend(blobs.concat());
        self.object(name, &content, true);
    }

    /// Kinds 1, 2, ... are these events of the runtime.
    fn kinds(&mut self, ids: &[(u32, u32)]) {
        let blob = |(number, (id, version)): (usize, &(u32, u32))| {
            let mut payload = (number as u32 + 1).to_le_bytes().to_vec();
            payload.extend(text(RUNTIME));
            payload.extend(id.to_le_bytes());
            payload.extend(text(""));
            payload.extend([0; 8]);
            payload.extend(version.to_le_bytes());
            event(None, None, 0, &payload)
        };
        let blobs: Vec<Vec<u8>> = ids.iter().enumerate().map(blob).collect();
        self.block("MetadataBlock", &blobs);
    }

    fn stacks(&mut self, first: u32, stacks: &[&[u64]]) {
        let mut content = first.to_le_bytes().to_vec();
        content.extend((stacks.len() as u32).to_le_bytes());
        for stack in stacks {
            content.extend((8 * stack.len() as u32).to_le_bytes());
            content.extend(stack.iter().flat_map(|address| address.to_le_bytes()));
        }
        self.object("StackBlock", &content, true);
    }
}

/// An event after `ticks`; kind and stack default to those of the one before.
fn event(kind: Option<u64>, stack: Option<u64>, ticks: u64, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![u8::from(kind.is_some()) | 0b10 | u8::from(stack.is_some()) << 3 | 1 << 7];
    bytes.extend(kind.into_iter().flat_map(number));
    bytes.extend([1, 1, 0]);
    bytes.extend(stack.into_iter().flat_map(number));
    bytes.extend(number(ticks));
    bytes.extend(number(payload.len() as u64));
    bytes.extend(payload);
    bytes
}

fn named(class: &str, name: &str) -> Vec<u8> {
    [text(class), text(name), text("void ()")].concat()
}

fn loaded(start: u64, size: u32, class: &str, name: &str) -> Vec<u8> {
    loaded_in(0, start, size, class, name)
}

fn loaded_in(tier: u32, start: u64, size: u32, class: &str, name: &str) -> Vec<u8> {
    let mut payload = vec![0; 16];
    payload.extend(start.to_le_bytes());
    payload.extend(size.to_le_bytes());
    payload.extend([0; 4]);
    payload.extend((8 | tier << 7).to_le_bytes());
    payload.extend(named(class, name));
    payload
}

#[test]
fn calls_are_those_of_the_last_compilation_with_what_is_inlined_below_each_other() {
    let (body, add, leaf) = (named("Space.Sum", "Run"), named("Space.Sum", "Add"), named("System.Math", "Abs"));
    let slow = named("Space.Sum", "Slow");
    let why = |why: &str| [vec![0; 4], text(why), vec![0; 2]].concat();
    let inlined = |of: &[u8], from: &[u8], to: &[u8]| [of, from, to, &[0, 0]].concat();
    let not = |of: &[u8], from: &[u8], to: &[u8]| [of, from, to, &why("marked as noinline")].concat();
    let load = loaded(0x1000, 64, "Space.Sum", "Run");
    let mut writer = Writer::new();
    writer.kinds(&[(INLINED, 0), (NOT_INLINED, 0), (LOADED, 2), (TAIL_CALLED, 0), (9999, 0)]);
    writer.block(
        "EventBlock",
        &[
            event(Some(2), None, 1, &not(&body, &body, &add)),
            event(Some(3), None, 1, &load),
            // Compiled again, and better.
            event(Some(1), None, 1, &inlined(&body, &body, &add)),
            event(None, None, 1, &inlined(&body, &add, &leaf)),
            event(Some(2), None, 1, &not(&body, &body, &slow)),
            event(None, None, 1, &not(&body, &body, &slow)),
            event(None, None, 1, &not(&slow, &slow, &leaf)),
            event(Some(4), None, 1, &[slow.clone(), slow.clone(), leaf.clone(), vec![0; 10]].concat()),
            event(Some(5), None, 1, b"another event"),
            event(Some(3), None, 1, &load),
        ],
    );
    // On another thread, and earlier: its first compilation.
    writer.block("EventBlock", &[event(Some(3), None, 2, &load)]);
    let calls = inlined_late(&writer.bytes, &Method { class: "Space.Sum", name: "Run" }, "p", 2).expect("calls");
    let lines = calls.text(100);
    assert_eq!(
        lines[..5],
        [
            "body",
            "  inlined   Space.Sum.Add",
            "    inlined   System.Math.Abs",
            "  called    Space.Sum.Slow  (2 times)  (marked as noinline)",
            "Space.Sum.Slow",
        ]
    );
    assert_eq!(lines[5], "  tail call System.Math.Abs  (marked as noinline)");
    assert_eq!(calls.functions[1].calls[0].how, How::TailCall);
    assert_eq!(calls.of_body().text(), "2 calls inlined, 1 not");
    // By the class alone if namespaces differ.
    assert!(inlined_late(&writer.bytes, &Method { class: "Other.Sum", name: "Run" }, "p", 0).is_ok());
    let none = inlined_late(&writer.bytes, &Method { class: "Sum", name: "Walk" }, "p", 0).expect_err("no such method");
    assert!(none.contains("compiled no method `Sum.Walk`"), "{none}");
}

#[test]
fn what_is_inlined_into_quick_code_is_not_known() {
    let text_of = |tier: u32| {
        let mut writer = Writer::new();
        writer.kinds(&[(LOADED, 2)]);
        writer.block("EventBlock", &[event(Some(1), None, 1, &loaded_in(tier, 0x1000, 64, "Sum", "Run"))]);
        inlined_late(&writer.bytes, &Method { class: "Sum", name: "Run" }, "p", 0).expect("calls").text(200).join("\n")
    };
    for quick in [1, 3, 6] {
        let text = text_of(quick);
        assert!(
            text.starts_with("body: no calls are known\ninlined functions are not known: the runtime had not"),
            "{text}"
        );
    }
    assert!([0, 2, 4, 5]
        .map(text_of)
        .iter()
        .all(|text| text.starts_with("body: calls nothing, and nothing was inlined\n")));
}

#[test]
fn what_quick_code_below_the_body_calls_is_left_out_by_name() {
    let (body, slow) = (named("Sum", "Run"), named("Sum", "Slow"));
    let not = [&body[..], &body[..], &slow[..], &[0; 4][..], &text("too large")[..], &[0, 0][..]].concat();
    let text_of = |tier: u32| {
        let mut writer = Writer::new();
        writer.kinds(&[(NOT_INLINED, 0), (LOADED, 2)]);
        let [body, slow] = [("Run", 4), ("Slow", tier)].map(|(name, tier)| loaded_in(tier, 0x1000, 64, "Sum", name));
        let events = [event(Some(2), None, 1, &slow), event(Some(1), None, 1, &not), event(Some(2), None, 1, &body)];
        writer.block("EventBlock", &events);
        inlined_late(&writer.bytes, &Method { class: "Sum", name: "Run" }, "p", 2).expect("calls").text(200).join("\n")
    };
    let quick = text_of(3);
    assert!(quick.contains("\n  called    Sum.Slow  (too large)\n") && !quick.contains("Sum.Slow: calls"), "{quick}");
    assert!(quick.contains("not shown: the calls of Sum.Slow, which was not compiled in its last tier yet"), "{quick}");
    assert!(text_of(4).contains("\nSum.Slow: calls nothing, and nothing was inlined\n"));
}

#[test]
fn allocations_have_their_stacks_and_their_time() {
    let tick = |bytes: u64, of: &str| [&[0; 10][..], &bytes.to_le_bytes(), &[0; 8], &text(of), &[0; 20]].concat();
    let mut writer = Writer::new();
    writer.kinds(&[(ALLOCATED, 4), (LOADED_BEFORE, 2)]);
    writer.stacks(3, &[&[0x1010, 0x2010], &[0x1010]]);
    let early = event(Some(1), Some(3), 8000, &tick(7, "Early"));
    writer.block("EventBlock", &[early, event(None, None, 1000, &tick(100, "System.Byte[]"))]);
    // After it the same number means another stack.
    writer.object("SPBlock", &[0; 16], true);
    writer.stacks(3, &[&[0x2004, 0x9000]]);
    writer.block("EventBlock", &[event(Some(1), Some(3), 9500, &tick(50, "Node"))]);
    let methods = [(0x1000, "A", "Make"), (0x2000, "B", "Body")];
    let methods = methods.map(|(start, class, name)| event(Some(2), None, 1, &loaded(start, 0x20, class, name)));
    writer.block("EventBlock", &methods);
    // One second after the beginning.
    let began = 1_795_791_600.5;
    let found = allocated(&writer.bytes, &(began + 1.5..began + 9.0)).expect("they are read");
    let stacks: Vec<(String, &str, u64)> = found
        .iter()
        .map(|one| {
            (
                one.stack.iter().map(|(c, n)| format!("{c}.{n}")).collect::<Vec<_>>().join(";"),
                one.of.as_str(),
                one.bytes,
            )
        })
        .collect();
    let expected =
        [("B.Body;A.Make".to_owned(), "System.Byte[]", 100), (".[unknown code];B.Body".to_owned(), "Node", 50)];
    assert_eq!(stacks, expected);
    assert!(allocated(b"Nettrace", &(0.0..1.0)).is_err_and(|why| why.contains("not a file of events")));
    // A killed process may leave a file that ends at any byte; its complete parts are read.
    for end in 0..writer.bytes.len() {
        let _ = allocated(&writer.bytes[..end], &(0.0..1.0));
        let _ = inlined_late(&writer.bytes[..end], &Method { class: "A", name: "Make" }, "p", 1);
    }
}
