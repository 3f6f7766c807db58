//! Right solutions are proved, and altered ones are refuted.

use std::fs;

use retrograde_game::Dense;
use retrograde_solve::Silent;
use retrograde_testkit::{all_cases, some_of};

use super::*;
use crate::kernel::simd::SimdLevel;
use crate::layout::location::Location;
use crate::layout::sets::lanes_of;
use crate::layout::sparse::{Plane, empty_plane};
use crate::layout::superblocks::{SuperblockId, by_superblock};
use crate::phase::count::{PhaseCount, count_phase};
use crate::run::{Retention, finish, solve_into};
use crate::solve::logged::solve_logged;
use crate::testing::{self, Fuse, config, config_within, game, write_solution};

const GAMES: [&str; 7] = [
    "pushfight:mini,pushers=2,pawns=1",
    "pushfight:mini,pushers=1,pawns=2,moves=1",
    "pushfight:x.board,pushers=2,pawns=2,moves=0",
    "pushfight:mini,pushers=2,pawns=0,moves=unlimited",
    "pushfight:x.board,pushers=3,pawns=1,moves=0",
    "pushfight:wide.board,pushers=1,pawns=1",
    "pushfight:twocolumn,pushers=1,pawns=1,moves=3",
];

fn proof(game: &PushFight, directory: &Path) -> Proof {
    let solution = Solution::open(game, directory).unwrap().unwrap();
    solution.prove(game, directory, &config(&Silent)).unwrap()
}

#[test]
fn right_solutions_are_proved() {
    for (number, name) in GAMES.iter().enumerate() {
        let game = game(name);
        let directory = retrograde_testkit::tempdir().unwrap();
        write_solution(&game, directory.path(), Retention { logs: false, wins: number % 2 == 0 });
        let before = fs::read_dir(directory.path()).unwrap().count();
        let proof = proof(&game, directory.path());
        assert_eq!(proof.wrong, [""; 0], "{name}");
        assert_eq!(proof.wrong_count, 0);
        let plausible = (0..game.index_count() as u64)
            .filter_map(|index| game.position(retrograde_game::Index(index)))
            .filter(|position| !position.anchor.is_empty() && game.is_plausible(position));
        let placed = (0..game.start_count())
            .filter_map(|number| game.start_of_number(number))
            .filter(|position| !position.own_pushers.is_empty() && !position.other_pushers.is_empty());
        assert_eq!(proof.positions, (plausible.count() + placed.count()) as u64, "{name}");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), before);
    }
}

#[test]
fn right_solutions_with_a_horizon_are_proved() {
    for (number, name) in GAMES.iter().enumerate().take(3) {
        let game = game(name);
        let [directory, whole] =
            [retrograde_testkit::tempdir().unwrap(), retrograde_testkit::tempdir().unwrap()];
        write_solution(&game, whole.path(), Retention::default());
        let all = proof(&game, whole.path()).positions;
        for horizon in some_of(3, 0..7) {
            let within = config_within(&Silent, Some(horizon));
            let retention = Retention { logs: false, wins: (number + usize::from(horizon)) % 2 == 0 };
            solve_into(&game, directory.path(), &within, retention).unwrap();
            assert_eq!(
                Solution::open(&game, directory.path()).unwrap().unwrap().info().horizon,
                Some(horizon)
            );
            let found = proof(&game, directory.path());
            assert_eq!((&*found.wrong, found.wrong_count), (&[][..], 0), "{name}, {horizon}");
            // The proof counts undecided positions too.
            assert_eq!(found.positions, all);
        }
    }
}

/// The results of a solve by turns, to be altered.
struct AlteredSolve {
    layout: Layout,
    planes: Vec<Plane>,
}

impl AlteredSolve {
    /// The positions that end in some turns.
    fn positions(&self, turns: usize) -> Vec<Location> {
        let mut all = Vec::new();
        for (superblock, cells) in by_superblock(&self.planes[turns]) {
            cells.for_each_row(|cell, row, bits| {
                all.extend(lanes_of(bits).map(|bit| Location { superblock, cell, row, bit }));
            });
        }
        all
    }

    /// Replaces the positions of a superblock that end in some turns.
    fn set(&mut self, turns: usize, superblock: SuperblockId, change: impl FnOnce(&mut Vec<Location>)) {
        let mut all = self.positions(turns);
        all.retain(|at| at.superblock == superblock);
        change(&mut all);
        let list: Vec<_> = all.into_iter().map(|at| (at.cell as u32, at.row, at.bit)).collect();
        self.planes[turns][superblock] = SparseCells::of_positions(self.layout.cell_shape(), &list);
    }

    fn take(&mut self, turns: usize, at: Location) {
        self.set(turns, at.superblock, |all| all.retain(|other| *other != at));
    }

    fn add(&mut self, turns: usize, at: Location) {
        self.set(turns, at.superblock, |all| all.push(at));
    }
}

