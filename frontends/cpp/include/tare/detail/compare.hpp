// Part of <tare/bench.hpp>: alternatives measured in turn within one process.
#ifndef TARE_DETAIL_COMPARE_HPP_INCLUDED
#define TARE_DETAIL_COMPARE_HPP_INCLUDED

namespace tare {

/** The result of Bench::compare(). The first entry is the one that the others are compared with. */
class CompareResult {
public:
    struct Entry {
        std::string name;
        Result result;
        double ratio = 1, ratio_low = 1,
               ratio_high = 1;        // cost: this one / the first; 95 % for the whole table
        const char* verdict = "base"; // faster, slower, same (within 1 %), unclear
        size_t tied_rounds = 0;  // rounds in which both took the same time, to the step of the clock
    };
    size_t size() const { return entries_.size(); }
    const Entry& operator[](size_t index) const { return entries_.at(index); }
    /** Iterations of each alternative. */
    size_t rounds() const { return rounds_; }
    /** Whether the interval of its ratio excludes 1. */
    bool is_significant(size_t index) const {
        const Entry& entry = entries_.at(index);
        return index > 0 && (entry.ratio_low > 1 || entry.ratio_high < 1);
    }
    size_t fastest() const {
        size_t least = 0;
        for (size_t i = 1; i < entries_.size(); ++i) {
            if (entries_[i].ratio < entries_[least].ratio) least = i;
        }
        return least;
    }
    std::string text() const;

    void add(Entry entry, size_t rounds) {
        entries_.push_back(std::move(entry));
        rounds_ = rounds;
    }

private:
    std::vector<Entry> entries_;
    size_t rounds_ = 0;
};

namespace detail {

// How many of the smallest and of the largest of `count` values lie outside an interval for their median with an
// error probability of at most `alpha` (the sign test). -1 if there are too few values for such an interval.
TARE_ENGINE_ int outside_of_median(size_t count, double alpha) {
    double log_probability = -static_cast<double>(count) * std::log(2.0), tail = 0; // of 0 successes among `count`
    int outside = -1;
    for (size_t k = 0; k <= count / 2; ++k) {
        tail += std::exp(log_probability);
        if (2 * tail > alpha) break;
        outside = static_cast<int>(k);
        log_probability += std::log(static_cast<double>(count - k) / static_cast<double>(k + 1));
    }
    return outside;
}
// The verdict of an entry, by its ratio and interval.
TARE_ENGINE_ void judge(CompareResult::Entry& entry, double ratio, double low, double high) {
    entry.ratio = ratio, entry.ratio_low = low, entry.ratio_high = high;
    entry.verdict = low > 1 && ratio >= 1.01        ? "slower"
                    : high < 1 && ratio <= 1 / 1.01 ? "faster"
                    : low > 1 / 1.01 && high < 1.01 ? "same"
                                                    : "unclear";
}
// The same, from the logarithms of the ratios in each round.
TARE_ENGINE_ void judge(CompareResult::Entry& entry, std::vector<double> logs, size_t comparisons) {
    std::sort(logs.begin(), logs.end());
    const size_t count = logs.size();
    const int outside = outside_of_median(count, 0.05 / static_cast<double>(comparisons));
    const double ratio = count > 0 ? std::exp((logs[(count - 1) / 2] + logs[count / 2]) / 2) : 1;
    const auto at = [&](size_t index) { return std::exp(logs[index]); };
    const size_t left_out = outside < 0 ? 0 : static_cast<size_t>(outside);
    entry.tied_rounds = static_cast<size_t>(std::count(logs.begin(), logs.end(), 0.0));
    judge(entry, ratio, outside < 0 ? 0 : at(left_out), outside < 0 ? HUGE_VAL : at(count - 1 - left_out));
}

} // namespace detail

TARE_ENGINE_ std::string CompareResult::text() const {
    if (entries_.empty()) return "";
    const Config& config = entries_[0].result.config();
    std::string table = "\n| " + detail::padded("time/" + config.unit, 12) +
                        " |  ratio |         interval | verdict | " +
                        (config.title.empty() ? "comparison" : detail::escaped_name(config.title)) +
                        "\n|-------------:|-------:|-----------------:|--------:|:-----------------------\n";
    for (const Entry& entry : entries_) {
        const bool is_first = &entry == &entries_[0];
        if (!entry.result.failure().empty()) {
            table += "|       failed |      - |                - |       - | " + detail::code_text(entry.name) +
                     ": " + entry.result.failure() + "\n";
            continue;
        }
        const bool is_less = entry.result.limit > 0;
        table +=
            "| " +
            detail::padded((is_less ? "< " : "") +
                               detail::time_text(is_less ? entry.result.limit : entry.result.nanoseconds),
                           12) +
            detail::format(" | %6.3f | ", entry.ratio) +
            (is_first ? "               -"
                      : detail::padded(detail::format("[%.3f, %.3f]", entry.ratio_low, entry.ratio_high), 16)) +
            detail::format(" | %7s | ", entry.verdict) + detail::code_text(entry.name) + "\n";
    }
    return table;
}

template <class Stream>
auto operator<<(Stream& stream, const CompareResult& result) -> decltype(stream.write("", 0), stream) {
    const std::string text = result.text();
    stream.write(text.data(), static_cast<std::ptrdiff_t>(text.size()));
    return stream;
}

} // namespace tare
#endif
