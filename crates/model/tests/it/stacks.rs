//! Call stacks and their text form.

use tare_model::{Stacks, Weight};

fn frames(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn the_text_form_is_read_back_whatever_names_hold() {
    let mut stacks = Stacks::default();
    stacks.add(frames(&["main", "f(int, char const*)", "g_[i]"]), 3);
    stacks.add(frames(&["main"]), 1);
    stacks.add(frames(&["main"]), 1);
    stacks.add(frames(&["none"]), 0);
    stacks.add(Vec::new(), 7);
    assert_eq!(stacks.to_text(), "main 2\nmain;f(int, char const*);g_[i] 3\n");
    assert_eq!((Stacks::parse(&stacks.to_text()), stacks.total()), (Ok(stacks.clone()), 5));
    let mut hostile = Stacks::default();
    hostile.add(frames(&["a;b", "c\nd 9", "\u{1b}[31m"]), 2);
    assert_eq!(hostile.to_text(), "a:b;c?d 9;?[31m 2\n");
    assert_eq!(Stacks::parse(&hostile.to_text()).expect("stacks").total(), 2);
    assert_eq!(stacks.below("case").to_text(), "case;main 2\ncase;main;f(int, char const*);g_[i] 3\n");
}

#[test]
fn a_damaged_line_is_named() {
    for text in ["a 1\nb\n", "a 1\nb x\n", "a 1\n 3\n", "a 1\nb -1\n"] {
        assert_eq!(Stacks::parse(text), Err("line 2 is not a stack with its count".to_owned()), "{text:?}");
    }
    assert!(Stacks::parse("\n").expect("nothing").is_empty());
    let large = Stacks::parse(&format!("a {0}\nb {0}\n", u64::MAX)).expect("large counts");
    assert_eq!(large.total(), u64::MAX);
    let deep = Stacks::parse(&format!("{}x 1\n", "f;".repeat(5000))).expect("a deep stack");
    assert_eq!(deep.iter().next().expect("it").0.len(), 1024);
}

#[test]
fn a_media_type_says_what_is_counted() {
    assert_eq!(Stacks::weight_of(Stacks::MEDIA_TYPE), Some((Weight::Samples, 1)));
    let bytes = Stacks::media_type(Weight::Bytes, 400);
    assert_eq!(bytes, "text/x-folded-stacks; unit=bytes; operations=400");
    assert_eq!(Stacks::weight_of(&bytes), Some((Weight::Bytes, 400)));
    assert_eq!(Stacks::weight_of("text/x-folded-stacks; unit=light years; operations=x"), Some((Weight::Samples, 1)));
    assert_eq!((Stacks::weight_of("text/plain"), Stacks::weight_of("")), (None, None));
    let stacks = Stacks::parse("a;b 100\n").expect("stacks");
    assert_eq!(stacks.scaled(200, 400).to_text(), "a;b 200\n");
}
