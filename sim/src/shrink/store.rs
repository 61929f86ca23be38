//! The store of found cases: a folder with a BPMN file and a small text file each, run with the tests for ever.
//!
//! `NAME.bpmn` is the model, with a diagram so that it can be looked at. `NAME.case` beside it says what went wrong and
//! holds the token that plays it again, from the root of the repository:
//!
//! ```text
//! # A token that turns away is what the join waited for.
//! invariant=V3
//! message=the join does not fire although its rule holds
//! token=ts1:f=proptest-regressions/turns-away.bpmn,p=p,…
//! ```
//!
//! Lines are `key=value`, blank, or comments after `#`. `invariant`, `message` and `token` have to be there; `strategy`
//! says which one found it, `plant` names the planted fault without which nothing goes wrong.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use trackside_engine::model::Definitions;
use trackside_engine::xml;

use crate::layout::lay_out;
use crate::run::Settings;
use crate::schedule::Deviation;
use crate::source::{Source, read_bounded};
use crate::token::{Fingerprints, Plan, Token, TokenError};

/// The folder in which cases are kept, from the root of the repository.
pub const FOLDER: &str = "proptest-regressions";
/// The largest case file that is read, in bytes.
pub const CASE_BYTES_MAX: u64 = 8 << 20;

/// A folder of cases.
///
/// ```
/// use trackside_engine::model::notation;
/// use trackside_sim::run::{Settings, Simulation};
/// use trackside_sim::shrink::store::{Finding, Store};
///
/// # let root = std::env::temp_dir().join(format!("trackside-store-{}", std::process::id()));
/// let store = Store::new(&root, "cases");
/// let model = notation::parse("s > A* > e")?;
/// let finding = Finding {
///     name: "two-steps",
///     model: &model,
///     process: "p",
///     settings: &Settings::default(),
///     birth: None,
///     deviations: &[],
///     invariant: "V6",
///     message: "a token is lost",
///     strategy: Some("random"),
///     plant: None,
/// };
/// store.write(&finding)?;
///
/// let cases = store.cases()?;
/// assert_eq!(cases[0].name, "two-steps");
/// assert_eq!(cases[0].token.model, "cases/two-steps.bpmn");
/// let source = store.source(&cases[0])?;
/// assert!(Simulation::replay(&source, &cases[0].token)?.run().is_ok());
/// assert_eq!(store.write(&finding).unwrap_err().to_string(), "there is a case `two-steps` already");
/// # std::fs::remove_dir_all(root)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
    folder: String,
}

/// What is to be stored.
#[derive(Clone, Copy, Debug)]
pub struct Finding<'f> {
    /// The name of its files: letters, digits, `-`, `_` and `.`.
    pub name: &'f str,
    /// The model.
    pub model: &'f Definitions,
    /// The id of the process that was run.
    pub process: &'f str,
    /// The settings of the run.
    pub settings: &'f Settings,
    /// The element that began the instance, where it is not the first possible one.
    pub birth: Option<&'f str>,
    /// The schedule.
    pub deviations: &'f [Deviation],
    /// The invariant that was violated, such as `V2`.
    pub invariant: &'f str,
    /// What was wrong.
    pub message: &'f str,
    /// The strategy that found it.
    pub strategy: Option<&'f str>,
    /// The planted fault, where there was one.
    pub plant: Option<&'f str>,
}

/// A stored case.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The name of its files.
    pub name: String,
    /// The invariant that was violated.
    pub invariant: String,
    /// What was wrong.
    pub message: String,
    /// The strategy that found it.
    pub strategy: Option<String>,
    /// The planted fault without which nothing goes wrong.
    pub plant: Option<String>,
    /// The run.
    pub token: Token,
}

