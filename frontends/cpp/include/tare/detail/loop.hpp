// Part of <tare.h>: the loop around a body.
#ifndef TARE_DETAIL_LOOP_HPP_INCLUDED
#define TARE_DETAIL_LOOP_HPP_INCLUDED
#include "keep.hpp"
#include "turns.h"

namespace tare {
namespace detail {
// The type of the state that a body takes as its argument, by reference or as a copy; or void.
template <class T> struct Argument { using type = void; };
template <class C, class R, class S> struct Argument<R (C::*)(S)> { using type = std::decay_t<S>; };
template <class C, class R, class S> struct Argument<R (C::*)(S) const> { using type = std::decay_t<S>; };
template <class C, class R, class S> struct Argument<R (C::*)(S) noexcept> { using type = std::decay_t<S>; };
template <class C, class R, class S> struct Argument<R (C::*)(S) const noexcept> { using type = std::decay_t<S>; };
template <class Body, class = void> struct CallOf { using type = void; };
template <class Body> struct CallOf<Body, std::void_t<decltype(&Body::operator())>> {
    using type = decltype(&Body::operator());
};
// std::is_invocable takes several times as long to compile.
template <class Body, class = void> struct IsCalled : std::false_type {};
template <class Body> struct IsCalled<Body, std::void_t<decltype(std::declval<Body&>()())>> : std::true_type {};
template <class Body, bool = IsCalled<Body>::value> struct StateOf { using type = void; };
template <class Body> struct StateOf<Body, false> {
    using type = typename Argument<typename CallOf<Body>::type>::type;
    static_assert(!std::is_void_v<type>,
                  "a body takes no argument, or its state; one that takes `auto&` has its set-up as the "
                  "third argument: TARE_BENCH(name, body, set_up)");
};

template <class Body, class State> TARE_INLINE_ decltype(auto) invoke(Body& body, [[maybe_unused]] State* state) {
    if constexpr (std::is_void_v<State>) return body();
    else return body(*state);
}
template <class Body, class State> struct ReturnOf {
    using type = decltype(std::declval<Body&>()(std::declval<State&>()));
};
template <class Body> struct ReturnOf<Body, void> { using type = decltype(std::declval<Body&>()()); };
template <class Body, class State> using ResultOf = typename ReturnOf<Body, State>::type;

// Memory that a body without a result writes counts as read, or the compiler would remove writes that the next
// invocation repeats. A body that captured a number or two may hold a state in registers, where it stays if the
// body marks it with keep_state() or a similar function.
template <class Body, class State> constexpr bool is_register_state() {
    using Kept = std::conditional_t<std::is_void_v<State>, Body, State>;
    if constexpr (std::is_empty_v<Kept>) return false;
    else return std::is_trivially_copyable_v<Kept> && sizeof(Kept) <= 8 * sizeof(void*);
}
// keep() and clobber() for the loop. They set no mark, because a mark takes longer to compile than an addition.
template <class Value> TARE_INLINE_ void sink(const Value& value) {
#if defined(__GNUC__)
    if constexpr (fits_float_register<Value>()) {
        Value copy = value;
        __asm__ volatile("" : : TARE_FLOAT_(copy) : "memory");
    } else if constexpr (fits_general_register<Value>()) {
        Value copy = value;
        if constexpr (std::is_class_v<Value>) __asm__ volatile("" : : TARE_ANYWHERE_(copy) : "memory");
        else __asm__ volatile("" : : "r"(copy) : "memory");
    } else if constexpr (std::is_member_pointer_v<Value>) {
        __asm__ volatile("" : : "r"(__builtin_addressof(value)) : "memory"); // clang rejects it as an operand
    } else {
        __asm__ volatile("" : : "m"(value) : "memory");
    }
#else
    keep(value);
#endif
}
TARE_INLINE_ void forget() {
#if defined(__GNUC__)
    __asm__ volatile("" : : : "memory");
#else
    clobber();
#endif
}
// Passes a value of the same type to the same sink, without computing it.
template <class Value> struct Overhead {
    TARE_INLINE_ void operator()() const {
#if defined(__GNUC__)
        if constexpr (fits_general_register<Value>()) {
            std::conditional_t<sizeof(Value) == 8, uint64_t, uint32_t>
                nothing; // arbitrary bits would be an invalid bool or enum
            __asm__ volatile("" : "=r"(nothing));
            sink(nothing);
        } else if constexpr (fits_float_register<Value>()) {
            Value nothing;
            __asm__ volatile("" : "=" TARE_FLOAT_(nothing));
            sink(nothing);
        } else if constexpr (!std::is_void_v<Value>) {
            forget();
        }
#endif
    }
};

// Reports the result of the body.
using Say = void(const void* result);
// `forgets`: memory that a body without a result writes counts as read. `say` gets the result of a turn of one
// invocation.
using Loop = void(void* body, void* state, uint64_t turns, unsigned per_turn, bool forgets, Say* say);

// Passes a number to `say` as a copy; otherwise it would have to be in memory in every invocation.
template <class Value> TARE_INLINE_ void say_result(Say* say, const Value& result) {
    if constexpr (fits_general_register<Value>() || fits_float_register<Value>()) {
        const Value copy = result;
        say(&copy);
    } else {
        say(__builtin_addressof(result));
    }
}

// The result of a body; for a volatile variable, the value read from it.
template <class Returned, bool is_volatile = std::is_volatile_v<std::remove_reference_t<Returned>>> struct Held {
    using type = Returned;
};
template <class Returned> struct Held<Returned, true> {
    using type = std::decay_t<Returned>;
    static_assert(std::is_scalar_v<type>, "the body returns a volatile object: return a member of it, or a copy");
};
template <class Returned> using HeldOf = typename Held<Returned>::type;

// The body is accessed through a reference, so that its captures are unknown here, and read again after each
// clobber of memory. A local copy would keep a state in a register, and let work on captured constants move out of
// the loop. If the body may hold a state in registers there are two loops, which are also copied after inlining.
template <class Body, class State>
TARE_LOOP_ void loop(void* body, void* state, uint64_t turns, unsigned per_turn, [[maybe_unused]] bool forgets,
                     [[maybe_unused]] Say* say) {
    Body& it = *static_cast<Body*>(body);
    State* const of = static_cast<State*>(state);
    using Returned = ResultOf<Body, State>;
    if constexpr (!std::is_void_v<Returned>) {
        using Value = std::decay_t<Returned>; // not on a variable: gcc's compile time is quadratic in their number
        if constexpr (TARE_LEAVES_ && (fits_general_register<Value>() || fits_float_register<Value>())) {
            TARE_TURNS_(turns, per_turn, HeldOf<Returned> result = invoke(it, of);
                        sink<Value>(result),
                        if (i_ == 0 && TARE_UNLIKELY_(say != nullptr)) say_result<Value>(say, result));
        } else { // its destructor also has a single call site
            TARE_TURNS_(
                turns, per_turn,
                {
                    HeldOf<Returned> result = invoke(it, of);
                    sink<std::remove_cv_t<std::remove_reference_t<Returned>>>(result);
                    if (i_ == 0 && per_turn == 1 && TARE_UNLIKELY_(say != nullptr)) say_result<Value>(say, result);
                },
                (void)0);
        }
    } else if constexpr (is_register_state<Body, State>()) {
        TARE_TWICE_
        for (unsigned which = 0; which < 2; ++which) {
            TARE_TURNS_(
                which == unsigned{forgets} ? turns : 0, per_turn,
                {
                    invoke(it, of);
                    if (which == 1) forget();
                    else TARE_STEP_;
                },
                (void)0);
        }
    } else {
        TARE_TURNS_(
            turns, per_turn,
            {
                invoke(it, of);
                forget();
            },
            (void)0);
    }
}
/* Checks the same in each turn as the loop of a body, so that both have the same instructions besides the body. */
template <class Value>
TARE_LOOP_ void overhead_loop(void*, void*, uint64_t turns, unsigned per_turn, bool, [[maybe_unused]] Say* say) {
    if constexpr (std::is_void_v<Value>) {
        TARE_TURNS_(turns, per_turn, TARE_EMPTY_STEP_(per_turn), (void)0);
    } else if constexpr (TARE_LEAVES_ && (fits_general_register<Value>() || fits_float_register<Value>())) {
        TARE_TURNS_(turns, per_turn, Overhead<Value>{}(); TARE_EMPTY_STEP_(per_turn),
                                                          if (i_ == 0 && TARE_UNLIKELY_(say != nullptr))
                                                              TARE_EMPTY_STEP_(per_turn));
    } else {
        TARE_TURNS_(turns, per_turn, Overhead<Value>{}(); TARE_EMPTY_STEP_(per_turn), (void)0);
    }
}
} // namespace detail
} // namespace tare
#endif
