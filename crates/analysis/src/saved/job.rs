//! One of several jobs as a side: a run, or a file of BenchmarkDotNet, holds every benchmark once for each of them.

use super::Saved;

impl Saved {
    /// The jobs, in the order of their first appearance.
    pub fn jobs(&self) -> Vec<&str> {
        let mut jobs: Vec<&str> = Vec::new();
        for case in self.cases.iter().filter(|case| !case.job.is_empty()) {
            if !jobs.contains(&case.job.as_str()) {
                jobs.push(&case.job);
            }
        }
        jobs
    }

    /// What was run by the one job that `wanted` names, without the job in its keys: `net8` names `Runtime=.NET 8.0`.
    ///
    /// # Errors
    /// The jobs that exist, when it names none of them or several.
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
        let others: Vec<String> = jobs.iter().filter(|other| **other != job).map(|other| format!("@{other}")).collect();
        self.cases.retain(|case| case.job == job);
        for case in &mut self.cases {
            if let Some(without) = case.key.strip_suffix(&format!("@{job}")) {
                case.key = without.to_owned();
            }
        }
        self.failed.retain(|failed| others.iter().all(|other| !failed.key.ends_with(other)));
        for failed in &mut self.failed {
            if let Some(without) = failed.key.strip_suffix(&format!("@{job}")) {
                failed.key = without.to_owned();
            }
        }
        // Failures of BenchmarkDotNet do not say of which job they are: those of benchmarks that this one measured are of another.
        let cases = &self.cases;
        self.failed.retain(|failed| cases.iter().all(|case| case.key != failed.key));
        self.machine.insert(super::fact::JOB.to_owned(), job);
        Ok(self)
    }
}
