//! A second opinion: positions in hash maps, their successors by the rules, and nothing else.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};
use std::thread;

use checkers_engine::tablebase::{Generator, Material, Wdl};
use checkers_lib::{Bitboard, ByColor, Color, Position, Setup, Square};

use super::tables;

/// A position seen by the side to move: 7 bits for each piece, its square and its kind, by square,
/// and in front how many there are.
type Key = u32;

/// Values in plies, even for losses and odd for wins; draws are left out.
type Values = HashMap<Key, u8, BuildHasherDefault<Mix>>;

/// Hashes keys by multiplication.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    fn write_u32(&mut self, key: u32) {
        let mixed = (self.0 ^ u64::from(key)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

fn key(position: &Position) -> Key {
    let turn = position.turn();
    let sets = [
        position.men(turn),
        position.kings(turn),
        position.men(!turn),
        position.kings(!turn),
    ];
    // Seen by the side to move.
    let sets = sets.map(|set| {
        if turn == Color::White {
            set
        } else {
            set.rotated()
        }
    });
    let [_, kings, other_men, other_kings] = sets;
    let mut key = 0;
    let all = sets.into_iter().fold(Bitboard::EMPTY, |all, set| all | set);
    for square in all {
        let is_king = (kings | other_kings).contains(square);
        let is_other = (other_men | other_kings).contains(square);
        key = key << 7 | (square as u32) << 2 | u32::from(is_king) | u32::from(is_other) << 1;
    }
    key | all.len() << 28
}

fn position(mut key: Key) -> Position {
    let mut setup = Setup {
        men: ByColor::default(),
        kings: ByColor::default(),
        turn: Color::White,
    };
    for _ in 0..key >> 28 {
        let square = Bitboard::from(Square::new((key >> 2 & 31) as u8).unwrap());
        let side = if key >> 1 & 1 == 0 {
            Color::White
        } else {
            Color::Black
        };
        let kind = if key & 1 == 0 {
            &mut setup.men
        } else {
            &mut setup.kings
        };
        kind[side] |= square;
        key >>= 7;
    }
    Position::from_setup(setup).unwrap()
}

/// Every position of a material.
fn all_positions(material: Material) -> Vec<Key> {
    let Material { mover, other } = material;
    let counts = [mover.men, mover.kings, other.men, other.kings];
    let mut all = Vec::new();
    place(counts, 0, 0, &mut all);
    let pieces: u8 = counts.iter().sum();
    all.iter()
        .map(|key| key | u32::from(pieces) << 28)
        .collect()
}

/// Adds all ways to put so many more pieces of each kind on squares from `from` on.
fn place(counts: [u8; 4], from: u32, key: Key, all: &mut Vec<Key>) {
    if counts == [0; 4] {
        all.push(key);
        return;
    }
    for square in from..32 {
        for kind in 0..4 {
            let is_on_last_row = match kind {
                0 => square >= 28,
                2 => square < 4,
                _ => false,
            };
            if counts[kind] > 0 && !is_on_last_row {
                let mut left = counts;
                left[kind] -= 1;
                place(left, square + 1, key << 7 | square << 2 | kind as u32, all);
            }
        }
    }
}

/// A position as long as it is not decided.
#[derive(Default)]
struct Open {
    /// How many of its moves are not known to lose.
    left: u32,
    /// The value of its best move by now: the soonest win, or the longest loss.
    win: Option<u8>,
    loss: u8,
}

impl Open {
    /// Takes in what a move leads to.
    fn hear(&mut self, after: u8) {
        let plies = after + 1;
        if plies % 2 == 1 {
            self.win = Some(self.win.map_or(plies, |win| win.min(plies)));
        } else {
            self.left -= 1;
            self.loss = self.loss.max(plies);
        }
    }

    fn value(&self) -> Option<u8> {
        self.win.or((self.left == 0).then_some(self.loss))
    }
}

/// The values of the positions of a material and its mirror image, ply by ply. `known` has those
/// of fewer pieces and of fewer men.
fn solve(pair: Material, known: &Values) -> Values {
    let mut all = all_positions(pair);
    if pair.mirrored() != pair {
        all.extend(all_positions(pair.mirrored()));
    }
    let numbers = all.iter().zip(0u32..).map(|(&key, number)| (key, number));
    let numbers: HashMap<Key, u32, BuildHasherDefault<Mix>> = numbers.collect();
    let mut open: Vec<Open> = Vec::with_capacity(all.len());
    let mut moves: Vec<(u32, u32)> = Vec::new();
    for (&from, number) in all.iter().zip(0..) {
        let position = position(from);
        let mut this = Open::default();
        for &m in &position.legal_moves() {
            this.left += 1;
            let mut after = position.clone();
            after.play_unchecked(m);
            let to = key(&after);
            if after.pieces(after.turn()).is_empty() {
                this.hear(0);
            } else if let Some(&within) = numbers.get(&to) {
                moves.push((within, number));
            } else if let Some(&value) = known.get(&to) {
                this.hear(value);
            }
        }
        open.push(this);
    }
    moves.sort_unstable();
    tell(&all, open, &moves)
}

/// Decides positions in the order of their distance; each tells those that have a move to it.
fn tell(all: &[Key], mut open: Vec<Open>, moves: &[(u32, u32)]) -> Values {
    let mut values = Values::default();
    let mut due: BTreeMap<u8, Vec<u32>> = BTreeMap::new();
    for (this, number) in open.iter().zip(0..) {
        if let Some(plies) = this.value() {
            due.entry(plies).or_default().push(number);
        }
    }
    while let Some((plies, decided)) = due.pop_first() {
        for number in decided {
            // A sooner win may have been found since.
            let key = all[number as usize];
            if values.contains_key(&key) {
                continue;
            }
            values.insert(key, plies);
            let begin = moves.partition_point(|&(to, _)| to < number);
            for &(_, before) in moves[begin..].iter().take_while(|&&(to, _)| to == number) {
                let this = &mut open[before as usize];
                this.hear(plies);
                if let Some(value) = this.value() {
                    due.entry(value).or_default().push(before);
                }
            }
        }
    }
    values
}

/// The values of all positions of up to so many pieces. Pairs of materials with as many men do not
/// lead to each other, and are solved at the same time.
fn solve_all(pieces: u8) -> Values {
    let values = RwLock::new(Values::default());
    for pieces in 2..=pieces {
        for men in 0..=pieces {
            let mut pairs = Material::pairs(pieces);
            pairs.retain(|pair| pair.men() == men);
            let next = AtomicUsize::new(0);
            let found = Mutex::new(Vec::new());
            let work = || {
                while let Some(&pair) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let solved = solve(pair, &values.read().unwrap());
                    found.lock().unwrap().push(solved);
                }
            };
            thread::scope(|scope| {
                scope.spawn(work);
                work();
            });
            let mut values = values.write().unwrap();
            found
                .into_inner()
                .unwrap()
                .into_iter()
                .for_each(|solved| values.extend(solved));
        }
    }
    values.into_inner().unwrap()
}

