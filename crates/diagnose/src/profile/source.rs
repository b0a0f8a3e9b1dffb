//! The source of a process's samples.

use super::sampler::{Losses, Sample, Sampler};
use super::timer::Timer;

/// The kernel, from outside, or a timer in the process.
pub(super) enum Source {
    Kernel(Sampler),
    Timer(Timer),
}

impl Source {
    pub(super) fn enable(&mut self) -> Result<(), String> {
        match self {
            Source::Kernel(sampler) => sampler.enable(),
            Source::Timer(timer) => timer.switch(true),
        }
    }

    pub(super) fn disable(&mut self) -> Result<(), String> {
        match self {
            Source::Kernel(sampler) => sampler.disable(),
            Source::Timer(timer) => timer.switch(false),
        }
    }

    /// Passes on the samples since the last call.
    pub(super) fn drain(&mut self, take: impl FnMut(&Sample)) {
        match self {
            Source::Kernel(sampler) => sampler.drain(take),
            Source::Timer(timer) => timer.drain(take),
        }
    }

    pub(super) fn losses(&self) -> Losses {
        match self {
            Source::Kernel(sampler) => sampler.losses,
            Source::Timer(timer) => timer.losses,
        }
    }
}
