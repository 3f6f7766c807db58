//! `rules`: the rules of a game in a few sentences, with small boards.

use retrograde_game::Seat;
use schemars::JsonSchema;
use serde::Serialize;

use crate::request::view::View;
use crate::{Error, OpenGame, Question, Route};

pub(super) const ROUTE: Route = Route {
    path: "rules",
    name: "rules",
    topic: "games",
    summary: "The rules in a few sentences, with small boards, and what the numbers mean: `rules --json`",
    description: "",
    params: &[],
    body: None,
    answer: ("The rules", "Rules"),
    refusals: &[(404, "There is no such game")],
    read: |_, _| Ok(Question::new(0, |game, _| game.rules())),
};

/// The rules of a game, for people (`rules`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Rules {
    /// The canonical name of the game.
    pub game: String,
    /// The display name.
    pub title: String,
    /// The game in one sentence.
    pub summary: String,
    /// The rules in about five sentences; may be empty.
    pub sentences: Vec<String>,
    /// Three turns that show them; may be empty.
    pub examples: Vec<RulesExample>,
    /// The meaning of the numbers on turns.
    pub values: String,
}

/// A turn that shows a rule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct RulesExample {
    /// The sentence below it.
    pub caption: String,
    /// The board with a turn of Red marked.
    pub(crate) view: View,
}

impl OpenGame {
    /// The rules of the game.
    ///
    /// # Errors
    /// If the game describes an example that is not legal.
    pub fn rules(&self) -> Result<Rules, Error> {
        let about = &*self.entry;
        let mut examples = Vec::with_capacity(about.guide.examples.len());
        for example in &about.guide.examples {
            let view = View::new(self, &example.position, Seat::First, Some(&example.turn))?;
            examples.push(RulesExample { caption: example.caption.clone(), view });
        }
        Ok(Rules {
            game: self.name().to_owned(),
            title: about.title.clone(),
            summary: about.summary.clone(),
            sentences: about.guide.sentences.clone(),
            examples,
            values: self.meaning_of_values(),
        })
    }

    /// The meaning of the numbers on turns, in a few sentences.
    fn meaning_of_values(&self) -> String {
        let (entry, game) = (&self.entry, &self.entry.game);
        let mut text = "A value says who wins with perfect play, and in how many turns. Turns of both players \
                    count; the winner plays for the quickest win, and the loser for the longest game. The value \
                    of a turn is for the player who plays it, and counts that turn too."
        .to_owned();
        if !game.turn_is_counted(&game.start()) {
            text.push_str(" Placing the pieces does not count as a turn.");
        }
        if !entry.graded {
            text.push_str(" A draw (=) is a position in which neither side can force a win.");
        }
        text.push_str(" Unknown (?) means that the value was not computed here; it is not a draw.");
        if let Some(values) = &self.values {
            if !values.facts().has_turns {
                text.push_str(" The table of this game has outcomes only, not the turns to the end.");
            }
            if let Some(horizon) = values.facts().horizon {
                text.push_str(&format!(
                    " This game was solved up to {} turns: draws and longer games are unknown.",
                    horizon.0
                ));
            }
        }
        text
    }
}
