//! The result of a match as text.

use retrograde_engine::tournament::{Judged, Reason, Score};

use super::answer::MatchResult;
use crate::output::{plural, print_line, wrapped};
use crate::program::exit::BoxError;

/// The maximum length of a name in a table.
const NAME: usize = 24;
/// The maximum number of lost games to give details of.
const MAX_DETAILS: usize = 5;

pub(super) fn print(result: &MatchResult) -> Result<(), BoxError> {
    let [one, two] = result.distinct_names();
    let Score { wins, draws, losses } = result.score;
    print_line(format!("{}: {}", result.game, plural(result.games.len(), "game")))?;
    print_line(wrapped(&format!("{one} against {two}: {wins} won, {draws} drawn, {losses} lost"), 2))?;
    if let Some(line) = score_line(result.score) {
        print_line(wrapped(&line, 2))?;
    }
    for (player, name) in [&one, &two].into_iter().enumerate() {
        let losses = result.reasons(Some(1 - player)).into_iter();
        let losses: Vec<String> =
            losses.filter(|(reason, _)| *reason != Reason::Rules).map(counted).collect();
        if !losses.is_empty() {
            print_line(wrapped(&format!("{name} lost {}.", losses.join(", ")), 2))?;
        }
    }
    let details = result.games.iter().filter(|game| !game.detail.is_empty());
    for game in details.take(MAX_DETAILS) {
        print_line(wrapped(&format!("  {game}"), 4))?;
    }
    let draws: Vec<String> = result.reasons(None).into_iter().rev().map(counted).collect();
    if !draws.is_empty() {
        print_line(wrapped(&format!("Draws: {}.", draws.join(", ")), 2))?;
    }
    if result.judges {
        print_judged([&one, &two], &result.judged)?;
    }
    Ok(())
}

/// The score, and its Elo difference.
fn score_line(score: Score) -> Option<String> {
    let (share, (low, high)) = (score.share()?, score.interval()?);
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    let elo = |share: f64| match Score::elo(share) {
        Some(elo) => format!("{elo:+.0}"),
        None if share > 0.5 => "+∞".to_owned(),
        None => "-∞".to_owned(),
    };
    Some(format!(
        "Score {}% (95% interval {} to {}), Elo {} ({} to {})",
        percent(share),
        percent(low),
        percent(high),
        elo(share),
        elo(low),
        elo(high)
    ))
}

/// The text for a number of games that ended for a reason.
fn counted((reason, count): (Reason, u64)) -> String {
    let reason = match reason {
        Reason::Rules => "the rules",
        Reason::Repetition => "repetition",
        Reason::Longest => "too many turns",
        Reason::IllegalTurn => "an illegal turn",
        Reason::Timeout => "time",
        Reason::Crash => "a crash",
    };
    format!("{count} by {reason}")
}

/// Prints the judgement as a table.
fn print_judged(names: [&String; 2], judged: &[Judged; 2]) -> Result<(), BoxError> {
    print_line("\nJudged by the table:")?;
    let cut = |name: &str| name.chars().take(NAME).collect::<String>();
    let wide = names.iter().map(|name| cut(name).chars().count()).max().unwrap_or(0);
    print_line(format!(
        "  {:wide$}  {:>7}  {:>7}  {:>11}  {:>10}",
        "", "turns", "best", "thrown away", "turns lost"
    ))?;
    for (name, judged) in names.into_iter().zip(judged) {
        let best = match judged.turns {
            0 => "–".to_owned(),
            turns => format!("{:.1}%", judged.best as f64 / turns as f64 * 100.0),
        };
        print_line(format!(
            "  {:wide$}  {:>7}  {best:>7}  {:>11}  {:>10}",
            cut(name),
            judged.turns,
            judged.thrown_away(),
            judged.turns_lost
        ))?;
    }
    for (name, Judged { win_to_draw, win_to_loss, draw_to_loss, slower, .. }) in
        names.into_iter().zip(*judged)
    {
        let of = [
            (win_to_draw, "win → draw"),
            (win_to_loss, "win → loss"),
            (draw_to_loss, "draw → loss"),
            (slower, "slower"),
        ];
        let of: Vec<String> = of
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        if !of.is_empty() {
            print_line(wrapped(&format!("  {name}: {}", of.join(", ")), 4))?;
        }
    }
    Ok(())
}
