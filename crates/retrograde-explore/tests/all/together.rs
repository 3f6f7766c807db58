//! Games solved by several processes, which here are threads connected by sockets. The table is identical to
//! that of one process, whatever kind of table it is.

use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;

use crate::common::{Graph, Strip, options};
use retrograde_cluster::{Hosts, JoinOptions, Key};
use retrograde_explore::{AnyGame, Entry, Method, SolveOptions, SolveResult, Statistics};
use retrograde_game::Outcome;
use retrograde_solve::Silent;

/// A game of `turns` turns. With more than 125, scores take two bytes.
fn chain(turns: u32) -> Graph {
    let next = (0..=turns).map(|node| Some(node.checked_sub(1).into_iter().collect())).collect();
    let over = (0..=turns).map(|node| (node == 0).then_some(Outcome::Loss)).collect();
    Graph { name: format!("chain:{turns}"), next, over, prelude: 0, seats: Vec::new(), index_memory: 0 }
}

/// The files of a table, except files that differ in each run.
fn files(tables: &Path) -> Vec<(String, Vec<u8>)> {
    let game = std::fs::read_dir(tables).unwrap().next().unwrap().unwrap().path();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(game).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !["lock", "cluster.log", "run.json"].contains(&name.as_str()) {
            files.push((name, std::fs::read(&path).unwrap()));
        }
    }
    files.sort();
    files
}

fn solved_together(tables: &Path, subjects: &[Arc<AnyGame>], options: &SolveOptions) -> Statistics {
    let sockets: Vec<TcpListener> =
        subjects.iter().map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let lines: Vec<String> = sockets.iter().map(|s| s.local_addr().unwrap().to_string()).collect();
    drop(sockets);
    let hosts = Hosts::parse(&lines.join("\n"), Path::new("hosts")).unwrap();
    let solved: Vec<Option<Statistics>> = std::thread::scope(|scope| {
        let running: Vec<_> = subjects
            .iter()
            .enumerate()
            .map(|(process, subject)| {
                let join = JoinOptions::new(hosts.clone(), process, Key::of(b"key"), 1 + process as u32);
                scope.spawn(move || subject.solve_together(tables, options, &join, &Silent).unwrap())
            })
            .collect();
        running.into_iter().map(|running| running.join().unwrap()).collect()
    });
    assert!(solved[1..].iter().all(Option::is_none));
    solved.into_iter().next().flatten().unwrap()
}

type MakeGraph = fn() -> Graph;

#[test]
fn every_kind_of_table_is_the_same() {
    let ways = [
        options(),
        SolveOptions { outcome_only: true, ..options() },
        SolveOptions { phases: Some(2), outcome_only: true, ..options() },
    ];
    let games: [(&str, MakeGraph); 5] = [
        ("positions before the game, and indices without one", || Graph::random(5, 120, false)),
        ("the same again", || Graph::random(6, 120, false)),
        ("nothing before the game", || Graph::random(7, 120, true)),
        ("all positions won or lost", || chain(100)),
        ("two bytes a score", || chain(300)),
    ];
    for (what, game) in games {
        for options in &ways {
            let subject = || Entry::new(game(), "").retrograde().build();
            let (alone, together) =
                (retrograde_testkit::tempdir().unwrap(), retrograde_testkit::tempdir().unwrap());
            let mut expected = subject().solve(alone.path(), options, &Silent).unwrap();
            let mut found = solved_together(together.path(), &[subject(), subject(), subject()], options);
            (expected.seconds, found.seconds) = (None, None);
            assert_eq!(found, expected, "{what}, {options:?}");
            assert!(files(together.path()) == files(alone.path()), "{what}, {options:?}");
            assert_eq!(files(alone.path()).len(), 2, "a manifest and values");
        }
    }
}

#[test]
fn any_number_of_processes_gives_the_same_reachable_table() {
    let options = SolveOptions { reachable_only: true, ..options() };
    let subject = || Entry::new(Strip(14), "").graded_reachable().build();
    let alone = retrograde_testkit::tempdir().unwrap();
    let mut expected = subject().solve(alone.path(), &options, &Silent).unwrap();
    expected.seconds = None;
    let right = files(alone.path());
    assert!(right.len() == 1 && expected.positions.0 > 4096, "several blocks");
    for processes in 1..=4 {
        let together = retrograde_testkit::tempdir().unwrap();
        let subjects: Vec<_> = (0..processes).map(|_| subject()).collect();
        let mut found = solved_together(together.path(), &subjects, &options);
        found.seconds = None;
        assert_eq!(found, expected, "{processes} processes");
        assert!(files(together.path()) == right, "{processes} processes");
        // The second run finds the table.
        let mut again = solved_together(together.path(), &subjects, &options);
        assert_eq!(again.result, Some(SolveResult::AlreadySolved));
        (again.seconds, again.result) = (None, expected.result);
        assert_eq!(again, expected);
    }
    let planned = subject().plan_together(&options, 3).unwrap();
    assert_eq!((planned.method, planned.indices, planned.seconds), (Method::Reachable, None, None));
    assert!(planned.advice.contains("is not known in advance"), "{}", planned.advice);
}
