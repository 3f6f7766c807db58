//! Comments on the last turn, and on the turn that decided the game.

use retrograde_explore::{Annotation, OpenGame};
use retrograde_game::Seat;

use super::session::{Ending, Session, Winner};
use crate::program::exit::BoxError;

/// Comments on the human's last turn if it was a mistake.
pub(super) fn remark(session: &Session<'_>) -> Result<Option<String>, BoxError> {
    let annotation = session.last_annotated()?;
    let mistake = annotation.filter(|annotation| annotation.mark.starts_with('?'));
    Ok(mistake.map(|annotation| annotation.comment).filter(|comment| !comment.is_empty()))
}

/// The decisive turn: the last one that worsened the outcome for its player.
fn decisive(annotations: &[Annotation]) -> Option<(usize, &Annotation)> {
    annotations.iter().enumerate().rfind(|(_, annotation)| annotation.mark == "?")
}

/// Names the decisive mistake, or says that there were no mistakes.
pub(super) fn explanation(session: &Session<'_>, winner: Winner) -> Result<String, BoxError> {
    let unknown = "The decisive turn is unknown: not all values of this game are known.";
    // Only the side to move can resign, or accept a draw.
    let value = session.value()?;
    match (session.ending, value.outcome) {
        (Some(Ending::Resigned | Ending::Draw), "win") => return Ok("You could still have won.".to_owned()),
        (Some(Ending::Resigned), "draw") => return Ok("You could still have held a draw.".to_owned()),
        (Some(Ending::Draw), "loss") => return Ok("I could still have won.".to_owned()),
        (Some(Ending::Draw), _) if value.known().is_none() => return Ok(unknown.to_owned()),
        _ => {}
    }
    let annotations = session.annotated()?;
    if let Some((number, mistake)) = decisive(&annotations) {
        let turn = format!("turn {}, {}", number + 1, mistake.turn_on_board);
        let whose = match Seat::from(mistake.player) {
            seat if seat == session.human => "Your decisive mistake was".to_owned(),
            seat => format!("The decisive mistake was {}'s", seat.name()),
        };
        return Ok(format!("{whose} {turn}: {}", mistake.comment));
    }
    let is_known =
        |annotation: &Annotation| annotation.before.known().is_some() && annotation.after.known().is_some();
    if !annotations.iter().all(is_known) || annotations.is_empty() && value.known().is_none() {
        return Ok(unknown.to_owned());
    }
    Ok(without_mistake(session.game, session.start(), winner))
}

fn without_mistake(game: &OpenGame, start: &str, winner: Winner) -> String {
    let subject = if game.canonical(&game.start()).is_ok_and(|default| default == start) {
        "the game"
    } else {
        "this position"
    };
    match winner {
        Some(Seat::First) => format!("There were no mistakes: {subject} is won for Red from the start."),
        Some(Seat::Second) => format!("There were no mistakes: {subject} is won for Blue from the start."),
        None => format!("There were no mistakes: {subject} is a draw."),
    }
}
