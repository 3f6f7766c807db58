//! A solved board in files: the losses (see the module `turns_file`), the wins if they were asked for, and a table of the
//! positions before the first push, which gives the value of every placement. Made from the logs of the phases, which
//! then go.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use retrograde_game::{Dense, Game, Index, Knowledge, Score, Stored, Turns, Value};
use retrograde_pushfight::{Position, PushFight};
use retrograde_solve::{Progress, SolveError};
use retrograde_table::{
    Cell, Counts, Disk, Expectations, Kind, Manifest, Start, Storage, Table, TableError, TableWriter,
};

use crate::derive::implausible::Others;
use crate::files::depth_file::{About, Look, TurnsFile, Which};
use crate::files::depth_write::{Task, write};
use crate::files::log::{DRAWS, Log};
use crate::layout::numbering::{Scope, Shape, with_words};
use crate::solve::in_memory::{PhaseCount, positions};
use crate::solve::logged::{Means, counted, log_of, read_sound, solve_logged};

/// The table of positions before the first push, within the game's directory.
const PLACEMENTS: &str = "placements";

/// What is left besides losses and placements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keep {
    /// The logs of the phases.
    pub work: bool,
    /// The file of wins.
    pub wins: bool,
}

/// Solves a board phase by phase and writes its solution into a directory, which must be there; goes on where an
/// earlier run ended. The logs are removed at the end unless they are to be kept. If only the wins are missing, they are
/// made from the logs of a solve that kept them, or found again from the losses.
///
/// # Errors
/// If it is stopped, the board is too large, or a file cannot be written or read.
pub fn solve_into(
    game: &PushFight,
    directory: &Path,
    means: &Means<'_>,
    keep: Keep,
) -> Result<About, SolveError> {
    let log = log_of(game, directory, &means.storage);
    if keep.wins
        && let Some(about) = crate::derive::wins::add(game, directory, means)?
    {
        if !keep.work {
            log.remove()?;
        }
        return Ok(about);
    }
    let mut tries = 0;
    loop {
        let mut phases = Vec::new();
        solve_logged(game, directory, means, &mut |phase| phases.push(phase))?;
        match finish(game, directory, means, &log, phases, keep.wins) {
            // What is damaged is found again, unless the disk does not keep it.
            Err(SolveError::Checkpoint(error)) if error.kind() == io::ErrorKind::InvalidData && tries < 2 => {
                tries += 1;
            }
            Err(error) => return Err(error),
            Ok(about) => {
                if !keep.work {
                    log.remove()?;
                }
                return Ok(about);
            }
        }
    }
}

