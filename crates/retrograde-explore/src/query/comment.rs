//! Comments on a played turn in a sentence or two. The command line and the page print the same
//! text.

use retrograde_game::{Knowledge, Outcome, Seat, counted};

/// A played turn, with the data for its comment. Values are for the player who made it.
pub(crate) struct Judged {
    pub player: Seat,
    /// Whether the turn counts among the turns to the end; a placement does not.
    pub counted: bool,
    /// The value before the turn.
    pub before: Knowledge,
    /// The value of the turn.
    pub after: Knowledge,
    /// The mark, as in [`Annotation::mark`](crate::Annotation::mark).
    pub mark: &'static str,
    /// A best turn in the coordinates of the board, with its value, if this was not one.
    pub better: Option<(String, Knowledge)>,
}

impl Judged {
    /// The comment; empty if there is nothing to say.
    pub(crate) fn comment(&self) -> String {
        let (Some(could), Some(did)) = (self.before.outcome(), self.after.outcome()) else {
            return String::new();
        };
        match (self.mark, could, did) {
            ("?", Outcome::Win | Outcome::Draw, _) => self.thrown_away(could, did),
            ("?!", Outcome::Win, _) => self.later(),
            ("?!", Outcome::Loss, _) => self.sooner(),
            ("!", _, Outcome::Win) => "The only turn that wins.".to_owned(),
            ("!", _, Outcome::Draw) => "The only turn that holds the draw.".to_owned(),
            _ => String::new(),
        }
    }

    /// A comment on a win or draw that was thrown away.
    fn thrown_away(&self, could: Outcome, did: Outcome) -> String {
        let what = if could == Outcome::Win { "win" } else { "draw" };
        let now = match did {
            Outcome::Loss => self.opponent_wins(),
            _ => "the game is now a draw".to_owned(),
        };
        let better = self.better.as_ref().map(|(turn, _)| format!(" {turn} was better."));
        format!("{} threw the {what} away: {now}.{}", self.player.name(), better.unwrap_or_default())
    }

    /// How soon the opponent wins after the turn.
    fn opponent_wins(&self) -> String {
        let name = self.player.other().name();
        match self.after.turns().map(|turns| turns.0.saturating_sub(u16::from(self.counted))) {
            Some(0) => format!("{name} has won"),
            Some(1) => format!("{name} now wins in 1 turn"),
            Some(turns) => format!("{name} now wins in {turns} turns"),
            None => format!("{name} now wins"),
        }
    }

    /// A comment on a win that takes longer.
    fn later(&self) -> String {
        let name = self.player.name();
        let Some((turn, turns)) = self.turns_lost() else {
            return format!("{name} wins, but later than necessary.");
        };
        format!("{name} wins, but {turns} later than necessary. {turn} was faster.")
    }

    /// A comment on a loss that comes earlier.
    fn sooner(&self) -> String {
        let name = self.player.name();
        let Some((turn, turns)) = self.turns_lost() else {
            return format!("{name} loses sooner than necessary.");
        };
        format!("{name} loses {turns} sooner than necessary. {turn} would have lasted longer.")
    }

    /// A better turn, and by how many turns it is better.
    fn turns_lost(&self) -> Option<(&str, String)> {
        let (turn, value) = self.better.as_ref()?;
        let turns = value.turns()?.0.abs_diff(self.after.turns()?.0);
        Some((turn, counted(turns.into(), "turn")))
    }
}

#[cfg(test)]
mod tests {
    use retrograde_game::{Turns, Value};

    use super::*;

    fn win(turns: u16) -> Knowledge {
        Knowledge::Exact(Value::Win(Turns(turns)))
    }

    fn loss(turns: u16) -> Knowledge {
        Knowledge::Exact(Value::Loss(Turns(turns)))
    }

    const DRAW: Knowledge = Knowledge::Exact(Value::Draw);

    /// Comments on turns of Red: the value before and after the turn, its mark, and the value of a better turn.
    #[test]
    fn comments_say_what_a_turn_changed() {
        let [won, drawn, lost] = [Outcome::Win, Outcome::Draw, Outcome::Loss].map(Knowledge::Outcome);
        for (before, after, mark, better, comment) in [
            (
                win(5),
                loss(3),
                "?",
                Some(win(5)),
                "threw the win away: Blue now wins in 2 turns. b4b3 was better.",
            ),
            (win(5), DRAW, "?", Some(win(5)), "threw the win away: the game is now a draw. b4b3 was better."),
            (win(5), loss(1), "?", Some(win(5)), "threw the win away: Blue has won. b4b3 was better."),
            // A search may know that a position is won without knowing the turn.
            (won, loss(3), "?", None, "threw the win away: Blue now wins in 2 turns."),
            (won, loss(2), "?", None, "threw the win away: Blue now wins in 1 turn."),
            (
                DRAW,
                loss(8),
                "?",
                Some(DRAW),
                "threw the draw away: Blue now wins in 7 turns. b4b3 was better.",
            ),
            (drawn, lost, "?", Some(DRAW), "threw the draw away: Blue now wins. b4b3 was better."),
            (
                win(3),
                win(5),
                "?!",
                Some(win(3)),
                "wins, but two turns later than necessary. b4b3 was faster.",
            ),
            (win(4), win(5), "?!", Some(win(4)), "wins, but one turn later than necessary. b4b3 was faster."),
            (
                win(3),
                win(43),
                "?!",
                Some(win(3)),
                "wins, but 40 turns later than necessary. b4b3 was faster.",
            ),
            (
                loss(6),
                loss(2),
                "?!",
                Some(loss(6)),
                "loses four turns sooner than necessary. b4b3 would have lasted longer.",
            ),
            (win(3), win(5), "?!", None, "wins, but later than necessary."),
            (loss(6), loss(2), "?!", None, "loses sooner than necessary."),
        ] {
            let better = better.map(|value| ("b4b3".to_owned(), value));
            let judged = Judged { player: Seat::First, counted: true, before, after, mark, better };
            assert_eq!(judged.comment(), format!("Red {comment}"));
        }
        for (before, after, mark, comment) in [
            (win(3), win(3), "!", "The only turn that wins."),
            (DRAW, DRAW, "!", "The only turn that holds the draw."),
            (win(3), win(3), "", ""),
            (loss(4), loss(4), "", ""),
            (Knowledge::Unknown, loss(4), "", ""),
            (win(3), Knowledge::Unknown, "", ""),
            (Knowledge::NotLost, loss(4), "", ""),
        ] {
            let better = (after == Knowledge::Unknown).then(|| ("b4b3".to_owned(), win(3)));
            let judged = Judged { player: Seat::First, counted: true, before, after, mark, better };
            assert_eq!(judged.comment(), comment);
        }
    }

    #[test]
    fn comments_work_for_blue_and_for_placements() {
        let better = Some(("X:f2".to_owned(), DRAW));
        let judged =
            Judged { player: Seat::Second, counted: false, before: DRAW, after: loss(7), mark: "?", better };
        assert_eq!(judged.comment(), "Blue threw the draw away: Red now wins in 7 turns. X:f2 was better.");
    }
}
