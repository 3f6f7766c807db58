//! Matches between two players, which are engines or strengths: a referee plays the games by the rules, a
//! table judges the turns, and the result comes with a confidence interval.

mod bench;
mod built_in_player;
mod clock;
mod judge;
mod openings;
mod player;
mod program;
mod referee;
mod score;
mod series;

pub use bench::{Bench, BenchScores, Measure, bench, expected_of_random, score};
pub use clock::TimeControl;
pub(crate) use clock::share_of_clock;
pub use judge::{Judged, judge};
pub use openings::Openings;
pub use player::{Entrant, Forfeit, Reason};
pub use referee::{Ending, FinishedGame, Rulebook};
pub use score::Score;
pub use series::{Match, OnGame, play};
