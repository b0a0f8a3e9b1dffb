//! Tells valgrind's callgrind, which counts instructions, where a measuring loop begins and ends. It uses client requests (see
//! valgrind's manual): instruction sequences without an effect that valgrind interprets as calls.

use std::sync::OnceLock;

/// Whether client requests exist for this platform.
pub(crate) const HAS: bool =
    cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)));

/// Numbers of callgrind's client requests.
#[derive(Clone, Copy)]
enum Request {
    Dump = 0x4354_0000,
    Zero = 0x4354_0001,
}

/// Whether callgrind counts; the host sets `TARE_CALLGRIND`.
fn are_wanted() -> bool {
    static WANTED: OnceLock<bool> = OnceLock::new();
    *WANTED.get_or_init(|| HAS && std::env::var_os("TARE_CALLGRIND").is_some())
}

/// Begins a loop: from here on, the instructions of all threads count.
pub(crate) fn begin() {
    if are_wanted() {
        ask(Request::Zero);
    }
}

pub(crate) fn end() {
    if are_wanted() {
        ask(Request::Dump);
    }
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
fn ask(request: Request) {
    let words = [request as u64, 0, 0, 0, 0, 0];
    // SAFETY: rotations by 128 bits in total, and an exchange of a register with itself. Valgrind reads `words` and puts its reply into
    // the register that holds 0.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        std::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") words.as_ptr(), inout("rdx") 0_u64 => _, options(nostack),
        );
        #[cfg(target_arch = "aarch64")]
        std::arch::asm!(
            "ror x12, x12, #3", "ror x12, x12, #13", "ror x12, x12, #51", "ror x12, x12, #61", "orr x10, x10, x10",
            in("x4") words.as_ptr(), inout("x3") 0_u64 => _, options(nostack),
        );
    }
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
fn ask(_: Request) {}
