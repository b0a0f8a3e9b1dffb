//! Findings on the two sides of a comparison, which come one after the other.

use crate::Subject;
use std::collections::BTreeMap;
use tare_model::Side;

/// Keeps the findings on one side until the other is inspected, by benchmark and job.
pub(crate) struct Sides<T> {
    one: BTreeMap<(String, u32), (Side, T)>,
}

impl<T> Default for Sides<T> {
    fn default() -> Self {
        Sides { one: BTreeMap::new() }
    }
}

impl<T> Sides<T> {
    /// Base and new side, once both are known; `None` before, or without sides.
    pub(crate) fn pair(&mut self, subject: &Subject, found: T) -> Option<[T; 2]> {
        let side = subject.side?;
        let key = (subject.key.clone(), subject.job);
        match self.one.remove(&key) {
            Some((Side::Base, base)) if side == Side::New => Some([base, found]),
            Some((Side::New, new)) if side == Side::Base => Some([found, new]),
            _ => {
                self.one.insert(key, (side, found));
                None
            }
        }
    }
}
