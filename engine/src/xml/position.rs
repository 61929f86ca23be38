//! From byte offsets to lines and columns, each byte of a file looked at once.

use crate::model::Position;

/// Walks through a text and says where it is. Going forwards costs what lies between; going backwards is not possible.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    text: &'a [u8],
    offset: usize,
    at: Position,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text: text.as_bytes(),
            offset: 0,
            at: Position { line: 1, column: 1 },
        }
    }

    /// The place of the byte at `offset`; of the last one asked for, where that was further on.
    pub(super) fn at(&mut self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        if offset <= self.offset {
            return self.at;
        }
        let passed = &self.text[self.offset..offset];
        let mut lines = passed.split(|&byte| byte == b'\n');
        // A split has at least one part; what follows the last line break comes first from behind.
        let last = lines.next_back().unwrap_or_default();
        let breaks = lines.count() as u32;
        let before = if breaks == 0 { self.at.column } else { 1 };
        self.at = Position {
            line: self.at.line + breaks,
            column: before + characters(last),
        };
        self.offset = offset;
        self.at
    }
}

/// The place of one offset, found from the start of the text.
pub(super) fn place(text: &str, offset: usize) -> Position {
    Lines::new(text).at(offset)
}

/// Every byte but the continuation bytes of UTF-8 starts a character.
fn characters(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let text = "añb\n→x\r\ny";
        let at = |needle: char| place(text, text.find(needle).expect("in the text"));
        assert_eq!(at('a'), Position { line: 1, column: 1 });
        assert_eq!(at('b'), Position { line: 1, column: 3 });
        assert_eq!(at('x'), Position { line: 2, column: 2 });
        assert_eq!(at('y'), Position { line: 3, column: 1 });
    }

    #[test]
    fn steps_and_one_jump_agree() {
        let text = "ab\ncé\n\nd";
        let mut lines = Lines::new(text);
        for (offset, _) in text.char_indices() {
            assert_eq!(lines.at(offset), place(text, offset), "at {offset}");
        }
        assert_eq!(lines.at(0), place(text, text.len() - 1), "never backwards");
    }
}
