// Part of <tare/nanobench.hpp>: nanobench's environment variables, and where rows are printed.
#ifndef TARE_DETAIL_NANOBENCH_ENVIRONMENT_HPP_INCLUDED
#define TARE_DETAIL_NANOBENCH_ENVIRONMENT_HPP_INCLUDED

namespace ankerl {
namespace nanobench {
namespace detail {

// Parses `text` times 10^exponent, rounded. Returns an error, or null.
TARE_ENGINE_ const char* read_decimal(std::string_view text, size_t exponent, uint64_t& number) {
    const size_t point = std::min(text.find('.'), text.size());
    std::string digits(text.substr(0, point)), fraction(text.substr(std::min(point + 1, text.size())));
    if ((digits + fraction).find_first_not_of("0123456789") != text.npos || digits.empty() ||
        (point < text.size() && fraction.empty()))
        return "is not a number";
    fraction.resize(std::max(fraction.size(), exponent), '0');
    digits += fraction.substr(0, exponent);
    const bool is_half = fraction.size() > exponent && fraction[exponent] >= '5';
    number = 0;
    for (const char digit : digits) {
        const uint64_t value = static_cast<uint64_t>(digit - '0');
        if (number > (UINT64_MAX - value) / 10) return "is too large";
        number = number * 10 + value;
    }
    if (is_half && number == UINT64_MAX) return "is too large";
    number += is_half;
    return nullptr;
}
TARE_ENGINE_ const char* read_count(std::string_view text, uint64_t& count) {
    const char* const fault = read_decimal(text, 0, count);
    return fault == nullptr && text.find('.') != text.npos ? "is not a whole number" : fault;
}
TARE_ENGINE_ const char* read_duration(std::string_view text, std::chrono::nanoseconds& time) {
    static const struct {
        const char* unit;
        size_t exponent;
    } units[] = {{"ns", 0}, {"us", 3}, {"ms", 6}, {"s", 9}};
    for (const auto& one : units) {
        const std::string_view unit = one.unit;
        if (text.size() < unit.size() || text.substr(text.size() - unit.size()) != unit) continue;
        uint64_t count = 0;
        const char* const fault = read_decimal(text.substr(0, text.size() - unit.size()), one.exponent, count);
        if (fault != nullptr) return fault;
        if (count > static_cast<uint64_t>(INT64_MAX)) return "is too large";
        time = std::chrono::nanoseconds(static_cast<int64_t>(count));
        return nullptr;
    }
    return "is missing a time unit - use ns, us, ms or s";
}
// Sets the option `key`. False if it does not exist.
TARE_ENGINE_ bool set_by_name(Bench& bench, std::string_view key, std::string_view value, const char*& fault) {
    uint64_t count = 0;
    std::chrono::nanoseconds time{0};
    const bool is_time = key == "minEpochTime" || key == "maxEpochTime";
    fault = is_time ? read_duration(value, time) : read_count(value, count);
    const bool is_good = fault == nullptr;
    if (key == "minEpochTime") is_good ? bench.minEpochTime(time) : bench;
    else if (key == "maxEpochTime") is_good ? bench.maxEpochTime(time) : bench;
    else if (key == "epochs") is_good ? bench.epochs(static_cast<size_t>(count)) : bench;
    else if (key == "warmup") is_good ? bench.warmup(count) : bench;
    else if (key == "minEpochIterations") is_good ? bench.minEpochIterations(count) : bench;
    else if (key == "epochIterations") is_good ? bench.epochIterations(count) : bench;
    else if (key == "clockResolutionMultiple")
        is_good ? bench.clockResolutionMultiple(static_cast<size_t>(count)) : bench;
    else return false;
    return true;
}
/** Applies `key=value,key=value`, as in NANOBENCH_CONFIG. Each invalid entry adds a line to `errors`. */
TARE_ENGINE_ void applyConfigString(Bench& bench, const std::string& text, std::vector<std::string>& errors) {
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::string entry = ::tare::detail::trimmed(rest.substr(0, rest.find(',')));
        rest.remove_prefix(std::min(rest.find(','), rest.size() - 1) + 1);
        if (entry.empty()) continue;
        const size_t equals = entry.find('=');
        const std::string key = ::tare::detail::trimmed(entry.substr(0, equals));
        const std::string value = equals == entry.npos ? "" : ::tare::detail::trimmed(entry.substr(equals + 1));
        const char* fault = nullptr;
        if (equals == entry.npos) {
            errors.push_back("NANOBENCH_CONFIG: '" + entry + "' is not a key=value pair");
        } else if (!set_by_name(bench, key, value, fault)) {
            errors.push_back("NANOBENCH_CONFIG: unknown key '" + key +
                             "' - valid keys are clockResolutionMultiple, epochIterations, epochs, maxEpochTime, "
                             "minEpochIterations, minEpochTime, warmup");
        } else if (fault != nullptr) {
            errors.push_back("NANOBENCH_CONFIG: '" + key + "=" + value + "' " + fault);
        }
    }
}
TARE_ENGINE_ void apply_environment(Bench& bench) {
    static bool is_said = false;
    const char* const text = getenv("NANOBENCH_CONFIG");
    if (text == nullptr) return;
    std::vector<std::string> errors;
    applyConfigString(bench, text, errors);
    for (const std::string& error : errors) {
        if (!is_said) fprintf(stderr, "warning: %s\n", error.c_str());
    }
    is_said = true;
}
// NANOBENCH_ENDLESS names a run that never ends, for a profiler. It has no effect under a host, whose requests must
// end.
TARE_ENGINE_ bool is_endless(const std::string& name) {
    static bool is_said = false;
    const char* const wanted = getenv("NANOBENCH_ENDLESS");
    if (wanted == nullptr || name != wanted || getenv("TARE_LAUNCH") != nullptr) return false;
    if (!is_said) fprintf(stderr, "note: NANOBENCH_ENDLESS: running `%s` until it is ended\n", name.c_str());
    return is_said = true;
}
TARE_ENGINE_ void say_warnings(bool wants_counters) {
    const char* const suppressed = getenv("NANOBENCH_SUPPRESS_WARNINGS");
    if (suppressed == nullptr || std::string_view(suppressed) == "0") ::tare::detail::say_once(wants_counters);
}
// Prints a row, and the header above the first row of its kind on a stream. The stream remembers which header it
// has; a stream that only copied another one's format, and with it this memory, does not count.
TARE_ENGINE_ void print(std::ostream* stream, const ::tare::Result& result) {
    static const int index = std::ios_base::xalloc();
    if (stream == nullptr || (result.empty() && result.failure().empty())) return; // nothing, under a host
    say_warnings(result.config().wants_counters);
    const std::string header = ::tare::detail::header_text(result);
    const size_t hash = std::hash<std::string>()(header) ^ reinterpret_cast<uintptr_t>(stream);
    const long kept = static_cast<long>(hash | 1); // never 0, the value of a new stream
    if (stream->iword(index) != kept) *stream << header;
    stream->iword(index) = kept;
    *stream << ::tare::detail::row_text(result) << std::flush;
}

} // namespace detail
} // namespace nanobench
} // namespace ankerl
#endif
