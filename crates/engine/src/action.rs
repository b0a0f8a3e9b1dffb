//! The interface between the engine and the owner of the children.

use std::collections::BTreeMap;
use tare_model::{Amounts, ChildFindings, Columns, Draw, Failure};
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
    /// The body works on the thread that waits on the link and on no other: that thread may be kept on one processor.
    pub may_be_placed: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    Opened {
        start_up_ns: f64,
        resident_bytes: Option<u64>,
        /// What an invocation does, where only its set-up shows it.
        amounts: Amounts,
        /// Where the function with its measuring loop is in the process, where it says so.
        loop_address: Option<u64>,
        /// It says whether something is left to compile, as it was started.
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
    /// It made its instance anew, elsewhere in memory.
    Randomized,
    /// It collected its garbage.
    Collected {
        resident_bytes: Option<u64>,
        /// What lives, bytes, where the runtime knows it.
        live_bytes: Option<u64>,
    },
    /// It ran under a diagnoser.
    Diagnosed {
        /// Operations of an invocation of each iteration, where the child counts them.
        operations: Vec<f64>,
        metrics: BTreeMap<String, Vec<f64>>,
        findings: Box<ChildFindings>,
    },
    Ended {
        peak_memory_bytes: Option<u64>,
        /// The last lines that it printed.
        output: Vec<String>,
    },
    Failed {
        failure: Failure,
        peak_memory_bytes: Option<u64>,
    },
}
