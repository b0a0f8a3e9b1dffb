//! Bodies of 5 to 200 dependent additions, shifts and rotations, in every form. Each contains a mark, a unique number by which
//! `tests/machine_code.rs` finds it.

macro_rules! five {
    ($x:ident) => {
        $x = $x.wrapping_add($x >> 7);
        $x ^= $x.rotate_left(13);
        $x = $x.wrapping_add(0x0765_4321);
        $x ^= $x << 9;
        $x = $x.rotate_left(31).wrapping_sub($x);
    };
}

/// The mark, then groups of five steps.
macro_rules! steps {
    ($x:expr, $mark:literal, $($each:tt)*) => {{
        let mut x: u64 = $x ^ $mark;
        $(steps!(@ x $each);)*
        x
    }};
    (@ $x:ident 1) => { five!($x); };
    (@ $x:ident 5) => { five!($x); five!($x); five!($x); five!($x); five!($x); };
}

/// A body as a function, a closure and a method, with a borrowed and a consumed input.
macro_rules! body {
    ($name:ident, $kind:ident, [$a:literal $b:literal $c:literal $d:literal $e:literal], $($each:tt)*) => {
        mod $name {
            #[tare::bench(x = [12345_u64])]
            fn function(x: u64) -> u64 {
                steps!(x, $a, $($each)*)
            }

            #[tare::bench]
            fn closure() -> impl FnMut() -> u64 {
                let mut state = 1_u64;
                move || {
                    state = steps!(state, $b, $($each)*);
                    state
                }
            }

            #[derive(Default)]
            struct $kind(u64);

            #[tare::bench]
            impl $kind {
                #[bench]
                fn method(&mut self) -> u64 {
                    self.0 = steps!(self.0, $c, $($each)*);
                    self.0
                }
            }

            #[tare::bench(input = 7_u64)]
            fn lent(x: &mut u64) -> u64 {
                *x = steps!(*x, $d, $($each)*);
                *x
            }

            #[tare::bench(input = 7_u64)]
            fn consumed(x: u64) -> u64 {
                steps!(x, $e, $($each)*)
            }
        }
    };
}
