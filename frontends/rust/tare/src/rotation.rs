//! Inputs in rotation, so that the branch predictor cannot learn a single one.

/// Inputs in rotation: see [`rotate`].
#[derive(Debug, Clone)]
pub struct Rotation<T> {
    inputs: Vec<T>,
    at: usize,
}

/// Rotates through inputs, so that a body does not see the same one every time.
///
/// If the input never changes, the processor learns the branches of the body, which is then faster than with varying inputs. Make some
/// tens or hundreds of inputs in the set-up, and take the next one in each invocation. That costs about 1 ns, which is part of the time.
/// ```
/// #[tare::bench]
/// fn parse() -> impl FnMut() -> u64 {
///     let mut texts = tare::rotate((0..256).map(|n: u32| n.wrapping_mul(2_654_435_761).to_string()));
///     move || texts.next().parse().unwrap()
/// }
/// # fn main() {}
/// ```
///
/// # Panics
/// If there are no inputs.
pub fn rotate<T>(inputs: impl IntoIterator<Item = T>) -> Rotation<T> {
    let inputs: Vec<T> = inputs.into_iter().collect();
    assert!(!inputs.is_empty(), "tare::rotate has no input: give it at least one");
    Rotation { inputs, at: 0 }
}

impl<T> Rotation<T> {
    /// Returns the next input; after the last, the first one again.
    #[allow(clippy::should_implement_trait)] // it never ends, and an iterator could not lend what it owns
    #[inline]
    pub fn next(&mut self) -> &mut T {
        let at = self.at;
        self.at = if at + 1 == self.inputs.len() { 0 } else { at + 1 };
        &mut self.inputs[at]
    }
}

#[cfg(test)]
mod tests {
    use super::rotate;

    #[test]
    fn the_first_comes_after_the_last() {
        let mut letters = rotate("abc".chars());
        let seen: String = (0..7).map(|_| *letters.next()).collect();
        assert_eq!(seen, "abcabca");
    }
}
