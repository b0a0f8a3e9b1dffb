// Ordinary code, as in benchmarks: it fills the width of the core, misses caches and mispredicts branches, so a neighbour on the
// core's other hardware thread makes it slower (a chain of dependent multiplications, the control, keeps its speed).
//
// An invocation does `n` items and continues where the previous one stopped, around a ring or with random keys. So the mean cost of
// an item is the same for every n, and n = 409 costs 2 % more than n = 401 by construction. The cost of an invocation beside its
// items is small but not zero: the seam between two invocations disturbs the predictor for some items, and less so if n and the ring
// have a common factor (Parse with n = 300 is 2.5 % faster per item than with 301, and so is every multiple of four). So n is a prime,
// or twice an odd number: 402, 409 and 421 were then within 0.7 % per item of 401 in both languages, measured in turn in one process
// on a busy machine (except Lookup and Tree, whose instances learn the same keys from each other there: several processes gave 5.0 %
// for Tree with 421).
//
// kernels.rs has the same items in the same order, and the first invocations return equal sums in both languages
// (bench/lib/selftest.py).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>
#ifndef KERNELS_WITHOUT_REGEX
#    include <regex>
#endif

namespace kernels {

// Xorshift with 64 bits.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return state_;
    }
    std::uint32_t bits32() { return static_cast<std::uint32_t>(next() >> 32); }

private:
    std::uint64_t state_;
};

// Makes the contents of memory unknown to the compiler, so that it cannot reuse the previous invocation's result.
inline void forget() { asm volatile("" : : : "memory"); }

// Numbers of nine digits from text.
struct Parse {
    static constexpr std::size_t Ring = 512;
    std::size_t n;
    std::size_t next = 0;
    std::vector<char> texts{}; // ten bytes each, the last of them 0

    explicit Parse(std::size_t items) : n(items) {}
    void set_up() {
        Random random(1);
        texts.clear();
        for (std::size_t i = 0; i < Ring; ++i) {
            std::string const text = std::to_string(100'000'000 + random.bits32() % 900'000'000);
            texts.insert(texts.end(), text.c_str(), text.c_str() + 10);
        }
    }
    [[gnu::noinline]] std::uint64_t operator()() {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            sum += static_cast<std::uint64_t>(std::strtol(&texts[next * 10], nullptr, 10));
            next = (next + 1) % Ring;
        }
        return sum;
    }
};

// CRC-32 by eight tables; an item is eight bytes.
struct Crc {
    std::size_t n;
    std::vector<std::uint8_t> bytes{};
    std::uint32_t tables[8][256] = {};

    explicit Crc(std::size_t items) : n(items) {}
    void set_up() {
        Random random(2);
        bytes.resize(8 * n);
        for (auto& byte : bytes) {
            byte = static_cast<std::uint8_t>(random.bits32());
        }
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t crc = i;
            for (int bit = 0; bit < 8; ++bit) {
                crc = (crc & 1) != 0 ? crc >> 1 ^ 0xEDB8'8320 : crc >> 1;
            }
            tables[0][i] = crc;
        }
        for (std::size_t i = 0; i < 256; ++i) {
            for (std::size_t k = 1; k < 8; ++k) {
                tables[k][i] = tables[k - 1][i] >> 8 ^ tables[0][tables[k - 1][i] & 255];
            }
        }
    }
    [[gnu::noinline]] std::uint64_t operator()() {
        forget();
        std::uint32_t crc = ~0U;
        for (std::size_t i = 0; i < n; ++i) {
            std::uint32_t low = 0;
            std::uint32_t high = 0;
            std::memcpy(&low, &bytes[8 * i], 4);
            std::memcpy(&high, &bytes[8 * i + 4], 4);
            low ^= crc;
            crc = tables[7][low & 255] ^ tables[6][low >> 8 & 255] ^ tables[5][low >> 16 & 255] ^ tables[4][low >> 24] ^
                  tables[3][high & 255] ^ tables[2][high >> 8 & 255] ^ tables[1][high >> 16 & 255] ^ tables[0][high >> 24];
        }
        return ~crc;
    }
};

// Sorts rows of numbers, `rows` different ones in turn: an item is a row.
struct Sort {
    std::size_t n;
    std::size_t rows;
    std::size_t length;
    std::size_t next = 0;
    std::vector<std::int32_t> numbers{};
    std::vector<std::int32_t> row{};

