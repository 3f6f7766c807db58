//! Counts of positions by outcome and turns to the end: the statistics in a manifest, which a scan
//! of the table can recompute.

use std::collections::BTreeMap;

use retrograde_game::{Knowledge, Outcome, Score, Stored, Turns, Value};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::format::cells::CellWidth;

/// A number of positions. In JSON a number, or a string above 2⁵³, where a program could lose digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Count(pub u128);

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::ops::AddAssign<u128> for Count {
    fn add_assign(&mut self, more: u128) {
        self.0 += more;
    }
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(number) if number <= 1 << 53 => serializer.serialize_u64(number),
            _ => serializer.collect_str(&self.0),
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Count {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Count".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A whole number; a string above 2⁵³, where a program could lose digits.",
            "anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": "^[0-9]+$"}],
        })
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Count, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Number(u64),
            Text(String),
        }
        match Form::deserialize(deserializer)? {
            Form::Number(number) => Ok(Count(u128::from(number))),
            Form::Text(text) => text.parse().map(Count).map_err(serde::de::Error::custom),
        }
    }
}

/// Positions by turns to the end; empty if the table has only outcomes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ByTurns {
    /// Won for the side to move.
    pub win: BTreeMap<u16, Count>,
    /// Lost for the side to move.
    pub loss: BTreeMap<u16, Count>,
}

/// Counts of positions by their value for the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// All positions.
    pub positions: Count,
    /// Won positions.
    pub wins: Count,
    /// Lost positions.
    pub losses: Count,
    /// Drawn positions.
    pub draws: Count,
    /// Positions known only not to be lost.
    pub not_lost: Count,
    /// Positions without any knowledge.
    pub unknown: Count,
    /// Positions whose turns to the end are known.
    pub by_turns: ByTurns,
}

impl Counts {
    /// Counts `count` more positions with the same knowledge. [`Stored::Nothing`] is not a position.
    pub fn add(&mut self, stored: Stored, count: u128) {
        let Stored::Known(known) = stored else { return };
        if count == 0 {
            return;
        }
        self.positions += count;
        match known.outcome() {
            Some(Outcome::Win) => self.wins += count,
            Some(Outcome::Loss) => self.losses += count,
            Some(Outcome::Draw) => self.draws += count,
            None if known == Knowledge::NotLost => self.not_lost += count,
            None => self.unknown += count,
        }
        match known {
            Knowledge::Exact(Value::Win(Turns(turns))) => {
                *self.by_turns.win.entry(turns).or_default() += count
            }
            Knowledge::Exact(Value::Loss(Turns(turns))) => {
                *self.by_turns.loss.entry(turns).or_default() += count;
            }
            _ => {}
        }
    }

    /// Counts finished positions that are not numbered; they end in 0 turns.
    pub fn add_over(&mut self, outcome: Outcome, count: u128) {
        self.add(Stored::Known(Knowledge::Exact(Value::over(outcome))), count);
    }

    /// Adds other counts.
    pub fn merge(&mut self, other: &Counts) {
        self.positions += other.positions.0;
        self.wins += other.wins.0;
        self.losses += other.losses.0;
        self.draws += other.draws.0;
        self.not_lost += other.not_lost.0;
        self.unknown += other.unknown.0;
        for (mine, theirs) in
            [(&mut self.by_turns.win, &other.by_turns.win), (&mut self.by_turns.loss, &other.by_turns.loss)]
        {
            for (&turns, count) in theirs {
                *mine.entry(turns).or_default() += count.0;
            }
        }
    }

    /// Returns what does not add up, if anything: every position has one outcome, and the turns are
    /// known for all wins or for none, and likewise for losses.
    pub fn fault(&self) -> Option<String> {
        let Counts { positions, wins, losses, draws, not_lost, unknown, by_turns } = self;
        if sum([wins, losses, draws, not_lost, unknown].into_iter()) != Some(positions.0) {
            return Some("its numbers of won, lost, drawn and other positions do not add up".to_owned());
        }
        for (by_turns, all, word) in [(&by_turns.win, wins, "wins"), (&by_turns.loss, losses, "losses")] {
            if !by_turns.is_empty() && sum(by_turns.values()) != Some(all.0) {
                return Some(format!("its numbers of {word} by turns do not add up"));
            }
        }
        None
    }

