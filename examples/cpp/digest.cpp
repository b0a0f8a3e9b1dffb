// MD5 against SHA-256 of 10,000 bytes, as time per byte. Both are checked against known digests first.
#include <tare.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {
std::uint32_t rotate_left(std::uint32_t x, unsigned n) { return (x << n) | (x >> (32 - n)); }
std::uint32_t rotate_right(std::uint32_t x, unsigned n) { return (x >> n) | (x << (32 - n)); }

// Calls `block` with every 64 bytes of `text`, padded with 0x80, zeros and its length in bits.
template <class Block> void for_blocks(const std::string& text, bool is_big_endian, Block block) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
    std::size_t at = 0;
    for (; at + 64 <= text.size(); at += 64) block(bytes + at);
    unsigned char last[128] = {};
    const std::size_t rest = text.size() - at, size = rest < 56 ? 64 : 128;
    if (rest > 0) std::memcpy(last, bytes + at, rest);
    last[rest] = 0x80;
    for (unsigned i = 0; i < 8; ++i) {
        last[size - 8 + i] = static_cast<unsigned char>((text.size() * 8) >> 8 * (is_big_endian ? 7 - i : i));
    }
    for (std::size_t i = 0; i < size; i += 64) block(last + i);
}

std::array<std::uint32_t, 4> md5(const std::string& text) { // RFC 1321
    static const std::uint32_t k[64] = {
        0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
        0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
        0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
        0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
        0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
        0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
        0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
        0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
    static const unsigned turn[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
    std::array<std::uint32_t, 4> state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    for_blocks(text, false, [&](const unsigned char* bytes) {
        std::uint32_t word[16], a = state[0], b = state[1], c = state[2], d = state[3];
        for (unsigned i = 0; i < 16; ++i) {
            word[i] = std::uint32_t{bytes[4 * i]} | std::uint32_t{bytes[4 * i + 1]} << 8 |
                      std::uint32_t{bytes[4 * i + 2]} << 16 | std::uint32_t{bytes[4 * i + 3]} << 24;
        }
        for (unsigned i = 0; i < 64; ++i) {
            std::uint32_t f;
            unsigned g;
            if (i < 16) f = (b & c) | (~b & d), g = i;
            else if (i < 32) f = (d & b) | (~d & c), g = (5 * i + 1) % 16;
            else if (i < 48) f = b ^ c ^ d, g = (3 * i + 5) % 16;
            else f = c ^ (b | ~d), g = (7 * i) % 16;
            f += a + k[i] + word[g];
            a = d, d = c, c = b;
            b += rotate_left(f, turn[i / 16 * 4 + i % 4]);
        }
        state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    });
    return state;
}

std::array<std::uint32_t, 8> sha256(const std::string& text) { // FIPS 180-4
    static const std::uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    std::array<std::uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    for_blocks(text, true, [&](const unsigned char* bytes) {
        std::uint32_t w[64];
        for (unsigned i = 0; i < 16; ++i) {
            w[i] = std::uint32_t{bytes[4 * i]} << 24 | std::uint32_t{bytes[4 * i + 1]} << 16 |
                   std::uint32_t{bytes[4 * i + 2]} << 8 | std::uint32_t{bytes[4 * i + 3]};
        }
        for (unsigned i = 16; i < 64; ++i) {
            const std::uint32_t s0 = rotate_right(w[i - 15], 7) ^ rotate_right(w[i - 15], 18) ^ (w[i - 15] >> 3);
            const std::uint32_t s1 = rotate_right(w[i - 2], 17) ^ rotate_right(w[i - 2], 19) ^ (w[i - 2] >> 10);
            w[i] = w[i - 16] + s0 + w[i - 7] + s1;
        }
        std::array<std::uint32_t, 8> s = state;
        for (unsigned i = 0; i < 64; ++i) {
            const std::uint32_t s1 = rotate_right(s[4], 6) ^ rotate_right(s[4], 11) ^ rotate_right(s[4], 25);
            const std::uint32_t t1 = s[7] + s1 + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
            const std::uint32_t s0 = rotate_right(s[0], 2) ^ rotate_right(s[0], 13) ^ rotate_right(s[0], 22);
            const std::uint32_t t2 = s0 + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            s = {t1 + t2, s[0], s[1], s[2], s[3] + t1, s[4], s[5], s[6]};
        }
        for (unsigned i = 0; i < 8; ++i) state[i] += s[i];
    });
    return state;
}
} // namespace

struct Digest {
    std::string text = std::string(10000, 'a');
    std::uint64_t operations() const { return 10000; }

    void set_up() { // the digests of "abc" in RFC 1321 and FIPS 180-4
        if (md5("abc") != std::array<std::uint32_t, 4>{0x98500190, 0xb04fd23c, 0x7d3f96d6, 0x727fe128}) {
            tare::fail("the MD5 of abc is wrong");
        }
        if (sha256("abc") != std::array<std::uint32_t, 8>{0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                                          0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad}) {
            tare::fail("the SHA-256 of abc is wrong");
        }
    }
    auto md5_of_text() { return md5(text); }
    auto sha256_of_text() { return sha256(text); }
};
TARE_BENCH(&Digest::md5_of_text).name("digest of 10,000 bytes/MD5").unit("byte").baseline();
TARE_BENCH(&Digest::sha256_of_text).name("digest of 10,000 bytes/SHA-256").unit("byte");

TARE_MAIN()
