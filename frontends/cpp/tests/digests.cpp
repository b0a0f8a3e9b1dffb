// Reads spec/digests.txt from standard input and prints the lines with a different digest here.
#include <tare.h>

#include <cinttypes>
#include <cstdint>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

static std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text == "-" ? "" : text);
    for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
    return parts;
}
static std::string text_of(const std::string& hexadecimal) {
    std::string bytes;
    if (hexadecimal == "-") return bytes;
    for (std::size_t i = 0; i < hexadecimal.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(hexadecimal.substr(i, 2), nullptr, 16));
    }
    return bytes;
}
static double float_of(const std::string& hexadecimal) {
    const std::uint64_t bits = std::stoull(hexadecimal, nullptr, 16);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
template <class T> static std::string digest(const T& value) {
    char bytes[8];
    tare_text_ text = {TARE_DIGEST_START_, 0, sizeof bytes, bytes, false};
    if (!tare::detail::describe(text, value)) return "none";
    char written[20];
    snprintf(written, sizeof written, "%016" PRIx64, text.digest);
    return written;
}
static std::string digest_of_integer(const std::string& text) {
    return text[0] == '-' ? digest(std::stoll(text)) : digest(std::stoull(text));
}
template <class F> static auto each(const std::vector<std::string>& parts, F convert) {
    std::vector<decltype(convert(""))> all;
    for (const auto& part : parts) all.push_back(convert(part));
    return all;
}
static std::string digest_of(const std::string& kind, const std::string& value) {
    const auto signed_number = [](const std::string& text) { return std::stoll(text); };
    const auto number = [](const std::string& text) { return std::stoull(text); };
    if (kind == "integer") return digest_of_integer(value);
    if (kind == "float") return digest(float_of(value));
    if (kind == "boolean") return digest(value == "true");
    if (kind == "text") return digest(text_of(value));
    const auto parts = split(value, ',');
    if (kind == "integers" && value == "-1,0,18446744073709551615")
        return digest(std::tuple<int, char16_t, std::uint64_t>(-1, u'\0', UINT64_MAX));
    if (kind == "integers" && value[0] == '-' && value != "-") return digest(each(parts, signed_number));
    if (kind == "integers") return digest(each(parts, number));
    if (kind == "floats") return digest(each(parts, float_of));
    if (kind == "booleans") return digest(each(parts, [](const std::string& text) { return text == "true"; }));
    if (kind == "texts") return digest(each(parts, text_of));
    if (kind == "lists") {
        std::vector<std::vector<unsigned long long>> lists;
        for (const auto& list : split(value, ';')) lists.push_back(each(split(list, ','), number));
        return digest(lists);
    }
    if (kind == "pairs") {
        std::vector<std::pair<long long, std::optional<std::string>>> pairs;
        for (const auto& part : parts) {
            const auto halves = split(part, ':');
            pairs.emplace_back(std::stoll(halves[0]), text_of(halves[1]));
        }
        return digest(pairs);
    }
    return "there is no such kind";
}

int main() {
    unsigned count = 0;
    for (std::string line; std::getline(std::cin, line);) {
        if (line.empty() || line[0] == '#') continue;
        const auto columns = split(line, '\t');
        const std::string found = digest_of(columns[0], columns[1]);
        if (found != columns[2]) std::cout << line << "\t(here " << found << ")\n";
        ++count;
    }
    if (digest(std::optional<int>()) != "none" || digest(static_cast<const char*>(nullptr)) != "none")
        std::cout << "nothing\n";
    if (digest(std::map<int, bool>{{1, true}}) != digest(std::string("[[1,true]]"))) std::cout << "a map\n";
    if (digest(0.1f) != digest(static_cast<double>(0.1f))) std::cout << "a float of 32 bits\n";
    std::cout << count << " values\n";
}
