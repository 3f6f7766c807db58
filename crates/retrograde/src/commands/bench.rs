//! `bench`: scores players on an evaluation set. `docs/data-sets.md` describes sets and measures.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::TypedValueParser;
use retrograde_engine::tournament::{Bench, BenchScores, Entrant, Measure, bench, expected_of_random, score};
use retrograde_explore::OpenGame;
use retrograde_explore::export::{EvaluationRow, Split};
use retrograde_game::Random;
use retrograde_solve::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::files::read_text;
use crate::output::progress::ProgressDisplay;
use crate::output::{plural, print_line, show, wrapped};
use crate::program::args::{PatienceArgs, SeedArgs, number, parse_seconds, word};
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult};

/// The maximum size of a file of answers in bytes.
const MAX_BYTES: u64 = 1 << 30;
/// The name of the baseline.
const BASELINE: &str = "random";

/// Score players on an evaluation set
#[derive(Args, Debug)]
#[command(after_help = "Every measure has a 95% confidence interval. The first player, `random`, is not\n\
                  played but computed: the exact average of random turns. docs/data-sets.md\n\
                  describes evaluation sets and measures.\n\nExamples:\n  \
                        retrograde export evaluation {game} --out set\n  \
                        retrograde bench {game} set 3 ./my-engine\n  \
                        retrograde bench {game} set --answers answers.jsonl --markdown")]
pub(crate) struct BenchArgs {
    /// The game of the set
    game: String,
    /// The folder of the set, which `export evaluation` wrote
    #[arg(value_name = "DIR")]
    set: PathBuf,
    /// Players, as in `match`: perfect, a number of turns to look ahead (3, or 3,errs=15%), or the
    /// command line of a UGI engine
    #[arg(value_name = "PLAYER")]
    players: Vec<Entrant>,
    /// File of answers to score, a JSON object per line: {"position": …, "turn": …}
    #[arg(long, value_name = "FILE")]
    answers: Vec<String>,
    /// Part of the set
    #[arg(long, value_name = "SPLIT", default_value = "test", value_parser = splits())]
    split: Split,
    /// Use only a random sample of this many positions
    #[arg(long, value_parser = number::<usize>(1..=1_000_000, 100))]
    positions: Option<usize>,
    #[command(flatten)]
    seed: SeedArgs,
    /// Seconds per turn
    #[arg(long, default_value = "1", value_parser = parse_seconds)]
    time: Duration,
    #[command(flatten)]
    patience: PatienceArgs,
    /// Print a Markdown table with a row per player
    #[arg(long)]
    markdown: bool,
}

fn splits() -> impl TypedValueParser<Value = Split> {
    word(Split::ALL.map(|split| (split.word(), split)))
}

/// Players scored on an evaluation set (`bench`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct BenchAnswer<'a> {
    /// The canonical name of the game.
    game: &'a str,
    /// The folder of the set.
    set: String,
    /// Its part.
    #[schemars(extend("enum" = ["train", "validation", "test"]))]
    split: &'static str,
    /// The players, after a baseline: the exact expectation of random turns.
    players: Vec<BenchPlayer>,
}

/// A player and its scores.
#[derive(Serialize, JsonSchema)]
struct BenchPlayer {
    /// The strength, the command line of the program, or the file of answers.
    name: String,
    /// Its scores.
    #[serde(flatten)]
    scores: BenchScores,
    /// Why the first failure happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_failure: Option<String>,
    /// Answers to positions that are not in this part of the set; they were ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    ignored: Option<usize>,
}

/// A line of a file of answers.
#[derive(Deserialize)]
struct Answer {
    position: String,
    turn: String,
}

pub(crate) fn run(context: &Context, args: &BenchArgs) -> CommandResult {
    let game = context.open(&args.game)?;
    let mut set = game.read_evaluation(&args.set, args.split)?;
    if let Some(count) = args.positions {
        Random::new(args.seed.seed).shuffle(&mut set);
        set.truncate(count);
    }
    let player = |name: &str, scores| BenchPlayer {
        name: name.to_owned(),
        scores,
        first_failure: None,
        ignored: None,
    };
    let mut players = vec![player(BASELINE, expected_of_random(&set))];
    for file in &args.answers {
        let (answers, ignored) = read_answers(&game, file, &set)?;
        let scores = score(set.iter().zip(answers.iter().map(|&place| vec![(place, 1.0)])));
        players.push(BenchPlayer { ignored: Some(ignored), ..player(file, scores) });
    }
    let rules = Bench {
        time: args.time,
        margin: args.patience.margin,
        timeout: args.patience.timeout,
        seed: args.seed.seed,
    };
    ProgressDisplay::during(|bar| {
        for entrant in &args.players {
            bar.stage(&format!("asking {entrant}"), set.len() as u64);
            let next = || {
                bar.advance(1);
                !bar.stopped()
            };
            let answers = bench(&game, entrant, &set, &rules, &next)?;
            let first_failure = set.iter().zip(&answers).find_map(|(position, answer)| {
                let reason = answer.as_ref().err()?;
                Some(format!("{}: {reason}", position.position))
            });
            let chosen = answers.iter().map(|answer| answer.iter().map(|&place| (place, 1.0)).collect());
            let scores = score(set.iter().zip(chosen));
            players.push(BenchPlayer { first_failure, ..player(&entrant.to_string(), scores) });
        }
        Ok::<_, BoxError>(())
    })?;
    let set = args.set.display().to_string();
    let answer = BenchAnswer { game: game.name(), set, split: args.split.word(), players };
    show(context, &answer, || if args.markdown { print_line(answer.markdown()) } else { answer.print() })
}

