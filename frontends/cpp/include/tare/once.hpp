/* Tare for C++: data made once for all processes of a run. Licence: MIT OR Apache-2.0. See frontends/cpp/README.md.
 *
 *     #include <tare.h>
 *     #include <tare/once.hpp>
 *
 *     struct Parse {
 *         std::string text;
 *         void set_up() { text = tare::once_per_run("big.json", [] { return generate(100'000); }); }
 *         ...
 *     };
 *
  * A run starts several processes of each benchmark, and each runs the set-up. If something takes long to make and
  * is the same for all of them, the first process that needs it makes it, in a folder that the host provides to
  * this program for the run (spec/protocol.md, R27). The others wait, and find it there. Without a host, each
  * process has its own folder, which is removed with the process. */
#ifndef TARE_ONCE_HPP_INCLUDED
#define TARE_ONCE_HPP_INCLUDED
#include <tare/once.h>

#include <string>
#include <type_traits>
#if defined(__cpp_exceptions)
#    include <stdexcept>
#endif

namespace tare {
namespace detail {

/** Ends the set-up with the reason given to tare_fail(). */
inline void stop_set_up() {
#if defined(__cpp_exceptions)
    throw std::runtime_error(tare_state_.message);
#endif
}
/** Calls `make`; an exception becomes a failure that is passed on to the other processes. */
template <class Make> void make_once(const char* path, void* make) {
#if defined(__cpp_exceptions)
    try {
        (*static_cast<Make*>(make))(path);
    } catch (const std::exception& error) {
        tare_fail(*error.what() != 0 ? error.what() : "its function threw an exception without a text");
    } catch (...) { tare_fail("its function threw something that is not a std::exception"); }
#else
    (*static_cast<Make*>(make))(path);
#endif
}
template <class Make> std::string made_once(const std::string& name, Make make) {
    const bool is_whole = name.find('\0') == std::string::npos;
    const char* const path = tare_once_per_run(is_whole ? name.c_str() : "", make_once<Make>, &make);
    if (path == nullptr) stop_set_up();
    return path == nullptr ? std::string() : path;
}
/** Fails the set-up with an error of the system and its reason. */
inline void fail_once(const char* what, const std::string& path) {
    char text[TARE_ONCE_FAULT_];
    tare_once_error_(text, what, path.c_str());
    tare_fail(text);
}
template <class Data> void write_once(const char* path, const Data& data) {
    FILE* const file = fopen(path, "wb");
    const size_t size = sizeof *data.data(), count = data.size();
    const bool is_whole = file != nullptr && (count == 0 || fwrite(data.data(), size, count, file) == count);
    if (file == nullptr || fclose(file) != 0 || !is_whole) fail_once("cannot write", path);
}
template <class Data> Data read_once(const std::string& path) {
    Data data;
    struct stat about;
    FILE* const file = fopen(path.c_str(), "rb");
    bool is_whole = file != nullptr && fstat(fileno(file), &about) == 0;
    if (is_whole) data.resize(static_cast<size_t>(about.st_size) / sizeof *data.data());
    if (is_whole && data.size() != 0)
        is_whole = fread(data.data(), sizeof *data.data(), data.size(), file) == data.size();
    if (!is_whole) fail_once("cannot read", path);
    if (file != nullptr) fclose(file);
    if (!is_whole) stop_set_up();
    return data;
}
} // namespace detail

/** Makes a file or folder once for all processes of a run, and returns its path. `make` gets the path and creates
 *  it there. It is called in one process while the others wait. If it throws, the set-up fails in every process,
 *  without a retry.
 *
 *      const std::string path = tare::once_per_run("big.db", [](const std::string& path) { build_database(path); });
 *
  *  If `make` takes no argument, its result is kept in a file, and each process gets a copy: a std::string, or any
  *  container with data(), size() and resize() whose elements can be copied byte by byte.
 *
 *      std::vector<int> values = tare::once_per_run("values", [] { return shuffled(10'000'000); });
 *
  *  The name is a file name. Include the parameters that change the content: `"values-" + std::to_string(n)`. */
template <class Make> auto once_per_run(const std::string& name, Make make) {
    if constexpr (std::is_invocable_v<Make&>) {
        using Data = std::decay_t<std::invoke_result_t<Make&>>;
        using Element = std::decay_t<decltype(*std::declval<Data&>().data())>;
        static_assert(std::is_trivially_copyable_v<Element>, "its elements can be copied byte by byte");
        const std::string path =
            detail::made_once(name, [&](const char* place) { detail::write_once(place, make()); });
        return detail::read_once<Data>(path);
    } else {
        return detail::made_once(name, [&](const char* place) { make(std::string(place)); });
    }
}

} // namespace tare
#endif
