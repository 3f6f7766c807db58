//! TouchDown: the pawn game, and the numbering of touchdown_db.

mod numbering;

use retrograde_explore::{Entry, Family, Position};
use retrograde_game::Game;
use retrograde_touchdown::TouchDown;

use crate::HAS_DISK;
use crate::known::known;
use crate::titles::title;

const SUMMARY: &str = "a pawn game: step forward or capture forward; the first to reach the other side wins";

pub(crate) fn family() -> Family {
    Family::new("touchdown", SUMMARY, |spec, _| {
        let game = TouchDown::from_spec(spec)?;
        let numbered = game.has_numbering();
        let name = game.name();
        let entry = Entry::new(game, SUMMARY).title(title("TouchDown", &name)).with(|game| {
            game.known = known(&name);
            // Measured: 0.06 (5x4, 5x5) to 0.114 (4x4).
            game.packed = 0.12;
        });
        let entry = entry.graded().images().rules_text(TouchDown::rules_text);
        let entry = if numbered { entry.dense() } else { entry };
        let entry = if numbered { entry.layered() } else { entry };
        let entry = if HAS_DISK { with_files(entry, numbered) } else { entry };
        Ok(entry.build())
    })
    .forms("[:WxH]   columns x rows, at least 2 rows")
    .examples(["touchdown", "touchdown:5x5", "touchdown:6x4", "touchdown:6x5", "touchdown:8x6"])
}

/// Adds what needs files, and the numbering of others.
fn with_files(mut entry: Entry<TouchDown>, numbered: bool) -> Entry<TouchDown> {
    if numbered {
        entry = entry.graded_reachable_packed();
    }
    if entry.game().columns() == 4 && entry.game().rows() == 4 {
        let start = Position::new(entry.game().start());
        entry = entry.with(|game| game.numberings.push(Box::new(numbering::Numbering24Bit { start })));
    }
    entry
}
