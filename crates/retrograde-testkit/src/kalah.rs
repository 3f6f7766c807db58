//! A small Kalah: a game in which a player moves again if the last seed lands in their own store.

use retrograde_game::{
    Dense, Game, Graded, GridSquare, Index, Mark, Outcome, Picture, Piece, PieceShape, Seat, Show, TextError,
};

/// The number of pits per player.
const PITS: usize = 2;
/// The places in sowing order: the first player's pits and store, then the second's.
const PLACES: usize = 2 * (PITS + 1);

/// Kalah with two pits for each player.
///
/// A turn takes all seeds of an own pit and sows them one by one, skipping the other player's
/// store. If the last seed lands in an empty own pit, it goes to the own store together with all
/// seeds of the opposite pit. The game ends when the player to move has no seeds: the other player
/// keeps the rest, and more seeds win.
pub struct Kalah {
    /// The number of seeds per pit at the start.
    pub seeds: u8,
}

/// The number of seeds in each place, and the player to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seeds {
    /// The seeds by place.
    pub at: [u8; PLACES],
    /// Whether the second player is to move.
    pub second: bool,
}

impl Seeds {
    /// The first place of a player.
    fn first_of(second: bool) -> usize {
        if second { PITS + 1 } else { 0 }
    }

    /// The store of a player.
    fn store_of(second: bool) -> usize {
        Seeds::first_of(second) + PITS
    }

    /// The number of seeds in a player's pits.
    fn in_pits(&self, second: bool) -> u8 {
        self.at[Seeds::first_of(second)..Seeds::store_of(second)].iter().sum()
    }

    fn after(mut self, pit: usize) -> Seeds {
        let (own, other) = (Seeds::store_of(self.second), Seeds::store_of(!self.second));
        let mut left = std::mem::take(&mut self.at[pit]);
        let mut place = pit;
        while left > 0 {
            place = (place + 1) % PLACES;
            if place != other {
                self.at[place] += 1;
                left -= 1;
            }
        }
        let own_pits = Seeds::first_of(self.second)..own;
        if own_pits.contains(&place) && self.at[place] == 1 {
            let opposite = 2 * PITS - place;
            self.at[own] += self.at[place] + self.at[opposite];
            (self.at[place], self.at[opposite]) = (0, 0);
        }
        // If sowing ends in the own store, the player moves again.
        self.second ^= place != own;
        self
    }
}

impl Kalah {
    fn all(&self) -> u8 {
        2 * PITS as u8 * self.seeds
    }

    fn base(&self) -> u64 {
        u64::from(self.all()) + 1
    }
}

impl Game for Kalah {
    type Position = Seeds;
    type Turn = usize;
    const RULES_VERSION: u32 = 1;

    fn name(&self) -> String {
        format!("kalah:{}", self.seeds)
    }
    fn position_count(&self) -> u128 {
        self.count_positions()
    }
    fn start(&self) -> Seeds {
        let at = std::array::from_fn(|place| if place % (PITS + 1) == PITS { 0 } else { self.seeds });
        Seeds { at, second: false }
    }
    fn seat(&self, seeds: &Seeds) -> Option<Seat> {
        Some(if seeds.second { Seat::Second } else { Seat::First })
    }
    fn result(&self, seeds: &Seeds) -> Option<Outcome> {
        let own = seeds.at[Seeds::store_of(seeds.second)];
        (seeds.in_pits(seeds.second) == 0).then(|| match own.cmp(&(self.all() - own)) {
            std::cmp::Ordering::Less => Outcome::Loss,
            std::cmp::Ordering::Equal => Outcome::Draw,
            std::cmp::Ordering::Greater => Outcome::Win,
        })
    }
    fn turns(&self, seeds: &Seeds) -> Vec<(usize, Seeds)> {
        let first = Seeds::first_of(seeds.second);
        let pits = (first..first + PITS).filter(|&pit| seeds.at[pit] > 0);
        pits.map(|pit| (pit, seeds.after(pit))).collect()
    }
    fn parse_position(&self, text: &str) -> Result<Seeds, TextError> {
        let read = || {
            let (mover, places) = text.split_once(':')?;
            let at: Vec<u8> = places.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
            let at: [u8; PLACES] = at.try_into().ok()?;
            let sum: u32 = at.iter().map(|&seeds| u32::from(seeds)).sum();
            let second = ["red", "blue"].iter().position(|&name| name == mover)? == 1;
            (sum == u32::from(self.all())).then_some(Seeds { at, second })
        };
        read().ok_or_else(|| TextError::impossible("position", text, "a player and the seeds of each place"))
    }
    fn position_text(&self, seeds: &Seeds) -> String {
        let places: Vec<String> = seeds.at.iter().map(u8::to_string).collect();
        format!("{}:{}", if seeds.second { "blue" } else { "red" }, places.join(","))
    }
    fn turn_text(&self, _: &Seeds, pit: &usize) -> String {
        format!("p{pit}")
    }
}

impl Dense for Kalah {
    const INDEX_VERSION: u32 = 1;
    fn index_count(&self) -> u128 {
        u128::from(2 * self.base().pow(PLACES as u32 - 1))
    }
    /// All places except the last, whose seeds are the rest.
    fn index(&self, seeds: &Seeds) -> Option<Index> {
        let places = seeds.at[..PLACES - 1].iter().rev();
        let index = places.fold(0, |index, &seeds| index * self.base() + u64::from(seeds));
        Some(Index(2 * index + u64::from(seeds.second)))
    }
    fn position(&self, index: Index) -> Option<Seeds> {
        let (mut left, mut rest, mut at) = (index.0 / 2, self.all(), [0; PLACES]);
        for seeds in &mut at[..PLACES - 1] {
            *seeds = (left % self.base()) as u8;
            rest = rest.checked_sub(*seeds)?;
            left /= self.base();
        }
        at[PLACES - 1] = rest;
        (left == 0).then_some(Seeds { at, second: index.0 % 2 == 1 })
    }
}

/// Seeds move on until they are in a store.
impl Graded for Kalah {
    fn grade(&self, seeds: &Seeds) -> u64 {
        let in_pits = u64::from(seeds.in_pits(false) + seeds.in_pits(true));
        let way = |place: usize| (PITS - place % (PITS + 1)) as u64 * u64::from(seeds.at[place]);
        in_pits * self.base() * PLACES as u64 + (0..PLACES).map(way).sum::<u64>()
    }
}

impl Show for Kalah {
    fn picture(&self, seeds: &Seeds, to_move: Seat) -> Picture {
        let mut picture = Picture::grid(PITS as u16 + 1, 2, to_move);
        for (place, &count) in seeds.at.iter().enumerate() {
            let owner = if place > PITS { Seat::Second } else { Seat::First };
            let letter = char::from_digit(count.into(), 36).unwrap_or('+');
            let piece = Piece { shape: PieceShape::Round, owner: Some(owner), anchored: false, letter };
            picture.put(square(place), Some(piece));
        }
        picture
    }
    fn marks(&self, _: &Seeds, pit: &usize, _: Seat) -> Vec<Mark> {
        vec![Mark::Fill(vec![square(*pit)])]
    }
}

fn square(place: usize) -> GridSquare {
    let column = (place % (PITS + 1)) as u16;
    if place > PITS {
        GridSquare { column: PITS as u16 - column, row: 0 }
    } else {
        GridSquare { column, row: 1 }
    }
}
