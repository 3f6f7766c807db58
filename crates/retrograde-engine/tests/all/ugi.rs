//! UGI: for any order of commands, the answer is a turn of the table.

use std::collections::VecDeque;
use std::io::{self, Cursor, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use retrograde_engine::{PlayedGame, Strength, choose_turn, one_word, random_turn, ugi};
use retrograde_explore::{Loader, OpenGame, SearchLimits, SolveOptions, TurnValue};
use retrograde_game::{Random, Seat};
use retrograde_solve::Silent;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Table {
    Turns,
    Outcomes,
    None,
}

fn open(name: &str, table: Table) -> Arc<OpenGame> {
    let game = retrograde_games::registry().find(name, &Loader::none()).unwrap();
    let options = SolveOptions { outcome_only: table == Table::Outcomes, ..SolveOptions::default() };
    match table {
        Table::None => Arc::new(game.explore(Path::new("/nowhere")).unwrap()),
        _ => Arc::new(game.solve_in_memory(&options, &Silent).unwrap()),
    }
}

#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The answers to lines that are sent together.
fn answers(game: &Arc<OpenGame>, strength: Strength, lines: &[String]) -> Vec<String> {
    let output = Output::default();
    let engine = ugi::Engine {
        author: "its authors".to_owned(),
        name: "test".to_owned(),
        strength,
        seed: 1,
        limits: SearchLimits { nodes: 3_000, time: Duration::from_secs(600), depth: None },
        open: Box::new(|_| Err("no tables".to_owned())),
    };
    let text = lines.join("\n") + "\n";
    ugi::run(engine, Arc::clone(game), Cursor::new(text.into_bytes()), output.clone()).unwrap();
    let bytes = output.0.lock().clone();
    String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
}

/// The rest of a line after a word.
fn after<'l>(line: &'l str, word: &str) -> Option<&'l str> {
    line.split_once(&format!(" {word} ")).map(|(_, rest)| rest)
}

fn probe(game: &OpenGame, played: &PlayedGame) -> Vec<TurnValue> {
    game.probe(played.position(), played.to_move(), &SearchLimits::default()).unwrap().turns_available
}

/// Checks the answer to a `go` by a table with turns: the lines before `bestmove`, and the turn.
fn check(truth: &OpenGame, table: Table, played: &PlayedGame, lines: &[String], turn: &str) {
    let turns = probe(truth, played);
    let context = || format!("{table:?} {:?} {lines:?} {turn}", played.turns_on_board());
    if turns.is_empty() {
        assert_eq!(turn, "(none)", "{}", context());
        return;
    }
    let made = turns.iter().find(|listed| one_word(&listed.turn_on_board) == turn);
    let made = made.unwrap_or_else(|| panic!("illegal: {}", context()));
    match table {
        Table::Turns => assert_eq!(made.verdict, turns[0].verdict, "{}", context()),
        Table::Outcomes => assert_eq!(made.verdict.outcome, turns[0].verdict.outcome, "{}", context()),
        Table::None => {}
    }
    let first = |line: &&String| !line.contains(" multipv ") || line.contains(" multipv 1 ");
    let shown = lines.iter().filter(|line| line.starts_with("info depth ")).rfind(first);
    let shown = shown.unwrap_or_else(|| panic!("no line: {}", context()));
    assert!(shown.contains(" nps "), "{shown}");
    assert_eq!(after(shown, "pv").unwrap().split(' ').next(), Some(turn), "{}", context());
    if table == Table::Turns {
        let plies = i32::from(made.verdict.turns.unwrap_or(0));
        let score = match made.verdict.outcome {
            "win" => format!("mate {} wdl", (plies + 1) / 2),
            "loss" => format!("mate -{} wdl", (plies + 1) / 2),
            _ => "cp 0 wdl".to_owned(),
        };
        assert!(after(shown, "score").unwrap().starts_with(&score), "{score}: {}", context());
        let length = after(shown, "pv").unwrap().split(' ').count() as i32;
        assert!(made.verdict.outcome == "draw" || length == plies, "{}", context());
    }
}

/// A game of random turns as a `position` command.
fn random_game(game: &OpenGame, random: &mut Random) -> (PlayedGame, String) {
    let mut played = PlayedGame::begin(game, None, Seat::First).unwrap();
    for _ in 0..random.below(12) {
        let Some(turn) = random_turn(game, &played, random).unwrap() else { break };
        played.make(game, &one_word(&turn)).unwrap();
    }
    let words: Vec<String> = played.turns_on_board().iter().map(|turn| one_word(turn)).collect();
    (played, format!("position startpos moves {}", words.join(" ")))
}

