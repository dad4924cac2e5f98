//! What stands on the board, and in which order tables of it are made.

use std::fmt;
use std::str::FromStr;

/// The pieces of one side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Force {
    /// How many men.
    pub men: u8,
    /// How many kings.
    pub kings: u8,
}

impl Force {
    /// How many pieces.
    pub const fn pieces(self) -> u8 {
        self.men + self.kings
    }
}

/// The pieces of both sides, those of the side to move first: the name of a slice of the tables.
///
/// Which colour is to move makes no difference, for the board is turned for Black. Written as
/// `KKm-Km`: two kings and a man are to move against a king and a man.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Material {
    /// The side to move.
    pub mover: Force,
    /// The other side.
    pub other: Force,
}

/// More pieces than any table has.
pub const MOST_PIECES: u8 = 7;

impl Material {
    /// How many [`Material::code`]s there are.
    pub(crate) const CODES: usize = 1 << 12;

    /// How many pieces.
    pub const fn pieces(self) -> u8 {
        self.mover.pieces() + self.other.pieces()
    }

    /// How many men.
    pub const fn men(self) -> u8 {
        self.mover.men + self.other.men
    }

    /// The same pieces with the other side to move.
    #[must_use]
    pub const fn mirrored(self) -> Material {
        Material {
            mover: self.other,
            other: self.mover,
        }
    }

    /// The slices that are made together: this one and, where it is another, its mirror image.
    pub fn pair(self) -> impl Iterator<Item = Material> {
        let mirrored = self.mirrored();
        [self]
            .into_iter()
            .chain((mirrored != self).then_some(mirrored))
    }

    /// A small number that no other material has.
    #[inline(always)]
    pub(crate) const fn code(self) -> usize {
        let Material { mover, other } = self;
        mover.men as usize
            | (mover.kings as usize) << 3
            | (other.men as usize) << 6
            | (other.kings as usize) << 9
    }

    /// Every material of so many pieces with a piece on both sides, sorted.
    pub fn all(pieces: u8) -> Vec<Material> {
        let mut all = Vec::new();
        for strength in 1..pieces {
            for men in 0..=strength {
                for other_men in 0..=pieces - strength {
                    all.push(Material {
                        mover: Force {
                            men,
                            kings: strength - men,
                        },
                        other: Force {
                            men: other_men,
                            kings: pieces - strength - other_men,
                        },
                    });
                }
            }
        }
        all.sort();
        all
    }

    /// One material of each pair of mirrored ones of so many pieces, in an order in which promotions
    /// lead to earlier ones: by the number of men.
    pub fn pairs(pieces: u8) -> Vec<Material> {
        let mut pairs = Material::all(pieces);
        pairs.retain(|material| *material >= material.mirrored());
        pairs.sort_by_key(|material| (material.men(), *material));
        pairs
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for (side, force) in [self.mover, self.other].into_iter().enumerate() {
            if side == 1 {
                text.push('-');
            }
            text.push_str(&"K".repeat(force.kings.into()));
            text.push_str(&"m".repeat(force.men.into()));
        }
        f.pad(&text)
    }
}

/// A text that names no material.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{found:?} is no material: expected one such as KKm-Km, of 2 to {MOST_PIECES} pieces")]
pub struct MaterialError {
    /// What was read.
    found: String,
}

impl FromStr for Material {
    type Err = MaterialError;

    /// Reads what [`Display`](fmt::Display) writes, and nothing else.
    fn from_str(text: &str) -> Result<Material, MaterialError> {
        let force = |text: &str| {
            let kings = text.bytes().filter(|&byte| byte == b'K').count();
            let men = text.bytes().filter(|&byte| byte == b'm').count();
            (1..MOST_PIECES.into())
                .contains(&(men + kings))
                .then_some(Force {
                    men: men as u8,
                    kings: kings as u8,
                })
        };
        let read = || {
            let (mover, other) = text.split_once('-')?;
            let material = Material {
                mover: force(mover)?,
                other: force(other)?,
            };
            let is_small = material.pieces() <= MOST_PIECES;
            (is_small && material.to_string() == text).then_some(material)
        };
        read().ok_or_else(|| MaterialError {
            found: text.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for pieces in 2..=MOST_PIECES {
            for material in Material::all(pieces) {
                assert_eq!(material.to_string().parse(), Ok(material));
                assert_eq!(material.pieces(), pieces);
                assert!(material.code() < Material::CODES);
            }
        }
        for text in [
            "",
            "-",
            "K",
            "K-",
            "mK-K",
            "K-K-K",
            "KKKKKKK-K",
            "Q-K",
            "KKKK-KKKK",
        ] {
            assert!(text.parse::<Material>().is_err(), "{text}");
        }
    }

    #[test]
    fn every_material_or_its_mirror_is_in_one_pair() {
        for pieces in 2..=MOST_PIECES {
            let pairs = Material::pairs(pieces);
            let mut both: Vec<Material> = pairs
                .iter()
                .flat_map(|pair| [*pair, pair.mirrored()])
                .collect();
            both.sort();
            both.dedup();
            assert_eq!(both, Material::all(pieces));
        }
        assert_eq!(Material::all(6).len(), 70);
        assert_eq!(Material::pairs(6).len(), 37);
    }
}