/// Why a case can't be written or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file or folder can't be read or written.
    #[error("{path}: {error}")]
    File {
        /// Which.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// A name that is none.
    #[error("`{0}` is no name for a case: letters, digits, `-`, `_` and `.` are")]
    Name(String),
    /// Nothing is overwritten.
    #[error("there is a case `{0}` already")]
    Exists(String),
    /// A line of a case file is not understood.
    #[error("{path}:{line}: {reason}")]
    Line {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A case file lacks something.
    #[error("{path}: it has no `{key}`")]
    Missing {
        /// The file.
        path: String,
        /// What it lacks.
        key: &'static str,
    },
    /// The token of a case is not understood.
    #[error("{path}: {error}")]
    Token {
        /// The file.
        path: String,
        /// Why.
        error: TokenError,
    },
}

impl Store {
    /// The cases in `folder`, a path with `/` from `root`, which is where tokens are replayed from.
    pub fn new(root: impl Into<PathBuf>, folder: &str) -> Self {
        Self {
            root: root.into(),
            folder: folder.to_owned(),
        }
    }

    /// The cases of a repository, in [`FOLDER`].
    pub fn of_repository(root: impl Into<PathBuf>) -> Self {
        Self::new(root, FOLDER)
    }

    /// Stores a case; gives the path of its case file.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the name is none or taken, or a file can't be written.
    pub fn write(&self, finding: &Finding<'_>) -> Result<PathBuf, StoreError> {
        if self.path(finding.name, "case").exists() || self.path(finding.name, "bpmn").exists() {
            return Err(StoreError::Exists(finding.name.to_owned()));
        }
        self.overwrite(finding)
    }

    /// Stores a case in place of one that may be there under its name; gives the path of its case file.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the name is none, or a file can't be written.
    pub fn overwrite(&self, finding: &Finding<'_>) -> Result<PathBuf, StoreError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if finding.name.is_empty() || finding.name.starts_with('.') || !finding.name.chars().all(plain) {
            return Err(StoreError::Name(finding.name.to_owned()));
        }
        let (case, model) = (self.path(finding.name, "case"), self.path(finding.name, "bpmn"));
        let mut drawn = finding.model.clone();
        lay_out(&mut drawn);
        let text = xml::write(&drawn);
        let folder = self.root.join(&self.folder);
        std::fs::create_dir_all(&folder).map_err(|error| file(&folder, error))?;
        std::fs::write(&model, &text).map_err(|error| file(&model, error))?;
        let described = self.describe(finding, &self.token(finding, &text));
        std::fs::write(&case, described).map_err(|error| file(&case, error))?;
        Ok(case)
    }

    fn token(&self, finding: &Finding<'_>, text: &str) -> Token {
        let model = format!("{}/{}.bpmn", self.folder, finding.name);
        let source = Source::of_bytes(&model, text.as_bytes());
        Token {
            model,
            process: finding.process.to_owned(),
            fingerprints: Fingerprints {
                engine: Fingerprints::engine(),
                model: source.fingerprint.hex(),
                options: finding.settings.fingerprint(false).hex(),
            },
            settings: finding.settings.clone(),
            birth: finding.birth.map(ToOwned::to_owned),
            script: None,
            schedule: Plan::Deviations(finding.deviations.to_vec()),
        }
    }

    /// All cases, by name. A folder that is not there holds none.
    ///
    /// # Errors
    ///
    /// [`StoreError`] for the first file that can't be read or understood.
    pub fn cases(&self) -> Result<Vec<Case>, StoreError> {
        let folder = self.root.join(&self.folder);
        if !folder.exists() {
            return Ok(Vec::new());
        }
        let entries = std::fs::read_dir(&folder).map_err(|error| file(&folder, error))?;
        let mut names = Vec::new();
        for entry in entries {
            let name = entry.map_err(|error| file(&folder, error))?.file_name();
            names.extend(name.to_string_lossy().strip_suffix(".case").map(ToOwned::to_owned));
        }
        names.sort();
        names.iter().map(|name| self.case(name)).collect()
    }

    /// One case by its name.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it can't be read or understood.
    pub fn case(&self, name: &str) -> Result<Case, StoreError> {
        let path = self.path(name, "case");
        let bytes = read_bounded(&path, CASE_BYTES_MAX).map_err(|error| file(&path, error))?;
        parse(name, &path.display().to_string(), &String::from_utf8_lossy(&bytes))
    }

    /// The model of a case.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if its file can't be read. What is wrong *in* it is in [`Source::problems`].
    pub fn source(&self, case: &Case) -> Result<Source, StoreError> {
        let path = self.root.join(&case.token.model);
        let mut source = Source::read(&path.display().to_string()).map_err(|error| file(&path, error))?;
        source.path.clone_from(&case.token.model);
        Ok(source)
    }

    /// The text of a case file.
    fn describe(&self, finding: &Finding<'_>, token: &Token) -> String {
        let mut text = format!(
            "# Play it again: trackside replay {}/{}.case\n",
            self.folder, finding.name
        );
        let pairs = [
            ("invariant", Some(finding.invariant)),
            ("message", Some(finding.message)),
            ("strategy", finding.strategy),
            ("plant", finding.plant),
            ("token", Some(&*token.to_string())),
        ];
        for (key, value) in pairs {
            if let Some(value) = value {
                // A value is one line; the words of a message stay the same.
                let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
                let _ = writeln!(text, "{key}={value}");
            }
        }
        text
    }

    fn path(&self, name: &str, extension: &str) -> PathBuf {
        self.root.join(&self.folder).join(format!("{name}.{extension}"))
    }
}

