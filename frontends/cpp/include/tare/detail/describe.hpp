// Part of <tare.h>: values as text, for `check` and for the names of parameter values.
#ifndef TARE_DETAIL_DESCRIBE_HPP_INCLUDED
#define TARE_DETAIL_DESCRIBE_HPP_INCLUDED
#include "keep.hpp"
#include "text.h"

namespace tare {
namespace detail {
template <class T, class = void> struct HasToText : std::false_type {};
template <class T>
struct HasToText<T, std::void_t<decltype(to_text(std::declval<const T&>()))>> : std::true_type {};
template <class T, class = void> struct IsString : std::false_type {};
template <class T>
struct IsString<T, std::void_t<decltype(std::declval<const T&>().size()),
                               decltype(static_cast<const char*>(std::declval<const T&>().data()))>>
    : std::true_type {};
template <class T, class = void> struct IsRange : std::false_type {};
template <class T>
struct IsRange<T,
               std::void_t<decltype(*std::declval<const T&>().begin()), decltype(std::declval<const T&>().end())>>
    : std::true_type {};
template <class T, class = void> struct IsPair : std::false_type {};
template <class T>
struct IsPair<T, std::void_t<decltype(std::declval<const T&>().first), decltype(std::declval<const T&>().second)>>
    : std::true_type {};
template <class T, class = void> struct IsHashed : std::false_type {};
template <class T>
struct IsHashed<T, std::void_t<decltype(std::declval<const T&>().bucket_count())>> : std::true_type {};
template <class T, class = void> struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<T,
                  std::void_t<decltype(*std::declval<const T&>()), decltype(std::declval<const T&>().has_value())>>
    : std::true_type {};
template <class T, class = void> struct IsTuple : std::false_type {};
template <class T> struct IsTuple<T, std::void_t<decltype(std::tuple_size<T>::value)>> : std::true_type {};
template <class T> using Element = std::decay_t<decltype(*std::declval<const T&>().begin())>;
template <class T, class I> struct EachHasText;
template <class T> constexpr bool has_text();
template <class T, size_t... I> struct EachHasText<T, std::index_sequence<I...>> {
    static constexpr bool value = (has_text<std::decay_t<std::tuple_element_t<I, T>>>() && ...);
};

template <class T> constexpr bool has_text() {
    if constexpr (HasToText<T>::value || IsString<T>::value || std::is_enum_v<T>) return true;
    else if constexpr (std::is_integral_v<T>) return sizeof(T) <= sizeof(long long);
    else if constexpr (std::is_arithmetic_v<T>) return true;
    else if constexpr (std::is_same_v<T, const char*> || std::is_same_v<T, char*>) return true;
    else if constexpr (IsOptional<T>::value) return has_text<std::decay_t<decltype(*std::declval<const T&>())>>();
    else if constexpr (IsPair<T>::value)
        return has_text<std::decay_t<decltype(T::first)>>() && has_text<std::decay_t<decltype(T::second)>>();
    else if constexpr (IsRange<T>::value) {
        if constexpr (std::is_same_v<Element<T>, T> || IsHashed<T>::value)
            return false; // a path is a range of paths; the order of a hash table is arbitrary
        else return has_text<Element<T>>();
    } else if constexpr (IsTuple<T>::value)
        return EachHasText<T, std::make_index_sequence<std::tuple_size<T>::value>>::value;
    else return false;
}
template <class T> bool describe(tare_text_& text, const T& value, bool is_inside = false);
inline void describe_string(tare_text_& text, const char* bytes, size_t length, bool is_inside) {
    if (is_inside) tare_text_quote_(&text, bytes, length);
    else tare_text_put_(&text, bytes, length);
}
template <class T, size_t... I> void describe_tuple(tare_text_& text, const T& value, std::index_sequence<I...>) {
    using std::get;
    (((I != 0 ? tare_text_say_(&text, ",") : void()), describe(text, get<I>(value), true)), ...);
}
// Writes the text defined in spec/protocol.md, R21. False if there is none; within a list, such a value is null.
template <class T> bool describe(tare_text_& text, const T& value, bool is_inside) {
    if constexpr (HasToText<T>::value) {
        return describe(text, to_text(value), is_inside);
    } else if constexpr (std::is_same_v<T, bool>) {
        tare_text_bool_(&text, value);
    } else if constexpr (std::is_same_v<T, char>) {
        describe_string(text, &value, 1, is_inside);
    } else if constexpr (std::is_enum_v<T>) {
        return describe(text, static_cast<std::underlying_type_t<T>>(value), is_inside);
    } else if constexpr (std::is_floating_point_v<T>) {
        tare_text_double_(&text, static_cast<double>(value));
    } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
        tare_text_signed_(&text, static_cast<long long>(value));
    } else if constexpr (std::is_integral_v<T>) {
        tare_text_unsigned_(&text, static_cast<unsigned long long>(value));
    } else if constexpr (IsString<T>::value) {
        describe_string(text, value.data(), value.size(), is_inside);
    } else if constexpr (std::is_pointer_v<T>) {
        if (value != nullptr) describe_string(text, value, strlen(value), is_inside);
        else if (is_inside) tare_text_say_(&text, "null");
        return value != nullptr;
    } else if constexpr (IsOptional<T>::value) {
        if (value.has_value()) return describe(text, *value, is_inside);
        if (is_inside) tare_text_say_(&text, "null");
        return false;
    } else if constexpr (IsPair<T>::value) {
        tare_text_say_(&text, "[");
        describe(text, value.first, true);
        tare_text_say_(&text, ",");
        describe(text, value.second, true);
        tare_text_say_(&text, "]");
    } else if constexpr (IsRange<T>::value) {
        const char* before = "[";
        for (const auto& element : value) {
            tare_text_say_(&text, before);
            describe<Element<T>>(text, element, true);
            before = ",";
        }
        tare_text_say_(&text, *before == '[' ? "[]" : "]");
    } else {
        tare_text_say_(&text, "[");
        describe_tuple(text, value, std::make_index_sequence<std::tuple_size<T>::value>());
        tare_text_say_(&text, "]");
    }
    return true;
}

// The type of a parameter, in the protocol's terms.
template <class T> const char* type_of() {
    if constexpr (std::is_same_v<T, bool>) return "boolean";
    else if constexpr (std::is_floating_point_v<T>) return "float";
    else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, char>) return "integer";
    else return "text";
}

