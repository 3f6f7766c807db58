//! The conformance kit: checks that a game keeps the promises of its traits.
//!
//! Each function checks one trait and panics with the position and the broken promise, so a game
//! needs one line of test per promise. Positions come from random playouts ([`playouts`]) or from
//! the whole numbering ([`numbered`]).

use std::collections::{HashMap, HashSet};

use super::promises::{self, Order};
use super::random::Random;
use crate::board::{Mark, Picture};
use crate::rules::{
    Dense, Flow, Game, Graded, Impartial, Index, Layered, Packed, Predecessors, Show, Staged, Successor,
    Symmetries, numbers,
};
use crate::values::{Outcome, Seat};

/// The positions of `games` random games of up to `length` turns each, including finished ones,
/// without repetitions.
pub fn playouts<G: Game>(game: &G, games: usize, length: usize, seed: u64) -> Vec<G::Position> {
    let mut random = Random::new(seed);
    let mut seen = HashSet::new();
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut position = game.start();
        for _ in 0..=length {
            if seen.insert(position.clone()) {
                positions.push(position.clone());
            }
            let turns = game.turns(&position);
            let Some((_, next)) = random.choose(&turns) else { break };
            position = next.clone();
        }
    }
    positions
}

/// The positions of all indices if there are at most `most`, otherwise of `most` random ones.
pub fn numbered<G: Dense>(game: &G, most: u64, seed: u64) -> Vec<G::Position> {
    let count = u64::try_from(game.index_count()).expect("a numbering of 64 bits");
    if count <= most {
        (0..count).filter_map(|index| game.position(Index(index))).collect()
    } else {
        let mut random = Random::new(seed);
        let indices: HashSet<u64> = (0..most).map(|_| random.below(count)).collect();
        indices.into_iter().filter_map(|index| game.position(Index(index))).collect()
    }
}

fn successors<G: Game>(game: &G, position: &G::Position) -> HashSet<G::Position> {
    promises::successors(game, position, usize::MAX).0.into_iter().collect()
}

/// Panics with the broken promise, if there is one.
fn expect<T>(checked: Result<T, String>) -> T {
    checked.unwrap_or_else(|broken| panic!("{broken}"))
}

/// Checks [`Game`]: texts can be read back, listed turns are legal and lead to distinct positions,
/// fast paths agree with slow ones, finished games have no turns, and the player to move is given
/// for every position or for none.
pub fn check_game<G: Game>(game: &G, positions: &[G::Position]) {
    assert!(!positions.is_empty(), "no positions to check");
    let has_seats = game.seat(&game.start()).is_some();
    for position in positions {
        let text = game.position_text(position);
        assert_eq!(
            game.seat(position).is_some(),
            has_seats,
            "{text}: only one of this position and the start has a `seat`"
        );
        let read = game.parse_position(&text);
        assert_eq!(read.as_ref(), Ok(position), "{text}: reading the text gives another position");
        let turns = game.turns(position);
        let distinct: HashSet<_> = turns.iter().map(|(_, next)| next.clone()).collect();
        assert_eq!(distinct.len(), turns.len(), "{text}: two listed turns lead to the same position");
        assert_eq!(distinct, successors(game, position), "{text}: each_successor differs from turns");
        let wins = distinct.iter().any(|next| game.result_after(position, next) == Some(Outcome::Loss));
        assert_eq!(game.wins_now(position), wins, "{text}: wins_now differs from turns");
        assert!(game.result(position).is_none() || turns.is_empty(), "{text}: turns after the end");
        let mut texts = HashSet::new();
        for (turn, next) in &turns {
            let turn_text = game.turn_text(position, turn);
            assert_eq!(
                game.seat(next).is_some(),
                has_seats,
                "{text}: only one of this position and the one after {turn_text} has a `seat`"
            );
            assert_eq!(&game.play(position, turn), next, "{text}: {turn_text} leads elsewhere");
            let read = game.parse_turn(position, &turn_text);
            assert_eq!(read.as_ref(), Ok(turn), "{text}: reading {turn_text} gives another turn");
            assert!(texts.insert(turn_text.clone()), "{text}: {turn_text} is written for two turns");
        }
    }
}

