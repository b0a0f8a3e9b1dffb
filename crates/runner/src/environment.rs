//! List variables to which a job adds items.

use std::ffi::OsString;

/// Changes to the environment that a child inherits; a variable without a value is removed.
pub type Environment = Vec<(OsString, Option<OsString>)>;

/// The end of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListEnd {
    First,
    Last,
}

/// Adds an item to a list variable, keeping the items that the job set or the child inherits.
pub fn put(environment: &mut Environment, variable: &str, item: &str, place: ListEnd) {
    let named = environment.iter().rev().find(|(name, _)| name == variable).map(|(_, value)| value.clone());
    let others = named.unwrap_or_else(|| std::env::var_os(variable)).filter(|others| !others.is_empty());
    let item = OsString::from(item);
    let all = match (others, place) {
        (None, _) => item,
        (Some(others), ListEnd::First) => joined(item, others),
        (Some(others), ListEnd::Last) => joined(others, item),
    };
    environment.push((variable.into(), Some(all)));
}

fn joined(mut first: OsString, second: OsString) -> OsString {
    first.push(":");
    first.push(second);
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(value: Option<&str>, item: &str, place: ListEnd) -> String {
        let mut environment: Environment = vec![("LIST".into(), value.map(Into::into))];
        put(&mut environment, "LIST", item, place);
        let (_, last) = environment.pop().expect("a variable");
        last.expect("a value").into_string().expect("text")
    }

    #[test]
    fn an_item_stands_where_it_wins() {
        assert_eq!(after(Some("a.so"), "b.so", ListEnd::First), "b.so:a.so");
        assert_eq!(after(Some("x=0"), "x=1", ListEnd::Last), "x=0:x=1");
        assert_eq!(after(Some(""), "x=1", ListEnd::Last), "x=1");
        assert_eq!(after(None, "x=1", ListEnd::First), "x=1");
    }
}
