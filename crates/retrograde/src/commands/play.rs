//! `play`: a game against the table, or against a search if there is none.
//!
//! With a strength the machine looks only that many turns ahead and takes later ends for draws.
//! Among equal turns it chooses at random. Turns are shown and read in the coordinates of the
//! board, which are the first player's; files have them in the coordinates of the player who makes
//! them, as `annotate` reads them.

use std::io::{BufRead, IsTerminal, Write};

use clap::Args;
use retrograde_explore::{Explore, Probe, SearchLimits, TurnValue, Verdict, read_turn, turn_on_board};
use retrograde_game::{Random, Seat};

use crate::args::SearchArgs;
use crate::context::{BoxError, CommandResult, Context, Exit};
use crate::files::write_file;
use crate::output::{board, count, print_line, verdict, wrapped};

/// The options of `play`.
#[derive(Args, Debug)]
pub(crate) struct PlayArgs {
    /// A game, such as touchdown:5x4
    game: String,
    /// The position to begin with [default: the start]
    position: Option<String>,
    /// Look only N turns ahead: take later ends for draws [default: to the end]
    #[arg(long, value_name = "N")]
    strength: Option<u16>,
    /// You are the second player
    #[arg(long)]
    second: bool,
    /// Seed of the random choices
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    #[command(flatten)]
    search: SearchArgs,
}

/// The most turns that `turns` lists: about one screen.
const MAX_LISTED: usize = 60;

const HELP: &str = "\
Type a turn as you see it on the board, or its number in the list of turns.
Other words:
  turns       list the turns        undo        take your last turn back
  hint        a best turn           swap        change sides
  eval        who wins              save FILE   write the turns to a file
  strength N  look N turns ahead    strength    look to the end
  help        these lines           quit";

/// A game in progress.
struct Session<'a> {
    context: &'a Context,
    game: &'a dyn Explore,
    limits: SearchLimits,
    /// Turns that the machine looks ahead; `None` for to the end.
    strength: Option<u16>,
    random: Random,
    human: Seat,
    /// Positions so far, and the turns between them.
    positions: Vec<String>,
    turns: Vec<String>,
}

pub(crate) fn run(context: &Context, args: &PlayArgs) -> CommandResult {
    if context.json {
        return Err(
            "`play` talks with people and has no --json; `probe --json` gives values and turns".into()
        );
    }
    context.with_game(&args.game, |game| {
        let mut limits = args.search.limits();
        // A player should not wait long.
        limits.time = limits.time.min(std::time::Duration::from_secs(10));
        let start = game.canonical(args.position.as_deref().unwrap_or(&game.start()))?;
        let mut session = Session {
            context,
            game,
            limits,
            strength: args.strength,
            random: Random::new(args.seed),
            human: if args.second { Seat::Second } else { Seat::First },
            positions: vec![start],
            turns: Vec::new(),
        };
        print_line(HELP)?;
        if !game.has_table() {
            print_line(wrapped(
                &format!(
                    "There is no table of {0}, so I search, and shall not always know the best turn; \
                     `retrograde plan {1}` says what a table would take.",
                    game.name(),
                    game.command_name()
                ),
                0,
            ))?;
        }
        session.run()?;
        Ok(Exit::Success)
    })
}

