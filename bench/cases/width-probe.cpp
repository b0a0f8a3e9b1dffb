// How a body affects the probes of tare.h that run after it: for
// bench/width-probe.
//
//   width-probe SECONDS   lines of: body, probe (width, fenced or clock), the
//   reading before, the reading after the body, the next one, each in ns
//
// The readings around the one that counts follow a chain of additions, which
// leaves nothing behind.
#include <tare.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#define VECTORS 1
#else
#define VECTORS 0
#endif

namespace {

constexpr double BODY_NS = 60e3;
constexpr size_t FAR_LINES =
    size_t{1} << 20; // 64 MiB: far beyond any cache that a core has to itself

struct alignas(64) Line {
  uint64_t value[8];
};
std::vector<Line> far_lines(FAR_LINES);
std::vector<uint8_t> coins(1 << 16);
std::vector<int> shuffled(4096), sorted(4096);
uint64_t state = 88172645463325252;

uint64_t random_number() {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

void chain(uint64_t count) {
  uint64_t x = 1;
  for (uint64_t i = 0; i < count; ++i) {
    x += i;
    __asm__ volatile("" : "+r"(x));
  }
}
// Loads without a dependent instruction: the last are in flight when the body
// ends.
void loads(uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    const volatile uint64_t *const address =
        &far_lines[random_number() % FAR_LINES].value[0];
    (void)*address;
  }
}
void stores(uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    volatile uint64_t *const address =
        &far_lines[random_number() % FAR_LINES].value[0];
    *address = i;
  }
}
void stream(uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    std::memset(far_lines.data() + random_number() % (FAR_LINES - 64),
                static_cast<int>(i), 64 * sizeof(Line));
  }
  __asm__ volatile("" : : : "memory");
}
void divisions(uint64_t count) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t divisor = i | 1, number = ~i;
    __asm__ volatile("" : "+r"(divisor), "+r"(number));
    sum += number / divisor;
  }
  __asm__ volatile("" : : "r"(sum));
}
void branches(uint64_t count) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < count; ++i) {
    if (coins[(i + state) % coins.size()] & 1)
      sum += i;
    else
      sum ^= i;
    __asm__ volatile("" : "+r"(sum));
    if (i % 64 == 0)
      random_number();
  }
}
void sort(uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    const size_t at = random_number() % (shuffled.size() - 256);
    std::copy_n(shuffled.begin() + static_cast<long>(at), 256, sorted.begin());
    std::sort(sorted.begin(), sorted.begin() + 256);
  }
}
// More code than the caches of a core's front end hold.
__attribute__((noinline)) void code(uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t x = i;
#if defined(__x86_64__)
    __asm__ volatile(".rept 12000\n\tlea 1000000(%0), %0\n\t.endr" : "+r"(x));
#else
    __asm__ volatile(".rept 12000\n\tadd %0, %0, #1\n\t.endr" : "+r"(x));
#endif
  }
}
#if VECTORS
__attribute__((target("avx2,fma"))) void vectors(uint64_t count) {
  __m256 x[8];
  for (__m256 &part : x)
    part = _mm256_set1_ps(1.0F);
  const __m256 factor = _mm256_set1_ps(0.999F);
  for (uint64_t i = 0; i < count; ++i) {
    for (__m256 &part : x)
      part = _mm256_fmadd_ps(part, factor, factor);
  }
  for (__m256 &part : x)
    __asm__ volatile(""
                     :
                     : "x"(part)); // the upper halves stay as they are: no
                                   // vzeroupper before the probe
}
__attribute__((target("avx512f"))) void wide_vectors(uint64_t count) {
  __m512 x[8];
  for (__m512 &part : x)
    part = _mm512_set1_ps(1.0F);
  const __m512 factor = _mm512_set1_ps(0.999F);
  for (uint64_t i = 0; i < count; ++i) {
    for (__m512 &part : x)
      part = _mm512_fmadd_ps(part, factor, factor);
  }
  for (__m512 &part : x)
    __asm__ volatile("" : : "v"(part));
}
// An unsuccessful search: loads and comparisons of 20 KiB.
__attribute__((target("avx512f,avx512bw"))) void wide_search(uint64_t count) {
  const auto *const bytes = reinterpret_cast<const char *>(shuffled.data());
  for (uint64_t i = 0; i < count; ++i) {
    const __m512i wanted = _mm512_set1_epi8(static_cast<char>(i));
    __mmask64 found = 0;
    for (size_t at = 0; at < sizeof(int) * 4096; at += 128)
      found |= _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(bytes + at), wanted) |
               _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(bytes + at + 64),
                                      wanted);
    __asm__ volatile("" : : "r"(static_cast<uint64_t>(found)) : "memory");
  }
}
#endif

