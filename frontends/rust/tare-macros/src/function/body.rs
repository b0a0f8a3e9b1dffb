//! The functions that measure a body: which of the forms it has, as code.

use proc_macro::{Delimiter, TokenStream, TokenTree};

use crate::calls::{arguments, path, tuple};
use crate::description::picks;
use crate::expand::{loops, waited_for, way};
use crate::parse::{Argument, Entry, Signature};
use crate::plan::Values;
use crate::tokens::{code, grouped, is_punct, mistake, template, Result};

/// A function with what its options say of its body.
pub(super) struct Body<'a> {
    pub(super) home: &'a TokenStream,
    pub(super) signature: &'a Signature,
    pub(super) parameters: &'a [Values],
    /// Its parameter without values.
    pub(super) free: Option<&'a Argument>,
    /// The closure that it visibly returns.
    pub(super) closure: Option<&'a [TokenTree]>,
    /// The types of the arguments of that closure.
    pub(super) takes: &'a [TokenTree],
    /// It names something that works through its address.
    pub(super) names_place: bool,
    pub(super) own_time: Option<&'a Entry>,
    pub(super) input: Option<&'a Entry>,
    pub(super) runner: Option<&'a TokenStream>,
    /// Several threads run it in step.
    pub(super) is_in_step: bool,
}

