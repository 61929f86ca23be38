//! V6: tokens are conserved: born = ended + merged + canceled + failed + live (TRK-4).

use std::collections::BTreeSet;

use trackside_engine::TrackId;
use trackside_engine::instance::Record;

use super::{After, Invariant};

#[derive(Debug, Default)]
pub(super) struct Conservation {
    born: BTreeSet<TrackId>,
    live: BTreeSet<TrackId>,
}

impl Invariant for Conservation {
    const ID: (&'static str, &'static str) = ("V6", "TRK-4");

    fn note(&mut self, record: &Record) -> Result<(), String> {
        match *record {
            Record::Born { track, .. } => {
                self.live.insert(track);
                if self.born.insert(track) {
                    Ok(())
                } else {
                    Err(format!("track {track} is born twice"))
                }
            }
            Record::TrackEnded { track, .. } | Record::Merged { track, .. } => {
                if self.live.remove(&track) {
                    Ok(())
                } else {
                    Err(format!("track {track} ends without living"))
                }
            }
            _ => Ok(()),
        }
    }

    fn settle(&mut self, after: After<'_>) -> Result<(), String> {
        let shown: BTreeSet<TrackId> = after.tracks.iter().map(|track| track.id).collect();
        if shown == self.live {
            return Ok(());
        }
        Err(format!(
            "by the records {:?} live; the instance shows {shown:?}",
            self.live
        ))
    }
}
