// Part of <tare.h>: parameters of fixtures.
#ifndef TARE_DETAIL_PARAM_HPP_INCLUDED
#define TARE_DETAIL_PARAM_HPP_INCLUDED
#include "cases.h"
#include "describe.hpp"

namespace tare {
/** Values for a parameter or for in_threads(); at most 64. */
template <class T> class Series {
public:
    const T* data() const { return values_; }
    size_t size() const { return count_; }
    void add(T value) {
        if (count_ < 64) values_[count_++] = value;
    }

private:
    T values_[64] = {};
    size_t count_ = 0;
};
/** first, first + step, ... up to last: `tare::param<int> n{"n", tare::linear(0, 100, 20)};`. */
template <class T> Series<T> linear(T first, T last, T step = 1) {
    Series<T> all;
    if (step > 0 && first <= last) {
        const size_t steps = static_cast<size_t>((last - first) / step);
        for (size_t i = 0; i <= steps && i < 64; ++i) all.add(static_cast<T>(first + static_cast<T>(i) * step));
    }
    return all;
}
namespace detail {
template <class T> void add_negated(Series<T>& all, const Series<T>& values) {
    for (size_t i = values.size(); i > 0; --i) all.add(static_cast<T>(T(0) - values.data()[i - 1]));
}
} // namespace detail
/** first, first * factor, ... and last: geometric(8, 100, 2) is 8, 16, 32, 64, 100. Negative ranges mirror this:
 *  geometric(-64, -1, 8) is -64, -8, -1, and across 0, geometric(-8, 8, 4) is -8, -4, -1, 0, 1, 4, 8. */
template <class T> Series<T> geometric(T first, T last, T factor = 2) {
    Series<T> all;
    if (!(factor > 1) || last < first) return all;
    if (first > 0) {
        for (T value = first; value < last && all.size() < 63; value = static_cast<T>(value * factor)) {
            all.add(value);
            if (value > last / factor) break;
        }
        all.add(last);
    } else if (last < T(0)) {
        detail::add_negated(all, geometric(static_cast<T>(T(0) - last), static_cast<T>(T(0) - first), factor));
    } else {
        if (first < T(0)) detail::add_negated(all, geometric(T(1), static_cast<T>(T(0) - first), factor));
        all.add(0);
        const Series<T> above = geometric(T(1), last, factor);
        for (size_t i = 0; i < above.size(); ++i) all.add(above.data()[i]);
    }
    return all;
}

namespace detail {
// Reports the value of a parameter of a case being listed or opened; null: not requested.
template <class T> void report(tare_parameter_* to, const T& value) {
    if (to == nullptr) return;
    to->type = type_of<T>();
    tare_text_ text = {TARE_DIGEST_START_, 0, sizeof to->text, to->text, false};
    describe(text, value);
    tare_text_end_(&text);
}
// The same for the next member of a row: the first parameter exists already; each of the others has only this value.
template <class T> void report(tare_parameter_*& first, const T& value, const char* const*& names) {
    tare_parameter_* to = first;
    if (to == nullptr) tare_choose_(*names, 1, &to);
    report(to, value);
    first = nullptr;
    ++names;
}
} // namespace detail

/** A parameter of a fixture, made as a member with its name and values: `tare::param<int> size{"size", {10, 1000}};`.
  *  The benchmark runs for every value, and for every combination if there are several parameters (at most 8). T is
  *  a number, bool, string, or an enum with a function `to_text(Enum)`. It must be copyable and
  *  default-constructible. */
template <class T> class param {
public:
    param(const char* name, std::initializer_list<T> values) : param(name, values.begin(), values.size()) {}
    /** Takes the values from an array or container with data() and size(). */
    template <class Values, class = decltype(std::declval<const Values&>().data())>
    param(const char* name, const Values& values) : param(name, values.data(), values.size()) {}
    /** Takes the values that a function returns. */
    template <class Make, class = std::enable_if_t<std::is_invocable_v<const Make&>>, class = void>
    param(const char* name, const Make& make) : param(name, make()) {}
    param(const param& other) : param(other.name_, other.values_, other.count_) {
        if (!tare_state_.makes) value_ = other.value_;
    }
    param& operator=(const param&) = delete;
    ~param() { delete[] values_; }

    operator const T&() const { return value_; } // implicit, because a parameter stands for its value
    const T& value() const { return value_; }
    const T* operator->() const { return &value_; }

private:
    param(const char* name, const T* values, size_t count) : name_(name), count_(count) {
        const tare_given_* const given = tare_given_for_(name);
        if (given != nullptr) count_ = given->count;
        values_ = new T[count_]();
        for (size_t i = 0; i < count_ && given == nullptr; ++i) values_[i] = values[i];
        if (given != nullptr) count_ = 0;
        for (size_t i = 0; given != nullptr && i < given->count; ++i) {
            T& value = values_[count_++];
            if (!detail::read(given->value[i], values, count, value)) {
                tare_misfit_(name, given->value[i], detail::type_of<T>());
            }
            if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) { // 7 and 007 are the same value
                size_t same = 0;
                while (values_[same] < value || value < values_[same]) ++same;
                if (same + 1 < count_) --count_;
            }
        }
        tare_parameter_* reported;
        const size_t chosen = tare_choose_(name, count_, &reported);
        if (count_ != 0) value_ = values_[chosen];
        detail::report(reported, value_);
    }
    const char* name_;
    T* values_;
    size_t count_;
    T value_{};
};