type Named = Vec<(&'static str, TokenStream)>;

impl Body<'_> {
    pub(super) fn vtable(&self) -> Result<TokenStream> {
        self.is_consistent()?;
        let picks = picks(self.home, self.parameters);
        let values = vec![("HOME", self.home.clone()), ("PICKS", picks), ("PATH", path(self.signature))];
        let mut vtable = match (self.own_time, self.input) {
            (Some(entry), _) => self.own(entry, values)?,
            (None, Some(input)) => self.fed(input, values)?,
            (None, None) => self.plain(values),
        };
        if let Some(runner) = self.runner {
            vtable.extend(waited_for(self.home, runner));
        }
        Ok(vtable)
    }

    /// Options that exclude each other.
    fn is_consistent(&self) -> Result<()> {
        let (own_time, input, runner) = (self.own_time.is_some(), self.input.is_some(), self.runner.is_some());
        let conflict = [
            (own_time && input, "`own_time` and `input`"),
            (own_time && runner, "`own_time` and `runner`"),
            (own_time && self.is_in_step, "`own_time` and a list of `threads`"),
            (input && self.is_in_step, "`input` and a list of `threads`"),
            (runner && self.is_in_step, "`runner` and a list of `threads`"),
        ];
        let span = self.signature.name.span();
        if let Some((_, both)) = conflict.into_iter().find(|(holds, _)| *holds) {
            return mistake(span, format!("{both} cannot be used together"));
        }
        if runner && self.closure.is_some() {
            let text =
                "with `runner` the function itself is the body: `async fn`; what is set up once goes into an `impl`";
            return mistake(span, text);
        }
        Ok(())
    }

    /// The function says itself how long so many invocations took, or the closure that it returns does.
    fn own(&self, entry: &Entry, mut values: Named) -> Result<TokenStream> {
        values.push(("TUPLE", tuple(self.parameters)));
        if self.closure.is_some() {
            values.push(("ORDERED", self.ordered()));
            return Ok(template(OWN_CLOSURE, &values));
        }
        if self.free.is_none() {
            let text = "with `own_time` one parameter has no values: the number of invocations, a `u64`";
            return mistake(entry.key.span(), text);
        }
        values.push(("CALL", self.call(Some(&code("invocations")))));
        Ok(template(OWN, &values))
    }

    /// Each call has a fresh input.
    fn fed(&self, input: &Entry, mut values: Named) -> Result<TokenStream> {
        if self.closure.is_some() {
            return Ok(self.fed_closure(input, values));
        }
        let Some(argument) = self.free else {
            return mistake(input.key.span(), "`input` needs a parameter of the function that has no values");
        };
        let lent = is_punct(argument.kind.first(), '&');
        let call = |what: &str| self.call(Some(&template(what, &[("HOME", self.home.clone())])));
        values.push(("TUPLE", tuple(self.parameters)));
        values.push(("NAMES", tuple(self.parameters)));
        values.push(("INPUT", input.tokens()));
        values.push(("WAY", code(if lent { "lending" } else { "eating" })));
        values.push(("EMPTY", call("HOME::__private::never()")));
        values.push(("LOOK", call(if lent { "&mut input" } else { "input" })));
        values.push(("MUT", code(if lent { "mut" } else { "" })));
        if self.runner.is_none() {
            values.push(("CALL", call("input")));
            return Ok(template(FED, &values));
        }
        values.push(("EAT", code(if lent { "false" } else { "true" })));
        values.push(("CALL", call(if lent { "inputs.lend()" } else { "inputs.eat()" })));
        loops(&mut values);
        Ok(template(AWAITING_FED, &values))
    }

    /// The closure that the function returns has a fresh input in each call.
    fn fed_closure(&self, input: &Entry, mut values: Named) -> TokenStream {
        let lent = is_punct(self.takes.first(), '&');
        values.push(("ORDERED", self.ordered()));
        values.push(("TUPLE", tuple(self.parameters)));
        values.push(("NAMES", tuple(self.parameters)));
        values.push(("INPUT", input.tokens()));
        values.push(("WAY", code(if lent { "lending" } else { "eating" })));
        values.push(("LOOK", code(if lent { "&mut input" } else { "input" })));
        values.push(("MUT", code(if lent { "mut" } else { "" })));
        template(FED_CLOSURE, &values)
    }

    fn plain(&self, mut values: Named) -> TokenStream {
        let mut fields = TokenStream::new();
        for argument in &self.signature.arguments {
            let Some(number) = self.parameters.iter().position(|one| one.name == argument.name) else { continue };
            fields.extend(code(&format!("state.{number},")));
        }
        values.push(("ORDERED", self.ordered()));
        values.push(("FIELDS", fields));
        values.push(("SEEN", if self.closure.is_some() { code(SEEN) } else { TokenStream::new() }));
        values.push(("BODYWAY", way(&self.signature.returns, self.closure, self.names_place)));
        values.push(("TUPLE", tuple(self.parameters)));
        values.push(("CALL", self.call(None)));
        loops(&mut values);
        values.push(("TEAM", if self.is_in_step { template(TEAM, &values) } else { TokenStream::new() }));
        template(if self.runner.is_some() { AWAITING } else { PLAIN }, &values)
    }

    /// A call of the function, with its input.
    fn call(&self, input: Option<&TokenStream>) -> TokenStream {
        let arguments = arguments(self.home, self.signature, self.parameters, input);
        path(self.signature).into_iter().chain(grouped(Delimiter::Parenthesis, arguments)).collect()
    }

    /// The parameters in the order in which the function takes them.
    fn ordered(&self) -> TokenStream {
        let mut out = TokenStream::new();
        for argument in &self.signature.arguments {
            let Some(parameter) = self.parameters.iter().find(|one| one.name == argument.name) else { continue };
            out.extend([TokenTree::Ident(parameter.key.clone())]);
            out.extend(code(","));
        }
        out
    }
}

/// What stands in `set` of a function that visibly returns a closure, for the case that the type is no body all the same.
const SEEN: &str = "if true {
    return ::core::result::Result::Err(::std::string::String::from(
        \"it returns a closure in a form that cannot be called: return `impl FnMut()`, `Box<dyn FnMut()>`, or a \
        `Result` or `Option` of one\"
    ));
}";