impl Session<'_> {
    fn position(&self) -> &str {
        self.positions.last().map_or("", String::as_str)
    }

    fn to_move(&self) -> Seat {
        if self.turns.len().is_multiple_of(2) { Seat::First } else { Seat::Second }
    }

    fn run(&mut self) -> Result<(), BoxError> {
        let mut input = std::io::stdin().lock().lines();
        loop {
            print_line(format!(
                "\n{}",
                board(self.context, self.game, self.position(), self.to_move(), None)?
            ))?;
            let available = self.game.turns(self.position())?;
            if available.is_empty() {
                let (value, _) = self.game.value(self.position(), &self.limits)?;
                let winner = match value.outcome {
                    "win" => Some(self.to_move()),
                    "loss" => Some(self.to_move().other()),
                    _ => None,
                };
                return print_line(match winner {
                    Some(seat) if seat == self.human => "The game is over: you win!".to_owned(),
                    Some(_) => "The game is over: you lose.".to_owned(),
                    None => "The game is over: a draw.".to_owned(),
                });
            }
            if self.to_move() == self.human {
                loop {
                    write!(std::io::stdout(), "your turn> ")?;
                    std::io::stdout().flush()?;
                    let Some(line) = input.next() else { return print_line("") };
                    let line = line?;
                    // A terminal echoes typed words; words from a pipe are echoed here.
                    if !std::io::stdin().is_terminal() {
                        print_line(line.trim())?;
                    }
                    match self.run_word(line.trim(), &available)? {
                        NextAction::Again => {}
                        NextAction::Redraw => break,
                        NextAction::Quit => return Ok(()),
                    }
                }
            } else {
                let probe = self.probe()?;
                let (turn, shown) = {
                    let chosen = self.choose(&probe);
                    (chosen.turn.clone(), chosen.turn_on_board.clone())
                };
                print_line(format!("I play {shown}."))?;
                self.make(&turn)?;
            }
        }
    }

    fn probe(&self) -> Result<Probe, BoxError> {
        Ok(self.game.probe(self.position(), self.to_move(), &self.limits)?)
    }

    fn make(&mut self, turn: &str) -> Result<(), BoxError> {
        let (turn, next) = read_turn(self.game, self.position(), self.to_move(), turn)?;
        self.positions.push(next);
        self.turns.push(turn);
        Ok(())
    }

    /// The value of a turn as far as the machine sees; the higher the better.
    fn rank(&self, turn: &TurnValue) -> (i8, i32) {
        let far = |turns: u16| self.strength.is_some_and(|strength| turns > strength);
        match (turn.verdict.outcome, turn.verdict.turns) {
            ("win", Some(turns)) if !far(turns) => (1, -i32::from(turns)),
            ("loss", Some(turns)) if !far(turns) => (-1, i32::from(turns)),
            ("win", None) if self.strength.is_none() => (1, 0),
            ("loss", None) if self.strength.is_none() => (-1, 0),
            _ => (0, 0),
        }
    }

    fn choose<'p>(&mut self, probe: &'p Probe) -> &'p TurnValue {
        let turns = &probe.turns_available;
        let best = turns.iter().map(|turn| self.rank(turn)).max();
        let equals: Vec<&TurnValue> = turns.iter().filter(|turn| Some(self.rank(turn)) == best).collect();
        self.random.choose(&equals).copied().unwrap_or(&turns[0])
    }

    fn run_word(&mut self, words: &str, available: &[(String, String)]) -> Result<NextAction, BoxError> {
        let (word, rest) = words.split_once(' ').unwrap_or((words, ""));
        match word {
            "" => {}
            "quit" | "exit" | "q" => return Ok(NextAction::Quit),
            "help" | "?" => print_line(HELP)?,
            "turns" => {
                for (number, (turn, _)) in available.iter().enumerate().take(MAX_LISTED) {
                    let shown = turn_on_board(self.game, self.position(), self.to_move(), turn)?;
                    print_line(format!("{:>4}  {shown}", number + 1))?;
                }
                if available.len() > MAX_LISTED {
                    print_line(format!("      … and {} more", available.len() - MAX_LISTED))?;
                }
            }
            "eval" => print_line(about_you(self.probe()?.verdict))?,
            "hint" => match self.probe()?.turns_available.first() {
                Some(best) => print_line(format!("{} ({})", best.turn_on_board, verdict(best.verdict)))?,
                None => print_line("There is no turn.")?,
            },
            "strength" => match rest.trim() {
                "" => {
                    self.strength = None;
                    print_line("I look to the end.")?;
                }
                number => match number.parse() {
                    Ok(turns) => {
                        self.strength = Some(turns);
                        print_line(format!("I look {} ahead.", count(turns.into(), "turn", "turns")))?;
                    }
                    Err(_) => print_line(format!("A strength is a number of turns, not “{number}”."))?,
                },
            },
            "undo" => {
                // Back to the last turn of the human.
                if self.turns.len() < 2 {
                    print_line("There is nothing to take back.")?;
                } else {
                    self.turns.truncate(self.turns.len() - 2);
                    self.positions.truncate(self.positions.len() - 2);
                    return Ok(NextAction::Redraw);
                }
            }
            "swap" => {
                self.human = self.human.other();
                return Ok(NextAction::Redraw);
            }
            "save" if !rest.is_empty() => {
                let text = format!("# {}\n{}\n", self.game.name(), self.turns.join("\n"));
                match write_file(std::path::Path::new(rest.trim()), text.as_bytes()) {
                    Ok(()) => print_line(format!("Saved to “{}”.", rest.trim()))?,
                    Err(error) => print_line(error.to_string())?,
                }
            }
            "save" => print_line("Save to which file? As in: save game.txt")?,
            _ => {
                let number =
                    words.parse::<usize>().ok().and_then(|number| available.get(number.checked_sub(1)?));
                let turn = number.map_or(words, |(turn, _)| turn).to_owned();
                match self.make(&turn) {
                    Ok(()) => return Ok(NextAction::Redraw),
                    Err(error) => print_line(wrapped(&format!("{error} (`help` lists the words)"), 2))?,
                }
            }
        }
        Ok(NextAction::Again)
    }
}

/// The value of the position, addressed to the human on move.
fn about_you(value: Verdict) -> String {
    let turns =
        value.turns.map_or_else(String::new, |turns| format!(" in {}", count(turns.into(), "turn", "turns")));
    match value.outcome {
        "win" => format!("You win{turns}, if you play on well."),
        "loss" => format!("You lose{turns}, if I play on well."),
        "draw" => "A draw, if both play on well.".to_owned(),
        _ => "I do not know.".to_owned(),
    }
}

/// The next action after a word of the human.
enum NextAction {
    Again,
    Redraw,
    Quit,
}
