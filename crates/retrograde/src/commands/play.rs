//! `play`: a game against the table, or against a search where there is none.
//!
//! With a strength the opponent sees only values within so many turns; what ends later it takes for a draw,
//! and among equals it chooses at random. Turns are shown and read as on the board, which is always the first
//! player's; files keep them in their makers' words, as `annotate` reads them.

use std::io::{BufRead, IsTerminal, Write};

use retrograde_explore::{Explore, Probe, SearchLimits, TurnValue, Verdict, on_board, read_turn};
use retrograde_game::{Random, Seat};

use super::{Answer, board, say, with_game};
use crate::cli::Search;
use crate::output::{count, limits, verdict, wrapped};
use crate::{Context, Ended, Failure};

/// What the machine is like.
pub(super) struct Opponent {
    pub(super) strength: Option<u16>,
    /// Whether the human is the second player.
    pub(super) second: bool,
    pub(super) seed: u64,
}

/// Turns that are listed at the most: about what a terminal shows.
const LISTED: usize = 60;

const HELP: &str = "\
Type a turn as you see it on the board, or its number in the list of turns.
Other words:
  turns       list the turns        undo        take your last turn back
  hint        a best turn           swap        change sides
  eval        who wins              save FILE   write the turns to a file
  strength N  look N turns ahead    strength    look to the end
  help        these lines           quit";

struct Game<'a> {
    context: &'a Context,
    game: &'a dyn Explore,
    limits: SearchLimits,
    /// How many turns ahead the machine looks; `None`: to the end.
    strength: Option<u16>,
    random: Random,
    human: Seat,
    /// Positions so far, and the turns between them.
    positions: Vec<String>,
    turns: Vec<String>,
}

pub(super) fn play(
    context: &Context,
    name: &str,
    position: Option<&str>,
    opponent: &Opponent,
    search: &Search,
) -> Answer {
    if context.json {
        return Err(
            "`play` talks with people and has no --json; `probe --json` gives values and turns".into()
        );
    }
    with_game(context, name, |game| {
        let mut limits = limits(search);
        // Nobody likes to wait for long at a board.
        limits.time = limits.time.min(std::time::Duration::from_secs(10));
        let start = game.canonical(position.unwrap_or(&game.start()))?;
        let mut playing = Game {
            context,
            game,
            limits,
            strength: opponent.strength,
            random: Random::new(opponent.seed),
            human: if opponent.second { Seat::Second } else { Seat::First },
            positions: vec![start],
            turns: Vec::new(),
        };
        say(HELP)?;
        if !game.has_table() {
            say(wrapped(
                &format!(
                    "There is no table of {0}, so I search, and shall not always know the best turn; \
                     `retrograde plan {0}` says what a table would take.",
                    game.name()
                ),
                0,
            ))?;
        }
        playing.run()?;
        Ok(Ended::Well)
    })
}

