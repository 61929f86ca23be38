//! V4: an instance ends at most once, as it says, and nothing happens in it after that (INS-5).

use trackside_engine::instance::{End, Record};

use super::{After, Invariant};

#[derive(Debug, Default)]
pub(super) struct Ending {
    end: Option<End>,
}

impl Invariant for Ending {
    const ID: (&'static str, &'static str) = ("V4", "INS-5");

    fn restart(&mut self) {
        self.end = None;
    }

    fn note(&mut self, record: &Record) -> Result<(), String> {
        match record {
            // Late answers, and what the world says.
            Record::Discarded { .. } | Record::Undelivered { .. } | Record::Clock { .. } => Ok(()),
            _ if self.end.is_some() => Err(format!("after the end: {record:?}")),
            Record::InstanceEnded { end } => {
                self.end = Some(end.clone());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn settle(&mut self, after: After<'_>) -> Result<(), String> {
        if self.end.as_ref() != after.end {
            return Err(format!("it has ended as {:?} and recorded {:?}", after.end, self.end));
        }
        if self.end.is_some() && !after.shown.tracks.is_empty() {
            return Err(format!("tracks live after the end: {:?}", after.shown.tracks));
        }
        Ok(())
    }
}
