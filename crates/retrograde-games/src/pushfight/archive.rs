//! The files of a solved Push Fight board as a value store.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use retrograde_explore::{
    BulkValues, Candidates, Error, Findings, Phase, Resources, StoreFacts, StoreKind, ValueStore, Visit,
    usable_threads,
};
use retrograde_game::{Dense, Flow, Game, Index, Knowledge, Outcome, Predecessors, Score, Stored, Turns};
use retrograde_pushfight::PushFight;
use retrograde_pushfight_planes as planes;
use retrograde_solve::{Progress, Silent, SolveError};
use retrograde_table::{Count, Counts, GameLock, MemoryStorage, StartValue, Storage, TableError};

use crate::HAS_DISK;

/// The published form with the values of plausible positions up to a half turn.
pub(super) const MINIMIZED: &str = "minimized";

/// Ranges with fewer than one in this many of the plausible positions are looked up one by one. Finding
/// values together means reading the whole solution and finding all legal positions again before the first
/// value is known.
const ONE_BY_ONE_SHARE: u128 = 50_000;

/// On boards with at most this many indices, all values are found together for a sequential reader and kept
/// in memory, one byte each.
const SMALL: u128 = 1 << 26;

/// Adds the results of phases.
fn count(counts: &mut Counts, phases: &[planes::PhaseCount]) {
    for phase in phases {
        let number = u128::from(phase.all);
        let (all, by_turns) = match phase.turns % 2 {
            0 => (&mut counts.losses, &mut counts.by_turns.loss),
            _ => (&mut counts.wins, &mut counts.by_turns.win),
        };
        *all += number;
        if number > 0 {
            by_turns.entry(phase.turns).or_default().0 += number;
        }
    }
}

/// The number of positions that no phase decided: draws, or unknown positions if there is a horizon.
fn rest(counts: &mut Counts, horizon: Option<Turns>) -> &mut Count {
    if horizon.is_some() { &mut counts.unknown } else { &mut counts.draws }
}

/// The files of a solved board.
pub(super) struct PlanesArchive {
    game: PushFight,
    solution: planes::Solution,
    directory: PathBuf,
    storage: Arc<dyn Storage>,
    counts: Counts,
    /// The scores of a small board, computed when first needed.
    scores: OnceLock<FoundScores>,
}

impl PlanesArchive {
    /// Opens a solution; `None` if it does not exist.
    ///
    /// # Errors
    /// If a file is damaged, or belongs to another game or version.
    pub fn open(
        game: &PushFight,
        directory: &Path,
        storage: &Arc<dyn Storage>,
    ) -> Result<Option<Box<dyn ValueStore>>, TableError> {
        let Some(solution) = planes::Solution::open_in(game, directory, storage)? else { return Ok(None) };
        let about = solution.info();
        let mut counts = Counts::default();
        count(&mut counts, &about.phases);
        match &about.draws {
            Some(draws) => counts.draws += u128::from(draws.all),
            None => {
                let known = counts.losses.0 + counts.wins.0;
                counts.unknown += game.plausible_count().unwrap_or(known).saturating_sub(known);
            }
        }
        counts.positions = Count(counts.losses.0 + counts.wins.0 + counts.draws.0 + counts.unknown.0);
        Ok(Some(Box::new(PlanesArchive {
            game: game.clone(),
            solution,
            directory: directory.to_owned(),
            storage: storage.clone(),
            counts,
            scores: OnceLock::new(),
        })))
    }
}

impl PlanesArchive {
    /// Locks the directory, so that no other process works in it.
    fn lock(&self) -> Result<GameLock, SolveError> {
        let tables = self.directory.parent().unwrap_or(Path::new("."));
        Ok(GameLock::acquire_in(&*self.storage, tables, &self.game.name())?)
    }

