//! The same for an `impl` block, whose methods are set-ups and benchmarks.

mod instance;
mod role;

use std::iter::once;

use proc_macro::{Delimiter, Group, Span, TokenStream, TokenTree};

use crate::calls::wanted;
use crate::description::{picks, Description};
use crate::expand::{loops, runner, waited_for, way, with_error, with_inline};
use crate::extent::Extent;
use crate::manner::Manner;
use crate::parse::{attributes, block, items, Attribute, Entry, Generic, Receiver, Signature};
use crate::plan::{group, Plan, Values};
use crate::tokens::{code, is_punct, mistake, plain, pretty, string, template, Result};
use instance::{amounts, hooks, made, MAKE};
use role::{only, role, Method, Role, ROLES};

pub(crate) fn expand(outer: &[Attribute], trees: &[TokenTree], at: usize, entries: Vec<Entry>) -> TokenStream {
    let mut out = TokenStream::new();
    for attribute in outer {
        out.extend([attribute.pound.clone(), TokenTree::Group(attribute.group.clone())]);
    }
    let block = match block(trees, at) {
        Ok(block) => block,
        Err(error) => {
            out.extend(trees.iter().cloned());
            return with_error(out, error);
        }
    };
    let mut body = TokenStream::new();
    let mut methods = Vec::new();
    let mut problem = None;
    for item in items(&block.body) {
        let mut rest = item.as_slice();
        let attributes = attributes(&mut rest);
        match role(&attributes, rest) {
            Ok(None) => body.extend(item),
            Ok(Some(method)) => {
                let is_ours = |one: &Attribute| {
                    one.name().is_some_and(|(name, _)| ROLES.iter().any(|(word, _)| name.to_string() == *word))
                };
                let kept: Vec<Attribute> = attributes.into_iter().filter(|one| !is_ours(one)).collect();
                body.extend(if method.role == Role::Bench {
                    with_inline(&kept, rest)
                } else {
                    kept.iter()
                        .flat_map(|one| [one.pound.clone(), TokenTree::Group(one.group.clone())])
                        .chain(rest.iter().cloned())
                        .collect()
                });
                methods.push(method);
            }
            Err(error) => {
                problem = problem.or(Some(error));
                let kept = attributes.iter().filter(|one| one.doc().is_some());
                body.extend(kept.flat_map(|one| [one.pound.clone(), TokenTree::Group(one.group.clone())]));
                body.extend(rest.iter().cloned());
            }
        }
    }
    out.extend(block.head.iter().cloned());
    let mut group = Group::new(Delimiter::Brace, body);
    group.set_span(block.body.span());
    out.extend(once(TokenTree::Group(group)));
    let result = match problem {
        Some(error) => Err(error),
        None => register_impl(&block.kind, &block.generics, &methods, &entries),
    };
    match result {
        Ok(tokens) => out.extend(tokens),
        Err(error) => return with_error(out, error),
    }
    out
}

const METHOD: &str = "HOME::__private::Typed::<KIND>::new::<_, _, _, _, { HOME::__private::BODYWAY }>(
    MAKE,
    |state: &mut KIND| HOME::__private::sink(<KIND>::NAME(STATE)),
    |state: &mut KIND| HOME::__private::sink_empty(|| <KIND>::NAME(STATE)),
    |state: &mut KIND| HOME::__private::look!(<KIND>::NAME(STATE)),
)HOOKS.erase()";

/// A method that says itself how long so many invocations took.
const OWN_METHOD: &str = "HOME::__private::Typed::<KIND>::own(
    MAKE,
    |state: &mut KIND, invocations| <KIND>::NAME(TIMED),
)HOOKS.erase()";

/// A method whose calls are futures.
const AWAITING_METHOD: &str = "HOME::__private::Typed::<KIND>::awaiting(
    MAKE,
    |state: &mut KIND, count| LOOPOF4,
    |state: &mut KIND, count| LOOPOF1,
    |state: &mut KIND| HOME::__private::block_on(async { HOME::__private::look!(CALL.await) }),
)HOOKS.erase()";

/// The name of a type without its generic parameters: the default group.
fn type_name(kind: &[TokenTree]) -> String {
    let end = kind.iter().position(|tree| is_punct(Some(tree), '<')).unwrap_or(kind.len());
    match kind[..end].last() {
        Some(TokenTree::Ident(name)) => plain(name),
        _ => pretty(kind.iter().cloned().collect()),
    }
}