/// Checks [`Game::each_step`] and [`Game::turns_after`]: whatever steps a turn begins with, further steps lead to
/// the positions that these turns lead to. The text of a turn is its steps, joined by commas.
pub fn check_steps<G: Game>(game: &G, positions: &[G::Position]) {
    positions.iter().for_each(|position| check_steps_after(game, position, &mut Vec::new()));
}

fn check_steps_after<G: Game>(game: &G, position: &G::Position, prefix: &mut Vec<String>) {
    let text = format!("{} after {prefix:?}", game.position_text(position));
    let turns = game.turns_after(position, prefix).unwrap_or_else(|error| panic!("{text}: {error}"));
    for (turn, next) in &turns {
        assert_eq!(&game.play(position, turn), next, "{text}: {turn:?} leads elsewhere");
        let turn = game.turn_text(position, turn);
        assert!(turn.starts_with(&prefix.join(",")), "{text}: {turn} does not begin with these steps");
    }
    let mut steps: HashMap<(String, bool), HashSet<G::Position>> = HashMap::new();
    let listed = game.each_step(position, prefix, &mut |step| {
        steps.entry((step.text.to_owned(), step.ends)).or_default().insert(step.after);
        Flow::Continue(())
    });
    listed.unwrap_or_else(|error| panic!("{text}: {error}"));
    let reached: HashSet<&G::Position> = steps.values().flatten().collect();
    assert_eq!(reached, turns.iter().map(|(_, next)| next).collect(), "{text}: steps lead elsewhere");
    for ((step, ends), after) in steps {
        prefix.push(step);
        let turn = prefix.join(",");
        let next: HashSet<G::Position> = if ends {
            assert!(game.turns_after(position, prefix).is_err(), "{text}: {turn} is complete");
            let read = game.parse_turn(position, &turn).unwrap_or_else(|error| panic!("{text}: {error}"));
            HashSet::from([game.play(position, &read)])
        } else {
            check_steps_after(game, position, prefix);
            let turns = game.turns_after(position, prefix).unwrap_or_else(|error| panic!("{text}: {error}"));
            turns.into_iter().map(|(_, next)| next).collect()
        };
        assert_eq!(after, next, "{text}: {turn} leads elsewhere");
        prefix.pop();
    }
}

/// Checks [`Impartial`]: games end only where there is no turn, with the outcome that the last turn
/// decides; the turns of a position are those of its parts; and mirror images can be played.
pub fn check_impartial<G: Impartial>(game: &G, positions: &[G::Position]) {
    let parts = |position: &G::Position| {
        let mut texts = Vec::new();
        game.each_part(position, |part| {
            if !game.turns(&part).is_empty() {
                texts.push(game.position_text(&part));
            }
        });
        texts.sort_unstable();
        texts
    };
    assert_eq!(game.seat(&game.start()), None, "players of impartial games alternate");
    let end = if game.last_turn_wins() { Outcome::Loss } else { Outcome::Win };
    for position in positions {
        let text = game.position_text(position);
        let next = successors(game, position);
        match game.result(position) {
            Some(outcome) => assert_eq!(outcome, end, "{text}: the game is over with the wrong outcome"),
            None if next.is_empty() => {
                assert_eq!(game.outcome_without_turns(), end, "{text}: the wrong outcome without turns")
            }
            None => {}
        }
        let of_whole: HashSet<Vec<String>> = next.iter().map(parts).collect();
        let mut of_parts = HashSet::new();
        let all = parts(position);
        game.each_part(position, |part| {
            let mut others = all.clone();
            let own = game.position_text(&part);
            if let Some(at) = others.iter().position(|other| *other == own) {
                others.remove(at);
            }
            for next in successors(game, &part) {
                let mut sum = [others.clone(), parts(&next)].concat();
                sum.sort_unstable();
                of_parts.insert(sum);
            }
        });
        assert_eq!(of_whole, of_parts, "{text}: turns of the whole are not those of its parts");
        if let Some(turn) = game.mirroring_turn(position) {
            let listed = game.turns(position);
            assert!(
                listed.iter().any(|(known, _)| *known == turn),
                "{text}: the mirroring turn is not legal"
            );
            assert!(
                game.is_mirrored(&game.play(position, &turn)),
                "{text}: the mirroring turn leaves no mirrored position"
            );
        }
        if game.is_mirrored(position) {
            for next in &next {
                let next_text = game.position_text(next);
                let answered = game.mirroring_turn(next).is_some();
                assert!(answered, "{text}: a turn to {next_text} has no mirror image");
            }
        }
    }
}