#[test]
fn commands_in_any_order_get_turns_from_the_table() {
    const GOES: [&str; 12] = [
        "go",
        "go infinite",
        "go ponder",
        "go depth 1",
        "go depth 4",
        "go nodes 1",
        "go nodes 0",
        "go movetime 0",
        "go movetime 1",
        "go p1time 1 p2time 1 p1inc 0 p2inc 0",
        "go nodes 500 depth 2",
        "go wtime -5 btime -5 movestogo 1",
    ];
    const OTHERS: [&str; 12] = [
        "stop",
        "stop",
        "stop",
        "ponderhit",
        "isready",
        "ugi",
        "query gameover",
        "setoption name MultiPV value 3",
        "setoption name MultiPV value 0",
        "setoption name MultiPV value 1",
        "ucinewgame",
        "nonsense",
    ];
    for name in ["touchdown:3x4", "tactics:3x3,line=3"] {
        let truth = open(name, Table::Turns);
        for table in [Table::Turns, Table::Outcomes, Table::None] {
            let game = open(name, table);
            for seed in 0..25 {
                let mut random = Random::new(seed);
                let (mut played, first) = random_game(&game, &mut random);
                let mut lines = vec![first];
                let mut searched = VecDeque::new();
                for _ in 0..12 {
                    match random.below(5) {
                        0 | 1 => {
                            searched.push_back(played.clone());
                            lines.push((*random.choose(&GOES).unwrap()).to_owned());
                            if random.below(2) == 0 {
                                lines.push("stop".to_owned());
                            }
                        }
                        2 | 3 => lines.push((*random.choose(&OTHERS).unwrap()).to_owned()),
                        _ => {
                            let (next, line) = random_game(&game, &mut random);
                            played = next;
                            lines.push(line);
                        }
                    }
                }
                if random.below(2) == 0 {
                    lines.push("quit".to_owned());
                }
                let mut before = Vec::new();
                for line in answers(&game, Strength::PERFECT, &lines) {
                    match line.strip_prefix("bestmove ") {
                        Some(turn) => {
                            let played = searched.pop_front().expect("one answer for each `go`");
                            check(&truth, table, &played, &before, turn);
                            before.clear();
                        }
                        None => before.push(line),
                    }
                }
                assert!(searched.is_empty(), "{name} {table:?} {lines:?}: `go` without an answer");
            }
        }
    }
}

/// Without a table, a depth bounds the search, and so does a strength.
#[test]
fn a_depth_bounds_the_search() {
    let game = open("touchdown:6x6", Table::None);
    let nodes = |strength: &str, go: &str| {
        let lines = [
            "setoption name Strength value perfect".to_owned(),
            format!("setoption name Strength value {strength}"),
            format!("{go} nodes 100000000 movetime 100000000"),
        ];
        let received = answers(&game, Strength::PERFECT, &lines);
        assert!(
            received.last().unwrap().starts_with("bestmove ") && !received.last().unwrap().contains("none")
        );
        let found =
            received.iter().rev().find_map(|line| after(line, "nodes")?.split(' ').next()?.parse().ok());
        found.unwrap_or(0_u64)
    };
    let one = nodes("perfect", "go depth 1");
    let two = nodes("perfect", "go depth 2");
    assert!(one < 1_000 && two < 30_000, "{one} {two}");
    // A strength shows no values; the test is that it ends.
    nodes("2", "go");
}

/// With only outcomes a won game reaches its end, as fast as with turns if a search finds it.
#[test]
fn an_outcome_table_wins_without_detours() {
    let name = "touchdown:4x4";
    let (truth, outcomes) = (open(name, Table::Turns), open(name, Table::Outcomes));
    for seed in 0..6 {
        let mut random = Random::new(seed);
        let (mut played, _) = random_game(&truth, &mut random);
        let turns = probe(&truth, &played);
        let Some(best) = turns.first().filter(|best| best.verdict.outcome == "win") else { continue };
        let mut left = best.verdict.turns.unwrap();
        let winner = played.to_move();
        while let Some(best) = probe(&truth, &played).first().cloned() {
            assert!(left > 0, "{:?}", played.turns_on_board());
            left -= 1;
            if played.to_move() == winner {
                let listed = probe(&outcomes, &played);
                let chooser = (Strength::PERFECT, &mut random);
                let here = (played.positions(), played.to_move());
                let turn = choose_turn(&outcomes, here, &listed, chooser).unwrap().unwrap();
                played.make_mover_turn(&outcomes, &turn.turn.clone()).unwrap();
            } else {
                played.make_mover_turn(&truth, &best.turn).unwrap();
            }
        }
        assert_eq!(left, 0);
        assert_ne!(played.to_move(), winner);
    }
}

#[test]
fn a_draw_may_be_offered_when_a_position_has_come_up_three_times() {
    const START: &str = "..........oOYx";
    let game = open("pushfight:mini,pushers=1,pawns=1", Table::Turns);
    // A best line of a draw ends where a position comes up again.
    let line = game.line(START, Seat::First, 100, &SearchLimits::default()).unwrap();
    assert_eq!(line.ends, "repeats");
    let words: Vec<String> = line.line.iter().map(|step| one_word(&step.turn_on_board)).collect();
    let again =
        line.line.iter().position(|step| (&step.position, step.to_move) == (&line.end, line.end_to_move));
    let cycle = &words[again.unwrap()..];
    let position = |turns: &[&[String]]| format!("position fen {START} moves {}", turns.concat().join(" "));
    let offer = |times| format!("info string a draw may be offered: this position has come up {times} times");
    let lines = [
        position(&[&words]),
        position(&[&words, cycle]),
        position(&[&words, cycle, cycle]),
        position(&[&words, &cycle[..1]]),
        position(&[&words, cycle, &cycle[..1]]),
        "query gameover".to_owned(),
    ];
    let expected = [offer(3), offer(4), offer(3), "response false".to_owned()];
    assert_eq!(answers(&game, Strength::PERFECT, &lines), expected);
}
