//! The dialog of `play`: shows the board, reads commands and runs them.

use std::io::{IsTerminal, StdinLock, Write};
use std::path::Path;

use retrograde_engine::{MAX_INPUT_LENGTH, next_line};
use retrograde_explore::export::OutputFile;
use retrograde_explore::{Verdict, turn_on_board};
use retrograde_game::{printable, system_reason};

use super::review::{explanation, remark};
use super::session::{Ending, Session, Winner};
use crate::commands::annotate::print_marked;
use crate::commands::rules::print_rules;
use crate::output::terminal;
use crate::output::{board, player, plural, print_line, verdict, wrapped};
use crate::program::args::player_of_word;
use crate::program::context::Context;
use crate::program::exit::BoxError;

/// The maximum number of turns that `turns` lists: about one screen.
const MAX_LISTED: usize = 60;
/// The maximum number of turns of `line`.
const MAX_LINE: usize = 20;

const HELP: &str = "\
Type a turn in board coordinates, or its number in the list of turns.
Other commands:
  ?           show the rules        turns         list the turns
  hint        show a best turn      line          show a best line
  eval        show who wins         review        show all turns with marks
  undo        take back your last turn and my reply
  new         start again (also: new red, new blue)
  swap        change sides          resign        give up
  draw        end the game as a draw, when I offer one
  save FILE   save the game, for `retrograde annotate`
              (save FILE --force overwrites an existing file)
  strength N  I look N turns ahead  strength      I look to the end
  press       on or off: in draws I set you the hardest task
  comments    on or off: I comment on mistakes
  help        show this list        quit          exit";

const AFTER_THE_GAME: &str = "`undo` takes back your last turn, `review` shows all turns with marks, `new` starts \
                          again, `save FILE` saves the game, `quit` exits.";

/// The next action after a command.
enum NextAction {
    /// Reads the next command.
    Again,
    /// Shows the board and continues the game.
    Redraw,
    /// Ends the program.
    Quit,
}

/// A dialog about a game.
pub(super) struct Dialog<'a> {
    context: &'a Context,
    session: Session<'a>,
    /// Whether to comment on mistakes.
    comments: bool,
    input: StdinLock<'static>,
}

