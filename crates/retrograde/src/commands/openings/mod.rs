//! `openings`: shows the values of all placements in a game that begins with placing pieces, and
//! the best replies; in the terminal or as flashcards.

mod cards;
mod tally;

use std::collections::BTreeSet;

use clap::Args;
use retrograde_explore::{OpenGame, Probe, SearchLimits, TurnValue, Verdict, read_turn};
use retrograde_game::Seat;
use schemars::JsonSchema;
use serde::Serialize;
use tally::{Opening, PlacementCount, count_of, placements_sentence, tally};

use crate::files::cards::{CardArgs, write_cards};
use crate::output::{painted_verdict, player, print_line, reserve_output, sentence, show, thousands};
use crate::program::args::whole;
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult};

/// A placement and its value.
#[derive(Serialize, JsonSchema)]
struct Placement<'a> {
    /// The placement.
    placement: &'a str,
    /// Its value, for the player who makes it.
    #[serde(flatten)]
    verdict: Verdict,
    /// The best reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<&'a str>,
    /// The values of all replies, best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    replies: Option<&'a [PlacementCount]>,
}

/// The values of placements (`openings`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct Placements<'a> {
    /// The canonical name of the game.
    game: &'a str,
    /// The first player's placement, if given; the others are then replies to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    placement: Option<&'a str>,
    /// The value, for the player who places.
    #[serde(flatten)]
    verdict: Verdict,
    /// The values of all placements, best first.
    placements: Vec<PlacementCount>,
    /// The best placements.
    best: Vec<Placement<'a>>,
}

/// Prints the number of placements of each value.
fn print_tally(context: &Context, placements: &[PlacementCount]) -> Result<(), BoxError> {
    placements.iter().try_for_each(|PlacementCount { verdict, count }| {
        let value = painted_verdict(context, *verdict, 12);
        print_line(format!("  {value} {:>9}", thousands((*count).into())))
    })
}

/// Show the best placements in a game that begins with placing pieces
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  retrograde openings pushfight:mini\n  \
                        retrograde openings pushfight:mini 'O:a2,b1 o:c3,c1' --limit 3")]
pub(crate) struct OpeningsArgs {
    /// A game or variant; `games` lists them
    game: String,
    /// Show the replies to this placement by Red, the first player
    placement: Option<String>,
    /// Maximum number of placements to show
    #[arg(long, default_value_t = 10, value_parser = whole::<usize>(10))]
    limit: usize,
    #[command(flatten)]
    cards: CardArgs,
}

pub(crate) fn run(context: &Context, args: &OpeningsArgs) -> CommandResult {
    reserve_output(args.cards.out.as_deref())?;
    let game = &*context.open(&args.game)?;
    if !game.has_table() {
        return Err(game.no_table().into());
    }
    let start = game.start();
    let all = game.probe(&start, Seat::First, &SearchLimits::default())?;
    let places = |turns: &[TurnValue]| match turns.first() {
        Some(turn) => Ok::<_, BoxError>(!game.play(&start, &turn.turn)?.1),
        None => Ok(false),
    };
    if !places(&all.turns_available)? {
        return Err(format!("{} does not begin with placing pieces", game.name()).into());
    }
    if let Some(placement) = &args.placement {
        if args.cards.format.is_some() {
            return Err("flashcards show the best placements; leave out PLACEMENT".into());
        }
        let (_, position) = read_turn(game, &start, Seat::First, placement, false)?;
        // The letters of both players are read, since Blue's turns may be written in either view.
        if let Some(first) = all.turns_available.first()
            && !letters(placement).is_subset(&letters(&first.turn))
        {
            let like = format!("write Red's as in {}", first.turn);
            return Err(format!("placement “{placement}”: these are Blue's pieces; {like}").into());
        }
        return replies(context, game, placement, &position, args.limit);
    }
    let best: Vec<Opening> = all
        .turns_available
        .iter()
        .take(args.limit)
        .map(|turn| Opening::of(game, turn))
        .collect::<Result<_, _>>()?;
    if args.cards.format.is_some() {
        let cards = cards::make_cards(game, &all, &best)?;
        return write_cards(context, &args.cards, game.name(), &cards);
    }
    show(context, &best_placements(game, &all, &best), || print_best(context, game, &all, &best))
}

/// The letters of the pieces in a placement.
fn letters(placement: &str) -> BTreeSet<&str> {
    placement.split(' ').filter_map(|part| part.split_once(':')).map(|(letter, _)| letter).collect()
}

fn best_placements<'a>(game: &'a OpenGame, all: &Probe, best: &'a [Opening]) -> Placements<'a> {
    let best = best.iter().map(|Opening { placement, replies, reply }| Placement {
        placement: &placement.turn,
        verdict: placement.verdict,
        reply: reply.as_ref().map(|reply| &*reply.turn_on_board),
        replies: Some(replies),
    });
    Placements {
        game: game.name(),
        placement: None,
        verdict: all.position.verdict,
        placements: tally(&all.turns_available),
        best: best.collect(),
    }
}

fn print_best(context: &Context, game: &OpenGame, all: &Probe, best: &[Opening]) -> Result<(), BoxError> {
    print_line(format!(
        "{}\n{}",
        game.name(),
        sentence(game, &player(game, Seat::First), all.position.verdict)
    ))?;
    print_line(format!("{}\n", placements_sentence(all)))?;
    print_tally(context, &tally(&all.turns_available))?;
    print_line("\nBest placements, the best reply to each, and replies that win / draw / lose:")?;
    for Opening { placement, replies, reply } in best {
        let reply = reply.as_ref().map_or("", |reply| &reply.turn_on_board);
        let counts: Vec<String> =
            ["win", "draw", "loss"].map(|outcome| thousands(count_of(replies, outcome).into())).into();
        print_line(format!(
            "  {:<24} {} {reply:<24} {}",
            placement.turn_on_board,
            painted_verdict(context, placement.verdict, 11),
            counts.join(" / ")
        ))?;
    }
    Ok(())
}

/// Shows Blue's replies to a placement.
fn replies(
    context: &Context,
    game: &OpenGame,
    placement: &str,
    position: &str,
    limit: usize,
) -> CommandResult {
    let probe = game.probe(position, Seat::Second, &SearchLimits::default())?;
    let best = probe.turns_available.iter().take(limit).map(|turn| Placement {
        placement: &turn.turn_on_board,
        verdict: turn.verdict,
        reply: None,
        replies: None,
    });
    let answer = Placements {
        game: game.name(),
        placement: Some(placement),
        verdict: probe.position.verdict,
        placements: tally(&probe.turns_available),
        best: best.collect(),
    };
    show(context, &answer, || {
        let value = sentence(game, &player(game, Seat::Second), answer.verdict);
        print_line(format!("{} after {placement}\n{value}", game.name()))?;
        print_line(format!("{} replies by Blue:", thousands(probe.turns_available.len() as u128)))?;
        print_tally(context, &answer.placements)?;
        print_line("\nBest replies:")?;
        answer.best.iter().try_for_each(|turn| {
            print_line(format!("  {:<24} {}", turn.placement, painted_verdict(context, turn.verdict, 0)))
        })
    })
}
