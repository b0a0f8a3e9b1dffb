// Part of <tare.h>: a benchmark of C++: its body, its state and its set-ups.
#ifndef TARE_DETAIL_NODE_HPP_INCLUDED
#define TARE_DETAIL_NODE_HPP_INCLUDED
#include "loop.hpp"
#include "param.hpp"

#if TARE_HAS_MARKS_
/* The bounds of the section with the marks, from the linker; null if there is none. And the start of the function
   at an address. */
extern "C" {
extern const int32_t tare_marks_begin_[] __asm__("__start_tare_marks") __attribute__((weak, visibility("hidden")));
extern const int32_t tare_marks_end_[] __asm__("__stop_tare_marks") __attribute__((weak, visibility("hidden")));
void* _Unwind_FindEnclosingFunction(void*);
}
#endif
namespace tare {
namespace detail {
// ---- set-ups, found in the type of the body

#define TARE_DETECT_(Name, method)                                                                                 \
    template <class T, class = void> struct Name : std::false_type {};                                             \
    template <class T> struct Name<T, std::void_t<decltype(std::declval<T&>().method())>> : std::true_type {}
TARE_DETECT_(HasSetUp, set_up);
TARE_DETECT_(HasCleanUp, clean_up);
TARE_DETECT_(HasIterationSetUp, iteration_set_up);
TARE_DETECT_(HasIterationCleanUp, iteration_clean_up);
TARE_DETECT_(HasOperations, operations);
TARE_DETECT_(HasBytes, bytes);
TARE_DETECT_(HasItems, items);
TARE_DETECT_(HasIterationOperations, iteration_operations);
#undef TARE_DETECT_
// One check for all of these names, because most bodies have none of them: if the body has one too, the name is
// ambiguous.
struct Names {
    int set_up, clean_up, iteration_set_up, iteration_clean_up, operations, bytes, items, iteration_operations;
};
template <class T> struct Both : T, Names {};
template <class T, class = void> struct HasMethods : std::true_type {};
template <class T>
struct HasMethods<
    T, std::void_t<decltype(&Both<T>::set_up), decltype(&Both<T>::clean_up), decltype(&Both<T>::iteration_set_up),
                   decltype(&Both<T>::iteration_clean_up), decltype(&Both<T>::operations),
                   decltype(&Both<T>::bytes), decltype(&Both<T>::items), decltype(&Both<T>::iteration_operations)>>
    : std::false_type {};

inline void failed(const char* type, const char* message) {
    tare_state_.has_failed = false;
    tare_fail(message);
    snprintf(tare_state_.type, sizeof tare_state_.type, "%s", type);
}
#if defined(__cpp_exceptions)
inline void failed(const std::exception& error) {
#    if defined(__cpp_rtti) && defined(__GNUC__)
    int status = 0;
    char* const name = abi::__cxa_demangle(typeid(error).name(), nullptr, nullptr, &status);
    failed(name == nullptr ? typeid(error).name() : name, error.what());
    free(name);
#    else
    failed("", error.what());
#    endif
}
#endif

// Properties of a body's type, as functions of untyped pointers. Everything that does not depend on the type is
// compiled once, which saves most of the compile time of a benchmark.
struct Kind {
    Loop *loop, *overhead;
    Say* say;                             // null: the result has no text
    void* (*make)(const void* prototype); // null: all instances are alike
    void (*drop)(void* body);
    void* (*make_state)(); // null: there is none, or a set-up makes it
    void (*drop_state)(void* state);
    void (*step[4])(void* body); // the body's own methods
    void (*count)(void* body, tare_benchmark* node);
    void (*count_iteration)(void* body, tare_benchmark* node);
    const char* fault; // an error about a result that is never computed, or null
    bool has_state, returns, is_made;
    bool (*has_mark)(Loop* loop); // whether a mark in its loop declares what is used; null: impossible
};
// A benchmark. A registered one makes an instance for every `open`, by copying the registered body or by default.
// The quick style sets `body` to the caller's object and never makes one.
struct Node final : tare_benchmark {
    struct Hook {
        void* object;
        void (*call)(void* object, Node& node);
    };
    const Kind* kind = nullptr;
    void* body = nullptr;
    void* state = nullptr;
    const void* prototype = nullptr;
    Hook hooks[4] = {}, its_counter = {};
    Series<unsigned> teams;                            // numbers of threads, a case each; empty: only this thread
    struct Team* team = nullptr;                       // of this instance
    enum { UNKNOWN, FORGETS, KEEPS } memory = UNKNOWN; // whether memory that the body writes counts as read
    void (*in_team)(Node& node, uint64_t count, unsigned per_turn) = nullptr;
    void (*change_team)(Node& node, bool starts) = nullptr;
    void (*choose_team)(Node& node) = nullptr;
    Node() : tare_benchmark() {}
};
void perform(Node& node, tare_act_ act, uint64_t count);
TARE_FUNCTION_ TARE_NOINLINE_ bool act(tare_benchmark* self, tare_act_ which, uint64_t count) {
    Node& node = *static_cast<Node*>(self);
#if defined(__cpp_exceptions)
    try {
        perform(node, which, count);
    } catch (const std::exception& error) { failed(error); } catch (...) {
        failed("", "an exception that is not a std::exception");
    }
#else
    perform(node, which, count);
#endif
    return !tare_state_.has_failed;
}
TARE_ENGINE_ void fill(Node& node, const Kind* kind, const char* file, int line, const char* title) {
    node.title = title;
    node.file_ = file;
    node.line_ = line;
    node.kind = kind;
    node.loop_at_ = uint64_t{reinterpret_cast<uintptr_t>(kind->loop)};
    node.returns_ = kind->returns;
    node.invalid_ = kind->fault;
    node.act_ = act;
    static const unsigned order[] = {TARE_HAS_SET_UP_, TARE_HAS_CLEAN_UP_, TARE_HAS_ITERATION_SET_UP_,
                                     TARE_HAS_ITERATION_CLEAN_UP_};
    for (unsigned i = 0; i < 4; ++i) node.steps_ |= kind->step[i] == nullptr ? 0u : order[i];
    if (kind->count_iteration != nullptr) node.steps_ |= TARE_HAS_ITERATION_OPERATIONS_;
}
TARE_ENGINE_ void make(Node& node) {
    const Kind& kind = *node.kind;
    node.body = kind.make != nullptr ? kind.make(node.prototype) : const_cast<void*>(node.prototype);
    if (kind.make_state != nullptr) node.state = kind.make_state();
    if (node.choose_team != nullptr) node.choose_team(node);
    if (kind.count != nullptr) kind.count(node.body, &node);
}
TARE_ENGINE_ void drop(Node& node) {
    if (node.team != nullptr) node.change_team(node, false);
    if (node.state != nullptr) node.kind->drop_state(node.state);
    if (node.body != nullptr && node.body != node.prototype) node.kind->drop(node.body);
    node.state = node.body = nullptr;
}
TARE_ENGINE_ void step(Node& node, unsigned which, bool is_own_first) {
    for (unsigned turn = 0; turn < 2; ++turn) {
        if ((turn == 0) == is_own_first) {
            if (node.kind->step[which] != nullptr) node.kind->step[which](node.body);
        } else if (node.hooks[which].call != nullptr) {
            node.hooks[which].call(node.hooks[which].object, node);
        }
    }
    if (which == 0 && node.kind->has_state && node.state == nullptr)
        tare_fail("its state has no default constructor: give it a set_up that returns one");
    if (which == 0 && node.change_team != nullptr && !tare_state_.has_failed) node.change_team(node, true);
}
// Whether the machine code of `loop` contains a mark. False if its function cannot be found.
TARE_ENGINE_ TARE_HIDDEN_ bool has_mark([[maybe_unused]] Loop* loop) {
#if TARE_HAS_MARKS_
    const uintptr_t start = reinterpret_cast<uintptr_t>(loop), most = 1u << 20;
    for (const int32_t* mark = tare_marks_begin_; mark != tare_marks_end_; ++mark) {
        const uintptr_t place = reinterpret_cast<uintptr_t>(mark) + static_cast<uintptr_t>(intptr_t{*mark});
        if (place - start >= most) continue; // far away, or before it
        if (_Unwind_FindEnclosingFunction(reinterpret_cast<void*>(place + 1)) == reinterpret_cast<void*>(start))
            return true;
    }
#endif
    return false;
}
inline bool forgets(Node& node) {
    if (node.memory == Node::UNKNOWN)
        node.memory =
            node.kind->has_mark != nullptr && node.kind->has_mark(node.kind->loop) ? Node::KEEPS : Node::FORGETS;
    return node.memory == Node::FORGETS;
}
// Runs `count` invocations, `per_turn` per turn.
inline void run_turns(Loop* loop, Node& node, uint64_t count, unsigned per_turn) {
    const bool is_forgotten = node.memory != Node::KEEPS;
    if (per_turn != 1 && count % per_turn != 0)
        loop(node.body, node.state, count % per_turn, 1, is_forgotten, nullptr);
    loop(node.body, node.state, tare_turns_(count, per_turn), per_turn, is_forgotten, nullptr);
}
inline void run(Node& node, tare_act_ act, uint64_t count) {
    unsigned per_turn = act == TARE_ROLLED_ ? TARE_ROLLED_UNROLL : TARE_UNROLL;
    (void)forgets(node);
    if (tare_state_.is_single) per_turn = 1;
    if (act == TARE_OVERHEAD_) run_turns(node.kind->overhead, node, count, per_turn);
    else if (node.team != nullptr) node.in_team(node, count, per_turn);
    else run_turns(node.kind->loop, node, count, per_turn);
}
inline void perform(Node& node, tare_act_ act, uint64_t count) {
    const Kind& kind = *node.kind;
    switch (act) {
    case TARE_MAKE_: return make(node);
    case TARE_COUNT_: return kind.count == nullptr ? void() : kind.count(node.body, &node);
    case TARE_SET_UP_: return step(node, 0, true);
    case TARE_ITERATION_SET_UP_: return step(node, 2, true);
    case TARE_WORKLOAD_:
    case TARE_ROLLED_:
    case TARE_OVERHEAD_: return run(node, act, count);
    case TARE_CHECK_: return kind.loop(node.body, node.state, 1, 1, forgets(node), kind.say);
    case TARE_ITERATION_OPERATIONS_:
        return node.its_counter.call != nullptr ? node.its_counter.call(node.its_counter.object, node)
                                                : kind.count_iteration(node.body, &node);
    case TARE_ITERATION_CLEAN_UP_: return step(node, 3, false);
    case TARE_CLEAN_UP_: return step(node, 1, false);
    case TARE_DROP_: return drop(node);
    }
}

template <class State, class F> void hook(Node& node, unsigned which, F f) {
    node.steps_ |= 1u << which;
    node.hooks[which].object = new F(std::move(f));
    node.hooks[which].call = [](void* object, [[maybe_unused]] Node& of) {
        F& function = *static_cast<F*>(object);
        if constexpr (std::is_void_v<State>) {
            function();
        } else if constexpr (std::is_invocable_v<F&, State&>) {
            if (of.state != nullptr) function(*static_cast<State*>(of.state));
        } else if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
            function();
        } else if constexpr (std::is_move_assignable_v<State>) {
            if (of.state == nullptr) of.state = new State(function());
            else *static_cast<State*>(of.state) = function();
        } else {
            State* const made = new State(function());
            delete static_cast<State*>(of.state);
            of.state = made;
        }
    };
}
template <class State, class F> void counter(Node& node, F f) {
    node.steps_ |= TARE_HAS_ITERATION_OPERATIONS_;
    node.its_counter.object = new F(std::move(f));
    node.its_counter.call = [](void* object, Node& of) {
        F& function = *static_cast<F*>(object);
        if constexpr (std::is_void_v<State>) of.operations_ = static_cast<double>(function());
        else if constexpr (!std::is_invocable_v<F&, State&>) of.operations_ = static_cast<double>(function());
        else if (of.state != nullptr)
            of.operations_ = static_cast<double>(function(*static_cast<State*>(of.state)));
    };
}
} // namespace detail
} // namespace tare
#endif
