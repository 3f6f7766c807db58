//! TouchDown: the pawn game, and the numbering of the touchdown_db.

use retrograde_explore::{Entry, Family};
#[cfg(feature = "files")]
use retrograde_explore::{Number, Numbering, Position};
use retrograde_game::Game;
#[cfg(feature = "files")]
use retrograde_game::Outcome;
use retrograde_touchdown::TouchDown;
#[cfg(feature = "files")]
use retrograde_touchdown::numbering_24_bit::{self, Meaning};

use crate::known::known;
use crate::titles::title;

const SUMMARY: &str = "a pawn game: step forward or capture forward; who reaches the other side wins";

pub(crate) fn family() -> Family {
    Family::new("touchdown", SUMMARY, |spec, _| {
        let game = TouchDown::from_spec(spec)?;
        let numbered = game.has_numbering();
        #[cfg(feature = "files")]
        let published = game.columns() == 4 && game.rows() == 4;
        // Measured: 0.06 (5x4, 5x5) to 0.114 (4x4).
        let name = game.name();
        let entry = Entry::new(game, SUMMARY).title(title("TouchDown", &name)).known(known(&name));
        let entry = entry.graded().images().packed(0.12).rules_text(TouchDown::rules_text);
        let entry = if numbered { entry.dense() } else { entry };
        #[cfg(feature = "solvers")]
        let entry = if numbered { entry.layered() } else { entry };
        #[cfg(feature = "files")]
        let entry = if numbered { entry.graded_reachable_packed() } else { entry };
        #[cfg(feature = "files")]
        let entry = if published {
            let start = Position::new(entry.game().start());
            entry.numbering(Box::new(Numbering24Bit { start }))
        } else {
            entry
        };
        Ok(entry.build())
    })
    .forms("[:WxH]   columns x rows, at least 2 rows")
    .examples(["touchdown", "touchdown:5x5", "touchdown:6x4", "touchdown:6x5", "touchdown:8x6"])
}

/// The 24-bit numbering of the 4×4 board in the touchdown_db, a published database of TouchDown.
#[cfg(feature = "files")]
struct Numbering24Bit {
    start: Position,
}

#[cfg(feature = "files")]
impl Numbering for Numbering24Bit {
    fn name(&self) -> &str {
        "seed"
    }

    fn number(&self, position: &Position) -> Option<Number> {
        Some(Number::from(u128::from(numbering_24_bit::number(position.get()))))
    }

    fn position(&self, index: u128) -> Option<Position> {
        match numbering_24_bit::classify(u32::try_from(index).ok()?) {
            Meaning::Legal(position) => Some(Position::new(position)),
            Meaning::Invalid | Meaning::Illegal => None,
        }
    }

    fn counts(&self) -> Vec<(String, String)> {
        let names = ["X has at most four pawns", "and so has O", "and X stands on occupied squares only"];
        let lines = names.iter().zip(numbering_24_bit::counts_by_requirement());
        lines.map(|(name, count)| ((*name).to_owned(), count.to_string())).collect()
    }

    fn statistics(
        &self,
        values: &retrograde_explore::ValueLookup<'_>,
    ) -> Result<Option<Vec<(String, String)>>, retrograde_explore::Error> {
        let (mut invalid, mut illegal, mut wins, mut losses) = (0_u32, 0_u32, 0_u32, 0_u32);
        for index in 0..numbering_24_bit::NUMBERS {
            match numbering_24_bit::classify(index) {
                Meaning::Invalid => invalid += 1,
                Meaning::Illegal => illegal += 1,
                Meaning::Legal(position) => match values(&Position::new(position))?.outcome() {
                    Some(Outcome::Win) => wins += 1,
                    Some(Outcome::Loss) => losses += 1,
                    Some(Outcome::Draw) | None => {}
                },
            }
        }
        let start = match values(&self.start)?.outcome() {
            Some(Outcome::Win) => "Win",
            Some(Outcome::Loss) => "Loss",
            Some(Outcome::Draw) => "Draw",
            None => "Unknown",
        };
        let line = |name: &str, value: String| (name.to_owned(), value);
        Ok(Some(vec![
            line("Invalid Index", invalid.to_string()),
            line("Illegal position", illegal.to_string()),
            line("Win", wins.to_string()),
            line("Loss", losses.to_string()),
            line("Starting position", start.to_owned()),
        ]))
    }
}
