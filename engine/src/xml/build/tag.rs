//! Attributes and namespaces of the tag at hand.

use crate::problem::Problem;

use super::super::attribute::{Attributes, attribute_value};
use super::super::namespace::{Refused, Scope, Space};
use super::super::problems::{Stop, quote};
use super::super::rule;
use super::{Builder, Tag, stop};

impl<'a> Builder<'a, '_> {
    pub(super) fn collect_attributes(&mut self, tag: Tag, inside: &'a str) -> Result<(), Stop> {
        self.attributes.clear();
        for attribute in Attributes::new(inside) {
            let attribute = attribute.map_err(|what| stop(rule::WELL_FORMED, self.lines.at(tag.start), what))?;
            if self.attributes.len() >= self.limits.attributes {
                let message = format!("an element has more than {} attributes", self.limits.attributes);
                return Err(stop(rule::LIMIT, self.lines.at(tag.start), &message));
            }
            self.attributes.push(attribute);
        }
        Ok(())
    }

    /// The scope inside the tag, with its namespace declarations.
    pub(super) fn declare(&mut self, tag: Tag) -> Result<Scope, Stop> {
        let mut scope = self.open.last().and_then(|open| open.scope);
        for attribute in &self.attributes {
            let Some(prefix) = attribute.declares() else { continue };
            let Ok(name) = attribute_value(attribute.raw) else {
                continue;
            };
            let message = match self.tree.namespaces.declare(scope, prefix, &name) {
                Ok(inner) => {
                    scope = inner;
                    continue;
                }
                Err(Refused::TooMany) => {
                    let message = format!("there are more than {} namespaces", self.limits.namespaces);
                    return Err(stop(rule::LIMIT, self.lines.at(tag.start), &message));
                }
                Err(Refused::Reserved) => format!("the prefix {} cannot stand for {}", quote(prefix), quote(&name)),
                Err(Refused::Empty) => format!("the prefix {} stands for no namespace", quote(prefix)),
            };
            let at = self.lines.at(tag.start);
            let hint = "Declare it as xmlns:prefix=\"the namespace's name\".";
            self.problems
                .push(Problem::error(rule::NAMESPACE, at, message).hint(hint));
        }
        Ok(scope)
    }

    /// What a prefix stands for; without a declaration, nobody's namespace.
    pub(super) fn space(&mut self, tag: Tag, scope: Scope, prefix: &'a str) -> Space {
        if let Some(space) = self.tree.namespaces.resolve(scope, prefix) {
            return space;
        }
        if self.undeclared.len() < self.limits.problems && self.undeclared.insert(prefix) {
            let at = self.lines.at(tag.start);
            let message = format!("the prefix {} is not declared", quote(prefix));
            let hint = format!(
                "Add xmlns:{}=\"…\" to the definitions element.",
                quote(prefix).trim_matches('`')
            );
            self.problems
                .push(Problem::error(rule::NAMESPACE, at, message).hint(hint));
        }
        Space::Other(u32::MAX)
    }

    /// No attribute twice, every prefix declared, every reference right.
    pub(super) fn check_attributes(&mut self, tag: Tag, scope: Scope) -> Result<(), Stop> {
        let attributes = std::mem::take(&mut self.attributes);
        let mut names = std::mem::take(&mut self.names);
        names.clear();
        for attribute in &attributes {
            names.push(match (attribute.declares(), attribute.prefix) {
                (Some(_), prefix) => (Space::Xml, prefix, attribute.local),
                (None, "") => (Space::None, "", attribute.local),
                (None, prefix) => match self.space(tag, scope, prefix) {
                    space @ Space::Other(u32::MAX) => (space, prefix, attribute.local),
                    space => (space, "", attribute.local),
                },
            });
            if attribute.raw.contains('&')
                && let Err(bad) = attribute_value(attribute.raw)
            {
                self.bad_reference(tag.start, bad)?;
            }
        }
        self.attributes = attributes;
        names.sort_unstable();
        let twice = names.array_windows().find(|[one, other]| one == other).copied();
        self.names = names;
        match twice {
            None => Ok(()),
            Some([(_, _, local), _]) => {
                let message = format!("the attribute {} is there twice", quote(local));
                Err(stop(rule::WELL_FORMED, self.lines.at(tag.start), &message))
            }
        }
    }

    pub(super) fn check_lengths(&mut self, tag: Tag) -> Result<(), Stop> {
        let max = self.limits.attribute_bytes;
        let is_long = |raw: &str| raw.len() > max && attribute_value(raw).is_ok_and(|value| value.len() > max);
        match self.attributes.iter().find(|attribute| is_long(attribute.raw)) {
            None => Ok(()),
            Some(attribute) => {
                let message = format!("the attribute {} is longer than {max} bytes", quote(attribute.local));
                Err(stop(rule::LIMIT, self.lines.at(tag.start), &message))
            }
        }
    }
}
