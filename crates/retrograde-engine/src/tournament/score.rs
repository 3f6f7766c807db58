//! The result of a match, with its confidence interval.

use std::f64::consts::LN_10;

/// The quantile of the normal distribution for 95%.
pub(super) const Z: f64 = 1.959_963_984_540_054;

/// Wins, draws and losses of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Score {
    /// Counts a game; `None` for a draw.
    pub fn count(&mut self, won: Option<bool>) {
        match won {
            Some(true) => self.wins += 1,
            None => self.draws += 1,
            Some(false) => self.losses += 1,
        }
    }

    /// The score of the other player.
    #[must_use]
    pub fn flipped(self) -> Score {
        Score { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// The number of games.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The points: one for a win, half for a draw.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The points per game, from 0 to 1; `None` without games.
    pub fn share(self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The 95% Wilson interval of the true share. Draws make it wider than necessary, never narrower.
    pub fn interval(self) -> Option<(f64, f64)> {
        (self.games() > 0).then(|| wilson(self.points(), self.games() as f64))
    }

    /// The difference in Elo for a share; `None` if it is infinite.
    pub fn elo(share: f64) -> Option<f64> {
        let elo = -400.0 * (1.0 / share - 1.0).ln() / LN_10;
        // A share of 1/2 is a difference of 0, not -0.
        (share > 0.0 && share < 1.0).then_some(elo + 0.0)
    }
}

/// The 95% Wilson interval of a share, for points out of a number of trials. It is bounded by exactly 0 without
/// points, and by exactly 1 if every trial gave one.
pub(super) fn wilson(points: f64, trials: f64) -> (f64, f64) {
    // Without points the root is exactly `Z` and the bound exactly 0; with a rounding error, the difference in
    // Elo would be finite.
    let least = |points: f64| {
        let root = (Z * Z + 4.0 * points * (trials - points) / trials).sqrt();
        ((2.0 * points + Z * Z - Z * root) / (2.0 * (trials + Z * Z))).max(0.0)
    };
    (least(points), 1.0 - least(trials - points))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 5e-4, "{found} {expected}");
    }

    /// The intervals match published examples of Wilson's formula.
    #[test]
    fn intervals_agree_with_wilsons_formula() {
        for (wins, losses, low, high) in
            [(5, 5, 0.2366, 0.7634), (10, 0, 0.7225, 1.0), (0, 10, 0.0, 0.2775), (81, 182, 0.2553, 0.3662)]
        {
            let score = Score { wins, draws: 0, losses };
            let (found_low, found_high) = score.interval().unwrap();
            near(found_low, low);
            near(found_high, high);
            let (other_low, other_high) = score.flipped().interval().unwrap();
            near(other_low, 1.0 - found_high);
            near(other_high, 1.0 - found_low);
        }
        let mut score = Score::default();
        assert_eq!((score.share(), score.interval()), (None, None));
        [Some(true), None, Some(false), None].into_iter().for_each(|won| score.count(won));
        assert_eq!((score.points(), score.games(), score.share()), (2.0, 4, Some(0.5)));
    }

    #[test]
    fn a_clean_sweep_has_no_bound_in_elo() {
        for games in (1..=2_000).chain([1 << 20, 1_000_000_007, u64::from(u32::MAX)]) {
            let sweep = Score { wins: games, draws: 0, losses: 0 };
            let (low, high) = sweep.interval().unwrap();
            assert_eq!((high, Score::elo(high)), (1.0, None), "{games}");
            assert!(low > 0.0 && Score::elo(low).is_some(), "{games}");
            assert_eq!(sweep.flipped().interval().unwrap().0, 0.0, "{games}");
            let nearly = Score { draws: 1, ..sweep };
            assert!(Score::elo(nearly.interval().unwrap().1).is_some(), "{games}");
        }
    }

    #[test]
    fn elo_follows_the_logistic_curve() {
        near(Score::elo(0.5).unwrap(), 0.0);
        near(Score::elo(10.0 / 11.0).unwrap(), 400.0);
        near(Score::elo(1.0 / 11.0).unwrap(), -400.0);
        assert_eq!((Score::elo(0.0), Score::elo(1.0)), (None, None));
    }
}