/// The log of a solve, which is altered in several ways.
struct LoggedSolve {
    directory: retrograde_testkit::TempDir,
    horizon: Option<u16>,
    phases: Vec<PhaseCount>,
}

impl LoggedSolve {
    /// Solves a game, maybe up to a horizon.
    fn new(game: &PushFight, horizon: Option<u16>) -> LoggedSolve {
        let directory = retrograde_testkit::tempdir().unwrap();
        let mut phases = Vec::new();
        let config = config_within(&Silent, horizon);
        solve_logged(game, directory.path(), &config, &mut |phase| phases.push(phase)).unwrap();
        LoggedSolve { directory, horizon, phases }
    }
}

/// Alters the results of a solve, and writes a solution with them and with matching counts.
fn altered(
    game: &PushFight,
    solve: &LoggedSolve,
    directory: &Path,
    wins: bool,
    alter: impl FnOnce(&mut AlteredSolve, &[PhaseCount]) -> bool,
) -> bool {
    retrograde_testkit::write_files(directory, &retrograde_testkit::files(solve.directory.path()));
    let mut phases = solve.phases.clone();
    let config = config_within(&Silent, solve.horizon);
    let log = Log::new(game, directory, &config.storage);
    let layout = Layout::new(game, Scope::PlausibleAndStarts).unwrap();
    let read = |phase: &PhaseCount| {
        if phase.turns == 1 {
            return empty_plane(layout.superblocks.len());
        }
        read_plane(&layout, &log.open(phase.id()).unwrap(), 1).unwrap()
    };
    let planes = phases.iter().map(read).collect();
    let mut found = AlteredSolve { layout, planes };
    let last = phases.last().unwrap().turns;
    let decided = |phases: &[PhaseCount]| phases.iter().map(|phase| phase.all).sum::<u64>();
    let right = decided(&phases);
    if !alter(&mut found, &phases) {
        return false;
    }
    for (phase, plane) in phases.iter_mut().zip(&found.planes).filter(|(phase, _)| phase.turns != 1) {
        write_plane(&log, phase.id(), plane);
        let counts = by_superblock(plane.iter().map(SparseCells::count));
        *phase = count_phase(&found.layout, phase.id(), counts);
    }
    assert_eq!(phases.last().unwrap().turns, last);
    // A sum that is wrong would be seen when the files are opened.
    let wrong = decided(&phases);
    phases[1].all = phases[1].all + right - wrong;
    finish(game, directory, &config, &log, phases, wins).unwrap();
    true
}

/// Replaces the log of a phase.
fn write_plane(log: &Log, phase: PhaseId, plane: &Plane) {
    log.remove_phase(phase).unwrap();
    let writer = log.write(phase).unwrap();
    for (superblock, cells) in by_superblock(plane.iter()) {
        writer.add(superblock, cells.count(), cells).unwrap();
    }
    writer.finish(Ok(())).unwrap();
}

#[test]
fn all_errors_are_found() {
    let mut tried = 0;
    for name in ["pushfight:mini,pushers=2,pawns=1", "pushfight:mini,pushers=1,pawns=2,moves=1"] {
        let game = game(name);
        type Alter = fn(&mut AlteredSolve, Location, usize);
        // Alterations of a position that is lost (0) or won (1) in a number of turns.
        let alterations: [(usize, Alter); 6] = [
            // A loss that is missing.
            (0, |found, at, turns| found.take(turns, at)),
            // A loss with too many turns.
            (0, |found, at, turns| {
                found.take(turns, at);
                found.add(turns + 2, at);
            }),
            // A loss with too few turns.
            (0, |found, at, turns| {
                found.take(turns, at);
                found.add(turns - 2, at);
            }),
            // A win, also one in one turn, that is listed as a loss.
            (1, |found, at, turns| found.add(turns - 1, at)),
            // A win with too many turns, and a win that is missing.
            (1, |found, at, turns| {
                found.take(turns, at);
                found.add(turns + 2, at);
            }),
            (1, |found, at, turns| found.take(turns, at)),
        ];
        let solves = [None, Some(8), Some(9)].map(|horizon| LoggedSolve::new(&game, horizon));
        let numbered = alterations.iter().enumerate();
        let cases = numbered.flat_map(|case| [(case, 4), (case, 6)]);
        let cases = cases.flat_map(|case| solves.iter().map(move |solve| (case, solve)));
        for (((number, (kind, alter)), turns), solve) in some_of(3, cases) {
            let turns = turns + kind;
            let directory = retrograde_testkit::tempdir().unwrap();
            let done = altered(&game, solve, directory.path(), number >= 4, |found, phases| {
                let positions = found.positions(turns);
                let Some(&at) = positions.get(positions.len() / 2) else { return false };
                if turns + 2 >= phases.len() {
                    return false;
                }
                alter(found, at, turns);
                true
            });
            if done {
                let proof = proof(&game, directory.path());
                assert!(proof.wrong_count > 0, "{name}, {number}, {turns}, {:?}", solve.horizon);
                assert!(!proof.wrong.is_empty() && proof.wrong.len() <= LISTED);
                tried += 1;
            }
        }
    }
    assert!(tried > if all_cases() { 36 } else { 9 }, "{tried}");
}

