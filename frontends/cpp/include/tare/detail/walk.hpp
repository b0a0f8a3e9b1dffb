// Part of <tare/bench.hpp>: the quick style under a host. Only running main shows what it measures, and a body
// exists only while its run() does. So the process stops in the first run() and serves from there: list  has been
// answered by a copy of the process, a scout, that ran on without the bodies and reported the names; open  makes a
// copy, a walker, that continues to that run() and serves the link within it until close.
#ifndef TARE_DETAIL_WALK_HPP_INCLUDED
#define TARE_DETAIL_WALK_HPP_INCLUDED

namespace tare {
namespace detail {

// A run() as a benchmark with one value per parameter.
struct WalkedRun {
    const tare_benchmark& benchmark;
    std::vector<std::pair<std::string, std::string>> parameters;
};

#if TARE_POSIX_
constexpr int walker_closed = 113, walker_bye = 114; // exit statuses of a walker
constexpr unsigned scout_seconds = 10, scout_runs = 10000;

struct Walk {
    tare_link_* link = nullptr; // to the host
    uint64_t runs = 0, wanted = UINT64_MAX;
    FILE* report = nullptr; // the scout's
};
inline Walk& walk() {
    static Walk all;
    return all;
}

// A run() as reported by the scout.
struct HeardRun final : tare_benchmark {
    std::vector<std::pair<std::string, std::string>> parameters;
    HeardRun() : tare_benchmark() {}
};
TARE_ENGINE_ bool act_heard(tare_benchmark* self, tare_act_ act, uint64_t) {
    for (const auto& [name, value] : static_cast<HeardRun*>(self)->parameters) {
        tare_parameter_* reported = nullptr;
        if (act == TARE_MAKE_) tare_choose_(name.c_str(), 1, &reported);
        if (reported == nullptr) continue;
        tare_text_ text = {TARE_DIGEST_START_, 0, sizeof reported->text, reported->text, false};
        if (!value.empty() && value.find_first_not_of("0123456789") == std::string::npos)
            reported->type = "integer";
        tare_text_say_(&text, value.c_str());
        tare_text_end_(&text);
    }
    return !tare_state_.has_failed;
}
// The first benchmark of a group with the same parameters is its baseline. A repeated name gets a number, as with a
// loop
// around run().
TARE_ENGINE_ void add_heard(HeardRun& it) {
    const std::string name = it.title;
    const auto group_of = [](const char* title) { return std::string_view(title, tare_group_length_(title)); };
    std::vector<std::string_view> taken;
    for (const tare_benchmark* one = tare_state_.first; one != nullptr; one = one->next_) {
        if (static_cast<const HeardRun*>(one)->parameters != it.parameters) continue;
        if (one->baseline && group_of(one->title) == group_of(it.title)) it.baseline = false;
        taken.emplace_back(one->title);
    }
    for (unsigned number = 2; std::find(taken.begin(), taken.end(), it.title) != taken.end(); ++number) {
        const std::string numbered = name + " (" + std::to_string(number) + ")";
        it.title = tare_keep_text_(numbered.data(), numbered.size());
    }
    tare_add_(&it);
}
// A partial list would look like a complete one, so this ends the process.
[[noreturn]] TARE_ENGINE_ void misheard() {
    fprintf(stderr, "error: a run() could not be listed: its report ends early or cannot be read\n");
    exit(2);
}
TARE_ENGINE_ const char* hear_line(FILE* from) {
    char line[600];
    if (fgets(line, sizeof line, from) == nullptr) misheard();
    return tare_keep_text_(line, strcspn(line, "\n"));
}
TARE_ENGINE_ void report_line(std::string text) {
    text.resize(std::min<size_t>(text.size(), 590)); // the size of the reader's buffer
    std::replace(text.begin(), text.end(), '\n', ' ');
    fprintf(walk().report, "%s\n", text.c_str());
}
// Writes lines with the numbers of the benchmark, its title, its unit, an error in it, and its parameters.
TARE_ENGINE_ void report_run(const WalkedRun& run) {
    const tare_benchmark& it = run.benchmark;
    fprintf(walk().report, "%llu %llu %d %d %d %u %zu\n", static_cast<unsigned long long>(it.operations),
            static_cast<unsigned long long>(it.invocations_max), it.returns_, it.baseline, it.waits, it.steps_,
            run.parameters.size());
    report_line(it.title);
    report_line(it.unit == nullptr || *it.unit == 0 ? "op" : it.unit);
    report_line(it.invalid_ == nullptr ? "" : it.invalid_);
    for (const auto& [name, value] : run.parameters) report_line(name), report_line(value);
    fflush(walk().report);
}
TARE_ENGINE_ void hear_scout(FILE* from) {
    unsigned long long operations, invocations_max;
    int returns, baseline, waits;
    unsigned steps;
    size_t count;
    for (int next; (next = fgetc(from)) != EOF;) {
        ungetc(next, from);
        if (sscanf(hear_line(from), "%llu %llu %d %d %d %u %zu", &operations, &invocations_max, &returns, &baseline,
                   &waits, &steps, &count) != 7)
            misheard();
        HeardRun* const it = new HeardRun();
        it->title = hear_line(from);
        it->unit = hear_line(from);
        const char* const invalid = hear_line(from);
        if (*invalid != 0) it->invalid_ = invalid;
        it->operations = operations;
        it->invocations_max = invocations_max;
        it->returns_ = returns != 0;
        it->baseline = baseline != 0;
        it->waits = waits != 0;
        it->steps_ = steps;
        it->act_ = act_heard;
        for (size_t i = 0; i < count; ++i) {
            const char* const name = hear_line(from);
            it->parameters.emplace_back(name, hear_line(from));
        }
        add_heard(*it);
    }
}
// Returns true in the scout, which runs on. The process itself returns with the list.
TARE_ENGINE_ bool send_scout() {
    int ends[2];
    fflush(nullptr);
    if (pipe(ends) != 0) exit(2);
    const pid_t scout = fork();
    if (scout == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, 1); // main's output is printed once, by the walker
        dup2(nowhere, 2);
        close(walk().link->input);
        close(walk().link->output);
        close(ends[0]);
        alarm(scout_seconds);
        walk().report = fdopen(ends[1], "w");
        return true;
    }
    close(ends[1]);
    FILE* const from = fdopen(ends[0], "r");
    if (from != nullptr) hear_scout(from), fclose(from);
    if (scout > 0) waitpid(scout, nullptr, 0);
    return false;
}
// Answers `open` in the process that waits in the first run(). Returns false in the walker.
TARE_ENGINE_ bool send_walker(tare_link_* link, uint64_t index, uint64_t seed) {
    int status = 0;
    fflush(nullptr);
    const pid_t walker = fork();
    if (walker == 0) {
        walk().wanted = index;
        tare_move_heap_(seed);
        return false;
    }
    if (walker < 0) {
        tare_refuse_(link, "not-supported", "cannot fork");
        return true;
    }
    while (waitpid(walker, &status, 0) < 0 && errno == EINTR) {}
    if (WIFEXITED(status) && WEXITSTATUS(status) == walker_closed) return true;
    if (WIFEXITED(status)) _exit(WEXITSTATUS(status) == walker_bye ? 0 : WEXITSTATUS(status) | 1);
    signal(WTERMSIG(status), SIG_DFL); // die like the walker
    raise(WTERMSIG(status));
    _exit(1);
}
// Serves the host in the walker until it closes.
[[noreturn]] TARE_ENGINE_ void serve_run(tare_benchmark& it) {
    tare_link_* const link = walk().link;
    link->is_walker = true;
    link->is_closed = false;
    link->open = &it;
    if (it.invalid_ == nullptr && tare_step_(&it, TARE_SET_UP_, 0)) {
        tare_say_(link, "{\"reply\":\"opened\"");
        tare_say_loop_(link, &it);
        tare_say_(link, "}\n");
        tare_serve_(link);
    } else { // the waiting process stays in the state `ready`
        if (it.invalid_ != nullptr) tare_fail(it.invalid_);
        tare_blame_(link, &it, TARE_SET_UP_);
        link->is_closed = true;
    }
    _exit(link->is_closed ? walker_closed : walker_bye);
}
// True under a host, which measures this run() in a separate process, if it is the requested one.
TARE_ENGINE_ bool is_walked(tare_benchmark& it, const WalkedRun& run) {
    Walk& all = walk();
    if (all.runs == 0 && all.link == nullptr) all.link = tare_link_from_environment_();
    if (all.link == nullptr) return false;
    if (all.runs == 0 && !send_scout()) {
        all.link->start = send_walker;
        tare_serve_(all.link);
        if (all.wanted == UINT64_MAX) _exit(0); // bye
    }
    const uint64_t number = all.runs++;
    if (all.report != nullptr) {
        if (number >= scout_runs) _exit(0); // a loop that waits for a result, which never comes
        report_run(run);
    } else if (number == all.wanted) {
        serve_run(it);
    }
    return true;
}
#else
inline bool is_walked(tare_benchmark&, const WalkedRun&) { return false; }
#endif

} // namespace detail
} // namespace tare
#endif
