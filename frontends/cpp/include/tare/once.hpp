/* Tare for C++: data that is made once for all processes of a run. Licence: MIT OR Apache-2.0. See frontends/cpp/README.md.
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
 * A run starts several processes of each benchmark, and each runs the set-up. If something takes long to make and is the same for all of
 * them, the first process that needs it makes it, in the folder that the host gives to this program for the run (spec/protocol.md, R27).
 * The others wait, and find it there. Without a host, each process has its own folder, which is removed with the process. */
#ifndef TARE_ONCE_HPP_INCLUDED
#define TARE_ONCE_HPP_INCLUDED
#include <tare.h>

#if !TARE_POSIX_
#    error "tare/once.hpp needs POSIX"
#endif

#include <ftw.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <type_traits>
#include <unistd.h>
#if defined(__cpp_exceptions)
#    include <stdexcept>
#endif

namespace tare {
namespace detail {

inline std::string once_error(const std::string& what, const std::string& path) {
    return what + " `" + path + "`: " + strerror(errno);
}
/** Ends the set-up with this reason. */
inline void once_fail(const std::string& name, const std::string& why) {
    const std::string text = "`" + name + "` could not be made for the run: " + why;
#if defined(__cpp_exceptions)
    throw std::runtime_error(text);
#else
    tare_fail(text.c_str());
#endif
}
inline int once_remove(const char* path, const struct stat*, int, struct FTW*) { return ::remove(path); }

/** The folder of this program and run. */
struct RunFolder {
    std::string path;
    pid_t owner = 0; // 0: the host's
    std::string fault;

