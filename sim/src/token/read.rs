//! Text as tokens. It may come from anywhere: whatever it holds, it is refused with a reason or understood, within bounds.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::percent::decode;
use super::write::checksum;
use super::{Fingerprints, Plan, TOKEN_BYTES_MAX, TOKEN_VERSION, Token};
use crate::run::Settings;
use crate::schedule::{Deviation, DeviationError, Named};

/// Why a text is no token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// It does not begin like one.
    #[error("a replay token begins with `ts{TOKEN_VERSION}:`")]
    NotAToken,
    /// It is of another version.
    #[error("a token of version {0}; this trackside reads version {TOKEN_VERSION}")]
    Version(u32),
    /// It is longer than [`TOKEN_BYTES_MAX`].
    #[error("a token of more than {TOKEN_BYTES_MAX} bytes")]
    TooLong,
    /// A field is missing.
    #[error("the token lacks its field `{0}` ({1}); was it cut off?")]
    Missing(&'static str, &'static str),
    /// It does not end with the checksum of the rest.
    #[error("the token ends otherwise than it was written: was it changed, or cut off?")]
    Checksum,
    /// A field is there twice.
    #[error("the token has its field `{0}` twice")]
    Twice(String),
    /// A field is not understood.
    #[error("field `{field}` of the token: {reason}")]
    Field {
        /// Which.
        field: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A step of the schedule is not understood.
    #[error("field `d` of the token: {0}")]
    Step(#[from] DeviationError),
}

impl FromStr for Token {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<Self, TokenError> {
        let mut fields = Fields::split(text)?;
        let mut take = |name: &'static str, what| fields.take(name).ok_or(TokenError::Missing(name, what));
        let model = take("f", "path of the model")?;
        let process = take("p", "id of the process")?;
        let fingerprints = Fingerprints {
            engine: take("e", "version of the engine")?,
            model: take("m", "fingerprint of the model")?,
            options: take("o", "fingerprint of the options")?,
        };
        let birth = fields.take("b");
        let script = fields.raw("i").map(|lines| list(&lines, "i")).transpose()?;
        let schedule = plan(&mut fields)?;
        let settings = fields.settings()?;
        Ok(Self {
            model,
            process,
            fingerprints,
            settings,
            birth,
            script,
            schedule,
        })
    }
}

/// The fields of a token by name: values as they stand, and decoded.
struct Fields(BTreeMap<String, (String, String)>);

impl Fields {
    fn split(text: &str) -> Result<Self, TokenError> {
        let text = text.trim();
        if text.len() > TOKEN_BYTES_MAX {
            return Err(TokenError::TooLong);
        }
        let (version, rest) = text
            .strip_prefix("ts")
            .and_then(|rest| rest.split_once(':'))
            .ok_or(TokenError::NotAToken)?;
        match version.parse() {
            Ok(TOKEN_VERSION) if version == TOKEN_VERSION.to_string() => {}
            Ok(version) => return Err(TokenError::Version(version)),
            Err(_) => return Err(TokenError::NotAToken),
        }
        let (checked, sum) = text.rsplit_once(",z=").ok_or(TokenError::Checksum)?;
        if sum != checksum(checked) {
            return Err(TokenError::Checksum);
        }
        let rest = &rest[..rest.len() - (text.len() - checked.len())];
        let mut fields = BTreeMap::new();
        for field in rest.split(',') {
            let broken = |reason: &str| TokenError::Field {
                field: field.chars().take(40).collect(),
                reason: reason.to_owned(),
            };
            let (name, value) = field.split_once('=').ok_or_else(|| broken("it has no `=`"))?;
            let name = decode(name).ok_or_else(|| broken("its name has a broken escape"))?;
            let plain = decode(value).ok_or_else(|| broken("its value has a broken escape"))?;
            if fields.insert(name.clone(), (value.to_owned(), plain)).is_some() {
                return Err(TokenError::Twice(name));
            }
        }
        Ok(Self(fields))
    }

    fn take(&mut self, name: &str) -> Option<String> {
        self.0.remove(name).map(|(_, plain)| plain)
    }

    fn raw(&mut self, name: &str) -> Option<String> {
        self.0.remove(name).map(|(raw, _)| raw)
    }

    /// All that is left are settings.
    fn settings(self) -> Result<Settings, TokenError> {
        let mut settings = Settings::default();
        for (name, (_, value)) in self.0 {
            settings
                .set(&name, &value)
                .map_err(|reason| TokenError::Field { field: name, reason })?;
        }
        Ok(settings)
    }
}

fn list(text: &str, field: &str) -> Result<Vec<String>, TokenError> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let decoded = text.split(':').map(|line| {
        decode(line).ok_or_else(|| TokenError::Field {
            field: field.to_owned(),
            reason: "a line has a broken escape".to_owned(),
        })
    });
    decoded.collect()
}

fn plan(fields: &mut Fields) -> Result<Plan, TokenError> {
    let deviations = fields.raw("d");
    let Some(seeded) = fields.take("r") else {
        let steps = deviations.unwrap_or_default();
        let steps = steps.split(':').filter(|step| !step.is_empty());
        let deviations = steps.map(Deviation::parse).collect::<Result<Vec<_>, _>>()?;
        let rising = deviations.windows(2).all(|pair| pair[0].step < pair[1].step);
        return if rising {
            Ok(Plan::Deviations(deviations))
        } else {
            Err(TokenError::Field {
                field: "d".to_owned(),
                reason: "its steps do not rise".to_owned(),
            })
        };
    };
    let broken = |reason: &str| TokenError::Field {
        field: "r".to_owned(),
        reason: reason.to_owned(),
    };
    if deviations.is_some() {
        return Err(broken("a schedule is given by `r` or by `d`, not by both"));
    }
    let (strategy, seed) = seeded.split_once('.').ok_or_else(|| broken("it has no seed"))?;
    let strategy = Named::parse(strategy).ok_or_else(|| broken("there is no such strategy"))?;
    let seed = seed.parse().map_err(|_| broken("its seed is no number"))?;
    Ok(Plan::Seeded(strategy, seed))
}

/// The token in the text of a file: its first line that begins like one or like `token=` and one, or the `token` of a JSON
/// document.
///
/// ```
/// use trackside_sim::token::find_in;
///
/// assert_eq!(find_in("# found on Monday\nts1:f=a\n"), Some("ts1:f=a".to_owned()));
/// assert_eq!(find_in(r#"{"kind": "run", "token": "ts1:f=a"}"#), Some("ts1:f=a".to_owned()));
/// assert_eq!(find_in("invariant=V2\ntoken=ts1:f=a\n"), Some("ts1:f=a".to_owned()));
/// assert_eq!(find_in("nothing here"), None);
/// ```
pub fn find_in(text: &str) -> Option<String> {
    let prefix = format!("ts{TOKEN_VERSION}:");
    let mut lines = text.lines().map(|line| line.trim().trim_start_matches("token="));
    if let Some(line) = lines.find(|line| line.starts_with(&prefix)) {
        return Some(line.to_owned());
    }
    let document: serde_json::Value = serde_json::from_str(text).ok()?;
    Some(document.get("token")?.as_str()?.to_owned())
}