/// The draws of a board: the positions that are undecided at the end.
fn draws(game: &PushFight, found: &mut AlteredSolve) -> Vec<Location> {
    let layout = Layout::new(game, Scope::PlausibleAndStarts).unwrap();
    let mut engine = Engine::new(layout, SimdLevel::best(), 1);
    crate::solve::steps::find_undecided(&mut engine, &Silent).unwrap();
    for plane in &found.planes {
        crate::layout::sparse::subtract_plane(&mut engine.undecided, plane, 1);
    }
    found.planes.push(std::mem::take(&mut engine.undecided));
    let draws = found.positions(found.planes.len() - 1);
    found.planes.pop();
    draws
}

#[test]
fn wins_by_no_push_are_found_where_every_position_has_a_push() {
    let game = game("pushfight:mini,pushers=2,pawns=0");
    let directory = retrograde_testkit::tempdir().unwrap();
    let done = altered(&game, &LoggedSolve::new(&game, None), directory.path(), true, |found, phases| {
        assert!(phases[0].is_empty());
        let at = draws(&game, found)[0];
        let mut plane = empty_plane(found.layout.superblocks.len());
        let cells = [(at.cell as u32, at.row, at.bit)];
        plane[at.superblock] = SparseCells::of_positions(found.layout.cell_shape(), &cells);
        let log = Log::new(&game, directory.path(), &config(&Silent).storage);
        write_plane(&log, PhaseId::WonByNoPush, &plane);
        true
    });
    assert!(done);
    let proof = proof(&game, directory.path());
    assert_eq!(proof.wrong_count, 1, "{:?}", proof.wrong);
    assert!(proof.wrong[0].contains("won in 1 turn by the files"), "{}", proof.wrong[0]);
}

#[test]
fn draws_listed_as_losses_are_found() {
    let game = game("pushfight:mini,pushers=2,pawns=1");
    let directory = retrograde_testkit::tempdir().unwrap();
    let done = altered(&game, &LoggedSolve::new(&game, None), directory.path(), false, |found, _| {
        let draws = draws(&game, found);
        for at in draws.iter().step_by(draws.len() / 5) {
            found.add(4, *at);
        }
        true
    });
    assert!(done);
    let proof = proof(&game, directory.path());
    assert!(proof.wrong_count > 0);
    assert!(proof.wrong[0].contains("lost in 4 turns by the files"), "{}", proof.wrong[0]);
}

#[test]
fn placements_and_counts_are_compared_too() {
    let game = game("pushfight:mini,pushers=1,pawns=2,moves=1");
    let directory = retrograde_testkit::tempdir().unwrap();
    write_solution(&game, directory.path(), Retention::default());
    let solution = Solution::open(&game, directory.path()).unwrap().unwrap();
    let place = directory.path().join("placements");
    // Undamaged values of another board: one with other rules.
    let other = testing::game("pushfight:mini,pushers=1,pawns=2,moves=2");
    let others = retrograde_testkit::tempdir().unwrap();
    write_solution(&other, others.path(), Retention::default());
    let swapped = directory.path().join("right");
    fs::rename(&place, &swapped).unwrap();
    fs::rename(others.path().join("placements"), &place).unwrap();
    let wrong = Solution::open(&game, directory.path()).unwrap().unwrap();
    let proof = wrong.prove(&game, directory.path(), &config(&Silent)).unwrap();
    assert_eq!(proof.wrong_count, 1);
    assert!(proof.wrong[0].contains("does not have the values"), "{:?}", proof.wrong);
    // Values that are damaged.
    let mut files = fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().path());
    let values = files.find(|path| path.extension().is_some_and(|ending| ending == "rgt")).unwrap();
    let mut bytes = fs::read(&values).unwrap();
    let at = bytes.len() / 2;
    bytes[at] ^= 4;
    fs::write(&values, bytes).unwrap();
    assert!(!wrong.check(&Silent).unwrap().1.is_empty());
    fs::remove_dir_all(&place).unwrap();
    fs::rename(&swapped, &place).unwrap();
    // A stopped run leaves no files, and the files of a killed one do no harm.
    let stopped = solution.prove(&game, directory.path(), &config(&Fuse::new(80)));
    assert!(matches!(stopped, Err(SolveError::Stopped)));
    fs::create_dir_all(directory.path().join(PROOF)).unwrap();
    fs::write(directory.path().join(PROOF).join("phase-003-0.rgl"), b"left").unwrap();
    let proof = solution.prove(&game, directory.path(), &config(&Silent)).unwrap();
    assert_eq!(proof.wrong_count, 0);
    assert!(!directory.path().join(PROOF).exists());
}