/// Checks [`Dense`]: index → position → index and position → index → position for the given
/// positions and their indices, no index past the end, and the turns of numbered positions stay
/// numbered.
pub fn check_dense<G: Dense>(game: &G, positions: &[G::Position]) {
    let count = game.index_count();
    assert!(u128::from(game.prelude()) <= count);
    for position in positions {
        expect(promises::dense(game, position, usize::MAX));
        assert!(
            G::UP_TO_SYMMETRY || game.representative(position) == *position,
            "{}: its representative is another position, so `Dense::UP_TO_SYMMETRY` must be true",
            game.position_text(position)
        );
    }
    let indices: Vec<u64> =
        positions.iter().filter_map(|position| game.index(position)).map(|i| i.0).collect();
    check_walks(game, &indices);
    if let Ok(count) = u64::try_from(count) {
        assert!(game.position(Index(count)).is_none(), "there is a position past the end");
        assert!(game.position(Index(u64::MAX)).is_none(), "there is a position far past the end");
    }
}

/// The number of indices on each side of a place at which [`Dense::walk_down`] is checked.
const WALK: u64 = 20;

/// Checks that [`Dense::walk_down`] agrees with [`Dense::position`] around these indices and at
/// both ends, and that it stops when the visitor does.
fn check_walks<G: Dense>(game: &G, indices: &[u64]) {
    let count = u64::try_from(game.index_count()).unwrap_or(u64::MAX);
    let places = indices.iter().step_by((indices.len() / 100).max(1)).copied().chain([0, count]);
    for place in places {
        let (start, end) = (place.saturating_sub(WALK), place.saturating_add(WALK).min(count));
        let expected: Vec<_> = (start..end)
            .rev()
            .filter_map(|index| game.position(Index(index)).map(|position| (Index(index), position)))
            .collect();
        for most in [expected.len(), expected.len() / 2] {
            let mut met = Vec::new();
            let stopped = game.walk_down(Index(start)..Index(end), |index, position| {
                met.push((index, position));
                if met.len() > most { Flow::Break(()) } else { Flow::Continue(()) }
            });
            let stops = most < expected.len();
            assert_eq!(stopped.is_break(), stops, "walking down {start}..{end} stops elsewhere");
            assert_eq!(met, expected[..expected.len().min(most + 1)], "walking down {start}..{end}");
        }
    }
}

/// Checks [`Dense`] of a small game: counts every index and compares with [`Game::position_count`].
pub fn check_counts<G: Dense>(game: &G) {
    let count = u64::try_from(game.index_count()).expect("a small game") - game.prelude();
    let numbered = (0..count).filter(|&index| game.position(Index(index)).is_some()).count() as u128;
    let unnumbered: u128 = game.unnumbered().iter().map(|(_, count)| count).sum();
    assert_eq!(numbered + unnumbered, game.position_count(), "positions of {}", game.name());
}

