//! Generates the code that creates an instance and calls its hooks.

use proc_macro::TokenStream;

use super::role::{only, Method, Role};
use crate::calls::names;
use crate::options::Values;
use crate::parse::Receiver;
use crate::tokens::{mistake, quote, Result};

/// A call of a method, awaited if it is `async`.
fn called(kind: &TokenStream, method: &Method, arguments: TokenStream) -> TokenStream {
    let call = quote!({ <#kind>::#name(#arguments) }, kind, name = method.signature.name, arguments);
    match method.signature.is_async {
        true => quote!({ __tare::block_on(#call) }, call),
        false => call,
    }
}

/// The code that creates an instance from the parameters as variables.
pub(super) fn made(kind: &TokenStream, set_up: Option<&Method>, parameters: &[Values]) -> Result<TokenStream> {
    match set_up {
        Some(method) if method.signature.receiver == Receiver::None => constructed(kind, method, parameters),
        _ => {
            let field = |parameter: &Values| quote!({ made.#name = #name; }, name = parameter.key);
            let fields: TokenStream = parameters.iter().flat_map(field).collect();
            let set_up = set_up.map(|method| {
                let call = called(kind, method, quote!({ &mut made }));
                quote!({ __tare::IntoOutcome::into_outcome(#call)?; }, call)
            });
            Ok(quote!({
                let mut made = <#kind as ::core::default::Default>::default();
                #fields
                #set_up
                ::core::result::Result::Ok(made)
            }, kind, fields, set_up))
        }
    }
}

/// The same with a constructor.
fn constructed(kind: &TokenStream, method: &Method, parameters: &[Values]) -> Result<TokenStream> {
    let signature = &method.signature;
    let has_values = |name: &str| parameters.iter().any(|one| one.name == name);
    if let Some(argument) = signature.arguments.iter().find(|argument| !has_values(&argument.name)) {
        let name = &argument.name;
        let text = format!("`{name}` has no values: `#[tare::bench({name} = [...])]` before the `impl`");
        return mistake(argument.span, text);
    }
    if signature.returns.is_empty() {
        let text = "a set-up without `self` makes the instance: `fn new() -> Self`; or let it take `&mut self`";
        return mistake(signature.name.span(), text);
    }
    let ordered = names(signature.ordered(parameters).map(|(_, parameter)| parameter));
    let call = called(kind, method, ordered);
    Ok(quote!({ __tare::IntoInstance::<#kind, _>::into_instance(#call) }, kind, call))
}

/// The hooks as calls on the typed vtable.
pub(super) fn hooks(kind: &TokenStream, methods: &[Method]) -> Result<TokenStream> {
    let set_up = only(methods, Role::SetUp)?.map(|_| quote!({ .set_up() }));
    let count = only(methods, Role::IterationOperations)?.map(|method| {
        let call = called(kind, method, quote!({ state }));
        quote!({ .iteration_operations(|state| #call as f64) }, call)
    });
    let mut hooks = quote!({ #set_up #count }, set_up, count);
    for role in [Role::IterationSetUp, Role::IterationCleanUp, Role::CleanUp] {
        let Some(method) = only(methods, role)? else { continue };
        let setter = match role {
            Role::IterationSetUp => quote!({ iteration_set_up }),
            Role::IterationCleanUp => quote!({ iteration_clean_up }),
            _ if method.signature.receiver == Receiver::Value => quote!({ last_clean_up }),
            _ => quote!({ clean_up }),
        };
        let call = called(kind, method, quote!({ state }));
        hooks.extend(quote!({ .#setter(|state| __tare::IntoOutcome::into_outcome(#call)) }, setter, call));
    }
    Ok(hooks)
}
