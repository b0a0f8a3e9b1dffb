//! The options of a benchmark, and the description that is registered.

use std::iter::once;

use proc_macro::{Ident, Span, TokenStream, TokenTree};

use crate::parse::{Entry, Generic, Signature};
use crate::tokens::{code, mistake, plain, pretty, put, respan, string, template, template_at, Result};

/// The options there are, for suggestions.
pub(crate) const OPTIONS: [&str; 13] = [
    "name",
    "group",
    "baseline",
    "operations",
    "unit",
    "categories",
    "describe",
    "threads",
    "input",
    "types",
    "consts",
    "crate",
    "",
];

/// How far two words are from each other, for suggestions.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let best = (corner + usize::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
            corner = row[j + 1];
            row[j + 1] = best;
        }
    }
    row[b.len()]
}

/// What the user may have meant by `name`.
pub(crate) fn suggestion<'a>(name: &str, words: impl Iterator<Item = &'a str>) -> String {
    let near = words
        .map(|word| (distance(name, word), word))
        .filter(|(far, word)| *far <= 2.max(word.len() / 3) && *far < word.len());
    match near.min() {
        Some((_, word)) => format!("; did you mean `{word}`?"),
        None => String::new(),
    }
}

/// A parameter with its values.
pub(crate) struct Values {
    pub(crate) name: String,
    pub(crate) key: Ident,
    /// `_` when it is not declared.
    pub(crate) kind: TokenStream,
    /// By reference or by copy.
    pub(crate) values: TokenStream,
}

/// The options of one benchmark.
pub(crate) struct Plan {
    pub(crate) entries: Vec<Entry>,
}

impl Plan {
    pub(crate) fn take(&mut self, name: &str) -> Option<Entry> {
        let entry = self.entries.iter_mut().find(|entry| entry.name == name && !entry.used)?;
        entry.used = true;
        Some(entry.clone())
    }

    /// `key = value` as an expression, or the default.
    pub(crate) fn value(&mut self, name: &str, default: &str) -> Result<TokenStream> {
        match self.take(name) {
            None => Ok(code(default)),
            Some(entry) if entry.value.is_empty() => {
                mistake(entry.key.span(), format!("`{name}` needs a value: `{name} = ...`"))
            }
            Some(entry) => Ok(entry.tokens()),
        }
    }

    /// `key` or `key = true`.
    pub(crate) fn flag(&mut self, name: &str) -> TokenStream {
        match self.take(name) {
            None => code("false"),
            Some(entry) if entry.value.is_empty() => code("true"),
            Some(entry) => entry.tokens(),
        }
    }

    /// Where the crate `tare` is.
    pub(crate) fn home(&mut self) -> Result<TokenStream> {
        self.value("crate", "::tare")
    }

    /// The values of those parameters that `wanted` lists (all that are left, if `open`).
    pub(crate) fn parameters(&mut self, wanted: &[(String, TokenStream)], open: bool) -> Result<Vec<Values>> {
        let mut all = Vec::new();
        for entry in &mut self.entries {
            let kind = wanted.iter().find(|(name, _)| *name == entry.name).map(|(_, kind)| kind.clone());
            let free = open && !OPTIONS.contains(&entry.name.as_str());
            let Some(kind) = kind.or_else(|| free.then(|| code("_"))) else { continue };
            if entry.used {
                continue;
            }
            entry.used = true;
            if entry.value.is_empty() {
                return mistake(entry.key.span(), format!("give the values of `{0}`: `{0} = [1, 2]`", entry.name));
            }
            let values = entry.tokens();
            all.push(Values { name: entry.name.clone(), key: entry.key.clone(), kind, values });
        }
        Ok(all)
    }

