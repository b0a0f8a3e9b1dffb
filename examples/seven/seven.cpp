// The seven tasks in C++; README.md has what they are. C++ has neither SHA-256 nor JSON in its library: the first is that of OpenSSL, which
// is loaded where it is installed, the second the parser below.
// tare-flags: -ldl
#include <tare.h>

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace {
// The same numbers in all languages.
struct Numbers {
    std::uint32_t state;
    std::uint32_t next() { return state = (state * 1103515245u + 12345u) & 0x7fffffffu; }
};

struct Parse {
    std::vector<std::string> texts;
    void set_up() {
        Numbers numbers{1};
        for (int i = 0; i < 64; ++i) texts.push_back(std::to_string(100000000 + numbers.next() % 900000000));
    }
    std::int64_t sum() {
        std::int64_t sum = 0;
        for (const std::string& text : texts) {
            int value = 0;
            std::from_chars(text.data(), text.data() + text.size(), value);
            sum += value;
        }
        return sum;
    }
};

struct Hash {
    std::string data;
    unsigned char* (*sha256)(const unsigned char*, std::size_t, unsigned char*) = nullptr;
    void set_up() {
        for (int i = 0; i < 10000; ++i) data.push_back(static_cast<char>(i % 251));
        for (const char* const name : {"libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.3.dylib"}) {
            void* const library = dlopen(name, RTLD_NOW);
            void* const found = library == nullptr ? nullptr : dlsym(library, "SHA256");
            if (found != nullptr && sha256 == nullptr) sha256 = reinterpret_cast<decltype(sha256)>(found);
        }
        if (sha256 == nullptr) tare::skip("OpenSSL is not installed");
    }
    std::uint32_t first_word() {
        unsigned char d[32];
        sha256(reinterpret_cast<const unsigned char*>(data.data()), data.size(), d);
        return std::uint32_t{d[0]} << 24 | std::uint32_t{d[1]} << 16 | std::uint32_t{d[2]} << 8 | d[3];
    }
};

struct Sort {
    std::vector<std::vector<int>> lists;
    std::vector<int> sorted;
    void set_up() {
        Numbers numbers{2};
        for (int i = 0; i < 64; ++i) {
            lists.emplace_back();
            for (int j = 0; j < 64; ++j) lists.back().push_back(static_cast<int>(numbers.next() >> 4));
        }
    }
    std::int64_t medians() {
        std::int64_t sum = 0;
        for (const std::vector<int>& list : lists) {
            sorted = list;
            std::sort(sorted.begin(), sorted.end());
            sum += sorted[32];
        }
        return sum;
    }
};

// A value of JSON, and what reads one.
struct Value {
    using List = std::vector<Value>;
    using Object = std::map<std::string, Value, std::less<>>;
    std::variant<std::nullptr_t, bool, double, std::string, List, Object> is = nullptr;
    const Value& operator[](std::string_view name) const { return std::get<Object>(is).find(name)->second; }
};

struct Reader {
    const char* at;
    const char* end;

    Value value() {
        switch (*at) {
        case '{': return {object()};
        case '[': return {list()};
        case '"': return {text()};
        case 't': return at += 4, Value{true};
        case 'f': return at += 5, Value{false};
        case 'n': return at += 4, Value{nullptr};
        default: break;
        }
        double number = 0;
        at = std::from_chars(at, end, number).ptr;
        return {number};
    }
    Value::List list() {
        Value::List found;
        for (++at; *at != ']'; at += *at == ',') found.push_back(value());
        return ++at, found;
    }
    Value::Object object() {
        Value::Object found;
        for (++at; *at != '}'; at += *at == ',') {
            std::string name = text();
            ++at; // the colon
            found.emplace(std::move(name), value());
        }
        return ++at, found;
    }
    std::string text() {
        std::string found;
        for (++at; *at != '"'; ++at) {
            if (*at == '\\') ++at;
            found.push_back(*at);
        }
        return ++at, found;
    }
};

struct Json {
    std::string text;
    void set_up() {
        for (int i = 0; i < 50; ++i) {
            const std::string n = std::to_string(i), active = i % 2 == 0 ? "true" : "false";
            text += std::string(i == 0 ? "[" : ",") + R"({"id":)" + n + R"(,"name":"item )" + n + R"(","price":)" + n +
                    R"(.25,"tags":["red","green"],"active":)" + active + "}";
        }
        text += "]";
    }
    double sum() {
        double sum = 0;
        const Value all = Reader{text.data(), text.data() + text.size()}.value();
        for (const Value& item : std::get<Value::List>(all.is)) {
            sum += std::get<double>(item["id"].is) + std::get<double>(item["price"].is);
            sum += static_cast<double>(std::get<Value::List>(item["tags"].is).size());
            sum += std::get<bool>(item["active"].is) ? 1 : 0;
        }
        return sum;
    }
};

struct Body {
    double x, y, z, vx, vy, vz, mass;
};
constexpr double solar_mass = 4 * 3.141592653589793 * 3.141592653589793, year = 365.24;

struct Planets {
    using Bodies = std::array<Body, 5>;
    Bodies start = {{
        {0, 0, 0, 0, 0, 0, solar_mass},
        {4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01, 1.66007664274403694e-03 * year,
         7.69901118419740425e-03 * year, -6.90460016972063023e-05 * year, 9.54791938424326609e-04 * solar_mass},
        {8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01, -2.76742510726411542e-03 * year,
         4.99852801234917238e-03 * year, 2.30417297573763929e-05 * year, 2.85885980666130812e-04 * solar_mass},
        {1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01, 2.96460137564761618e-03 * year,
         2.37847173959480950e-03 * year, -2.96589568540237556e-05 * year, 4.36624404335156298e-05 * solar_mass},
        {1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01, 2.68067772490389322e-03 * year,
         1.62824170038242295e-03 * year, -9.51592254519715870e-05 * year, 5.15138902046611451e-05 * solar_mass},
    }};

    static void advance(Bodies& bodies, double dt) {
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            Body& a = bodies[i];
            for (std::size_t j = i + 1; j < bodies.size(); ++j) {
                Body& b = bodies[j];
                const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
                const double square = dx * dx + dy * dy + dz * dz, scale = dt / (square * std::sqrt(square));
                a.vx -= dx * b.mass * scale;
                a.vy -= dy * b.mass * scale;
                a.vz -= dz * b.mass * scale;
                b.vx += dx * a.mass * scale;
                b.vy += dy * a.mass * scale;
                b.vz += dz * a.mass * scale;
            }
        }
        for (Body& a : bodies) {
            a.x += dt * a.vx;
            a.y += dt * a.vy;
            a.z += dt * a.vz;
        }
    }
    static double energy(const Bodies& bodies) {
        double sum = 0;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const Body& a = bodies[i];
            sum += 0.5 * a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz);
            for (std::size_t j = i + 1; j < bodies.size(); ++j) {
                const Body& b = bodies[j];
                const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
                sum -= a.mass * b.mass / std::sqrt(dx * dx + dy * dy + dz * dz);
            }
        }
        return sum;
    }
    double energy_after() {
        Bodies bodies = start;
        for (int i = 0; i < 100; ++i) advance(bodies, 0.01);
        return energy(bodies);
    }
};

