//! One of the bodies of `inlining_many`, alone in its file.

#[macro_use]
mod inlining;

body!(fifty, Fifty, [0x5a00_3001 0x5a00_3002 0x5a00_3003 0x5a00_3004 0x5a00_3005], 5 5);

fn main() {
    tare::main();
}
