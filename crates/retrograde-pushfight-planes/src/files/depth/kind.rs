//! The two kinds of depth files.

use retrograde_table::FrameFormat;

/// The version of the format.
const VERSION: u32 = 2;

/// The outcome of the positions in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DepthFileKind {
    /// The lost ones.
    Losses,
    /// The won ones, except for wins by ejecting a piece at once.
    Wins,
}

impl DepthFileKind {
    /// The name of the file.
    pub(crate) fn file(self) -> &'static str {
        match self {
            DepthFileKind::Losses => "losses.rgp",
            DepthFileKind::Wins => "wins.rgp",
        }
    }

    /// The kind in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            DepthFileKind::Losses => "losses",
            DepthFileKind::Wins => "wins",
        }
    }

    pub(crate) fn frame(self) -> FrameFormat {
        let letter = match self {
            DepthFileKind::Losses => b'P',
            DepthFileKind::Wins => b'V',
        };
        FrameFormat { letter, version: VERSION }
    }

    /// Whether the log of the phase of `turns` turns has positions for the file. The log of wins in 1
    /// only has counts.
    pub(crate) fn is_logged(self, turns: u16) -> bool {
        match self {
            DepthFileKind::Losses => turns.is_multiple_of(2),
            DepthFileKind::Wins => !turns.is_multiple_of(2) && turns > 1,
        }
    }

    /// The turns, from half of them rounded down.
    pub(super) fn turns(self, half: u8) -> u16 {
        2 * u16::from(half) + u16::from(self == DepthFileKind::Wins)
    }
}
