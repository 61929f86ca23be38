//! Text and references, and what is refused in place of text.

use crate::problem::Problem;

use super::super::attribute::{BadReference, is_space, resolve_reference};
use super::super::problems::{Stop, quote};
use super::super::rule;
use super::{Builder, stop};

impl Builder<'_, '_> {
    pub(super) fn text(&mut self, start: usize, text: &str) -> Result<(), Stop> {
        if self.open.is_empty() && !text.chars().all(is_space) {
            let before = text.len() - text.trim_start_matches(is_space).len();
            return self.inside_root(start + before);
        }
        Ok(())
    }

    pub(super) fn inside_root(&mut self, start: usize) -> Result<(), Stop> {
        if self.open.is_empty() {
            let message = "there is text outside of the root element";
            return Err(stop(rule::WELL_FORMED, self.lines.at(start), message));
        }
        Ok(())
    }

    pub(super) fn reference(&mut self, start: usize, name: &str) -> Result<(), Stop> {
        self.inside_root(start)?;
        match resolve_reference(name) {
            Ok(_) => Ok(()),
            Err(bad) => self.bad_reference(start, bad),
        }
    }

    pub(super) fn bad_reference(&mut self, start: usize, bad: BadReference<'_>) -> Result<(), Stop> {
        let at = self.lines.at(start);
        match bad {
            BadReference::Unknown(name) => {
                let message = format!("the entity {} is not one that XML predefines", quote(name));
                let hint = "Write the character itself, or its number as in `&#160;`.";
                self.problems.push(Problem::error(rule::ENTITY, at, message).hint(hint));
                Ok(())
            }
            BadReference::Unfinished => {
                let message = "an `&` does not start a reference such as `&amp;`";
                Err(stop(rule::WELL_FORMED, at, message))
            }
            BadReference::NotACharacter(name) => {
                let message = format!("{} is not the number of a character that XML allows", quote(name));
                Err(stop(rule::WELL_FORMED, at, &message))
            }
        }
    }

    pub(super) fn doctype(&mut self, start: usize) -> Stop {
        let message = "the file has a document type declaration, which is not read";
        let hint = "Remove the `<!DOCTYPE …>`; BPMN files need none.";
        Problem::error(rule::ENTITY, self.lines.at(start), message)
            .hint(hint)
            .into()
    }
}
