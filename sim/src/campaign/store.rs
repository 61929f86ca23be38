//! What a campaign has done so far, on disk: chunks of seeds with their sums, each written whole or not at all.
//!
//! A campaign that is interrupted, even by `SIGKILL`, goes on where it was: what is in the store is not run again, what is
//! not is. One file is one campaign, under a name made of everything that decides its results; another model, option or
//! build is another file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};

use super::tally::Tally;

/// The version of what is written; another one is refused.
const VERSION: u64 = 1;

/// Chunks by their number: how long the campaign had run when it was written, in milliseconds, and its sums as JSON.
const CHUNKS: TableDefinition<'_, u64, (u64, &[u8])> = TableDefinition::new("chunks");
const ABOUT: TableDefinition<'_, &str, u64> = TableDefinition::new("about");

/// Why a store can't be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder can't be made.
    #[error("{}: {error}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file can't be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: Box<redb::Error>,
    },
    /// It is of another version, or damaged.
    #[error("{} can't be read ({reason}); delete it to begin anew", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// An open store.
#[derive(Debug)]
pub(super) struct Store {
    database: Database,
    path: PathBuf,
}

/// What a store holds.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub(super) chunks: BTreeMap<u64, Tally>,
    /// How long the campaign has run.
    pub(super) elapsed: Duration,
}

impl Store {
    /// Opens the store of a campaign in a folder, made where it is missing; gives what it holds.
    pub(super) fn open(folder: &Path, campaign: &str) -> Result<(Self, Kept), StoreError> {
        std::fs::create_dir_all(folder).map_err(|error| StoreError::Folder {
            path: folder.to_owned(),
            error,
        })?;
        let path = folder.join(format!("{campaign}.redb"));
        if !path.exists() {
            Self::found(&path)?;
        }
        let database = Database::open(&path).map_err(|error| file(&path, error.into()))?;
        let store = Self { database, path };
        let kept = store.read()?;
        Ok((store, kept))
    }

    /// Makes an empty store. It gets its name when it is whole, so that being killed leaves none that can't be read.
    fn found(path: &Path) -> Result<(), StoreError> {
        let draft = path.with_extension(format!("{}.draft", std::process::id()));
        let database = Database::create(&draft).map_err(|error| file(&draft, error.into()))?;
        let store = Self { database, path: draft };
        store.claim().map_err(|error| store.failed(error))?;
        let Self { database, path: draft } = store;
        drop(database);
        std::fs::rename(&draft, path).map_err(|error| StoreError::Folder { path: draft, error })
    }

    fn failed(&self, error: impl Into<redb::Error>) -> StoreError {
        file(&self.path, error.into())
    }

    fn read(&self) -> Result<Kept, StoreError> {
        self.claim().map_err(|error| self.failed(error))?;
        let rows = self.rows().map_err(|error| self.failed(error))?;
        let mut kept = Kept::default();
        for (chunk, elapsed_ms, bytes) in rows {
            let tally = serde_json::from_slice(&bytes).map_err(|error| StoreError::Unreadable {
                path: self.path.clone(),
                reason: error.to_string(),
            })?;
            kept.elapsed = kept.elapsed.max(Duration::from_millis(elapsed_ms));
            kept.chunks.insert(chunk, tally);
        }
        Ok(kept)
    }

    /// Makes the tables where they are missing. A file of another version is emptied: what it holds is of no use here.
    fn claim(&self) -> Result<(), redb::Error> {
        let transaction = self.database.begin_write()?;
        {
            let mut about = transaction.open_table(ABOUT)?;
            let version = about.get("version")?.map(|version| version.value());
            let mut chunks = transaction.open_table(CHUNKS)?;
            if version != Some(VERSION) {
                chunks.retain(|_, _| false)?;
                about.insert("version", VERSION)?;
            }
        }
        transaction.commit()?;
        Ok(())
    }

    fn rows(&self) -> Result<Vec<(u64, u64, Vec<u8>)>, redb::Error> {
        let transaction = self.database.begin_read()?;
        let table = transaction.open_table(CHUNKS)?;
        let mut rows = Vec::new();
        for row in table.iter()? {
            let (chunk, value) = row?;
            let (elapsed_ms, bytes) = value.value();
            rows.push((chunk.value(), elapsed_ms, bytes.to_vec()));
        }
        Ok(rows)
    }

    /// Writes a chunk for good: when this returns, it will be there.
    pub(super) fn write(&self, chunk: u64, elapsed: Duration, tally: &Tally) -> Result<(), StoreError> {
        let bytes = serde_json::to_vec(tally).expect("sums are plain data");
        let write = || -> Result<(), redb::Error> {
            let transaction = self.database.begin_write()?;
            transaction
                .open_table(CHUNKS)?
                .insert(chunk, (elapsed.as_millis() as u64, bytes.as_slice()))?;
            transaction.commit()?;
            Ok(())
        };
        write().map_err(|error| self.failed(error))
    }

    /// The campaign is over: the next one like it begins anew.
    pub(super) fn close(self) -> Result<(), StoreError> {
        let Self { database, path } = self;
        drop(database);
        std::fs::remove_file(&path).map_err(|error| StoreError::Folder { path, error })
    }
}

fn file(path: &Path, error: redb::Error) -> StoreError {
    StoreError::File {
        path: path.to_owned(),
        error: Box::new(error),
    }
}
