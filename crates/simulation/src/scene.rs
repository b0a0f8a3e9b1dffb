//! A simulation set-up: a machine, programs with their bodies, and rules.

use crate::{Body, ClockModel, Neighbour};
use tare_engine::{plan, side_by_side, CatalogEntry};
use tare_model::{
    Artifact, Benchmark, ChildFacts, ClockReference, CommandLine, CoreWidth, Environment, Event, Job, Plan, Policy,
    SetUp, Side, METHOD_VERSION, SCHEMA_VERSION,
};
use tare_stats::noise::{Parameters, Scenario};
use tare_stats::rng::Rng;

/// How often a busy child loses its processor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Preemption {
    /// Per second of work.
    pub rate: f64,
    /// Mean length of the gap (exponential), s.
    pub seconds: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Program {
    /// Compiles late and starts slowly.
    pub managed: bool,
    /// Compiles some time after a call rather than after some work.
    pub by_clock: bool,
    pub probe: bool,
    pub rolled: bool,
    /// Has loops of single turns.
    pub single: bool,
    pub cpu: bool,
    pub waits: bool,
    pub collect: bool,
    /// Cuts iterations into windows between readings of the width probe.
    pub windows: bool,
    /// Has its own width probe, comparable within its runtime only.
    pub own_width: bool,
}

impl Program {
    /// A native front end with every feature.
    pub const NATIVE: Program = Program {
        managed: false,
        by_clock: false,
        probe: true,
        rolled: true,
        single: false,
        cpu: true,
        waits: true,
        collect: false,
        windows: true,
        own_width: false,
    };
    /// A managed runtime without a clock probe or a rolled loop.
    pub const MANAGED: Program =
        Program { managed: true, probe: false, rolled: false, collect: true, windows: false, ..Program::NATIVE };
    /// The same, compiling by the clock.
    pub const BY_CLOCK: Program = Program { by_clock: true, ..Program::MANAGED };
}

/// The cost of code and data placement, which depends on the seed of a launch. The same launch has the same seed on both sides of a
/// comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Places {
    /// Standard deviation of a placement's cost, log scale.
    pub sd: f64,
    pub rare: f64,
    /// Cost of a rare placement, log scale.
    pub rare_cost: f64,
    /// Placements that suit the base do not suit the new side: its code lies elsewhere.
    pub opposed: bool,
}

impl Places {
    /// The cost of a launch's placement, log scale.
    pub(crate) fn cost(&self, seed: u64, side: Option<Side>) -> f64 {
        let mut rng = Rng::new(seed);
        let (rare, cost) = (rng.uniform() < self.rare, self.sd * rng.normal());
        let cost = cost + if rare { self.rare_cost } else { 0.0 };
        if self.opposed && side == Some(Side::New) {
            -cost
        } else {
            cost
        }
    }
}

/// A machine, its programs and the rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    pub noise: Parameters,
    pub clock: ClockModel,
    /// The machine's profile contains the nominal cycle length and the width of an unshared core.
    pub profile: bool,
    /// The width in the profile, in cycles per addition; None: the profile has none.
    pub known_width: Option<f64>,
    pub neighbour: Option<Neighbour>,
    /// Groups are the two sides of a comparison with equal visits, as in `tare compare`.
    pub builds: bool,
    /// The cost of code and data placement; None: none.
    pub places: Option<Places>,
    pub preemption: Preemption,
    pub programs: Vec<Program>,
    pub bodies: Vec<Body>,
    pub policy: Policy,
    pub seed: u64,
    /// Processors shared by children while they start and warm up.
    pub processors: usize,
}

/// Invocations per turn of the workload loop and of the rolled loop.
pub(crate) const UNROLL: u64 = 16;
pub(crate) const ROLLED_UNROLL: u64 = 4;
/// Length of the clock probe in cycles: about 2 µs on each side of an iteration.
pub(crate) const PROBE_CYCLES: f64 = 8192.0;
/// Independent additions per reading of the width probe.
pub(crate) const WIDTH_ADDITIONS: f64 = 14_400.0;
/// Cycles per addition on an unshared core.
pub const CYCLES_PER_ADDITION: f64 = 0.25;

impl Scene {
    /// Native bodies on one of the three machines, with the default rules.
    pub fn new(scenario: Scenario, bodies: Vec<Body>, seed: u64) -> Scene {
        let preemption = match scenario {
            Scenario::Quiet => Preemption { rate: 2.0, seconds: 0.001 },
            Scenario::Ci => Preemption { rate: 30.0, seconds: 0.003 },
            Scenario::Bad => Preemption { rate: 120.0, seconds: 0.004 },
        };
        Scene {
            noise: scenario.parameters(),
            clock: ClockModel::STEADY,
            profile: true,
            known_width: Some(CYCLES_PER_ADDITION),
            neighbour: None,
            builds: false,
            places: None,
            preemption,
            programs: vec![Program::NATIVE],
            bodies,
            policy: Policy::default(),
            seed,
            processors: 2,
        }
    }

