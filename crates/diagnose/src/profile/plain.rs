//! Names of functions as two builds of a program have in common.

/// The name of a function without its parameters and without what compilers and front ends add, which differ between two builds.
pub fn plain(name: &str) -> String {
    // A front end of C and C++ names the body of a benchmark by its line.
    if name.starts_with("tare_benchmark_") {
        return "the body".to_owned();
    }
    // .NET has what it returns and the module before the method.
    let of_module =
        name.split_once(" [").filter(|_| !name.starts_with('<')).and_then(|(_, rest)| rest.split_once("] "));
    let name = of_module.map_or(name, |(_, method)| method);
    let name = name.split(" [clone").next().unwrap_or(name);
    let name = name.rsplit_once("::h").map_or(name, |(start, end)| {
        let is_hash = end.len() == 16 && end.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hash {
            start
        } else {
            name
        }
    });
    let name = &without_types(name);
    let (mut depth, mut before) = (0_usize, ' ');
    for (at, c) in name.char_indices() {
        match c {
            '(' if depth == 0 && at > 0 && !name[..at].ends_with("operator") && may_end_name(before) => {
                return name[..at].to_owned();
            }
            '<' | '{' if !name[..at].ends_with("operator") => depth += 1,
            '>' | '}' if before != '-' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = c;
    }
    name.to_owned()
}

/// A name can end with it, before parameters.
fn may_end_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '>' | '}' | ')' | '<')
}

/// A name in which long lists of types are cut short.
fn without_types(name: &str) -> String {
    const LONG: usize = 40;
    let (mut text, mut depth, mut list) = (String::new(), 0_usize, String::new());
    for c in name.chars() {
        let is_behind_name = text.ends_with(|before: char| before.is_alphanumeric()) && !text.ends_with("operator");
        let is_begin = c == '<' && (depth > 0 || is_behind_name);
        let is_end = c == '>' && depth > 0 && !list.ends_with('-');
        match (is_begin, is_end, depth) {
            (false, _, 0) => text.push(c),
            _ => list.push(c),
        }
        depth = (depth + usize::from(is_begin)).saturating_sub(usize::from(is_end));
        if is_end && depth == 0 {
            text.push_str(if list.chars().count() > LONG { "<…>" } else { &list });
            list.clear();
        }
    }
    // The end of a long name may be cut off.
    text + if list.chars().count() > LONG { "<…>" } else { &list }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_function_is_the_same_whatever_its_parameters_are() {
        for (written, name) in [
            (
                "nearest(std::vector<Point, std::allocator<Point> > const&, float, float) [clone .constprop.0]",
                "nearest",
            ),
            ("tare_benchmark_17_0::{lambda()#1}::operator()() const", "the body"),
            ("Space::Functor::operator()(int) const", "Space::Functor::operator()"),
            ("f<void (*)(int)>(long)", "f<void (*)(int)>"),
            ("internal/sync.(*Mutex).Unlock", "internal/sync.(*Mutex).Unlock"),
            ("(garbage collector)", "(garbage collector)"),
            ("find<(u64, u32), alloc::alloc::Global, closure_env#0<u64>>", "find<…>"),
            ("<T as core::iter::Iterator>::next", "<T as core::iter::Iterator>::next"),
            ("fold<geometry::Vec3, f32, core::iter::adapters::map::map_f", "fold<…>"),
            ("S::operator<(S const&)", "S::operator<"),
            ("is_stop (stop.py:8)", "is_stop (stop.py:8)"),
            ("core::hash::sip::write::h0123456789abcdef", "core::hash::sip::write"),
            ("instance int32 [t] T::Sum()[OptimizedTier1]", "T::Sum"),
        ] {
            assert_eq!(plain(written), name);
        }
    }
}
