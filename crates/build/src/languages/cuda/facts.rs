use super::{cpp, LanguageFacts, ToolchainSetting};

const NAME: &str = "cuda";

pub(super) const FACTS: LanguageFacts =
    LanguageFacts { name: NAME, title: "CUDA", settings: &[NVCC], remarks: None, ..cpp::FACTS };

const NVCC: ToolchainSetting =
    ToolchainSetting::new("nvcc", |value| Ok(vec![(NAME, value.to_owned())]), |chosen| chosen.get(NAME).cloned());
