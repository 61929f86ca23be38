//! The elements of a file in one flat list.
//!
//! A [`Tree`] holds the elements that a model can be made from, in the order of the file and linked by index, so that
//! neither building, walking nor dropping it recurses. A node is a few numbers that point into the source; names,
//! attributes and text are looked at where they stand when they are needed.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::model::Position;

use super::attribute::{Attribute, Attributes, attribute_value, is_space, resolve_reference, split_name};
use super::namespace::{Namespaces, Scope, Space};

/// The index of an element in a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NodeRef(pub(super) u32);

/// One element.
#[derive(Debug)]
pub(super) struct Node {
    /// Where its name starts, just after the `<`.
    pub(super) name: u32,
    /// Where the inside of its tag ends.
    pub(super) tag_end: u32,
    /// Where its content starts and ends; the same for an empty element.
    pub(super) content: [u32; 2],
    pub(super) at: Position,
    pub(super) space: Space,
    pub(super) scope: Scope,
    pub(super) first_child: Option<NodeRef>,
    pub(super) next: Option<NodeRef>,
}

/// All elements of a file that matter.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    pub(super) source: &'a str,
    pub(super) nodes: Vec<Node>,
    pub(super) namespaces: Namespaces<'a>,
}

impl<'a> Tree<'a> {
    pub(super) fn node(&self, node: NodeRef) -> &Node {
        &self.nodes[node.0 as usize]
    }

    /// Every element, in the order of the file.
    pub(super) fn refs(&self) -> impl Iterator<Item = NodeRef> {
        (0..self.nodes.len() as u32).map(NodeRef)
    }

    /// An element with its attributes.
    pub(super) fn element(&self, node: NodeRef) -> Element<'_> {
        let (local, inside) = self.tag(node);
        Element {
            tree: self,
            node,
            local,
            attributes: Attributes::new(inside).filter_map(Result::ok).collect(),
        }
    }

    /// The local name of an element.
    pub(super) fn local(&self, node: NodeRef) -> &'a str {
        self.tag(node).0
    }

    /// Local name, and what follows the name in the tag.
    fn tag(&self, node: NodeRef) -> (&'a str, &'a str) {
        let node = self.node(node);
        let (name, inside) = split_tag(&self.source[node.name as usize..node.tag_end as usize]);
        (split_name(name).map_or(name, |(_, local)| local), inside)
    }

    /// The elements directly inside `node`.
    pub(super) fn children(&self, node: NodeRef) -> impl Iterator<Item = NodeRef> + '_ {
        std::iter::successors(self.node(node).first_child, |&child| self.node(child).next)
    }
}

/// The name in a tag, and the rest.
pub(super) fn split_tag(tag: &str) -> (&str, &str) {
    let end = tag.bytes().position(|byte| is_space(char::from(byte)));
    let end = end.unwrap_or(tag.len());
    tag.split_at(end)
}

/// One element, ready to be asked.
#[derive(Debug)]
pub(super) struct Element<'t> {
    tree: &'t Tree<'t>,
    pub(super) node: NodeRef,
    /// The name without its prefix.
    pub(super) local: &'t str,
    attributes: Vec<Attribute<'t>>,
}

impl<'t> Element<'t> {
    pub(super) fn space(&self) -> Space {
        self.tree.node(self.node).space
    }

    pub(super) fn at(&self) -> Position {
        self.tree.node(self.node).at
    }

    /// Whether it is this element of BPMN itself.
    pub(super) fn is(&self, local: &str) -> bool {
        self.space() == Space::Bpmn && self.local == local
    }

    /// The elements directly inside.
    pub(super) fn children(&self) -> impl Iterator<Item = Element<'t>> + use<'t> {
        let tree = self.tree;
        tree.children(self.node).map(|child| tree.element(child))
    }

    /// The value of an attribute without a prefix.
    pub(super) fn attribute(&self, local: &str) -> Option<Cow<'t, str>> {
        let found = self.attributes.iter().find(|a| a.prefix.is_empty() && a.local == local);
        found.map(value)
    }

    /// The value of an attribute, exactly.
    pub(super) fn string(&self, local: &str) -> Option<String> {
        self.attribute(local).map(Cow::into_owned)
    }

    /// The local part of what an attribute refers to.
    pub(super) fn reference(&self, local: &str) -> Option<String> {
        self.attribute(local).map(|value| self.local_part(&value).to_owned())
    }

    /// A reference without its prefix, where that prefix is declared.
    pub(super) fn local_part<'v>(&self, reference: &'v str) -> &'v str {
        let reference = reference.trim_matches(is_space);
        match reference.split_once(':') {
            Some((prefix, local)) if !local.is_empty() && !prefix.is_empty() && self.resolve(prefix).is_some() => local,
            _ => reference,
        }
    }

    /// The id that is written; an empty one counts as none (F25).
    pub(super) fn id(&self) -> Option<String> {
        let id = self.attribute("id")?;
        let id = id.trim_matches(is_space);
        (!id.is_empty()).then(|| id.to_owned())
    }

    /// The value of `xsi:type`, whatever the prefix.
    pub(super) fn xsi_type(&self) -> Option<Cow<'t, str>> {
        let is_type = |a: &&Attribute<'_>| a.local == "type" && self.resolve(a.prefix) == Some(Space::Xsi);
        let mut prefixed = self.attributes.iter().filter(|a| !a.prefix.is_empty());
        prefixed.find(is_type).map(value)
    }

    /// What `prefix` stands for here.
    pub(super) fn resolve(&self, prefix: &str) -> Option<Space> {
        self.tree.namespaces.resolve(self.tree.node(self.node).scope, prefix)
    }

    /// The content as written, mark-up and all.
    pub(super) fn content(&self) -> &'t str {
        let [start, end] = self.tree.node(self.node).content;
        &self.tree.source[start as usize..end as usize]
    }

    /// The text directly inside, without what is inside inner elements.
    pub(super) fn text(&self) -> Cow<'t, str> {
        let content = self.content();
        if content.contains(['<', '&', '\r']) {
            Cow::Owned(text_of(content))
        } else {
            Cow::Borrowed(content)
        }
    }
}

/// References that are wrong have been reported when the tree was built; such a value stays as written.
fn value<'a>(attribute: &Attribute<'a>) -> Cow<'a, str> {
    attribute_value(attribute.raw).unwrap_or(Cow::Borrowed(attribute.raw))
}

fn text_of(content: &str) -> String {
    let mut text = String::with_capacity(content.len());
    let mut reader = Reader::from_str(content);
    let mut depth = 0_usize;
    loop {
        match reader.read_event() {
            Ok(Event::Start(_)) => depth += 1,
            Ok(Event::End(_)) => depth = depth.saturating_sub(1),
            Ok(Event::Text(piece)) if depth == 0 => text.push_str(&piece.xml10_content()),
            Ok(Event::CData(piece)) if depth == 0 => text.push_str(&piece.xml10_content()),
            Ok(Event::GeneralRef(name)) if depth == 0 => text.extend(resolve_reference(&name).ok()),
            Ok(Event::Eof) | Err(_) => return text,
            Ok(_) => {}
        }
    }
}
