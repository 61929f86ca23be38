//! Tokens as text.

use std::fmt;

use super::percent::{encode, encode_line};
use super::{Plan, TOKEN_VERSION, Token};
use crate::hash::Fnv;

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text)?;
        write!(f, "{text},z={}", checksum(&text))
    }
}

/// What the last field of a token holds, so that one that was changed or cut off is no other one.
pub(super) fn checksum(text: &str) -> String {
    let mut hash = Fnv::default();
    hash.write(text.as_bytes());
    hash.hex()
}

impl Token {
    /// All fields but the last.
    fn write(&self, f: &mut impl fmt::Write) -> fmt::Result {
        write!(
            f,
            "ts{TOKEN_VERSION}:f={},p={}",
            encode(&self.model),
            encode(&self.process)
        )?;
        let prints = &self.fingerprints;
        write!(
            f,
            ",e={},m={},o={}",
            encode(&prints.engine),
            encode(&prints.model),
            encode(&prints.options)
        )?;
        for (name, value) in self.settings.deviating(self.script.is_some()) {
            write!(f, ",{}={}", encode(&name), encode(&value))?;
        }
        if let Some(birth) = &self.birth {
            write!(f, ",b={}", encode(birth))?;
        }
        if let Some(lines) = &self.script {
            let lines: Vec<_> = lines.iter().map(|line| encode_line(line)).collect();
            write!(f, ",i={}", lines.join(":"))?;
        }
        match &self.schedule {
            Plan::Seeded(strategy, seed) => write!(f, ",r={}.{seed}", strategy.name()),
            Plan::Deviations(deviations) if deviations.is_empty() => Ok(()),
            Plan::Deviations(deviations) => {
                f.write_str(",d=")?;
                for (at, deviation) in deviations.iter().enumerate() {
                    let separator = if at == 0 { "" } else { ":" };
                    write!(f, "{separator}{deviation}")?;
                }
                Ok(())
            }
        }
    }
}
