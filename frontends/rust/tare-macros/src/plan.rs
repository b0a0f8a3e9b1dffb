//! The options of a benchmark.

use std::iter::once;

use proc_macro::{Delimiter, Ident, Span, TokenStream, TokenTree};

use crate::extent::{wide, Extent};
use crate::manner::Manner;
use crate::parse::{Entry, Generic, Signature};
use crate::suggest::suggestion;
use crate::tokens::{as_group, code, is_punct, mistake, plain, pretty, split, string, template, Result};

/// The options there are, for suggestions.
pub(crate) const OPTIONS: [&str; 34] = [
    "name",
    "group",
    "baseline",
    "operations",
    "unit",
    "bytes",
    "items",
    "rates",
    "skip",
    "skip_if",
    "runner",
    "own_time",
    "visit_time",
    "warm_up_time",
    "invocations",
    "categories",
    "description",
    "threads",
    "waits",
    "invocations_max",
    "monitoring",
    "cold_start",
    "environment",
    "arguments",
    "diagnose",
    "input",
    "types",
    "consts",
    "args",
    "crate",
    "memory_randomization",
    "cold_caches",
    "results_change",
    "results_differ",
];

/// What options were called before.
const RENAMED: [(&str, &str); 2] = [("describe", "description"), ("ignore", "skip")];

/// A parameter with its values.
pub(crate) struct Values {
    pub(crate) name: String,
    pub(crate) key: Ident,
    /// `_` when it is not declared.
    pub(crate) kind: TokenStream,
    /// By reference or by copy.
    pub(crate) values: TokenStream,
    /// They are of the same rows as those of the parameter before.
    pub(crate) row: bool,
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

    /// `args` are the values of the only parameter, as `types` and `consts` are those of the only generic one. With `input` it is
    /// the first of two.
    pub(crate) fn name_args(&mut self, signature: &Signature) {
        let fresh = usize::from(self.entries.iter().any(|entry| entry.name == "input"));
        let named = |name: &str| self.entries.iter().any(|entry| entry.name == name);
        let without: Vec<_> = signature.arguments.iter().filter(|argument| !named(&argument.name)).collect();
        if without.len() != 1 + fresh || without[0].name == "args" {
            return;
        }
        let name = without[0].name.clone();
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.name == "args") {
            // A name that the user's expressions may use, as they may use that of any parameter.
            entry.key = Ident::new_raw(&name, entry.key.span());
            entry.name = name;
        }
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

    /// `operations = ...`; empty without. A number that cannot be one is reported here, of other expressions when it is computed.
    pub(crate) fn operations(&mut self) -> Result<TokenStream> {
        let tokens = self.value("operations", "")?;
        let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
        let (sign, number) = match trees.as_slice() {
            [minus, TokenTree::Literal(number)] if is_punct(Some(minus), '-') => ("-", number),
            [TokenTree::Literal(number)] => ("", number),
            _ => return Ok(tokens),
        };
        let text = number.to_string();
        let digits: String = text.chars().filter(|c| *c != '_').collect();
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let (whole, rest) = digits.split_at(end);
        let zero = whole.chars().all(|c| c == '0') && !rest.starts_with(['x', 'b', 'o']);
        if !sign.is_empty() || zero || rest.starts_with(['.', 'e', 'E', 'f']) {
            let text = format!("`operations` is {sign}{text}; it must be a whole number of at least 1");
            return mistake(number.span(), text);
        }
        // Without its own type a number is one of 64 bits, and not of 32.
        Ok(if rest.is_empty() { template("(NUMBER as u64)", &[("NUMBER", tokens)]) } else { tokens })
    }

    /// `key` or `key = true`.
    pub(crate) fn flag(&mut self, name: &str) -> TokenStream {
        match self.take(name) {
            None => code("false"),
            Some(entry) if entry.value.is_empty() => code("true"),
            Some(entry) => entry.tokens(),
        }
    }

    /// `Some(VALUE)`; empty without.
    fn some(&mut self, name: &str) -> Result<TokenStream> {
        let span = self.entries.iter().find(|entry| entry.name == name).map(|entry| entry.key.span());
        let value = self.value(name, "")?;
        match (value.to_string().as_str(), span) {
            ("", _) => Ok(value),
            ("0", Some(span)) => mistake(span, format!("`{name}` is 0; it must be a whole number of at least 1")),
            _ => Ok(template("::core::option::Option::Some(VALUE)", &[("VALUE", value)])),
        }
    }

