//! Compares all values in the minimized order with the solution, position by position.

use retrograde_game::{Knowledge, Value};
use retrograde_solve::Silent;
use retrograde_testkit::some_of;

use super::*;
use crate::files::depth::kind::DepthFileKind;
use crate::run::{Retention, solve_into};
use crate::testing::{config, config_within, game, write_solution};

/// The bytes of some numbers, and how many windows there were.
fn bytes(solution: &Solution, game: &PushFight, numbers: Range<u64>, memory: u64) -> (Vec<u8>, usize) {
    let numbering = game.minimized().unwrap();
    let (mut all, mut windows) = (Vec::new(), 0);
    let config = SolveConfig { memory, ..config(&Silent) };
    let mut on_window = |window: &[u8]| {
        all.extend_from_slice(window);
        windows += 1;
        Ok(())
    };
    solution.minimized_values(game, &numbering, numbers, &config, &mut on_window).unwrap().unwrap();
    (all, windows)
}

/// All bytes, with windows of this size, and how many windows there were.
fn bytes_in_windows(solution: &Solution, game: &PushFight, room: &Room) -> (Vec<u8>, usize) {
    let (numbering, config) = (game.minimized().unwrap(), config(&Silent));
    let numbers = 0..numbering.count();
    let request = Request { game, numbering: &numbering, numbers, config: &config };
    let files = [solution.losses(), solution.wins().unwrap()];
    let (mut all, mut windows) = (Vec::new(), 0);
    let mut on_window = |window: &[u8]| {
        all.extend_from_slice(window);
        windows += 1;
        Ok(())
    };
    let engine = Engine::of_board(game, Scope::PlausibleAndStarts, config.threads).unwrap();
    write_windows(&request, &engine, files, room, &mut on_window).unwrap();
    (all, windows)
}

fn solved(game: &PushFight, wins: bool) -> (retrograde_testkit::TempDir, Solution) {
    let directory = retrograde_testkit::tempdir().unwrap();
    write_solution(game, directory.path(), Retention { logs: false, wins });
    let solution = Solution::open(game, directory.path()).unwrap().unwrap();
    (directory, solution)
}