/// Checks [`Predecessors`]: q ∈ successors(p) ⇔ p ∈ predecessors(q), for the given positions and a
/// sample of their neighbours.
pub fn check_predecessors<G: Predecessors>(game: &G, positions: &[G::Position], neighbours: usize) {
    let mut random = Random::new(1);
    let numbered = u64::try_from(game.index_count()).expect("a numbering of 64 bits") - game.prelude();
    let before = |position: &G::Position| {
        let mut found = HashSet::new();
        let _ = game.each_predecessor(position, |previous| {
            found.insert(previous);
            Flow::Continue(())
        });
        found
    };
    let sample = |all: HashSet<G::Position>, random: &mut Random| -> Vec<G::Position> {
        let mut all: Vec<_> = all.into_iter().collect();
        all.sort_by_cached_key(|position| game.position_text(position));
        (0..neighbours.min(all.len())).map(|_| random.choose(&all).expect("not empty").clone()).collect()
    };
    for position in positions {
        let text = game.position_text(position);
        if game.index(position).is_some_and(|index| index.0 < numbered) {
            for next in sample(successors(game, position), &mut random) {
                let next_text = game.position_text(&next);
                assert!(before(&next).contains(position), "{text} is not a predecessor of {next_text}");
            }
        }
        for previous in sample(before(position), &mut random) {
            let previous_text = game.position_text(&previous);
            assert!(game.result(&previous).is_none(), "{previous_text} is over but precedes {text}");
            assert!(
                game.index(&previous).is_some_and(|index| index.0 < numbered),
                "{previous_text} is not numbered but precedes {text}"
            );
            assert!(successors(game, &previous).contains(position), "{previous_text} has no turn to {text}");
        }
    }
}

/// Checks [`Graded`]: every turn lowers the grade.
pub fn check_graded<G: Graded>(game: &G, positions: &[G::Position]) {
    for position in positions {
        expect(promises::graded(game, position, usize::MAX));
    }
}

/// Checks [`Graded`] with [`Symmetries`]: images have the same grade.
pub fn check_graded_images<G: Graded + Symmetries>(game: &G, positions: &[G::Position]) {
    for position in positions {
        for symmetry in 0..game.symmetry_count() {
            let image = game.image(symmetry, position);
            let text = game.position_text(position);
            assert_eq!(game.grade(&image), game.grade(position), "{text}: symmetry {symmetry}");
        }
    }
}

/// Checks [`Packed`]: the codes of these positions and of their unfinished successors lead back to them.
pub fn check_packed<G: Packed>(game: &G, positions: &[G::Position]) {
    assert!(game.is_packed(), "{} has no codes", game.name());
    for position in positions {
        let after = successors(game, position).into_iter().filter(|next| game.result(next).is_none());
        for position in std::iter::once(position.clone()).chain(after) {
            expect(promises::packed(game, &position));
        }
    }
}

/// Checks [`Layered`] of a small game: the layers cover every index once, in an order that can be solved.
pub fn check_layered<G: Layered>(game: &G) {
    let order = expect(Order::of_layers(game, usize::MAX)).expect("any number of ranges is allowed");
    let count = u64::try_from(game.index_count()).expect("a small game");
    (0..count).for_each(|index| expect(order.check(game, Index(index))));
}

/// Checks [`Staged`] of a small game: the stages cover every index once, and no turn leads to a later one.
pub fn check_staged<G: Staged>(game: &G) {
    let order = expect(Order::of_stages(game, usize::MAX)).expect("any number of ranges is allowed");
    let stage_of = |index| order.part(index).map(|(stage, _)| stage);
    for stage in 0..game.stage_count() {
        let after = game.stages_after(stage);
        assert!(after.iter().all(|&other| other <= stage), "stage {stage} comes after {after:?}");
        for index in game.stage(stage).into_iter().flat_map(numbers).map(Index) {
            expect(order.check(game, index));
            let _ = game.each_successor_at(index, |next| {
                if let Some(next) = next.index()
                    && let Some(other) = stage_of(next)
                {
                    let is_listed = after.contains(&other);
                    assert!(
                        is_listed,
                        "index {index} of stage {stage} leads to {next} of stage {other}, not in {after:?}"
                    );
                }
                Flow::Continue(())
            });
            if let Some(position) = game.position(index) {
                check_earlier(game, &position, |next| stage_of(next) != Some(stage));
            }
        }
    }
}

