//! Where the history of a project is stored: in a file of the store, or in a database shared by a team.

use crate::failure::Failure;
use crate::request;
use std::path::PathBuf;
use tare_history::{Address, HistoryDb, Renamed};
use tare_report::clean;
use tare_store::Store;

pub struct Database {
    /// The database; None: the file.
    shared: Option<Address>,
    file: PathBuf,
    pub project: String,
    pub renames: Vec<Renamed>,
    /// Address prefix for showing a commit on the web, if the project sets it.
    pub commit_url: Option<String>,
}

impl Database {
    pub fn of(store: &Store) -> Result<Database, Failure> {
        let settings = request::history_settings()?;
        let shared = settings.url.as_deref().map(Address::parse).transpose().map_err(Failure::History)?;
        let renames = settings.renames.into_iter().map(|(old, new)| Renamed { old, new });
        Ok(Database {
            shared,
            file: store.root().join("history.db"),
            project: settings.project,
            commit_url: settings.commit_url,
            renames: renames.collect(),
        })
    }

    pub fn open(&self, store: &Store) -> Result<HistoryDb, Failure> {
        let opened = match &self.shared {
            Some(address) => HistoryDb::connect(address),
            None => {
                store.make().map_err(Failure::Store)?;
                HistoryDb::open(&self.file)
            }
        };
        opened.map_err(Failure::History)
    }

    pub fn open_existing(&self) -> Result<Option<HistoryDb>, Failure> {
        let opened = match &self.shared {
            Some(address) => HistoryDb::connect_existing(address),
            None => HistoryDb::open_existing(&self.file),
        };
        opened.map_err(Failure::History)
    }

    pub fn file(&self) -> Option<&PathBuf> {
        self.shared.is_none().then_some(&self.file)
    }

    pub fn shown(&self) -> String {
        clean(
            &self.shared.as_ref().map_or_else(|| self.file.display().to_string(), |address| address.place().to_owned()),
        )
    }
}
