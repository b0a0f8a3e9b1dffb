//! The options of a benchmark, and the description that is registered.

use std::iter::once;

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::parse::{Entry, Generic, Signature};
use crate::tokens::{
    as_group, code, is_ident, is_punct, mistake, plain, pretty, put, respan, split, string, template, template_at,
    Result,
};

/// The options there are, for suggestions.
pub(crate) const OPTIONS: [&str; 33] = [
    "name",
    "group",
    "baseline",
    "operations",
    "unit",
    "bytes",
    "items",
    "rates",
    "ignore",
    "skip_if",
    "runner",
    "own_time",
    "visit_time",
    "warm_up_time",
    "invocations",
    "categories",
    "describe",
    "threads",
    "waits",
    "invocations_max",
    "monitoring",
    "cold_start",
    "environment",
    "arguments",
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

/// The options about how a benchmark is run, as the fields of `Manner`; empty: not given.
#[derive(Clone, Default)]
pub(crate) struct Manner {
    waits: TokenStream,
    invocations_max: TokenStream,
    strategy: TokenStream,
    environment: TokenStream,
    arguments: TokenStream,
    visit_time: TokenStream,
    warm_up_time: TokenStream,
    invocations: TokenStream,
    memory_randomization: TokenStream,
    cold_caches: TokenStream,
    results: TokenStream,
}

impl Manner {
    /// What is given here, and the rest from what holds for all.
    pub(crate) fn over(self, all: &Manner) -> Manner {
        let either = |own: TokenStream, all: &TokenStream| if own.is_empty() { all.clone() } else { own };
        Manner {
            waits: either(self.waits, &all.waits),
            invocations_max: either(self.invocations_max, &all.invocations_max),
            strategy: either(self.strategy, &all.strategy),
            environment: either(self.environment, &all.environment),
            arguments: either(self.arguments, &all.arguments),
            visit_time: either(self.visit_time, &all.visit_time),
            warm_up_time: either(self.warm_up_time, &all.warm_up_time),
            invocations: either(self.invocations, &all.invocations),
            memory_randomization: either(self.memory_randomization, &all.memory_randomization),
            cold_caches: either(self.cold_caches, &all.cold_caches),
            results: either(self.results, &all.results),
        }
    }

    fn tokens(self, home: &TokenStream) -> TokenStream {
        let or = |given: TokenStream, default: &str| if given.is_empty() { code(default) } else { given };
        let values = [
            ("HOME", home.clone()),
            ("WAITS", or(self.waits, "false")),
            ("MOST", or(self.invocations_max, "::core::option::Option::None")),
            ("STRATEGY", or(self.strategy, "\"throughput\"")),
            ("ENVIRONMENT", or(self.environment, "[]")),
            ("ARGUMENTS", or(self.arguments, "[]")),
            ("VISIT", or(self.visit_time, "::core::option::Option::None")),
            ("WARMUP", or(self.warm_up_time, "::core::option::Option::None")),
            ("INVOCATIONS", or(self.invocations, "::core::option::Option::None")),
            ("RANDOMIZED", or(self.memory_randomization, "false")),
            ("COLD", or(self.cold_caches, "false")),
            ("RESULTS", or(self.results, "\"same\"")),
        ];
        let text = "HOME::__private::Manner {
            waits: WAITS,
            invocations_max: MOST,
            strategy: STRATEGY,
            environment: &ENVIRONMENT,
            arguments: &ARGUMENTS,
            visit_time: VISIT,
            warm_up_time: WARMUP,
            invocations: INVOCATIONS,
            memory_randomization: RANDOMIZED,
            cold_caches: COLD,
            results: RESULTS,
        }";
        template(text, &values)
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
        let ignore = self.entries.iter().any(|entry| entry.name == "ignore" && entry.value.is_empty());
        let ignore = if ignore { self.flag("ignore") } else { self.value("ignore", "")? };
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
        Ok(Manner {
            waits,
            invocations_max,
            strategy,
            environment,
            arguments,
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

/// A number without a type of its own is one of 64 bits, and not of 32.
fn wide(tokens: TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    match trees.as_slice() {
        [TokenTree::Literal(number)] if number.to_string().chars().all(|c| c.is_ascii_digit() || c == '_') => {
            template("(NUMBER as u64)", &[("NUMBER", tokens)])
        }
        _ => tokens,
    }
}

/// What an invocation does beside taking time.
#[derive(Clone, Default)]
pub(crate) struct Extent {
    /// What it works through: names and amounts.
    pub(crate) rates: Vec<(TokenStream, TokenStream)>,
    ignore: TokenStream,
    skip_if: TokenStream,
    /// The numbers of threads that run the body in step, and where they are given.
    pub(crate) team: Option<(Span, TokenStream)>,
}

/// `self` means the instance.
pub(crate) fn names_self(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Group(group) => names_self(&group.stream()),
        tree => is_ident(Some(&tree), "self"),
    })
}

impl Extent {
    /// What is given here, and the rest from what holds for all.
    pub(crate) fn over(self, all: &Extent) -> Extent {
        let either = |own: TokenStream, all: &TokenStream| if own.is_empty() { all.clone() } else { own };
        Extent {
            rates: if self.rates.is_empty() { all.rates.clone() } else { self.rates },
            ignore: either(self.ignore, &all.ignore),
            skip_if: either(self.skip_if, &all.skip_if),
            team: self.team.or_else(|| all.team.clone()),
        }
    }

    /// The fields `rates` and `wanted`.
    fn functions(&self, home: &TokenStream, parameters: &[Values]) -> (TokenStream, TokenStream) {
        let none = || code("::core::option::Option::None");
        let mut list = TokenStream::new();
        for (name, amount) in &self.rates {
            let values = [("HOME", home.clone()), ("NAME", name.clone()), ("AMOUNT", amount.clone())];
            list.extend(match names_self(amount) {
                true => template("HOME::__private::Rate::new(NAME, ::core::option::Option::None),", &values),
                false => template_at(
                    amount,
                    "HOME::__private::Rate::new(NAME, ::core::option::Option::Some(
                        HOME::__private::Operations::amount(AMOUNT, NAME)?
                    )),",
                    &values,
                ),
            });
        }
        let picks = picks(home, parameters);
        let function = |text: &str, body: TokenStream| {
            let values = [("HOME", home.clone()), ("PICKS", picks.clone()), ("BODY", body)];
            template(text, &values)
        };
        let rates = match self.rates.is_empty() {
            true => none(),
            false => function(
                "::core::option::Option::Some(|__tare_choice: &HOME::__private::Choice| {
                    PICKS ::core::result::Result::Ok(::std::vec![BODY])
                })",
                list,
            ),
        };
        let mut steps = TokenStream::new();
        if !self.skip_if.is_empty() {
            let values = [("HOME", home.clone()), ("SKIP", self.skip_if.clone())];
            let text = "if SKIP { return HOME::__private::Wanted::LeftOut; }";
            steps.extend(template_at(&self.skip_if, text, &values));
        }
        if !self.ignore.is_empty() {
            let values = [("HOME", home.clone()), ("IGNORE", self.ignore.clone())];
            let text = "if let ::core::option::Option::Some(reason) = HOME::__private::Ignore::reason(IGNORE) {
                return HOME::__private::Wanted::Skipped(reason);
            }";
            steps.extend(template_at(&self.ignore, text, &values));
        }
        let wanted = match steps.is_empty() {
            true => none(),
            false => function(
                "::core::option::Option::Some(|__tare_choice: &HOME::__private::Choice| {
                    PICKS BODY HOME::__private::Wanted::Yes
                })",
                steps,
            ),
        };
        (rates, wanted)
    }

    /// The number of threads as a parameter.
    fn threads(&self) -> Option<Values> {
        let (span, values) = self.team.clone()?;
        Some(Values {
            name: "threads".to_owned(),
            key: Ident::new("threads", span),
            kind: code("u32"),
            values,
            row: false,
        })
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
    pub(crate) manner: Manner,
    pub(crate) extent: Extent,
    pub(crate) returns: bool,
    pub(crate) generics: &'a [Filled],
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
            operations: |__tare_choice: &HOME::__private::Choice| { OPERATIONS },
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

/// `let n: usize = __tare_choice.pick::<usize>(0, [10, 100], ...);` for each parameter.
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
            "let NAME: KIND = HOME::__private::lend!(__tare_choice.pick(NUMBER, VALUES, |text, reader| {
                HOME::__private::read!(text, reader)
            }));"
        } else {
            "let NAME: KIND = __tare_choice.pick::<KIND>(NUMBER, VALUES, |text, reader| {
                HOME::__private::read!(text, reader)
            });"
        };
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
            ("ORDER", code(&format!("{}_u32", self.order))),
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

/// `Some(VALUE)`, or the default.
pub(crate) fn group(plan: &mut Plan, default: &str) -> Result<TokenStream> {
    let given = plan.value("group", "")?;
    if given.is_empty() {
        return Ok(code(default));
    }
    Ok(template("::core::option::Option::Some(GROUP)", &[("GROUP", given)]))
}

/// A type without the names of lifetimes, which are those of the function: `&'_ str` for `&'a str`.
fn anonymous(kind: TokenStream) -> TokenStream {
    let mut after_mark = false;
    let one = |tree: TokenTree| {
        let named = std::mem::replace(&mut after_mark, is_punct(Some(&tree), '\''));
        match tree {
            TokenTree::Ident(name) if named && name.to_string() != "static" => Ident::new("_", name.span()).into(),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), anonymous(group.stream()));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            tree => tree,
        }
    };
    kind.into_iter().map(one).collect()
}

/// The parameters of a function with their types.
pub(crate) fn wanted(arguments: &Signature) -> Vec<(String, TokenStream)> {
    arguments
        .arguments
        .iter()
        .map(|argument| (argument.name.clone(), anonymous(argument.kind.iter().cloned().collect())))
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
                    None => "HOME::__private::parameter!(state.NUMBER)",
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
