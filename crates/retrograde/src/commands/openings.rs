//! `openings`: the values of all placements in a game that begins with placing pieces, and the best
//! answers to them.

use std::collections::BTreeMap;

use clap::Args;
use retrograde_explore::{Explore, SearchLimits, TurnValue, Verdict};
use retrograde_game::Seat;
use serde_json::json;

use crate::args::number;
use crate::context::{BoxError, CommandResult, Context, Exit};
use crate::output::{player, print_json, print_line, sentence, thousands, verdict};

/// Orders verdicts from best to worst for the player who has them.
fn rank(verdict: Verdict) -> (u8, i32) {
    let turns = i32::from(verdict.turns.unwrap_or(0));
    match verdict.outcome {
        "win" => (0, turns),
        "draw" => (1, 0),
        "loss" => (2, -turns),
        _ => (3, 0),
    }
}

/// Counts turns by value, best first.
fn tally(turns: &[TurnValue]) -> Vec<(Verdict, u64)> {
    let mut tally: BTreeMap<(u8, i32), (Verdict, u64)> = BTreeMap::new();
    for turn in turns {
        tally.entry(rank(turn.verdict)).or_insert((turn.verdict, 0)).1 += 1;
    }
    tally.into_values().collect()
}

/// Turns with this outcome.
fn count_of(tally: &[(Verdict, u64)], outcome: &str) -> u64 {
    tally.iter().filter(|(verdict, _)| verdict.outcome == outcome).map(|(_, count)| count).sum()
}

fn tally_json(tally: &[(Verdict, u64)]) -> serde_json::Value {
    tally
        .iter()
        .map(|(verdict, count)| json!({"outcome": verdict.outcome, "turns": verdict.turns, "count": count}))
        .collect()
}

/// Prints the number of placements of each value.
fn print_tally(tally: &[(Verdict, u64)]) -> Result<(), BoxError> {
    for (value, count) in tally {
        print_line(format!("  {:<12} {:>9}", verdict(*value), thousands((*count).into())))?;
    }
    Ok(())
}

/// The options of `openings`.
#[derive(Args, Debug)]
pub(crate) struct OpeningsArgs {
    /// A game, such as pushfight:mini
    game: String,
    /// A placement of Red, the first player: show the answers to it
    placement: Option<String>,
    /// The most placements to show
    #[arg(
        long,
        default_value_t = 10,
        value_name = "N",
        value_parser = number::<usize>(0..=u64::MAX, "--limit 10")
    )]
    limit: usize,
}

pub(crate) fn run(context: &Context, args: &OpeningsArgs) -> CommandResult {
    context.with_game(&args.game, |game| {
        if !game.has_table() {
            return Err(game.no_table().into());
        }
        let start = game.start();
        let limits = SearchLimits::default();
        let all = game.probe(&start, Seat::First, &limits)?;
        let places = |turns: &[TurnValue]| match turns.first() {
            Some(turn) => Ok::<_, BoxError>(!game.play(&start, &turn.turn)?.1),
            None => Ok(false),
        };
        if !places(&all.turns_available)? {
            return Err(format!("{} does not begin with placing pieces", game.name()).into());
        }
        if let Some(placement) = &args.placement {
            let (position, _) = game.play(&start, placement)?;
            return replies(context, game, placement, &position, args.limit);
        }
        let values = tally(&all.turns_available);
        let mut best = Vec::new();
        for turn in all.turns_available.iter().take(args.limit) {
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
            return Ok(Exit::Success);
        }
        let count = |outcome| thousands(count_of(&values, outcome).into());
        print_line(format!("{}: {}", game.name(), sentence(&player(game, Seat::First), all.verdict)))?;
        print_line(format!(
            "Of {} placements of Red {} win, {} draw and {} lose.\n",
            thousands(all.turns_available.len() as u128),
            count("win"),
            count("draw"),
            count("loss")
        ))?;
        print_tally(&values)?;
        print_line("\nThe best ones, the best answer, and how many answers win, draw and lose:")?;
        for (turn, replies, reply) in &best {
            let reply = reply.as_ref().map_or("", |reply| &reply.turn_on_board);
            let counts: Vec<String> =
                ["win", "draw", "loss"].map(|outcome| thousands(count_of(replies, outcome).into())).into();
            print_line(format!(
                "  {:<24} {:<11} {reply:<24} {}",
                turn.turn,
                verdict(turn.verdict),
                counts.join(" / ")
            ))?;
        }
        Ok(Exit::Success)
    })
}

/// Shows the second player's answers to a placement.
fn replies(
    context: &Context,
    game: &dyn Explore,
    placement: &str,
    position: &str,
    limit: usize,
) -> CommandResult {
    let probe = game.probe(position, Seat::Second, &SearchLimits::default())?;
    let values = tally(&probe.turns_available);
    let best = probe.turns_available.iter().take(limit);
    if context.json {
        let best: Vec<_> = best
            .map(|turn| json!({"placement": turn.turn_on_board, "outcome": turn.verdict.outcome, "turns": turn.verdict.turns}))
            .collect();
        print_json(&json!({"game": game.name(), "placement": placement, "outcome": probe.verdict.outcome,
            "turns": probe.verdict.turns, "placements": tally_json(&values), "best": best}))?;
        return Ok(Exit::Success);
    }
    print_line(format!(
        "{} after {placement}: {}",
        game.name(),
        sentence(&player(game, Seat::Second), probe.verdict)
    ))?;
    print_line(format!("{} answers, for Blue:", thousands(probe.turns_available.len() as u128)))?;
    print_tally(&values)?;
    print_line("\nThe best ones:")?;
    for turn in best {
        print_line(format!("  {:<24} {}", turn.turn_on_board, verdict(turn.verdict)))?;
    }
    Ok(Exit::Success)
}
