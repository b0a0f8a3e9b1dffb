// Part of <tare.h>: tells the compiler that a value is used.
#ifndef TARE_DETAIL_KEEP_HPP_INCLUDED
#define TARE_DETAIL_KEEP_HPP_INCLUDED
#include "keep.h"

#ifdef __cplusplus
#    if !defined(__GNUC__)
#        include <atomic>
#    endif
#    include <initializer_list>
#    include <new>
#    include <type_traits>
#    include <utility>
#    if defined(__cpp_exceptions)
#        include <exception>
#    endif
#    if defined(__cpp_rtti) && defined(__GNUC__)
#        include <cxxabi.h>
#        include <typeinfo>
#    endif
#endif
/* Marks a variable, and all memory, as used and changed. gcc leaves the variable in place. clang would put it on
   the stack for that, so with clang it goes through a register. */
#if defined(__clang__)
#    define TARE_KEEP_VARIABLE_(place, variable)                                                                   \
        do {                                                                                                       \
            auto kept_ = variable;                                                                                 \
            __asm__ __inline__ volatile(TARE_MARK_ : "+" place(kept_) : : "memory");                               \
            variable = kept_;                                                                                      \
        } while (0)
#elif defined(__GNUC__)
#    define TARE_KEEP_VARIABLE_(place, variable)                                                                   \
        __asm__ __inline__ volatile(TARE_MARK_ : "+m," place(variable) : : "memory")
#endif
namespace tare {
namespace detail {
template <class T> constexpr bool fits_general_register() {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>)
        return sizeof(T) <= sizeof(void*);
    else if constexpr (std::is_class_v<T>)
        return std::is_trivially_copyable_v<T> && std::is_copy_constructible_v<T> && std::is_copy_assignable_v<T> &&
               !std::is_empty_v<T> && sizeof(T) <= sizeof(void*) && (sizeof(T) & (sizeof(T) - 1)) == 0;
    else return false;
}
template <class T> constexpr bool fits_float_register() {
    return std::is_same_v<T, float> || std::is_same_v<T, double>;
}
} // namespace detail
} // namespace tare
namespace tare {
/** Makes the compiler read all values from memory again, and carry out all writes. Costs no instruction. */
TARE_INLINE_ void clobber() {
#if defined(__GNUC__)
    __asm__ __inline__ volatile(TARE_MARK_ : : : "memory");
#else
    std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

/** The sink: the optimiser has to compute `value` and treats it as used. A number or pointer stays in its register.
 *
 *  keep(f(x));                        a result
  *  auto y = f(x); keep(y);            the same; y is unknown from here on
 *
  *  Memory is read again afterwards, including captured variables, so that f is called again in every invocation. A
  *  body that returns its result need not call keep(), because results are kept automatically. */
template <class T> TARE_INLINE_ void keep(T&& value) {
    using Value = std::remove_cv_t<std::remove_reference_t<T>>;
    constexpr bool is_variable = std::is_lvalue_reference_v<T> && !std::is_const_v<std::remove_reference_t<T>>;
#if defined(__GNUC__)
    constexpr bool is_volatile_object = std::is_class_v<Value> && std::is_volatile_v<std::remove_reference_t<T>>;
    if constexpr (std::is_member_pointer_v<Value>) {
        // clang rejects it as an operand
        __asm__ __inline__ volatile(TARE_MARK_ : : "r"(__builtin_addressof(value)) : "memory");
    } else if constexpr ((!detail::fits_general_register<Value>() && !detail::fits_float_register<Value>()) ||
                         is_volatile_object) {
        __asm__ __inline__ volatile(TARE_MARK_ : : "m"(value) : "memory");
    } else if constexpr (is_variable) {
        if constexpr (detail::fits_float_register<Value>()) TARE_KEEP_VARIABLE_(TARE_FLOAT_, value);
        else if constexpr (std::is_class_v<Value>)
            __asm__ __inline__ volatile(TARE_MARK_ : "+" TARE_ANYWHERE_(value) : : "memory");
        else TARE_KEEP_VARIABLE_("r", value);
    } else {
        Value copy = value; // an operand in memory would be stored and loaded again
        if constexpr (detail::fits_float_register<Value>())
            __asm__ __inline__ volatile(TARE_MARK_ : : TARE_FLOAT_(copy) : "memory");
        else if constexpr (std::is_class_v<Value>)
            __asm__ __inline__ volatile(TARE_MARK_ : : TARE_ANYWHERE_(copy) : "memory");
        else __asm__ __inline__ volatile(TARE_MARK_ : : "r"(copy) : "memory");
    }
#else
    static const volatile void* volatile seen;
    seen = &value;
    (void)is_variable;
    clobber();
#endif
}

/** Marks a state from which the next invocation continues: its value is unknown from here on. Memory is neither
 *  written nor read again, so that `x += x; tare::keep_state(x);` is one addition. For results use keep(): anything
 *  that does not depend on a state is computed once, before the loop, unless memory has to be read again. */
template <class T> TARE_INLINE_ void keep_state(T& value) {
#if defined(__GNUC__)
    if constexpr (detail::fits_general_register<T>() || detail::fits_float_register<T>()) {
        T copy = value; // an operand in memory would be stored and loaded again
        if constexpr (detail::fits_float_register<T>()) TARE_KEEP_STATE_("+" TARE_FLOAT_, copy);
        else if constexpr (std::is_class_v<T>) TARE_KEEP_STATE_("+" TARE_ANYWHERE_, copy);
        else TARE_KEEP_STATE_("+r", copy);
        value = copy;
        return;
    }
#endif
    keep(value);
}

namespace detail {
/** Whether opaque() works in place, because copying a string or a container would be measured. */
template <class T> constexpr bool is_hidden_in_place() {
    if constexpr (std::is_class_v<T> || std::is_union_v<T>)
        return !std::is_trivially_copyable_v<T> || sizeof(T) > 64;
    else return false;
}
} // namespace detail

/** Returns the same value, hidden from the optimiser, which keeps constants from being computed at compile time.
 *  `return isqrt(tare::opaque(1000));` A variable that is a string, a container or another large object is not copied. */
template <class T, std::enable_if_t<!detail::is_hidden_in_place<T>(), int> = 0> TARE_INLINE_ T opaque(T value) {
#if defined(__GNUC__)
    if constexpr (detail::fits_float_register<T>()) __asm__ volatile("" : "+" TARE_FLOAT_(value));
    else if constexpr (std::is_class_v<T> && detail::fits_general_register<T>())
        __asm__ volatile("" : "+" TARE_ANYWHERE_(value));
    else if constexpr (detail::fits_general_register<T>()) __asm__ volatile("" : "+r"(value));
    // Not keep(), because this is not a result and does not mark what is used.
    else __asm__ volatile("" : "+m"(value) : : "memory");
#else
    keep(value);
#endif
    return value;
}
template <class T, std::enable_if_t<detail::is_hidden_in_place<T>(), int> = 0>
TARE_INLINE_ const T& opaque(const T& value) {
    const T* place = __builtin_addressof(value);
#if defined(__GNUC__)
    __asm__ volatile("" : "+r"(place) : : "memory");
#else
    keep(place);
#endif
    return *place;
}
template <class T, std::enable_if_t<!std::is_reference_v<T> && detail::is_hidden_in_place<T>(), int> = 0>
TARE_INLINE_ T opaque(T&& value) {
#if defined(__GNUC__)
    __asm__ volatile("" : : "m"(value) : "memory");
#else
    keep(value);
#endif
    return static_cast<T&&>(value);
}
} // namespace tare
#endif
