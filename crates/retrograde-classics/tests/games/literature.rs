//! Values from literature, which a file lists with their sources.

use retrograde_classics::{ConnectFour, Dodgem, LGame};
use retrograde_game::{Dense, GameSpec};
use retrograde_solve::Scores;

use crate::{domineering, dots_and_boxes, hexapawn, morris, solvers, teeko};

fn check<G: Dense>(game: &G, scores: &Scores, (position, outcome, turns): (&str, &str, &str), source: &str) {
    let at = if position == "start" { game.start() } else { game.parse_position(position).unwrap() };
    let value = solvers::value(game, scores, &at);
    assert_eq!(value.outcome().word(), outcome, "{}, {position}: {value} ({source})", game.name());
    if turns != "-" {
        let found = value.turns().map(|turns| turns.to_string());
        assert_eq!(found.as_deref(), Some(turns), "{}, {position}: {value} ({source})", game.name());
    }
}

fn size(name: &str) -> (u32, u32) {
    GameSpec::parse(name).unwrap().grid((0, 0), 9).unwrap()
}

#[test]
fn values_agree_with_literature() {
    for line in include_str!("literature.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(" | ").collect();
        let [name, position, outcome, turns, source] = fields[..] else { panic!("five fields: {line}") };
        let expected = (position, outcome, turns);
        match name.split(':').next() {
            Some("morris") => {
                let game = morris::morris(name);
                check(&game, &solvers::in_stages(&game), expected, source);
            }
            Some("teeko") => {
                let game = teeko::teeko(name);
                check(&game, &solvers::retrograde(&game), expected, source);
            }
            Some("hexapawn") => {
                let game = hexapawn::hexapawn(name);
                check(&game, &solvers::retrograde(&game), expected, source);
            }
            Some("lgame") => {
                let game = LGame::default();
                check(&game, &solvers::with_symmetries(&game), expected, source);
            }
            Some("domineering") => {
                let (columns, rows) = size(name);
                let game = domineering::domineering(columns, rows);
                let value = domineering::value_of_start(&game);
                assert_eq!(value.outcome().word(), outcome, "{name}: {value} ({source})");
            }
            Some("dotsandboxes") => {
                let game = dots_and_boxes::dots_and_boxes(name);
                check(&game, &solvers::in_one_pass(&game), expected, source);
            }
            Some("dodgem") => {
                let game = Dodgem::new(size(name).1).unwrap();
                check(&game, &solvers::backwards(&game), expected, source);
            }
            Some("connectfour") => {
                let (columns, rows) = size(name);
                let game = ConnectFour::new(columns, rows).unwrap();
                check(&game, &solvers::in_one_pass(&game), expected, source);
            }
            _ => panic!("no such game: {line}"),
        }
    }
}
