//! The options of an attribute as written, and which of them have been used.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::parse::Signature;
use crate::tokens::{as_group, is_punct, list, mistake, plain, quote, quote_at, split, Commas, Result, Tokens};

/// An option: `key` or `key = value`.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) key: Ident,
    pub(crate) name: String,
    /// Empty for a flag.
    pub(crate) value: Vec<TokenTree>,
    /// Whether something has read it; unused options are reported.
    pub(crate) used: bool,
    /// Its values are in the same rows as those of the previous option.
    pub(crate) row: bool,
}

impl Entry {
    /// The value; an error if there is none.
    pub(crate) fn value(&self) -> Result<TokenStream> {
        let name = &self.name;
        if self.value.is_empty() {
            return mistake(self.key.span(), format!("`{name}` needs a value: `{name} = ...`"));
        }
        Ok(self.value.tokens())
    }

    /// `key` or `key = true`.
    pub(crate) fn flag(&self) -> TokenStream {
        if self.value.is_empty() {
            true.tokens()
        } else {
            self.value.tokens()
        }
    }

    /// The items of `[A, B]`, or the only item.
    pub(crate) fn items(&self, kind: Commas) -> Vec<Vec<TokenTree>> {
        list(&self.value, kind).unwrap_or_else(|| vec![self.value.clone()])
    }
}

pub(crate) struct Entries(pub(crate) Vec<Entry>);

impl Entries {
    /// `key, key = value, (key, key) = values, ...`
    pub(crate) fn read(tokens: TokenStream) -> Result<Entries> {
        let mut entries = Entries(Vec::new());
        for part in split(tokens, Commas::OfExpressions) {
            if let Some(names) = as_group(part.first(), Delimiter::Parenthesis) {
                entries.read_rows(names, &part)?;
                continue;
            }
            let mut trees = part.into_iter();
            let key = match trees.next() {
                Some(TokenTree::Ident(key)) => key,
                Some(tree) => return mistake(tree.span(), "expected an option: `name = value` or `baseline`"),
                None => return mistake(Span::call_site(), "expected an option before the comma"),
            };
            let sign = trees.next();
            let value: Vec<TokenTree> = trees.collect();
            match sign {
                Some(sign) if !is_punct(Some(&sign), '=') => {
                    return mistake(sign.span(), format!("expected `{key} = ...`, or a comma after `{key}`"));
                }
                Some(sign) if value.is_empty() => {
                    return mistake(sign.span(), format!("expected a value after `{key} =`"));
                }
                _ => entries.add(key, value, false)?,
            }
        }
        Ok(entries)
    }

    /// `(a, b) = [(1, "x"), (2, "y")]`: values of several parameters that belong together.
    fn read_rows(&mut self, names: &Group, part: &[TokenTree]) -> Result<()> {
        let values = match part {
            [_, sign, values @ ..] if is_punct(Some(sign), '=') && !values.is_empty() => values.tokens(),
            _ => return mistake(names.span(), "expected rows of values: `(a, b) = [(1, 2), (3, 4)]`"),
        };
        for (number, name) in split(names.stream(), Commas::OfExpressions).into_iter().enumerate() {
            let [TokenTree::Ident(key)] = name.as_slice() else {
                return mistake(names.span(), "expected names of parameters: `(a, b) = [(1, 2), (3, 4)]`");
            };
            let column = quote_at!(values, {
                ::core::iter::IntoIterator::into_iter(#values).map(|row| row.#number)
            }, values, number);
            self.add(key.clone(), column.into_iter().collect(), number != 0)?;
        }
        Ok(())
    }

    fn add(&mut self, key: Ident, value: Vec<TokenTree>, row: bool) -> Result<()> {
        let name = plain(&key);
        if self.has(&name) {
            return mistake(key.span(), format!("`{name}` is given twice"));
        }
        self.0.push(Entry { key, name, value, used: false, row });
        Ok(())
    }

    /// Whether the option was given, used or not.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|entry| entry.name == name)
    }

    /// Takes the option, if it was given and is still unused.
    pub(crate) fn take(&mut self, name: &str) -> Option<Entry> {
        self.take_if(name, |_| true)
    }

    pub(crate) fn take_if(&mut self, name: &str, is_wanted: impl Fn(&Entry) -> bool) -> Option<Entry> {
        let entry = self.0.iter_mut().find(|entry| entry.name == name && !entry.used && is_wanted(entry))?;
        entry.used = true;
        Some(entry.clone())
    }

    /// Renames `args` to the only parameter without values (with `input`, the first of two).
    pub(crate) fn name_args(&mut self, signature: &Signature) {
        let without: Vec<_> = signature.arguments.iter().filter(|argument| !self.has(&argument.name)).collect();
        if without.len() != 1 + usize::from(self.has("input")) || without[0].name == "args" {
            return;
        }
        if let Some(entry) = self.0.iter_mut().find(|entry| entry.name == "args") {
            entry.name = without[0].name.clone();
            // The user's expressions may use this name, like that of any parameter.
            entry.key = Ident::new_raw(&entry.name, entry.key.span());
        }
    }

    pub(crate) fn value(&mut self, name: &str) -> Result<Option<TokenStream>> {
        self.take(name).map(|entry| entry.value()).transpose()
    }

    /// Where the crate `tare` is.
    pub(crate) fn home(&mut self) -> Result<TokenStream> {
        Ok(self.value("crate")?.unwrap_or_else(|| quote!({ ::tare })))
    }

    pub(crate) fn unused(&self) -> impl Iterator<Item = &Entry> {
        self.0.iter().filter(|entry| !entry.used)
    }
}
