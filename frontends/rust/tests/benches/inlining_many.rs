//! Bodies of all sizes in one file.

#[macro_use]
mod inlining;

body!(five_steps, Five, [0x5a00_1001 0x5a00_1002 0x5a00_1003 0x5a00_1004 0x5a00_1005], 1);
body!(twenty_five, TwentyFive, [0x5a00_2001 0x5a00_2002 0x5a00_2003 0x5a00_2004 0x5a00_2005], 5);
body!(fifty, Fifty, [0x5a00_3001 0x5a00_3002 0x5a00_3003 0x5a00_3004 0x5a00_3005], 5 5);
body!(a_hundred, AHundred, [0x5a00_4001 0x5a00_4002 0x5a00_4003 0x5a00_4004 0x5a00_4005], 5 5 5 5);
body!(two_hundred, TwoHundred, [0x5a00_5001 0x5a00_5002 0x5a00_5003 0x5a00_5004 0x5a00_5005], 5 5 5 5 5 5 5 5);

fn main() {
    tare::main();
}
