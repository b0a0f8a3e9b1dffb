//! Selects one of several jobs as a side: a run, or a file of BenchmarkDotNet, contains every benchmark once per job.

use super::Saved;

impl Saved {
    pub fn jobs(&self) -> Vec<&str> {
        let mut jobs: Vec<&str> = Vec::new();
        for case in self.cases.iter().filter(|case| !case.job.is_empty()) {
            if !jobs.contains(&case.job.as_str()) {
                jobs.push(&case.job);
            }
        }
        jobs
    }

    /// The results of the one job that `wanted` names, without the job in its keys: `net8` names `Runtime=.NET 8.0`. The error lists the
    /// existing jobs.
    pub fn of_job(mut self, wanted: &str) -> Result<Saved, Vec<String>> {
        let plain = |text: &str| -> String {
            text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
        };
        let jobs = self.jobs();
        let exact = jobs.iter().copied().filter(|job| *job == wanted);
        let fitting =
            jobs.iter().copied().filter(|job| !plain(wanted).is_empty() && plain(job).contains(&plain(wanted)));
        let mut named: Vec<&str> = exact.collect();
        if named.is_empty() {
            named = fitting.collect();
        }
        let [job] = named[..] else { return Err(jobs.iter().map(|job| (*job).to_owned()).collect()) };
        let job = job.to_owned();
        self.cases.retain(|case| case.job == job);
        self.tell_apart();
        // A failure without a job may belong to this one.
        self.failed.retain(|failed| failed.job.is_empty() || failed.job == job);
        for failed in self.failed.iter_mut().filter(|failed| !failed.job.is_empty()) {
            failed.key = failed.stem.clone();
        }
        self.machine.insert(super::fact::JOB.to_owned(), job);
        Ok(self)
    }
}
