// A hot path: looking words up. std::unordered_map against a small table with open addressing.
#include <tare.h>

#include <cstdint>
#include <random>
#include <unordered_map>
#include <vector>

namespace {
// Keys are not 0. The capacity is a power of two of at least twice the number of entries; no deletion.
class OpenTable {
public:
    explicit OpenTable(std::size_t entries) {
        std::size_t capacity = 16;
        while (capacity < 2 * entries) capacity *= 2;
        slots_.resize(capacity);
    }
    void insert(std::uint64_t key, int value) {
        Slot& slot = slots_[index_of(key)];
        slot.key = key;
        slot.value = value;
    }
    const int* find(std::uint64_t key) const {
        const Slot& slot = slots_[index_of(key)];
        return slot.key == key ? &slot.value : nullptr;
    }

private:
    struct Slot {
        std::uint64_t key = 0;
        int value = 0;
    };
    std::size_t index_of(std::uint64_t key) const { // of the key, or of the free slot where it would be
        std::size_t index = (key * 0x9e3779b97f4a7c15) >> 20;
        for (;; ++index) {
            const Slot& slot = slots_[index & (slots_.size() - 1)];
            if (slot.key == key || slot.key == 0) return index & (slots_.size() - 1);
        }
    }
    std::vector<Slot> slots_;
};
} // namespace

struct Lookup {
    tare::param<int> entries{"entries", {100, 100000}};
    std::vector<std::uint64_t> queries; // half of them are there
    std::unordered_map<std::uint64_t, int> map;
    OpenTable table{0};
    std::size_t at = 0;

    void set_up() {
        std::mt19937_64 random(1);
        map.clear();
        queries.clear();
        table = OpenTable(static_cast<std::size_t>(entries));
        for (int i = 0; i < entries; ++i) {
            const std::uint64_t key = random() | 1;
            map[key] = i;
            table.insert(key, i);
            queries.push_back(key);
            queries.push_back(random() | 1);
        }
        std::vector<std::uint64_t> shuffled(65536);
        for (std::uint64_t& query : shuffled) query = queries[random() % queries.size()];
        queries = shuffled;
    }
    std::uint64_t next() { return queries[at++ % queries.size()]; }
    int in_unordered_map() {
        const auto found = map.find(next());
        return found == map.end() ? -1 : found->second;
    }
    int in_open_table() {
        const int* const found = table.find(next());
        return found == nullptr ? -1 : *found;
    }
};
TARE_BENCH(&Lookup::in_unordered_map).name("look a key up/std::unordered_map").baseline();
TARE_BENCH(&Lookup::in_open_table).name("look a key up/open addressing");

TARE_MAIN()
