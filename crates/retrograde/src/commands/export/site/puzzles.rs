//! Samples the puzzles of a site in advance, because finding puzzles of a large game takes many
//! probes, which are slow over a network.

use std::time::Duration;

use retrograde_engine::StopSignal;
use retrograde_explore::{Bounds, Error, OpenGame, Puzzle, PuzzleKind, PuzzleQuery, PuzzleTurns};
use retrograde_solve::Progress;
use serde::Serialize;
use serde_json::Value as Json;

/// The maximum number of positions to try for each kind and number of turns, since some puzzles are
/// rare. A time limit would make the result depend on the machine.
const MAX_TRIES: u64 = 1 << 20;
/// The same for turns that set a task. It is larger because replies count too, and draws have no
/// number of turns to search by.
const MAX_TRIES_TO_PRESS: u64 = 1 << 24;
/// The kinds of puzzles.
const KINDS: [PuzzleKind; 3] = [PuzzleKind::Win, PuzzleKind::Save, PuzzleKind::Press];
/// The seed: the same table always gets the same puzzles.
const SEED: u64 = 1;

/// The file of a game's puzzles.
#[derive(Serialize)]
pub(super) struct PuzzleFile {
    /// The canonical name of the game.
    game: String,
    /// The seed of the random choice.
    seed: u64,
    /// The number of puzzles to find for each kind and number of turns.
    of_each: u32,
    /// The puzzles by kind.
    kinds: Vec<PuzzleSet>,
}

/// The puzzles of a kind.
#[derive(Serialize)]
struct PuzzleSet {
    /// `win`, `save` or `press`.
    kind: &'static str,
    /// The numbers of turns to the end of these puzzles, in ascending order.
    depths: Vec<u16>,
    /// The puzzles, as in the API.
    puzzles: Vec<Puzzle>,
}

impl PuzzleFile {
    /// The number of puzzles.
    pub(super) fn count(&self) -> usize {
        self.kinds.iter().map(|set| set.puzzles.len()).sum()
    }
}

/// Samples `count` puzzles of each kind and number of turns, or fewer if they are rare.
pub(super) fn sample(game: &OpenGame, count: u32, progress: &dyn Progress) -> Result<PuzzleFile, Error> {
    let mut kinds = Vec::new();
    for kind in KINDS {
        let mut puzzles: Vec<Puzzle> = Vec::new();
        // Without draws there are no presses, and a search would try every position to find that
        // out.
        let some = kind != PuzzleKind::Press || game.statistics()?.draws.0 > 0;
        let depths = if some { game.puzzle_depths(kind)? } else { Vec::new() };
        // Draws have no number of turns, nor do tables that store only outcomes.
        for turns in
            depths.iter().copied().map(PuzzleTurns::Exactly).chain([PuzzleTurns::Several]).filter(|_| some)
        {
            if progress.stopped() {
                return Err(Error::Stopped);
            }
            add(game, (kind, turns), count, &mut puzzles)?;
        }
        let has = |turns: &u16| puzzles.iter().any(|puzzle| puzzle.verdict.turns == Some(*turns));
        kinds.push(PuzzleSet {
            kind: kind.word(),
            depths: depths.into_iter().filter(has).collect(),
            puzzles,
        });
    }
    Ok(PuzzleFile { game: game.name().to_owned(), seed: SEED, of_each: count, kinds })
}

/// The number of puzzles in the file of an earlier export, if it has the same settings.
pub(super) fn count_in(file: &[u8], of_each: u32) -> Option<usize> {
    let file_json: Json = serde_json::from_slice(file).ok()?;
    let kinds = file_json["kinds"].as_array()?;
    let counts = kinds.iter().map(|set| set["puzzles"].as_array().map_or(0, Vec::len));
    // A version that sampled fewer kinds counts as other settings.
    let same = kinds.iter().map(|set| set["kind"].as_str()).eq(KINDS.map(|kind| Some(kind.word())));
    (same && file_json["of_each"] == of_each && file_json["seed"] == SEED).then(|| counts.sum())
}

/// Adds new puzzles of a kind and number of turns.
fn add(
    game: &OpenGame,
    (kind, turns): (PuzzleKind, PuzzleTurns),
    count: u32,
    puzzles: &mut Vec<Puzzle>,
) -> Result<(), Error> {
    let looks = if kind == PuzzleKind::Press { MAX_TRIES_TO_PRESS } else { MAX_TRIES };
    let bounds = Bounds { looks, threads: false, ..StopSignal::default().bounds(Duration::MAX) };
    let wanted = PuzzleQuery { kind, turns, random: Some(SEED), limit: count.into() };
    // Rare puzzles may not be found within these bounds.
    let _complete = bounds.within(|| {
        game.puzzles(&wanted, &mut |puzzle| {
            if puzzles.iter().all(|known| known.index != puzzle.index) {
                puzzles.push(puzzle);
            }
            Ok(true)
        })
    })?;
    Ok(())
}