    /// Counts scores.
    pub fn of_scores<S: Score + Into<u16>>(scores: &[S]) -> Counts {
        let mut histogram = Histogram::new(if S::BYTES == 1 { CellWidth::Byte } else { CellWidth::TwoBytes });
        histogram.add_codes(scores, |&score| usize::from(score.into()));
        histogram.counts()
    }

    /// Counts the first `count` bits of a bit set, or all if there are fewer: 1 is a win, 0 a loss.
    pub fn of_bits(words: &[u64], count: u64) -> Counts {
        let count = count.min(words.len() as u64 * 64);
        let whole = (count / 64) as usize;
        let mut wins: u64 = words[..whole].iter().map(|word| u64::from(word.count_ones())).sum();
        if !count.is_multiple_of(64) {
            wins += u64::from((words[whole] & ((1 << (count % 64)) - 1)).count_ones());
        }
        let mut counts = Counts::default();
        counts.add(CellWidth::Bit.decode(1), u128::from(wins));
        counts.add(CellWidth::Bit.decode(0), u128::from(count - wins));
        counts
    }
}

/// The sum of the counts; `None` on overflow.
fn sum<'a>(mut numbers: impl Iterator<Item = &'a Count>) -> Option<u128> {
    numbers.try_fold(0_u128, |sum, number| sum.checked_add(number.0))
}

/// The number of occurrences of each cell code. Faster to update than [`Counts`].
pub(crate) struct Histogram {
    cell: CellWidth,
    codes: Vec<u64>,
    /// A second set of counters, for every other cell.
    odd: Vec<u64>,
}

impl Histogram {
    pub fn new(cell: CellWidth) -> Histogram {
        Histogram { cell, codes: vec![0; 1 << cell.bits()], odd: vec![0; 1 << cell.bits()] }
    }

    /// Counts the first `cells` cells of a block.
    pub fn add(&mut self, block: &[u8], cells: usize) {
        match self.cell {
            CellWidth::Byte => self.add_codes(&block[..cells], |&code| code.into()),
            CellWidth::TwoBytes => {
                let (codes, _) = block[..2 * cells].as_chunks::<2>();
                self.add_codes(codes, |&code| u16::from_le_bytes(code).into());
            }
            CellWidth::TwoBits => {
                for at in 0..cells {
                    self.codes[usize::from(block[at / 4] >> (at % 4 * 2) & 3)] += 1;
                }
            }
            CellWidth::Bit => {
                let (words, rest) = block[..cells / 8].as_chunks::<8>();
                let mut ones: u64 =
                    words.iter().map(|&word| u64::from(u64::from_le_bytes(word).count_ones())).sum();
                ones += rest.iter().map(|byte| u64::from(byte.count_ones())).sum::<u64>();
                if !cells.is_multiple_of(8) {
                    ones += u64::from((block[cells / 8] & ((1 << (cells % 8)) - 1)).count_ones());
                }
                self.codes[1] += ones;
                self.codes[0] += cells as u64 - ones;
            }
        }
    }

    /// Counts the codes of whole bytes. Neighbours are often equal, and incrementing the same
    /// counter repeatedly stalls. So eight equal cells are added at once, and others alternate
    /// between two counters.
    fn add_codes<T: PartialEq>(&mut self, cells: &[T], code: impl Fn(&T) -> usize) {
        let (eights, rest) = cells.as_chunks::<8>();
        for eight in eights {
            let first = &eight[0];
            if eight.iter().fold(true, |alike, cell| alike & (cell == first)) {
                self.codes[code(first)] += 8;
                continue;
            }
            for [even, odd] in eight.as_chunks::<2>().0 {
                self.codes[code(even)] += 1;
                self.odd[code(odd)] += 1;
            }
        }
        rest.iter().for_each(|cell| self.codes[code(cell)] += 1);
    }

    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        let sums = self.codes.iter().zip(&self.odd).map(|(even, odd)| even + odd);
        for (code, count) in sums.enumerate().filter(|&(_, count)| count > 0) {
            counts.add(self.cell.decode(code as u16), u128::from(count));
        }
        counts
    }
}
