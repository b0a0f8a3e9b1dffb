/* tare/coroutine.hpp - waits for a coroutine, so that a body can be one.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 *   TARE_BENCH("get", [] { return tare::wait(get("key")); });
 *
  * `get` may be a coroutine of any library that returns something co_await accepts. If it resumes on another
  * thread, this one sleeps. Each call costs about 90 cycles, and no allocation besides those of the coroutine
  * itself, unless a frame needs more than 512 bytes.
 */
#ifndef TARE_COROUTINE_HPP_INCLUDED
#define TARE_COROUTINE_HPP_INCLUDED
#include <tare.h>
#if !defined(__cplusplus) || !defined(__cpp_impl_coroutine)
#    error "tare/coroutine.hpp needs coroutines: compile with -std=c++20, and a compiler that has them"
#else
#    include <atomic>
#    include <condition_variable>
#    include <coroutine>
#    include <exception>
#    include <mutex>
#    include <optional>

namespace tare {
namespace detail {
// Where the waiting thread waits. It is on that thread's stack, and so is the frame of the coroutine that waits
// there.
class Waited {
public:
    // Called when the value is ready. Unless the thread sleeps, *this may be gone after the exchange.
    void done() {
        if (state_.exchange(is_done, std::memory_order_acq_rel) != sleeps) return;
        const std::lock_guard<std::mutex> lock(mutex_);
        is_woken_ = true;
        woken_.notify_one();
    }
    void sleep() {
        int before = begun;
        if (!state_.compare_exchange_strong(before, sleeps, std::memory_order_acq_rel)) return;
        std::unique_lock<std::mutex> lock(mutex_);
        woken_.wait(lock, [this] { return is_woken_; });
    }
    static constexpr size_t room = 512;
    void* frame() { return frame_; }

private:
    static constexpr int begun = 0, sleeps = 1, is_done = 2;
    std::atomic<int> state_{begun};
    std::mutex mutex_;
    std::condition_variable woken_;
    bool is_woken_ = false;
    alignas(max_align_t) unsigned char frame_[room];
};
template <class A> decltype(auto) awaiter_of(A&& it) {
    if constexpr (requires { static_cast<A&&>(it).operator co_await(); })
        return static_cast<A&&>(it).operator co_await();
    else if constexpr (requires { operator co_await(static_cast<A&&>(it)); })
        return operator co_await(static_cast<A&&>(it));
    else return static_cast<A&&>(it);
}
template <class A>
using Awaited =
    decltype(std::declval<std::remove_reference_t<decltype(awaiter_of(std::declval<A>()))>&>().await_resume());

// The value, or the exception thrown instead.
template <class T> struct Outcome {
    std::optional<std::conditional_t<std::is_reference_v<T>, std::add_pointer_t<T>, T>> value;
    std::exception_ptr thrown;
    T take() {
        if (thrown) std::rethrow_exception(thrown);
        if constexpr (std::is_reference_v<T>) return static_cast<T>(**value);
        else return std::move(*value);
    }
};
template <> struct Outcome<void> {
    std::exception_ptr thrown;
    void take() {
        if (thrown) std::rethrow_exception(thrown);
    }
};
struct Waiting {
    struct promise_type {
        Waited& waited;
        std::exception_ptr& thrown;
        template <class A, class T>
        promise_type(A&, Outcome<T>& outcome, Waited& where) : waited(where), thrown(outcome.thrown) {}
        template <class A, class T> static void* operator new(size_t size, A&, Outcome<T>&, Waited& where) {
            return size <= Waited::room ? where.frame() : ::operator new(size);
        }
        static void operator delete(void* frame, size_t size) {
            if (size > Waited::room) ::operator delete(frame);
        }
        Waiting get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        struct Last {
            bool await_ready() noexcept { return false; }
            void await_suspend(std::coroutine_handle<promise_type> it) noexcept { it.promise().waited.done(); }
            void await_resume() noexcept {}
        };
        Last final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { thrown = std::current_exception(); }
    };
    std::coroutine_handle<promise_type> handle;
};
template <class A, class T> Waiting wait_in(A& awaitable, Outcome<T>& outcome, Waited&) {
    if constexpr (std::is_void_v<T>) co_await static_cast<A&&>(awaitable);
    else if constexpr (std::is_reference_v<T>) {
        T value = co_await static_cast<A&&>(awaitable);
        outcome.value = std::addressof(value);
    } else outcome.value.emplace(co_await static_cast<A&&>(awaitable));
}
} // namespace detail

/** Starts an awaitable, waits until it is done, and returns its value or rethrows its exception. */
template <class Awaitable> TARE_NOINLINE_ detail::Awaited<Awaitable> wait(Awaitable&& awaitable) {
    detail::Outcome<detail::Awaited<Awaitable>> outcome;
    detail::Waited waited;
    const detail::Waiting waiting =
        detail::wait_in<Awaitable>(static_cast<std::remove_reference_t<Awaitable>&>(awaitable), outcome, waited);
    waiting.handle.resume();
    waited.sleep();
    waiting.handle.destroy();
    return outcome.take();
}
} // namespace tare
#endif
#endif
