//! A stable hash for fingerprints and traces: FNV-1a in 64 bits.
//!
//! The standard library's hasher promises nothing from one version to the next, and a token or a reported trace hash
//! must mean the same on every machine and in every year. [FNV-1a](http://www.isthe.com/chongo/tech/comp/fnv/) is a
//! dozen lines and fixed for ever. It tells accidents apart, not attackers: nothing here is a signature.

const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// A running FNV-1a hash of bytes.
///
/// ```
/// use trackside_sim::hash::Fnv;
///
/// let mut hash = Fnv::default();
/// hash.write(b"foo");
/// hash.write(b"bar");
/// assert_eq!(hash.hex(), "85944171f73967e8");
/// assert_eq!(hash.hex(), Fnv::of(b"foobar").hex());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(OFFSET_BASIS)
    }
}

impl Fnv {
    /// The hash of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        let mut hash = Self::default();
        hash.write(bytes);
        hash
    }

    /// Goes on with `bytes`.
    pub fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    }

    /// The hash so far.
    pub const fn value(self) -> u64 {
        self.0
    }

    /// The hash so far, as 16 hexadecimal digits.
    pub fn hex(self) -> String {
        format!("{:016x}", self.0)
    }
}
