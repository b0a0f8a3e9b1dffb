//! Set-ups that fail: a `Result` or a panic is reported with its message, and the other benchmarks continue.

use std::fs::File;
use std::io::{self, Read, Seek};

struct Device(File);

#[tare::bench(path = ["/dev/zero", "/dev/urandom"], unit = "byte", operations = 4096)]
impl Device {
    #[set_up]
    fn open(path: &str) -> io::Result<Self> {
        File::open(path).map(Device)
    }

    #[iteration_set_up]
    fn rewind(&mut self) -> io::Result<()> {
        self.0.rewind()
    }

    #[bench]
    fn read(&mut self) -> usize {
        let mut bytes = [0; 4096];
        self.0.read(&mut bytes).unwrap()
    }
}

/// A function that is a set-up may fail too.
#[tare::bench]
fn first_byte() -> io::Result<impl FnMut() -> u8> {
    let mut file = File::open("/dev/zero")?;
    Ok(move || {
        let mut byte = [1];
        file.read_exact(&mut byte).unwrap();
        byte[0]
    })
}

fn main() {
    tare::main();
}
