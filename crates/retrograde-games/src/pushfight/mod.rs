//! Push Fight: its boards, its numbering up to a half turn, its solver that works in phases, and the files
//! of the first complete solution.

mod archive;
pub(crate) mod archive_solver;
#[cfg(not(target_family = "wasm"))]
mod forms;
#[cfg(not(target_family = "wasm"))]
mod half_turn;
mod openings;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod published;

use std::path::Path;

use retrograde_explore::{Entry, Family};
use retrograde_game::{Game, board_file_stem, number_in_words};
use retrograde_pushfight::PushFight;

use crate::known::known;
use crate::titles::title;

const SUMMARY: &str =
    "move up to two of your pieces, then push; the first to push an opponent's piece off the board wins";

pub(crate) fn family() -> Family {
    Family::new("pushfight", SUMMARY, |spec, loader| {
        let file =
            spec.board().filter(|board| board_file_stem(board).is_some()).map(|_| spec.text().to_owned());
        let load = |path: &str| loader.text(Path::new(path)).map_err(|error| error.to_string());
        let game = PushFight::from_spec(spec, &load)?;
        let numbered = game.has_numbering();
        let title = match game.name().as_str() {
            // The game itself.
            "pushfight:standard" => "Push Fight".to_owned(),
            name => title("Push Fight", name),
        };
        let known = known(&game.name());
        let summary = summary(&game);
        let standard = game.name() == "pushfight:standard";
        let drawing = game.board_drawing();
        let entry = Entry::new(game, summary).title(title).with(|game| {
            game.known = known;
            game.requested_as = file;
            // Measured: 0.10 (twocolumn,pushers=1,pawns=1) to 0.17 (mini,moves=1).
            game.packed = 0.2;
            game.extra.insert("board".to_owned(), drawing.into());
        });
        let entry = if standard { entry.known_values(openings::value) } else { entry };
        let entry = entry.counts(counts).rules_text(PushFight::rules_text);
        let entry = if numbered { entry.dense() } else { entry };
        let entry = with_solvers(entry, numbered);
        #[cfg(not(target_family = "wasm"))]
        let entry = with_files(entry, numbered);
        Ok(entry.build())
    })
    .forms("[:BOARD][,moves=N|unlimited][,pushers=N[-M]][,pawns=N[-M]]   a built-in board or a .board file")
    .examples([
        "pushfight:mini",
        "pushfight:twocolumn",
        "pushfight:onecolumn",
        "pushfight:2k3p",
        "pushfight",
        "pushfight:full",
    ])
}

/// The game in one sentence, with the number of moves per turn.
fn summary(game: &PushFight) -> String {
    let turn = match game.moves() {
        Some(0) => "push; ".to_owned(),
        Some(1) => "move one piece if you like, then push; ".to_owned(),
        Some(2) => return SUMMARY.to_owned(),
        Some(moves) => format!("make up to {} moves, then push; ", number_in_words(moves)),
        None => "make as many moves as you like, then push; ".to_owned(),
    };
    format!("{turn}the first to push an opponent's piece off the board wins")
}

/// Adds the solvers that the board has.
fn with_solvers(mut entry: Entry<PushFight>, numbered: bool) -> Entry<PushFight> {
    let even = entry.game().equal_pieces().is_some();
    if numbered {
        entry = entry.predecessors().symmetries();
    }
    if numbered && even {
        let solver = archive_solver::PlanesSolver { game: entry.game().clone() };
        entry = entry.archive_solver(Box::new(solver));
    }
    entry
}

/// Adds the published files of the first complete solution, and their numbering.
#[cfg(not(target_family = "wasm"))]
fn with_files(mut entry: Entry<PushFight>, numbered: bool) -> Entry<PushFight> {
    if numbered {
        let minimized = half_turn::HalfTurn::of(entry.game());
        entry = entry.with(|game| game.published = Some(Box::new(forms::FirstSolution { minimized })));
    }
    if entry.game().has_minimized_numbering() {
        let numbering = half_turn::HalfTurn::of(entry.game());
        entry = entry.with(|game| game.numberings.push(Box::new(numbering)));
    }
    entry
}

/// Counts of positions up to symmetry, and of plausible ones.
fn counts(game: &PushFight) -> Vec<(String, u128)> {
    [
        ("up to symmetry", game.position_orbits()),
        ("plausible", game.plausible_count()),
        ("plausible, up to symmetry", game.plausible_orbits()),
    ]
    .into_iter()
    .filter_map(|(name, count)| Some((name.to_owned(), count?)))
    .collect()
}
