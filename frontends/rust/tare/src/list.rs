//! Lists that are filled before `main`: the loader calls a function for each attribute, so no benchmark has to be named in `main`,
//! and none can be forgotten.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A list of static nodes.
pub struct List<T: 'static> {
    first: AtomicPtr<Node<T>>,
}

/// A node of a list.
pub struct Node<T: 'static> {
    item: T,
    next: AtomicPtr<Node<T>>,
}

impl<T: 'static> List<T> {
    pub(crate) const fn new() -> List<T> {
        List { first: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Adds a node. Called once for each, before `main` or when a library is loaded.
    pub fn push(&self, node: &'static Node<T>) {
        let this: *const Node<T> = node;
        let mut first = self.first.load(Ordering::Relaxed);
        loop {
            node.next.store(first, Ordering::Relaxed);
            match self.first.compare_exchange_weak(first, this.cast_mut(), Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => first = now,
            }
        }
    }

    /// The items. Their order is up to the linker.
    pub(crate) fn items(&self) -> Vec<&'static T> {
        let mut all = Vec::new();
        let mut at = self.first.load(Ordering::Acquire);
        // SAFETY: the list holds `&'static Node`s; a node does not change once it is in the list.
        while let Some(node) = unsafe { at.as_ref() } {
            all.push(&node.item);
            at = node.next.load(Ordering::Relaxed);
        }
        all
    }
}

impl<T: 'static> Node<T> {
    /// A node that is not in a list yet.
    pub const fn new(item: T) -> Node<T> {
        Node { item, next: AtomicPtr::new(ptr::null_mut()) }
    }
}

/// Registers an item in a list when the program is loaded.
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    ($list:path, $kind:ty, $item:expr) => {
        const _: () = {
            static __TARE_NODE: $crate::__private::Node<$kind> = $crate::__private::Node::new($item);
            #[used]
            #[cfg_attr(windows, link_section = ".CRT$XCU")]
            #[cfg_attr(target_vendor = "apple", link_section = "__DATA,__mod_init_func")]
            #[cfg_attr(not(any(windows, target_vendor = "apple")), link_section = ".init_array")]
            static __TARE_REGISTER: extern "C" fn() = {
                extern "C" fn register() {
                    $list.push(&__TARE_NODE);
                }
                register
            };
        };
    };
}
