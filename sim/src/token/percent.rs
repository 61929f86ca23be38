//! Percent encoding for tokens: what a shell, a URL or a log line could take apart is written as `%XX`, a space as `+`.

const DIGITS: &[u8; 16] = b"0123456789ABCDEF";

/// Encodes `text`; what is left needs no quoting in a shell.
pub(crate) fn encode(text: &str) -> String {
    encode_keeping(text, b"-_./@")
}

/// The same, with `=` left readable: for the lines of a script.
pub(crate) fn encode_line(text: &str) -> String {
    encode_keeping(text, b"-_./@=")
}

fn encode_keeping(text: &str, kept: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' ' => out.push('+'),
            _ if byte.is_ascii_alphanumeric() || kept.contains(&byte) => out.push(char::from(byte)),
            _ => {
                out.push('%');
                out.extend([byte >> 4, byte & 15].map(|half| char::from(DIGITS[usize::from(half)])));
            }
        }
    }
    out
}

/// Decodes; `None` for a broken escape or bytes that are no text.
pub(crate) fn decode(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'+' => b' ',
            b'%' => digit(bytes.next()?)? << 4 | digit(bytes.next()?)?,
            _ => byte,
        });
    }
    String::from_utf8(out).ok()
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

#[cfg(test)]
mod tests {
    use super::{decode, encode, encode_line};

    #[test]
    fn encodes_what_a_shell_would_read() {
        for (text, expected) in [
            ("models/order 1.bpmn", "models/order+1.bpmn"),
            ("a=b", "a%3Db"),
            ("x:y,z", "x%3Ay%2Cz"),
            ("+%", "%2B%25"),
            ("Prüfung", "Pr%C3%BCfung"),
        ] {
            assert_eq!(encode(text), expected);
            assert_eq!(decode(expected).as_deref(), Some(text));
        }
        assert_eq!(encode_line("complete A x=\"1\""), "complete+A+x=%221%22");
    }

    #[test]
    fn refuses_broken_escapes() {
        for text in ["%", "%4", "%zz", "%ff"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config { rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..proptest::test_runner::Config::default() })]

        #[test]
        fn every_text_comes_back(text in ".*") {
            proptest::prop_assert_eq!(decode(&encode(&text)), Some(text.clone()));
            proptest::prop_assert_eq!(decode(&encode_line(&text)), Some(text));
        }
    }
}
