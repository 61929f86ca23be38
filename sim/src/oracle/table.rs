//! A table under the engine's numbers, which are counted from 0.

/// A number beyond this is no name: no run comes so far, and a wrong one must not cost all memory.
const NUMBERS_MAX: usize = 1 << 24;

/// Values by number; what was never set is the default.
#[derive(Clone, Debug, Default)]
pub(super) struct Table<T> {
    items: Vec<T>,
}

impl<T: Copy + Default> Table<T> {
    pub(super) fn clear(&mut self) {
        self.items.clear();
    }

    pub(super) fn at(&self, number: u32) -> T {
        self.items.get(number as usize).copied().unwrap_or_default()
    }

    /// The place of this number; `None` for one that is no name.
    pub(super) fn at_mut(&mut self, number: u32) -> Option<&mut T> {
        let number = number as usize;
        if number >= self.items.len() {
            if number >= NUMBERS_MAX {
                return None;
            }
            self.items.resize(number + 1, T::default());
        }
        self.items.get_mut(number)
    }
}
