//! Knockouts: the bracket.

/// The first round, from the top of the bracket to its bottom: the better seed, and the other one if there is one.
pub fn first_round(players: usize) -> Vec<(usize, Option<usize>)> {
    let seeds = seeding(players.next_power_of_two());
    let exists = |seed: usize| (seed < players).then_some(seed);
    { seeds.chunks_exact(2) }
        .map(|seeds| (seeds[0], exists(seeds[1])))
        .collect()
}

/// The round of the winners of another one, in the order of the bracket. A winner of two rounds that follow each other
/// meets the next one.
pub fn next_round(winners: &[usize]) -> Vec<(usize, Option<usize>)> {
    { winners.chunks(2) }
        .map(|pair| match *pair {
            [one, other] => (one.min(other), Some(one.max(other))),
            [one, ..] => (one, None),
            [] => (0, None),
        })
        .collect()
}

/// The seeds, from 0, in the order of their places in a bracket that has a place for each of them: the best two can meet
/// in the final only, the best four in the semi-finals only, and so on. In each round the best meets the worst, if no
/// player lost to a worse seed. `places` is a power of two.
fn seeding(places: usize) -> Vec<usize> {
    let mut seeds = vec![0];
    while seeds.len() < places {
        let last = 2 * seeds.len() - 1;
        seeds = (seeds.iter())
            .flat_map(|&seed| [seed, last - seed])
            .collect();
    }
    seeds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_meet_the_worst() {
        assert_eq!(seeding(1), [0]);
        assert_eq!(seeding(2), [0, 1]);
        assert_eq!(seeding(8), [0, 7, 3, 4, 1, 6, 2, 5]);
    }
}