fn register_impl(
    kind: &[TokenTree],
    generics: &[Generic],
    methods: &[Method],
    entries: &[Entry],
) -> Result<TokenStream> {
    let tokens: TokenStream = kind.iter().cloned().collect();
    let mut plan = Plan { entries: entries.to_vec() };
    for word in ["name", "input", "baseline"] {
        if let Some(entry) = plan.take(word) {
            return mistake(
                entry.key.span(),
                format!("`{word}` belongs to one benchmark: `#[bench({word} ...)]` before a method"),
            );
        }
    }
    let set_up = only(methods, Role::SetUp)?;
    let constructor = set_up.filter(|method| method.signature.receiver == Receiver::None);
    let wanted = constructor.map(|method| wanted(&method.signature)).unwrap_or_default();
    let combinations = plan.generics(generics)?;
    // Without a constructor the parameters are fields, whose types are not known here.
    let parameters = plan.parameters(&wanted, constructor.is_none())?;
    let home = plan.home()?;
    let steps = methods.iter().find(|method| method.role != Role::Bench && method.signature.is_async);
    let runner = runner(&mut plan, steps.map(|method| method.signature.name.span()))?;
    let made = made(&home, &tokens, set_up, &parameters)?;
    let values = [("HOME", home.clone()), ("PICKS", picks(&home, &parameters)), ("MADE", made)];
    let make = template(MAKE, &values);
    let hooks = hooks(&home, &tokens, methods)?;
    let default = template("::core::option::Option::Some(NAME)", &[("NAME", string(&type_name(kind)))]).to_string();
    let group = group(&mut plan, &default)?;
    let (operations, unit) = (plan.operations()?, plan.value("unit", "\"op\"")?);
    let extent = plan.extent()?;
    let (categories, threads) = (plan.value("categories", "[]")?, plan.value("threads", "1")?);
    let describe = plan.value("description", "")?;
    let manner = plan.manner()?;
    plan.finish(&wanted)?;
    let benches: Vec<&Method> = methods.iter().filter(|method| method.role == Role::Bench).collect();
    if benches.is_empty() {
        let span = kind.first().map_or_else(Span::call_site, TokenTree::span);
        return mistake(span, "nothing to measure: put `#[bench]` before a method");
    }
    let parameters = &parameters;
    let of_all = OfAll {
        home,
        kind: tokens,
        make,
        hooks,
        runner,
        group,
        operations,
        unit,
        extent,
        categories,
        threads,
        describe,
        manner,
        parameters,
    };
    let mut out = TokenStream::new();
    for (place, method) in benches.into_iter().enumerate() {
        out.extend(of_all.describe(method)?.register(place * combinations.len(), &combinations));
    }
    Ok(out)
}

/// What holds for all benchmarks of an `impl`.
struct OfAll<'a> {
    home: TokenStream,
    kind: TokenStream,
    /// How an instance is made, and its hooks.
    make: TokenStream,
    hooks: TokenStream,
    runner: Option<TokenStream>,
    group: TokenStream,
    operations: TokenStream,
    unit: TokenStream,
    extent: Extent,
    categories: TokenStream,
    threads: TokenStream,
    /// Empty: each has the text before its method.
    describe: TokenStream,
    manner: Manner,
    parameters: &'a [Values],
}

impl OfAll<'_> {
    /// One of the benchmarks: what its method says, and else what holds for all.
    fn describe(&self, method: &Method) -> Result<Description<'_>> {
        let signature = &method.signature;
        let mut own = Plan { entries: crate::parse::entries(method.options.clone())? };
        let described = if self.describe.is_empty() { string(&method.description) } else { self.describe.clone() };
        let name = own.value("name", &format!("{:?}", plain(&signature.name)))?;
        let group_of_one = own.value("group", "")?;
        let group = if group_of_one.is_empty() {
            self.group.clone()
        } else {
            template("::core::option::Option::Some(GROUP)", &[("GROUP", group_of_one)])
        };
        let either = |own: TokenStream, all: &TokenStream| if own.is_empty() { all.clone() } else { own };
        let baseline = own.flag("baseline");
        let operations = either(own.operations()?, &self.operations);
        let unit = either(own.value("unit", "")?, &self.unit);
        let extent = own.extent()?.over(&self.extent);
        let categories = either(own.value("categories", "")?, &self.categories);
        let threads = either(own.value("threads", "")?, &self.threads);
        let describe = either(own.value("description", "")?, &described);
        let manner = own.manner()?.over(&self.manner);
        let span = signature.is_async.then(|| signature.name.span()).filter(|_| self.runner.is_none());
        let runner = runner(&mut own, span)?.or_else(|| self.runner.clone());
        let has_own_time = own.take("own_time").is_some();
        own.finish(&[])?;
        let vtable = self.vtable(method, has_own_time, &operations, &extent)?;
        let waiting = runner.map(|runner| waited_for(&self.home, &runner));
        Ok(Description {
            home: &self.home,
            span: signature.name.span(),
            group,
            name,
            baseline,
            operations,
            unit,
            categories,
            describe,
            threads,
            manner,
            extent,
            returns: !has_own_time && Signature::has_result(&signature.returns),
            parameters: self.parameters,
            vtable: vtable.into_iter().chain(waiting.unwrap_or_default()).collect(),
        })
    }

    /// The functions that measure a method.
    fn vtable(
        &self,
        method: &Method,
        has_own_time: bool,
        operations: &TokenStream,
        extent: &Extent,
    ) -> Result<TokenStream> {
        let signature = &method.signature;
        let state = if signature.receiver == Receiver::None { "" } else { "state" };
        let mut values = vec![
            ("HOME", self.home.clone()),
            ("KIND", self.kind.clone()),
            ("NAME", TokenTree::Ident(signature.name.clone()).into()),
            ("STATE", code(state)),
            ("TIMED", code(if state.is_empty() { "invocations" } else { "state, invocations" })),
            ("BODYWAY", way(&signature.returns, None, method.names_place)),
            ("MAKE", self.make.clone()),
        ];
        values.push(("CALL", template("<KIND>::NAME(STATE)", &values)));
        let mut hooks = self.hooks.clone();
        hooks.extend(amounts(&self.home, &self.kind, operations, extent));
        if let Some((span, _)) = &extent.team {
            if has_own_time || signature.is_async {
                return mistake(*span, "a list of `threads` cannot be used with `own_time` or an async method");
            }
            if signature.receiver == Receiver::Changing {
                let text = "threads share the instance: with a list of `threads` a method takes `&self`";
                return mistake(signature.name.span(), text);
            }
            hooks.extend(template(".shared_by_threads(|state: &KIND| HOME::__private::sink(CALL))", &values));
        }
        values.push(("HOOKS", hooks));
        Ok(if has_own_time {
            template(OWN_METHOD, &values)
        } else if signature.is_async {
            loops(&mut values);
            template(AWAITING_METHOD, &values)
        } else {
            template(METHOD, &values)
        })
    }
}
