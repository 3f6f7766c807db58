//! Exports small boards in the published formats, reads them back and compares them with the table position
//! by position: plain, packed, and in chunks of which some are missing. Also tests the errors of wrong
//! files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use retrograde_explore::export::{PublishJob, PublishedPart};
use retrograde_explore::{
    AnyGame, FindQuery, Loader, OpenGame, Resources, SearchLimits, SolveOptions, Source, ValueStore, Verdict,
};
use retrograde_game::{Dense, Game, Index, Outcome, Score, Seat, Stored, Turns, Value};
use retrograde_games::registry;
use retrograde_games::testing::{published_files, published_value as value};
use retrograde_pushfight::PushFight;
use retrograde_solve::Silent;
use retrograde_table::{TableError, directory_name};
use retrograde_testkit::{push_fight, write_files};

const NAME: &str = "pushfight:twocolumn,pushers=1,pawns=1";

fn subject() -> Arc<AnyGame> {
    registry().find(NAME, &Loader::none()).unwrap()
}

fn game() -> PushFight {
    push_fight(NAME)
}

/// A folder with our own table, and the bytes of `minimized` and of `merged`.
fn solved() -> &'static (retrograde_testkit::TempDir, Vec<u8>, Vec<u8>) {
    static SOLVED: OnceLock<(retrograde_testkit::TempDir, Vec<u8>, Vec<u8>)> = OnceLock::new();
    SOLVED.get_or_init(|| {
        let folder = retrograde_testkit::tempdir().unwrap();
        let subject = subject();
        subject
            .solve(folder.path(), &SolveOptions { threads: 2, ..SolveOptions::default() }, &Silent)
            .unwrap();
        let explore = subject.explore(folder.path()).unwrap();
        let out = folder.path().join("out.bin");
        let export = |form: &str| {
            let job = PublishJob { form, part: PublishedPart::default(), out: Some(&out) };
            explore.publish(&job, &Resources::new(2, None, &Silent)).unwrap();
            fs::read(&out).unwrap()
        };
        let (minimized, merged) = (export("minimized"), export("merged"));
        drop(explore);
        (folder, minimized, merged)
    })
}

/// Opens the game with a folder of tables.
fn shared(folder: &Path) -> OpenGame {
    let subject: Arc<AnyGame> = subject();
    subject.explore(folder).unwrap()
}

fn of_ours() -> OpenGame {
    shared(solved().0.path())
}

/// A folder of tables, with these files in the game's directory.
fn folder(files: &[(&str, &[u8])]) -> retrograde_testkit::TempDir {
    let folder = retrograde_testkit::tempdir().unwrap();
    let files = files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect();
    write_files(&folder.path().join(directory_name(NAME)), &files);
    folder
}

fn files(folder: &Path, chunk: u64) -> Result<Option<Box<dyn ValueStore>>, TableError> {
    published_files(&game(), chunk, &folder.join(directory_name(NAME)))
}

/// Our verdict on each index, `None` if it has no position. Some take a search, so they are computed once.
fn our_verdicts() -> &'static [Option<Verdict>] {
    static VERDICTS: OnceLock<Vec<Option<Verdict>>> = OnceLock::new();
    VERDICTS.get_or_init(|| {
        let (game, ours, limits) = (game(), of_ours(), SearchLimits::default());
        let verdict = |index| {
            let position = game.position(Index(index))?;
            Some(ours.value(&game.position_text(&position), &limits).unwrap().0)
        };
        (0..game.index_count() as u64).map(verdict).collect()
    })
}

/// Compares the values of all indices in the files with our own table. Returns how many are missing.
fn compared(files: &dyn ValueStore) -> u64 {
    let mut left_out = 0;
    for (index, verdict) in (0..).map(Index).zip(our_verdicts()) {
        let Some(verdict) = verdict else { continue };
        let Stored::Known(found) = files.get(index).unwrap() else {
            left_out += 1;
            continue;
        };
        assert_eq!(Verdict::from(found), *verdict, "{index}");
    }
    left_out
}

#[test]
fn bytes_of_published_files_mean_what_their_authors_say() {
    let values: Vec<String> = (0..=5).map(|byte| value(byte).to_string()).collect();
    let turns = [
        Value::Draw,
        Value::Loss(Turns(0)),
        Value::Win(Turns(1)),
        Value::Loss(Turns(2)),
        Value::Win(Turns(3)),
    ];
    assert_eq!(values[..5], turns.map(|value| value.to_string()));
    // The longest win of the standard board.
    assert_eq!(value(98), Value::Win(Turns(97)));
    assert!((0..=u8::MAX).all(|byte| u8::from_value(value(byte)).is_some() || byte > 120));
}