impl Game<'_> {
    fn position(&self) -> &str {
        self.positions.last().map_or("", String::as_str)
    }

    fn to_move(&self) -> Seat {
        if self.turns.len().is_multiple_of(2) { Seat::First } else { Seat::Second }
    }

    fn run(&mut self) -> Result<(), Failure> {
        let mut input = std::io::stdin().lock().lines();
        loop {
            say(format!("\n{}", board(self.context, self.game, self.position(), self.to_move(), None)?))?;
            let available = self.game.turns(self.position())?;
            if available.is_empty() {
                let (value, _) = self.game.value(self.position(), &self.limits)?;
                let winner = match value.outcome {
                    "win" => Some(self.to_move()),
                    "loss" => Some(self.to_move().other()),
                    _ => None,
                };
                return say(match winner {
                    Some(seat) if seat == self.human => "The game is over: you win!".to_owned(),
                    Some(_) => "The game is over: you lose.".to_owned(),
                    None => "The game is over: a draw.".to_owned(),
                });
            }
            if self.to_move() == self.human {
                loop {
                    write!(std::io::stdout(), "your turn> ")?;
                    std::io::stdout().flush()?;
                    let Some(line) = input.next() else { return say("") };
                    let line = line?;
                    // A terminal shows what is typed; what comes through a pipe wants to be read too.
                    if !std::io::stdin().is_terminal() {
                        say(line.trim())?;
                    }
                    match self.obey(line.trim(), &available)? {
                        Next::Again => {}
                        Next::Redraw => break,
                        Next::Quit => return Ok(()),
                    }
                }
            } else {
                let probe = self.probe()?;
                let (turn, shown) = {
                    let chosen = self.choose(&probe);
                    (chosen.turn.clone(), chosen.turn_on_board.clone())
                };
                say(format!("I play {shown}."))?;
                self.make(&turn)?;
            }
        }
    }

    fn probe(&self) -> Result<Probe, Failure> {
        Ok(self.game.probe(self.position(), self.to_move(), &self.limits)?)
    }

    fn make(&mut self, turn: &str) -> Result<(), Failure> {
        let (turn, next) = read_turn(self.game, self.position(), self.to_move(), turn)?;
        self.positions.push(next);
        self.turns.push(turn);
        Ok(())
    }

    /// How much the machine likes a turn: what it sees of its value.
    fn liking(&self, turn: &TurnValue) -> (i8, i32) {
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
        let best = turns.iter().map(|turn| self.liking(turn)).max();
        let equals: Vec<&TurnValue> = turns.iter().filter(|turn| Some(self.liking(turn)) == best).collect();
        self.random.choose(&equals).copied().unwrap_or(&turns[0])
    }

    fn obey(&mut self, words: &str, available: &[(String, String)]) -> Result<Next, Failure> {
        let (word, rest) = words.split_once(' ').unwrap_or((words, ""));
        match word {
            "" => {}
            "quit" | "exit" | "q" => return Ok(Next::Quit),
            "help" | "?" => say(HELP)?,
            "turns" => {
                for (number, (turn, _)) in available.iter().enumerate().take(LISTED) {
                    let shown = on_board(self.game, self.position(), self.to_move(), turn)?;
                    say(format!("{:>4}  {shown}", number + 1))?;
                }
                if available.len() > LISTED {
                    say(format!("      … and {} more", available.len() - LISTED))?;
                }
            }
            "eval" => say(about_you(self.probe()?.verdict))?,
            "hint" => match self.probe()?.turns_available.first() {
                Some(best) => say(format!("{} ({})", best.turn_on_board, verdict(best.verdict)))?,
                None => say("There is no turn.")?,
            },
            "strength" => match rest.trim() {
                "" => {
                    self.strength = None;
                    say("I look to the end.")?;
                }
                number => match number.parse() {
                    Ok(turns) => {
                        self.strength = Some(turns);
                        say(format!("I look {} ahead.", count(turns.into(), "turn", "turns")))?;
                    }
                    Err(_) => say(format!("A strength is a number of turns, not “{number}”."))?,
                },
            },
            "undo" => {
                // Back to the human's own turn before this one.
                if self.turns.len() < 2 {
                    say("There is nothing to take back.")?;
                } else {
                    self.turns.truncate(self.turns.len() - 2);
                    self.positions.truncate(self.positions.len() - 2);
                    return Ok(Next::Redraw);
                }
            }
            "swap" => {
                self.human = self.human.other();
                return Ok(Next::Redraw);
            }
            "save" if !rest.is_empty() => {
                let text = format!("# {}\n{}\n", self.game.name(), self.turns.join("\n"));
                match super::stats::write_file(std::path::Path::new(rest.trim()), text.as_bytes()) {
                    Ok(()) => say(format!("Saved to “{}”.", rest.trim()))?,
                    Err(error) => say(error.to_string())?,
                }
            }
            "save" => say("Save to which file? As in: save game.txt")?,
            _ => {
                let number =
                    words.parse::<usize>().ok().and_then(|number| available.get(number.checked_sub(1)?));
                let turn = number.map_or(words, |(turn, _)| turn).to_owned();
                match self.make(&turn) {
                    Ok(()) => return Ok(Next::Redraw),
                    Err(error) => say(wrapped(&format!("{error} (`help` lists the words)"), 2))?,
                }
            }
        }
        Ok(Next::Again)
    }
}

/// What the table or the search says, to the human on move.
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

/// What comes after a word of the human's.
enum Next {
    Again,
    Redraw,
    Quit,
}
