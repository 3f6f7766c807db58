//! Sends keys to their owners. Keys are as random as hashes and do not compress, so codes are sent
//! instead: the codes of ten thousand positions of a grade are much closer together.

use std::collections::BTreeMap;

use super::owners::Owners;
use super::team::Team;
use super::words::{groups, put_group};
use crate::exchange::{Piece, Tally};
use crate::job::SolveError;
use crate::reachable::{ByGrade, DividedKeys, TASK, code_of, key_of};

/// The approximate number of turns per position.
const TURNS: u64 = 16;
/// The maximum number of positions that a thread expands into one message per process.
const CHUNK: usize = 1 << 16;

/// Finds the successors of keys, by grade.
pub(crate) type Find<'a> = &'a (dyn Fn(&[u64]) -> Result<ByGrade, SolveError> + Sync);

impl Team<'_, '_> {
    /// The number of keys in a round.
    pub fn batch_of_keys(&self) -> usize {
        // A single process does not wait for others.
        let most = if self.processes == 1 && self.job.batch.is_none() { TASK << 6 } else { 0 };
        self.batch(TURNS).max(most)
    }

    /// Runs a round: finds the successors of `keys` with `find`, by grade, all below `end`, and sends
    /// each to its owner. Returns the keys that this process owns and the tally of all processes.
    pub fn round_of_keys(
        &mut self,
        owners: &Owners,
        keys: &[u64],
        end: u64,
        find: Find<'_>,
    ) -> Result<(BTreeMap<u64, Vec<DividedKeys>>, Tally), SolveError> {
        let (me, processes) = (self.me, self.processes);
        let size = match processes {
            1 => TASK,
            _ => keys.len().div_ceil(self.pool.threads() * 2).clamp(1, CHUNK),
        };
        let mut found = self.pool.results(keys.len().div_ceil(size), &|number| {
            let keys = &keys[number * size..keys.len().min((number + 1) * size)];
            Ok::<_, SolveError>(Found::of(find(keys)?, owners, me, processes))
        })?;
        let mut pieces = Vec::new();
        for (process, bytes) in found.iter_mut().flat_map(|found| found.sent.drain(..).enumerate()) {
            if !bytes.is_empty() {
                pieces.push(Piece { process, tag: 0, bytes });
            }
        }
        let flags = self.stop_or_save();
        let (pieces, tally) = self.exchange.round(pieces, flags)?;
        let received =
            self.pool.results(pieces.len(), &|number| received(&pieces[number], owners, me, end))?;
        let mut by_grade = BTreeMap::<u64, Vec<DividedKeys>>::new();
        for (grade, keys) in
            found.into_iter().flat_map(|found| found.own).chain(received.into_iter().flatten())
        {
            by_grade.entry(grade).or_default().push(keys);
        }
        Ok((by_grade, tally))
    }
}

/// The successors of some positions.
struct Found {
    /// The keys that this process owns, by grade.
    own: Vec<(u64, DividedKeys)>,
    /// The bytes for the other processes.
    sent: Vec<Vec<u8>>,
}

impl Found {
    fn of(found: ByGrade, owners: &Owners, me: usize, processes: usize) -> Found {
        if processes == 1 {
            let own = found.into_iter().map(|(grade, keys)| (grade, DividedKeys::new(&keys))).collect();
            return Found { own, sent: Vec::new() };
        }
        let (mut own, mut sent) = (Vec::new(), vec![Vec::new(); processes]);
        for (grade, keys) in found {
            let mut by_owner = vec![Vec::new(); processes];
            keys.into_iter().for_each(|key| by_owner[owners.of(key)].push(key));
            for (owner, mut keys) in by_owner.into_iter().enumerate().filter(|(_, keys)| !keys.is_empty()) {
                if owner == me {
                    own.push((grade, DividedKeys::new(&keys)));
                    continue;
                }
                keys.iter_mut().for_each(|key| *key = code_of(*key));
                keys.sort_unstable();
                keys.dedup();
                put_group(&mut sent[owner], grade, &keys);
            }
        }
        Found { own, sent }
    }
}

/// Reads the keys that another process has found, all in grades below `end`.
fn received(
    piece: &Piece,
    owners: &Owners,
    me: usize,
    end: u64,
) -> Result<Vec<(u64, DividedKeys)>, SolveError> {
    let mut found = Vec::new();
    for (grade, mut keys) in groups(piece, end)? {
        keys.iter_mut().for_each(|code| *code = key_of(*code));
        if keys.iter().any(|&key| owners.of(key) != me) {
            return Err(piece.wrong("a position that the receiver does not own"));
        }
        found.push((grade, DividedKeys::new(&keys)));
    }
    Ok(found)
}
