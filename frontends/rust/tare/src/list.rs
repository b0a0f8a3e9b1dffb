//! Lists that are filled before `main`: the loader calls a function for each attribute, so no benchmark has to be named in `main`,
//! and none can be forgotten.

use std::sync::{Mutex, PoisonError};

/// A list of static items.
pub struct List<T: 'static>(Mutex<Vec<&'static T>>);

impl<T: 'static> List<T> {
    pub(crate) const fn new() -> List<T> {
        List(Mutex::new(Vec::new()))
    }

    /// Adds an item: before `main`, or when a library is loaded.
    pub fn push(&self, item: &'static T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(item);
    }

    /// The items. Their order is up to the linker.
    pub(crate) fn items(&self) -> Vec<&'static T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Registers an item in a list when the program is loaded.
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    ($list:path, $kind:ty, $item:expr) => {
        const _: () = {
            static __TARE_ITEM: $kind = $item;
            #[used]
            #[cfg_attr(windows, link_section = ".CRT$XCU")]
            #[cfg_attr(target_vendor = "apple", link_section = "__DATA,__mod_init_func")]
            #[cfg_attr(not(any(windows, target_vendor = "apple")), link_section = ".init_array")]
            static __TARE_REGISTER: extern "C" fn() = {
                extern "C" fn register() {
                    $list.push(&__TARE_ITEM);
                }
                register
            };
        };
    };
}
