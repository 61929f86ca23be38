//! What a campaign has done so far, on disk: chunks of seeds with their sums, each written whole or not at all.
//!
//! A campaign that is interrupted, even by `SIGKILL`, goes on where it was: what is in the store is not run again, what is
//! not is. One file is one campaign, under a name made of everything that decides its results; another model, option or
//! build is another file.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use redb::{Database, DatabaseError, ReadableDatabase, ReadableTable, StorageError, TableDefinition};

use super::tally::Tally;

/// Chunks by their number: how long the campaign had run when it was written, in milliseconds, and its sums as JSON. The
/// name of the file says which program wrote it, so that there is no other version to be read.
const CHUNKS: TableDefinition<'_, u64, (u64, &[u8])> = TableDefinition::new("chunks");

/// So often a file is looked for that another campaign may just be removing.
const OPENS_MAX: u32 = 8;

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
    /// Another campaign has it open.
    #[error("{} is in use: the same campaign is running already", .0.display())]
    Busy(PathBuf),
    /// It is damaged.
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
        for _ in 0..OPENS_MAX {
            if !path.exists() {
                Self::found(&path)?;
            }
            match Database::open(&path) {
                Ok(database) => {
                    let store = Self { database, path };
                    let kept = store.read()?;
                    return Ok((store, kept));
                }
                Err(DatabaseError::DatabaseAlreadyOpen) => return Err(StoreError::Busy(path)),
                // The campaign that had it is over, and has just removed it.
                Err(DatabaseError::Storage(StorageError::Io(error))) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(unreadable(&path, &error)),
            }
        }
        Err(StoreError::Busy(path))
    }

    /// Makes an empty store. It gets its name when it is whole, so that being killed leaves none that can't be read, and
    /// only if nobody else has made one by then.
    fn found(path: &Path) -> Result<(), StoreError> {
        let folder = |path: &Path, error| StoreError::Folder {
            path: path.to_owned(),
            error,
        };
        let draft = path.with_extension(format!("{}.draft", std::process::id()));
        let database = Database::create(&draft).map_err(|error| file(&draft, error.into()))?;
        let make = || -> Result<(), redb::Error> {
            let transaction = database.begin_write()?;
            transaction.open_table(CHUNKS)?;
            transaction.commit()?;
            Ok(())
        };
        make().map_err(|error| file(&draft, error))?;
        drop(database);
        let named = std::fs::hard_link(&draft, path);
        std::fs::remove_file(&draft).map_err(|error| folder(&draft, error))?;
        match named {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(folder(path, error)),
            _ => Ok(()),
        }
    }

    fn failed(&self, error: impl Into<redb::Error>) -> StoreError {
        file(&self.path, error.into())
    }

    fn read(&self) -> Result<Kept, StoreError> {
        let rows = self.rows().map_err(|error| unreadable(&self.path, &error))?;
        let mut kept = Kept::default();
        for (chunk, elapsed_ms, bytes) in rows {
            let tally = serde_json::from_slice(&bytes).map_err(|error| unreadable(&self.path, &error))?;
            kept.elapsed = kept.elapsed.max(Duration::from_millis(elapsed_ms));
            kept.chunks.insert(chunk, tally);
        }
        Ok(kept)
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

fn unreadable(path: &Path, error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Unreadable {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}

fn file(path: &Path, error: redb::Error) -> StoreError {
    StoreError::File {
        path: path.to_owned(),
        error: Box::new(error),
    }
}
