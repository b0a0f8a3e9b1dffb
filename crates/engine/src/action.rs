//! The interface between the engine and the owner of the children.

use std::collections::BTreeMap;
use tare_model::{ChildFindings, Columns, Draw, Failure, InstanceWork};
use tare_protocol::Request;

#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Start these children together, greet and open them. One answer each: opened or failed.
    Start(Vec<Start>),
    /// Send each request, then wait for each reply. One answer each: measured, checked, collected or failed.
    Ask(Vec<Ask>),
    /// Close these children and let them exit. One answer each: ended or failed.
    End(Vec<u32>),
    /// Stop these children at once: their case has failed. No answer.
    Kill(Vec<u32>),
    Done,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    pub launch: u32,
    pub case: u32,
    pub draw: Draw,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    pub launch: u32,
    pub request: Request,
    /// The body works only on the thread that waits on the link, so that thread may be pinned to one processor.
    pub may_be_placed: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    Opened {
        start_up_ns: f64,
        resident_bytes: Option<u64>,
        /// Amounts per invocation that only its set-up shows.
        work: InstanceWork,
        /// Address of the function with its measuring loop in the process, if reported.
        loop_address: Option<u64>,
        compiles_by_count: bool,
    },
    Measured {
        columns: Box<Columns>,
        resident_bytes: Option<u64>,
    },
    Checked {
        digest: Option<String>,
        text: Option<String>,
    },
    /// It made its instance again, elsewhere in memory.
    Randomized,
    Collected {
        resident_bytes: Option<u64>,
        /// Live bytes, if the runtime knows them.
        live_bytes: Option<u64>,
    },
    Diagnosed {
        /// Operations per invocation of each iteration, if the child counts them.
        operations: Vec<f64>,
        metrics: BTreeMap<String, Vec<f64>>,
        findings: Box<ChildFindings>,
    },
    Ended {
        peak_memory_bytes: Option<u64>,
        /// The last lines of its output.
        output: Vec<String>,
    },
    Failed {
        failure: Failure,
        peak_memory_bytes: Option<u64>,
    },
}
