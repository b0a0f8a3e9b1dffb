//! Tells valgrind's callgrind, which counts instructions, where a measuring loop begins and ends: requests that are code without an effect,
//! which valgrind reads as calls (its manual: the client request mechanism).

use std::sync::OnceLock;

/// This system and processor have such requests.
pub(crate) const HAS: bool =
    cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)));

/// Of callgrind, by their numbers.
#[derive(Clone, Copy)]
enum Request {
    Dump = 0x4354_0000,
    Zero = 0x4354_0001,
}

/// Whether callgrind counts: the host says it in `TARE_CALLGRIND`.
fn are_wanted() -> bool {
    static WANTED: OnceLock<bool> = OnceLock::new();
    *WANTED.get_or_init(|| HAS && std::env::var_os("TARE_CALLGRIND").is_some())
}

/// A loop begins: what all threads execute counts from here on.
pub(crate) fn begin() {
    if are_wanted() {
        ask(Request::Zero);
    }
}

/// A loop has ended.
pub(crate) fn end() {
    if are_wanted() {
        ask(Request::Dump);
    }
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
fn ask(request: Request) {
    let words = [request as u64, 0, 0, 0, 0, 0];
    // SAFETY: rotations by 128 bits in all and an exchange of a register with itself; valgrind reads `words`, and its reply is in the
    // register of the 0.
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
