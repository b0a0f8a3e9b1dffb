// Part of <tare/bench.hpp>: results as text by a template.
#ifndef TARE_DETAIL_RENDER_HPP_INCLUDED
#define TARE_DETAIL_RENDER_HPP_INCLUDED

namespace tare {
namespace detail {

// A result, or one of its iterations, while a template is rendered. Null: none yet.
struct Scope {
    const std::vector<Result>* results;
    const Result* result = nullptr;
    size_t iteration = 0;
    bool is_iteration = false, is_first = true, is_last = true;
};

TARE_ENGINE_ std::string json_text(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\', quoted += c;
        else if (static_cast<unsigned char>(c) < 0x20) quoted += format("\\u%04x", static_cast<unsigned>(c));
        else if (c == '<') quoted += "\\u003c"; // so that it can be embedded in a script
        else quoted += c;
    }
    return quoted + "\"";
}
TARE_ENGINE_ std::string csv_text(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}
TARE_ENGINE_ std::string html_text(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        escaped += c == '<'   ? "&lt;"
                   : c == '>' ? "&gt;"
                   : c == '&' ? "&amp;"
                   : c == '"' ? "&quot;"
                              : std::string(1, c);
    }
    return escaped;
}
// A number that parses to the same value; null if there is none.
TARE_ENGINE_ std::string number_text(double value) {
    if (!(std::fabs(value) <= 1.7976931348623157e308)) return "null";
    char digits[48] = "";
    tare_text_ text = {TARE_DIGEST_START_, 0, sizeof digits, digits, false};
    tare_text_double_(&text, value);
    return digits;
}

// The number in another unit, without spurious digits from the multiplication.
TARE_ENGINE_ std::string scaled_text(double value, double factor) {
    return number_text(factor == 1 || !std::isfinite(value)
                           ? value * factor
                           : strtod(format("%.15g", value * factor).c_str(), nullptr));
}