/// Checks that [`Staged::each_earlier_successor`] visits all successors that are finished or in
/// earlier stages, and only successors.
fn check_earlier<G: Staged>(game: &G, position: &G::Position, is_earlier: impl Fn(Index) -> bool) {
    let (mut all, mut earlier) = (Vec::new(), Vec::new());
    let collect = |found: &mut Vec<Successor>, next| {
        found.push(next);
        Flow::Continue(())
    };
    let _ = game.each_numbered_successor(position, |next| collect(&mut all, next));
    let _ = game.each_earlier_successor(position, |next| collect(&mut earlier, next));
    let leads_out = |next: &&Successor| next.index().is_none_or(&is_earlier);
    let text = game.position_text(position);
    let missing = all.iter().filter(leads_out).find(|next| !earlier.contains(next));
    assert!(missing.is_none(), "{text}: {missing:?} is of an earlier stage and left out");
    let wrong = earlier.iter().find(|next| !all.contains(next));
    assert!(wrong.is_none(), "{text}: {wrong:?} is not a successor");
}

/// Checks [`Predecessors::each_predecessor_within_stage`] of a small game: it visits all
/// predecessors in the same stage, and only predecessors.
pub fn check_predecessors_within_stages<G: Predecessors + Staged>(game: &G) {
    for stage in 0..game.stage_count() {
        let indices: HashSet<u64> = game.stage(stage).into_iter().flat_map(numbers).collect();
        for &index in &indices {
            let (mut all, mut within) = (HashSet::new(), HashSet::new());
            game.each_predecessor_at(Index(index), |previous| _ = all.insert(previous.0));
            game.each_predecessor_within_stage(Index(index), |previous| _ = within.insert(previous.0));
            let missing = all.iter().find(|&at| indices.contains(at) && !within.contains(at));
            assert!(missing.is_none(), "index {index}: {missing:?} of its stage precedes it and is left out");
            assert!(
                within.is_subset(&all),
                "index {index} of stage {stage}: {within:?} are not all before it"
            );
        }
    }
}

/// Checks [`Symmetries`]: an image has the images of the successors and the same result, and every
/// symmetry has an inverse among them.
pub fn check_symmetries<G: Symmetries>(game: &G, positions: &[G::Position]) {
    let count = game.symmetry_count();
    assert!(count >= 1);
    for position in positions {
        let text = game.position_text(position);
        assert_eq!(&game.image(0, position), position, "{text}: symmetry 0 is not the identity");
        for symmetry in 0..count {
            let image = game.image(symmetry, position);
            assert_eq!(game.result(&image), game.result(position), "{text}: symmetry {symmetry}");
            assert_eq!(game.seat(&image), game.seat(position), "{text}: symmetry {symmetry}");
            assert!(
                (0..count).any(|inverse| &game.image(inverse, &image) == position),
                "{text}: symmetry {symmetry} has no inverse"
            );
            let images: HashSet<_> =
                successors(game, position).iter().map(|next| game.image(symmetry, next)).collect();
            assert_eq!(images, successors(game, &image), "{text}: symmetry {symmetry} changes the turns");
        }
    }
}

/// The players who can be to move in a position.
fn movers<G: Game>(game: &G, position: &G::Position) -> Vec<Seat> {
    game.seat(position).map_or(vec![Seat::First, Seat::Second], |mover| vec![mover])
}

/// Checks that motions turn the picture before a turn into the picture after it.
fn check_motions<G: Show>(game: &G, position: &G::Position, turn: &G::Turn, seat: Seat) {
    let (mut played, palette) = (game.picture(position, seat), game.palette());
    let after = game.play(position, turn);
    let after = game.picture(&after, game.mover_after(seat, &after));
    for step in game.motions(position, turn, seat) {
        assert!(!step.is_empty(), "{}: {turn:?} has an empty step", game.position_text(position));
        played.play(&step, &palette);
    }
    assert_eq!(played.squares, after.squares, "{}: {turn:?}", game.position_text(position));
    check_owners(game, position, turn, seat, &after);
    // A game may leave out the pieces off the board.
    if !after.off_board.is_empty() {
        let sorted = |picture: &Picture| {
            let mut letters: Vec<char> = picture.off_board.iter().map(|piece| piece.letter).collect();
            letters.sort_unstable();
            letters
        };
        assert_eq!(sorted(&played), sorted(&after), "{}: {turn:?}", game.position_text(position));
    }
}

