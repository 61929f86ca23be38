//! From characters to a [`Tree`]: the one pass over a file in which everything that XML itself demands is checked.

mod tag;
mod text;

use std::collections::BTreeSet;

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::model::Position;
use crate::problem::Problem;

use super::Limits;
use super::attribute::{Attribute, is_character, split_name};
use super::known::is_silent;
use super::namespace::{Namespaces, Scope, Space};
use super::position::{Lines, place};
use super::problems::{Problems, Stop, quote};
use super::rule;
use super::tree::{Node, NodeRef, Tree, split_tag};

/// The elements of `source`. Problems that do not stop the reading go to `problems`.
pub(super) fn build<'a>(source: &'a str, limits: &Limits, problems: &mut Problems) -> Result<Tree<'a>, Stop> {
    if let Some(offset) = first_bad_character(source) {
        return Err(stop(
            rule::WELL_FORMED,
            place(source, offset),
            "there is a character that XML does not allow",
        ));
    }
    let mut builder = Builder {
        source,
        limits,
        problems,
        lines: Lines::new(source),
        tree: Tree {
            source,
            nodes: Vec::new(),
            namespaces: Namespaces::new(limits.namespaces),
        },
        open: Vec::new(),
        attributes: Vec::new(),
        names: Vec::new(),
        undeclared: BTreeSet::new(),
        has_root: false,
    };
    builder.run()?;
    Ok(builder.tree)
}

/// Where the first character stands that XML does not allow. Bytes that may start one are rare, so they are looked for.
fn first_bad_character(source: &str) -> Option<usize> {
    let suspicious = |byte: u8| byte < b' ' || byte == 0xEF;
    let bad = |&offset: &usize| source[offset..].chars().next().is_some_and(|c| !is_character(c));
    let bytes = source.bytes().enumerate();
    let mut offsets = bytes.filter_map(|(offset, byte)| suspicious(byte).then_some(offset));
    offsets.find(bad)
}

struct Builder<'a, 'p> {
    source: &'a str,
    limits: &'p Limits,
    problems: &'p mut Problems,
    lines: Lines<'a>,
    tree: Tree<'a>,
    open: Vec<Open>,
    /// The attributes of the tag at hand; kept for its room.
    attributes: Vec<Attribute<'a>>,
    /// Their names; kept for its room.
    names: Vec<(Space, &'a str, &'a str)>,
    /// Prefixes that have been complained about.
    undeclared: BTreeSet<&'a str>,
    has_root: bool,
}

/// An element whose end has not been reached.
struct Open {
    start: usize,
    /// `None` where it is skipped.
    node: Option<NodeRef>,
    last_child: Option<NodeRef>,
    scope: Scope,
    /// Whether it is `extensionElements`.
    extensions: bool,
}

/// A start tag: from `<` to past `>`.
#[derive(Clone, Copy)]
struct Tag {
    start: usize,
    end: usize,
    empty: bool,
}

impl Builder<'_, '_> {
    fn run(&mut self) -> Result<(), Stop> {
        let mut reader = Reader::from_str(self.source);
        loop {
            let start = reader.buffer_position() as usize;
            let event = reader.read_event().map_err(|error| {
                let at = place(self.source, reader.error_position() as usize);
                stop(rule::WELL_FORMED, at, &error.to_string())
            })?;
            let end = reader.buffer_position() as usize;
            match event {
                Event::Start(_) => self.start(Tag {
                    start,
                    end,
                    empty: false,
                })?,
                Event::Empty(_) => self.start(Tag {
                    start,
                    end,
                    empty: true,
                })?,
                Event::End(_) => self.close(start),
                Event::Text(text) => self.text(start, &text)?,
                Event::CData(_) => self.inside_root(start)?,
                Event::GeneralRef(name) => self.reference(start, &name)?,
                Event::DocType(_) => return Err(self.doctype(start)),
                Event::Decl(_) if start > 0 => {
                    let message = "the XML declaration is not at the very start";
                    return Err(stop(rule::WELL_FORMED, self.lines.at(start), message));
                }
                Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
                Event::Eof => return self.end(),
            }
        }
    }