    /// What an invocation does beside taking time: how much it works through, whether it is to be measured, on how many threads.
    pub(crate) fn extent(&mut self) -> Result<Extent> {
        let mut rates = Vec::new();
        for name in ["bytes", "items"] {
            let amount = self.value(name, "")?;
            if !amount.is_empty() {
                rates.push((string(name), wide(amount)));
            }
        }
        if let Some(entry) = self.take("rates") {
            for item in entry.items(false) {
                let pair: Vec<TokenTree> = item.into_iter().collect();
                let parts = as_group(pair.first(), Delimiter::Parenthesis).map(|pair| split(pair.stream(), false));
                match parts.unwrap_or_default().as_slice() {
                    [name, amount] => {
                        rates.push((name.iter().cloned().collect(), wide(amount.iter().cloned().collect())));
                    }
                    _ => {
                        let text = "write `rates = [(\"lines\", 10), (\"words\", 3 * n)]`";
                        return mistake(entry.key.span(), text);
                    }
                }
            }
        }
        let ignore = self.entries.iter().any(|entry| entry.name == "skip" && entry.value.is_empty());
        let ignore = if ignore { self.flag("skip") } else { self.value("skip", "")? };
        let skip_if = self.value("skip_if", "")?;
        let is_list =
            |entry: &Entry| entry.value.len() == 1 && as_group(entry.value.first(), Delimiter::Bracket).is_some();
        let listed = self.entries.iter().any(|entry| entry.name == "threads" && !entry.used && is_list(entry));
        let team = listed.then(|| self.take("threads")).flatten();
        Ok(Extent { rates, ignore, skip_if, team: team.map(|entry| (entry.key.span(), entry.tokens())) })
    }

    /// How the benchmark is run.
    pub(crate) fn manner(&mut self) -> Result<Manner> {
        let span = |entry: Option<&Entry>| entry.map_or_else(Span::call_site, |entry| entry.key.span());
        let mut one_of = |words: [(&str, &str); 2], what: &str| {
            let second = self.entries.iter().find(|entry| entry.name == words[1].0).cloned();
            let has_first = self.entries.iter().any(|entry| entry.name == words[0].0 && !entry.used);
            if has_first && second.as_ref().is_some_and(|entry| !entry.used) {
                let text = format!("`{}` and `{}` are {what}: choose one", words[0].0, words[1].0);
                return mistake(span(second.as_ref()), text);
            }
            let mut chosen = TokenStream::new();
            for (option, word) in words {
                match self.take(option) {
                    Some(entry) if !entry.value.is_empty() => {
                        return mistake(entry.key.span(), format!("`{option}` takes no value"));
                    }
                    Some(_) => chosen = code(&format!("{word:?}")),
                    None => {}
                }
            }
            Ok(chosen)
        };
        let strategy = one_of([("monitoring", "monitoring"), ("cold_start", "cold-start")], "two strategies")?;
        let results = one_of([("results_change", "change"), ("results_differ", "differ")], "two kinds of results")?;
        let mut said = |name: &str| match self.entries.iter().any(|entry| entry.name == name) {
            true => self.flag(name),
            false => code(""),
        };
        let (waits, memory_randomization) = (said("waits"), said("memory_randomization"));
        let cold_caches = said("cold_caches");
        let (invocations_max, invocations) = (self.some("invocations_max")?, self.some("invocations")?);
        let (visit_time, warm_up_time) = (self.some("visit_time")?, self.some("warm_up_time")?);
        let (environment, arguments) = (self.value("environment", "")?, self.value("arguments", "")?);
        let diagnose = self.value("diagnose", "")?;
        Ok(Manner {
            waits,
            invocations_max,
            strategy,
            environment,
            arguments,
            diagnose,
            visit_time,
            warm_up_time,
            invocations,
            memory_randomization,
            cold_caches,
            results,
        })
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
            all.push(Values { name: entry.name.clone(), key: entry.key.clone(), kind, values, row: entry.row });
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
        if let Some((_, new)) = RENAMED.iter().find(|(old, _)| old == name) {
            return mistake(entry.key.span(), format!("`{name}` is called `{new}`"));
        }
        let words = OPTIONS.iter().copied().filter(|word| !word.is_empty());
        let near = suggestion(name, words.chain(wanted.iter().map(|(name, _)| name.as_str())));
        if OPTIONS.contains(&name.as_str()) {
            return mistake(entry.key.span(), format!("option `{name}` has no meaning here"));
        }
        mistake(entry.key.span(), format!("`{name}` is neither an option nor a parameter of this benchmark{near}"))
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

/// A generic parameter filled in.
#[derive(Clone)]
pub(crate) struct Filled {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) alias: TokenStream,
}

impl Filled {
    pub(crate) fn new(generic: &Generic, name: &str, item: TokenStream) -> Filled {
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
