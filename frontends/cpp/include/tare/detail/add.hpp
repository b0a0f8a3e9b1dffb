// Part of <tare.h>: from a callable to a benchmark.
#ifndef TARE_DETAIL_ADD_HPP_INCLUDED
#define TARE_DETAIL_ADD_HPP_INCLUDED
#include "declare.hpp"

namespace tare {
namespace detail {
// ---- the functions in a Kind

template <class Value> TARE_COLD_ void say(const void* result) {
    tare_state_.checked.digest = TARE_DIGEST_START_;
    if (!describe<Value>(tare_state_.checked, *static_cast<const Value*>(result))) tare_state_.checked.digest = 0;
}
template <class Body> void* make_body(const void* prototype) {
    if (prototype == nullptr) {
        if constexpr (std::is_default_constructible_v<Body>) return new std::remove_const_t<Body>();
    } else if constexpr (std::is_copy_constructible_v<Body>) {
        return new std::remove_const_t<Body>(*static_cast<const Body*>(prototype));
    }
    return const_cast<void*>(prototype);
}
template <class Count> void count_rate(tare_benchmark* node, const char* name, Count amount) {
    if (const char* const fault = rate_fault(static_cast<double>(amount))) return tare_fail(fault);
    if (!set_rate(*node, name, static_cast<double>(amount))) tare_fail("it has more than 4 rates");
}
template <class Body> void count_amounts(void* body, tare_benchmark* node) {
    [[maybe_unused]] Body& it = *static_cast<Body*>(body);
    if constexpr (HasOperations<Body>::value) {
        const auto count = it.operations();
        if (const char* const fault = operations_fault<std::decay_t<decltype(count)>>(count)) tare_fail(fault);
        node->operations = static_cast<uint64_t>(count);
    }
    if constexpr (HasBytes<Body>::value) count_rate(node, "bytes", it.bytes());
    if constexpr (HasItems<Body>::value) count_rate(node, "items", it.items());
}
// A lazy or pending result: the time would be that of creating it, not of computing it.
template <class T, class = void> struct IsFuture : std::false_type {};
template <class T>
struct IsFuture<T, std::void_t<decltype(std::declval<T&>().wait()), decltype(std::declval<T&>().valid())>>
    : std::true_type {};
template <class T, class = void> struct IsCoroutine : std::false_type {};
template <class T> struct IsCoroutine<T, std::void_t<typename T::promise_type>> : std::true_type {};
template <class T, class = void> struct IsView : std::false_type {};
template <class T>
struct IsView<T, std::void_t<decltype(std::declval<T&>().begin()), decltype(std::declval<T&>().base())>>
    : std::is_constructible<bool, T&> {};
template <class T> constexpr const char* fault_of() {
    if constexpr (!std::is_class_v<T>) return nullptr;
    else if constexpr (IsFuture<T>::value)
        return "it returns a future: return its value, as in `return future.get();`";
    else if constexpr (IsCoroutine<T>::value)
        return "it returns a coroutine, which is never resumed: return its value, as in `return "
               "tare::wait(coroutine);` of <tare/coroutine.hpp>";
    else if constexpr (IsView<T>::value)
        return "it returns a view, which computes nothing until it is read: iterate over it, or return a container "
               "of its "
               "elements";
    else return nullptr;
}
template <class T> void* make_new() { return new T(); }
template <class T> void drop_it(void* it) { delete static_cast<T*>(it); }
template <class Body> constexpr void add_methods([[maybe_unused]] Kind& kind) {
    if constexpr (HasSetUp<Body>::value) kind.step[0] = [](void* body) { static_cast<Body*>(body)->set_up(); };
    if constexpr (HasCleanUp<Body>::value) kind.step[1] = [](void* body) { static_cast<Body*>(body)->clean_up(); };
    if constexpr (HasIterationSetUp<Body>::value)
        kind.step[2] = [](void* body) { static_cast<Body*>(body)->iteration_set_up(); };
    if constexpr (HasIterationCleanUp<Body>::value)
        kind.step[3] = [](void* body) { static_cast<Body*>(body)->iteration_clean_up(); };
    if constexpr (HasOperations<Body>::value || HasBytes<Body>::value || HasItems<Body>::value)
        kind.count = count_amounts<Body>;
    if constexpr (HasIterationOperations<Body>::value)
        kind.count_iteration = [](void* body, tare_benchmark* node) {
            node->operations_ = static_cast<double>(static_cast<Body*>(body)->iteration_operations());
        };
}
template <class Body, class State = typename StateOf<Body>::type> constexpr Kind kind_for() {
    using Returned = ResultOf<Body, State>;
    using Value = std::remove_cv_t<Returned>;
    Kind kind = {};
    kind.loop = loop<Body, State>;
    if constexpr (std::is_void_v<Returned>) {
        if constexpr (is_register_state<Body, State>()) kind.has_mark = has_mark;
    }
    kind.overhead = overhead_loop<Value>;
    kind.returns = !std::is_void_v<Returned>;
    kind.fault = fault_of<std::decay_t<Returned>>();
    kind.has_state = !std::is_void_v<State>;
    if constexpr (has_text<std::decay_t<Returned>>()) kind.say = say<std::decay_t<Returned>>;
#if defined(__GNUC__)
    constexpr bool is_plain = __is_empty(Body) && __is_trivially_copyable(Body) &&
                              (!__is_constructible(Body) || __is_trivially_constructible(Body));
#else
    constexpr bool is_plain =
        std::is_empty_v<Body> && std::is_trivially_copyable_v<Body> &&
        (!std::is_default_constructible_v<Body> || std::is_trivially_default_constructible_v<Body>);
#endif
    if constexpr (!is_plain) {
        kind.is_made = true;
        kind.make = make_body<Body>;
        kind.drop = drop_it<Body>;
    }
    if constexpr (!std::is_void_v<State>) {
        if constexpr (std::is_default_constructible_v<State>) kind.make_state = make_new<State>;
        kind.drop_state = drop_it<State>;
    }
    if constexpr (!std::is_class_v<Body> || std::is_final_v<Body>) add_methods<Body>(kind);
    else if constexpr (HasMethods<Body>::value) add_methods<Body>(kind);
    return kind;
}
template <class Body> inline constexpr Kind kind_of = kind_for<Body>();

template <class F> struct MetricNode final : tare_metric {
    F callable;
    MetricNode(const char* title, F f) : tare_metric(), callable(std::move(f)) {
        name = title;
        read_ = [](tare_metric* self) { return static_cast<MetricNode*>(self)->attempt(); };
    }
    double attempt() {
#if defined(__cpp_exceptions)
        try {
            return static_cast<double>(callable());
        } catch (const std::exception& error) { failed(error); } catch (...) {
            failed("", "an exception that is not a std::exception");
        }
        return 0;
#else
        return static_cast<double>(callable());
#endif
    }
};
template <class F> Metric add_metric(const Text& name, F f) {
    static_assert(std::is_arithmetic_v<std::decay_t<std::invoke_result_t<F&>>>, "a metric is a number");
    tare_metric* const metric = new MetricNode<F>(name.get(), std::move(f));
    tare_add_metric_(metric);
    return Metric(metric);
}

// Turns "ns::Sort<int>::run" into "ns::Sort<int>/run". A leading & and brackets are left out.
inline const char* title_of(const char* written) {
    while (*written == '&' || *written == '(' || *written == ' ') ++written;
    const size_t length = strlen(written);
    char* const title = static_cast<char*>(malloc(length + 1));
    if (title == nullptr) return written;
    memcpy(title, written, length + 1);
    int depth = 0;
    for (size_t i = length; i-- > 1;) {
        depth += (title[i] == '>') - (title[i] == '<');
        if (depth != 0 || title[i] != ':' || title[i - 1] != ':') continue;
        title[i - 1] = '/';
        memmove(title + i, title + i + 1, length - i);
        break;
    }
    return title;
}
// Keeps a pointer to the title.
TARE_ENGINE_ Node* add_titled(const Kind* kind, const char* file, int line, const char* title,
                              const void* prototype) {
    static const char alike = 0; // a placeholder for an instance without content
    Node* const node = new Node();
    fill(*node, kind, file, line, title == nullptr ? "" : title);
    node->prototype = prototype == nullptr && kind->make == nullptr ? &alike : prototype;
    node->added_ = file == nullptr;
    tare_add_(node);
    return node;
}
// Copies the title.
TARE_ENGINE_ Node* add_node(const Kind* kind, const char* file, int line, const char* title,
                            const void* prototype) {
    const char* const kept = title == nullptr ? nullptr : tare_keep_text_(title, strlen(title));
    return add_titled(kind, file, line, kept, prototype);
}
// A title, which add_node() copies.
struct Title {
    const char* text;
    Title(const char* it) : text(it) {}
    Title(const Text& it) : text(it.get()) {}
    template <class S, class = decltype(static_cast<const char*>(std::declval<const S&>().data()))>
    Title(const S& it) : text(Text(it).get()) {}
};
// Takes the body by value. This template is instantiated for each benchmark, so it contains as little as possible.
template <class Body>
TARE_INLINE_ Benchmark<typename StateOf<Body>::type> add(const char* file, int line, Title title, Body body) {
    const void* prototype = nullptr;
    if constexpr (kind_of<Body>.is_made) prototype = new Body(static_cast<Body&&>(body));
    return {add_node(&kind_of<Body>, file, line, title.text, prototype)};
}
// A body with a function that makes its state, which may then have any type: `[](auto& state)`.
template <class F, class State> struct Stateful {
    F function;
    decltype(auto) operator()(State& state) { return function(state); }
};
template <class F, class SetUp>
auto add(const char* file, int line, const Text& title, F&& callable, SetUp set_up) {
    using State = std::decay_t<std::invoke_result_t<SetUp&>>;
    static_assert(!std::is_void_v<State>, "the third argument of TARE_BENCH returns the state that the body takes");
    auto benchmark = detail::add(file, line, title, Stateful<std::decay_t<F>, State>{std::forward<F>(callable)});
    benchmark.set_up(std::move(set_up));
    return benchmark;
}
// Inputs made before the clock starts. Each is taken once, or all of them in rotation.
template <class T> class Pool {
public:
    Pool() = default;
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool() {
        clear();
        ::operator delete(data_, std::align_val_t(alignof(T)));
    }
    template <class Make> void fill(size_t count, Make& make) {
        clear();
        if (count > room_) {
            ::operator delete(data_, std::align_val_t(alignof(T)));
            data_ = nullptr, room_ = 0;
            const size_t bytes = count * stride;
            data_ = static_cast<char*>(::operator new(bytes, std::align_val_t(alignof(T))));
            room_ = count;
        }
        for (; size_ < count; ++size_) {
            if constexpr (std::is_invocable_v<Make&, size_t>) new (data_ + size_ * stride) T(make(size_));
            else new (data_ + size_ * stride) T(make());
        }
    }
    void clear() {
        while (size_ > 0) at(--size_).~T();
        at_ = 0;
    }
    TARE_INLINE_ T& take() { return at(at_++); }
    TARE_INLINE_ const T& turn() {
        const T& it = at(at_);
        at_ = at_ + 1 < size_ ? at_ + 1 : 0;
        return it;
    }

private:
    // With a stride that is a power of two, such as 4 KiB, the first lines of all inputs would share one set of the
    // caches.
    static constexpr size_t line = alignof(T) > 64 ? alignof(T) : 64;
    static constexpr size_t stride = sizeof(T) >= 512 && sizeof(T) % 128 == 0 ? sizeof(T) + line : sizeof(T);
    TARE_INLINE_ T& at(size_t number) { return *reinterpret_cast<T*>(data_ + number * stride); }
    char* data_ = nullptr;
    size_t size_ = 0, room_ = 0, at_ = 0;
};
template <class Make, bool = std::is_invocable_v<Make&, size_t>> struct MadeBy {
    using type = std::decay_t<std::invoke_result_t<Make&, size_t>>;
};
template <class Make> struct MadeBy<Make, false> { using type = std::decay_t<std::invoke_result_t<Make&>>; };
template <class Make> struct Input { Make make; };
template <class Make> struct Rotation {
    size_t count;
    Make make;
};
// A body that takes its input by value owns it.
template <class F, class T> struct Fed {
    F function;
    decltype(auto) operator()(Pool<T>& pool) {
        if constexpr (std::is_invocable_v<F&, T&&>) return function(std::move(pool.take()));
        else return function(pool.take());
    }
};
template <class F, class T> struct Turned {
    F function;
    decltype(auto) operator()(Pool<T>& pool) { return function(pool.turn()); }
};
template <class F, class Make>
auto add(const char* file, int line, const Text& title, F&& callable, Input<Make> input) {
    using T = typename MadeBy<Make>::type;
    auto benchmark = detail::add(file, line, title, Fed<std::decay_t<F>, T>{std::forward<F>(callable)});
    benchmark.iteration_set_up([make = std::move(input.make)](Pool<T>& pool) mutable {
        pool.fill(static_cast<size_t>(tare_state_.wanted), make);
    });
    benchmark.iteration_clean_up([](Pool<T>& pool) { pool.clear(); });
    return benchmark.fed(16384, sizeof(T));
}
template <class F, class Make>
auto add(const char* file, int line, const Text& title, F&& callable, Rotation<Make> inputs) {
    using T = typename MadeBy<Make>::type;
    auto benchmark = detail::add(file, line, title, Turned<std::decay_t<F>, T>{std::forward<F>(callable)});
    const size_t count = inputs.count;
    benchmark.set_up([make = std::move(inputs.make), count](Pool<T>& pool) mutable {
        if (count == 0) tare_fail("tare::rotate has no inputs: give it at least one");
        pool.fill(count, make);
    });
    return benchmark.fed(0, 0);
}
// A function or a method as a type, so that it can be inlined like a lambda.
template <auto function> struct Function {
    decltype(auto) operator()() const { return function(); }
};
template <auto method, class Fixture> struct Method : Fixture {
    decltype(auto) operator()() {
        constexpr auto call = method;
        Fixture& it = *this;
        return (it.*call)();
    }
};
template <class T> struct ClassOf;
template <class T, class C> struct ClassOf<T C::*> { using type = C; };
template <auto constant> auto add_constant(const char* file, int line, const char* written) {
    if constexpr (std::is_member_function_pointer_v<decltype(constant)>) {
        using Body = Method<constant, typename ClassOf<decltype(constant)>::type>;
        return Benchmark<typename StateOf<Body>::type>(
            add_titled(&kind_of<Body>, file, line, title_of(written), nullptr));
    } else {
        using Body = Function<constant>;
        return Benchmark<typename StateOf<Body>::type>(
            add_titled(&kind_of<Body>, file, line, title_of(written), nullptr));
    }
}
// Cuts the next type off "std::vector<int>, std::map<int, int>" and returns "group/std::vector<int>".
inline char* next_title(const char* group, const char*& types) {
    while (*types == ' ' || *types == ',') ++types;
    size_t length = 0;
    for (int depth = 0; types[length] != 0 && (types[length] != ',' || depth > 0); ++length) {
        depth += (types[length] == '<' || types[length] == '(') - (types[length] == '>' || types[length] == ')');
    }
    const size_t before = strlen(group);
    char* const title = static_cast<char*>(malloc(before + 1 + length + 1));
    if (title == nullptr) return nullptr;
    memcpy(title, group, before);
    title[before] = '/';
    memcpy(title + before + 1, types, length);
    title[before + 1 + length] = 0;
    types += length;
    return title;
}
template <template <class...> class Body, class T> struct Applied { using type = Body<T>; };
template <template <class...> class Body, class... Ts> struct Applied<Body, types<Ts...>> {
    using type = Body<Ts...>;
};
// Turns "tare::types<A, B>" into "A, B", in place.
inline const char* without_types(char* title, size_t before) {
    if (title == nullptr || title[strlen(title) - 1] != '>') return title;
    char* const rest = title + before;
    const size_t prefix = strncmp(rest, "::tare::types<", 14) == 0 ? 14
                          : strncmp(rest, "tare::types<", 12) == 0 ? 12
                          : strncmp(rest, "types<", 6) == 0        ? 6
                                                                   : 0;
    if (prefix == 0) return title;
    const size_t length = strlen(rest + prefix) - 1;
    memmove(rest, rest + prefix, length);
    rest[length] = 0;
    return title;
}
template <template <class...> class Body, class... Types>
Benchmarks<Types...> add_types(const char* file, int line, const char* group, const char* types_written) {
    Node* const nodes[] = {add_titled(&kind_of<typename Applied<Body, Types>::type>, file, line,
                                      without_types(next_title(group, types_written), strlen(group) + 1),
                                      nullptr)...};
    return Benchmarks<Types...>(nodes);
}

} // namespace detail

/** The third argument of TARE_BENCH for a fresh input for each invocation, made before the clock starts and
 *  destroyed after it has stopped. `make` may take the index of the input within the iteration. A body that takes
 *  the input by value destroys it itself. */
template <class Make> detail::Input<Make> input(Make make) { return {std::move(make)}; }
/** Like input(), but with `count` inputs made in the set-up and used in rotation, so that a branch predictor cannot
 *  learn them. */
template <class Make> detail::Rotation<Make> rotate(size_t count, Make make) { return {count, std::move(make)}; }

/** Adds a benchmark at run time: in main before tare_main(), for example in a loop over files. The third argument
 *  makes the state that the body takes. Every process must add the same benchmarks, in any order: they are listed
 *  after the others, by name. */
template <class... Arguments> auto add(const Text& name, Arguments&&... body_and_set_up) {
    return detail::add(nullptr, 0, name, std::forward<Arguments>(body_and_set_up)...);
}

/** Adds context to the run, such as the data set: a text, a number, or anything else that has a text. It is shown
 *  above the table, and in file formats that support it. Call it in main before tare_main(); elsewhere, use
 *  TARE_CONTEXT. The last value of a name counts. */
template <class T> void context(const Text& name, const T& value) {
    using Value = std::decay_t<const T&>;
    static_assert(detail::has_text<Value>(), "this value has no text: give one, such as path.string()");
    bool is_cut = true;
    for (size_t room = 1024; is_cut; room *= 2) { // until all of it fits
        char* const bytes = static_cast<char*>(calloc(room, 1));
        if (bytes == nullptr) return;
        tare_text_ text = {TARE_DIGEST_START_, 0, room, bytes, false};
        detail::describe<Value>(text, value);
        is_cut = text.is_cut;
        if (!is_cut) tare_context(name.get(), bytes);
        free(bytes);
    }
}
} // namespace tare
#endif
