// Part of <tare.h>: threads that run a body in lockstep.
#ifndef TARE_DETAIL_TEAM_HPP_INCLUDED
#define TARE_DETAIL_TEAM_HPP_INCLUDED
#include "node.hpp"

namespace tare {
namespace detail {
inline thread_local unsigned thread_index = 0, thread_count = 1;
}
/** With in_threads(): the index of this thread, from 0, or the number of threads. */
inline unsigned thread_index() { return detail::thread_index; }
inline unsigned thread_count() { return detail::thread_count; }
namespace detail {
#if TARE_POSIX_
// Threads that run a body in lockstep: this one, and others that sleep between iterations and wake before the clock
// is read.
struct Team {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    Node* node;
    unsigned size, number;        // the number of threads; of the iteration
    unsigned awake, ended, begun; // atomic
    uint64_t count;
    unsigned per_turn;
    bool is_over, is_ready, has_failed;
    char message[400];
    pthread_t threads[256];
};
struct Member {
    Team* team;
    unsigned index;
};
inline void wait_for(const unsigned& counter, unsigned value) {
    for (unsigned turn = 0; __atomic_load_n(&counter, __ATOMIC_ACQUIRE) != value; ++turn) {
        if (turn > 2000) sched_yield();
    }
}
inline void run_member(Team& team) {
    Node& node = *team.node;
#    if defined(__cpp_exceptions)
    try {
        return run_turns(node.kind->loop, node, team.count, team.per_turn);
    } catch (const std::exception& error) {
        pthread_mutex_lock(&team.lock);
        if (!team.has_failed) snprintf(team.message, sizeof team.message, "on a thread: %s", error.what());
    } catch (...) {
        pthread_mutex_lock(&team.lock);
        if (!team.has_failed)
            snprintf(team.message, sizeof team.message, "on a thread: an exception that is not a std::exception");
    }
    team.has_failed = true;
    pthread_mutex_unlock(&team.lock);
#    else
    run_turns(node.kind->loop, node, team.count, team.per_turn);
#    endif
}
TARE_ENGINE_ void* be_member(void* argument) {
    const Member it = *static_cast<Member*>(argument);
    Team& team = *it.team;
    delete static_cast<Member*>(argument);
    thread_index = it.index;
    thread_count = team.size;
    for (unsigned last = 0;;) {
        pthread_mutex_lock(&team.lock);
        while (team.number == last && !team.is_over) pthread_cond_wait(&team.changed, &team.lock);
        const bool is_over = team.is_over;
        last = team.number;
        pthread_mutex_unlock(&team.lock);
        if (is_over) return nullptr;
        __atomic_fetch_add(&team.awake, 1u, __ATOMIC_RELEASE);
        wait_for(team.begun, last);
        run_member(team);
        __atomic_fetch_add(&team.ended, 1u, __ATOMIC_RELEASE);
    }
}
TARE_ENGINE_ void wake_team(tare_benchmark* self) {
    Team* const team = static_cast<Node*>(self)->team;
    if (team == nullptr || team->is_ready) return;
    team->is_ready = true;
    __atomic_store_n(&team->awake, 0u, __ATOMIC_RELEASE);
    __atomic_store_n(&team->ended, 0u, __ATOMIC_RELEASE);
    pthread_mutex_lock(&team->lock);
    ++team->number;
    pthread_cond_broadcast(&team->changed);
    pthread_mutex_unlock(&team->lock);
    wait_for(team->awake, team->size - 1);
}
inline void run_team(Node& node, uint64_t count, unsigned per_turn) {
    Team& team = *node.team;
    wake_team(&node); // unless it is awake already
    team.is_ready = false;
    team.count = count, team.per_turn = per_turn;
    __atomic_store_n(&team.begun, team.number, __ATOMIC_RELEASE);
    run_member(team);
    wait_for(team.ended, team.size - 1);
    if (team.has_failed) tare_fail(team.message);
    team.has_failed = false;
}
TARE_ENGINE_ void change_team(Node& node, bool starts) {
    if (node.team != nullptr) {
        Team* const team = node.team;
        pthread_mutex_lock(&team->lock);
        team->is_over = true;
        pthread_cond_broadcast(&team->changed);
        pthread_mutex_unlock(&team->lock);
        for (unsigned i = 1; i < team->size; ++i) pthread_join(team->threads[i], nullptr);
        pthread_mutex_destroy(&team->lock);
        pthread_cond_destroy(&team->changed);
        delete team;
        node.team = nullptr;
        thread_count = 1;
    }
    const unsigned size = node.threads < 1 ? 1 : static_cast<unsigned>(node.threads);
    if (!starts || size == 1) return;
    Team* const team = node.team = new Team();
    pthread_mutex_init(&team->lock, nullptr);
    pthread_cond_init(&team->changed, nullptr);
    team->node = &node;
    thread_count = team->size = size;
    for (unsigned i = 1; i < size; ++i) {
        Member* const member = new Member{team, i};
        if (pthread_create(&team->threads[i], nullptr, be_member, member) == 0) continue;
        delete member;
        team->size = i;
        tare_fail("cannot start that many threads");
        return;
    }
}
TARE_ENGINE_ void choose_team(Node& node) {
    node.threads = static_cast<int>(param<unsigned>("threads", node.teams).value());
}
TARE_ENGINE_ void use_threads(Node& node, const unsigned* counts, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (counts[i] < 1 || counts[i] > 256) node.invalid_ = "in_threads: a number of threads is 1 to 256";
        node.teams.add(counts[i]);
    }
    node.choose_team = choose_team;
    node.in_team = run_team;
    node.change_team = change_team;
    node.ready_ = wake_team;
}
#else
TARE_ENGINE_ void use_threads(Node& node, const unsigned*, size_t) {
    node.invalid_ = "in_threads: not supported on this system";
}
#endif
} // namespace detail
} // namespace tare
#endif
