//! Selects how the state of a body is hidden from the optimiser: see `loops.rs` in `tare`.

use proc_macro::{TokenStream, TokenTree};

use crate::tokens::{code, flat, is_ident, Tokens};

/// The way for a function with this return type, and for the closure it visibly returns, if any.
pub(crate) fn way(returns: &[TokenTree], closure: Option<&[TokenTree]>, names_place: bool) -> TokenStream {
    let number = |kind: Option<&TokenTree>| is_ident(kind, "f64") || is_ident(kind, "f32");
    // A boxed closure is a pair of pointers, regardless of its result.
    let boxed = returns.iter().any(|tree| is_ident(Some(tree), "dyn"));
    let is_float = match closure {
        Some(closure) => number(closure.first()) && !boxed,
        None => returns.len() == 1 && number(returns.first()),
    };
    code(match (names_place, is_float) {
        (true, _) => "PLACE",
        (false, true) => "FLOATS",
        (false, false) => "WORDS",
    })
}

/// Whether code names a type that works by its address: a lock or an atomic.
pub(crate) fn names_place(item: &[TokenTree]) -> bool {
    let all = flat(item.tokens());
    // The name of the function itself does not count.
    let is_name = |at: usize| at > 0 && is_ident(all.get(at - 1), "fn");
    let is_place = |tree: &TokenTree| matches!(tree, TokenTree::Ident(name) if is_of_place(&name.to_string()));
    all.iter().enumerate().any(|(at, tree)| is_place(tree) && !is_name(at))
}

/// Whether this is the name of an atomic type, a lock, or one of their methods.
fn is_of_place(name: &str) -> bool {
    let of_atomic = |what: &str| ["add", "sub", "and", "or", "xor", "nand", "max", "min", "update"].contains(&what);
    name.starts_with("Atomic")
        || name.strip_prefix("fetch_").is_some_and(of_atomic)
        || ["compare_exchange", "compare_exchange_weak", "Mutex", "RwLock", "lock", "try_lock"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::is_of_place;

    #[test]
    fn only_what_works_through_its_address_is_a_place() {
        for name in ["AtomicU64", "fetch_add", "fetch_update", "compare_exchange_weak", "lock", "Mutex"] {
            assert!(is_of_place(name), "{name}");
        }
        for name in ["fetch_url", "fetch_", "fetch_address", "compare_exchanges", "locked", "block"] {
            assert!(!is_of_place(name), "{name}");
        }
    }
}