/// A function without a fresh input: a body, or a set-up that returns one, as its type says.
const PLAIN: &str = "{
    use HOME::__private::{ByBody as _, ByClone as _, ByCopy as _, ByNeither as _, ByRefusal as _};
    let call = |choice: &HOME::__private::Choice| { PICKS PATH(ORDERED) };
    let set = |choice: &HOME::__private::Choice| { SEEN PICKS ::core::result::Result::Ok((TUPLE)) };
    let vtable = (&&&&&HOME::__private::Form::of(&call, &set)).form().vtable::<{ HOME::__private::BODYWAY }, _, _, _, _, _, _, _, _>(
        call,
        set,
        |state| HOME::__private::sink(CALL),
        |state| HOME::__private::sink_empty(|| CALL),
        |state| HOME::__private::look!(CALL),
        |body| HOME::__private::look!(HOME::__private::Body::call(body)),
        |_, state| HOME::__private::sink(PATH(FIELDS)),
        |_, state| HOME::__private::look!(PATH(FIELDS)),
    );
    vtable TEAM
}";

/// The loops for threads in step.
const TEAM: &str = ".on_threads({
    use HOME::__private::{ByCopies as _, ByNoCopies as _, ByNoSharing as _, BySharing as _};
    (&&&&HOME::__private::Teams::of(&call, &set)).team(|state| HOME::__private::sink(CALL))
})";

/// A function that says itself how long so many invocations took, and one that returns a closure that does.
const OWN: &str = "HOME::__private::Typed::own(
    |choice: &HOME::__private::Choice| { PICKS ::core::result::Result::Ok((TUPLE)) },
    |state, invocations| CALL,
).erase()";

const OWN_CLOSURE: &str = "HOME::__private::Typed::own(
    |choice: &HOME::__private::Choice| { PICKS ::core::result::Result::Ok(PATH(ORDERED)) },
    |body, invocations| body(invocations),
).erase()";

/// A function whose calls are futures.
const AWAITING: &str = "HOME::__private::Typed::awaiting(
    |choice: &HOME::__private::Choice| { PICKS ::core::result::Result::Ok((TUPLE)) },
    |state, count| LOOPOF4,
    |state, count| LOOPOF1,
    |state| HOME::__private::block_on(async { HOME::__private::look!(CALL.await) }),
).erase()";

/// The same with a fresh input.
const AWAITING_FED: &str = "HOME::__private::Typed::awaiting_fed::<_, _, _, _, _, _, EAT>(
    |choice: &HOME::__private::Choice| { PICKS ::core::result::Result::Ok((TUPLE)) },
    |state| { let (NAMES) = ::core::clone::Clone::clone(state); INPUT },
    |state, mut inputs, count| LOOPOF4,
    |state, mut inputs, count| LOOPOF1,
    |state, MUT input| HOME::__private::block_on(async { HOME::__private::look!(LOOK.await) }),
).erase()";

/// A function with a fresh input.
const FED: &str = "HOME::__private::Typed::WAY(
    |choice: &HOME::__private::Choice| { PICKS ::core::result::Result::Ok((TUPLE)) },
    |state| { let (NAMES) = ::core::clone::Clone::clone(state); INPUT },
    |state, input| HOME::__private::sink(CALL),
    |state| HOME::__private::sink_empty(|| EMPTY),
    |state, MUT input| HOME::__private::look!(LOOK),
).erase()";

/// A set-up whose body takes a fresh input. The state is the body, beside the parameters that the input may name.
const FED_CLOSURE: &str = "HOME::__private::Typed::WAY(
    |choice: &HOME::__private::Choice| {
        PICKS
        let names = ::core::clone::Clone::clone(&(TUPLE));
        ::core::result::Result::Ok((HOME::__private::fed_body(PATH(ORDERED))?, names))
    },
    |state| { let (NAMES) = ::core::clone::Clone::clone(&state.1); INPUT },
    |state, input| HOME::__private::sink((state.0)(input)),
    |state| HOME::__private::sink_empty(|| (state.0)(HOME::__private::never())),
    |state, MUT input| HOME::__private::look!((state.0)(LOOK)),
).set_up().erase()";