struct Words {
    std::string text;
    void set_up() {
        Numbers numbers{3};
        for (int i = 0; i < 1000; ++i) {
            text += (i == 0 ? "" : " ") + std::string("word") + std::to_string((numbers.next() >> 8) % 50);
        }
    }
    std::int64_t squares() {
        std::unordered_map<std::string, std::int64_t> counts;
        const std::string_view all = text;
        for (std::size_t at = 0; at < all.size();) {
            const std::size_t end = std::min(all.find(' ', at), all.size());
            ++counts[std::string(all.substr(at, end - at))];
            at = end + 1;
        }
        std::int64_t sum = 0;
        for (const auto& [word, count] : counts) sum += count * count;
        return sum;
    }
};

struct Fill {
    std::vector<int> keys;
    void set_up() {
        Numbers numbers{4};
        for (int i = 0; i < 1000; ++i) keys.push_back(static_cast<int>((numbers.next() >> 8) % 4096));
    }
    std::int64_t table() {
        std::unordered_map<int, int> table;
        for (int i = 0; i < 1000; ++i) table[keys[static_cast<std::size_t>(i)]] += i;
        return static_cast<std::int64_t>(table.size()) * 1000000 + table[keys[0]];
    }
};
} // namespace

TARE_BENCH(&Parse::sum).name("parse64/cpp").baseline();
TARE_BENCH(&Hash::first_word).name("sha256/cpp").baseline();
TARE_BENCH(&Sort::medians).name("sort64/cpp").baseline();
TARE_BENCH(&Json::sum).name("json/cpp").baseline();
TARE_BENCH(&Planets::energy_after).name("nbody/cpp").baseline();
TARE_BENCH(&Words::squares).name("words/cpp").baseline();
TARE_BENCH(&Fill::table).name("fill/cpp").baseline();

TARE_MAIN()
