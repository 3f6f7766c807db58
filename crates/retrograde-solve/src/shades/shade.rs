//! The shade of a draw, its code of one or two bytes, and counts of shades.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use retrograde_game::{Index, Turns};

/// The shade of a drawn position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shade {
    /// The opponent forces the side to move into a task within this number of turns; 0: it is a task.
    Pressed {
        /// The level, from 1.
        level: u16,
        /// The number of turns of both players until then.
        turns: Turns,
    },
    /// Neither side can press.
    Quiet,
    /// The side to move forces the opponent into a task within this number of turns.
    Presses {
        /// The level, from 1.
        level: u16,
        /// The number of turns of both players until then.
        turns: Turns,
    },
}

impl Shade {
    /// The level and the turns to the task; `None` for a quiet draw.
    pub fn press(self) -> Option<(u16, Turns)> {
        match self {
            Shade::Quiet => None,
            Shade::Pressed { level, turns } | Shade::Presses { level, turns } => Some((level, turns)),
        }
    }

    /// The word in JSON and on the command line: `presses`, `quiet` or `pressed`.
    pub fn word(self) -> &'static str {
        match self {
            Shade::Pressed { .. } => "pressed",
            Shade::Quiet => "quiet",
            Shade::Presses { .. } => "presses",
        }
    }

    /// The shade of a turn for the player who makes it, if `self` is the shade of the resulting position: for
    /// the other side, and one turn longer.
    #[must_use]
    pub fn before_turn(self) -> Shade {
        match self {
            Shade::Pressed { level, turns } => Shade::Presses { level, turns: Turns(turns.0 + 1) },
            Shade::Quiet => Shade::Quiet,
            Shade::Presses { level, turns } => Shade::Pressed { level, turns: Turns(turns.0 + 1) },
        }
    }
}

impl PartialOrd for Shade {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The order of preference of the side to move: lower levels are sharper, and within a level a quick press is
/// better than a slow one.
impl Ord for Shade {
    fn cmp(&self, other: &Self) -> Ordering {
        fn side(shade: Shade) -> i8 {
            match shade {
                Shade::Pressed { .. } => -1,
                Shade::Quiet => 0,
                Shade::Presses { .. } => 1,
            }
        }
        let by_side = side(*self).cmp(&side(*other));
        by_side.then_with(|| match self {
            Shade::Pressed { .. } => self.press().cmp(&other.press()),
            _ => other.press().cmp(&self.press()),
        })
    }
}

/// The code of an index that is not a drawn position.
pub(super) const NO_DRAW: u16 = 0;
/// The code of a quiet draw. While levels are being found: of a draw that no level has taken.
pub(super) const QUIET: u16 = 1;
/// The code of a task of level 1.
pub(super) const FIRST: u16 = 2;

/// The meaning of codes: level by level, each with the codes of its turns from 0. Presses end with the
/// opponent's task, so even turns belong to the pressed side.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scale {
    /// The code of turn 0 of each level, and the first unused code.
    begins: Vec<u16>,
}

impl Scale {
    /// The scale of levels with these longest presses, in turns; `None` if two-byte codes do not suffice.
    pub fn new(longest: &[u16]) -> Option<Scale> {
        let mut begins = vec![FIRST];
        for &turns in longest {
            begins.push(begins.last()?.checked_add(turns)?.checked_add(1)?);
        }
        Some(Scale { begins })
    }

    /// The longest press of each level, in turns.
    pub fn longest(&self) -> Vec<u16> {
        self.begins.windows(2).map(|pair| pair[1] - pair[0] - 1).collect()
    }

    /// The number of codes.
    pub fn codes(&self) -> u16 {
        self.begins.last().copied().unwrap_or(FIRST)
    }

    /// Whether codes fit into one byte.
    pub fn is_narrow(&self) -> bool {
        self.codes() <= 256
    }

    /// The shade of a code; `None` if it is not a draw or the code is invalid.
    pub fn shade(&self, code: u16) -> Option<Shade> {
        match code {
            NO_DRAW => None,
            QUIET => Some(Shade::Quiet),
            code if code >= self.codes() => None,
            code => {
                let level = self.begins.partition_point(|&begin| begin <= code);
                let turns = code - self.begins.get(level.checked_sub(1)?)?;
                let (level, turns) = (level as u16, Turns(turns));
                Some(match turns.0 % 2 {
                    0 => Shade::Pressed { level, turns },
                    _ => Shade::Presses { level, turns },
                })
            }
        }
    }
}

/// The draws of a level by turns to the task.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LevelCounts {
    /// Draws in which the side to move is pressed, by even turns; at 0 the tasks.
    pub pressed: BTreeMap<u16, u64>,
    /// Draws in which it presses, by odd turns.
    pub presses: BTreeMap<u16, u64>,
}

