"""The projects of others that `bench/existing-suites --compare` knows. See strangers.py for how they are fetched."""

import dataclasses

from strangers import Plant, Project, crate, module, sdist

ITOA = Project(
    "itoa", "criterion", "rust", crate("itoa", "1.0.18"), words=("--bench", "bench"),
    plants=(Plant("u128[max]/std::fmt", "src/lib.rs", "no such text"),))
BASE64 = Project(
    "base64", "criterion", "rust", crate("base64", "0.22.1"), words=("--bench", "benchmarks"),
    filters=("encode_small_input/*/500", "decode_small_input/*/500"),
    plants=(Plant("encode_small_input/encode/500", "src/engine/general_purpose/mod.rs",
                  "fn internal_encode(&self, input: &[u8], output: &mut [u8]) -> usize {"),
            Plant("decode_small_input/decode/3072", "src/engine/general_purpose/mod.rs", "    ) -> Result<DecodeMetadata, DecodeSliceError> {")))
CRC32FAST = Project(
    "crc32fast", "criterion", "rust", crate("crc32fast", "1.5.5"), words=("--bench", "bench"))
SEMVER = Project(
    "semver", "criterion", "rust", crate("semver", "1.0.28"), words=("--bench", "parse"),
    plants=(Plant("parse Version", "src/parse.rs", "    fn from_str(text: &str) -> Result<Self, Self::Err> {\n        if text.is_empty() {"),))

PROJECTS = [BASE64, CRC32FAST, SEMVER]
# Two releases of a project between which its changelog names a change of speed.
RELEASES = {}