// Parses a number, a bool, a text, or one of the declared values. False if it is none of these.
template <class T> bool read(const char* text, const T* declared, size_t count, T& value) {
    char* end = nullptr;
    errno = 0;
    if constexpr (std::is_same_v<T, bool>) {
        value = strcmp(text, "true") == 0;
        return value || strcmp(text, "false") == 0;
    } else if constexpr (std::is_floating_point_v<T>) {
        value = static_cast<T>(strtod(text, &end));
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, char> && std::is_signed_v<T>) {
        const long long number = strtoll(text, &end, 10);
        value = static_cast<T>(number);
        if (value != number) return false;
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, char>) {
        const unsigned long long number = strtoull(text, &end, 10);
        value = static_cast<T>(number);
        if (value != number || *text == '-') return false;
    } else if constexpr (std::is_same_v<T, const char*> ||
                         (IsString<T>::value && std::is_constructible_v<T, const char*>)) {
        value = T(tare_keep_text_(text, strlen(text)));
        return true;
    } else if constexpr (has_text<T>()) {
        for (size_t i = 0; i < count; ++i) {
            char bytes[256];
            tare_text_ written = {TARE_DIGEST_START_, 0, sizeof bytes, bytes, false};
            if (!describe(written, declared[i]) || strcmp(bytes, text) != 0) continue;
            value = declared[i];
            return true;
        }
        return false;
    } else {
        return false;
    }
    return end != text && *end == 0 && errno == 0 && *text != ' ' && *text != '+';
}
} // namespace detail
} // namespace tare
#endif
