//! Shades of draws of well-known games, compared with their definition position by position, and
//! the number of quiet draws.

use retrograde_classics::{ConnectFour, Dodgem};
use retrograde_game::{Dense, Index, Knowledge, Predecessors, Stored, Value};
use retrograde_solve::retrograde::Capabilities;
use retrograde_solve::shades::{self, Draws, Shade, ShadeCounts};
use retrograde_solve::testing::{all_stored, job};
use retrograde_solve::{NoCheckpoint, Scores, Silent};

use crate::morris::morris;
use crate::solvers;
use crate::teeko::teeko;

/// Compares the shades found in each of the ways with the definition. Returns their counts.
fn check<G: Dense>(game: &G, scores: &Scores, ways: &[Capabilities<G>]) -> ShadeCounts {
    let draw = Stored::Known(Knowledge::Exact(Value::Draw));
    let drawn: Vec<bool> = all_stored(scores).into_iter().map(|stored| stored == draw).collect();
    let draws = Draws::new(drawn.len() as u64).unwrap();
    (0..).zip(&drawn).filter(|(_, drawn)| **drawn).for_each(|(index, _)| draws.insert(Index(index)));
    let expected = shades::sweep::solve(game, &drawn);
    let mut counts = None;
    for able in ways {
        let found = shades::solve(game, *able, &draws, &job(2, &Silent, &mut NoCheckpoint)).unwrap();
        let all: Vec<Option<Shade>> = (0..drawn.len() as u64).map(|at| found.shade(Index(at))).collect();
        assert!(all == expected, "{}, predecessors: {}", game.name(), able.has_predecessors());
        counts = Some(found.counts(drawn.len() as u64 - game.prelude()));
    }
    counts.unwrap()
}

fn backwards<G: Predecessors>(game: &G) -> ShadeCounts {
    check(game, &solvers::backwards(game), &[Capabilities::default(), Capabilities::default().predecessors()])
}

#[test]
fn shades_agree_with_the_definition() {
    let mut presses = 0;
    for (name, draws) in [("morris:3,flying", 110), ("morris:3", 141), ("morris:3,diagonals", 137)] {
        let counts = backwards(&morris(name));
        assert_eq!(counts.draws(), draws, "{name}: {counts:?}");
        presses += counts.draws() - counts.quiet;
    }
    let dodgem = backwards(&Dodgem::new(4).unwrap());
    assert_eq!(dodgem.draws(), 28_410);
    let teeko = backwards(&teeko("teeko:4x3"));
    let connect_four = ConnectFour::new(4, 4).unwrap();
    let scores = solvers::in_one_pass(&connect_four);
    let connect_four = check(&connect_four, &scores, &[Capabilities::default()]);
    presses += [dodgem, teeko, connect_four].iter().map(|counts| counts.draws() - counts.quiet).sum::<u64>();
    assert!(presses > 1000, "{presses}");
}
