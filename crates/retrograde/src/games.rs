//! The games that come with Retrograde.

use retrograde_explore::{Entry, Family, Number, Numbering, Registry};
use retrograde_game::{Game, Outcome};
use retrograde_pushfight::PushFight;
use retrograde_pushfight_planes as planes;
use retrograde_tactics::Tactics;
use retrograde_touchdown::TouchDown;
use retrograde_touchdown::numbering_24_bit::{self, Meaning};

use crate::push_fight::{FirstSolve, HalfTurn, PhaseByPhase};

/// The registry with the games that come with Retrograde.
pub fn registry() -> Registry {
    let tactics = "a pencil game: fill one to four neighbouring squares of a row or column; who fills the last \
                   square loses";
    let touchdown = "a pawn game: step forward or capture forward; who reaches the other side wins";
    let push_fight = "move up to two of your pieces, then push: who ejects an opponent's piece wins";
    Registry::new()
        .with(
            Family::new("tactics", tactics, move |spec, _| {
                Ok(Entry::new(Tactics::from_spec(spec)?, tactics).fill().boxed())
            })
            .forms("[:WxH][,line=K][,normal]   normal: who fills the last square wins")
            .examples(["tactics", "tactics:5x5", "tactics:6x6", "tactics,normal"]),
        )
        .with(
            Family::new("touchdown", touchdown, move |spec, _| {
                let game = TouchDown::from_spec(spec)?;
                let seed = game.columns() == 4 && game.rows() == 4;
                let numbered = game.has_numbering();
                let entry = Entry::new(game, touchdown).graded();
                let entry = if numbered { entry.layered().graded_reachable() } else { entry };
                Ok(if seed { entry.numbering(Box::new(Seed)) } else { entry }.boxed())
            })
            .forms("[:WxH]   columns x rows, at least 2 rows")
            .examples([
                "touchdown",
                "touchdown:5x5",
                "touchdown:6x4",
                "touchdown:6x5",
                "touchdown:8x6",
            ]),
        )
        .with(
            Family::new("pushfight", push_fight, move |spec, loader| {
                let load =
                    |path: &str| loader.text(std::path::Path::new(path)).map_err(|error| error.to_string());
                let game = PushFight::from_spec(spec, &load)?;
                let numbered = game.has_numbering();
                let (turned, even) = (game.has_minimized_numbering(), game.equal_pieces().is_some());
                let drawing = game.board_drawing();
                let entry = Entry::new(game, push_fight).counts(push_fight_counts).keep("board", drawing);
                let entry = match numbered {
                    true => entry.predecessors().symmetries().published(Box::<FirstSolve>::default()),
                    false => entry,
                };
                let entry = match numbered && even {
                    true => {
                        let entry = entry.planes(planes::solve, planes::memory_needed, 14e6);
                        entry.keeper(Box::new(PhaseByPhase))
                    }
                    false => entry,
                };
                let entry = if turned { entry.numbering(Box::<HalfTurn>::default()) } else { entry };
                Ok(entry.boxed())
            })
            .forms("[:BOARD][,moves=N|unlimited][,pushers=N[-M]][,pawns=N[-M]]   a built-in board or a .board file")
            .examples([
                "pushfight:mini",
                "pushfight:twocolumn",
                "pushfight:onecolumn",
                "pushfight:2k3p",
                "pushfight",
                "pushfight:full",
            ]),
        )
}

/// What is counted of Push Fight's positions beside all of them.
fn push_fight_counts(game: &PushFight) -> Vec<(String, u128)> {
    [
        ("up to symmetry", game.position_orbits()),
        ("plausible", game.plausible_count()),
        ("plausible, up to symmetry", game.plausible_orbits()),
    ]
    .into_iter()
    .filter_map(|(name, count)| Some((name.to_owned(), count?)))
    .collect()
}

/// Seed 004's 24-bit numbering of the 4×4 board.
struct Seed;

impl Numbering<TouchDown> for Seed {
    fn name(&self) -> &str {
        "seed"
    }

    fn number(&self, _game: &TouchDown, position: &<TouchDown as Game>::Position) -> Option<Number> {
        Some(Number::from(u128::from(numbering_24_bit::number(position))))
    }

    fn position(&self, _game: &TouchDown, index: u128) -> Option<<TouchDown as Game>::Position> {
        match numbering_24_bit::classify(u32::try_from(index).ok()?) {
            Meaning::Legal(position) => Some(position),
            Meaning::Invalid | Meaning::Illegal => None,
        }
    }

    fn counts(&self, _game: &TouchDown) -> Vec<(String, String)> {
        let names = ["X has at most four pawns", "and so has O", "and X stands on occupied squares only"];
        let lines = names.iter().zip(numbering_24_bit::counts_by_requirement());
        lines.map(|(name, count)| ((*name).to_owned(), count.to_string())).collect()
    }

    fn statistics(
        &self,
        game: &TouchDown,
        values: &mut retrograde_explore::Values<'_, TouchDown>,
    ) -> Result<Option<Vec<(String, String)>>, retrograde_explore::Error> {
        let (mut invalid, mut illegal, mut wins, mut losses) = (0_u32, 0_u32, 0_u32, 0_u32);
        for index in 0..numbering_24_bit::NUMBERS {
            match numbering_24_bit::classify(index) {
                Meaning::Invalid => invalid += 1,
                Meaning::Illegal => illegal += 1,
                Meaning::Legal(position) => match values(&position)?.outcome() {
                    Some(Outcome::Win) => wins += 1,
                    Some(Outcome::Loss) => losses += 1,
                    Some(Outcome::Draw) | None => {}
                },
            }
        }
        let start = match values(&game.start())?.outcome() {
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
