// What both benchmarks measure.
#pragma once
#include <string>
__attribute__((noinline)) inline long digits(const std::string& s) {
    long sum = 0, part = 0;
    for (char c : s) { if (c == ',') { sum += part; part = 0; } else part = part * 10 + (c - '0'); }
    return sum + part;
}
inline std::string numbers(int n) { std::string s; for (int i = 0; i < n; ++i) s += std::to_string(i % 89) + ","; return s; }
