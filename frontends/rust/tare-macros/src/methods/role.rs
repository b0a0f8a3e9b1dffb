//! The roles of the methods of an `impl`.

use proc_macro::{Ident, TokenStream, TokenTree};

use crate::parse::{description, keyword, signature, Attribute, Receiver, Signature};
use crate::tokens::{is_ident, mistake, Result};
use crate::way::names_place;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    SetUp,
    CleanUp,
    IterationSetUp,
    IterationCleanUp,
    IterationOperations,
    Bench,
}

const ROLES: [(&str, Role); 6] = [
    ("set_up", Role::SetUp),
    ("clean_up", Role::CleanUp),
    ("iteration_set_up", Role::IterationSetUp),
    ("iteration_clean_up", Role::IterationCleanUp),
    ("iteration_operations", Role::IterationOperations),
    ("bench", Role::Bench),
];

pub(super) struct Method {
    pub(super) role: Role,
    pub(super) signature: Signature,
    pub(super) options: TokenStream,
    pub(super) description: TokenStream,
    /// The code names a type that works by its address, such as a lock.
    pub(super) names_place: bool,
}

/// Whether this attribute gives a method its role.
pub(super) fn is_role(attribute: &Attribute) -> bool {
    ROLES.iter().any(|(word, _)| attribute.is(word))
}

/// The method with its role; `None` for other items.
pub(super) fn role(attributes: &[Attribute], rest: &[TokenTree]) -> Result<Option<Method>> {
    let mut found: Option<(Role, Ident, TokenStream)> = None;
    for attribute in attributes {
        let Some((name, options)) = attribute.name() else { continue };
        let Some((_, role)) = ROLES.iter().find(|(word, _)| attribute.is(word)) else { continue };
        if found.is_some() {
            let text = "a method has one of `#[bench]`, `#[set_up]`, `#[clean_up]` and so on, not two";
            return mistake(name.span(), text);
        }
        found = Some((*role, name, options));
    }
    let Some((role, name, options)) = found else { return Ok(None) };
    let Some(at) = keyword(rest, "fn") else {
        return mistake(name.span(), format!("`#[{name}]` goes before a method"));
    };
    let signature = signature(rest, at);
    if let Some(generic) = signature.generics.first() {
        return mistake(generic.name.span(), "a method of a benchmark cannot be generic; the `impl` can");
    }
    if role != Role::Bench && !options.is_empty() {
        return mistake(name.span(), format!("`#[{name}]` has no options"));
    }
    let of_one = matches!(role, Role::IterationSetUp | Role::IterationCleanUp | Role::IterationOperations);
    if (of_one || role == Role::Bench) && signature.receiver == Receiver::Value
        || (of_one || role == Role::CleanUp) && signature.receiver == Receiver::None
    {
        return mistake(signature.name.span(), format!("`#[{name}]` goes before a method that takes `&mut self`"));
    }
    let says_its_time =
        role == Role::Bench && options.clone().into_iter().any(|tree| is_ident(Some(&tree), "own_time"));
    if says_its_time && signature.arguments.len() != 1 {
        let text = "with `own_time` a method takes the number of invocations: `fn name(&mut self, invocations: u64) -> Duration`";
        return mistake(signature.name.span(), text);
    }
    if role != Role::SetUp && !says_its_time {
        if let Some(argument) = signature.arguments.first() {
            let text = "only the set-up gets the parameters; keep what the body needs in a field of `Self`";
            return mistake(argument.span, text);
        }
    }
    let (description, names_place) = (description(attributes), names_place(rest));
    Ok(Some(Method { role, signature, options, description, names_place }))
}

/// The method with a role that at most one may have.
pub(super) fn only(methods: &[Method], role: Role) -> Result<Option<&Method>> {
    let mut all = methods.iter().filter(|method| method.role == role);
    let first = all.next();
    match all.next() {
        Some(second) => {
            mistake(second.signature.name.span(), "there is another one of these; one type has at most one")
        }
        None => Ok(first),
    }
}