struct MeasureName {
    const char* name;
    Result::Measure measure;
    double factor;
};
TARE_ENGINE_ const MeasureName* find_measure(std::string_view name) {
    using Measure = Result::Measure;
    static const MeasureName names[] = {
        {"elapsed", Measure::elapsed, 1},           {"elapsedms", Measure::elapsed, 1e3},
        {"elapsedus", Measure::elapsed, 1e6},       {"elapsedns", Measure::elapsed, 1e9},
        {"iterations", Measure::iterations, 1},     {"pagefaults", Measure::pagefaults, 1},
        {"cpucycles", Measure::cpucycles, 1},       {"contextswitches", Measure::contextswitches, 1},
        {"instructions", Measure::instructions, 1}, {"branchinstructions", Measure::branchinstructions, 1},
        {"branchmisses", Measure::branchmisses, 1}};
    for (const MeasureName& one : names) {
        if (name == one.name) return &one;
    }
    return nullptr;
}
TARE_ENGINE_ const MeasureName& measure_of(std::string_view name, std::string_view tag) {
    const MeasureName* const found = find_measure(name);
    if (found == nullptr) {
        refuse("template: `" + std::string(name) + "` in {{" + std::string(tag) +
               "}} is not a measure: elapsed, elapsedms, elapsedus, elapsedns, iterations, pagefaults, cpucycles, "
               "contextswitches, instructions, branchinstructions, branchmisses");
    }
    return *found;
}
TARE_ENGINE_ std::string trimmed(std::string_view text) {
    const char* const spaces = " \t\n\r\f\v";
    const size_t first = text.find_first_not_of(spaces);
    return std::string(first == text.npos ? "" : text.substr(first, text.find_last_not_of(spaces) - first + 1));
}
// A setting, by Tare's name or nanobench's. False if it does not exist.
TARE_ENGINE_ bool find_setting(const Result& result, std::string_view tag, std::string& text) {
    const Config& config = result.config();
    const auto is = [&](const char* ours, const char* theirs = "") { return tag == ours || tag == theirs; };
    if (is("title")) text = config.title.empty() ? "benchmark" : config.title;
    else if (is("name")) text = config.name;
    else if (is("unit")) text = config.unit;
    else if (is("operations", "batch")) text = number_text(config.operations);
    else if (is("complexity_n", "complexityN")) text = number_text(config.complexity_n);
    else if (is("epochs"))
        text = number_text(static_cast<double>(config.iterations != 0 ? config.iterations : result.size()));
    else if (is("clockResolution")) text = number_text(static_cast<double>(tare_clock_resolution_()) * 1e-9);
    else if (is("clockResolutionMultiple")) text = "0";
    else if (is("max_iteration_time", "maxEpochTime"))
        text = number_text(static_cast<double>(config.max_iteration_ns) * 1e-9);
    else if (is("min_iteration_time", "minEpochTime"))
        text = number_text(static_cast<double>(config.min_iteration_ns) * 1e-9);
    else if (is("min_invocations", "minEpochIterations"))
        text = number_text(static_cast<double>(config.min_invocations));
    else if (is("invocations", "epochIterations")) text = number_text(static_cast<double>(config.invocations));
    else if (is("warm_up", "warmup")) text = number_text(static_cast<double>(config.warm_up));
    else if (is("relative")) text = config.is_relative() ? "1" : "0";
    else if (is("nanoseconds")) text = number_text(result.nanoseconds);
    else if (is("cycles")) text = number_text(result.cycles);
    else if (is("error")) text = number_text(result.error);
    else if (is("ratio")) text = number_text(result.ratio);
    else return false;
    return true;
}
// {{command(argument, ...)}}
TARE_ENGINE_ std::string run_command(const Scope& scope, std::string_view tag) {
    const Result& result = *scope.result;
    const size_t open = tag.find('('), comma = tag.find(',');
    const std::string command = trimmed(tag.substr(0, open));
    const std::string_view inside = tag.substr(open + 1, tag.size() - open - 2);
    const std::string first = trimmed(inside.substr(0, comma == tag.npos ? inside.npos : comma - open - 1));
    if (command == "context") return result.context(first);
    if (command == "json" || command == "csv" || command == "html") {
        std::string text;
        if (first.compare(0, 8, "context(") == 0) text = result.context(trimmed(first.substr(8, first.size() - 9)));
        else if (!find_setting(result, first, text))
            refuse("template: no `" + first + "` for {{" + std::string(tag) + "}}");
        return command == "json" ? json_text(text) : command == "csv" ? csv_text(text) : html_text(text);
    }
    const MeasureName& measure = measure_of(first, tag);
    if (command == "sumProduct") {
        const std::string second = comma == tag.npos ? "" : trimmed(inside.substr(comma - open));
        const MeasureName& other = measure_of(second, tag);
        return scaled_text(result.sumProduct(measure.measure, other.measure), measure.factor * other.factor);
    }
    if (command == "medianAbsolutePercentError") {
        return number_text(result.medianAbsolutePercentError(measure.measure));
    }
    const double value = command == "median"    ? result.median(measure.measure)
                         : command == "average" ? result.average(measure.measure)
                         : command == "sum"     ? result.sum(measure.measure)
                         : command == "minimum" ? result.minimum(measure.measure)
                         : command == "maximum" ? result.maximum(measure.measure)
                                                : (refuse("template: no command `" + command + "`"), 0);
    return scaled_text(value, measure.factor);
}
// A tag outside {{#result}}: of the only result; if there are several, a setting of the last one.
TARE_ENGINE_ std::string render_outside(Scope scope, const std::string& tag, bool is_command) {
    const size_t count = scope.results->size();
    std::string text;
    if (count == 1 && is_command) {
        scope.result = &scope.results->front();
        return run_command(scope, tag);
    }
    if (count == 0 || is_command) refuse("template: {{" + tag + "}} stands outside {{#result}}");
    if (!find_setting(scope.results->back(), tag, text)) refuse("template: no tag {{" + tag + "}}");
    return text;
}
TARE_ENGINE_ std::string render_tag(const Scope& scope, const std::string& tag) {
    std::string text;
    const bool is_command = tag.size() > 2 && tag.back() == ')' && tag.find('(') != tag.npos;
    if (scope.result == nullptr) return render_outside(scope, tag, is_command);
    if (is_command) return run_command(scope, tag);
    if (scope.is_iteration) {
        const MeasureName* const measure = find_measure(tag);
        if (measure != nullptr)
            return scaled_text(scope.result->get(scope.iteration, measure->measure), measure->factor);
    }
    if (!find_setting(*scope.result, tag, text)) refuse("template: no tag {{" + tag + "}}");
    return text;
}