    RunFolder() {
        if (const char* const given = getenv("TARE_RUN_FOLDER"); given != nullptr && *given != 0) {
            path = given;
            return;
        }
        const char* const place = getenv("TMPDIR");
        path = std::string(place == nullptr || *place == 0 ? "/tmp" : place) + "/tare-once-XXXXXX";
        if (mkdtemp(path.data()) == nullptr) fault = once_error("cannot make a folder like", path);
        else owner = getpid();
        tare_state_.end = [] { here().remove(); }; // a child of a host does not run destructors
    }
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;
    ~RunFolder() { remove(); }
    void remove() const { // not in a copy of the process
        if (owner != 0 && owner == getpid()) nftw(path.c_str(), once_remove, 16, FTW_DEPTH | FTW_PHYS);
    }
    static const RunFolder& here() {
        static const RunFolder folder;
        return folder;
    }
};

/** What became of it, in a file that only one process has at a time: empty until somebody began to make it, then `done`, or `!` and what
 *  went wrong. */
class OnceState {
public:
    explicit OnceState(const std::string& path) : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
        while (file_ >= 0 && flock(file_, LOCK_EX) != 0) {
            if (errno == EINTR) continue;
            close(file_);
            file_ = -1;
        }
    }
    OnceState(const OnceState&) = delete;
    OnceState& operator=(const OnceState&) = delete;
    ~OnceState() {
        if (file_ < 0) return;
        flock(file_, LOCK_UN); // a process that `make` started may have it as well, and keep it open
        close(file_);
    }
    bool is_open() const { return file_ >= 0; }
    std::string read() const {
        char text[1000];
        const ssize_t got = pread(file_, text, sizeof text, 0);
        return std::string(text, got > 0 ? static_cast<size_t>(got) : 0);
    }
    bool write(const std::string& text) const {
        return ftruncate(file_, 0) == 0 &&
               pwrite(file_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
    }

private:
    int file_;
};

inline bool is_once_name(const std::string& name) {
    return !name.empty() && name.size() <= 200 && name[0] != '.' && name.find('/') == std::string::npos &&
           name.find('\0') == std::string::npos;
}

/** Calls `make`; what went wrong, which it gives, throws or says with fail(). Empty: nothing. A set-up that failed before does so
 *  behind it too, and `make` has no part in that. */
template <class Make> std::string fault_of(const std::string& path, Make& make) {
    const bool has_failed = tare_state_.has_failed, is_skipped = tare_state_.is_skipped;
    const std::string before = tare_state_.message;
    tare_state_.has_failed = tare_state_.is_skipped = false;
    std::string fault;
#if defined(__cpp_exceptions)
    try {
        fault = make(path);
    } catch (const std::exception& error) {
        fault = error.what();
        if (fault.empty()) fault = "its function threw an exception without a text";
    } catch (...) { fault = "its function threw something that is not a std::exception"; }
#else
    fault = make(path);
#endif
    if (fault.empty() && tare_state_.has_failed) {
        const std::string said = tare_state_.message;
        fault = tare_state_.is_skipped ? "`tare::skip(\"" + said + "\")` in its function: call it in the set-up"
                : said.empty()         ? "its function failed without a reason"
                                       : said;
    }
    tare_state_.has_failed = has_failed;
    tare_state_.is_skipped = is_skipped;
    if (has_failed) snprintf(tare_state_.message, sizeof tare_state_.message, "%s", before.c_str());
    return fault;
}

/** Makes it unless it is there; the path. `make` gives what went wrong; empty: nothing. */
template <class Make> std::string made_once(const std::string& name, Make&& make) {
    const RunFolder& folder = RunFolder::here();
    const std::string path = folder.path + "/" + name;
    if (!is_once_name(name))
        return once_fail(name, "the name must be a file name: without `/`, and without a dot at its beginning"),
               path;
    if (!folder.fault.empty()) return once_fail(name, folder.fault), path;
    const OnceState state(folder.path + "/." + name + ".state");
    if (!state.is_open()) return once_fail(name, once_error("cannot lock it in", folder.path)), path;
    const std::string before = state.read();
    if (before == "done") return path;
    if (!before.empty()) return once_fail(name, before.substr(1)), path;
    if (!state.write("!the process that made it ended before it was finished"))
        return once_fail(name, once_error("cannot write in", folder.path)), path;
    std::string fault = fault_of(path, make);
    struct stat there;
    if (fault.empty() && stat(path.c_str(), &there) != 0) fault = "its function created nothing at the given path";
    state.write(fault.empty() ? "done" : "!" + fault.substr(0, 900));
    if (!fault.empty()) once_fail(name, fault);
    return path;
}

template <class Data> std::string write_once(const std::string& path, const Data& data) {
    FILE* const file = fopen(path.c_str(), "wb");
    if (file == nullptr) return once_error("cannot write", path);
    const size_t count = data.size(),
                 written = count == 0 ? 0 : fwrite(data.data(), sizeof *data.data(), count, file);
    const int closed = fclose(file);
    return written == count && closed == 0 ? std::string() : once_error("cannot write", path);
}
template <class Data> Data read_once(const std::string& name, const std::string& path) {
    Data data;
    struct stat about;
    FILE* const file = fopen(path.c_str(), "rb");
    if (file == nullptr || fstat(fileno(file), &about) != 0) {
        if (file != nullptr) fclose(file);
        return once_fail(name, once_error("cannot read", path)), data;
    }
    data.resize(static_cast<size_t>(about.st_size) / sizeof *data.data());
    const size_t read = data.size() == 0 ? 0 : fread(data.data(), sizeof *data.data(), data.size(), file);
    const bool is_whole = read == data.size();
    fclose(file);
    if (!is_whole) once_fail(name, once_error("cannot read", path));
    return data;
}
} // namespace detail

/** A file or folder that is made once for all processes of a run; its path. `make` gets the path, and makes it there: it is called in one
 *  process, while the others wait. What it throws fails the set-up of each, and is not tried again.
 *
 *      const std::string path = tare::once_per_run("big.db", [](const std::string& path) { build_database(path); });
 *
 *  Where `make` takes nothing, what it returns is kept in a file, and each process gets a copy of it: a std::string, or any container with
 *  data(), size() and resize() of elements that can be copied byte by byte.
 *
 *      std::vector<int> values = tare::once_per_run("values", [] { return shuffled(10'000'000); });
 *
 *  The name is that of the file. Parameters that make another one belong into it: `"values-" + std::to_string(n)`. */
template <class Make> auto once_per_run(const std::string& name, Make make) {
    if constexpr (std::is_invocable_v<Make&>) {
        using Data = std::decay_t<std::invoke_result_t<Make&>>;
        using Element = std::decay_t<decltype(*std::declval<Data&>().data())>;
        static_assert(std::is_trivially_copyable_v<Element>, "its elements can be copied byte by byte");
        const std::string path =
            detail::made_once(name, [&](const std::string& place) { return detail::write_once(place, make()); });
        return detail::read_once<Data>(name, path);
    } else {
        return detail::made_once(name, [&](const std::string& place) { return make(place), std::string(); });
    }
}

} // namespace tare
#endif
