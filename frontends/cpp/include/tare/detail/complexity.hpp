// Part of <tare/bench.hpp>: how the time grows with the size of the input.
#ifndef TARE_DETAIL_COMPLEXITY_HPP_INCLUDED
#define TARE_DETAIL_COMPLEXITY_HPP_INCLUDED

namespace tare {

/** A function of the size fitted to the times of runs, by least squares of time - coefficient * f(n). */
class BigO {
public:
    using Points = std::vector<std::pair<double, double>>; // size, nanoseconds of an invocation

    template <class F> BigO(std::string name, const Points& points, F&& f) : name_(std::move(name)) {
        std::vector<double> shape;
        for (const auto& [n, time] : points) shape.push_back(f(n));
        fit(points, shape);
    }
    const std::string& name() const { return name_; }
    /** Nanoseconds per f(n). */
    double coefficient() const { return coefficient_; }
    /** The root mean square of the residuals, relative to the mean time. */
    double rms() const { return rms_; }
    bool operator<(const BigO& other) const {
        return rms_ < other.rms_ || (rms_ == other.rms_ && name_ < other.name_);
    }

    std::string text() const {
        char line[200];
        snprintf(line, sizeof line, "%s * %s, RMS %.1f %%", coefficient_text().c_str(), name_.c_str(), rms_ * 100);
        return line;
    }
    std::string coefficient_text() const {
        static const char* const units[] = {"ns", "\xc2\xb5s", "ms", "s"};
        char text[48];
        double value = coefficient_;
        unsigned unit = 0;
        while (value >= 999.95 && unit < 3) value /= 1000, ++unit;
        snprintf(text, sizeof text, value < 0.001 ? "%.2e %s" : "%.4g %s", value, units[unit]);
        return text;
    }

private:
    void fit(const Points& points, const std::vector<double>& shape);
    std::string name_;
    double coefficient_ = 0, rms_ = 0;
};

TARE_ENGINE_ void BigO::fit(const Points& points, const std::vector<double>& shape) {
    double products = 0, squares = 0, times = 0, left = 0;
    for (size_t i = 0; i < points.size(); ++i) {
        products += shape[i] * points[i].second;
        squares += shape[i] * shape[i];
        times += points[i].second;
    }
    if (points.empty() || squares <= 0 || times <= 0) return;
    const double count = static_cast<double>(points.size());
    coefficient_ = products / squares;
    for (size_t i = 0; i < points.size(); ++i) {
        const double error = points[i].second - coefficient_ * shape[i];
        left += error * error;
    }
    rms_ = std::sqrt(left / count) / (times / count);
}

namespace detail {
template <class Fit = BigO> std::vector<Fit> big_o(const BigO::Points& points) {
    std::vector<Fit> all;
    all.emplace_back("O(1)", points, [](double) { return 1.0; });
    all.emplace_back("O(log n)", points, [](double n) { return std::log2(n); });
    all.emplace_back("O(n)", points, [](double n) { return n; });
    all.emplace_back("O(n log n)", points, [](double n) { return n * std::log2(n); });
    all.emplace_back("O(n^2)", points, [](double n) { return n * n; });
    all.emplace_back("O(n^3)", points, [](double n) { return n * n * n; });
    std::sort(all.begin(), all.end());
    return all;
}
TARE_ENGINE_ std::string big_o_table(const std::vector<BigO>& all) {
    std::string table = "\n|   coefficient |     RMS | complexity\n|--------------:|--------:|:-----------\n";
    for (const BigO& one : all) {
        char line[200];
        const std::string coefficient = one.coefficient_text();
        const int width =
            13 + static_cast<int>(coefficient.find('\xc2') != std::string::npos); // bytes of a character
        snprintf(line, sizeof line, "| %*s | %5.1f %% | %s\n", width, coefficient.c_str(), one.rms() * 100,
                 one.name().c_str());
        table += line;
    }
    return table;
}
} // namespace detail

/** Prints the fits, the best one first: `std::cout << bench.complexity();`. */
template <class Stream>
auto operator<<(Stream& stream, const std::vector<BigO>& all) -> decltype(stream.write("", 0), stream) {
    const std::string text = detail::big_o_table(all);
    stream.write(text.data(), static_cast<std::ptrdiff_t>(text.size()));
    return stream;
}
template <class Stream, class Fit, class = std::enable_if_t<std::is_same_v<Fit, BigO>>>
auto operator<<(Stream& stream, const Fit& one) -> decltype(stream.write("", 0), stream) {
    const std::string text = one.text();
    stream.write(text.data(), static_cast<std::ptrdiff_t>(text.size()));
    return stream;
}

} // namespace tare
#endif
