//! Writes the table of placements: the values of all positions before the first push.

use std::path::Path;

use retrograde_game::{Dense, Game, Knowledge, Score, Stored, Turns, Value};
use retrograde_pushfight::{Position, PushFight};
use retrograde_solve::{Silent, SolveError, narrowed};
use retrograde_table::{
    CellWidth, Counts, GameLock, Manifest, StartValue, TableKind, TableWriter, WriteOptions,
};

use crate::config::SolveConfig;
use crate::files::depth::write::DepthFileInput;
use crate::files::log_planes::make_plane;
use crate::layout::location::positions;
use crate::layout::sparse::SparseCells;
use crate::layout::superblocks::by_superblock;
use crate::phase::kinds::{PhaseId, value_in};
use crate::solution::PLACEMENTS;

/// Writes the table of positions before the first push; returns the value of the empty board.
pub(crate) fn placements(game: &PushFight, input: &DepthFileInput<'_>) -> Result<StartValue, SolveError> {
    let &DepthFileInput { layout, log, directory, info, config } = input;
    let score = |value: Value| u16::from_value(value).ok_or(SolveError::TooDeep);
    let mut scores = vec![score(Value::Win(Turns(1)))?; game.start_count() as usize];
    let turns = info.phases.iter().filter_map(|phase| phase.id().turns());
    let decided = turns.filter(|&turns| turns != Turns(1)).map(|turns| (turns.into(), value_in(turns)));
    let decided: Vec<(PhaseId, Value)> = decided.chain([(PhaseId::Draws, Value::Draw)]).collect();
    config.progress.stage("placements", decided.len() as u64);
    for (phase, value) in decided {
        let code = score(value)?;
        let found = log.open(phase)?;
        let plane =
            make_plane(layout, config.threads, &Silent, &|superblock| match layout.is_start(superblock) {
                true => found.read(superblock, layout.cell_shape()),
                false => Ok(SparseCells::default()),
            })?;
        for (superblock, cells) in by_superblock(&plane).filter(|(_, cells)| !cells.is_empty()) {
            positions(layout, superblock, cells, |position| {
                if let Some(number) = game.start_number(&position) {
                    scores[number as usize] = code;
                }
            });
        }
        config.progress.advance(1);
    }
    // Backwards through the placing: first the positions in which the second side is to place, then the
    // empty board.
    let placed_by_both =
        |position: &Position| !position.own_pushers.is_empty() && !position.other_pushers.is_empty();
    let unplaced: Vec<(u64, Position)> = (0..game.start_count())
        .rev()
        .map_while(|number| Some((number, game.start_of_number(number)?)))
        .take_while(|(_, position)| !placed_by_both(position))
        .collect();
    let mut start = Value::Draw;
    // The empty board has the last number.
    for (number, position) in unplaced.into_iter().rev() {
        let value = |next: &Position| match scores[game.start_number(next)? as usize].stored() {
            Stored::Known(Knowledge::Exact(value)) => Some(value.before(false)),
            _ => None,
        };
        start = game.turns(&position).iter().filter_map(|(_, next)| value(next)).max().unwrap_or(Value::Draw);
        scores[number as usize] = score(start)?;
    }
    write(&scores, directory, config)?;
    Ok(StartValue { outcome: Some(start.outcome()), turns: start.turns() })
}

/// Writes the table, with two bytes per score if a byte is not enough.
fn write(scores: &[u16], directory: &Path, config: &SolveConfig<'_>) -> Result<(), SolveError> {
    // A byte holds up to 125 turns. A game can last longer although its placements do not.
    let narrow: Option<Vec<u8>> = scores.iter().map(|&score| narrowed(score)).collect();
    let manifest = Manifest::new(
        PLACEMENTS,
        PushFight::RULES_VERSION,
        PushFight::INDEX_VERSION,
        TableKind::Full,
        if narrow.is_some() { CellWidth::Byte } else { CellWidth::TwoBytes },
        scores.len() as u64,
    );
    let lock = GameLock::acquire_in(&*config.storage, directory, PLACEMENTS)?;
    let options = WriteOptions { threads: config.threads.max(1), storage: config.storage.clone() };
    let mut writer = TableWriter::create_with(&lock, manifest, options)?;
    match narrow {
        Some(narrow) => writer.write_scores(&narrow)?,
        None => writer.write_wide(scores)?,
    }
    writer.set_counts(Counts::of_scores(scores));
    writer.finish()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use retrograde_game::Index;

    use super::*;
    use crate::solution::open_placements;
    use crate::testing::game;

    #[test]
    fn placements_can_end_later_than_a_byte_can_say() {
        let game = game("pushfight:mini,pushers=1,pawns=1");
        for turns in [124, 126] {
            let value = Value::Loss(Turns(turns));
            let scores = vec![u16::from_value(value).unwrap(); game.start_count() as usize];
            let directory = retrograde_testkit::tempdir().unwrap();
            let config = SolveConfig::default();
            write(&scores, directory.path(), &config).unwrap();
            let table = open_placements(&game, directory.path(), &config.storage).unwrap();
            assert_eq!(table.get(Index(0)).unwrap(), Stored::Known(Knowledge::Exact(value)));
        }
    }
}
