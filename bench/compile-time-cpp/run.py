#!/usr/bin/env python3
"""Compile CPU time of a file with two benchmarks: nothing, tare.h, Google Benchmark, Catch2 v2. Prints ratios to `nothing`.

Run: bench/compile-time-cpp/run.py [compiler] [rounds]; needs the Debian packages libbenchmark-dev and catch2 for the others,
which are skipped by name when they are not there.
"""
import pathlib, resource, statistics, subprocess, sys, tempfile

COMPILER = sys.argv[1] if len(sys.argv) > 1 else "g++"
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "frontends/cpp/include"
BODIES = """#include <cstdlib>
#include <string>
static const char* text = "123456789";
inline long a() { return std::strtol(text, nullptr, 10); }
inline long b() { return std::stol(text); }
"""
TARE = 'TARE_BENCH("parse/strtol", [] { return a(); });\nTARE_BENCH("parse/stol", [] { return b(); });\n'
FILES = {
    "nothing": BODIES + "int main() { return a() + b() == 0; }\n",
    "tare.h, included only": "#include <tare.h>\n" + BODIES + "int main() { return a() + b() == 0; }\n",
    "tare.h, main elsewhere": "#include <tare.h>\n" + BODIES + TARE,
    "tare.h with main": "#include <tare.h>\n" + BODIES + TARE + "TARE_MAIN()\n",
    "Google Benchmark": "#include <benchmark/benchmark.h>\n" + BODIES + """
static void A(benchmark::State& s) { for (auto _ : s) benchmark::DoNotOptimize(a()); }
static void B(benchmark::State& s) { for (auto _ : s) benchmark::DoNotOptimize(b()); }
BENCHMARK(A);
BENCHMARK(B);
BENCHMARK_MAIN();
""",
    "Catch2 v2, main elsewhere": "#define CATCH_CONFIG_ENABLE_BENCHMARKING\n#include <catch2/catch.hpp>\n" + BODIES +
    'TEST_CASE("parse") { BENCHMARK("a") { return a(); }; BENCHMARK("b") { return b(); }; }\n',
    "Catch2 v2 with main": "#define CATCH_CONFIG_MAIN\n#define CATCH_CONFIG_ENABLE_BENCHMARKING\n#include <catch2/catch.hpp>\n" + BODIES +
    'TEST_CASE("parse") { BENCHMARK("a") { return a(); }; BENCHMARK("b") { return b(); }; }\n',
}


def cpu(source, output):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([COMPILER, "-std=c++17", "-O2", f"-I{INCLUDE}", "-c", source, "-o", output], capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return None if done.returncode else after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    times = {name: [] for name in FILES}
    skipped = set()
    for _ in range(ROUNDS):  # in turn, so that the neighbours hit all alike
        for number, (name, text) in enumerate(FILES.items()):
            if name in skipped or (len(times[name]) == 2 and times[name][0] > 5):
                continue
            source = folder / f"{number}.cpp"
            source.write_text(text)
            time = cpu(source, folder / "out.o")
            skipped.add(name) if time is None else times[name].append(time)
    base = statistics.median(times["nothing"])
    print(f"| {COMPILER} -O2 -std=c++17 | CPU s | ratio |\n|:---|---:|---:|")
    for name in FILES:
        middle = None if name in skipped else statistics.median(times[name])
        print(f"| {name} | skipped: does not compile here | |" if middle is None else f"| {name} | {middle:.3f} | {middle / base:.2f} |")
    print("| nanobench | skipped: no package | |")