    Sort(std::size_t items, std::size_t rows_, std::size_t length_) : n(items), rows(rows_), length(length_) {}
    void set_up() {
        Random random(3);
        numbers.resize(rows * length);
        for (auto& number : numbers) {
            number = static_cast<std::int32_t>(random.bits32() >> 1);
        }
        row.resize(length);
    }
    [[gnu::noinline]] std::uint64_t operator()() {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            std::copy_n(&numbers[next * length], length, row.begin());
            std::sort(row.begin(), row.end());
            sum += static_cast<std::uint64_t>(row[length / 2]);
            next = (next + 1) % rows;
        }
        return sum;
    }
};

// 400 numbers from one fixed shuffled copy.
struct Sort400 : Sort {
    explicit Sort400(std::size_t /* items */) : Sort(1, 1, 400) {}
};

// 61 rows of 20: with 64, the place in memory changed the time by 2 %.
struct Rows : Sort {
    explicit Rows(std::size_t items) : Sort(items, 61, 20) {}
};

// Random existing keys: 2,048 of the 100,000 of a hash map, so that they do not all fit in the caches near the core.
struct Lookup {
    static constexpr std::size_t Entries = 100'000;
    static constexpr std::size_t Asked = 2048;
    std::size_t n;
    std::unordered_map<std::uint32_t, std::uint32_t> map{};
    std::vector<std::uint32_t> keys{};
    Random choice{5};

    explicit Lookup(std::size_t items) : n(items) {}
    void set_up() {
        Random random(4);
        map.clear();
        map.reserve(Entries);
        keys.clear();
        for (std::uint32_t i = 0; i < Entries; ++i) {
            std::uint32_t const key = random.bits32();
            map.emplace(key, i);
            if (i % (Entries / Asked) == 0 && keys.size() < Asked) {
                keys.push_back(key);
            }
        }
    }
    [[gnu::noinline]] std::uint64_t operator()() {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            sum += map.find(keys[choice.next() % Asked])->second;
        }
        return sum;
    }
};

// The same for an ordered map of 1,024 entries: half of its branches are mispredicted.
struct Tree {
    static constexpr std::size_t Entries = 1024;
    std::size_t n;
    std::map<std::uint32_t, std::uint32_t> map{};
    std::vector<std::uint32_t> keys{};
    Random choice{7};

    explicit Tree(std::size_t items) : n(items) {}
    void set_up() {
        Random random(6);
        map.clear();
        keys.clear();
        for (std::uint32_t i = 0; i < Entries; ++i) {
            keys.push_back(random.bits32());
            map.emplace(keys.back(), i);
        }
    }
    [[gnu::noinline]] std::uint64_t operator()() {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            sum += map.find(keys[choice.next() % Entries])->second;
        }
        return sum;
    }
};

// Joins numbers, 50 to a newly allocated text that grows.
struct Join {
    static constexpr std::size_t Ring = 500;
    static constexpr std::size_t PerText = 50;
    std::size_t n;
    std::size_t next = 0;
    std::vector<std::uint32_t> numbers{};
    std::string text{};

    explicit Join(std::size_t items) : n(items) {}
    void set_up() {
        Random random(8);
        numbers.resize(Ring);
        for (auto& number : numbers) {
            number = random.bits32();
        }
    }
    [[gnu::noinline]] std::uint64_t operator()() {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            text += std::to_string(numbers[next]);
            text += ',';
            if (next % PerText == PerText - 1) {
                sum += text.size();
                text = std::string();
            }
            next = (next + 1) % Ring;
        }
        return sum;
    }
};

// The tokens of a JSON document of about 1 kB, which begins again where it ends.
struct Json {
    std::size_t n;
    std::size_t at = 0;
    std::string document{};

    explicit Json(std::size_t items) : n(items) {}
    void set_up() {
        Random random(9);
        document = "[";
        for (int i = 0; i < 12; ++i) {
            std::uint32_t const id = random.bits32() % 100'000;
            char const* const open = random.bits32() % 2 == 0 ? "true" : "false";
            std::uint32_t const width = random.bits32() % 1000;
            std::uint32_t const height = random.bits32() % 1000;
            document += i == 0 ? "\n" : ",\n";
            document += "  {\"id\": " + std::to_string(id) + ", \"name\": \"item " + std::to_string(i) + "\", \"open\": " + open +
                        ", \"size\": [" + std::to_string(width) + ", " + std::to_string(height) + "], \"next\": null}";
        }
        document += "\n]\n";
    }
    [[gnu::noinline]] std::uint64_t operator()() {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            sum += token();
        }
        return sum;
    }

