//! The pairings of each round of a round-robin.
//!
//! CITE: FIDE Handbook C.05, annex 1, "Details of Berger Table".

/// The rounds of a single round-robin, in each of which everybody plays once; with an odd number of players, one of them
/// has a bye. The first of two has White. O(players²).
///
/// A Berger table for an even number of players: the last one stays in its place, and the others move on by half their
/// number from round to round. With an odd number, there is one more player on paper; the player who would meet it
/// has a bye.
pub fn rounds(players: usize) -> Vec<Vec<[usize; 2]>> {
    let seats = players + players % 2;
    if seats == 0 {
        return Vec::new();
    }
    let exists = |meeting: &[usize; 2]| meeting.iter().all(|&player| player < players);
    (0..seats - 1)
        .map(|round| round_of(seats, round).filter(exists).collect())
        .collect()
}

/// A round of a table for an even number of bots.
fn round_of(seats: usize, round: usize) -> impl Iterator<Item = [usize; 2]> {
    let moving = seats - 1;
    let seat = move |index: usize| (index + round * (seats / 2)) % moving;
    let mut first = [seat(0), moving];
    if !round.is_multiple_of(2) {
        first.reverse();
    }
    let others = (1..seats / 2).map(move |board| [seat(board), seat(moving - board)]);
    std::iter::once(first).chain(others)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table as people write it.
    fn table(players: usize) -> Vec<String> {
        let meeting = |[white, black]: &[usize; 2]| format!("{}-{}", white + 1, black + 1);
        (rounds(players).iter())
            .map(|round| round.iter().map(meeting).collect::<Vec<_>>().join(" "))
            .collect()
    }

    #[test]
    fn published_tables() {
        assert_eq!(table(4), ["1-4 2-3", "4-3 1-2", "2-4 3-1"]);
        let six = [
            "1-6 2-5 3-4",
            "6-4 5-3 1-2",
            "2-6 3-1 4-5",
            "6-5 1-4 2-3",
            "3-6 4-2 5-1",
        ];
        assert_eq!(table(6), six);
        let five = ["2-5 3-4", "5-3 1-2", "3-1 4-5", "1-4 2-3", "4-2 5-1"];
        assert_eq!(table(5), five);
    }

    #[test]
    fn everybody_has_white_as_often_as_black() {
        for players in 2..20 {
            let meetings = rounds(players).concat();
            assert_eq!(meetings.len(), players * (players - 1) / 2);
            for player in 0..players {
                let count = |side: usize| {
                    let has_side = |meeting: &&[usize; 2]| meeting[side] == player;
                    meetings.iter().filter(has_side).count()
                };
                assert_eq!(count(0) + count(1), players - 1);
                assert!(count(0).abs_diff(count(1)) <= 1, "{player} of {players}");
            }
        }
    }
}