    fn start(&mut self, tag: Tag) -> Result<(), Stop> {
        if self.open.len() >= self.limits.depth {
            let message = format!("elements nest more than {} deep", self.limits.depth);
            return Err(stop(rule::LIMIT, self.lines.at(tag.start), &message));
        }
        if self.open.is_empty() && std::mem::replace(&mut self.has_root, true) {
            let message = "there is a second element after the end of the first";
            return Err(stop(rule::WELL_FORMED, self.lines.at(tag.start), message));
        }
        let inside_end = tag.end - if tag.empty { 2 } else { 1 };
        let (name, inside) = split_tag(&self.source[tag.start + 1..inside_end]);
        let Some((prefix, local)) = split_name(name) else {
            let message = format!("{} is not a name that XML allows for an element", quote(name));
            return Err(stop(rule::WELL_FORMED, self.lines.at(tag.start), &message));
        };
        self.collect_attributes(tag, inside)?;
        let scope = self.declare(tag)?;
        let space = self.space(tag, scope, prefix);
        self.check_attributes(tag, scope)?;
        let node = if self.keeps(space, local) {
            self.check_lengths(tag)?;
            Some(self.push(tag, inside_end, space, scope)?)
        } else {
            self.complain_of_no_namespace(tag, space, local);
            None
        };
        if !tag.empty {
            self.open.push(Open {
                start: tag.start,
                node,
                last_child: None,
                scope,
                extensions: space == Space::Bpmn && local == "extensionElements",
            });
        }
        Ok(())
    }

    /// Whether the model can have use of an element here.
    fn keeps(&self, space: Space, local: &str) -> bool {
        match self.open.last() {
            None => true,
            Some(Open { node: None, .. }) => false,
            Some(Open { extensions: true, .. }) => space == Space::Trackside,
            Some(_) => match space {
                Space::Bpmn => !is_silent(local),
                Space::BpmnDi | Space::Dc | Space::Di | Space::Trackside => true,
                Space::None | Space::Xsi | Space::Xml | Space::Other(_) => false,
            },
        }
    }

    /// An element without a namespace, among those of BPMN, is most likely meant to be one of them.
    fn complain_of_no_namespace(&mut self, tag: Tag, space: Space, local: &str) {
        let parent = self.open.last().filter(|open| !open.extensions);
        let parent = parent.and_then(|open| open.node).map(|node| self.tree.node(node).space);
        let among = parent == Some(Space::Bpmn);
        if among && space == Space::None {
            let at = self.lines.at(tag.start);
            let message = format!("{} is in no namespace and is not read", quote(local));
            let hint = "Give it the prefix that the elements around it have.";
            self.problems
                .push(Problem::warning(rule::NAMESPACE, at, message).hint(hint));
        }
    }

    fn push(&mut self, tag: Tag, tag_end: usize, space: Space, scope: Scope) -> Result<NodeRef, Stop> {
        let at = self.lines.at(tag.start);
        if self.tree.nodes.len() >= self.limits.elements {
            let message = format!("there are more than {} elements", self.limits.elements);
            return Err(stop(rule::LIMIT, at, &message));
        }
        let node = NodeRef(self.tree.nodes.len() as u32);
        let end = tag.end as u32;
        self.tree.nodes.push(Node {
            name: tag.start as u32 + 1,
            tag_end: tag_end as u32,
            content: [end, end],
            at,
            space,
            scope,
            first_child: None,
            next: None,
        });
        if let Some(open) = self.open.last_mut() {
            let link = match (open.last_child.replace(node), open.node) {
                (Some(before), _) => Some(&mut self.tree.nodes[before.0 as usize].next),
                (None, Some(parent)) => Some(&mut self.tree.nodes[parent.0 as usize].first_child),
                (None, None) => None,
            };
            if let Some(link) = link {
                *link = Some(node);
            }
        }
        Ok(node)
    }

    /// The reader underneath has checked that names match.
    fn close(&mut self, start: usize) {
        if let Some(node) = self.open.pop().and_then(|open| open.node) {
            self.tree.nodes[node.0 as usize].content[1] = start as u32;
        }
    }

    fn end(&mut self) -> Result<(), Stop> {
        if let Some(open) = self.open.last() {
            let (name, _) = split_tag(&self.source[open.start + 1..]);
            let name = name.split(['>', '/']).next().unwrap_or_default();
            let message = format!("the file ends inside {}, which starts here", quote(name));
            return Err(stop(rule::WELL_FORMED, place(self.source, open.start), &message));
        }
        if !self.has_root {
            let message = "there is no element in the file";
            return Err(stop(rule::NOT_BPMN, Position { line: 1, column: 1 }, message));
        }
        Ok(())
    }
}

fn stop(rule: &str, at: Position, message: &str) -> Stop {
    let hint = match rule {
        rule::WELL_FORMED => "Mend the XML here, or export the model again.",
        rule::LIMIT => "Split the model, or raise this bound in `Limits`.",
        _ => "Export the model as BPMN 2.0 XML.",
    };
    Problem::error(rule, at, message).hint(hint).into()
}
