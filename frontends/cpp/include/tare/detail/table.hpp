// Part of <tare/bench.hpp>: the rows printed by a run.
#ifndef TARE_DETAIL_TABLE_HPP_INCLUDED
#define TARE_DETAIL_TABLE_HPP_INCLUDED

namespace tare {
namespace detail {

template <class... Values> std::string format(const char* pattern, Values... values) {
    char text[512];
    const int length = snprintf(text, sizeof text, pattern, values...);
    return std::string(text, length < 0 ? 0 : std::min(static_cast<size_t>(length), sizeof text - 1));
}
// The width of a text on a screen, with one column per character.
TARE_ENGINE_ size_t width_of(std::string_view text) {
    size_t width = 0;
    for (const char c : text) width += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    return width;
}
// A time with three to four digits and its unit.
TARE_ENGINE_ std::string time_text(double nanoseconds) {
    static const char* const units[] = {"ns", "\xc2\xb5s", "ms", "s"};
    unsigned unit = 0;
    while (nanoseconds >= 999.95 && unit < 3) nanoseconds /= 1000, ++unit;
    return format("%.*f %s", nanoseconds < 10 ? 3 : nanoseconds < 100 ? 2 : 1, nanoseconds, units[unit]);
}
TARE_ENGINE_ std::string rate_text(double per_second) {
    static const char* const prefixes[] = {"", " k", " M", " G", " T", " P"};
    unsigned prefix = 0;
    while (per_second >= 999.95 && prefix < 5) per_second /= 1000, ++prefix;
    return format("%.*f%s", per_second < 10 ? 3 : per_second < 100 ? 2 : 1, per_second, prefixes[prefix]);
}
TARE_ENGINE_ std::string count_text(double count) { return format("%.*f", count < 1000 ? 2 : 0, count); }

struct Cell {
    Column column;
    std::string heading, text;
    size_t width;
};

// A measure per operation; empty if its counter does not exist here.
TARE_ENGINE_ std::string measure_text(const Result& result, Result::Measure measure) {
    return result.has(measure) ? count_text(result.median(measure) / result.config().operations) : "-";
}
TARE_ENGINE_ std::string quotient_text(const Result& result, Result::Measure a, Result::Measure b, double factor,
                                       const char* unit) {
    const double divisor = result.has(b) ? result.median(b) : 0;
    return divisor > 0 && result.has(a) ? format("%.2f%s", result.median(a) / divisor * factor, unit) : "-";
}
// The cells of a row, in the order of the table, including hidden ones.
TARE_ENGINE_ std::vector<Cell> cells_of(const Result& result) {
    using Measure = Result::Measure;
    const Config& config = result.config();
    const bool is_less = result.limit > 0, has_unit = config.time_unit_s > 0;
    const double time = is_less ? result.limit : result.nanoseconds;
    const std::string less = is_less ? "< " : "";
    const auto shown = [&](bool is_known, std::string text) {
        return is_known ? std::move(text) : std::string("-");
    };
    std::vector<Cell> row;
    row.push_back({Column::time, (has_unit ? config.time_unit_name : "time") + "/" + config.unit,
                   less + (has_unit ? format("%.4g", time * 1e-9 / config.time_unit_s) : time_text(time)), 12});
    row.push_back({Column::rate, config.unit + "/s", shown(!is_less && time > 0, rate_text(1e9 / time)), 9});
    row.push_back({Column::cycles, "cycles", shown(!is_less && result.cycles > 0, count_text(result.cycles)), 9});
    row.push_back(
        {Column::error, "\xc2\xb1", shown(!is_less, format("%.1f %%", std::min(result.error * 100, 999.0))), 6});
    row.push_back({Column::instructions, "ins/" + config.unit, measure_text(result, Measure::instructions), 9});
    row.push_back({Column::ipc, "IPC", quotient_text(result, Measure::instructions, Measure::cpucycles, 1, ""), 5});
    row.push_back({Column::branches, "bra/" + config.unit, measure_text(result, Measure::branchinstructions), 9});
    row.push_back({Column::branch_misses, "miss",
                   quotient_text(result, Measure::branchmisses, Measure::branchinstructions, 100, " %"), 7});
    row.push_back(
        {Column::total, "total", time_text(result.sumProduct(Measure::elapsed, Measure::iterations) * 1e9), 8});
    row.push_back({Column::ratio, "ratio",
                   result.ratio <= 0 || is_less ? "-"
                   : result.ratio >= 100000     ? "> 1e5"
                   : result.ratio < 10          ? format("%.3f", result.ratio)
                                                : format("%.*f", result.ratio < 1000 ? 1 : 0, result.ratio),
                   6});
    row.push_back({Column::complexity_n, "n", format("%.6g", config.complexity_n), 7});
    return row;
}
TARE_ENGINE_ bool is_shown(const Config& config, Column column) {
    if ((config.hidden & bit(column)) != 0) return false;
    if (column == Column::ratio) return config.is_relative();
    if (column == Column::complexity_n) return config.complexity_n >= 0;
    const bool is_counted = column == Column::instructions || column == Column::ipc || column == Column::branches ||
                            column == Column::branch_misses;
    return !is_counted || (config.counters && counters().has_hardware());
}
TARE_ENGINE_ std::string padded(const std::string& text, size_t width) {
    const size_t has = width_of(text);
    return has >= width ? text : std::string(width - has, ' ') + text;
}
TARE_ENGINE_ std::string escaped_name(std::string_view name) {
    std::string text;
    for (const char c : name) {
        if (c == '|') text += '\\';
        text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    }
    return text;
}
// A text as inline code, even if it contains backticks.
TARE_ENGINE_ std::string code_text(const std::string& name) {
    size_t longest = 0, run = 0;
    for (const char c : name) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
    const std::string fence(longest + 1, '`');
    const char* const beside = fence.size() > 1 ? " " : "";
    return fence + beside + escaped_name(name) + beside + fence;
}
TARE_ENGINE_ std::string header_text(const Result& result) {
    const Config& config = result.config();
    std::string head = "\n", rule;
    const auto add = [&](const std::string& heading, size_t width) {
        width = std::max(width, width_of(heading));
        head += "| " + padded(heading, width) + " ";
        rule += "|" + std::string(width + 1, '-') + ":";
    };
    for (const Cell& cell : cells_of(result)) {
        if (is_shown(config, cell.column)) add(cell.heading, cell.width);
    }
    for (const std::string& variable : config.context_columns) add(escaped_name(variable), 8);
    return head + "| " + (config.title.empty() ? "benchmark" : escaped_name(config.title)) + "\n" + rule +
           "|:-----------------------\n";
}
TARE_ENGINE_ std::string row_text(const Result& result) {
    const Config& config = result.config();
    const bool has_failed = !result.failure().empty();
    std::string row;
    for (const Cell& cell : cells_of(result)) {
        if (!is_shown(config, cell.column)) continue;
        const std::string text = !has_failed ? cell.text : row.empty() ? "failed" : "-";
        row += "| " + padded(text, std::max(cell.width, width_of(cell.heading))) + " ";
    }
    for (const std::string& variable : config.context_columns) {
        const std::string* const value = config.find_context(variable);
        row += "| " +
               padded(value == nullptr ? "" : escaped_name(*value), std::max(size_t{8}, width_of(variable))) + " ";
    }
    row += "| " + code_text(config.name);
    if (has_failed) row += ": " + result.failure();
    else if (result.warning != nullptr) row += std::string(" (") + result.warning + ")";
    return row + "\n";
}

// Warns once if this machine or program is unfit for measuring.
TARE_ENGINE_ std::string read_word(const char* path) {
    char word[64] = "";
    FILE* const file = fopen(path, "r");
    if (file == nullptr) return "";
    if (fscanf(file, "%63s", word) != 1) word[0] = 0;
    fclose(file);
    return word;
}
TARE_ENGINE_ std::string system_warnings() {
    std::string all;
    const std::string governor = read_word("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if (*tare_optimised_() == 'f')
        all += "warning: built without optimisation: the times are not meaningful\nhint: compile with `-O2`\n";
    if (TARE_IS_SANITIZED_) all += "warning: built with a sanitizer: the times are not the program's usual times\n";
#if TARE_POSIX_
    else if (tare_is_traced_())
        all += "warning: a debugger is attached: the times are not the program's usual times\n";
#endif
    if (!governor.empty() && governor != "performance")
        all += "warning: the processor's governor is `" + governor + "`, not `performance`\nhint: `tare doctor`\n";
    return all;
}

} // namespace detail
} // namespace tare
#endif