impl<'a> Dialog<'a> {
    pub(super) fn new(context: &'a Context, session: Session<'a>, comments: bool) -> Dialog<'a> {
        Dialog { context, session, comments, input: std::io::stdin().lock() }
    }

    /// Runs until the human quits or the input ends.
    pub(super) fn run(&mut self) -> Result<(), BoxError> {
        loop {
            let session = &self.session;
            let drawn = board(self.context, session.game, session.position(), session.to_move(), None)?;
            print_line(format!("\n{drawn}"))?;
            let end = session.end()?;
            if let Some(winner) = end {
                print_line(wrapped(&self.final_message(winner), 0))?;
                print_line(wrapped(&explanation(&self.session, winner)?, 0))?;
                print_line(wrapped(AFTER_THE_GAME, 0))?;
            } else if session.to_move() != session.human {
                let name = player(session.game, session.to_move());
                let turn = self.session.play_own()?;
                print_line(format!("{name} plays {turn}."))?;
                continue;
            }
            if end.is_none()
                && let Some(reason) = self.session.draw_offer()?
            {
                print_line(wrapped(&format!("{reason} I offer a draw: `draw` accepts it."), 0))?;
            }
            if !self.read_commands(end.is_some())? {
                return Ok(());
            }
        }
    }

    /// Runs commands until the board changes. Returns false to quit.
    fn read_commands(&mut self, over: bool) -> Result<bool, BoxError> {
        loop {
            let prompt = match over {
                true => "what now> ".to_owned(),
                false => format!("{}, your turn> ", player(self.session.game, self.session.human)),
            };
            write!(std::io::stdout(), "{}", terminal::shown(&printable(&prompt)))?;
            std::io::stdout().flush()?;
            let line = match next_line(&mut self.input, MAX_INPUT_LENGTH)? {
                Some(Ok(line)) => line,
                Some(Err(reason)) => {
                    print_line(reason)?;
                    continue;
                }
                None => {
                    print_line("")?;
                    return Ok(false);
                }
            };
            // A terminal echoes its input; input from a pipe is echoed here.
            if !std::io::stdin().is_terminal() {
                print_line(line.trim())?;
            }
            match self.run_command(line.trim(), over)? {
                NextAction::Again => {}
                NextAction::Redraw => return Ok(true),
                NextAction::Quit => return Ok(false),
            }
        }
    }

    /// Runs a command.
    fn run_command(&mut self, input: &str, over: bool) -> Result<NextAction, BoxError> {
        let (word, rest) = input.split_once(' ').unwrap_or((input, ""));
        let rest = rest.trim();
        match word {
            "" => {}
            "quit" | "exit" | "q" => return Ok(NextAction::Quit),
            "help" => print_line(HELP)?,
            "?" | "rules" => print_rules(self.context, self.session.game)?,
            "undo" | "back" => match self.session.take_back() {
                true => return Ok(NextAction::Redraw),
                false => print_line("There is no turn to take back.")?,
            },
            "new" | "again" if !rest.is_empty() && player_of_word(rest).is_none() => {
                print_line(format!("“{rest}” is not a player: new, new red or new blue."))?;
            }
            "new" | "again" => {
                self.session.human = player_of_word(rest).unwrap_or(self.session.human);
                self.session.restart();
                return Ok(NextAction::Redraw);
            }
            "review" => print_marked(self.context, &self.session.annotated()?)?,
            "save" => self.save(rest)?,
            "strength" => self.set_strength(rest)?,
            "press" => self.set_press(rest)?,
            "comments" => self.set_comments(rest)?,
            _ if over => print_line("The game is over; `help` lists the commands.")?,
            "turns" => self.list_turns()?,
            "eval" => print_line(describe_value(self.session.probe()?.position.verdict))?,
            "hint" => self.hint()?,
            "line" => match &self.session.best_line(MAX_LINE)?[..] {
                [] => print_line("I do not see a line to the end from here.")?,
                turns => print_line(wrapped(&turns.join(" "), 2))?,
            },
            "swap" => {
                self.session.human = self.session.human.other();
                return Ok(NextAction::Redraw);
            }
            "resign" => {
                self.session.ending = Some(Ending::Resigned);
                return Ok(NextAction::Redraw);
            }
            "draw" if self.session.draw_offer()?.is_none() => {
                print_line("I am not offering a draw yet: play on.")?;
            }
            "draw" => {
                self.session.ending = Some(Ending::Draw);
                return Ok(NextAction::Redraw);
            }
            _ => return self.play_turn(input),
        }
        Ok(NextAction::Again)
    }

    /// Plays the typed turn, or says why it is not legal.
    fn play_turn(&mut self, input: &str) -> Result<NextAction, BoxError> {
        let session = &mut self.session;
        let number = input.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let listed = number.and_then(|number| session.listed().ok()?.0.into_iter().nth(number));
        let made = match listed {
            Some((turn, _)) => {
                let shown = turn_on_board(session.game, session.position(), session.to_move(), &turn)?;
                session.play(&shown)
            }
            None => session.play(input),
        };
        if let Err(error) = made {
            print_line(wrapped(&format!("{error} (`help` lists the commands)"), 2))?;
            return Ok(NextAction::Again);
        }
        if self.comments
            && let Some(remark) = remark(&self.session)?
        {
            print_line(wrapped(&format!("{remark} (`undo` takes it back.)"), 0))?;
        }
        Ok(NextAction::Redraw)
    }

    fn list_turns(&self) -> Result<(), BoxError> {
        let session = &self.session;
        let (available, complete) = session.listed()?;
        for (number, (turn, _)) in available.iter().enumerate().take(MAX_LISTED) {
            let shown = turn_on_board(session.game, session.position(), session.to_move(), turn)?;
            print_line(format!("{:>4}  {shown}", number + 1))?;
        }
        if available.len() > MAX_LISTED {
            let more = if complete { "" } else { " at least" };
            print_line(format!("      … and {} more{more}", available.len() - MAX_LISTED))?;
        }
        Ok(())
    }

    fn hint(&self) -> Result<(), BoxError> {
        let probe = self.session.probe()?;
        print_line(match probe.turns_available.first() {
            Some(best) if best.verdict.known().is_some() => {
                format!("{} ({})", best.turn_on_board, verdict(best.verdict))
            }
            Some(_) => "I do not see the end from here, so I do not know the best turn.".to_owned(),
            None => "There are no turns.".to_owned(),
        })
    }

    fn set_strength(&mut self, number: &str) -> Result<(), BoxError> {
        if number.is_empty() {
            self.session.strength = None;
            return print_line("I look to the end.");
        }
        match number.parse() {
            Ok(turns) => {
                self.session.strength = Some(turns);
                print_line(format!("I look {} ahead.", plural(turns, "turn")))
            }
            Err(_) => print_line(format!("The strength must be a number of turns, not “{number}”.")),
        }
    }

    fn set_press(&mut self, word: &str) -> Result<(), BoxError> {
        let Some(presses) = switched("press", word, self.session.presses)? else { return Ok(()) };
        self.session.presses = presses;
        print_line(match (self.session.presses, self.session.strength) {
            (true, None) => "In draws I set you the hardest task.",
            (true, Some(_)) => "I will set tasks once I look to the end: type `strength`.",
            (false, _) => "I choose at random among equal turns.",
        })
    }

    fn set_comments(&mut self, word: &str) -> Result<(), BoxError> {
        let Some(comments) = switched("comments", word, self.comments)? else { return Ok(()) };
        self.comments = comments;
        print_line(match self.comments {
            true => "I comment on mistakes.",
            false => "I do not comment on mistakes.",
        })
    }

    fn save(&self, input: &str) -> Result<(), BoxError> {
        let (file, create): (_, fn(&Path) -> _) = match input.strip_suffix("--force") {
            Some(file) => (file.trim(), OutputFile::replace),
            None => (input, OutputFile::create),
        };
        if file.is_empty() {
            return print_line("Name the file, as in: save game.txt");
        }
        let text = self.session.record()?.text();
        match create(Path::new(file)).and_then(|out| out.end_with(text.as_bytes())) {
            Ok(()) => print_line(format!("Saved to “{file}”.")),
            Err(error) => print_line(system_reason(&error)),
        }
    }

    /// The final message, about who won.
    fn final_message(&self, winner: Winner) -> String {
        let session = &self.session;
        match winner {
            Some(seat) if session.ending == Some(Ending::Resigned) => {
                format!("You resign: {} wins.", player(session.game, seat))
            }
            Some(seat) => {
                let name = player(session.game, seat);
                let you = if seat == session.human { "you win!" } else { "you lose." };
                format!("The game is over: {name} wins, {you}")
            }
            None => "The game is over: a draw.".to_owned(),
        }
    }
}

/// The new state of a switch that is now `on`; `None` if the word is wrong.
fn switched(switch: &str, word: &str, on: bool) -> Result<Option<bool>, BoxError> {
    match word {
        "on" => Ok(Some(true)),
        "off" => Ok(Some(false)),
        "" => Ok(Some(!on)),
        _ => {
            print_line(format!("Use `{switch} on` or `{switch} off`, not “{word}”."))?;
            Ok(None)
        }
    }
}

/// The value of the position, addressed to the human, who is to move.
fn describe_value(value: Verdict) -> String {
    let turns = value.turns.map_or_else(String::new, |turns| format!(" in {}", plural(turns, "turn")));
    match value.outcome {
        "win" => format!("With best play, you win{turns}."),
        "loss" => format!("With best play, I win{turns}."),
        "draw" => "With best play, it is a draw.".to_owned(),
        _ => "I do not know the value.".to_owned(),
    }
}
