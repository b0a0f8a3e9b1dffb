//! Text that is written from the right, in the order in which it is drawn.

use std::borrow::Cow;

/// A letter of a script that is written from the right.
fn is_from_right(letter: char) -> bool {
    let digits = matches!(letter, '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}');
    !digits
        && matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// A letter that is written from the left, which ends a stretch from the right.
fn is_from_left(letter: char) -> bool {
    letter.is_alphabetic() && !is_from_right(letter)
}

/// The letters of a text from the left to the right: stretches of scripts that are written from the right are turned around, the
/// numbers in them are not, and brackets are those of the other side.
pub fn from_left(words: &str) -> Cow<'_, str> {
    if !words.chars().any(is_from_right) {
        return Cow::Borrowed(words);
    }
    let letters: Vec<char> = words.chars().collect();
    let mut drawn = String::with_capacity(words.len());
    let mut at = 0;
    while let Some(letter) = letters.get(at) {
        if !is_from_right(*letter) {
            drawn.push(*letter);
            at += 1;
            continue;
        }
        let length = stretch(&letters[at..]);
        turn(&letters[at..at + length], &mut drawn);
        at += length;
    }
    Cow::Owned(drawn)
}

/// How many letters are turned around together: spaces and signs belong to it as far as another such letter or a number follows, and
/// brackets in pairs.
fn stretch(letters: &[char]) -> usize {
    let (mut open, mut length) = (0, 0);
    for (at, letter) in letters.iter().enumerate() {
        match letter {
            '(' | '[' => open += 1,
            ')' | ']' if open == 0 => break,
            ')' | ']' => {
                open -= 1;
                // It closes what was turned around.
                if length == at {
                    length = at + 1;
                }
            }
            letter if is_from_left(*letter) => break,
            letter if is_from_right(*letter) || letter.is_numeric() => length = at + 1,
            _ => {}
        }
    }
    length
}

fn turn(letters: &[char], drawn: &mut String) {
    let mut digits: Vec<char> = Vec::new();
    for letter in letters.iter().rev() {
        if letter.is_numeric() {
            digits.push(*letter);
            continue;
        }
        drawn.extend(digits.drain(..).rev());
        drawn.push(mirrored(*letter));
    }
    drawn.extend(digits.into_iter().rev());
}

fn mirrored(letter: char) -> char {
    match letter {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '<' => '>',
        '>' => '<',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_from_the_right_are_turned_around_and_nothing_else() {
        assert!(matches!(from_left("sort [n=10]"), Cow::Borrowed("sort [n=10]")));
        assert_eq!(from_left("a/\u{5d0}\u{5d1}\u{5d2} [n=10]"), "a/\u{5d2}\u{5d1}\u{5d0} [n=10]");
        assert_eq!(from_left("a/\u{5d0}\u{5d1} 128 (\u{5d2}) x"), "a/(\u{5d2}) 128 \u{5d1}\u{5d0} x");
        assert_eq!(from_left("\u{5d0}! x"), "\u{5d0}! x");
        assert_eq!(from_left("(\u{5d0}) 12, x"), "(\u{5d0}) 12, x");
    }
}
