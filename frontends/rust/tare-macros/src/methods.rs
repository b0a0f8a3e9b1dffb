//! From an `impl` block with `#[tare::bench]` to the registered benchmarks that are its methods.

mod instance;
mod role;

use proc_macro::{TokenStream, TokenTree};

use crate::description::{picks, Description};
use crate::entries::Entries;
use crate::futures::{awaiting, runner, waited_for};
use crate::options::{Settings, Values};
use crate::parse::{attributes, block, is_result, items, Attribute, Block, Receiver};
use crate::tokens::{is_punct, mistake, place, plain, pretty, quote, regroup, Result, Tokens};
use crate::way::way;
use crate::with_inline;
use instance::{hooks, made};
use role::{is_role, only, role, Method, Role};

/// The `impl` whose keyword is at `at`, without the role attributes, followed by its registrations.
pub(crate) fn expand(outer: &[Attribute], trees: &[TokenTree], at: usize, entries: Entries) -> TokenStream {
    let block = match block(trees, at) {
        Ok(block) => block,
        Err(error) => return error.after(quote!({ #outer #trees }, outer, trees)),
    };
    let mut body = TokenStream::new();
    let mut methods = Vec::new();
    for item in items(&block.body) {
        let mut rest = item.as_slice();
        let attributes = attributes(&mut rest);
        match role(&attributes, rest) {
            Ok(None) => body.extend(item),
            Ok(Some(method)) => {
                let kept: Vec<Attribute> = attributes.into_iter().filter(|attribute| !is_role(attribute)).collect();
                body.extend(match method.role {
                    Role::Bench => with_inline(&kept, rest),
                    _ => quote!({ #kept #rest }, kept, rest),
                });
                methods.push(Ok(method));
            }
            Err(error) => {
                // The item is left out: its role attributes would cause further errors.
                methods.push(Err(error));
                let kept: Vec<&Attribute> = attributes.iter().filter(|attribute| attribute.doc().is_some()).collect();
                body.extend(quote!({ #kept #rest }, kept, rest));
            }
        }
    }
    let body = regroup(&block.body, body);
    let item = quote!({ #outer #head #body }, outer, head = block.head, body);
    let methods: Result<Vec<Method>> = methods.into_iter().collect();
    match methods.and_then(|methods| register(&block, &methods, entries)) {
        Ok(registered) => quote!({ #item #registered }, item, registered),
        Err(error) => error.after(item),
    }
}

/// The name of a type without its generic parameters: the default group.
fn type_name(kind: &[TokenTree]) -> String {
    let end = kind.iter().position(|tree| is_punct(Some(tree), '<')).unwrap_or(kind.len());
    match kind[..end].last() {
        Some(TokenTree::Ident(name)) => plain(name),
        _ => pretty(kind.tokens()),
    }
}

fn register(block: &Block, methods: &[Method], mut entries: Entries) -> Result<TokenStream> {
    let kind = block.kind.tokens();
    for word in ["name", "input", "baseline"] {
        if let Some(entry) = entries.take(word) {
            let text = format!("`{word}` belongs to one benchmark: `#[bench({word} ...)]` before a method");
            return mistake(entry.key.span(), text);
        }
    }
    let set_up = only(methods, Role::SetUp)?;
    let constructor = set_up.filter(|method| method.signature.receiver == Receiver::None);
    let wanted = constructor.map(|method| method.signature.wanted()).unwrap_or_default();
    let combinations = entries.generics(&block.generics)?;
    // Without a constructor the parameters are fields, whose types are unknown here.
    let parameters = entries.parameters(&wanted, constructor.is_none())?;
    let home = entries.home()?;
    let steps = methods.iter().find(|method| method.role != Role::Bench && method.signature.is_async);
    let runner = runner(&mut entries, steps.map(|method| method.signature.name.span()))?;
    let made = made(&kind, set_up, &parameters)?;
    let make = quote!({ |choice: &__tare::Choice| { #picks #made } }, picks = picks(&parameters), made);
    let hooks = hooks(&kind, methods)?;
    let mut settings = entries.settings()?;
    entries.finish(&wanted)?;
    let group = type_name(&block.kind);
    settings.bench.or_set("group", quote!({ ::core::option::Option::Some(#group) }, group));
    let benches: Vec<&Method> = methods.iter().filter(|method| method.role == Role::Bench).collect();
    if benches.is_empty() {
        return mistake(place(&kind), "nothing to measure: put `#[bench]` before a method");
    }
    let of_all = OfAll { home, kind, make, hooks, runner, settings, parameters: &parameters };
    let mut out = TokenStream::new();
    for (position, method) in benches.into_iter().enumerate() {
        out.extend(of_all.describe(method)?.register(position * combinations.len(), &combinations));
    }
    Ok(out)
}

/// Settings shared by all benchmarks of an `impl`.
struct OfAll<'a> {
    home: TokenStream,
    kind: TokenStream,
    /// Creates an instance, with its hooks.
    make: TokenStream,
    hooks: TokenStream,
    runner: Option<TokenStream>,
    settings: Settings,
    parameters: &'a [Values],
}

impl OfAll<'_> {
    /// The description of one benchmark: the options of its method override the shared ones.
    fn describe(&self, method: &Method) -> Result<Description<'_>> {
        let signature = &method.signature;
        let span = signature.name.span();
        let mut own = Entries::read(method.options.clone())?;
        let mut settings = own.settings()?.over(&self.settings);
        let runner = runner(&mut own, (signature.is_async && self.runner.is_none()).then_some(span))?;
        let has_own_time = own.take("own_time").is_some();
        own.finish(&[])?;
        settings.bench.or_set("name", plain(&signature.name));
        settings.bench.or_set("description", &method.description);
        settings.bench.or_set("returns", !has_own_time && is_result(&signature.returns));
        let vtable = self.vtable(method, has_own_time, &settings)?;
        let waiting = runner.or_else(|| self.runner.clone()).map(|runner| waited_for(&runner));
        let vtable = quote!({ #vtable #waiting }, vtable, waiting);
        Ok(Description { home: &self.home, span, settings, parameters: self.parameters, vtable })
    }

    fn vtable(&self, method: &Method, has_own_time: bool, settings: &Settings) -> Result<TokenStream> {
        let (signature, kind, make) = (&method.signature, &self.kind, &self.make);
        let state = (signature.receiver != Receiver::None).then(|| quote!({ state, }));
        let name = &signature.name;
        let call = quote!({ <#kind>::#name(#state) }, kind, name, state);
        let timed = quote!({ <#kind>::#name(#state invocations) }, kind, name, state);
        let mut team = None;
        if let Some((span, _)) = &settings.extent.team {
            if has_own_time || signature.is_async {
                return mistake(*span, "`in_threads` cannot be used with `own_time` or an async method");
            }
            if signature.receiver == Receiver::Changing {
                let text = "threads share the instance: with `in_threads` a method takes `&self`";
                return mistake(signature.name.span(), text);
            }
            team = Some(quote!({ .shared_by_threads(|state| __tare::sink(#call)) }, call));
        }
        let typed = if has_own_time {
            quote!({ own(#make, |state, invocations| #timed) }, make, timed)
        } else if signature.is_async {
            awaiting(make, &call)
        } else {
            let way = way(&signature.returns, None, method.names_place);
            quote!({
                new::<{ __tare::#way }>(
                    #make,
                    |state| __tare::sink(#call),
                    |state| __tare::sink_empty(|| #call),
                    |state| __tare::look!(#call),
                )
            }, way, make, call)
        };
        let amounts = settings.extent.amounts();
        Ok(quote!({
            __tare::Typed::<#kind>::#typed #hooks #amounts #team.erase()
        }, kind, typed, hooks = self.hooks, amounts, team))
    }
}