fn file(path: &Path, error: io::Error) -> StoreError {
    let path = path.display().to_string();
    StoreError::File { path, error }
}

fn parse(name: &str, path: &str, text: &str) -> Result<Case, StoreError> {
    const KEYS: [&str; 5] = ["invariant", "message", "strategy", "plant", "token"];
    let mut values: [Option<&str>; 5] = [None; 5];
    for (at, line) in text.lines().map(str::trim).enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let broken = |reason| StoreError::Line {
            path: path.to_owned(),
            line: at + 1,
            reason,
        };
        let (key, value) = line.split_once('=').ok_or_else(|| broken("it has no `=`"))?;
        let known = KEYS.iter().position(|known| *known == key);
        let place = &mut values[known.ok_or_else(|| broken("there is no such key"))?];
        if place.replace(value).is_some() {
            return Err(broken("the key is there twice"));
        }
    }
    let [invariant, message, strategy, plant, token] = values;
    let needed = |value: Option<&str>, key| {
        let missing = || StoreError::Missing {
            path: path.to_owned(),
            key,
        };
        value.map(ToOwned::to_owned).ok_or_else(missing)
    };
    let token = needed(token, "token")?.parse();
    Ok(Case {
        name: name.to_owned(),
        invariant: needed(invariant, "invariant")?,
        message: needed(message, "message")?,
        strategy: strategy.map(ToOwned::to_owned),
        plant: plant.map(ToOwned::to_owned),
        token: token.map_err(|error| StoreError::Token {
            path: path.to_owned(),
            error,
        })?,
    })
}

#[cfg(test)]
mod tests {
    use super::{Finding, Store, parse};
    use crate::run::Settings;

    const TOKEN: &str = "ts1:f=a.bpmn,p=order,e=0.1.0-1,m=85944171f73967e8,o=af63bd4c8601b7df,i=complete+A+x=5,d=3a1.J,z=05a85341828243d3";

    #[test]
    fn a_case_is_read_as_it_is_written() {
        let text = format!("# found\n\n  invariant=V2\nmessage=a=b\nplant=late\ntoken={TOKEN}\n");
        let case = parse("x", "x.case", &text).expect("a case");
        assert_eq!((case.invariant.as_str(), case.message.as_str()), ("V2", "a=b"));
        assert_eq!((case.strategy, case.plant.as_deref()), (None, Some("late")));
        assert_eq!(case.token.to_string(), TOKEN);
    }

    #[test]
    fn what_is_no_case_is_refused_with_its_reason() {
        let whole = format!("invariant=V2\nmessage=m\ntoken={TOKEN}\n");
        for (text, expected) in [
            (
                whole.replace("message=m\n", ""),
                "x.case: it has no `message`".to_owned(),
            ),
            (
                whole.replace("message=m", "message"),
                "x.case:2: it has no `=`".to_owned(),
            ),
            (
                whole.replace("message=m", "massage=m"),
                "x.case:2: there is no such key".to_owned(),
            ),
            (
                format!("{whole}token=ts1:"),
                "x.case:4: the key is there twice".to_owned(),
            ),
            (
                whole.replace("ts1", "ts7"),
                "x.case: a token of version 7; this trackside reads version 1".to_owned(),
            ),
        ] {
            assert_eq!(parse("x", "x.case", &text).expect_err(&text).to_string(), expected);
        }
    }

    #[test]
    fn a_name_stays_in_the_folder() {
        let model = trackside_engine::model::notation::parse("s > e").expect("a model");
        for name in ["", "..", "a/b", ".hidden", "ä"] {
            let finding = Finding {
                name,
                model: &model,
                process: "p",
                settings: &Settings::default(),
                birth: None,
                deviations: &[],
                invariant: "V1",
                message: "",
                strategy: None,
                plant: None,
            };
            let refused = Store::of_repository("nowhere").write(&finding).expect_err(name);
            assert!(refused.to_string().contains("is no name for a case"), "{refused}");
        }
    }
}
