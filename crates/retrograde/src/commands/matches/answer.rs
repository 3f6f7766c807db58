//! The result of a match as JSON.

use std::collections::BTreeMap;
use std::fmt;

use retrograde_engine::tournament::{FinishedGame, Judged, Match, Reason, Score};
use retrograde_game::Seat;
use schemars::JsonSchema;
use serde::Serialize;

/// The names of the two players in JSON.
const PLAYERS: [&str; 2] = ["a", "b"];

/// A match so far.
pub(super) struct MatchResult {
    pub(super) game: String,
    /// The number of games to play.
    pub(super) wanted: u64,
    /// The names of the players.
    pub(super) names: [String; 2],
    /// The score of the first player.
    pub(super) score: Score,
    pub(super) judges: bool,
    pub(super) judged: [Judged; 2],
    pub(super) games: Vec<PlayedGameAnswer>,
}

/// A game of a match.
#[derive(Serialize, JsonSchema)]
pub(super) struct PlayedGameAnswer {
    /// The number of the game, from 1.
    #[schemars(range(min = 1))]
    number: u64,
    /// The player who moved first.
    #[schemars(extend("enum" = ["a", "b"]))]
    first: &'static str,
    /// The winner; null if the game was drawn.
    #[schemars(extend("enum" = ["a", "b", null]))]
    pub(super) winner: Option<&'static str>,
    /// Why the game is over.
    pub(super) reason: Reason,
    /// More about the reason.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) detail: String,
    /// Turns of the opening, which no player chose.
    opening: usize,
    /// All turns, as the first player sees them.
    turns: Vec<String>,
    /// The file with its record (`--records`).
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<String>,
}

/// A player and its result.
#[derive(Serialize, JsonSchema)]
pub(super) struct PlayerAnswer<'a> {
    /// The name that it reports.
    name: &'a str,
    /// Games won.
    wins: u64,
    /// Games drawn.
    draws: u64,
    /// Games lost.
    losses: u64,
    /// Points per game (win 1, draw ½); null without games.
    #[schemars(range(min = 0, max = 1))]
    score: Option<f64>,
    /// The lower end of its 95% confidence interval (Wilson).
    #[schemars(range(min = 0, max = 1))]
    score_low: Option<f64>,
    /// The upper end.
    #[schemars(range(min = 0, max = 1))]
    score_high: Option<f64>,
    /// The score as an Elo difference; null if infinite.
    elo: Option<f64>,
    /// The same for `score_low`.
    elo_low: Option<f64>,
    /// The same for `score_high`.
    elo_high: Option<f64>,
    /// Lost games by reason.
    #[schemars(with = "BTreeMap<Reason, std::num::NonZeroU64>", extend("propertyNames" = {"$ref": "#/$defs/Reason"}))]
    losses_by_reason: BTreeMap<Reason, u64>,
    /// Its turns as the table judges them; omitted without a table or with `--no-judge`.
    #[serde(skip_serializing_if = "Option::is_none")]
    judged: Option<Judged>,
}

/// A match (`match`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct MatchAnswer<'a> {
    /// The canonical name of the game.
    game: &'a str,
    /// Whether all games were played.
    complete: bool,
    /// The first player on the command line.
    a: PlayerAnswer<'a>,
    /// The second one.
    b: PlayerAnswer<'a>,
    /// The games so far.
    games: &'a [PlayedGameAnswer],
}

impl fmt::Display for PlayedGameAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}: {}", self.number, self.detail)
    }
}

impl MatchResult {
    pub(super) fn new(game: &str, plan: &Match, judges: bool) -> MatchResult {
        MatchResult {
            game: game.to_owned(),
            wanted: plan.games,
            names: plan.entrants.each_ref().map(ToString::to_string),
            score: Score::default(),
            judges,
            judged: [Judged::default(); 2],
            games: Vec::new(),
        }
    }

    /// Adds a game that is over.
    pub(super) fn add(&mut self, names: &[String; 2], finished: &FinishedGame, record: Option<String>) {
        self.names.clone_from(names);
        let winner = finished.winner();
        self.score.count(winner.map(|player| player == 0));
        self.games.push(PlayedGameAnswer {
            number: finished.number,
            first: PLAYERS[finished.player_of(Seat::First)],
            winner: winner.map(|player| PLAYERS[player]),
            reason: finished.ending.reason,
            detail: finished.ending.detail.clone(),
            opening: finished.opening,
            turns: finished.played.turns_on_board().to_vec(),
            record,
        });
    }

    pub(super) fn is_complete(&self) -> bool {
        self.games.len() as u64 == self.wanted
    }

    /// The names, made distinct if they are equal.
    pub(super) fn distinct_names(&self) -> [String; 2] {
        let [one, two] = &self.names;
        if one == two { [format!("{one} (A)"), format!("{two} (B)")] } else { self.names.clone() }
    }

    /// The result so far, as a line of text.
    pub(super) fn score_line(&self) -> String {
        let [one, two] = self.distinct_names();
        let Score { wins, draws, losses } = self.score;
        format!("{one} – {two}: {wins} won, {draws} drawn, {losses} lost")
    }

    /// The number of games that a player, 0 or 1, won for each reason, or of draws.
    pub(super) fn reasons(&self, winner: Option<usize>) -> BTreeMap<Reason, u64> {
        let winner = winner.map(|player| PLAYERS[player]);
        let mut reasons = BTreeMap::new();
        for game in self.games.iter().filter(|game| game.winner == winner) {
            *reasons.entry(game.reason).or_default() += 1;
        }
        reasons
    }

    pub(super) fn answer(&self) -> MatchAnswer<'_> {
        let player = |player: usize| {
            let score = if player == 0 { self.score } else { self.score.flipped() };
            let (low, high) = score.interval().unzip();
            let elo = |share: Option<f64>| share.and_then(Score::elo);
            PlayerAnswer {
                name: &self.names[player],
                wins: score.wins,
                draws: score.draws,
                losses: score.losses,
                score: score.share(),
                score_low: low,
                score_high: high,
                elo: elo(score.share()),
                elo_low: elo(low),
                elo_high: elo(high),
                losses_by_reason: self.reasons(Some(1 - player)),
                judged: self.judges.then_some(self.judged[player]),
            }
        };
        let complete = self.is_complete();
        MatchAnswer { game: &self.game, complete, a: player(0), b: player(1), games: &self.games }
    }
}
