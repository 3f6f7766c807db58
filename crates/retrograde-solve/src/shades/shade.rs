//! The shade of a draw, its code of a byte or two, and how many draws have which.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use retrograde_game::{Index, Turns};

/// The shade of a drawn position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shade {
    /// The opponent forces the side to move into a task within so many turns; 0: it is one.
    Pressed {
        /// The level, from 1 on.
        level: u16,
        /// Turns of both players until then.
        turns: Turns,
    },
    /// Neither side can press.
    Quiet,
    /// The side to move forces the opponent into a task within so many turns.
    Presses {
        /// The level, from 1 on.
        level: u16,
        /// Turns of both players until then.
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

    /// The word that JSON and the command line use: `presses`, `quiet` or `pressed`.
    pub fn word(self) -> &'static str {
        match self {
            Shade::Pressed { .. } => "pressed",
            Shade::Quiet => "quiet",
            Shade::Presses { .. } => "presses",
        }
    }

    /// The shade of a turn to the player who makes it, when `self` is that of the position it leads
    /// to: the other side's, and one turn longer.
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

/// The order of preference of the side to move: a low level is the sharper one, and there a quick
/// press is better than a slow one.
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

/// The code of an index that is no drawn position.
pub(super) const NO_DRAW: u16 = 0;
/// The code of a quiet draw; while levels are being found, that of a draw that none has so far.
pub(super) const QUIET: u16 = 1;
/// The code of a task of level 1.
pub(super) const FIRST: u16 = 2;

/// The meaning of codes: level after level, in each the codes of its turns from 0 on. Presses end
/// with the opponent's task, so even turns are those of the pressed side.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scale {
    /// The code of turn 0 of each level, and behind them the first code that none has.
    begins: Vec<u16>,
}

impl Scale {
    /// The scale of levels whose longest presses take `longest` turns each; `None` if codes of two
    /// bytes do not suffice.
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

    /// Whether codes fit into a byte.
    pub fn is_narrow(&self) -> bool {
        self.codes() <= 256
    }

    /// The shade of a code; `None` for what is no draw, and for a code that has no meaning.
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

/// Draws of a level by turns to the task.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LevelCounts {
    /// Of the side to move, by even turns; at 0 the tasks.
    pub pressed: BTreeMap<u16, u64>,
    /// By odd turns.
    pub presses: BTreeMap<u16, u64>,
}

/// How many draws have which shade.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ShadeCounts {
    /// Draws in which nobody presses.
    pub quiet: u64,
    /// The other draws, level by level.
    pub levels: Vec<LevelCounts>,
}

impl ShadeCounts {
    /// Adds so many positions of a shade, if they have one and its level is among these.
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

    /// All draws.
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
    /// The shade at an index; `None` if it is no drawn position, or there is no such index.
    pub fn shade(&self, index: Index) -> Option<Shade> {
        let code = self.codes.get(usize::try_from(index.0).ok()?)?;
        self.scale.shade(*code)
    }

    /// How many of the first `main` indices, those of the game proper, have each code.
    pub fn by_code(&self, main: u64) -> Vec<u64> {
        let mut by_code = vec![0_u64; usize::from(self.scale.codes())];
        for &code in self.codes.iter().take(usize::try_from(main).unwrap_or(usize::MAX)) {
            by_code[usize::from(code)] += 1;
        }
        by_code
    }

    /// How many of the first `main` indices have which shade.
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
    fn a_sharp_press_is_better_than_a_blunt_one_and_worse_to_suffer() {
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