#[test]
fn published_files_agree_with_our_own_table() {
    let (_, minimized, merged) = solved();
    let game = game();
    let all = game.index_count() as u64;
    let plausible = game.plausible_count().unwrap() as u64;
    assert_eq!((minimized.len() as u64 * 2, merged.len() as u64), (plausible, all - game.prelude()));
    let there = folder(&[("minimized.bin", minimized)]);
    assert_eq!(compared(&*files(there.path(), 9).unwrap().unwrap()), all - plausible);
    for there in [folder(&[("merged.bin", merged)]), folder(&[("merged/chunk-0000.bin", merged)])] {
        assert_eq!(compared(&*files(there.path(), 1 << 40).unwrap().unwrap()), game.prelude());
    }
    // In chunks. Half of them are enough because of turned positions, except where these are missing as
    // well.
    let chunk = 1000;
    let chunks: Vec<(String, &[u8])> = merged
        .chunks(chunk)
        .enumerate()
        .map(|(number, bytes)| (format!("merged/chunk-merged-{number:04}.bin"), bytes))
        .collect();
    let named: Vec<(&str, &[u8])> = chunks.iter().map(|(name, bytes)| (&name[..], *bytes)).collect();
    assert!(named.len() > 70 && named.last().unwrap().1.len() < chunk);
    let there = folder(&named);
    assert_eq!(compared(&*files(there.path(), chunk as u64).unwrap().unwrap()), game.prelude());
    let there = folder(&named[named.len() / 2..]);
    let left_out = compared(&*files(there.path(), chunk as u64).unwrap().unwrap());
    assert!(left_out >= game.prelude() && left_out < all * 3 / 4, "{left_out} of {all}");
}

#[test]
fn questions_are_answered_as_with_our_own_table() {
    let (_, minimized, merged) = solved();
    let (game, ours) = (game(), of_ours());
    let limits = SearchLimits::default();
    for there in [folder(&[("minimized.bin", minimized)]), folder(&[("merged.bin", merged)])] {
        let theirs = shared(there.path());
        assert!(theirs.has_table());
        // Also for positions that no push leads to, and positions before the first push, whose values are
        // computed from their turns.
        for index in (0..game.index_count() as u64).step_by(61) {
            let position = game.position_text(&game.position(Index(index)).unwrap());
            let first = retrograde_game::Seat::First;
            let [own, other] = [&ours, &theirs].map(|one| one.probe(&position, first, &limits).unwrap());
            let unplaced = game.position(Index(index)).is_some_and(|at| {
                at.anchor.is_empty() && (at.own_pushers.is_empty() || at.other_pushers.is_empty())
            });
            if !unplaced || other.position.verdict.outcome != "unknown" {
                assert_eq!(own.position.verdict, other.position.verdict, "{position}");
                let turns = |probe: &retrograde_explore::Probe| -> Vec<_> {
                    probe.turns_available.iter().map(|turn| (turn.turn.clone(), turn.verdict)).collect()
                };
                if !unplaced {
                    assert_eq!(turns(&own), turns(&other), "{position}");
                }
            }
        }
        // Before counting, after counting, and opened again.
        let before = theirs.statistics().unwrap();
        assert_eq!((before.wins.0, before.unknown), (0, Some(before.positions)));
        theirs.count(2, &Silent).unwrap();
        let counted = theirs.statistics().unwrap();
        assert_eq!(counted.unknown, None);
        let again = subject().explore(there.path()).unwrap().statistics().unwrap();
        assert_eq!(counted, again);
        if counted.counted.as_deref() == Some("positions") {
            let all = ours.statistics().unwrap();
            assert_eq!(counted.positions.0, merged.len() as u128);
            assert_eq!((counted.by_turns.win.keys().last()), (all.by_turns.win.keys().last()));
        }
        // The rarest depth, in both ways.
        let longest = *counted.by_turns.win.keys().last().unwrap();
        let of = u64::try_from(counted.by_turns.win[&longest].0).unwrap();
        for random in [None, Some(5)] {
            let wanted = FindQuery { outcome: Outcome::Win, turns: Some(longest), random, limit: of };
            let mut found = 0;
            theirs
                .find(&wanted, &mut |one| {
                    let (verdict, _) = ours.value(&one.position, &limits)?;
                    assert_eq!(verdict.turns, Some(longest));
                    found += 1;
                    Ok(true)
                })
                .unwrap();
            assert!(found > 0 && found <= of, "{found} of {of} in {longest}");
        }
        let checked = theirs.verify(Some(300), &Resources::new(2, None, &Silent)).unwrap();
        assert_eq!((checked.error_count.0, checked.positions.0), (0, 300), "{:?}", checked.errors);
    }
}

