//! Faults that tests switch on, to show that they would be found.

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutant {
    /// Every seat sees every face.
    GrantsAll,
    /// Others see the faces of a hand.
    OpenHands,
    /// The second piece of a stack is seen as the first is.
    OpenStacks,
    /// A shuffle leaves knowledge behind.
    ShuffleKeepsKnowledge,
    /// A piece that enters a hand stays known to others.
    HandKeepsKnowledge,
    /// Handles outlive hiding.
    KeepsHandles,
    /// Handles are minted in the order of piece numbers.
    MintsByNumber,
    /// A refusal of `accepts` looks at hidden definitions.
    AcceptsByFace,
    /// Marks outlive a stack.
    KeepsMarks,
    /// Undo gives back knowledge of pieces that were moved since.
    UndoFindsMoved,
    /// A changed face is sent to whoever saw the one before it.
    UpdatesOldFaces,
}

#[cfg(test)]
pub(crate) use switch::is;
#[cfg(test)]
pub(crate) use switch::with;

/// No fault is ever on outside of tests.
#[cfg(not(test))]
pub(crate) const fn is(_: Mutant) -> bool {
    false
}

#[cfg(test)]
mod switch {
    use super::Mutant;
    use std::cell::Cell;

    thread_local! {
        static PRESENT: Cell<Option<Mutant>> = const { Cell::new(None) };
    }

    /// Runs with a fault.
    pub(crate) fn with<T>(mutant: Mutant, run: impl FnOnce() -> T) -> T {
        PRESENT.set(Some(mutant));
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
        PRESENT.set(None);
        result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    /// True if the fault is on.
    pub(crate) fn is(mutant: Mutant) -> bool {
        PRESENT.get() == Some(mutant)
    }
}
