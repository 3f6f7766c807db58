//! Turns step by step: each step promises what later steps and complete turns keep.

use std::collections::{BTreeMap, HashSet};

use retrograde_game::{Flow, Game, Random};
use retrograde_pushfight::{Position, PushFight};
use retrograde_testkit::push_fight as game;

/// The possible next steps, with whether they end the turn and the positions they can lead to.
fn steps(
    game: &PushFight,
    position: &Position,
    prefix: &[String],
) -> BTreeMap<(String, bool), HashSet<Position>> {
    let mut found: BTreeMap<(String, bool), HashSet<Position>> = BTreeMap::new();
    game.each_step(position, prefix, &mut |step| {
        found.entry((step.text.to_owned(), step.ends)).or_default().insert(step.after);
        Flow::Continue(())
    })
    .unwrap();
    found
}

fn check(game: &PushFight, position: &Position, prefix: &[String], expected: &HashSet<Position>) {
    let steps = steps(game, position, prefix);
    let all: HashSet<Position> = steps.values().flatten().copied().collect();
    assert_eq!(&all, expected, "{prefix:?}");
    for ((text, ends), after) in steps {
        let mut prefix = prefix.to_vec();
        prefix.push(text);
        if ends {
            let turn = game.parse_turn(position, &prefix.join(",")).unwrap();
            assert_eq!(after, HashSet::from([game.play(position, &turn)]), "{prefix:?}");
        } else {
            check(game, position, &prefix, &after);
        }
    }
}

#[test]
fn steps_lead_where_turns_do() {
    for name in [
        "pushfight:mini,pushers=1,pawns=1",
        "pushfight:mini,pushers=2,pawns=1,moves=1",
        "pushfight:mini,moves=0",
        "pushfight:mini,pushers=1,pawns=0,moves=3",
    ] {
        let game = game(name);
        let mut random = Random::new(5);
        let mut position = game.start();
        for _ in 0..12 {
            let turns = game.turns(&position);
            let reached = turns.iter().map(|(_, next)| *next).collect();
            if game.placing_half(&position).is_none() && game.result(&position).is_none() {
                check(&game, &position, &[], &reached);
            } else {
                let steps = steps(&game, &position, &[]);
                assert!(steps.keys().all(|(_, ends)| *ends));
                assert_eq!(steps.into_values().flatten().collect::<HashSet<_>>(), reached);
            }
            position = match turns.len() {
                0 => game.start(),
                count => turns[random.below(count as u64) as usize].1,
            };
        }
    }
}

#[test]
fn wrong_steps_are_rejected_with_a_reason() {
    let game = game("pushfight");
    let position = game.parse_position(".OX.....oxY....Oox.....OX.").unwrap();
    for (prefix, reason) in [
        (&["d1-a2", "d3-c3", "c2-d2"][..], "at most 2 moves"),
        (&["d1"], "ends too early"),
        (&["d1-a2,d3-c3"], "expected the end of the step"),
        (&["z9-a1"], "a square of the board"),
        (&["a2-d2"], "the side to move has no piece"),
        (&["d1-e3"], "cannot move"),
    ] {
        let prefix: Vec<String> = prefix.iter().map(|&step| step.to_owned()).collect();
        let error = game.each_step(&position, &prefix, &mut |_| Flow::Break(())).unwrap_err();
        assert!(error.to_string().contains(reason), "{prefix:?}: {error}");
    }
    let prefix = ["O:a2,b3,c3 o:b2,c2".to_owned()];
    assert!(game.each_step(&game.start(), &prefix, &mut |_| Flow::Break(())).is_err());
}
