//! The order of the benchmarks: that of their declaration, the same in every process.

use super::{Bench, BENCHES};

pub(super) fn benches() -> Vec<&'static Bench> {
    let all = BENCHES.items();
    let key = |at: usize| {
        let bench: &Bench = all[at];
        (bench.file, bench.line, bench.order, bench.module, bench.name)
    };
    // Those that a loop adds stand at one line. Their own order may differ from process to process (that of a `HashMap` does), and a
    // benchmark is opened by its number.
    let added: Vec<_> = all.iter().map(|bench| bench.added.is_some().then(|| natural(&bench.text()))).collect();
    let less = |a: usize, b: usize| {
        (key(a).0, key(a).1, &added[a]).cmp(&(key(b).0, key(b).1, &added[b])).then(key(a).cmp(&key(b)))
    };
    order(all.len(), &|a, b| less(a, b).is_lt()).into_iter().map(|at| all[at]).collect()
}

/// A text with its numbers filled up with zeros: `n=9` comes before `n=10`.
fn natural(text: &str) -> String {
    let mut out = String::new();
    let mut digits = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        for _ in digits.len()..20 * usize::from(!digits.is_empty()) {
            out.push('0');
        }
        out.push_str(&digits);
        digits.clear();
        out.push(c);
    }
    out
}

/// The numbers below `count` in ascending order: a heap sort. It is here because those of the standard library take a
/// second to compile, once for each type.
pub(crate) fn order(count: usize, less: &dyn Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut heap: Vec<usize> = (0..count).collect();
    let sink = |heap: &mut [usize], mut root: usize| loop {
        let mut child = 2 * root + 1;
        if child >= heap.len() {
            break;
        }
        if child + 1 < heap.len() && less(heap[child], heap[child + 1]) {
            child += 1;
        }
        if !less(heap[root], heap[child]) {
            break;
        }
        heap.swap(root, child);
        root = child;
    };
    for root in (0..count / 2).rev() {
        sink(&mut heap, root);
    }
    for end in (1..count).rev() {
        heap.swap(0, end);
        sink(&mut heap[..end], 0);
    }
    heap
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn order_sorts() {
        for count in 0..40_usize {
            let values: Vec<usize> = (0..count).map(|n| n * 7919 % 41).collect();
            let sorted: Vec<usize> = order(count, &|a, b| values[a] < values[b]).iter().map(|&at| values[at]).collect();
            assert!(sorted.windows(2).all(|pair| pair[0] <= pair[1]), "{sorted:?}");
            assert_eq!(sorted.len(), count);
        }
    }
}
