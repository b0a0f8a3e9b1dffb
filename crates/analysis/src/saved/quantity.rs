//! A side in one kind of time, as requested by the user.

use super::{Saved, SavedCase, SavedFailure, CPU_TIME, WALL_TIME};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SavedTime {
    Wall,
    Cpu,
}

impl SavedTime {
    /// As [`SavedCase::quantity`] has it.
    pub fn quantity(self) -> &'static str {
        match self {
            SavedTime::Wall => WALL_TIME,
            SavedTime::Cpu => CPU_TIME,
        }
    }
}

impl Saved {
    pub fn has_time(&self, time: SavedTime) -> bool {
        self.cases.iter().any(|case| case.in_quantity(time.quantity()).is_some())
    }

    /// The side in one kind of time. A benchmark without it becomes a failure: it must not be judged on the other.
    pub fn in_time(mut self, time: SavedTime) -> Saved {
        let quantity = time.quantity();
        for case in std::mem::take(&mut self.cases) {
            match case.in_quantity(quantity) {
                Some(wanted) => {
                    let SavedCase { key, stem, distinction, .. } = case.clone();
                    self.cases.push(SavedCase { key, stem, distinction, otherwise: None, ..wanted.clone() });
                }
                None => self.failed.push(without(&case, quantity)),
            }
        }
        self
    }
}

fn without(case: &SavedCase, quantity: &str) -> SavedFailure {
    let message = format!("its {quantity} was not measured");
    let (stem, job) = (case.stem.clone(), case.job.clone());
    SavedFailure { stem, job, ..SavedFailure::because(case.key.clone(), case.selector(), message) }
}