/// The number of draws with each shade.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ShadeCounts {
    /// Draws in which neither side presses.
    pub quiet: u64,
    /// The other draws, level by level.
    pub levels: Vec<LevelCounts>,
}

impl ShadeCounts {
    /// Adds `count` positions of a shade, if its level is one of these.
    pub fn add(&mut self, shade: Option<Shade>, count: u64) {
        let Some(shade) = shade.filter(|_| count > 0) else { return };
        let Some((level, Turns(turns))) = shade.press() else {
            self.quiet += count;
            return;
        };
        let Some(level) = usize::from(level).checked_sub(1).and_then(|level| self.levels.get_mut(level))
        else {
            return;
        };
        let by_turns =
            if matches!(shade, Shade::Presses { .. }) { &mut level.presses } else { &mut level.pressed };
        *by_turns.entry(turns).or_insert(0) += count;
    }

    /// The number of all draws.
    pub fn draws(&self) -> u64 {
        let presses = |level: &LevelCounts| -> u64 {
            level.pressed.values().chain(level.presses.values()).copied().sum()
        };
        self.quiet + self.levels.iter().map(presses).sum::<u64>()
    }
}

/// The shades of all indices of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shades {
    /// A code for each index.
    pub codes: Vec<u16>,
    /// The meaning of the codes.
    pub scale: Scale,
}

impl Shades {
    /// The shade at an index; `None` if it is not a drawn position or there is no such index.
    pub fn shade(&self, index: Index) -> Option<Shade> {
        let code = self.codes.get(usize::try_from(index.0).ok()?)?;
        self.scale.shade(*code)
    }

    /// Counts the codes of the first `main` indices, which are the game proper.
    pub fn by_code(&self, main: u64) -> Vec<u64> {
        let mut by_code = vec![0_u64; usize::from(self.scale.codes())];
        for &code in self.codes.iter().take(usize::try_from(main).unwrap_or(usize::MAX)) {
            by_code[usize::from(code)] += 1;
        }
        by_code
    }

    /// Counts the shades of the first `main` indices.
    pub fn counts(&self, main: u64) -> ShadeCounts {
        let levels = vec![LevelCounts::default(); self.scale.longest().len()];
        let mut counts = ShadeCounts { quiet: 0, levels };
        for (code, &count) in (0..).zip(&self.by_code(main)) {
            counts.add(self.scale.shade(code), count);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_say_level_turns_and_side() {
        let scale = Scale::new(&[3, 0, 252]).unwrap();
        let pressed = |level, turns| Some(Shade::Pressed { level, turns: Turns(turns) });
        let presses = |level, turns| Some(Shade::Presses { level, turns: Turns(turns) });
        let expected = [None, Some(Shade::Quiet), pressed(1, 0), presses(1, 1), pressed(1, 2), presses(1, 3)];
        for (code, expected) in (0..).zip(expected) {
            assert_eq!(scale.shade(code), expected);
        }
        assert_eq!(
            (scale.shade(6), scale.shade(7), scale.shade(8)),
            (pressed(2, 0), pressed(3, 0), presses(3, 1))
        );
        assert_eq!((scale.codes(), scale.is_narrow(), scale.longest()), (260, false, vec![3, 0, 252]));
        assert_eq!((scale.shade(259), scale.shade(260)), (pressed(3, 252), None));
        assert!(Scale::new(&[3, 0, 248]).unwrap().is_narrow());
        assert!(Scale::new(&[u16::MAX - 2]).is_none() && Scale::new(&[u16::MAX - 3]).is_some());
        assert_eq!((Scale::new(&[]).unwrap().shade(2), Scale::default().shade(2)), (None, None));
    }

    #[test]
    fn a_sharper_press_is_better_for_the_pressing_side() {
        let pressed = |level, turns| Shade::Pressed { level, turns: Turns(turns) };
        let presses = |level, turns| Shade::Presses { level, turns: Turns(turns) };
        let best_last = [
            pressed(1, 0),
            pressed(1, 2),
            pressed(2, 0),
            pressed(2, 4),
            Shade::Quiet,
            presses(2, 3),
            presses(2, 1),
            presses(1, 9),
            presses(1, 1),
        ];
        for (i, a) in best_last.iter().enumerate() {
            for (j, b) in best_last.iter().enumerate() {
                assert_eq!(a.cmp(b), i.cmp(&j), "{a:?} against {b:?}");
                assert_eq!(a.cmp(b), b.before_turn().cmp(&a.before_turn()));
            }
        }
    }
}