#[test]
fn every_position_has_its_value() {
    let mut seen = [0; 3];
    for name in [
        "pushfight:skew.board,pushers=2,pawns=1",
        "pushfight:skew.board,pushers=1,pawns=2,moves=1",
        "pushfight:skew.board,pushers=2,pawns=0,moves=unlimited",
        "pushfight:skew.board,pushers=2,pawns=2,moves=0",
        "pushfight:skew.board,pushers=1,pawns=3",
    ] {
        let game = game(name);
        let (_directory, solution) = solved(&game, true);
        let numbering = game.minimized().unwrap();
        let count = numbering.count();
        let (all, windows) = bytes(&solution, &game, 0..count, u64::MAX);
        assert_eq!((all.len() as u64, windows), (count, 1), "{name}");
        for (number, &byte) in some_of(3, (0..).zip(&all)) {
            let position = numbering.position(&game, number).unwrap();
            let value = solution.value(&game, &position).unwrap().unwrap();
            let expected = match value {
                Knowledge::Exact(Value::Draw) => 0,
                Knowledge::Exact(value) => value.turns().unwrap().0 as u8 + 1,
                other => panic!("{name}, {number}: {other:?}"),
            };
            assert_eq!(byte, expected, "{name}, {number}");
            seen[usize::from(byte.min(2))] += 1;
        }
        // Any part of it is the same, whatever the windows.
        for range in [count / 3..count / 2, 5..6, 9..9, count - 7..count] {
            let part = bytes(&solution, &game, range.clone(), 1 << 28).0;
            assert_eq!(part, all[range.start as usize..range.end as usize], "{name}, {range:?}");
        }
        let room = Room(count / 5);
        let (in_windows, windows) = bytes_in_windows(&solution, &game, &room);
        assert!(in_windows == all && windows >= 2, "{name}: {windows}");
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}

#[test]
fn windows_end_with_an_anchors_numbers() {
    let game = game("pushfight");
    let numbering = game.minimized().unwrap();
    let all: Vec<Range<u64>> = (0..26).map(|square| numbering.numbers_of_anchor(Square(square))).collect();
    assert_eq!(all.iter().map(|range| range.end - range.start).max(), Some(11_310_788_160));
    assert!((0..13).all(|square| all[square] == all[25 - square]));
    let windows = |room| {
        let config = config(&Silent);
        let numbers = 0..numbering.count();
        let request =
            Request { game: &game, numbering: &numbering, numbers: numbers.clone(), config: &config };
        let next = |&from: &u64| (from < numbers.end).then(|| request.end_of_window(from, room));
        std::iter::successors(Some(0), next).skip(1).collect::<Vec<u64>>()
    };
    let of_anchors = windows(12 << 30);
    assert_eq!(of_anchors.len(), 9);
    assert!(of_anchors.iter().all(|&end| all.iter().any(|range| range.end == end)));
    assert_eq!(windows(u64::MAX).len(), 1);
    let small = windows(3 << 30);
    assert!(small.windows(2).all(|ends| ends[1] - ends[0] <= 3 << 30));
    assert_eq!(small.last(), Some(&numbering.count()));
}

#[test]
fn minimized_values_need_wins_and_no_horizon() {
    let game = game("pushfight:skew.board,pushers=2,pawns=1");
    let numbering = game.minimized().unwrap();
    let ask = |solution: &Solution| {
        let numbers = 0..numbering.count();
        let answer = solution.minimized_values(&game, &numbering, numbers, &config(&Silent), &mut |_| Ok(()));
        answer.is_some()
    };
    assert!(!ask(&solved(&game, false).1));
    let directory = retrograde_testkit::tempdir().unwrap();
    let within = config_within(&Silent, Some(3));
    solve_into(&game, directory.path(), &within, Retention { logs: false, wins: true }).unwrap();
    assert!(!ask(&Solution::open(&game, directory.path()).unwrap().unwrap()));
}

#[test]
fn a_damaged_file_and_a_stop_are_errors() {
    let game = game("pushfight:skew.board,pushers=2,pawns=1");
    let (directory, solution) = solved(&game, true);
    let numbering = game.minimized().unwrap();
    let ask = |solution: &Solution, config: &SolveConfig<'_>| {
        let numbers = 0..numbering.count();
        solution.minimized_values(&game, &numbering, numbers, config, &mut |_| Ok(())).unwrap()
    };
    let fuse = crate::testing::Fuse::new(3);
    assert!(matches!(ask(&solution, &config(&fuse)), Err(SolveError::Stopped)));
    let path = directory.path().join(DepthFileKind::Wins.file());
    let mut wins = std::fs::read(&path).unwrap();
    // A byte of a block, which begins as every zstd frame does.
    let at = wins.windows(4).position(|bytes| bytes == [0x28, 0xb5, 0x2f, 0xfd]).unwrap() + 6;
    wins[at] ^= 1;
    std::fs::write(&path, wins).unwrap();
    let solution = Solution::open(&game, directory.path()).unwrap().unwrap();
    assert!(matches!(ask(&solution, &config(&Silent)), Err(SolveError::Checkpoint(_))));
}

#[test]
fn a_window_that_does_not_fit_is_rejected() {
    let game = game("pushfight:skew.board,pushers=2,pawns=1");
    let (_directory, solution) = solved(&game, true);
    let numbering = game.minimized().unwrap();
    let config = SolveConfig { memory: 1 << 20, ..config(&Silent) };
    let asked = solution.minimized_values(&game, &numbering, 0..numbering.count(), &config, &mut |_| Ok(()));
    assert!(matches!(asked, Some(Err(SolveError::Memory { need, limit })) if need > limit));
}

#[test]
fn a_window_whose_values_do_not_fit_ends_earlier() {
    let numbers = 1000..9000;
    let open = |number: u64| number % 7 == 3 || number > 6000;
    let open_count = numbers.clone().filter(|&number| open(number)).count() as u64;
    let need = Room::of_blocks(8000) + open_count;
    for room in [1, 1200, 2000, 3000, 4000, need - 1, need, 1 << 20] {
        let mut window = Window::default();
        window.start(numbers.clone()).unwrap();
        (0..10_000).filter(|&number| open(number)).for_each(|number| window.mark(number));
        window.make_draws(&Room(room), &|number| number - number % 10);
        let end = window.numbers.end;
        assert!(
            end > 1000 && (end == 9000 || end % 10 == 0) && (end == 9000) == (room >= need),
            "{room}: {end}"
        );
        let all: Vec<(u64, u8)> = (0..10_000)
            .filter(|&number| open(number))
            .map(|number| (number, (number % 250) as u8 + 1))
            .collect();
        assert!(window.set(&all), "{room}");
        // No value is set twice, and none of a number that is not open.
        assert!(!window.set(&all[..200]) && !window.set(&[(1001, 5)]));
        let mut bytes = vec![7; 5];
        let from = 1000 + (end - 1000) / 3;
        window.write(from..end, 2, &mut bytes);
        let expected = (from..end).map(|number| if open(number) { (number % 250) as u8 + 1 } else { 2 });
        assert!(bytes.into_iter().eq(expected), "{room}");
    }
}