/** Parameters whose values belong together: each row is a case, without further combinations.
 *
 *      tare::rows<std::pair<int, double>> row{{"n", "load"}, {{10, 0.5}, {1000, 0.9}}};
 *
  *  Use `auto [n, load] = row.value();` in a method, or `row->first`. T is a plain struct, std::pair, std::tuple or
  *  std::array with a member for each of the 2 to 8 names. It must be copyable and default-constructible. A
  *  function may return the rows in a container. */
template <class T> class rows {
public:
    template <size_t N>
    rows(const char* const (&names)[N], std::initializer_list<T> values)
        : rows(tell<N>, names, N, values.begin(), values.size()) {}
    template <size_t N, class Values, class = decltype(std::declval<const Values&>().data())>
    rows(const char* const (&names)[N], const Values& values)
        : rows(tell<N>, names, N, values.data(), values.size()) {}
    /** Takes the values that a function returns. */
    template <size_t N, class Make, class = std::enable_if_t<std::is_invocable_v<const Make&>>, class = void>
    rows(const char* const (&names)[N], const Make& make) : rows(names, make()) {}
    rows(const rows& other) : rows(other.tell_, other.names_, other.width_, other.values_, other.count_) {
        if (!tare_state_.makes) value_ = other.value_;
    }
    rows& operator=(const rows&) = delete;
    ~rows() { delete[] values_; }

    const T& value() const { return value_; }
    const T* operator->() const { return &value_; }

private:
    using Tell = void(const T& row, const char* const* names, tare_parameter_* first);
    rows(Tell* said, const char* const* names, size_t width, const T* values, size_t count)
        : tell_(said), width_(width), values_(new T[count]()), count_(count) {
        for (size_t i = 0; i < width; ++i) {
            names_[i] = names[i];
            if (tare_given_for_(names[i]) != nullptr) tare_misfit_row_(names[i]);
        }
        for (size_t i = 0; i < count; ++i) values_[i] = values[i];
        tare_parameter_* first;
        const size_t chosen = tare_choose_(names[0], count, &first);
        if (count != 0) value_ = values_[chosen];
        if (first != nullptr) tell_(value_, names_, first);
    }
    // Reports the members of a row as text: the first parameter has made the choice, the others make none.
    template <size_t N> static void tell(const T& row, const char* const* names, tare_parameter_* first) {
        static_assert(N >= 2 && N <= 8, "a row has 2 to 8 names; one name alone is that of a tare::param");
        const auto each = [&](const auto&... members) { (detail::report(first, members, names), ...); };
#define TARE_ROW_(count, ...)                                                                                      \
    if constexpr (N == count) {                                                                                    \
        const auto& [__VA_ARGS__] = row;                                                                           \
        each(__VA_ARGS__);                                                                                         \
    }
        TARE_ROW_(2, a, b)
        TARE_ROW_(3, a, b, c)
        TARE_ROW_(4, a, b, c, d)
        TARE_ROW_(5, a, b, c, d, e)
        TARE_ROW_(6, a, b, c, d, e, f)
        TARE_ROW_(7, a, b, c, d, e, f, g)
        TARE_ROW_(8, a, b, c, d, e, f, g, h)
#undef TARE_ROW_
    }
    Tell* tell_;
    const char* names_[8] = {};
    size_t width_;
    T* values_;
    size_t count_;
    T value_{};
};
} // namespace tare
#endif