    fn config<'a>(&self, resources: &Resources<'a>) -> planes::SolveConfig<'a> {
        planes::SolveConfig {
            threads: resources.threads,
            horizon: None,
            progress: resources.progress,
            storage: self.storage.clone(),
            parts: 1,
            memory: resources.memory,
        }
    }

    /// The bytes of memory for deriving values from others.
    fn derived_memory(&self, threads: usize) -> u64 {
        let need = planes::Estimate::new(&self.game, threads).map(|estimate| estimate.derived_memory());
        need.and_then(|need| u64::try_from(need).ok()).unwrap_or(u64::MAX)
    }

    fn horizon(&self) -> Option<Turns> {
        self.solution.info().horizon.map(Turns)
    }

    fn place_count(&self) -> u64 {
        self.game.index_count() as u64 - self.game.prelude()
    }

    /// Whether all values are found together for a sequential reader.
    fn is_small(&self) -> bool {
        HAS_DISK && self.game.index_count() <= SMALL
    }

    /// Finds the scores of positions after the first push.
    fn find_scores(
        &self,
        indices: Range<u64>,
        config: &planes::SolveConfig<'_>,
    ) -> Result<FoundScores, SolveError> {
        let first = indices.start;
        let scores = self.solution.scores(&self.game, &self.directory, config, indices)?;
        Ok(FoundScores { first, scores })
    }

    /// Finds the scores of all positions after the first push. Work files are in memory.
    fn find_all_scores(&self, resources: &Resources<'_>) -> Result<FoundScores, SolveError> {
        // Logs take a twentieth of a byte per position, and somewhat more on boards without moves.
        let logs = u64::try_from(self.counts.positions.0 / 6).unwrap_or(u64::MAX);
        let need =
            self.derived_memory(resources.threads).saturating_add(self.place_count()).saturating_add(logs);
        if need > resources.memory {
            return Err(SolveError::Memory { need, limit: resources.memory });
        }
        let storage = Arc::new(MemoryStorage::new());
        let config = planes::SolveConfig { storage, ..self.config(resources) };
        self.find_scores(0..self.place_count(), &config)
    }

    /// Locks the directory, if there is enough memory to derive values from others, and for `more` bytes.
    fn lock_in(&self, resources: &Resources<'_>, more: u64) -> Result<GameLock, SolveError> {
        let need = self.derived_memory(resources.threads).saturating_add(more);
        if need > resources.memory {
            return Err(SolveError::Memory { need, limit: resources.memory });
        }
        self.lock()
    }
}