/// Removes what there is of a board: logs and solution.
///
/// # Errors
/// What the system says.
pub fn forget(game: &PushFight, directory: &Path) -> Result<(), SolveError> {
    let storage: Arc<dyn Storage> = Arc::new(Disk);
    log_of(game, directory, &storage).remove()?;
    clear_derived(directory)?;
    // Wins without losses are nothing, so they go first.
    for file in [
        Which::Wins.file(),
        Which::Losses.file(),
        crate::files::timings::FILE,
        crate::derive::implausible::FILE,
    ] {
        match storage.remove(&directory.join(file)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    Ok(())
}

/// Removes what was being derived from a solution that is about to be another.
fn clear_derived(directory: &Path) -> Result<(), SolveError> {
    let works = [crate::derive::implausible::WORK, crate::derive::proof::WORK, crate::derive::bulk::WORK];
    works.into_iter().try_for_each(|work| crate::derive::recover_log::clear(&directory.join(work)))
}

pub(crate) fn finish(
    game: &PushFight,
    directory: &Path,
    means: &Means<'_>,
    log: &Log,
    phases: Vec<PhaseCount>,
    wins: bool,
) -> Result<About, SolveError> {
    let too_large = || SolveError::TooLarge { count: game.position_count() };
    let shape = Shape::new(game, Scope::Game).ok_or_else(too_large)?;
    let over = phases.last().is_some_and(|last| last.turns > 1 && last.count + last.starts == 0);
    let draws = match over {
        true => Some(counted(&shape, DRAWS, log.open(DRAWS)?.superblocks())),
        false => None,
    };
    let mut about = About {
        game: game.name(),
        board: game.board_drawing(),
        rules_version: PushFight::RULES_VERSION,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        shape: crate::files::depth_file::numbers(&shape),
        horizon: if over { None } else { means.horizon },
        seconds: (phases.iter().map(|phase| phase.seconds).sum::<f64>() * 1e3).round() / 1e3,
        phases,
        draws,
        start: None,
    };
    clear_derived(directory)?;
    let run = with_words!(shape, W => written::<W>);
    run(game, &shape, directory, means, log, &mut about, wins)?;
    Ok(about)
}

fn written<const W: usize>(
    game: &PushFight,
    shape: &Shape,
    directory: &Path,
    means: &Means<'_>,
    log: &Log,
    about: &mut About,
    wins: bool,
) -> Result<(), SolveError> {
    if about.draws.is_some() && game.start_count() > 0 && game.to_place(&game.start()) == Some(0) {
        about.start = Some(placements::<W>(game, shape, directory, means, log, about)?);
    }
    crate::files::timings::write(directory, &*means.storage, about)?;
    let mut files = vec![Which::Losses];
    if wins {
        crate::derive::wins::log_stuck::<W>(game, shape, log, means)?;
        files.push(Which::Wins);
    }
    write::<W>(&Task { shape, log, directory, about, means }, &files)
}

/// Writes the table of positions before the first push; gives back the value of the empty board.
pub(crate) fn placements<const W: usize>(
    game: &PushFight,
    shape: &Shape,
    directory: &Path,
    means: &Means<'_>,
    log: &Log,
    about: &About,
) -> Result<Start, SolveError> {
    let score = |value: Value| u8::from_value(value).ok_or(SolveError::TooDeep);
    let mut scores = vec![score(Value::Win(Turns(1)))?; game.start_count() as usize];
    let decided = about.phases.iter().filter(|phase| phase.turns != 1).map(|phase| {
        let turns = Turns(phase.turns);
        let value = if phase.turns.is_multiple_of(2) { Value::Loss(turns) } else { Value::Win(turns) };
        (phase.turns, value)
    });
    let decided: Vec<(u16, Value)> = decided.chain([(DRAWS, Value::Draw)]).collect();
    means.progress.stage("placements", decided.len() as u64);
    for (turns, value) in decided {
        let code = score(value)?;
        let mut found = log.open(turns)?;
        found.keep(|superblock| shape.is_start(superblock));
        let plane = read_sound::<W>(shape, &mut found, means.threads, |_, cells| cells)?;
        for (superblock, cells) in plane.iter().enumerate().filter(|(_, cells)| !cells.is_empty()) {
            positions(shape, superblock, cells, |position| {
                if let Some(number) = game.start_number(&position) {
                    scores[number as usize] = code;
                }
            });
        }
        means.progress.advance(1);
    }
    // Backwards through the placing: where the second side is to place, then the empty board.
    let placed_by_both = |position: &Position| position.own_pushers != 0 && position.other_pushers != 0;
    let mut unplaced: Vec<(u64, Position)> = (0..game.start_count())
        .rev()
        .map_while(|number| Some((number, game.start_of_number(number)?)))
        .take_while(|(_, position)| !placed_by_both(position))
        .collect();
    // The empty board comes last.
    unplaced.sort_by_key(|(_, position)| position.other_pushers == 0);
    let mut start = Value::Draw;
    for (number, position) in unplaced {
        let value = |next: &Position| match scores[game.start_number(next)? as usize].stored() {
            Stored::Known(Knowledge::Exact(value)) => Some(value.before(false)),
            _ => None,
        };
        start = game.turns(&position).iter().filter_map(|(_, next)| value(next)).max().unwrap_or(Value::Draw);
        scores[number as usize] = score(start)?;
    }
    let table = || -> Result<(), TableError> {
        let manifest = Manifest::new(
            PLACEMENTS,
            PushFight::RULES_VERSION,
            PushFight::INDEX_VERSION,
            Kind::Full,
            Cell::Byte,
            game.start_count(),
        );
        let mut writer = TableWriter::create(directory, manifest)?;
        writer.write_scores(&scores)?;
        writer.set_counts(Counts::of_scores(&scores));
        writer.finish().map(|_| ())
    };
    table().map_err(io::Error::from)?;
    Ok(Start { outcome: Some(start.outcome()), turns: start.turns() })
}

/// A solved board, open for questions.
pub struct Solution {
    losses: TurnsFile,
    wins: Option<TurnsFile>,
    placements: Option<Table>,
    pub(crate) others: OnceLock<Others>,
}

/// Opens the table of positions before the first push in a directory.
fn open_placements(game: &PushFight, directory: &Path) -> Result<Table, TableError> {
    let expected = Expectations {
        rules_version: PushFight::RULES_VERSION,
        index_version: PushFight::INDEX_VERSION,
        index_count: game.start_count().into(),
    };
    Table::open(directory, PLACEMENTS, expected)
}

impl Solution {
    /// Opens what [`solve_into`] wrote; `None` if there is nothing.
    ///
    /// # Errors
    /// If it is of another game or version, or damaged.
    pub fn open(game: &PushFight, directory: &Path) -> Result<Option<Solution>, TableError> {
        Solution::open_on(game, directory, &Disk)
    }

    fn open_on(
        game: &PushFight,
        directory: &Path,
        storage: &dyn Storage,
    ) -> Result<Option<Solution>, TableError> {
        let Some(mut losses) = TurnsFile::open(Which::Losses, game, directory, storage)? else {
            return Ok(None);
        };
        let placements = match losses.about().start {
            Some(_) => Some(open_placements(game, directory)?),
            None => None,
        };
        let wins = losses.wins(game, directory, storage)?;
        crate::files::timings::read(directory, storage, losses.about_mut());
        let others = crate::derive::implausible::read(directory, storage, losses.checksum());
        Ok(Some(Solution {
            losses,
            wins,
            placements,
            others: others.map(OnceLock::from).unwrap_or_default(),
        }))
    }

    /// What it is.
    pub fn about(&self) -> &About {
        self.losses.about()
    }

    /// The losses.
    pub fn losses(&self) -> &TurnsFile {
        &self.losses
    }

    /// The wins, if it has them.
    pub fn wins(&self) -> Option<&TurnsFile> {
        self.wins.as_ref()
    }

    /// What is known of a position without a look at its turns; `None` if nothing.
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged.
    pub fn get(&self, game: &PushFight, position: &Position) -> Result<Option<Knowledge>, TableError> {
        if position.anchor == 0
            && let Some(table) = &self.placements
            && let Some(number) = game.start_number(position)
        {
            return Ok(match table.get(Index(number))? {
                Stored::Known(knowledge) => Some(knowledge),
                Stored::Nothing => None,
            });
        }
        let Some(spot) = self.losses.spot(game, position) else { return Ok(None) };
        let exact = |value| Ok(Some(Knowledge::Exact(value)));
        // What ejects a piece at once is in no file, and most positions do.
        if self.wins.is_some() && game.wins_now(position) {
            return exact(Value::Win(Turns(1)));
        }
        if let Some(turns) = self.losses.at(spot)? {
            return exact(Value::Loss(Turns(turns)));
        }
        let Some(wins) = &self.wins else { return Ok(Some(Knowledge::NotLost)) };
        match wins.at(spot)? {
            Some(turns) => exact(Value::Win(Turns(turns))),
            // Before the first push what leaves the opponent without a push is not there.
            None if position.anchor == 0 || self.about().horizon.is_some() => Ok(Some(Knowledge::NotLost)),
            None => exact(Value::Draw),
        }
    }

    /// The value of a position, after a look at its turns if that alone tells whether it is won, and at theirs if no push can have led to
    /// it; `None` where the files have nothing to say about it.
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged.
    pub fn value(&self, game: &PushFight, position: &Position) -> Result<Option<Knowledge>, TableError> {
        let known = self.get(game, position)?;
        if known != Some(Knowledge::NotLost) && (known.is_some() || position.anchor == 0) {
            return Ok(known);
        }
        let exact = |value| Ok(Some(Knowledge::Exact(value)));
        if game.wins_now(position) {
            return exact(Value::Win(Turns(1)));
        }
        let mut failed = None;
        let (mut turns, mut fastest) = (false, None::<u16>);
        let _ = game.each_successor(position, |next| {
            turns = true;
            // Nothing is lost sooner than in 2 turns but where no push is possible at all.
            if fastest == Some(2) && game.pushes_at_once(&next) {
                return ControlFlow::Continue(());
            }
            match self.losses.look(game, &next) {
                Ok(Look::Found(turns)) => fastest = Some(fastest.map_or(turns, |fastest| fastest.min(turns))),
                Ok(_) => {}
                Err(error) => {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        if let Some(error) = failed {
            return Err(error);
        }
        match fastest {
            _ if !turns => return exact(Value::Loss(Turns(0))),
            Some(turns) => return exact(Value::Win(Turns(turns + 1))),
            None if self.about().horizon.is_some() => return Ok(known.or(Some(Knowledge::Unknown))),
            None if known.is_some() => return exact(Value::Draw),
            None => {}
        }
        // Lost if all turns lead to wins, and those are positions that a push has led to.
        let (mut longest, mut drawn) = (0, false);
        let _ = game.each_successor(position, |next| {
            match self.value(game, &next) {
                Ok(Some(Knowledge::Exact(Value::Win(turns)))) => {
                    longest = longest.max(turns.0);
                    return ControlFlow::Continue(());
                }
                Ok(_) => drawn = true,
                Err(error) => failed = Some(error),
            }
            ControlFlow::Break(())
        });
        match failed {
            Some(error) => Err(error),
            None if drawn => exact(Value::Draw),
            None => exact(Value::Loss(Turns(longest + 1))),
        }
    }

    /// Whether the table of placements that has been made anew in a directory has the same values; also if there is none.
    pub(crate) fn has_placements_of(&self, game: &PushFight, directory: &Path) -> Result<bool, TableError> {
        let hash = |table: &Table| table.manifest().values.blake3.clone();
        let Some(placements) = &self.placements else { return Ok(true) };
        Ok(hash(&open_placements(game, directory)?) == hash(placements))
    }

    /// Reads everything once: the number of blocks, and what is wrong with some.
    ///
    /// # Errors
    /// What the system says.
    pub fn check(&self, progress: &dyn Progress) -> Result<(u64, Vec<TableError>), TableError> {
        let (mut blocks, mut wrong) = self.losses.check(progress)?;
        if let Some(wins) = &self.wins {
            let (more, also) = wins.check(progress)?;
            blocks += more;
            wrong.extend(also);
        }
        if let Some(placements) = &self.placements {
            let report = placements.check_files(|_, _| ())?;
            blocks += report.blocks;
            wrong.extend(report.faults);
        }
        Ok((blocks, wrong))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use retrograde_solve::retrograde::Retrograde;
    use retrograde_solve::{Job, Silent, Unkept};

    use super::*;
    use crate::testing::{self, Fuse, game};

    /// The logs are left, and there are no wins.
    fn logs() -> Keep {
        Keep { work: true, wins: false }
    }

    fn means(progress: &dyn Progress, horizon: Option<u16>) -> Means<'_> {
        Means { horizon, ..testing::means(progress) }
    }

    #[test]
    fn a_solution_says_what_the_plain_solver_finds() {
        for name in [
            "pushfight:mini,pushers=2,pawns=1",
            "pushfight:mini,pushers=1,pawns=2,moves=1",
            "pushfight:x.board,pushers=1,pawns=3",
        ] {
            let game = game(name);
            let mut checkpoint = Unkept;
            let mut job = Job {
                threads: 2,
                memory: u64::MAX,
                horizon: None,
                progress: &Silent,
                checkpoint: &mut checkpoint,
            };
            let scores = Retrograde::new(&game).predecessors().solve(&mut job).unwrap();
            let directory = tempfile::tempdir().unwrap();
            let about = solve_into(&game, directory.path(), &means(&Silent, None), Keep::default()).unwrap();
            let left: Vec<String> = Disk.names(directory.path()).unwrap();
            assert!(left.iter().all(|name| !name.starts_with("phase-")), "{left:?}");
            let solution = Solution::open(&game, directory.path()).unwrap().unwrap();
            assert_eq!(solution.about(), &about);
            let base = game.index_count() as u64 - game.prelude();
            let (mut lost, mut plausible) = (0, 0);
            for index in 0..game.index_count() as u64 {
                let Some(position) = game.position(Index(index)) else { continue };
                let Stored::Known(Knowledge::Exact(value)) = scores.stored(Index(index)) else { panic!() };
                let expected = match value {
                    value if index >= base => Some(Knowledge::Exact(value)),
                    _ if !game.is_plausible(&position) => None,
                    Value::Loss(_) => Some(Knowledge::Exact(value)),
                    _ => Some(Knowledge::NotLost),
                };
                assert_eq!(solution.get(&game, &position).unwrap(), expected, "{name} {index}");
                let exact = Some(Knowledge::Exact(value));
                assert_eq!(solution.value(&game, &position).unwrap(), exact, "{name} {index}");
                lost += u64::from(matches!(expected, Some(Knowledge::Exact(_))) && index < base);
                plausible += u64::from(expected.is_some() && index < base);
            }
            let all = |lost: bool| {
                let counted = about.phases.iter().filter(|phase| !lost || phase.turns % 2 == 0);
                counted.map(|phase| phase.all).sum::<u64>()
            };
            assert_eq!(all(true), lost, "{name}");
            assert_eq!(all(false) + about.draws.as_ref().unwrap().all, plausible, "{name}");
            assert_eq!(u128::from(plausible), game.plausible_count().unwrap(), "{name}");
            let mut seen = 0;
            solution
                .losses()
                .each(|position, turns| {
                    let index = game.index(&position).unwrap();
                    let expected = Stored::Known(Knowledge::Exact(Value::Loss(Turns(turns))));
                    assert_eq!(scores.stored(index), expected);
                    seen += 1;
                    Ok::<_, TableError>(true)
                })
                .unwrap();
            let expected = about.phases.iter().filter(|phase| phase.turns % 2 == 0);
            assert_eq!(seen, expected.map(|phase| phase.count + phase.starts).sum::<u64>());
            let Stored::Known(empty) = scores.stored(game.index(&game.start()).unwrap()) else { panic!() };
            let start = about.start.unwrap();
            assert_eq!((start.outcome, start.turns), (empty.outcome(), empty.turns()), "{name}");
            assert!(solution.check(&Silent).unwrap().1.is_empty());
        }
    }

    #[test]
    fn interrupted_anywhere_it_ends_with_the_same_bytes() {
        let game = game("pushfight:mini,pushers=2,pawns=1");
        let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let first = solve_into(&game, whole.path(), &means(&Silent, None), logs()).unwrap();
        let mut runs = 0;
        let second = loop {
            let fuse = Fuse::new(270 + 25 * runs);
            match solve_into(&game, parts.path(), &means(&fuse, None), logs()) {
                Ok(about) => break about,
                Err(SolveError::Stopped) => runs += 1,
                Err(error) => panic!("{error}"),
            }
            assert!(Solution::open(&game, parts.path()).unwrap().is_none());
        };
        assert!(runs > 3);
        let strip = |mut about: About| {
            about.seconds = 0.0;
            about.phases.iter_mut().for_each(|phase| {
                (phase.seconds, phase.blocks, phase.bytes) = (0.0, 0, 0);
            });
            about
        };
        assert_eq!(strip(first), strip(second));
        let bytes = |directory: &Path| {
            let bytes = fs::read(directory.join(Which::Losses.file())).unwrap();
            let description = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
            // Behind the description, which has times, up to where the directory says where blocks begin.
            let at = u64::from_le_bytes(bytes[bytes.len() - 32..][..8].try_into().unwrap());
            bytes[description + 20..at as usize].to_vec()
        };
        assert!(bytes(whole.path()) == bytes(parts.path()));

        // A damaged log is found again on the way.
        let log = parts.path().join("phase-003-0.rgl");
        let mut damaged = fs::read(&log).unwrap();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 4;
        fs::write(&log, damaged).unwrap();
        solve_into(&game, parts.path(), &means(&Silent, None), Keep::default()).unwrap();
        assert!(bytes(whole.path()) == bytes(parts.path()));
    }

    #[test]
    fn a_flipped_bit_or_a_cut_is_noticed() {
        let game = game("pushfight:mini,pushers=1,pawns=2,moves=1");
        let directory = tempfile::tempdir().unwrap();
        solve_into(&game, directory.path(), &means(&Silent, None), Keep::default()).unwrap();
        let path = directory.path().join(Which::Losses.file());
        let right = fs::read(&path).unwrap();
        let wrong = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            match Solution::open(&game, directory.path()) {
                Err(_) => true,
                Ok(solution) => !solution.unwrap().check(&Silent).unwrap().1.is_empty(),
            }
        };
        for at in (0..right.len()).step_by(37) {
            let mut bytes = right.clone();
            bytes[at] ^= 1 << (at % 8);
            assert!(wrong(&bytes), "byte {at}");
        }
        for length in (0..right.len()).step_by(211) {
            assert!(wrong(&right[..length]), "{length} bytes");
        }
        assert!(!wrong(&right));
    }

    #[test]
    fn a_horizon_leaves_the_rest_undecided() {
        let game = game("pushfight:mini,pushers=2,pawns=1");
        let directory = tempfile::tempdir().unwrap();
        let about = solve_into(&game, directory.path(), &means(&Silent, Some(3)), logs()).unwrap();
        assert_eq!(about.phases.len(), 4);
        assert_eq!((about.horizon, about.draws.is_none(), about.start), (Some(3), true, None));
        // It is gone on with.
        let about = solve_into(&game, directory.path(), &means(&Silent, None), Keep::default()).unwrap();
        assert!(about.phases.len() > 4 && about.horizon.is_none() && about.start.is_some());
    }
}
