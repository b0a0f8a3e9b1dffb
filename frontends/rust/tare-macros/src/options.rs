//! The options of a benchmark, and the fields of its description that they set.

use proc_macro::{Delimiter, Ident, Span, TokenStream, TokenTree};

use crate::entries::{Entries, Entry};
use crate::extent::{wide, Extent};
use crate::parse::Generic;
use crate::suggest::suggestion;
use crate::tokens::{as_group, is_punct, list, mistake, plain, pretty, quote, split, Commas, Result, Tokens};

/// How an option is written, and how its field is set.
#[derive(Clone, Copy)]
enum Kind {
    /// `option = value`.
    Value,
    /// The same, kept by reference.
    List,
    /// The same, as `Some(value)`; not 0.
    Some,
    /// `option` or `option = true`.
    Flag,
    /// `option` alone sets this word. Options for the same field exclude each other.
    Word(&'static str),
}
use Kind::{Flag, List, Some as Optional, Value, Word};

type Table = [(&'static str, &'static str, Kind)];

/// Options that are fields of `Bench`: option, field, kind.
const OF_BENCH: &Table = &[
    ("name", "name", Value),
    ("group", "group", Optional),
    ("baseline", "baseline", Flag),
    ("unit", "unit", Value),
    ("categories", "categories", List),
    ("description", "description", Value),
    ("threads", "threads", Value),
];

/// Options that are fields of its `Manner`.
const OF_MANNER: &Table = &[
    ("waits", "waits", Flag),
    ("invocations_max", "invocations_max", Optional),
    ("invocations", "invocations", Optional),
    ("visit_time", "visit_time", Optional),
    ("warm_up_time", "warm_up_time", Optional),
    ("monitoring", "strategy", Word("monitoring")),
    ("cold_start", "strategy", Word("cold-start")),
    ("environment", "environment", List),
    ("arguments", "arguments", List),
    ("diagnose", "diagnose", List),
    ("memory_randomization", "memory_randomization", Flag),
    ("cold_caches", "cold_caches", Flag),
    ("results_change", "results", Word("change")),
    ("results_differ", "results", Word("differ")),
];

/// The others.
const OTHERS: [&str; 14] = [
    "operations",
    "bytes",
    "items",
    "rates",
    "skip",
    "skip_if",
    "in_threads",
    "runner",
    "own_time",
    "input",
    "types",
    "consts",
    "args",
    "crate",
];

/// Former names of options.
const RENAMED: [(&str, &str); 2] = [("describe", "description"), ("ignore", "skip")];

fn options<'a>() -> impl Iterator<Item = &'a str> {
    OF_BENCH.iter().chain(OF_MANNER).map(|(option, ..)| *option).chain(OTHERS)
}

/// Fields of a description, by name.
#[derive(Clone, Default)]
pub(crate) struct Fields(Vec<(&'static str, TokenStream)>);

impl Fields {
    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| *known == name)
    }

    /// Gives a field its value, unless it has one.
    pub(crate) fn or_set(&mut self, name: &'static str, value: impl Tokens) {
        if !self.has(name) {
            self.0.push((name, value.tokens()));
        }
    }

    /// These fields, with `all` as the fallback.
    fn over(mut self, all: &Fields) -> Fields {
        all.0.iter().for_each(|(name, value)| self.or_set(name, value));
        self
    }
}

impl Tokens for Fields {
    fn tokens(&self) -> TokenStream {
        let field = |(name, value): &(&str, TokenStream)| {
            let name = Ident::new(name, Span::mixed_site());
            quote!({ #name: #value, }, name, value)
        };
        self.0.iter().flat_map(field).collect()
    }
}

/// The options of a benchmark, or of all benchmarks of an `impl`.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) bench: Fields,
    pub(crate) manner: Fields,
    pub(crate) extent: Extent,
}

impl Settings {
    /// These fields, with `all` as the fallback.
    pub(crate) fn over(self, all: &Settings) -> Settings {
        Settings {
            bench: self.bench.over(&all.bench),
            manner: self.manner.over(&all.manner),
            extent: self.extent.over(&all.extent),
        }
    }
}

pub(crate) struct Values {
    pub(crate) name: String,
    pub(crate) key: Ident,
    /// `_` if unknown.
    pub(crate) kind: TokenStream,
    /// By reference or by copy.
    pub(crate) values: TokenStream,
    /// The values are in the same rows as those of the previous parameter.
    pub(crate) row: bool,
}

impl Entries {
    /// The options that only describe the benchmark.
    pub(crate) fn settings(&mut self) -> Result<Settings> {
        let extent = self.extent()?;
        Ok(Settings { bench: self.fields(OF_BENCH)?, manner: self.fields(OF_MANNER)?, extent })
    }