#[test]
fn our_own_table_takes_precedence_over_published_files() {
    // In the published file everything is drawn, which shows where an answer comes from.
    let drawn = vec![0; solved().1.len()];
    let there = folder(&[("minimized.bin", &drawn)]);
    let explore = subject().explore(there.path()).map(|explore| explore.stamp()).unwrap();
    assert!(explore.contains("minimized 1"), "{explore}");
    let options = SolveOptions { threads: 2, ..SolveOptions::default() };
    let solved = subject().solve(there.path(), &options, &Silent).unwrap();
    assert!(solved.wins.0 > 0);
    let subject = subject();
    let explore = subject.explore(there.path()).unwrap();
    assert!(!explore.stamp().contains("minimized"), "{}", explore.stamp());
    let start = game().position_text(&game().position(Index(0)).unwrap());
    let limits = SearchLimits::default();
    assert_eq!(explore.value(&start, &limits).unwrap().0, of_ours().value(&start, &limits).unwrap().0);
    // A wrong file does not prevent solving either.
    let there = folder(&[("minimized.bin", &[1, 2, 3])]);
    assert!(subject.explore(there.path()).is_err());
    assert!(subject.solve(there.path(), &options, &Silent).is_ok());
    assert!(subject.explore(there.path()).is_ok());
}

#[test]
fn wrong_files_are_rejected_with_a_reason() {
    let (_, minimized, merged) = solved();
    let refusal = |given: &[(&str, &[u8])], chunk: u64| {
        let there = folder(given);
        files(there.path(), chunk).err().expect("an error").to_string()
    };
    let short = &minimized[1..];
    let reason = refusal(&[("minimized.bin", short)], 9);
    assert!(reason.contains("minimized.bin was truncated or extended"), "{reason}");
    assert!(refusal(&[("minimized.bin.xz", minimized)], 9).contains("it is not an xz file"));
    assert!(refusal(&[("merged.bin", minimized)], 9).contains("truncated or extended"));
    let reason = refusal(&[("merged/a-007.bin", &[0]), ("merged/7.bin", &[0])], 1000);
    assert!(reason.contains("the same number"), "{reason}");
    let last = (merged.len() - 1) / 1000;
    let reason = refusal(&[("merged/99999999999999999999.bin", &[0]), ("merged/5.bin", &[0])], 1000);
    assert!(reason.contains(&format!("the last is {last}")), "{reason}");
    // Other files are not chunks; without chunks there is no table.
    let there = folder(&[("merged/README", b"x"), ("merged/notes.bin", b"x")]);
    assert!(files(there.path(), 1000).unwrap().is_none());
    assert!(files(retrograde_testkit::tempdir().unwrap().path(), 1000).unwrap().is_none());
    // A chunk of a wrong length is reported when it is read, and by a check.
    let there = folder(&[("merged/0.bin", &merged[..1000]), ("merged/1.bin", &merged[..999])]);
    let two = files(there.path(), 1000).unwrap().unwrap();
    assert!(two.get(Index(999)).is_ok());
    assert!(matches!(two.get(Index(1000)), Err(TableError::Truncated { .. })));
    assert_eq!(two.check(&Silent).unwrap().1.len(), 1);
    assert!(two.count(1, &Silent).is_err());
}

/// Without a table, the first player's placements on the standard board have their published values.
#[test]
fn published_openings_are_known_without_a_table() {
    let tables = retrograde_testkit::tempdir().unwrap();
    let game = registry().find("pushfight", &Loader::none()).unwrap().explore(tables.path()).unwrap();
    let start = game.start();
    let probe = game.probe(&start, Seat::First, &SearchLimits::default()).unwrap();
    assert_eq!((probe.position.verdict.outcome, probe.position.source), ("draw", Source::Published));
    let mut counts = BTreeMap::new();
    for turn in &probe.turns_available {
        *counts.entry((turn.verdict.outcome.to_owned(), turn.verdict.turns)).or_insert(0) += 1;
    }
    let text = include_str!("../../../../docs/results/push-fight-openings.json");
    let published: serde_json::Value = serde_json::from_str(text).unwrap();
    let expected: BTreeMap<_, _> = published["placements"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let turns = row["turns"].as_u64().map(|turns| turns as u16);
            ((row["outcome"].as_str().unwrap().to_owned(), turns), row["count"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(counts, expected);
    // Later positions need a table.
    let (next, _) = game.play(&start, &probe.turns_available[0].turn).unwrap();
    let reply = game.turns(&next).unwrap().swap_remove(0).1;
    assert_eq!(game.value(&reply, &SearchLimits::NONE).unwrap().1, Source::Search);
}
