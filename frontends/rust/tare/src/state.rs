use crate::registry::Choice;
use crate::show::Shown;
use crate::vtable::{Amounts, Ask, Outcome, Vtable};

/// The state that the set-up of a benchmark made, with the functions that know its type.
pub(crate) struct State<'a> {
    vtable: &'a Vtable,
    at: *mut (),
    /// The clean-up has consumed it.
    is_gone: bool,
}

impl<'a> State<'a> {
    pub(crate) fn make(vtable: &'a Vtable, choice: &Choice) -> Result<Self, String> {
        (vtable.make)(choice).map(|at| State { vtable, at, is_gone: false })
    }

    /// Its address, for the loops of its vtable.
    pub(crate) fn at(&self) -> *mut () {
        self.at
    }

    fn ask<T>(&self, question: Ask<T>) -> T {
        // SAFETY: all functions of the vtable match its type. They run one after the other and do not refer to `self`.
        unsafe { question(self.at) }
    }

    fn hook(&self, hook: Option<Ask<Outcome>>) -> Outcome {
        hook.map_or(Ok(()), |hook| self.ask(hook))
    }

    pub(crate) fn iteration_set_up(&self) -> Outcome {
        self.hook(self.vtable.iteration_set_up)
    }

    pub(crate) fn iteration_clean_up(&self) -> Outcome {
        self.hook(self.vtable.iteration_clean_up)
    }

    pub(crate) fn check(&self) -> Shown {
        self.ask(self.vtable.check)
    }

    pub(crate) fn iteration_operations(&self) -> Option<f64> {
        self.vtable.iteration_operations.map(|count| self.ask(count))
    }

    pub(crate) fn amounts(&self) -> Result<Option<Amounts>, String> {
        self.vtable.amounts.map(|amounts| self.ask(amounts)).transpose()
    }

    /// Bytes of its input type; `None` without inputs.
    pub(crate) fn input_size(&self) -> Option<u64> {
        self.vtable.inputs.map(|inputs| inputs.size)
    }

    /// Makes `count` inputs, if the body takes any.
    pub(crate) fn prepare(&self, count: u64) -> Outcome {
        if let Some(inputs) = self.vtable.inputs {
            // SAFETY: as for `ask`.
            unsafe { (inputs.prepare)(self.at, count) };
        }
        Ok(())
    }

    pub(crate) fn discard(&self) -> Outcome {
        if let Some(inputs) = self.vtable.inputs {
            self.ask(inputs.discard);
        }
        Ok(())
    }

    /// Called once, before it is dropped.
    pub(crate) fn clean_up(&mut self) -> Outcome {
        let Some((clean_up, consumes)) = self.vtable.clean_up else { return Ok(()) };
        self.is_gone = consumes;
        self.ask(clean_up)
    }
}

impl Drop for State<'_> {
    fn drop(&mut self) {
        if !self.is_gone {
            self.ask(self.vtable.drop);
        }
    }
}