struct Body {
  const char *name;
  void (*run)(uint64_t);
  bool is_there = true;
  uint64_t count = 1;
};

uint64_t now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1000000000u +
         static_cast<uint64_t>(t.tv_nsec);
}

// A reading of the width probe, as between two windows.
uint64_t reading(bool of_clock) {
  if (of_clock)
    return tare_probe_();
  const uint64_t start = now();
  tare_width_();
  return now() - start;
}

void fence() {
#if defined(__x86_64__)
  __asm__ volatile("lfence" : : : "memory");
#else
  __asm__ volatile("isb" : : : "memory");
#endif
}

} // namespace

int main(int argc, char **argv) {
  for (size_t i = 0; i < far_lines.size(); ++i)
    far_lines[i].value[0] = i;
  for (uint8_t &coin : coins)
    coin = static_cast<uint8_t>(random_number() >> 20);
  for (int &number : shuffled)
    number = static_cast<int>(random_number() >> 33);
  std::vector<Body> bodies = {{"chain", chain},         {"loads", loads},
                              {"stores", stores},       {"stream", stream},
                              {"divisions", divisions}, {"branches", branches},
                              {"sort", sort},           {"code", code}};
#if VECTORS
  bodies.push_back(
      {"vectors", vectors,
       __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")});
  bodies.push_back(
      {"wide vectors", wide_vectors, __builtin_cpu_supports("avx512f") != 0});
  bodies.push_back(
      {"wide search", wide_search, __builtin_cpu_supports("avx512bw") != 0});
#endif
  bodies.erase(std::remove_if(bodies.begin(), bodies.end(),
                              [](const Body &b) { return !b.is_there; }),
               bodies.end());
  for (Body &body : bodies) {
    for (;;) {
      const uint64_t start = now();
      body.run(body.count);
      const double took = static_cast<double>(now() - start);
      if (took > BODY_NS / 2) {
        body.count = std::max<uint64_t>(
            1, static_cast<uint64_t>(static_cast<double>(body.count) * BODY_NS /
                                     took));
        break;
      }
      body.count *= 2;
    }
  }
  const uint64_t until =
      now() + static_cast<uint64_t>(1e9 * std::atof(argc > 1 ? argv[1] : "5"));
  const Body rest = bodies[0];
  while (now() < until) {
    const Body &body = bodies[random_number() % bodies.size()];
    const uint64_t kind = (random_number() >> 40) % 3;
    const bool is_fenced = kind == 1, of_clock = kind == 2;
    rest.run(rest.count / 2);
    const uint64_t before = reading(of_clock);
    body.run(body.count);
    if (is_fenced)
      fence();
    const uint64_t right_after = reading(of_clock);
    rest.run(rest.count / 2);
    const uint64_t after = reading(of_clock);
    const char *const probe = of_clock    ? "clock"
                              : is_fenced ? "fenced"
                                          : "width";
    std::printf("%s\t%s\t%llu\t%llu\t%llu\n", body.name, probe,
                static_cast<unsigned long long>(before),
                static_cast<unsigned long long>(right_after),
                static_cast<unsigned long long>(after));
  }
  return 0;
}
