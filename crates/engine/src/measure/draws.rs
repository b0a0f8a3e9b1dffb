//! Random draws for the launches of a wave.

use super::engine::Engine;
use super::wave::{Member, Wave};
use tare_model::Draw;
use tare_stats::rng::Rng;

impl Engine {
    /// One draw per child: layouts in turn, and the same on both sides of a comparison, so that places cancel.
    pub(super) fn draws(&self, wave: &Wave, width: u32) -> Vec<Draw> {
        let are_sides = wave.cases.iter().all(|&case| self.plan().cases[case as usize].side.is_some());
        let fixed = Rng::new(self.plan().seed ^ wave.group as u64);
        let draw = |(at, member): (usize, &Member)| {
            // Index of this launch of its case, in this wave and overall.
            let in_wave = at as u32 % width;
            let of_case = wave.number * width + in_wave;
            let first = if are_sides { &wave.members[in_wave as usize] } else { member };
            // The same for all waves of the case, and for both sides.
            let offset = fixed.fork(if are_sides { 0 } else { member.position as u64 }).next_u64() >> 48;
            let number = of_case + offset as u32;
            let random = self.rng.fork(u64::from(first.launch)).next_u64();
            // Distinct for all launches of a case, and never 0.
            let seed = u64::from(number) << 32 | random & 0xffff_ffff | 1;
            let artifact = self.plan().cases[member.case as usize].artifact as usize;
            let layout = number % (self.run().artifacts[artifact].layouts.len() as u32).max(1);
            Draw { layout, pair: are_sides.then_some(u64::from(of_case)), seed }
        };
        wave.members.iter().enumerate().map(draw).collect()
    }
}