// The end of the section `name`, and what follows. nanobench's own templates close {{^-last}} with {{/last}}, so
// that is accepted too.
struct SectionEnd {
    size_t begin, after;
};
TARE_ENGINE_ SectionEnd end_of_section(std::string_view rest, std::string_view name) {
    const auto bare = [](std::string_view text) { return text.substr(0, 1) == "-" ? text.substr(1) : text; };
    size_t inside = 0, open = 0;
    for (;;) {
        open = rest.find("{{", open);
        const size_t close = rest.find("}}", open);
        if (open == rest.npos || close == rest.npos) return {rest.npos, rest.npos};
        const std::string tag = trimmed(rest.substr(open + 2, close - open - 2));
        const std::string_view named = tag.empty() ? std::string_view() : std::string_view(tag).substr(1);
        const bool is_same = bare(named) == bare(name);
        if (is_same && (tag[0] == '#' || tag[0] == '^')) ++inside;
        if (is_same && tag[0] == '/' && inside-- == 0) return {open, close + 2};
        open = close + 2;
    }
}

// These two call each other.
struct Renderer {
    static std::string part(std::string_view text, const Scope& scope);
    static std::string section(char kind, const std::string& name, std::string_view body, const Scope& scope);
};
// Renders {{#name}}...{{/name}} for each element, or depending on the condition.
TARE_ENGINE_ std::string Renderer::section(char kind, const std::string& name, std::string_view body,
                                           const Scope& scope) {
    std::string text;
    if (name == "-first" || name == "-last") {
        const bool holds = name == "-first" ? scope.is_first : scope.is_last;
        return holds == (kind == '#') ? part(body, scope) : text;
    }
    if (kind == '#' && name == "result" && scope.result == nullptr) {
        for (size_t i = 0; i < scope.results->size(); ++i) {
            Scope inner = scope;
            inner.result = &(*scope.results)[i];
            inner.is_first = i == 0;
            inner.is_last = i + 1 == scope.results->size();
            text += part(body, inner);
        }
    } else if (kind == '#' && name == "measurement" && !scope.is_iteration &&
               (scope.result != nullptr || scope.results->size() == 1)) {
        const Result& result = scope.result != nullptr ? *scope.result : scope.results->front();
        for (size_t i = 0; i < result.size(); ++i) {
            Scope inner = scope;
            inner.result = &result;
            inner.is_iteration = true;
            inner.iteration = i;
            inner.is_first = i == 0;
            inner.is_last = i + 1 == result.size();
            text += part(body, inner);
        }
    } else {
        refuse("template: {{" + std::string(1, kind) + name +
               "}} is not a section here: {{#result}}, in it {{#measurement}}, and {{#-first}}, {{^-last}}");
    }
    return text;
}
TARE_ENGINE_ std::string Renderer::part(std::string_view rest, const Scope& scope) {
    std::string text;
    for (;;) {
        const size_t open = rest.find("{{"), close = rest.find("}}", open);
        text += rest.substr(0, open);
        if (open == rest.npos) return text;
        if (close == rest.npos) refuse("template: a tag does not end: " + std::string(rest.substr(open, 40)));
        const std::string tag = trimmed(rest.substr(open + 2, close - open - 2));
        rest.remove_prefix(close + 2);
        if (tag.empty() || tag[0] == '!') continue; // a comment
        if (tag[0] != '#' && tag[0] != '^') {
            text +=
                tag[0] == '/' ? (refuse("template: {{" + tag + "}} has no beginning"), "") : render_tag(scope, tag);
            continue;
        }
        const std::string name = tag.substr(1);
        const SectionEnd end = end_of_section(rest, name);
        if (end.begin == rest.npos) refuse("template: {{" + tag + "}} has no {{/" + name + "}}");
        text += section(tag[0], name, rest.substr(0, end.begin), scope);
        rest.remove_prefix(end.after);
    }
}
TARE_ENGINE_ std::string rendered(std::string_view with, const std::vector<Result>& results) {
    Scope scope;
    scope.results = &results;
    return Renderer::part(with, scope);
}

} // namespace detail

