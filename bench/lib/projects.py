"""The third-party projects of `bench/existing-suites --compare`. See strangers.py for how they are fetched."""

from strangers import Plant, Project, alone, crate, debian, given, module, sdist


def zmij(name, version):
    """It measures two others beside itself, which are the same for all of its releases."""
    return Project(
        name, "criterion", "rust", crate("zmij", version), words=("--bench", "bench"), filters=("f64*/zmij", "f64*/std::fmt"),
        plants=(Plant("*short*/zmij", "src/lib.rs", "    pub fn format_finite<F: Float>(&mut self, f: F) -> &str {"),))


BASE64 = Project(
    "base64", "criterion", "rust", crate("base64", "0.22.1"), words=("--bench", "benchmarks"),
    filters=("encode_small_input/*/500", "decode_small_input/*/500"),
    plants=(Plant("encode_small_input/encode_slice/3072", "src/engine/general_purpose/mod.rs",
                  "    fn internal_encode(&self, input: &[u8], output: &mut [u8]) -> usize {"),
            Plant("decode_small_input/decode_slice/3072", "src/engine/general_purpose/mod.rs", "    ) -> Result<DecodeMetadata, DecodeSliceError> {")))
CRC32FAST = Project("crc32fast", "criterion", "rust", crate("crc32fast", "1.5.5"), words=("--bench", "bench"), filters=("*/1024", "*/2048", "combine/*"))
ZMIJ_OLD, ZMIJ = zmij("zmij-1.0.0", "1.0.0"), zmij("zmij", "1.0.21")
CRC32C = Project(
    "crc32c", "Google Benchmark", "c++", given("google/crc32c", "source", lambda folder: alone(folder, ("CRC32C_BUILD_TESTS OFF", "CRC32C_USE_GLOG OFF"))),
    plants=(Plant("CRC32CBenchmark/Public/4096", "source/src/crc32c.cc", "uint32_t Extend(uint32_t crc, const uint8_t* data, size_t count) {"),))
SNAPPY = Project(
    "snappy", "Google Benchmark", "c++", debian("snappy", ("SNAPPY_BUILD_TESTS OFF", "BUILD_SHARED_LIBS ON"), "testdata"), filters=("BM_UFlat/*", "BM_ZFlat/*"),
    plants=(Plant("BM_ZFlat/0", "source/snappy.cc", "size_t Compress(Source* reader, Sink* writer) {"),
            Plant("BM_UFlat/4", "source/snappy.cc", "bool RawUncompress(Source* compressed, char* uncompressed) {")))
FASTJSON = Project(
    "fastjson", "go test", "go", module("github.com/valyala/fastjson", "v1.6.4"),
    plants=(Plant("ArenaTypicalUse", "arena.go", "func (a *Arena) NewObject() *Value {"),))
XXHASH = Project("xxhash", "go test", "go", module("github.com/cespare/xxhash/v2", "v2.3.0"))
CATTRS = Project("cattrs", "pytest-benchmark", "python", sdist("cattrs", "24.1.2", "pytest", "pytest-benchmark"), below="bench")
JSONSCHEMA = Project("jsonschema", "pyperf", "python", sdist("jsonschema", "4.21.1", "pyperf"), below="jsonschema/benchmarks")
# Its tag rel/commons-numbers-1.1.
NUMBERS = Project(
    "numbers", "JMH", "java", given("apache/commons-numbers"), below="commons-numbers-examples/examples-jmh",
    filters=("NormPerformance/*", "SumPerformance/*", "ErfPerformance/inverse*"))

PROJECTS = [BASE64, CRC32FAST, ZMIJ, CRC32C, SNAPPY, FASTJSON, XXHASH, CATTRS, JSONSCHEMA, NUMBERS]
# Two releases of a project: its own code changed, and the other code that it measures did not.
RELEASES = {"zmij": [(ZMIJ_OLD, ZMIJ)]}
