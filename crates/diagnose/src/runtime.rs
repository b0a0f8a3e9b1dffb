//! How a runtime is started that tells something of itself.

use tare_model::{LanguageFacts, LaunchChange};

/// A launch with these variables; options of the user's stay in front of those of the diagnoser.
pub(crate) fn change(language: &LanguageFacts, variables: Vec<(String, String)>) -> LaunchChange {
    let own = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let environment = variables.into_iter().map(|(name, value)| {
        let before = own(&name).filter(|_| language.option_variables.contains(&name.as_str()));
        let value = before.map_or_else(|| value.clone(), |before| format!("{before} {value}"));
        (name, value)
    });
    LaunchChange { environment: environment.collect(), ..LaunchChange::default() }
}
