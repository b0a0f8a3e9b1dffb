//! What is simulated: a machine, its programs and their bodies, and the rules.

use crate::{Body, ClockModel, Neighbour};
use tare_engine::{plan, side_by_side, CatalogEntry};
use tare_model::{
    Artifact, Benchmark, ChildFacts, ClockReference, CoreWidth, Environment, Event, Job, Plan, Policy, Request, SetUp,
    Side, METHOD_VERSION, SCHEMA_VERSION,
};
use tare_stats::noise::{Parameters, Scenario};
use tare_stats::rng::Rng;

/// How often a child loses its processor within the time that it works.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Preemption {
    /// Per second of work.
    pub rate: f64,
    /// Mean length of the gap (exponential), s.
    pub seconds: f64,
}

/// A program of the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Program {
    /// It compiles late and starts slowly.
    pub managed: bool,
    /// It compiles some time after it was called, and not after having worked.
    pub by_clock: bool,
    pub probe: bool,
    pub rolled: bool,
    /// It has loops of single turns.
    pub single: bool,
    pub cpu: bool,
    pub waits: bool,
    pub collect: bool,
    /// It cuts iterations into windows between readings of the width probe.
    pub windows: bool,
    /// The width probe is its own, alike in all processes of its runtime.
    pub own_width: bool,
}

impl Program {
    /// A native front end with everything.
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
    /// A managed runtime without probe or second loop.
    pub const MANAGED: Program =
        Program { managed: true, probe: false, rolled: false, collect: true, windows: false, ..Program::NATIVE };
    /// The same that compiles by the clock.
    pub const BY_CLOCK: Program = Program { by_clock: true, ..Program::MANAGED };
}

/// What the places of code and data cost that the seed of a launch draws: the same launch on both sides of a comparison has the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Places {
    /// Sd of what a place costs, on the log scale.
    pub sd: f64,
    /// Share of rare places.
    pub rare: f64,
    /// What a rare place costs, on the log scale.
    pub rare_cost: f64,
    /// What is good for the base is bad for the new side: its code lies elsewhere.
    pub opposed: bool,
}

impl Places {
    /// What the places of a launch cost a body.
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

/// A machine, what runs on it, and by which rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    pub noise: Parameters,
    pub clock: ClockModel,
    /// The nominal length of a cycle and the width of an unshared core are known as the machine's profile.
    pub profile: bool,
    /// What the profile holds as that width, cycles an addition; None: nothing.
    pub known_width: Option<f64>,
    pub neighbour: Option<Neighbour>,
    /// Groups are the two sides of a comparison, whose visits are alike, as those of `tare compare`.
    pub builds: bool,
    /// What the places of code and data cost that the seed of a launch draws; None: nothing.
    pub places: Option<Places>,
    /// How children lose the processor.
    pub preemption: Preemption,
    pub programs: Vec<Program>,
    pub bodies: Vec<Body>,
    pub policy: Policy,
    pub seed: u64,
    /// Processors that children share while they start and warm up.
    pub processors: usize,
}

/// Turns of the workload loop and of the rolled loop.
pub(crate) const UNROLL: u64 = 16;
pub(crate) const ROLLED_UNROLL: u64 = 4;
/// Length of the clock probe in cycles: about 2 µs on each side of an iteration.
pub(crate) const PROBE_CYCLES: f64 = 8192.0;
/// Independent additions of a reading of the width probe.
pub(crate) const WIDTH_ADDITIONS: f64 = 14_400.0;
/// Cycles of each on a core that is not shared.
pub const CYCLES_PER_ADDITION: f64 = 0.25;

impl Scene {
    /// Native bodies on one of the three machines, by the default rules.
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

    /// The same beside a neighbour, who slows all bodies by this factor.
    pub fn beside(self, neighbour: Neighbour, slowdown: f64) -> Scene {
        let bodies = self.bodies.into_iter().map(|body| Body { slowdown, ..body }).collect();
        Scene { bodies, neighbour: Some(neighbour), ..self }
    }

    pub fn with(self, policy: Policy) -> Scene {
        Scene { policy, ..self }
    }

    /// What a child of a program says of itself.
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
            request: Request::default(),
            environment: Box::new(environment),
            artifacts: self.artifacts(),
            jobs: vec![Job::default()],
            sides: None,
            missing: Default::default(),
            plan: Box::new(self.plan(&entries)),
        }
    }

    fn plan(&self, entries: &[CatalogEntry]) -> Plan {
        let mut plan = plan(entries, self.policy.clone(), self.seed);
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

/// The index of a benchmark is that of its body, so that a case leads to it.
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