impl ValueStore for PlanesArchive {
    fn facts(&self) -> StoreFacts<'_> {
        StoreFacts {
            counted_positions: Some("plausible positions"),
            notes: self.solution.notes(),
            seconds: self.solution.info().seconds,
            horizon: self.horizon(),
            kind: StoreKind::Archive,
            has_wins: self.solution.wins().is_some(),
            looks_at_turns: true,
            needs_prepare: self.solution.needs_prepare(),
            ..StoreFacts::new(&self.directory, &self.counts, self.place_count())
        }
    }

    fn get(&self, index: Index) -> Result<Stored, TableError> {
        let Some(position) = self.game.position(index) else { return Ok(Stored::Nothing) };
        Ok(self.solution.get(&self.game, &position)?.map_or(Stored::Nothing, Stored::Known))
    }

    fn prepare(&self, indices: &[Index]) -> Result<(), TableError> {
        let positions: Vec<_> = indices.iter().filter_map(|&index| self.game.position(index)).collect();
        self.solution.prepare(&self.game, &positions)
    }

    fn is_lost(&self, index: Index) -> Result<bool, TableError> {
        let Some(position) = self.game.position(index) else { return Ok(false) };
        self.solution.is_lost(&self.game, &position)
    }

    fn location(&self, index: Index) -> u64 {
        let number = |position| self.solution.losses().position_number(&self.game, &position);
        self.game.position(index).and_then(number).unwrap_or(0)
    }

    fn value(&self, index: Index) -> Result<Stored, TableError> {
        let Some(position) = self.game.position(index) else { return Ok(Stored::Nothing) };
        Ok(self.solution.value(&self.game, &position)?.map_or(Stored::Nothing, Stored::Known))
    }

    fn memory(&self) -> u64 {
        if self.is_small() {
            return self.solution.memory() + self.place_count();
        }
        self.solution.memory()
    }

    fn at(&self, place: u64) -> Result<(Index, Stored), TableError> {
        let index = Index(place);
        if let Some(all) = self.scores.get() {
            return Ok((index, Stored::Known(all.value(index))));
        }
        Ok((index, if self.is_small() { self.value(index)? } else { self.get(index)? }))
    }

    fn scanned_positions(&self) -> Option<u64> {
        self.is_small().then(|| self.place_count())
    }

    fn read_ahead(&self) {
        if self.is_small() && self.scores.get().is_none() {
            // If this fails, for example while parts of the files are being fetched, values are read
            // one by one.
            let found = self.find_all_scores(&Resources::new(usable_threads(), None, &Silent));
            let _ = found.map(|found| self.scores.set(found));
        }
    }

    fn limit_cache(&mut self, bytes: u64) {
        self.solution.limit_cache(bytes);
    }

    fn value_of_text(&self, position: &str) -> Result<Stored, TableError> {
        let Ok(position) = self.game.parse_position(position) else { return Ok(Stored::Nothing) };
        Ok(self.solution.value(&self.game, &position)?.map_or(Stored::Nothing, Stored::Known))
    }

    fn stamp(&self) -> String {
        let wins = self.solution.wins().map(|wins| format!(" {:08x}", wins.checksum()));
        format!("kept {:08x}{}", self.solution.losses().checksum(), wins.unwrap_or_default())
    }

    fn all_counts(&self) -> Option<Counts> {
        let others = self.solution.implausible()?;
        let mut all = self.counts.clone();
        count(&mut all, &others.phases);
        *rest(&mut all, self.horizon()) += u128::from(others.draws.all);
        all.positions = Count(all.losses.0 + all.wins.0 + all.draws.0 + all.unknown.0);
        Some(all)
    }

    fn count_all(&self, resources: &Resources<'_>) -> Result<(), SolveError> {
        if !HAS_DISK {
            return Ok(());
        }
        let left_over = self.directory.join(planes::IMPLAUSIBLE_WORK).exists();
        if self.solution.implausible().is_some() && !left_over {
            return Ok(());
        }
        let _lock = self.lock_in(resources, 0)?;
        self.solution.count_implausible(&self.game, &self.directory, &self.config(resources)).map(|_| ())
    }

    fn prove(&self, resources: &Resources<'_>) -> Option<Result<Findings, SolveError>> {
        if !HAS_DISK {
            return None;
        }
        // Without enough memory there is no proof: on boards that need this much, proving positions one
        // by one would take years.
        let proof = self
            .lock_in(resources, 0)
            .and_then(|_lock| self.solution.prove(&self.game, &self.directory, &self.config(resources)));
        Some(proof.map(|proof| Findings {
            positions: proof.positions,
            errors: proof.wrong,
            error_count: proof.wrong_count,
        }))
    }

    fn bulk_values(
        &self,
        indices: Range<u64>,
        resources: &Resources<'_>,
    ) -> Option<Result<BulkValues, SolveError>> {
        let count = indices.end - indices.start;
        // With a horizon, a lookup of a single position cannot always show that it is decided.
        let one_by_one = self.horizon().is_none();
        if !HAS_DISK || one_by_one && u128::from(count) < self.counts.positions.0 / ONE_BY_ONE_SHARE {
            return None;
        }
        if indices == (0..self.place_count())
            && let found @ (Ok(_) | Err(SolveError::Stopped)) = self.find_all_scores(resources)
        {
            return Some(found.map(FoundScores::into_values));
        }
        let _lock = match self.lock_in(resources, count) {
            Ok(lock) => lock,
            // There is not enough memory, or the folder is read-only.
            Err(_) if one_by_one => return None,
            Err(error) => return Some(Err(error)),
        };
        let found = self.find_scores(indices, &self.config(resources));
        Some(found.map(FoundScores::into_values))
    }

    fn published_bytes(
        &self,
        form: &str,
        numbers: Range<u64>,
        resources: &Resources<'_>,
        write: &mut dyn FnMut(&[u8]) -> Result<(), SolveError>,
    ) -> Option<Result<(), SolveError>> {
        let few = u128::from(numbers.end - numbers.start) < self.counts.positions.0 / ONE_BY_ONE_SHARE;
        if !HAS_DISK || form != MINIMIZED || few {
            return None;
        }
        let numbering = self.game.minimized()?;
        let config = self.config(resources);
        self.solution.minimized_values(&self.game, &numbering, numbers, &config, write)
    }

    fn start(&self) -> Option<StartValue> {
        // Without a placing phase, the files may contain the start.
        self.solution.info().start.or_else(|| {
            let known = self.solution.value(&self.game, &self.game.start()).ok()??;
            Some(StartValue { outcome: known.outcome(), turns: known.turns() })
        })
    }

    fn phases(&self) -> Vec<Phase> {
        let timed = self.solution.info().seconds.is_some();
        // A symmetry that leaves an anchor in place maps a counted position to another one.
        let mut images = self.game.square_symmetries().iter().skip(1);
        let free = images.all(|image| (0..).zip(image).all(|(square, image)| image.0 != square));
        let phase = |phase: &planes::PhaseCount| Phase {
            turns: phase.turns,
            positions: retrograde_explore::Count(phase.all.into()),
            up_to_symmetry: free.then_some(retrograde_explore::Count(phase.count.into())),
            starts: retrograde_explore::Count(phase.starts.into()),
            seconds: timed.then_some(phase.seconds),
        };
        self.solution.info().phases.iter().map(phase).collect()
    }

    fn candidates(
        &self,
        outcome: Outcome,
        turns: Option<Turns>,
        visit: &mut Visit<'_, Index>,
    ) -> Result<Candidates, Error> {
        if self.is_small() {
            return Ok(Candidates::Unnamed);
        }
        let game = &self.game;
        let there = |number: u16| {
            let known = &self.solution.info().phases;
            known.iter().any(|phase| phase.turns == number && phase.count > 0)
        };
        let wanted = match (outcome, turns) {
            (Outcome::Loss, turns) => turns.map(|turns| turns.0),
            // Most positions are won in one turn or soon after, so random positions find them.
            (Outcome::Win, Some(turns)) if turns.0 > 4 => Some(turns.0),
            _ => return Ok(Candidates::Frequent),
        };
        if wanted.is_some_and(|wanted| !there(wanted)) {
            return Ok(Candidates::Named);
        }
        let mut more = true;
        // The file that contains them. Without a file of wins, start from the losses that they lead to.
        let wins = self.solution.wins().filter(|_| outcome == Outcome::Win);
        let named = outcome == Outcome::Loss || wins.is_some();
        wins.unwrap_or(self.solution.losses()).for_each(|position, turns| {
            if position.anchor.is_empty() {
                return Ok::<_, Error>(true);
            }
            if named {
                if wanted.is_none_or(|wanted| wanted == turns)
                    && let Some(index) = game.index(&position)
                {
                    more = visit(index)?;
                }
            } else if wanted == Some(turns + 1) {
                // A win with this number of turns has a turn to one of these losses.
                let mut failed = None;
                let _ = game.each_predecessor(&position, |before| {
                    let Some(index) = game.index(&before).filter(|_| game.is_plausible(&before)) else {
                        return Flow::Continue(());
                    };
                    match visit(index) {
                        Ok(true) => return Flow::Continue(()),
                        Ok(false) => more = false,
                        Err(error) => failed = Some(error),
                    }
                    Flow::Break(())
                });
                if let Some(error) = failed {
                    return Err(error);
                }
            }
            Ok(more)
        })?;
        Ok(Candidates::Named)
    }

    fn check(&self, progress: &dyn Progress) -> Result<(u64, Vec<TableError>), TableError> {
        self.solution.check(progress)
    }
}

/// The scores of positions with consecutive indices.
struct FoundScores {
    first: u64,
    scores: Vec<u8>,
}

impl FoundScores {
    fn into_values(self) -> BulkValues {
        Box::new(move |index| self.value(index))
    }

    fn value(&self, index: Index) -> Knowledge {
        let at = index.0.checked_sub(self.first);
        match at.and_then(|at| self.scores.get(at as usize)).map(|score| score.stored()) {
            Some(Stored::Known(knowledge)) => knowledge,
            _ => Knowledge::Unknown,
        }
    }
}