/// The reason why a line is not an answer. The error counts its lines from this one, so it always says line 1.
fn without_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let reason = text.rsplit_once(" at line ").map_or(&*text, |(reason, _)| reason);
    match error.is_syntax() {
        true => format!("this is not JSON: {reason} (column {})", error.column()),
        false => format!("{reason} (column {})", error.column()),
    }
}

/// Reads a file of answers: the place of the turn in the list of each position, and the number of answers for
/// other positions.
fn read_answers(game: &OpenGame, file: &str, set: &[EvaluationRow]) -> Result<(Vec<usize>, usize), BoxError> {
    let text = read_text("answers", file, MAX_BYTES)?;
    let places: HashMap<&str, usize> = (0..).zip(set).map(|(at, one)| (&*one.position, at)).collect();
    let mut chosen: Vec<Option<usize>> = vec![None; set.len()];
    let mut ignored = 0;
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = |reason: String| format!("“{file}”, line {number}: {reason}");
        let Answer { position, turn } =
            serde_json::from_str(line).map_err(|error| wrong(without_line(&error)))?;
        let canonical = game.canonical(&position).map_err(|error| wrong(error.to_string()))?;
        let Some(&at) = places.get(&*canonical) else {
            ignored += 1;
            continue;
        };
        let (next, _) = game.play(&position, &turn).map_err(|error| wrong(error.to_string()))?;
        let place = set[at].turns_available.iter().position(|known| known.turn_position == next);
        if chosen[at]
            .replace(place.ok_or_else(|| wrong(format!("{turn} is not a turn of the set")))?)
            .is_some()
        {
            return Err(wrong(format!("this is the second answer for {position}")).into());
        }
    }
    let missing = chosen.iter().filter(|answer| answer.is_none()).count();
    if let Some(at) = chosen.iter().position(Option::is_none) {
        let (count, first) = (plural(missing, "position"), &set[at].position);
        return Err(format!("“{file}” lacks answers for {count} of the set; the first is {first}").into());
    }
    Ok((chosen.into_iter().flatten().collect(), ignored))
}

/// The measures that text and Markdown show: a title, a function, and whether it is a share.
type Column = (&'static str, fn(&BenchScores) -> Option<Measure>, bool);

const COLUMNS: [Column; 7] = [
    ("best turn", |scores| scores.optimal_rate, true),
    ("best turn, won positions", |scores| scores.optimal_rate_won, true),
    ("outcome kept", |scores| scores.outcome_kept_rate, true),
    ("outcome kept, won positions", |scores| scores.outcome_kept_rate_won, true),
    ("outcome kept, drawn positions", |scores| scores.outcome_kept_rate_drawn, true),
    ("outcome lost", |scores| scores.outcome_regret, false),
    ("turns lost", |scores| scores.turns_regret, false),
];

/// A measure in words, such as `31.2% (27.5 to 35.0)`.
fn words(measure: Option<Measure>, is_share: bool) -> String {
    let Some(Measure { value, low, high }) = measure else { return "–".to_owned() };
    match is_share {
        true => format!("{:.1}% ({:.1} to {:.1})", value * 100.0, low * 100.0, high * 100.0),
        false => format!("{value:.3} ({low:.3} to {high:.3})"),
    }
}

impl BenchAnswer<'_> {
    fn print(&self) -> Result<(), BoxError> {
        let BenchAnswer { game, set, split, players } = self;
        let positions = plural(players[0].scores.positions, "position");
        print_line(wrapped(&format!("{game}: {positions} of “{set}” ({split}), 95% intervals"), 2))?;
        for BenchPlayer { name, scores, first_failure, ignored } in players {
            print_line("")?;
            print_line(wrapped(name, 2))?;
            for (title, measure, is_share) in COLUMNS {
                print_line(format!("  {title:<29}  {}", words(measure(scores), is_share)))?;
            }
            if let Some(first) = first_failure {
                let failures = plural(scores.failures, "position");
                let line = format!("  no legal turn in time in {failures}; the first is {first}");
                print_line(wrapped(&line, 4))?;
            }
            if let Some(ignored) = ignored.filter(|&ignored| ignored > 0) {
                print_line(format!("  ignored {} of other positions", plural(ignored, "answer")))?;
            }
        }
        Ok(())
    }

    fn markdown(&self) -> String {
        let titles = COLUMNS.map(|(title, ..)| format!(" {title} |")).concat();
        let mut text = format!("| player |{titles} failures |\n|---|{}---|", "---|".repeat(COLUMNS.len()));
        for BenchPlayer { name, scores, .. } in &self.players {
            let cells = COLUMNS.map(|(_, measure, share)| format!(" {} |", words(measure(scores), share)));
            let name = name.replace('|', "\\|");
            text += &format!("\n| {name} |{} {} |", cells.concat(), scores.failures);
        }
        text
    }
}
