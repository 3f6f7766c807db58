//! The numbering of touchdown_db, a published database of TouchDown.

use retrograde_explore::{Error, Number, Numbering, Position, ValueLookup};
use retrograde_game::Outcome;
use retrograde_touchdown::numbering_24_bit::{self, Meaning};

/// The 24-bit numbering of the 4×4 board in touchdown_db.
pub(super) struct Numbering24Bit {
    pub(super) start: Position,
}

impl Numbering for Numbering24Bit {
    fn name(&self) -> &str {
        "24-bit"
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

    fn statistics(&self, values: &ValueLookup<'_>) -> Result<Option<Vec<(String, String)>>, Error> {
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