    /// The choices for the generic parameters: all combinations of (name, text, alias).
    pub(crate) fn generics(&mut self, generics: &[Generic]) -> Result<Vec<Vec<Filled>>> {
        let mut combinations: Vec<Vec<Filled>> = vec![Vec::new()];
        for generic in generics {
            let name = plain(&generic.name);
            let constant = generic.constant.is_some();
            let same = generics.iter().filter(|other| other.constant.is_some() == constant).count();
            let word = if constant { "consts" } else { "types" };
            let entry = self.take(&name).or_else(|| if same == 1 { self.take(word) } else { None });
            let Some(entry) = entry else {
                let example = if constant { "[1, 2]" } else { "[u32, u64]" };
                return mistake(
                    generic.name.span(),
                    format!("say what `{name}` is: `#[tare::bench({name} = {example})]`"),
                );
            };
            let items = entry.items(!constant);
            if items.is_empty() || entry.value.is_empty() {
                return mistake(entry.key.span(), format!("`{name}` needs at least one value: `{name} = [...]`"));
            }
            let filled: Vec<Filled> = items.into_iter().map(|item| Filled::new(generic, &name, item)).collect();
            combinations = combinations
                .iter()
                .flat_map(|before| filled.iter().map(|one| before.iter().chain(once(one)).cloned().collect()))
                .collect();
        }
        Ok(combinations)
    }

    /// An option that nobody asked for is a mistake.
    pub(crate) fn finish(&self, wanted: &[(String, TokenStream)]) -> Result<()> {
        let Some(entry) = self.entries.iter().find(|entry| !entry.used) else { return Ok(()) };
        let name = &entry.name;
        let words = OPTIONS.iter().copied().filter(|word| !word.is_empty());
        let near = suggestion(name, words.chain(wanted.iter().map(|(name, _)| name.as_str())));
        if OPTIONS.contains(&name.as_str()) {
            return mistake(entry.key.span(), format!("option `{name}` has no meaning here"));
        }
        mistake(entry.key.span(), format!("`{name}` is neither an option nor a parameter of this benchmark{near}"))
    }
}

/// A generic parameter filled in.
#[derive(Clone)]
pub(crate) struct Filled {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) alias: TokenStream,
}

impl Filled {
    fn new(generic: &Generic, name: &str, item: TokenStream) -> Filled {
        let ident = TokenStream::from(TokenTree::Ident(generic.name.clone()));
        let text = pretty(item.clone());
        let alias = match &generic.constant {
            None => template("type NAME = VALUE;", &[("NAME", ident), ("VALUE", item)]),
            Some(kind) => {
                let values = [("NAME", ident), ("KIND", kind.iter().cloned().collect()), ("VALUE", item)];
                template("const NAME: KIND = VALUE;", &values)
            }
        };
        Filled { name: name.to_owned(), text, alias }
    }
}

/// All that a registered benchmark needs.
pub(crate) struct Description<'a> {
    pub(crate) home: &'a TokenStream,
    pub(crate) span: Span,
    pub(crate) order: usize,
    pub(crate) group: TokenStream,
    pub(crate) name: TokenStream,
    pub(crate) baseline: TokenStream,
    pub(crate) operations: TokenStream,
    pub(crate) unit: TokenStream,
    pub(crate) categories: TokenStream,
    pub(crate) describe: TokenStream,
    pub(crate) threads: TokenStream,
    pub(crate) returns: bool,
    pub(crate) generics: &'a [Filled],
    pub(crate) parameters: &'a [Values],
    pub(crate) vtable: TokenStream,
}