/** Templates for render(). */
namespace templates {

/** One line per run. */
inline const char* csv() noexcept {
    return R"TARE("title";"name";"unit";"batch";"elapsed";"error %";"instructions";"branches";"branch misses";"total"
{{#result}}{{csv(title)}};{{csv(name)}};{{csv(unit)}};{{operations}};{{median(elapsed)}};{{medianAbsolutePercentError(elapsed)}};{{median(instructions)}};{{median(branchinstructions)}};{{median(branchmisses)}};{{sumProduct(iterations, elapsed)}}
{{/result}})TARE";
}
/** All measurements in the layout of nanobench's files. `tare compare a.json b.json` reads it. */
inline const char* json() noexcept {
    return R"TARE({
 "results": [
{{#result}}  {
   "title": {{json(title)}},
   "name": {{json(name)}},
   "unit": {{json(unit)}},
   "batch": {{operations}},
   "complexityN": {{complexity_n}},
   "epochs": {{epochs}},
   "clockResolution": {{clockResolution}},
   "maxEpochTime": {{max_iteration_time}},
   "minEpochTime": {{min_iteration_time}},
   "minEpochIterations": {{min_invocations}},
   "epochIterations": {{invocations}},
   "warmup": {{warm_up}},
   "relative": {{relative}},
   "net": {"nanoseconds": {{nanoseconds}}, "cycles": {{cycles}}, "error": {{error}}, "ratio": {{ratio}}},
   "median(elapsed)": {{median(elapsed)}},
   "medianAbsolutePercentError(elapsed)": {{medianAbsolutePercentError(elapsed)}},
   "median(instructions)": {{median(instructions)}},
   "median(cpucycles)": {{median(cpucycles)}},
   "median(contextswitches)": {{median(contextswitches)}},
   "median(pagefaults)": {{median(pagefaults)}},
   "median(branchinstructions)": {{median(branchinstructions)}},
   "median(branchmisses)": {{median(branchmisses)}},
   "totalTime": {{sumProduct(iterations, elapsed)}},
   "measurements": [
{{#measurement}}    {"iterations": {{iterations}}, "elapsed": {{elapsed}}, "pagefaults": {{pagefaults}}, "cpucycles": {{cpucycles}}, "contextswitches": {{contextswitches}}, "instructions": {{instructions}}, "branchinstructions": {{branchinstructions}}, "branchmisses": {{branchmisses}}}{{^-last}},
{{/-last}}{{/measurement}}
   ]
  }{{^-last}},
{{/-last}}{{/result}}
 ]
}
)TARE";
}
/** For `pyperf`: `python3 -m pyperf stats FILE`. */
inline const char* pyperf() noexcept {
    return R"TARE({"version": "1.0", "metadata": {"unit": "second"}, "benchmarks": [
{{#result}}{"metadata": {"name": {{json(name)}}}, "runs": [{"values": [{{#measurement}}{{elapsed}}{{^-last}}, {{/-last}}{{/measurement}}]}]}{{^-last}},
{{/-last}}{{/result}}
]}
)TARE";
}
/** A page with a box plot of all iterations, which works offline. */
inline const char* html_box_plot() noexcept {
    return R"TARE(<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{{#result}}{{#-first}}{{html(title)}}{{/-first}}{{/result}}</title>
<style>
:root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
svg { width: 100%; height: auto; } text { font: 12px system-ui, sans-serif; fill: currentColor; }
.box { fill: #4c8dc4; fill-opacity: .3; stroke: #4c8dc4; } .line { stroke: currentColor; } .grid { stroke: currentColor; opacity: .15; }
.median { stroke: #c4602c; stroke-width: 3; } circle { fill: currentColor; opacity: .35; }
</style>
<h1>{{#result}}{{#-first}}{{html(title)}}{{/-first}}{{/result}}</h1>
<div id="plot"></div>
<p>A point for each iteration; the box holds the middle half of them, the line in it is the median. Iterations of one process: see <code>tare run</code> for what differs between processes.</p>
<script>
const data = [
{{#result}}{name: {{json(name)}}, unit: {{json(unit)}}, values: [{{#measurement}}{{elapsedns}}/{{operations}}{{^-last}}, {{/-last}}{{/measurement}}]},
{{/result}}].filter(row => row.values.length > 0);
const step = 44, left = 260, width = 900, height = data.length * step + 40;
const top_of = Math.max(...data.flatMap(row => row.values)) || 1;
const scale = top_of >= 1e9 ? [1e9, "s"] : top_of >= 1e6 ? [1e6, "ms"] : top_of >= 1e3 ? [1e3, "\u00b5s"] : [1, "ns"];
const x = value => left + value / top_of * (width - left - 20);
const at = (sorted, part) => { const i = part * (sorted.length - 1), low = Math.floor(i); return sorted[low] + (i - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]); };
const svg = [`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="box plot of times">`];
const line = (x1, y1, x2, y2, kind) => svg.push(`<line class="${kind}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`);
const safe = text => text.replace(/[&<>"]/g, c => "&#" + c.charCodeAt(0) + ";");
for (let i = 0; i <= 5; ++i) {
    const value = top_of * i / 5;
    line(x(value), 0, x(value), height - 30, "grid");
    svg.push(`<text x="${x(value)}" y="${height - 10}" text-anchor="middle">${Number((value / scale[0]).toPrecision(3))} ${scale[1]}</text>`);
}
data.forEach((row, index) => {
    const y = index * step + step / 2, sorted = [...row.values].sort((a, b) => a - b);
    const [low, q1, middle, q3, high] = [0, .25, .5, .75, 1].map(part => at(sorted, part));
    const short = row.name.length > 34 ? row.name.slice(0, 33) + "\u2026" : row.name;
    svg.push(`<text x="${left - 12}" y="${y + 4}" text-anchor="end">${safe(short)}<title>${safe(row.name)}</title></text>`);
    line(x(low), y, x(high), y, "line");
    svg.push(`<rect class="box" x="${x(q1)}" y="${y - 12}" width="${Math.max(1, x(q3) - x(q1))}" height="24"/>`);
    line(x(middle), y - 12, x(middle), y + 12, "median");
    row.values.forEach((value, i) => svg.push(`<circle cx="${x(value)}" cy="${y - 9 + i * 7 % 19}" r="2"/>`));
});
document.getElementById("plot").innerHTML = svg.join("") + "</svg>";
</script>
</html>
)TARE";
}
/** nanobench's name. */
inline const char* htmlBoxplot() noexcept { return html_box_plot(); }

} // namespace templates

/** Renders results with a template: {{name}}, {{median(elapsed)}}, {{#result}}...{{/result}}; see
 *  docs/from/nanobench.md. Throws std::runtime_error if the template has an unknown tag. */
template <class Stream> void render(std::string_view with, const std::vector<Result>& results, Stream& stream) {
    const std::string text = detail::rendered(with, results);
    stream.write(text.data(), static_cast<std::ptrdiff_t>(text.size()));
}

} // namespace tare
#endif
