//! A table whose slots are used again. Slots are identity, not state: nothing that decides behaviour depends on them.

/// Values in numbered slots.
#[derive(Clone, Debug)]
pub(crate) struct Slab<T> {
    items: Vec<T>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<T> Slab<T> {
    /// Puts `item` into a free slot and says which.
    pub(crate) fn insert(&mut self, item: T) -> u32 {
        if let Some(slot) = self.free.pop() {
            self.items[slot as usize] = item;
            slot
        } else {
            self.items.push(item);
            (self.items.len() - 1) as u32
        }
    }

    /// Frees a slot; what was in it stays readable until it is used again.
    pub(crate) fn release(&mut self, slot: u32) {
        debug_assert!(
            self.free.len() > 64 || !self.free.contains(&slot),
            "slot {slot} is freed twice"
        );
        self.free.push(slot);
    }

    /// Takes the next slot as it was left, for the caller to make new, or says that there is none.
    pub(crate) fn reuse(&mut self) -> Option<u32> {
        self.free.pop()
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.items.clear();
        self.free.clear();
    }

    /// Frees every slot, keeping what is in it for reuse, after `retire` has had it; slots are dealt out from the first.
    pub(crate) fn rewind(&mut self, retire: impl FnMut(&mut T)) {
        self.items.iter_mut().for_each(retire);
        self.free.clear();
        self.free.extend((0..self.items.len() as u32).rev());
    }

    #[inline]
    pub(crate) fn get(&self, slot: u32) -> &T {
        &self.items[slot as usize]
    }

    #[inline]
    pub(crate) fn peek(&self, slot: u32) -> Option<&T> {
        self.items.get(slot as usize)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, slot: u32) -> &mut T {
        &mut self.items[slot as usize]
    }

    /// All slots, also the free ones.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u32, &T)> {
        (0..).zip(&self.items)
    }

    /// Slots in use or free.
    #[cfg(debug_assertions)]
    pub(crate) fn slots(&self) -> usize {
        self.items.len()
    }

    /// Slots in use.
    pub(crate) fn used(&self) -> usize {
        self.items.len() - self.free.len()
    }
}