pub(crate) const BENCH: &str = "
    #[allow(unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction, missing_docs)]
    const _: () = {
        ALIASES
        HOME::__private::register!(HOME::__private::Bench {
            group: GROUP,
            name: NAME,
            module: ::core::module_path!(),
            file: ::core::file!(),
            line: LINE,
            order: ORDER,
            generics: &[GENERICS],
            parameters: &[PARAMETERS],
            baseline: BASELINE,
            operations: |__tare_choice: &HOME::__private::Choice| { PICKS ((OPERATIONS) as u64) },
            unit: UNIT,
            categories: &CATEGORIES,
            description: DESCRIBE,
            threads: THREADS,
            returns: RETURNS,
            program: ::core::option_env!(\"CARGO_BIN_NAME\").is_some(),
            vtable: VTABLE.erase(),
        });
    };
";

/// `let n: usize = __tare_choice.pick(0, [10, 100]);` for each parameter.
pub(crate) fn picks(parameters: &[Values]) -> TokenStream {
    let mut out = TokenStream::new();
    for (number, parameter) in parameters.iter().enumerate() {
        let values = [
            ("NAME", TokenTree::Ident(parameter.key.clone()).into()),
            ("KIND", parameter.kind.clone()),
            ("NUMBER", code(&number.to_string())),
            ("VALUES", parameter.values.clone()),
        ];
        let text = "let NAME: KIND = __tare_choice.pick(NUMBER, VALUES);";
        out.extend(template_at(&parameter.values, text, &values));
    }
    out
}

impl Description<'_> {
    pub(crate) fn register(self) -> TokenStream {
        let mut generics = TokenStream::new();
        let mut aliases = TokenStream::new();
        for filled in self.generics {
            let values = [("NAME", string(&filled.name)), ("TEXT", string(&filled.text))];
            generics.extend(template("(NAME, TEXT),", &values));
            aliases.extend(filled.alias.clone());
        }
        let mut parameters = TokenStream::new();
        for parameter in self.parameters {
            let values = [
                ("HOME", self.home.clone()),
                ("NAME", string(&parameter.name)),
                ("KIND", parameter.kind.clone()),
                ("VALUES", parameter.values.clone()),
            ];
            let text = "HOME::__private::Parameter {
                name: NAME,
                values: || HOME::__private::texts::<KIND>(VALUES, |value| HOME::__private::show!(value)),
            },";
            parameters.extend(template_at(&parameter.values, text, &values));
        }
        let values = [
            ("HOME", self.home.clone()),
            ("ALIASES", aliases),
            ("GROUP", self.group),
            ("NAME", self.name),
            ("LINE", put(code("::core::line!()"), self.span)),
            ("ORDER", code(&format!("{}_u32", self.order))),
            ("GENERICS", generics),
            ("PARAMETERS", parameters),
            ("BASELINE", self.baseline),
            ("PICKS", picks(self.parameters)),
            ("OPERATIONS", self.operations),
            ("UNIT", self.unit),
            ("CATEGORIES", self.categories),
            ("DESCRIBE", self.describe),
            ("THREADS", self.threads),
            ("RETURNS", code(if self.returns { "true" } else { "false" })),
            ("VTABLE", self.vtable),
        ];
        template(BENCH, &values)
    }
}

/// `Some(VALUE)`, or the default.
pub(crate) fn group(plan: &mut Plan, default: &str) -> Result<TokenStream> {
    let given = plan.value("group", "")?;
    if given.is_empty() {
        return Ok(code(default));
    }
    Ok(template("::core::option::Option::Some(GROUP)", &[("GROUP", given)]))
}

pub(crate) fn wanted(arguments: &Signature) -> Vec<(String, TokenStream)> {
    arguments
        .arguments
        .iter()
        .map(|argument| (argument.name.clone(), argument.kind.iter().cloned().collect()))
        .collect()
}

/// The names of the parameters, as expressions: `n, text,`.
pub(crate) fn tuple(parameters: &[Values]) -> TokenStream {
    let mut out = TokenStream::new();
    for parameter in parameters {
        out.extend(once(TokenTree::Ident(parameter.key.clone())));
        out.extend(code(","));
    }
    out
}

/// A body that takes its parameters by copy: for each parameter of the function `copy(&state.0)`, or the input.
pub(crate) fn arguments(
    home: &TokenStream,
    signature: &Signature,
    parameters: &[Values],
    input: Option<&TokenStream>,
) -> TokenStream {
    let mut out = TokenStream::new();
    for argument in &signature.arguments {
        match parameters.iter().position(|parameter| parameter.name == argument.name) {
            Some(number) => {
                let span = argument.kind.first().map_or(argument.span, TokenTree::span);
                let values = [("HOME", home.clone()), ("NUMBER", code(&number.to_string()))];
                let text = match input {
                    Some(_) => "HOME::__private::copy(&state.NUMBER)",
                    None => "HOME::__private::parameter(&mut state.NUMBER)",
                };
                out.extend(respan(template(text, &values), span));
            }
            None => out.extend(input.cloned().unwrap_or_default()),
        }
        out.extend(code(","));
    }
    out
}

/// The function's path with its generic parameters filled in.
pub(crate) fn path(signature: &Signature) -> TokenStream {
    let mut out = TokenStream::from(TokenTree::Ident(signature.name.clone()));
    if !signature.generics.is_empty() {
        out.extend(code("::<"));
        for generic in &signature.generics {
            out.extend(once(TokenTree::Ident(generic.name.clone())));
            out.extend(code(","));
        }
        out.extend(code(">"));
    }
    out
}
