//! Compares solves in parts with solves of the whole board byte by byte, and damages and truncates
//! their files.

use std::fs;
use std::path::Path;

use retrograde_pushfight::PushFight;
use retrograde_solve::{Progress, Silent};
use retrograde_testkit::some_of;

use super::*;
use crate::files::depth::kind::DepthFileKind;
use crate::run::{Retention, solve_into};
use crate::testing::{Fuse, bytes, config, game, write_solution};

/// The names of files that begin with one of these.
fn names(directory: &Path, prefixes: &[&str]) -> Vec<String> {
    let names = retrograde_testkit::files(directory).into_keys();
    names.filter(|name| prefixes.iter().any(|prefix| name.starts_with(prefix))).collect()
}

const WORK: [&str; 2] = ["left-", "found-"];

fn solve(
    game: &PushFight,
    directory: &Path,
    progress: &dyn Progress,
    parts: usize,
) -> Result<(), SolveError> {
    let config = SolveConfig { parts, ..config(progress) };
    solve_into(game, directory, &config, Retention { logs: false, wins: true }).map(|_| ())
}

#[test]
fn any_number_of_parts_writes_the_same_bytes() {
    // Rows of 2, 4, 8 words; positions lost in 0 turns; symmetries of several kinds, and none.
    let games = [
        "pushfight:mini,pushers=2,pawns=1",
        "pushfight:x.board,pushers=2,pawns=2",
        "pushfight:skew.board,pushers=1,pawns=3",
    ];
    let cases = games.into_iter().flat_map(|name| [2, 7, 96].map(|parts| (name, parts)));
    for (name, parts) in some_of(3, cases) {
        let game = game(name);
        let whole = retrograde_testkit::tempdir().unwrap();
        write_solution(&game, whole.path(), Retention { logs: false, wins: true });
        let directory = retrograde_testkit::tempdir().unwrap();
        solve(&game, directory.path(), &Silent, parts).unwrap();
        for kind in [DepthFileKind::Losses, DepthFileKind::Wins] {
            assert!(bytes(directory.path(), kind) == bytes(whole.path(), kind), "{name}, {parts} parts");
        }
        assert_eq!(names(directory.path(), &WORK), [""; 0], "{name}, {parts} parts");
    }
}

#[test]
fn damaged_work_files_are_recreated() {
    let game = game("pushfight:mini,pushers=2,pawns=1");
    let whole = retrograde_testkit::tempdir().unwrap();
    solve(&game, whole.path(), &Silent, 1).unwrap();
    let (mut noticed, mut runs, mut seed) = (0, 0, 3);
    let directory = retrograde_testkit::tempdir().unwrap();
    loop {
        let fuse = Fuse::new(700 + 60 * runs);
        let result = solve(&game, directory.path(), &fuse, 4);
        let is_of_work = |note: &String| WORK.iter().any(|prefix| note.contains(prefix));
        noticed += usize::from(fuse.notes.into_inner().iter().any(is_of_work));
        match result {
            Ok(()) => break,
            Err(SolveError::Stopped) => runs += 1,
            Err(error) => panic!("{error}"),
        }
        for name in names(directory.path(), &WORK) {
            let path = directory.path().join(name);
            let mut damaged = fs::read(&path).unwrap();
            match crate::testing::random(&mut seed) as usize {
                at if at % 3 == 0 => damaged.truncate(at / 3 % damaged.len()),
                at => {
                    let length = damaged.len();
                    damaged[at / 3 % length] ^= 1 << (at % 8);
                }
            }
            fs::write(&path, damaged).unwrap();
        }
    }
    assert!(runs > 3 && noticed > 2, "{runs} runs, damage noticed in {noticed}");
    for kind in [DepthFileKind::Losses, DepthFileKind::Wins] {
        assert!(bytes(directory.path(), kind) == bytes(whole.path(), kind));
    }
    assert_eq!(names(directory.path(), &WORK), [""; 0]);
}

#[test]
fn parts_share_one_file_of_undecided_positions() {
    let game = game("pushfight:mini,pushers=2,pawns=1");
    let mut sizes = Vec::new();
    for parts in [2, 12] {
        let directory = retrograde_testkit::tempdir().unwrap();
        let config = SolveConfig { parts, horizon: Some(Turns(6)), ..config(&Silent) };
        solve_into(&game, directory.path(), &config, Retention { logs: true, wins: false }).unwrap();
        // One file of undecided positions, and the results since then.
        let work = names(directory.path(), &WORK);
        assert_eq!(names(directory.path(), &["left-"]).len(), 1, "{work:?}");
        let length = |name: &String| fs::metadata(directory.path().join(name)).unwrap().len();
        sizes.push(work.iter().map(length).sum::<u64>());
    }
    assert_eq!(sizes[0], sizes[1], "parts share their work files");
}
