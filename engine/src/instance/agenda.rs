//! What can happen next, kept up to date by each transition (INS-4).
//!
//! Every token and every subscription has at most one entry. Entries stand in order of age, oldest first: that order is
//! the *default order* of schedules. A dense table beside it gives any strategy its n-th entry in constant time. Adding,
//! removing and finding the oldest are constant too, so that a fork of n branches costs O(n) in all.

/// What an entry stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(crate) enum Deed {
    /// The token at a node executes it.
    Step = 1,
    /// The token in transit registers at its target.
    Arrive,
    /// The external work of the token ends.
    Complete,
    /// Work that was interrupted answers.
    Late,
    /// The subscription receives its trigger.
    Fire,
}

/// Names an entry; `u32::MAX` is none.
pub(crate) type Ticket = u32;
pub(crate) const NO_TICKET: Ticket = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) deed: Deed,
    /// The slot of the token, subscription or late work.
    pub(crate) slot: u32,
    /// The number of the transition that put it here. Within one list the order of the list is finer than that.
    pub(crate) born: u64,
    prev: Ticket,
    next: Ticket,
    dense: u32,
}

/// One list of entries.
#[derive(Clone, Debug)]
pub(crate) struct Agenda {
    entries: Vec<Entry>,
    free: Ticket,
    dense: Vec<Ticket>,
    head: Ticket,
    tail: Ticket,
}

impl Default for Agenda {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            free: NO_TICKET,
            dense: Vec::new(),
            head: NO_TICKET,
            tail: NO_TICKET,
        }
    }
}

impl Agenda {
    pub(crate) fn len(&self) -> usize {
        self.dense.len()
    }

    /// The `n`-th entry of the dense table.
    pub(crate) fn get(&self, n: usize) -> Entry {
        self.entries[self.dense[n] as usize]
    }

    /// All entries, in the order of the dense table.
    #[inline]
    pub(crate) fn all(&self) -> impl Iterator<Item = &Entry> {
        self.dense.iter().map(|&ticket| &self.entries[ticket as usize])
    }

    #[inline]
    pub(crate) fn oldest(&self) -> Option<&Entry> {
        self.entries.get(self.head as usize)
    }

    /// Forgets all entries.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.dense.clear();
        (self.free, self.head, self.tail) = (NO_TICKET, NO_TICKET, NO_TICKET);
    }

    /// All entries, oldest first.
    pub(crate) fn by_age(&self) -> impl Iterator<Item = Entry> + '_ {
        let mut at = self.head;
        std::iter::from_fn(move || {
            let entry = *self.entries.get(at as usize)?;
            at = entry.next;
            Some(entry)
        })
    }

    /// Adds an entry as the youngest.
    #[inline]
    pub(crate) fn add(&mut self, deed: Deed, slot: u32, born: u64) -> Ticket {
        let dense = self.dense.len() as u32;
        let entry = Entry {
            deed,
            slot,
            born,
            prev: self.tail,
            next: NO_TICKET,
            dense,
        };
        let ticket = if self.free == NO_TICKET {
            self.entries.push(entry);
            (self.entries.len() - 1) as Ticket
        } else {
            let ticket = self.free;
            self.free = self.entries[ticket as usize].next;
            self.entries[ticket as usize] = entry;
            ticket
        };
        self.dense.push(ticket);
        match self.tail {
            NO_TICKET => self.head = ticket,
            tail => self.entries[tail as usize].next = ticket,
        }
        self.tail = ticket;
        ticket
    }

    /// Gives an entry another deed and makes it the youngest.
    #[inline]
    pub(crate) fn renew(&mut self, ticket: Ticket, deed: Deed, born: u64) {
        if self.tail != ticket {
            self.unlink(ticket);
            let tail = self.tail;
            debug_assert!(tail != NO_TICKET, "an agenda of one has it as its tail");
            self.entries[tail as usize].next = ticket;
            let entry = &mut self.entries[ticket as usize];
            (entry.prev, entry.next) = (tail, NO_TICKET);
            self.tail = ticket;
        }
        let entry = &mut self.entries[ticket as usize];
        (entry.deed, entry.born) = (deed, born);
    }

    pub(crate) fn remove(&mut self, ticket: Ticket) {
        self.unlink(ticket);
        let dense = self.entries[ticket as usize].dense;
        self.dense.swap_remove(dense as usize);
        if let Some(&moved) = self.dense.get(dense as usize) {
            self.entries[moved as usize].dense = dense;
        }
        self.entries[ticket as usize].next = self.free;
        self.free = ticket;
    }

    #[inline]
    fn unlink(&mut self, ticket: Ticket) {
        let Entry { prev, next, .. } = self.entries[ticket as usize];
        match prev {
            NO_TICKET => self.head = next,
            prev => self.entries[prev as usize].next = next,
        }
        match next {
            NO_TICKET => self.tail = prev,
            next => self.entries[next as usize].prev = prev,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(agenda: &Agenda) -> Vec<u32> {
        agenda.by_age().map(|e| e.slot).collect()
    }

    #[test]
    fn keeps_age_order_through_renewal_and_removal() {
        let mut agenda = Agenda::default();
        let tickets: Vec<_> = (0..4).map(|n| agenda.add(Deed::Step, n, u64::from(n))).collect();
        agenda.renew(tickets[0], Deed::Arrive, 4);
        agenda.remove(tickets[2]);
        assert_eq!(slots(&agenda), [1, 3, 0]);
        assert_eq!(agenda.oldest().map(|e| e.slot), Some(1));
        agenda.add(Deed::Fire, 9, 5);
        assert_eq!(slots(&agenda), [1, 3, 0, 9]);
        let mut dense: Vec<_> = (0..agenda.len()).map(|n| agenda.get(n).slot).collect();
        dense.sort_unstable();
        assert_eq!(dense, [0, 1, 3, 9]);
    }

    #[test]
    fn empties_and_fills_again() {
        let mut agenda = Agenda::default();
        let ticket = agenda.add(Deed::Step, 7, 0);
        agenda.renew(ticket, Deed::Arrive, 1);
        agenda.remove(ticket);
        assert_eq!((agenda.len(), agenda.oldest().is_none()), (0, true));
        agenda.add(Deed::Step, 8, 2);
        assert_eq!(slots(&agenda), [8]);
    }
}
