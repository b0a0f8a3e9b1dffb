//! Generates the functions that measure a body, for each of its forms.

use proc_macro::{TokenStream, TokenTree};

use super::Closure;
use crate::calls::names;
use crate::description::picks;
use crate::entries::Entry;
use crate::futures::{awaiting, loops, waited_for};
use crate::options::Values;
use crate::parse::{Argument, Signature};
use crate::tokens::{is_punct, mistake, quote, Result};
use crate::way::way;

/// A function with the options about its body.
pub(super) struct Body<'a> {
    pub(super) signature: &'a Signature,
    pub(super) parameters: &'a [Values],
    /// Its parameter without values.
    pub(super) free: Option<&'a Argument>,
    /// The closure in its return type.
    pub(super) closure: Option<&'a Closure<'a>>,
    /// The code names a type that works by its address, such as a lock.
    pub(super) names_place: bool,
    pub(super) own_time: Option<&'a Entry>,
    pub(super) input: Option<&'a Entry>,
    pub(super) runner: Option<&'a TokenStream>,
    /// Several threads run it in lockstep.
    pub(super) is_in_step: bool,
}

impl Body<'_> {
    pub(super) fn vtable(&self) -> Result<TokenStream> {
        self.is_consistent()?;
        let vtable = match (self.own_time, self.input) {
            (Some(own_time), _) => self.own(own_time)?,
            (None, Some(input)) => self.fed(input)?,
            (None, None) if self.runner.is_some() => self.awaiting(),
            (None, None) => self.plain(),
        };
        let waiting = self.runner.map(waited_for);
        Ok(quote!({ #vtable #waiting }, vtable, waiting))
    }

    /// Rejects options that exclude each other.
    fn is_consistent(&self) -> Result<()> {
        let (own_time, input, runner) = (self.own_time.is_some(), self.input.is_some(), self.runner.is_some());
        let conflict = [
            (own_time && input, "`own_time` and `input`"),
            (own_time && runner, "`own_time` and `runner`"),
            (own_time && self.is_in_step, "`own_time` and `in_threads`"),
            (input && self.is_in_step, "`input` and `in_threads`"),
            (runner && self.is_in_step, "`runner` and `in_threads`"),
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

    /// The closure that makes `made` from the parameters.
    fn set(&self, made: TokenStream) -> TokenStream {
        quote!({
            |choice: &__tare::Choice| { #picks ::core::result::Result::Ok(#made) }
        }, picks = picks(self.parameters), made)
    }

    fn tuple(&self) -> TokenStream {
        quote!({ (#names) }, names = names(self.parameters))
    }

    /// A set-up that calls the function.
    fn set_up(&self) -> TokenStream {
        let ordered = names(self.signature.ordered(self.parameters).map(|(_, parameter)| parameter));
        quote!({ #path(#ordered) }, path = self.signature.path(), ordered)
    }

    fn call(&self, input: &TokenStream) -> TokenStream {
        self.signature.call(self.parameters, Some(input))
    }

    /// `own_time`: the function, or the closure it returns, reports how long the invocations took.
    fn own(&self, own_time: &Entry) -> Result<TokenStream> {
        let (made, timed) = match (self.closure, self.free) {
            (Some(_), _) => (self.set_up(), quote!({ state(invocations) })),
            (None, Some(_)) => (self.tuple(), self.call(&quote!({ invocations }))),
            (None, None) => {
                let text = "with `own_time` one parameter has no values: the number of invocations, a `u64`";
                return mistake(own_time.key.span(), text);
            }
        };
        Ok(quote!({ __tare::Typed::own(#set, |state, invocations| #timed).erase() }, set = self.set(made), timed))
    }

    /// `input`: the function, or the closure it returns, gets a fresh input for each call.
    fn fed(&self, input: &Entry) -> Result<TokenStream> {
        let kind = match (self.closure, self.free) {
            (Some(closure), _) => &closure.takes[0],
            (None, Some(argument)) => &argument.kind,
            (None, None) => {
                return mistake(input.key.span(), "`input` needs a parameter of the function that has no values");
            }
        };
        let is_lent = is_punct(kind.first(), '&');
        let (way, looked_at, mutable) = match is_lent {
            true => (quote!({ lending }), quote!({ &mut input }), Some(quote!({ mut }))),
            false => (quote!({ eating }), quote!({ input }), None),
        };
        let names = self.tuple();
        // What the set-up makes, where the parameters named by the input are in it, and a call.
        let (set, given, call): (_, _, Box<dyn Fn(TokenStream) -> TokenStream + '_>) = if self.closure.is_some() {
            let made = quote!({ {
                let names = ::core::clone::Clone::clone(&#names);
                (__tare::fed_body(#body)?, names)
            } }, names, body = self.set_up());
            (self.set(made), quote!({ &state.1 }), Box::new(|input| quote!({ (state.0)(#input) }, input)))
        } else {
            (self.set(names.clone()), quote!({ state }), Box::new(|input| self.call(&input)))
        };
        let input = quote!({
            |state| { let #names = ::core::clone::Clone::clone(#given); #input }
        }, names, given, input = input.value);
        let (look, empty) = (call(looked_at), call(quote!({ __tare::never() })));
        if self.runner.is_some() {
            let [fours, ones] =
                loops(&call(if is_lent { quote!({ inputs.lend() }) } else { quote!({ inputs.eat() }) }));
            return Ok(quote!({
                __tare::Typed::awaiting_fed::<_, #eats>(
                    #set,
                    #input,
                    |state, mut inputs, count| #fours,
                    |state, mut inputs, count| #ones,
                    |state, #mutable input| __tare::block_on(async { __tare::look!(#look.await) }),
                ).erase()
            }, eats = !is_lent, set, input, fours, ones, mutable, look));
        }
        let set_up = self.closure.map(|_| quote!({ .set_up() }));
        let call = call(quote!({ input }));
        Ok(quote!({
            __tare::Typed::#way(
                #set,
                #input,
                |state, input| __tare::sink(#call),
                |state| __tare::sink_empty(|| #empty),
                |state, #mutable input| __tare::look!(#look),
            )#set_up.erase()
        }, way, set, input, call, empty, mutable, look, set_up))
    }

    /// A function whose calls are futures.
    fn awaiting(&self) -> TokenStream {
        let awaiting = awaiting(&self.set(self.tuple()), &self.signature.call(self.parameters, None));
        quote!({ __tare::Typed::#awaiting.erase() }, awaiting)
    }

    /// A function without a fresh input: a body, or a set-up that returns one, depending on its return type.
    fn plain(&self) -> TokenStream {
        let call = self.signature.call(self.parameters, None);
        let number = |(number, _): (usize, &Values)| quote!({ state.#number, }, number);
        let moved: TokenStream = self.signature.ordered(self.parameters).flat_map(number).collect();
        // In case the type turns out not to be a body despite the visible closure.
        let seen = self.closure.map(|_| {
            quote!({
                if true {
                    return ::core::result::Result::Err(::std::string::String::from(
                        "it returns a closure in a form that cannot be called: return `impl FnMut()`, \
                        `Box<dyn FnMut()>`, or a `Result` or `Option` of one",
                    ));
                }
            })
        });
        let team = self.is_in_step.then(|| {
            quote!({
                .on_threads({
                    use __tare::Threads as _;
                    (&&&&__tare::Form::of(&call, &set)).team(|state| __tare::sink(#call))
                })
            }, call)
        });
        let returns: Option<&[TokenTree]> = self.closure.map(|closure| closure.returns);
        quote!({
            {
                use __tare::Choose as _;
                let call = |choice: &__tare::Choice| { #picks #set_up };
                let set = |choice: &__tare::Choice| { #seen #picks ::core::result::Result::Ok(#tuple) };
                let vtable = (&&&&&__tare::Form::of(&call, &set)).vtable::<{ __tare::#way }>(
                    call,
                    set,
                    |state| __tare::sink(#call),
                    |state| __tare::sink_empty(|| #call),
                    |state| __tare::look!(#call),
                    |body| __tare::look!(__tare::Body::call(body)),
                    |_, state| __tare::sink(#path(#moved)),
                    |_, state| __tare::look!(#path(#moved)),
                );
                vtable #team
            }
        },
            picks = picks(self.parameters), set_up = self.set_up(), seen, tuple = self.tuple(),
            way = way(&self.signature.returns, returns, self.names_place), call, path = self.signature.path(), moved,
            team)
    }
}
