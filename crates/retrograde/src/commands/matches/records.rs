//! Saves the games of a match as records, one file each, with marks.

use std::fs;
use std::path::{Path, PathBuf};

use retrograde_engine::tournament::FinishedGame;
use retrograde_explore::export::reject_existing;
use retrograde_explore::{Annotation, Coordinates, OpenGame};
use retrograde_game::Seat;

use crate::files::records::Record;
use crate::files::{reason, write_file};
use crate::output::verdict;
use crate::program::exit::BoxError;

/// Creates the folder if necessary. Fails if it already has records of these games.
pub(super) fn make_folder(folder: &Path, games: u64) -> Result<(), BoxError> {
    let failed = |error: std::io::Error| {
        format!("cannot create the folder “{}”: {}", folder.display(), reason(folder, &error))
    };
    fs::create_dir_all(folder).map_err(failed)?;
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let number = path.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
        if number.is_some_and(|number| (1..=games).contains(&number) && path == file(folder, number)) {
            reject_existing(&path)?;
        }
    }
    Ok(())
}

/// The file of a game.
fn file(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:04}.txt"))
}

/// Writes a game and returns the name of its file.
pub(super) fn write(
    folder: &Path,
    game: &OpenGame,
    names: &[String; 2],
    finished: &FinishedGame,
    marks: &[Annotation],
) -> Result<String, BoxError> {
    let path = file(folder, finished.number);
    write_file(&path, text(game, names, finished, marks).as_bytes())?;
    Ok(path.display().to_string())
}

fn text(game: &OpenGame, names: &[String; 2], finished: &FinishedGame, marks: &[Annotation]) -> String {
    let played = &finished.played;
    // This has no turns: they follow with marks and comments.
    let head = Record {
        game: Some(game.name().to_owned()),
        coordinates: Coordinates::Board,
        position: None,
        to_move: Seat::First,
        turns: Vec::new(),
    };
    let mut text = head.text();
    let mut comment = |line: String| text.push_str(&format!("# {line}\n"));
    for seat in [Seat::First, Seat::Second] {
        // A name must not be parsed as a header line.
        comment(format!("{} is {}", seat.name(), names[finished.player_of(seat)]));
    }
    comment(ending(finished));
    if finished.opening > 0 {
        comment(format!("the first {} turns are the opening", finished.opening));
    }
    for (number, turn) in played.turns_on_board().iter().enumerate() {
        text.push_str(turn);
        if let Some(mark) = marks.get(number).filter(|_| number >= finished.opening) {
            let better =
                mark.better_on_board.as_ref().map_or_else(String::new, |turn| format!("; better: {turn}"));
            let (before, after) = (verdict(mark.before), verdict(mark.after));
            text.push_str(&format!("{}  # {}, {after}", mark.mark, played.seat_at(number).name()));
            if before != after {
                text.push_str(&format!(", was {before}{better}"));
            }
        }
        text.push('\n');
    }
    text
}

/// How a game ended, in a sentence.
fn ending(finished: &FinishedGame) -> String {
    use retrograde_engine::tournament::Reason;
    let ending = &finished.ending;
    let who = match ending.winner {
        Some(seat) => format!("{} wins", seat.name()),
        None => "a draw".to_owned(),
    };
    let loser = ending.winner.map_or("", |seat| seat.other().name());
    let why = match ending.reason {
        Reason::Rules => "by the rules".to_owned(),
        Reason::Repetition => "a position occurred for the third time".to_owned(),
        Reason::Longest => "the game had too many turns".to_owned(),
        Reason::IllegalTurn => format!("{loser} played an illegal turn"),
        Reason::Timeout => format!("{loser} ran out of time"),
        Reason::Crash => format!("{loser} crashed"),
    };
    let detail = match ending.detail.as_str() {
        "" => String::new(),
        detail => format!(" ({detail})"),
    };
    format!("result: {who}, {why}{detail}")
}
