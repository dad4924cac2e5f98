//! The order in which slices are made and the memory needed, estimated before any work.

use super::counted::Counted;
use super::generator::Generator;
use super::pair;
use crate::tablebase::layout::Layout;
use crate::tablebase::material::Material;

/// In which order slices are made, and how much memory that takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenerationPlan {
    /// One slice of each pair that is still to be made.
    pub pairs: Vec<Material>,
    /// The positions in them.
    pub positions: u64,
    /// Whether slices stay in memory until no other needs them; otherwise they are loaded again for
    /// each pair.
    pub keeps: bool,
    /// About what the files will take on the disk, in bytes.
    pub disk: u64,
    /// The most memory at any time, in bytes, apart from what does not grow with the tables.
    pub memory: u64,
}

/// There is less memory than the largest pair of slices takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{pieces} pieces take {} MiB at least, more than the {} MiB there may be",
    .least.div_ceil(1 << 20),
    .limit >> 20
)]
pub struct TooLarge {
    /// Of how many pieces tables are wanted.
    pub pieces: u8,
    /// What they take at least.
    pub least: u64,
    /// What they may take.
    pub limit: u64,
}

impl GenerationPlan {
    /// Plans tables of up to so many pieces within a limit of memory in bytes. Slices for which
    /// `is_made` holds are not made again.
    ///
    /// # Errors
    /// When no order fits into the limit.
    pub fn new(
        pieces: u8,
        is_made: impl Fn(Material) -> bool,
        limit: u64,
    ) -> Result<GenerationPlan, TooLarge> {
        let mut pairs: Vec<Material> = (2..=pieces).flat_map(Material::pairs).collect();
        pairs.retain(|pair| !is_made(*pair) || !is_made(pair.mirrored()));
        let positions = pairs
            .iter()
            .map(|&pair| pair_sum(pair, Layout::positions))
            .sum();
        let plan = |keeps| GenerationPlan {
            memory: memory(&pairs, keeps),
            pairs: pairs.clone(),
            positions,
            disk: positions / 16 * 3,
            keeps,
        };
        let (comfortable, least) = (plan(true), plan(false));
        if comfortable.memory <= limit {
            Ok(comfortable)
        } else if least.memory <= limit {
            Ok(least)
        } else {
            Err(TooLarge {
                pieces,
                least: least.memory,
                limit,
            })
        }
    }

    /// Plans to solve slices of up to so many pieces under the articles, which all stay in memory.
    ///
    /// # Errors
    /// When they do not fit into the limit.
    pub fn under_articles(pieces: u8, limit: u64) -> Result<GenerationPlan, TooLarge> {
        let pairs: Vec<Material> = (2..=pieces).flat_map(Material::pairs).collect();
        let len = |pair| pair_sum(pair, |layout| layout.len() as u64);
        let positions = pairs.iter().map(|&pair| pair_sum(pair, Layout::positions));
        let positions = positions.sum();
        // The wins of a pair, two bytes for each place, stay in memory while its losses are solved.
        let working = pairs.iter().map(|&pair| {
            let places = len(pair);
            (working_memory(pair) + 2 * places).max(Counted::memory(pair, places))
        });
        let memory = pairs.iter().map(|&pair| len(pair)).sum::<u64>() + working.max().unwrap_or(0);
        if memory > limit {
            return Err(TooLarge {
                pieces,
                least: memory,
                limit,
            });
        }
        Ok(GenerationPlan {
            pairs,
            positions,
            keeps: true,
            disk: 0,
            memory,
        })
    }

    /// Whether a slice may be dropped from memory after the pair at `done` of the plan is made.
    pub fn may_forget(&self, material: Material, done: usize) -> bool {
        let later = &self.pairs[(done + 1).min(self.pairs.len())..];
        let needing = if self.keeps {
            later
        } else {
            &later[..later.len().min(1)]
        };
        let is_needed = |pair: &Material| {
            // Those of fewer pieces are needed again and again.
            material.pieces() < pair.pieces() || needs_for_promotion(*pair).contains(&material)
        };
        !needing.iter().any(is_needed)
    }
}

fn needs_for_promotion(pair: Material) -> Vec<Material> {
    let mut needs = Generator::needs(pair);
    needs.retain(|need| need.pieces() == pair.pieces());
    needs
}

fn pair_sum(pair: Material, of: impl Fn(&Layout) -> u64) -> u64 {
    pair.pair().map(|half| of(&Layout::new(half))).sum()
}

/// The memory in which a pair is made.
fn working_memory(pair: Material) -> u64 {
    let len = |material| Layout::new(material).len() as u64;
    let mirrored = pair.mirrored();
    let second = if mirrored == pair { 0 } else { len(mirrored) };
    pair::memory(pair, [len(pair), second])
}

/// The most memory at any time: a byte for each place in memory, and what the work takes.
fn memory(pairs: &[Material], keeps: bool) -> u64 {
    let len = |layout: &Layout| layout.len() as u64;
    let at = |i: usize| {
        let pair = pairs[i];
        let smaller = (2..pair.pieces()).flat_map(Material::all);
        let mut kept: Vec<Material> = smaller.collect();
        let later = if keeps { &pairs[i..] } else { &pairs[i..=i] };
        let promotions = later.iter().flat_map(|&pair| needs_for_promotion(pair));
        let is_made = |need: &Material| {
            let place = |pair: &Material| *pair == *need || pair.mirrored() == *need;
            need.pieces() == pair.pieces() && !pairs[i..].iter().any(place)
        };
        kept.extend(promotions.filter(is_made));
        kept.sort();
        kept.dedup();
        let kept: u64 = kept
            .into_iter()
            .map(|material| len(&Layout::new(material)))
            .sum();
        kept + working_memory(pair)
    };
    (0..pairs.len()).map(at).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_memory_is_enough_if_slices_are_loaded_again() {
        let plan = |limit| GenerationPlan::new(6, |_| false, limit);
        let comfortable = plan(u64::MAX).unwrap();
        assert!(comfortable.keeps && comfortable.memory < 6 << 30);
        assert_eq!(comfortable.positions, 2_571_945_320);
        let tight = plan(comfortable.memory - 1).unwrap();
        assert!(!tight.keeps && tight.memory < comfortable.memory);
        assert_eq!(tight.pairs, comfortable.pairs);
        let error = plan(tight.memory - 1).unwrap_err();
        assert_eq!(error.least, tight.memory);
    }

    #[test]
    fn what_is_made_is_not_planned_again() {
        let plan = GenerationPlan::new(4, |material| material.pieces() < 4, u64::MAX).unwrap();
        assert_eq!(plan.pairs, Material::pairs(4));
        assert_eq!(GenerationPlan::new(4, |_| true, 0).unwrap().pairs, []);
    }

    #[test]
    fn nothing_is_forgotten_that_is_needed_later() {
        for limit in [u64::MAX, 900_000_000] {
            let plan = GenerationPlan::new(5, |_| false, limit).unwrap();
            for (done, _) in plan.pairs.iter().enumerate() {
                let Some(next) = plan.pairs.get(done + 1) else {
                    continue;
                };
                for need in Generator::needs(*next) {
                    assert!(!plan.may_forget(need, done), "{need} for {next}");
                }
            }
        }
    }
}
