// Awaited coroutines and lazy results, for protocol_test.py. C++20.
#include <tare/coroutine.hpp>

#include <future>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>
// clang 14 cannot read the <ranges> of libstdc++ 12.
#if !defined(__clang__) || __clang_major__ >= 16
#    include <ranges>
#endif

namespace {
// Like the tasks of libraries: starts when it is awaited, and then resumes its awaiter.
template <class T> struct Task {
    struct promise_type {
        T value{};
        std::exception_ptr thrown;
        std::coroutine_handle<> next;
        struct Last {
            bool await_ready() noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> it) noexcept {
                return it.promise().next;
            }
            void await_resume() noexcept {}
        };
        Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_always initial_suspend() noexcept { return {}; }
        Last final_suspend() noexcept { return {}; }
        void return_value(T it) { value = std::move(it); }
        void unhandled_exception() { thrown = std::current_exception(); }
    };
    explicit Task(std::coroutine_handle<promise_type> it) : handle(it) {}
    Task(Task&& other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
    ~Task() {
        if (handle) handle.destroy();
    }
    bool await_ready() { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> next) {
        handle.promise().next = next;
        return handle;
    }
    T& await_resume() {
        if (handle.promise().thrown) std::rethrow_exception(handle.promise().thrown);
        return handle.promise().value;
    }
    std::coroutine_handle<promise_type> handle;
};
// Resumes on another thread.
struct OnThread {
    bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<> next) { std::thread(next).detach(); }
    int await_resume() { return 7; }
};
// If they were inlined, clang 14 would not unroll the loop around them.
[[gnu::noinline]] Task<int> add(int a, int b) { co_return a + b; }
[[gnu::noinline]] Task<int> twice(int n) { co_return co_await add(n, n) + co_await add(0, 0); }
[[gnu::noinline]] Task<int> throws(int n) {
    if (n > 0) throw std::runtime_error("on purpose");
    co_return n;
}
[[gnu::noinline]] Task<int> on_thread() { co_return co_await OnThread() + co_await OnThread(); }
#if !defined(__clang__) || __clang_major__ >= 16
auto view_of(const std::vector<int>& values) {
    return values | std::views::filter([](int n) { return n > 1; });
}
#else
// Looks like the adaptors of std::ranges from outside.
struct View {
    const std::vector<int>* values;
    const int* begin() const { return values->data(); }
    const int* end() const { return begin() + values->size(); }
    const std::vector<int>& base() const { return *values; }
    explicit operator bool() const { return !values->empty(); }
};
View view_of(const std::vector<int>& values) { return {&values}; }
#endif
} // namespace

TARE_BENCH("wait/value", [] { return tare::wait(twice(tare::opaque(21))); });
TARE_BENCH("wait/throws", [] { return tare::wait(throws(1)); });
TARE_BENCH("wait/on a thread", [] { return tare::wait(on_thread()); }).waits();
TARE_BENCH("wait/plain", [] { return tare::wait(OnThread()); }).waits();
TARE_BENCH("wait/nothing", [] { tare::wait(std::suspend_never()); });
TARE_BENCH("lazy/coroutine", [] { return add(1, 2); });
TARE_BENCH("lazy/future", [] { return std::async(std::launch::deferred, [] { return 1; }); });
TARE_BENCH("lazy/view", [values = std::vector<int>{1, 2, 3}] { return view_of(values); });
TARE_BENCH("lazy/container", [] { return std::vector<int>{1, 2}; });

TARE_MAIN()