    /// The same beside a neighbour that slows all bodies by this factor.
    pub fn beside(self, neighbour: Neighbour, slowdown: f64) -> Scene {
        let bodies = self.bodies.into_iter().map(|body| Body { slowdown, ..body }).collect();
        Scene { bodies, neighbour: Some(neighbour), ..self }
    }

    pub fn with(self, policy: Policy) -> Scene {
        Scene { policy, ..self }
    }

    /// The `hello` reply of a program's child.
    pub fn facts(&self, program: &Program) -> ChildFacts {
        let optional = [
            (program.cpu, "cpu"),
            (program.probe, "probe"),
            (program.rolled, "rolled"),
            (program.single, "single"),
            (program.waits, "waits"),
            (program.collect, "collect"),
            (program.windows, "windows"),
        ];
        let mut capabilities: Vec<String> = vec!["compilations".to_owned()];
        capabilities.extend(optional.iter().filter(|(has, _)| *has).map(|(_, name)| (*name).to_owned()));
        ChildFacts {
            language: "invented".to_owned(),
            front_end: "simulation".to_owned(),
            clock: "simulated".to_owned(),
            clock_resolution_ns: 1.0,
            unroll: UNROLL,
            rolled_unroll: program.rolled.then_some(ROLLED_UNROLL),
            probe_cycles: program.probe.then_some(PROBE_CYCLES),
            width_additions: program.windows.then_some(WIDTH_ADDITIONS),
            width_per_process: program.own_width,
            width_per_runtime: program.own_width,
            compiles_late: program.managed,
            compiles_by_clock: program.by_clock,
            collects: program.managed,
            capabilities,
            ..ChildFacts::default()
        }
    }

    pub fn started(&self) -> Event {
        let facts: Vec<ChildFacts> = self.programs.iter().map(|p| self.facts(p)).collect();
        let entries: Vec<CatalogEntry> = (0..self.programs.len() as u32).map(|p| self.entry(p)).collect();
        let reference = ClockReference { cycle_ns: self.clock.nominal_cycle_ns, source: "machine profile".to_owned() };
        let known = self.known_width.filter(|_| self.profile);
        let width =
            known.map(|cycles_per_addition| CoreWidth { cycles_per_addition, source: "machine profile".to_owned() });
        let of_runtimes = facts.iter().filter_map(|f| Some((f.width_probe().runtime()?.to_owned(), width.clone()?)));
        let environment = Environment {
            clock_reference: self.profile.then_some(reference),
            core_width_of: of_runtimes.collect(),
            core_width: width,
            ..Environment::default()
        };
        Event::RunStarted {
            schema: SCHEMA_VERSION.to_owned(),
            id: format!("{:x}", self.seed),
            created: "2000-01-01T00:00:00Z".to_owned(),
            tare: "simulation".to_owned(),
            method: METHOD_VERSION.to_owned(),
            command: Vec::new(),
            request: CommandLine::default(),
            environment: Box::new(environment),
            artifacts: self.artifacts(),
            jobs: vec![Job::default()],
            sides: None,
            missing: Default::default(),
            plan: Box::new(self.plan(&entries)),
        }
    }

    fn plan(&self, entries: &[CatalogEntry]) -> Plan {
        let mut plan = plan(entries, self.policy, self.seed);
        for group in plan.groups.iter_mut().filter(|group| self.builds && group.baseline.is_some()) {
            group.same_invocations = true;
            for &case in &group.cases {
                let side = if Some(case) == group.baseline { Side::Base } else { Side::New };
                plan.cases[case as usize].side = Some(side);
            }
        }
        side_by_side(&mut plan, &self.artifacts());
        plan
    }

    fn artifacts(&self) -> Vec<Artifact> {
        self.programs.iter().enumerate().map(|(index, program)| artifact(index, &self.facts(program))).collect()
    }

    pub(crate) fn rng(&self, part: u64) -> Rng {
        Rng::new(self.seed ^ 0x5e_ed0f_7a4e).fork(part)
    }

    fn entry(&self, program: u32) -> CatalogEntry {
        let of_program = self.bodies.iter().enumerate().filter(|(_, body)| body.program == program);
        CatalogEntry {
            artifact: program,
            program: format!("program{program}"),
            benchmarks: of_program.map(|(index, body)| benchmark(index, body)).collect(),
        }
    }
}

fn artifact(index: usize, facts: &ChildFacts) -> Artifact {
    Artifact {
        name: format!("program{index}"),
        language: facts.language.clone(),
        toolchain: "program".to_owned(),
        command: vec!["invented".to_owned()],
        directory: ".".to_owned(),
        layouts: vec!["a".to_owned(), "b".to_owned()],
        child: Some(facts.clone()),
        ..Artifact::default()
    }
}

/// A benchmark's index is that of its body, so that a case identifies it.
fn benchmark(index: usize, body: &Body) -> Benchmark {
    Benchmark {
        index: index as u32,
        group: body.group.clone(),
        name: body.name.clone(),
        baseline: body.baseline,
        waits: body.says_waits,
        invocations_max: body.invocations_max,
        restarts: body.restart_ns.is_some(),
        set_ups: body.set_up_ns.map(|_| SetUp::Iteration).into_iter().collect(),
        ..Benchmark::default()
    }
}
