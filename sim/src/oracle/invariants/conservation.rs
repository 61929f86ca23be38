//! V6: tokens are conserved: born = ended + merged + canceled + failed + live (TRK-4).

use trackside_engine::TrackId;
use trackside_engine::instance::Record;

use super::{After, Invariant};
use crate::oracle::table::Table;

/// What the records say of a track.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Life {
    #[default]
    Unborn,
    Live,
    Over,
}

#[derive(Debug, Default)]
pub(super) struct Conservation {
    lives: Table<Life>,
    live: usize,
}

impl Conservation {
    /// A track passes from one part of its life to the next.
    fn pass(&mut self, track: TrackId, from: Life, to: Life) -> bool {
        match self.lives.at_mut(track.0) {
            Some(life) if *life == from => *life = to,
            _ => return false,
        }
        true
    }
}

impl Invariant for Conservation {
    const ID: (&'static str, &'static str) = ("V6", "TRK-4");

    fn restart(&mut self) {
        self.lives.clear();
        self.live = 0;
    }

    fn note(&mut self, record: &Record) -> Result<(), String> {
        match *record {
            Record::Born { track, .. } => {
                self.live += 1;
                if self.pass(track, Life::Unborn, Life::Live) {
                    Ok(())
                } else {
                    Err(format!("track {track} is born twice"))
                }
            }
            Record::TrackEnded { track, .. } | Record::Merged { track, .. } => {
                if self.pass(track, Life::Live, Life::Over) {
                    self.live -= 1;
                    Ok(())
                } else {
                    Err(format!("track {track} ends without living"))
                }
            }
            _ => Ok(()),
        }
    }

    fn settle(&mut self, after: After<'_>) -> Result<(), String> {
        let shown = &after.shown.tracks;
        if let Some(track) = shown.iter().find(|track| self.lives.at(track.0) != Life::Live) {
            return Err(format!(
                "the instance shows track {track}, which does not live by the records"
            ));
        }
        if shown.len() != self.live {
            return Err(format!(
                "by the records {} tracks live; the instance shows {shown:?}",
                self.live
            ));
        }
        Ok(())
    }
}
