//! The concern of each flag, which decides whether it applies when a run is resumed or repeated.

use tare_model::Concern;

/// The arguments of the measuring commands, by the names of their declarations.
const ALL: [(Concern, &str); 13] = [
    (Concern::Subject, "paths command arguments python set_up base new commands name good bad also"),
    (
        Concern::Selection,
        "filter exclude case param category all_categories exclude_category shard baseline rename package \
         bench",
    ),
    (Concern::Amount, "quick long launches rounds precision budget runs dry"),
    (
        Concern::Method,
        "timeout min_effect invocations memory_randomization cpu wall keep_order seed diagnose diagnose_for \
         diagnose_depth counters warmup prepare conclude setup cleanup shell no_shell ignore_failure stdin stdout show_output faster first_parent why on parts",
    ),
    (
        Concern::Build,
        "job runtimes cxx cc flags no_align features all_features no_default_features profile layouts \
         benchmarks_from",
    ),
    (Concern::Saved, "threshold noise time better criterion"),
    (Concern::Gate, "fail_on limit"),
    (Concern::Output, "output template format job_summary"),
    (Concern::View, "md_limit order top as_benchmarkdotnet"),
    (Concern::Conduct, "stop_on_error keep"),
    (Concern::Record, "no_save context"),
    (Concern::Talk, "verbose quiet color ascii json help version"),
    (Concern::Stored, "resume again unclear"),
];

pub fn of(id: &str) -> Option<Concern> {
    ALL.into_iter().find(|(_, ids)| ids.split(' ').any(|known| known == id)).map(|(concern, _)| concern)
}
