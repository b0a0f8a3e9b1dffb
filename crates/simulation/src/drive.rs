//! Runs an engine on a simulated machine.

use crate::{Scene, World};
use tare_analysis::{analyse, Report};
use tare_engine::{Action, Engine};
use tare_model::{CaseGroup, Event, Plan, Run, RunStatus};

#[derive(Debug, Clone, Default)]
pub struct Trace {
    /// The engine's actions in order.
    pub actions: Vec<Action>,
    pub events: Vec<Event>,
}

#[derive(Debug)]
pub struct Measured {
    pub run: Run,
    pub report: Report,
    pub world: World,
}

/// Drives an engine to the end of its run. Fails if it needs more than `actions_max` actions or breaks the protocol of the children.
pub fn drive(engine: &mut Engine, world: &mut World, actions_max: usize, trace: &mut Trace) -> Result<(), String> {
    trace.events.extend(engine.take_events());
    for _ in 0..actions_max {
        let action = engine.next(world.part_ns());
        if action == Action::Done {
            engine.finish(RunStatus::Finished, world.part_ns() * 1e-9, None, None);
            trace.events.extend(engine.take_events());
            return match world.violations.first() {
                Some(violation) => Err(violation.clone()),
                None if world.living() > 0 => Err(format!("{} children are left alive", world.living())),
                None => Ok(()),
            };
        }
        for (launch, answer) in world.act(&action) {
            engine.answer(launch, answer);
        }
        trace.actions.push(action);
        trace.events.extend(engine.take_events());
    }
    Err(format!("no end after {actions_max} actions; the last: {:?}", trace.actions.last()))
}

/// An upper bound of the actions of a run: three times the planned rounds, and a generous search for each child.
pub fn actions_max(plan: &Plan) -> usize {
    let policy = &plan.policy;
    let launches = |group: &CaseGroup| policy.width_of(group) * policy.waves_of(group).1;
    let children: usize = plan.groups.iter().map(|g| g.cases.len() * launches(g) as usize).sum();
    1000 + children * (3 * policy.rounds as usize + 200)
}

pub fn measure(scene: &Scene) -> Result<Measured, String> {
    let mut engine = Engine::new(scene.started(), scene.processors).ok_or("the scene does not start")?;
    let plan = engine.run().plan.clone();
    let actions_max = actions_max(&plan);
    let mut world = World::new(scene, plan);
    drive(&mut engine, &mut world, actions_max, &mut Trace::default())?;
    let run = engine.run().clone();
    Ok(Measured { report: analyse(&run), run, world })
}
