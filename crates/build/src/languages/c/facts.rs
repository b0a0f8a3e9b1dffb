use super::{cpp, LanguageFacts, ToolchainSetting};

pub(super) const NAME: &str = "c";

pub(super) const FACTS: LanguageFacts = LanguageFacts {
    name: NAME,
    title: "C",
    settings: &[CC],
    operations: "`operations = n`",
    optimise: cpp::OPTIMISE,
    main: cpp::MAIN,
    declaring: r#"`TARE_C_BENCH("name") { tare_keep(work()); }`"#,
    crashes: cpp::CRASHES,
    loop_files: &["/tare.h", "/tare/detail/c.h"],
    loop_is_left: true,
    remarks: Some(cpp::remarks),
    ..LanguageFacts::UNKNOWN
};

/// A C compiler of the same family as the C++ compiler is shown with it as one setting.
const CC: ToolchainSetting = ToolchainSetting::new(
    "cc",
    |value| Ok(vec![(NAME, value.to_owned())]),
    |chosen| chosen.get(NAME).filter(|_| cpp::family(chosen).is_none()).cloned(),
);