    fn fields(&mut self, table: &Table) -> Result<Fields> {
        let mut fields = Fields::default();
        for &(option, field, kind) in table {
            let Some(entry) = self.take(option) else { continue };
            let span = entry.key.span();
            let value = match kind {
                Value => entry.value()?,
                List => quote!({ &#list }, list = entry.value()?),
                Optional => match entry.value()? {
                    zero if zero.to_string() == "0" => {
                        return mistake(span, format!("`{option}` is 0; it must be a whole number of at least 1"));
                    }
                    value => quote!({ ::core::option::Option::Some(#value) }, value),
                },
                Flag => entry.flag(),
                Word(_) if !entry.value.is_empty() => return mistake(span, format!("`{option}` takes no value")),
                Word(_) if fields.has(field) => {
                    let other = table.iter().find(|(_, other, _)| *other == field).map_or(option, |(other, ..)| other);
                    return mistake(span, format!("`{other}` and `{option}` exclude each other: choose one"));
                }
                Word(word) => word.tokens(),
            };
            fields.or_set(field, value);
        }
        Ok(fields)
    }

    /// Rates, skip condition and threads.
    fn extent(&mut self) -> Result<Extent> {
        let mut rates = Vec::new();
        for name in ["bytes", "items"] {
            rates.extend(self.value(name)?.map(|amount| (name.tokens(), wide(amount))));
        }
        if let Some(entry) = self.take("rates") {
            for item in entry.items(Commas::OfExpressions) {
                let pair = as_group(item.first(), Delimiter::Parenthesis);
                let parts = pair.map(|pair| split(pair.stream(), Commas::OfExpressions)).unwrap_or_default();
                let [name, amount] = parts.as_slice() else {
                    return mistake(entry.key.span(), "write `rates = [(\"lines\", 10), (\"words\", 3 * n)]`");
                };
                rates.push((name.tokens(), wide(amount.tokens())));
            }
        }
        Ok(Extent {
            operations: self.operations()?,
            rates,
            ignore: self.take("skip").map(|entry| entry.flag()),
            skip_if: self.value("skip_if")?,
            team: self.team()?,
        })
    }

    /// `in_threads = [...]`, which is a parameter.
    fn team(&mut self) -> Result<Option<(Span, TokenStream)>> {
        let is_list = |entry: &Entry| list(&entry.value, Commas::OfExpressions).is_some();
        if let Some(entry) = self.take_if("threads", is_list) {
            let text =
                format!("a list of `threads` is called `in_threads`: `in_threads = {}`", pretty(entry.value.tokens()));
            return mistake(entry.key.span(), text);
        }
        let Some(entry) = self.take("in_threads") else { return Ok(None) };
        if !is_list(&entry) {
            return mistake(entry.key.span(), "`in_threads` needs a list: `in_threads = [1, 2, 4]`");
        }
        Ok(Some((entry.key.span(), entry.value.tokens())))
    }

    /// `operations = ...`. An invalid literal is reported here, any other expression when it is evaluated.
    fn operations(&mut self) -> Result<Option<TokenStream>> {
        let Some(tokens) = self.value("operations")? else { return Ok(None) };
        let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
        let (sign, number) = match trees.as_slice() {
            [minus, TokenTree::Literal(number)] if is_punct(Some(minus), '-') => ("-", number),
            [TokenTree::Literal(number)] => ("", number),
            _ => return Ok(Some(tokens)),
        };
        let text = number.to_string();
        let digits = text.replace('_', "");
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let (whole, rest) = digits.split_at(end);
        let zero = whole.chars().all(|c| c == '0') && !rest.starts_with(['x', 'b', 'o']);
        if !sign.is_empty() || zero || rest.starts_with(['.', 'e', 'E', 'f']) {
            let text = format!("`operations` is {sign}{text}; it must be a whole number of at least 1");
            return mistake(number.span(), text);
        }
        Ok(Some(wide(tokens)))
    }

    /// The values of the parameters in `wanted`; if `open`, of all remaining ones.
    pub(crate) fn parameters(&mut self, wanted: &[(String, TokenStream)], open: bool) -> Result<Vec<Values>> {
        let mut all = Vec::new();
        for entry in self.0.iter_mut().filter(|entry| !entry.used) {
            let kind = wanted.iter().find(|(name, _)| *name == entry.name).map(|(_, kind)| kind.clone());
            let is_free = open && options().all(|option| option != entry.name);
            let Some(kind) = kind.or_else(|| is_free.then(|| quote!({ _ }))) else { continue };
            entry.used = true;
            if entry.value.is_empty() {
                return mistake(entry.key.span(), format!("give the values of `{0}`: `{0} = [1, 2]`", entry.name));
            }
            let (name, key, values) = (entry.name.clone(), entry.key.clone(), entry.value.tokens());
            all.push(Values { name, key, kind, values, row: entry.row });
        }
        Ok(all)
    }

    pub(crate) fn generics(&mut self, generics: &[Generic]) -> Result<Vec<Vec<Filled>>> {
        let mut combinations: Vec<Vec<Filled>> = vec![Vec::new()];
        for generic in generics {
            let name = plain(&generic.name);
            let is_constant = generic.constant.is_some();
            let is_only = generics.iter().filter(|other| other.constant.is_some() == is_constant).count() == 1;
            let (word, example, kind) = match is_constant {
                true => ("consts", "[1, 2]", Commas::OfExpressions),
                false => ("types", "[u32, u64]", Commas::OfTypes),
            };
            let entry = self.take(&name).or_else(|| if is_only { self.take(word) } else { None });
            let Some(entry) = entry else {
                let text = format!("say what `{name}` is: `#[tare::bench({name} = {example})]`");
                return mistake(generic.name.span(), text);
            };
            let items = entry.items(kind);
            if items.is_empty() || entry.value.is_empty() {
                return mistake(entry.key.span(), format!("`{name}` needs at least one value: `{name} = [...]`"));
            }
            let filled: Vec<Filled> = items.iter().map(|item| Filled::new(generic, &name, item)).collect();
            let with_each = |before: &Vec<Filled>| {
                let before = before.clone();
                filled.iter().map(move |one| [&before[..], std::slice::from_ref(one)].concat()).collect::<Vec<_>>()
            };
            combinations = combinations.iter().flat_map(with_each).collect();
        }
        Ok(combinations)
    }

    /// Reports names that are neither options nor parameters.
    pub(crate) fn misspelt(&self, wanted: &[(String, TokenStream)]) -> Result<()> {
        let is_option = |entry: &&Entry| options().any(|option| option == entry.name);
        let Some(Entry { name, key, .. }) = self.unused().find(|entry| !is_option(entry)) else { return Ok(()) };
        if let Some((_, new)) = RENAMED.iter().find(|(old, _)| old == name) {
            return mistake(key.span(), format!("`{name}` is called `{new}`"));
        }
        let near = suggestion(name, options().chain(wanted.iter().map(|(name, _)| name.as_str())));
        mistake(key.span(), format!("`{name}` is neither an option nor a parameter of this benchmark{near}"))
    }

    /// Reports unused options.
    pub(crate) fn finish(&self, wanted: &[(String, TokenStream)]) -> Result<()> {
        self.misspelt(wanted)?;
        match self.unused().next() {
            Some(entry) => mistake(entry.key.span(), format!("option `{}` has no meaning here", entry.name)),
            None => Ok(()),
        }
    }
}

/// A generic parameter filled in.
#[derive(Clone)]
pub(crate) struct Filled {
    pub(crate) name: String,
    pub(crate) text: String,
    /// Declares its name as an alias of the chosen type or constant.
    pub(crate) alias: TokenStream,
}

impl Filled {
    fn new(generic: &Generic, name: &str, item: &[TokenTree]) -> Filled {
        let alias = match &generic.constant {
            None => quote!({ type #name = #item; }, name = generic.name, item),
            Some(kind) => quote!({ const #name: #kind = #item; }, name = generic.name, kind, item),
        };
        Filled { name: name.to_owned(), text: pretty(item.tokens()), alias }
    }
}
