//! The list of all finding codes.

use serde::Serialize;
use std::fmt;

/// Passes the list to a macro: for each, a module of `findings`, its code and its name. Among equally important findings, those further up
/// come first.
macro_rules! codes {
    ($to:ident) => {
        $to! {
            nothing_in_common: NothingInCommon = "nothing-in-common";
            not_compared: NotCompared = "not-compared";
            unknown_direction: UnknownDirection = "unknown-direction";
            other_operations: OtherOperations = "other-operations";
            rename_without_effect: RenameWithoutEffect = "rename-without-effect";
            other_machine: OtherMachine = "other-machine";
            other_system: OtherSystem = "other-system";
            other_build: OtherBuild = "other-build";
            other_tool: OtherTool = "other-tool";
            other_clock: OtherClock = "other-clock";
            same_data: SameData = "same-data";
            mixed_side: MixedSide = "mixed-side";
            same_name: SameName = "same-name";
            command_failed: CommandFailed = "command-failed";
            debugger: Debugger = "debugger";
            instrumented: Instrumented = "instrumented";
            debug_build: DebugBuild = "debug-build";
            out_of_time: OutOfTime = "out-of-time";
            different_results: DifferentResults = "different-results";
            not_repeatable: NotRepeatable = "not-repeatable";
            optimised_away: OptimisedAway = "optimised-away";
            repeated_alone: RepeatedAlone = "repeated-alone";
            no_ratio: NoRatio = "no-ratio";
            times_and_ratio: TimesAndRatio = "times-and-ratio";
            noisy_host: NoisyHost = "noisy-host";
            preempted: Preempted = "preempted";
            own_threads: OwnThreads = "own-threads";
            own_processes: OwnProcesses = "own-processes";
            core_shared: CoreShared = "core-shared";
            width_probe: WidthProbe = "width-probe";
            no_steady_state: NoSteadyState = "no-steady-state";
            memory_growth: MemoryGrowth = "memory-growth";
            drift: Drift = "drift";
            slow_start: SlowStart = "slow-start";
            inputs_leave_caches: InputsLeaveCaches = "inputs-leave-caches";
            two_modes: TwoModes = "two-modes";
            memory_modes: MemoryModes = "memory-modes";
            launches_disagree: LaunchesDisagree = "launches-disagree";
            waves_disagree: WavesDisagree = "waves-disagree";
            too_short: TooShort = "too-short";
            failed_to_decide: FailedToDecide = "failed-to-decide";
            inlined_differently: InlinedDifferently = "inlined-differently";
            few_launches: FewLaunches = "few-launches";
            heavy_tail: HeavyTail = "heavy-tail";
            clock_speed: ClockSpeed = "clock-speed";
            layout_limited: LayoutLimited = "layout-limited";
            not_diagnosed: NotDiagnosed = "not-diagnosed";
            diagnoser_remark: DiagnoserRemark = "diagnoser-remark";
            not_randomized: NotRandomized = "not-randomized";
            left_out: LeftOut = "left-out";
        }
    };
}
pub(crate) use codes;

macro_rules! define {
    ($($module:ident: $code:ident = $name:literal;)*) => {
        /// Finding codes. Each has a page `docs/findings/CODE.md`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[allow(missing_docs, reason = "the pages say what they mean")]
        pub enum Code {
            $(#[serde(rename = $name)] $code,)*
        }

        impl Code {
            pub const ALL: &'static [Code] = &[$(Code::$code,)*];

            pub fn name(self) -> &'static str {
                match self {
                    $(Code::$code => $name,)*
                }
            }
        }
    };
}

codes!(define);

impl Code {
    /// Its evidence quotes foreign text: only findings with equal text are merged.
    pub fn quotes(self) -> bool {
        matches!(self, Code::DiagnoserRemark | Code::MixedSide)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