/// Checks that pieces that stay in place do not all change owners, as they would if the two views
/// of a game were mixed up. (Some may: a push shifts a row of pieces by one.)
fn check_owners<G: Show>(game: &G, position: &G::Position, turn: &G::Turn, seat: Seat, after: &Picture) {
    const ENOUGH: usize = 4;
    let mut marked = HashSet::new();
    for mark in game.marks(position, turn, seat) {
        match mark {
            Mark::Move(from, to) | Mark::Push(from, to) => marked.extend([from, to]),
            Mark::Fill(places) => marked.extend(places),
        }
    }
    let before = game.picture(position, seat);
    let owner = |picture: &Picture, place| picture.at(place).flatten().and_then(|piece| piece.owner);
    let owners = before.places().filter(|place| !marked.contains(place));
    let staying: Vec<(Seat, Seat)> =
        owners.filter_map(|place| Some((owner(&before, place)?, owner(after, place)?))).collect();
    let all_change = staying.len() >= ENOUGH && staying.iter().all(|(before, after)| before != after);
    let text = game.position_text(position);
    assert!(
        !all_change,
        "{text}: after {turn:?} all pieces change owners (`Show::picture` is the first player's view)"
    );
}

/// Checks [`Show`]: pictures have the promised shape, planes are 0/1 and distinguish positions as
/// well as texts do for both seats, motions lead from picture to picture, and the texts of boards are
/// read back.
pub fn check_show<G: Show>(game: &G, positions: &[G::Position]) {
    let (rows, columns) = game.plane_shape();
    let names = game.plane_names();
    let mut seen = HashMap::new();
    for position in positions {
        let text = game.position_text(position);
        for seat in movers(game, position) {
            let picture = game.picture(position, seat);
            assert_eq!(picture.to_move, seat);
            assert_eq!(picture.squares.len(), usize::from(picture.columns) * usize::from(picture.rows));
            let board = game.board_text(position, seat);
            assert_eq!(game.parse_board(&board, seat).as_ref(), Ok(position), "{text}, {seat:?}: {board}");
            for (turn, next) in game.turns(position).iter().take(50) {
                let after = game.picture(next, game.mover_after(seat, next));
                // A pass has no marks.
                let marked = after.squares == picture.squares || !game.marks(position, turn, seat).is_empty();
                assert!(marked, "{text}: a turn without marks");
                assert!(!game.turn_on_board(position, turn, seat).is_empty());
                check_motions(game, position, turn, seat);
            }
        }
        let mut planes = vec![7; names.len() * rows * columns];
        game.planes(position, &mut planes);
        assert!(planes.iter().all(|&value| value <= 1), "{text}: a plane holds more than 0 and 1");
        if let Ok(read) = game.position_of_planes(&planes) {
            assert_eq!(&read, position, "{text}: its planes are read as another position");
        }
        let first = seen.entry(planes).or_insert(position);
        assert!(names.is_empty() || *first == position, "{text}: another position has the same planes");
    }
}

/// Checks [`Show::position_of_planes`] of a game that reads planes: it gives every position back,
/// and rejects planes that belong to no position.
pub fn check_planes_are_read<G: Show>(game: &G, positions: &[G::Position]) {
    let (rows, columns) = game.plane_shape();
    let mut planes = vec![0; game.plane_names().len() * rows * columns];
    for position in positions {
        let text = game.position_text(position);
        game.planes(position, &mut planes);
        assert_eq!(game.position_of_planes(&planes).as_ref(), Ok(position), "{text}");
        for at in 0..planes.len() {
            for wrong in [1 - planes[at], 2, u8::MAX] {
                let right = std::mem::replace(&mut planes[at], wrong);
                if let Ok(other) = game.position_of_planes(&planes) {
                    let mut again = vec![0; planes.len()];
                    game.planes(&other, &mut again);
                    assert_eq!(
                        again, planes,
                        "{text}: planes with {wrong} at {at} are read as another position"
                    );
                }
                planes[at] = right;
            }
        }
        assert!(game.position_of_planes(&planes[1..]).is_err(), "{text}: planes that are too short are read");
    }
}

