//! Placements as flashcards: the best placement of Red, and the best reply to each of the best
//! placements.

use retrograde_explore::{OpenGame, Probe, Scene};
use retrograde_game::{Picture, Seat};

use super::tally::{Opening, count_of, placements_sentence};
use crate::files::cards::{Card, paragraph, picture};
use crate::output::{count, plural, sentence, thousands};
use crate::program::exit::BoxError;

pub(super) fn make_cards(game: &OpenGame, all: &Probe, best: &[Opening]) -> Result<Vec<Card>, BoxError> {
    let mut cards = Vec::new();
    if let Some(first) = best.first() {
        cards.push(first_card(game, all, first)?);
    }
    for opening in best {
        cards.extend(answer_card(game, opening)?);
    }
    Ok(cards)
}

/// The card for Red's best placement.
fn first_card(game: &OpenGame, all: &Probe, best: &Opening) -> Result<Card, BoxError> {
    let start = game.start();
    let placement = &best.placement;
    let scenes = game.scenes(&start, Seat::First, std::slice::from_ref(&placement.turn))?;
    let task = format!("Red places {}. What is the best placement?", pieces(game, &start, Seat::First)?);
    Ok(Card {
        front: format!("{}{}", picture(board(&scenes, 0)?, &[], "the empty board"), paragraph(&task)),
        back: format!(
            "{}{}{}",
            picture(board(&scenes, 1)?, &[], &placement.turn_on_board),
            paragraph(&placement.turn_on_board),
            paragraph(&format!("{} {}", sentence(game, "Red", placement.verdict), placements_sentence(all)))
        ),
        tags: tags(game),
    })
}

/// The card for Blue's best reply to a placement, if there is a reply.
fn answer_card(game: &OpenGame, opening: &Opening) -> Result<Option<Card>, BoxError> {
    let Opening { placement, replies, reply: Some(reply) } = opening else { return Ok(None) };
    let turns = [placement.turn.clone(), reply.turn.clone()];
    let scenes = game.scenes(&game.start(), Seat::First, &turns)?;
    let to_place = pieces(game, &placement.position, Seat::Second)?;
    let task = format!("Red has placed. Blue places {to_place}. What is the best placement?");
    let counted = |outcome| thousands(count_of(replies, outcome).into());
    let all = replies.iter().map(|of| of.count).sum::<u64>();
    let values = format!(
        "{} Of {}, {} win, {} draw and {} lose.",
        sentence(game, "Blue", reply.verdict),
        count(all.into(), "reply", "replies"),
        counted("win"),
        counted("draw"),
        counted("loss")
    );
    Ok(Some(Card {
        front: format!("{}{}", picture(board(&scenes, 1)?, &[], &placement.turn_on_board), paragraph(&task)),
        back: format!(
            "{}{}{}",
            picture(board(&scenes, 2)?, &[], &reply.turn_on_board),
            paragraph(&reply.turn_on_board),
            paragraph(&values)
        ),
        tags: tags(game),
    }))
}

fn board(scenes: &[Scene], number: usize) -> Result<&Picture, BoxError> {
    Ok(&scenes.get(number).ok_or("a placement has no picture")?.picture)
}

/// "2 pushers and 2 pawns".
fn pieces(game: &OpenGame, position: &str, seat: Seat) -> Result<String, BoxError> {
    let pieces = game.pieces_to_place(position, seat)?;
    let counts: Vec<String> =
        pieces.into_iter().map(|(piece, count)| plural(count, game.piece_name(piece))).collect();
    Ok(match counts.is_empty() {
        true => format!("the pieces of {}", seat.name()),
        false => counts.join(" and "),
    })
}

fn tags(game: &OpenGame) -> Vec<String> {
    vec!["retrograde".to_owned(), game.name().replace(':', "-"), "placements".to_owned()]
}