#[test]
fn every_value_is_that_of_a_plain_solver() {
    let tables = tables();
    let most = if crate::is_exhaustive() { 4 } else { 3 };
    let values = solve_all(most);
    let counts = [(2, 3_488), (3, 196_032), (4, 6_209_316)];
    for (pieces, count) in counts.into_iter().filter(|&(pieces, _)| pieces <= most) {
        let mut positions = 0;
        for key in Material::all(pieces).into_iter().flat_map(all_positions) {
            let position = position(key);
            let expected = values.get(&key).copied();
            let distance = tables.probe_distance(&position).unwrap();
            assert_eq!(distance.plies(), expected, "{position}");
            let value = tables.probe_wdl(&position).unwrap();
            assert_eq!(value, distance.wdl(), "{position}");
            positions += 1;
        }
        assert_eq!(positions, count);
    }
}

/// What a position is worth by a plain solver if its side to move has no capture.
fn quiet_value(values: &Values, position: &Position) -> Option<Wdl> {
    let value = match values.get(&key(position)) {
        None => Wdl::Draw,
        Some(plies) if plies % 2 == 0 => Wdl::Loss,
        Some(_) => Wdl::Win,
    };
    (!position.must_capture()).then_some(value)
}

#[test]
fn mutual_zugzwangs_are_counted() {
    let values = solve_all(3);
    let mut generator = Generator::new(2);
    let mut sums = [0, 0];
    for made in (2..=3)
        .flat_map(Material::pairs)
        .flat_map(|pair| generator.make(pair).unwrap())
    {
        let material: Material = made.stats.material.parse().unwrap();
        let mut expected = [0, 0];
        for key in all_positions(material) {
            let position = position(key);
            let mut setup = position.setup();
            setup.turn = !setup.turn;
            let other = Position::from_setup(setup).unwrap();
            let both = [&position, &other].map(|position| quiet_value(&values, position));
            match both {
                [Some(Wdl::Loss), Some(Wdl::Loss)] => expected = expected.map(|count| count + 1),
                [Some(Wdl::Loss), Some(Wdl::Draw)] | [Some(Wdl::Draw), Some(Wdl::Loss)] => {
                    expected[0] += 1;
                }
                _ => {}
            }
        }
        let counted = [made.stats.mutual_zugzwangs, made.stats.full_point_zugzwangs];
        assert_eq!(counted, expected.map(Some), "{material}");
        sums = [sums[0] + expected[0], sums[1] + expected[1]];
    }
    assert!(sums[0] > sums[1] && sums[1] > 0, "{sums:?}");
}
