//! `openings`: where a game begins with placing pieces, what each placement is worth, and what the other side answers.

use std::collections::BTreeMap;

use retrograde_explore::{Explore, SearchLimits, TurnValue, Verdict};
use retrograde_game::Seat;
use serde_json::json;

use super::{Answer, print_json, say, with_game};
use crate::output::{player, sentence, thousands, verdict};
use crate::{Context, Ended, Failure};

/// How good a verdict is for the player who has it, best first.
fn rank(verdict: Verdict) -> (u8, i32) {
    let turns = i32::from(verdict.turns.unwrap_or(0));
    match verdict.outcome {
        "win" => (0, turns),
        "draw" => (1, 0),
        "loss" => (2, -turns),
        _ => (3, 0),
    }
}

/// Values and how many turns have each, best first.
fn tally(turns: &[TurnValue]) -> Vec<(Verdict, u64)> {
    let mut tally: BTreeMap<(u8, i32), (Verdict, u64)> = BTreeMap::new();
    for turn in turns {
        tally.entry(rank(turn.verdict)).or_insert((turn.verdict, 0)).1 += 1;
    }
    tally.into_values().collect()
}

fn of(tally: &[(Verdict, u64)], outcome: &str) -> u64 {
    tally.iter().filter(|(verdict, _)| verdict.outcome == outcome).map(|(_, count)| count).sum()
}

fn tally_json(tally: &[(Verdict, u64)]) -> serde_json::Value {
    tally
        .iter()
        .map(|(verdict, count)| json!({"outcome": verdict.outcome, "turns": verdict.turns, "count": count}))
        .collect()
}

/// Says how many placements have which value.
fn say_tally(tally: &[(Verdict, u64)]) -> Result<(), Failure> {
    for (value, count) in tally {
        say(format!("  {:<12} {:>9}", verdict(*value), thousands((*count).into())))?;
    }
    Ok(())
}

pub(super) fn openings(context: &Context, name: &str, placement: Option<&str>, limit: usize) -> Answer {
    with_game(context, name, |game| {
        if !game.has_table() {
            return Err(retrograde_explore::Error::NoTable { game: game.name().to_owned() }.into());
        }
        let start = game.start();
        let limits = SearchLimits::default();
        let all = game.probe(&start, Seat::First, &limits)?;
        let places = |turns: &[TurnValue]| match turns.first() {
            Some(turn) => Ok::<_, Failure>(!game.play(&start, &turn.turn)?.1),
            None => Ok(false),
        };
        if !places(&all.turns_available)? {
            return Err(format!("{} does not begin with placing pieces", game.name()).into());
        }
        if let Some(placement) = placement {
            let (position, _) = game.play(&start, placement)?;
            return replies(context, game, placement, &position, limit);
        }
        let values = tally(&all.turns_available);
        let mut best = Vec::new();
        for turn in all.turns_available.iter().take(limit) {
            let answers = game.probe(&turn.position, Seat::Second, &limits)?.turns_available;
            best.push((turn, tally(&answers), answers.into_iter().next()));
        }
        if context.json {
            let best: Vec<_> = best
                .iter()
                .map(|(turn, replies, reply)| {
                    json!({"placement": turn.turn, "outcome": turn.verdict.outcome, "turns": turn.verdict.turns,
                        "reply": reply.as_ref().map(|reply| &reply.turn_on_board), "replies": tally_json(replies)})
                })
                .collect();
            print_json(
                &json!({"game": game.name(), "outcome": all.verdict.outcome, "turns": all.verdict.turns,
                "placements": tally_json(&values), "best": best}),
            )?;
            return Ok(Ended::Well);
        }
        let count = |outcome| thousands(of(&values, outcome).into());
        say(format!("{}: {}", game.name(), sentence(&player("first"), all.verdict)))?;
        say(format!(
            "Of {} placements of the first player {} win, {} draw and {} lose.\n",
            thousands(all.turns_available.len() as u128),
            count("win"),
            count("draw"),
            count("loss")
        ))?;
        say_tally(&values)?;
        say("\nThe best ones, the best answer, and how many answers win, draw and lose:")?;
        for (turn, replies, reply) in &best {
            let reply = reply.as_ref().map_or("", |reply| &reply.turn_on_board);
            let counts: Vec<String> =
                ["win", "draw", "loss"].map(|outcome| thousands(of(replies, outcome).into())).into();
            say(format!(
                "  {:<24} {:<11} {reply:<24} {}",
                turn.turn,
                verdict(turn.verdict),
                counts.join(" / ")
            ))?;
        }
        Ok(Ended::Well)
    })
}

/// What the second player can answer to a placement.
fn replies(context: &Context, game: &dyn Explore, placement: &str, position: &str, limit: usize) -> Answer {
    let probe = game.probe(position, Seat::Second, &SearchLimits::default())?;
    let values = tally(&probe.turns_available);
    let best = probe.turns_available.iter().take(limit);
    if context.json {
        let best: Vec<_> = best
            .map(|turn| json!({"placement": turn.turn_on_board, "outcome": turn.verdict.outcome, "turns": turn.verdict.turns}))
            .collect();
        print_json(&json!({"game": game.name(), "placement": placement, "outcome": probe.verdict.outcome,
            "turns": probe.verdict.turns, "placements": tally_json(&values), "best": best}))?;
        return Ok(Ended::Well);
    }
    say(format!("{} after {placement}: {}", game.name(), sentence(&player("second"), probe.verdict)))?;
    say(format!("{} answers, for the second player:", thousands(probe.turns_available.len() as u128)))?;
    say_tally(&values)?;
    say("\nThe best ones:")?;
    for turn in best {
        say(format!("  {:<24} {}", turn.turn_on_board, verdict(turn.verdict)))?;
    }
    Ok(Ended::Well)
}
