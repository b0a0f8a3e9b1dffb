//! The description of a benchmark that is registered.

use proc_macro::{Delimiter, Span, TokenStream, TokenTree};

use crate::extent::{names_self, Extent};
use crate::manner::Manner;
use crate::plan::{Filled, Values};
use crate::tokens::{as_group, code, is_ident, is_punct, pretty, put, split, string, template, template_at};

/// All that a registered benchmark needs beside its generic parameters.
#[derive(Clone)]
pub(crate) struct Description<'a> {
    pub(crate) home: &'a TokenStream,
    pub(crate) span: Span,
    pub(crate) group: TokenStream,
    pub(crate) name: TokenStream,
    pub(crate) baseline: TokenStream,
    pub(crate) operations: TokenStream,
    pub(crate) unit: TokenStream,
    pub(crate) categories: TokenStream,
    pub(crate) describe: TokenStream,
    pub(crate) threads: TokenStream,
    pub(crate) manner: Manner,
    pub(crate) extent: Extent,
    pub(crate) returns: bool,
    pub(crate) parameters: &'a [Values],
    pub(crate) vtable: TokenStream,
}

pub(crate) const BENCH: &str = "
    #[allow(unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction, missing_docs)]
    const _: () = {
        ALIASES
        HOME::__private::register!(HOME::__private::BENCHES, HOME::__private::Bench, HOME::__private::Bench {
            group: GROUP,
            name: NAME,
            module: ::core::module_path!(),
            file: ::core::file!(),
            line: LINE,
            order: ORDER,
            generics: &[GENERICS],
            parameters: &[PARAMETERS],
            baseline: BASELINE,
            operations: |choice: &HOME::__private::Choice| { OPERATIONS },
            unit: UNIT,
            categories: &CATEGORIES,
            description: DESCRIBE,
            threads: THREADS,
            team: TEAM,
            rates: RATES,
            wanted: WANTED,
            manner: MANNER,
            returns: RETURNS,
            program: ::core::option_env!(\"CARGO_BIN_NAME\").is_some(),
            vtable: || VTABLE,
            added: ::core::option::Option::None,
        });
    };
";

/// Taken by reference: the values may be references or what they refer to.
fn is_lent(kind: &TokenStream) -> bool {
    let mut trees = kind.clone().into_iter();
    let reference = is_punct(trees.next().as_ref(), '&');
    let mut rest = trees.skip_while(|tree| is_punct(Some(tree), '\''));
    reference && !rest.any(|tree| is_ident(Some(&tree), "mut"))
}

/// The items of a list of values as they are written: `["add", "mul"]` for `[add, mul]`.
fn written(values: &TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = values.clone().into_iter().collect();
    let Some(list) = as_group(trees.first(), Delimiter::Bracket).filter(|_| trees.len() == 1) else {
        return TokenStream::new();
    };
    let mut out = TokenStream::new();
    for item in split(list.stream(), false) {
        // `add as fn(u64) -> u64` is called `add`.
        let end = item.iter().position(|tree| is_ident(Some(tree), "as")).unwrap_or(item.len());
        out.extend(string(&pretty(item[..end].iter().cloned().collect())));
        out.extend(code(","));
    }
    out
}

/// `let n: usize = choice.pick::<usize>(0, [10, 100], ...);` for each parameter.
pub(crate) fn picks(home: &TokenStream, parameters: &[Values]) -> TokenStream {
    let mut out = TokenStream::new();
    for (number, parameter) in parameters.iter().enumerate() {
        let values = [
            ("HOME", home.clone()),
            ("NAME", TokenTree::Ident(parameter.key.clone()).into()),
            ("KIND", parameter.kind.clone()),
            ("NUMBER", code(&number.to_string())),
            ("VALUES", parameter.values.clone()),
        ];
        let text = if is_lent(&parameter.kind) {
            "let NAME: KIND = HOME::__private::lend!(choice.pick(NUMBER, VALUES, |text, reader| {
                HOME::__private::read!(text, reader)
            }));"
        } else {
            "let NAME: KIND = choice.pick::<KIND>(NUMBER, VALUES, |text, reader| {
                HOME::__private::read!(text, reader)
            });"
        };
        out.extend(template_at(&parameter.values, text, &values));
    }
    out
}

impl Description<'_> {
    /// A benchmark for each combination of the generic parameters; `first` is the place of the first one in its declaration.
    pub(crate) fn register(&self, first: usize, combinations: &[Vec<Filled>]) -> TokenStream {
        let numbered = combinations.iter().enumerate();
        numbered.flat_map(|(number, generics)| self.clone().register_one(first + number, generics)).collect()
    }

    fn register_one(self, order: usize, generics_of_one: &[Filled]) -> TokenStream {
        let mut generics = TokenStream::new();
        let mut aliases = TokenStream::new();
        for filled in generics_of_one {
            let values = [("NAME", string(&filled.name)), ("TEXT", string(&filled.text))];
            generics.extend(template("(NAME, TEXT),", &values));
            aliases.extend(filled.alias.clone());
        }
        let mut parameters = TokenStream::new();
        let threads = self.extent.threads();
        for parameter in self.parameters.iter().chain(&threads) {
            let values = [
                ("HOME", self.home.clone()),
                ("NAME", string(&parameter.name)),
                ("KIND", if is_lent(&parameter.kind) { code("_") } else { parameter.kind.clone() }),
                ("VALUES", parameter.values.clone()),
                ("WRITTEN", written(&parameter.values)),
                ("ROW", code(if parameter.row { "true" } else { "false" })),
            ];
            let text = "HOME::__private::Parameter {
                name: NAME,
                row: ROW,
                values: |given| {
                    let values = HOME::__private::chosen::<KIND>(VALUES, given, |text, reader| {
                        HOME::__private::read!(text, reader)
                    })?;
                    let written: &[&str] = if given.is_empty() { &[WRITTEN] } else { &[] };
                    ::core::result::Result::Ok(
                        HOME::__private::texts::<KIND>(values, |value| HOME::__private::show!(value), written)
                    )
                },
            },";
            parameters.extend(template_at(&parameter.values, text, &values));
        }
        let (rates, wanted) = self.extent.functions(self.home, self.parameters);
        let operations = if self.operations.is_empty() || names_self(&self.operations) {
            code("::core::result::Result::Ok(1)")
        } else {
            let values = [
                ("HOME", self.home.clone()),
                ("PICKS", picks(self.home, self.parameters)),
                ("OPERATIONS", self.operations.clone()),
            ];
            let text = "PICKS HOME::__private::Operations::operations(OPERATIONS)";
            template_at(&self.operations, text, &values)
        };
        let values = [
            ("HOME", self.home.clone()),
            ("ALIASES", aliases),
            ("GROUP", self.group),
            ("NAME", self.name),
            ("LINE", put(code("::core::line!()"), self.span)),
            ("ORDER", code(&format!("{order}_u32"))),
            ("GENERICS", generics),
            ("PARAMETERS", parameters),
            ("BASELINE", self.baseline),
            ("OPERATIONS", operations),
            ("UNIT", self.unit),
            ("CATEGORIES", self.categories),
            ("DESCRIBE", self.describe),
            ("THREADS", self.threads),
            ("TEAM", code(if threads.is_some() { "true" } else { "false" })),
            ("RATES", rates),
            ("WANTED", wanted),
            ("MANNER", self.manner.tokens(self.home)),
            ("RETURNS", code(if self.returns { "true" } else { "false" })),
            ("VTABLE", self.vtable),
        ];
        template(BENCH, &values)
    }
}