private:
    char peek() const { return at < document.size() ? document[at] : '\0'; }
    // A number is worth itself, a text or word its length, a sign its code.
    std::uint64_t token() {
        while (peek() == ' ' || peek() == '\n') {
            ++at;
        }
        if (at == document.size()) {
            at = 0;
        }
        char const first = peek();
        std::size_t const start = at++;
        if (first == '"') {
            while (peek() != '"') {
                at += peek() == '\\' ? 2U : 1U;
            }
            ++at;
            return at - start;
        }
        if (first >= '0' && first <= '9') {
            auto value = static_cast<std::uint64_t>(first - '0');
            while (peek() >= '0' && peek() <= '9') {
                value = 10 * value + static_cast<std::uint64_t>(document[at++] - '0');
            }
            return value;
        }
        if (first >= 'a' && first <= 'z') {
            while (peek() >= 'a' && peek() <= 'z') {
                ++at;
            }
            return at - start;
        }
        return static_cast<std::uint64_t>(first);
    }
};

#ifndef KERNELS_WITHOUT_REGEX // it takes longer to compile than all the others
// Texts of eight characters against a regular expression; half of them match.
struct Regex {
    static constexpr std::size_t Ring = 50;
    std::size_t n;
    std::size_t next = 0;
    std::regex expression{};
    std::vector<std::string> texts{};

    explicit Regex(std::size_t items) : n(items) {}
    void set_up() {
        Random random(10);
        expression.assign("[a-z]+[0-9]*x");
        texts.clear();
        for (std::size_t i = 0; i < Ring; ++i) {
            std::string text;
            for (int k = 0; k < 4; ++k) {
                text += static_cast<char>('a' + static_cast<int>(random.bits32() % 26));
            }
            text += std::to_string(100 + random.bits32() % 900);
            text += random.bits32() % 2 == 0 ? 'x' : 'y';
            texts.push_back(text);
        }
    }
    [[gnu::noinline]] std::uint64_t operator()() {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            sum += std::regex_match(texts[next], expression) ? next + 1 : 0;
            next = (next + 1) % Ring;
        }
        return sum;
    }
};
#endif

// Numbers below 2^32 into four sums at a time, around a ring; an item is 16 numbers.
struct Sum {
    typedef std::uint32_t Four __attribute__((vector_size(16)));
    // Items of the ring; a power of two, so that going around it costs nothing. The length of the data must not depend on n: on an
    // Intel processor 402 items of an array of 402 were 1 to 1.8 % faster than 401 of 401.
    static constexpr std::size_t Ring = 256;
    std::size_t n;
    std::size_t next = 0;
    std::vector<std::uint32_t> numbers{};

    explicit Sum(std::size_t items) : n(items) {}
    void set_up() {
        Random random(11);
        numbers.resize(16 * Ring);
        for (auto& number : numbers) {
            number = random.bits32();
        }
    }
    [[gnu::noinline]] std::uint64_t operator()() {
        forget();
        // Four variables instead of an array, and a copy of `next`: gcc would keep both in memory, and on processors that predict
        // store-to-load forwarding an item would then take 9 or 11 cycles at random.
        Four first = {};
        Four second = {};
        Four third = {};
        Four fourth = {};
        std::size_t item = next;
        for (std::size_t i = 0; i < n; ++i) {
            first += mixed(16 * item);
            second += mixed(16 * item + 4);
            third += mixed(16 * item + 8);
            fourth += mixed(16 * item + 12);
            item = (item + 1) % Ring;
        }
        next = item;
        Four const all = first + second + third + fourth;
        return std::uint64_t{all[0]} + all[1] + all[2] + all[3];
    }

private:
    Four mixed(std::size_t at) const {
        Four four = {};
        std::memcpy(&four, &numbers[at], 16);
        return four ^ (four >> 3);
    }
};

// The control: `n` dependent multiplications, three cycles each on the processors that this was written for.
template <int N> struct Chain {
    std::uint64_t x = 3;

    explicit Chain(std::size_t /* items */) {}
    void set_up() {}
    [[gnu::noinline]] std::uint64_t operator()() {
        // Written out by the assembler: a loop would add a mispredicted exit to every invocation.
        asm volatile(".rept %c1\n\timulq %0, %0\n\t.endr" : "+r"(x) : "i"(N));
        return x;
    }
};

} // namespace kernels

// All of them by name and type, for KERNEL_ITEMS items an invocation. bench/lib/planted.py has the same list.
#ifndef KERNEL_ITEMS
#    define KERNEL_ITEMS 401
#endif
#ifdef KERNELS_WITHOUT_REGEX
#    define KERNELS_REGEX_(x)
#else
#    define KERNELS_REGEX_(x) x(regex, Regex)
#endif
#define KERNELS(x)                                                                                                     \
    x(parse, Parse) x(crc, Crc) x(sort, Sort400) x(rows, Rows) x(lookup, Lookup) x(tree, Tree) x(join, Join)          \
        x(json, Json) KERNELS_REGEX_(x) x(sum, Sum) x(chain, Chain<KERNEL_ITEMS>)
