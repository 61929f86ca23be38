//! Namespaces by their names: which prefix stands for what at which place of a file.
//!
//! Declarations are kept in one list in which each refers to the one in force before it. An element remembers the last
//! declaration in force, so that prefixes inside its attribute values can be resolved long after the reading.

use std::collections::BTreeMap;

/// The namespaces by name that this module understands.
pub(super) mod uri {
    pub(in crate::xml) const BPMN: &str = "http://www.omg.org/spec/BPMN/20100524/MODEL";
    pub(in crate::xml) const BPMN_DI: &str = "http://www.omg.org/spec/BPMN/20100524/DI";
    pub(in crate::xml) const DC: &str = "http://www.omg.org/spec/DD/20100524/DC";
    pub(in crate::xml) const DI: &str = "http://www.omg.org/spec/DD/20100524/DI";
    pub(in crate::xml) const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";
    pub(in crate::xml) const XML: &str = "http://www.w3.org/XML/1998/namespace";
    pub(in crate::xml) const XMLNS: &str = "http://www.w3.org/2000/xmlns/";
    pub(in crate::xml) const TRACKSIDE: &str = "urn:trackside:bpmn:1";
}

/// A namespace, by meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Space {
    /// No namespace at all.
    None,
    Bpmn,
    BpmnDi,
    Dc,
    Di,
    Xsi,
    Xml,
    Trackside,
    /// Somebody else's, numbered in the order of appearance.
    Other(u32),
}

impl Space {
    /// Whether the drawing is described with it.
    pub(super) fn is_drawing(self) -> bool {
        matches!(self, Space::BpmnDi | Space::Dc | Space::Di)
    }
}

/// The last declaration in force at some place; `None` at the top.
pub(super) type Scope = Option<u32>;

#[derive(Debug)]
struct Binding<'a> {
    prefix: &'a str,
    space: Space,
    outer: Scope,
    /// How many are in force with this one.
    count: u32,
}

/// Why a declaration is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    TooMany,
    Reserved,
    Empty,
}

/// All declarations of a file.
#[derive(Debug)]
pub(super) struct Namespaces<'a> {
    bindings: Vec<Binding<'a>>,
    others: BTreeMap<String, u32>,
    max: usize,
}

impl<'a> Namespaces<'a> {
    pub(super) fn new(max: usize) -> Self {
        Self {
            bindings: Vec::new(),
            others: BTreeMap::new(),
            max,
        }
    }

    /// The scope inside `outer` in which `prefix` (empty: no prefix) stands for `name`.
    pub(super) fn declare(&mut self, outer: Scope, prefix: &'a str, name: &str) -> Result<Scope, Refused> {
        if prefix == "xmlns" || name == uri::XMLNS || (prefix == "xml") != (name == uri::XML) {
            return Err(Refused::Reserved);
        }
        if name.is_empty() && !prefix.is_empty() {
            return Err(Refused::Empty);
        }
        let space = self.space(name)?;
        if self.resolve(outer, prefix) == Some(space) {
            return Ok(outer);
        }
        let count = 1 + outer.map_or(0, |outer| self.bindings[outer as usize].count);
        if count as usize > self.max {
            return Err(Refused::TooMany);
        }
        let index = u32::try_from(self.bindings.len()).map_err(|_| Refused::TooMany)?;
        self.bindings.push(Binding {
            prefix,
            space,
            outer,
            count,
        });
        Ok(Some(index))
    }

    /// What `prefix` stands for; `None` where it is not declared.
    pub(super) fn resolve(&self, scope: Scope, prefix: &str) -> Option<Space> {
        let mut scope = scope;
        while let Some(index) = scope {
            let binding = &self.bindings[index as usize];
            if binding.prefix == prefix {
                return Some(binding.space);
            }
            scope = binding.outer;
        }
        match prefix {
            "" => Some(Space::None),
            "xml" => Some(Space::Xml),
            _ => None,
        }
    }

    fn space(&mut self, name: &str) -> Result<Space, Refused> {
        Ok(match name {
            "" => Space::None,
            uri::BPMN => Space::Bpmn,
            uri::BPMN_DI => Space::BpmnDi,
            uri::DC => Space::Dc,
            uri::DI => Space::Di,
            uri::XSI => Space::Xsi,
            uri::XML => Space::Xml,
            uri::TRACKSIDE => Space::Trackside,
            _ => match self.others.get(name) {
                Some(&number) => Space::Other(number),
                None if self.others.len() >= self.max => return Err(Refused::TooMany),
                None => {
                    let number = self.others.len() as u32;
                    self.others.insert(name.to_owned(), number);
                    Space::Other(number)
                }
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declare(spaces: &mut Namespaces<'static>, outer: Scope, prefix: &'static str, name: &'static str) -> Scope {
        spaces.declare(outer, prefix, name).expect("accepted")
    }

    #[test]
    fn inner_declarations_hide_outer_ones() {
        let mut spaces = Namespaces::new(9);
        let outer = declare(&mut spaces, None, "a", uri::BPMN);
        let inner = declare(&mut spaces, outer, "a", "urn:x");
        assert_eq!(spaces.resolve(outer, "a"), Some(Space::Bpmn));
        assert_eq!(spaces.resolve(inner, "a"), Some(Space::Other(0)));
        assert_eq!(spaces.resolve(inner, "b"), None);
        assert_eq!(spaces.resolve(inner, ""), Some(Space::None));
        assert_eq!(spaces.resolve(None, "xml"), Some(Space::Xml));
        let default = declare(&mut spaces, inner, "", "urn:y");
        assert_eq!(spaces.resolve(default, ""), Some(Space::Other(1)));
        let none = declare(&mut spaces, default, "", "");
        assert_eq!(spaces.resolve(none, ""), Some(Space::None));
    }

    #[test]
    fn what_is_refused() {
        let mut spaces = Namespaces::new(1);
        let mut declare = |prefix, name| spaces.declare(None, prefix, name);
        assert_eq!(declare("xmlns", "urn:x"), Err(Refused::Reserved));
        assert_eq!(declare("xml", "urn:x"), Err(Refused::Reserved));
        assert_eq!(declare("x", uri::XML), Err(Refused::Reserved));
        assert_eq!(declare("x", ""), Err(Refused::Empty));
        assert_eq!(declare("xml", uri::XML), Ok(None));
        assert_eq!(declare("x", "urn:1"), Ok(Some(0)));
        assert_eq!(declare("x", "urn:2"), Err(Refused::TooMany));
    }

    #[test]
    fn declaring_the_same_again_costs_nothing() {
        let mut spaces = Namespaces::new(1);
        let scope = declare(&mut spaces, None, "a", uri::BPMN);
        assert_eq!(spaces.declare(scope, "a", uri::BPMN), Ok(scope));
    }
}
