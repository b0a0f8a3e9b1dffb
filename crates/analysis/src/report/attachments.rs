//! The files of a run, as a report names them.

use serde::Serialize;
use tare_model::{Attachment, Owner, Run};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AttachmentReport {
    #[serde(flatten)]
    pub attachment: Attachment,
    /// Index into [`crate::Report::cases`] of its case; `None` for a side.
    #[serde(skip)]
    pub case: Option<u32>,
    /// Its path in the folder of the run; `None` if its content was not kept.
    pub path: Option<String>,
}

pub(crate) fn attachments(run: &Run) -> Vec<AttachmentReport> {
    let report = |attachment: &Attachment| AttachmentReport {
        case: match attachment.of {
            Owner::Case(case) => Some(case),
            Owner::Launch(launch) => run.launches.get(launch as usize).map(|launch| launch.case),
            Owner::Side(_) => None,
        },
        path: attachment.path().filter(|_| attachment.lost.is_none()),
        attachment: attachment.clone(),
    };
    run.attachments.iter().map(report).collect()
}
