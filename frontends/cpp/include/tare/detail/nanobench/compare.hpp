// Part of <tare/nanobench.hpp>: alternatives measured in turn.
#ifndef TARE_DETAIL_NANOBENCH_COMPARE_HPP_INCLUDED
#define TARE_DETAIL_NANOBENCH_COMPARE_HPP_INCLUDED

namespace ankerl {
namespace nanobench {

/** Like nanobench's: how many times as fast as the first entry each one is. */
class CompareResult {
public:
    struct Entry {
        Entry(std::string name_, Result result_, double relative_, double low, double high, size_t tied)
            : name(std::move(name_)), result(std::move(result_)), relative(relative_), relativeLow(low),
              relativeHigh(high), tiedRounds(tied) {}
        std::string name;
        Result result;
        double relative, relativeLow, relativeHigh;
        size_t tiedRounds; ///< rounds in which both took the same time to the last tick
    };

    CompareResult(std::vector<Entry> entries, size_t rounds) : entries_(std::move(entries)), rounds_(rounds) {}

    size_t size() const noexcept { return entries_.size(); }
    const Entry& operator[](size_t index) const { return entries_.at(index); }
    size_t rounds() const noexcept { return rounds_; }
    /** The number of comparisons that the intervals account for. */
    size_t comparisons() const noexcept { return entries_.size() < 2 ? 0 : entries_.size() - 1; }
    bool isSignificant(size_t index) const {
        const Entry& entry = entries_.at(index);
        return index > 0 && (entry.relativeLow > 1 || entry.relativeHigh < 1);
    }
    /** The index of the entry with the lowest median. */
    size_t fastest() const {
        const auto time = [&](size_t i) { return entries_[i].result.median(Result::Measure::elapsed); };
        size_t least = 0;
        for (size_t i = 1; i < entries_.size(); ++i) {
            if (time(i) < time(least)) least = i;
        }
        return least;
    }

private:
    std::vector<Entry> entries_;
    size_t rounds_;
};

/** Tare's table, with its verdicts. */
inline std::ostream& operator<<(std::ostream& stream, const CompareResult& all) {
    ::tare::CompareResult ours;
    for (size_t i = 0; i < all.size(); ++i) {
        ::tare::CompareResult::Entry entry;
        entry.name = all[i].name;
        entry.result = all[i].result;
        if (i > 0) {
            ::tare::detail::judge(entry, 1 / all[i].relative, 1 / all[i].relativeHigh, 1 / all[i].relativeLow);
        }
        ours.add(std::move(entry), all.rounds());
    }
    return stream << ours.text();
}

} // namespace nanobench
} // namespace ankerl
#endif
