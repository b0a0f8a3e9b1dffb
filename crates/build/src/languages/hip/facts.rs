use super::{cpp, LanguageFacts, ToolchainSetting};

const NAME: &str = "hip";

pub(super) const FACTS: LanguageFacts =
    LanguageFacts { name: NAME, title: "HIP", settings: &[HIPCC], remarks: None, ..cpp::FACTS };

const HIPCC: ToolchainSetting =
    ToolchainSetting::new("hipcc", |value| Ok(vec![(NAME, value.to_owned())]), |chosen| chosen.get(NAME).cloned());