/// Checks the guide of a game: sentences end with punctuation, and every example is a legal turn with marks.
///
/// # Panics
/// If one of these does not hold.
pub fn check_guide<G: Show>(game: &G) {
    let guide = game.guide();
    for sentence in guide.sentences.iter().chain(guide.examples.iter().map(|example| &example.caption)) {
        assert!(sentence.ends_with('.') && sentence.len() > 1, "{}: {sentence:?}", game.name());
    }
    for example in &guide.examples {
        let position = game
            .parse_position(&example.position)
            .unwrap_or_else(|error| panic!("{}: {}: {error}", game.name(), example.caption));
        assert_eq!(game.position_text(&position), example.position, "{}", game.name());
        let turn = game
            .parse_turn(&position, &example.turn)
            .unwrap_or_else(|error| panic!("{}: {}: {error}", game.name(), example.caption));
        assert_eq!(game.result(&position), None, "{}: {}", game.name(), example.caption);
        assert!(!game.marks(&position, &turn, Seat::First).is_empty(), "{}", game.name());
    }
}

/// Checks that a game gives a reason for exactly those one or two touched squares that do not begin
/// a step, both at the beginning of a turn and after a step.
///
/// # Panics
/// If it does not.
pub fn check_refusals<G: Show>(game: &G, positions: &[G::Position]) {
    for position in positions {
        for seat in movers(game, position) {
            let first = touchable(game, position, seat, &[]);
            check_refusals_after(game, position, seat, &[], &first);
            let open = first.iter().find(|step| !step.ends);
            if let Some(step) = open {
                let prefix = [step.text.clone()];
                let more = touchable(game, position, seat, &prefix);
                check_refusals_after(game, position, seat, &prefix, &more);
            }
        }
    }
}

/// A step as a player touches it on the board.
struct Touchable {
    text: String,
    ends: bool,
    squares: Vec<String>,
    any_order: bool,
}

impl Touchable {
    fn begins_with(&self, touched: &[&str]) -> bool {
        if self.any_order {
            return touched.iter().all(|square| self.squares.iter().any(|own| own == square));
        }
        touched.len() <= self.squares.len() && touched.iter().zip(&self.squares).all(|(a, b)| a == b)
    }
}

/// The steps that can follow others, each once.
fn touchable<G: Show>(game: &G, position: &G::Position, seat: Seat, prefix: &[String]) -> Vec<Touchable> {
    let (mut steps, mut seen) = (Vec::new(), HashSet::new());
    let picture = game.picture(position, seat);
    let listed = game.each_step(position, prefix, &mut |step| {
        if seen.insert((step.text.to_owned(), step.ends)) {
            let turn = game.parse_turn(position, step.text).ok().filter(|_| prefix.is_empty() && step.ends);
            let text = turn.as_ref().map(|turn| game.turn_on_board(position, turn, seat));
            let squares = picture.squares_named(text.as_deref().unwrap_or(step.text));
            let squares = squares.into_iter().map(str::to_owned).collect();
            let fills = |turn| matches!(*game.marks(position, &turn, seat), [Mark::Fill(_)]);
            let any_order = turn.is_some_and(fills);
            steps.push(Touchable { text: step.text.to_owned(), ends: step.ends, squares, any_order });
        }
        Flow::Continue(())
    });
    listed.unwrap_or_else(|error| panic!("{error}"));
    steps
}

fn check_refusals_after<G: Show>(
    game: &G,
    position: &G::Position,
    seat: Seat,
    prefix: &[String],
    steps: &[Touchable],
) {
    let picture = game.picture(position, seat);
    let squares = picture.places().filter(|&place| picture.at(place).is_some());
    let names: Vec<String> = squares.map(|place| picture.name(place)).collect();
    let check = |touched: &[&str]| {
        let reason = game.refusal(position, seat, prefix, touched);
        let is_step = steps.iter().any(|step| step.begins_with(touched));
        let text = game.position_text(position);
        assert_eq!(reason.is_none(), is_step, "{text} {seat:?} {prefix:?} {touched:?}: {reason:?}");
        assert!(reason.is_none_or(|reason| reason.ends_with('.')), "{text} {touched:?}");
    };
    for from in &names {
        check(&[from]);
        for to in names.iter().filter(|to| *to != from) {
            check(&[from, to]);
        }
    }
}
