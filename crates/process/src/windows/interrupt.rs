//! Interrupts by the user: Ctrl-C, Ctrl-Break, the end of the console.

use super::group::kill_all;
use crate::interrupt::{came, Came, EXIT_INTERRUPTED, MESSAGE};
use std::io::{self, Write};
use std::sync::Once;
use windows_sys::Win32::System::Console::SetConsoleCtrlHandler;

/// Takes Ctrl-C and its like. Where nothing is held (see [`crate::hold_interrupts`]) the first ends the process with a message and status
/// 130. Else it sets the flag of [`crate::interrupted`]; a second ends all helpers and the host with status 130. Calling it again does
/// nothing.
///
/// # Errors
/// When the system refuses.
pub fn install_interrupt_handler() -> io::Result<()> {
    static INSTALLED: Once = Once::new();
    let mut result = Ok(());
    INSTALLED.call_once(|| {
        // SAFETY: the handler runs in a thread of its own and may do what any thread may.
        if unsafe { SetConsoleCtrlHandler(Some(on_event), 1) } == 0 {
            result = Err(io::Error::last_os_error());
        }
    });
    result
}

/// Not 0: it is taken care of.
extern "system" fn on_event(_event: u32) -> i32 {
    let came = came();
    if came != Came::Asks {
        if came == Came::Ends {
            // A stderr that is closed is no harm.
            let _ = io::stderr().write_all(MESSAGE);
        }
        kill_all();
        std::process::exit(EXIT_INTERRUPTED);
    }
    1
}
