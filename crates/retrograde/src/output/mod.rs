//! Prints answers as text, JSON and boards, and formats numbers, sizes and values.

pub(crate) mod columns;
pub(crate) mod failure;
pub(crate) mod progress;
pub(crate) mod terminal;

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) use retrograde_draw::plot::grouped as thousands;
use retrograde_explore::export::{is_standard_output, reject_existing};
use retrograde_explore::{OpenGame, Verdict};
use retrograde_game::{Seat, printable, printable_json};
use schemars::JsonSchema;
use serde::Serialize;

use crate::output::terminal::{say, shown};
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult, Exit};

/// Whether `--out` is standard output.
static OUT_IS_STANDARD_OUTPUT: AtomicBool = AtomicBool::new(false);

/// The name under which the program was started.
static PROGRAM: OnceLock<String> = OnceLock::new();

/// Remembers the name of the program from the path it was started with.
pub(crate) fn set_program_name(path: &OsStr) {
    let name =
        Path::new(path).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    // A second run in one process, as in tests, keeps the first name.
    let _ = PROGRAM.set(name);
}

/// The name under which the program was started.
pub(crate) fn program_name() -> &'static str {
    PROGRAM.get().map(String::as_str).filter(|name| !name.is_empty()).unwrap_or("retrograde")
}

/// Replaces `retrograde` in commands between backticks by the name of this program, which may be a
/// custom one.
pub(crate) fn with_program_name(text: &str) -> String {
    let name = program_name();
    text.replace("`retrograde ", &format!("`{name} ")).replace("\n  retrograde ", &format!("\n  {name} "))
}

/// Checks the file of `--out` before any work is done, and refuses an existing file. If the file is
/// standard output, answers go to standard error so that they do not mix.
pub(crate) fn reserve_output(out: Option<&Path>) -> io::Result<()> {
    OUT_IS_STANDARD_OUTPUT.store(out.is_some_and(is_standard_output), Ordering::Relaxed);
    out.map_or(Ok(()), reject_existing)
}

/// Whether answers may contain colours.
static COLORED: AtomicBool = AtomicBool::new(false);

/// Sets whether answers may contain the escape sequences of colours.
pub(crate) fn allow_colors(color: bool) {
    COLORED.store(color, Ordering::Relaxed);
}

/// Escapes everything that a terminal would act on, except the program's own colours.
fn escaped(text: &str) -> Cow<'_, str> {
    if !COLORED.load(Ordering::Relaxed) {
        return printable(text);
    }
    let color = |rest: &str| {
        let codes = rest.strip_prefix('[')?;
        let length = codes.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
        codes[length..].starts_with('m').then_some(length + 2)
    };
    let mut parts = text.split('\x1b');
    let mut out = printable(parts.next().unwrap_or_default()).into_owned();
    for part in parts {
        let (before, after) = match color(part) {
            Some(length) => ("\x1b", part.split_at(length)),
            None => ("\\u{1b}", ("", part)),
        };
        out.extend([before, after.0, &printable(after.1)]);
    }
    Cow::Owned(out)
}

/// Writes a line that is safe to print.
fn write_line(line: &str) -> Result<(), BoxError> {
    let mut out: Box<dyn Write> = if OUT_IS_STANDARD_OUTPUT.load(Ordering::Relaxed) {
        Box::new(io::stderr())
    } else {
        Box::new(io::stdout())
    };
    out.write_all(line.as_bytes())?;
    out.write_all(b"\n")?;
    Ok(())
}

/// Prints a line of text.
pub(crate) fn print_line(text: impl AsRef<str>) -> Result<(), BoxError> {
    write_line(&shown(&escaped(text.as_ref())))
}

/// Prints a JSON object on one line.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), BoxError> {
    write_line(&printable_json(&serde_json::to_string(value)?))
}

/// Files that were written: pictures, sheets of puzzles or flashcards (`render`, `puzzles`, `openings`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct WrittenFiles<'a> {
    /// The canonical name of the game.
    pub(crate) game: &'a str,
    /// The files.
    pub(crate) files: Vec<String>,
}

/// Prints an answer as JSON with `--json`, otherwise as text with `print`.
pub(crate) fn show(
    context: &Context,
    answer: &impl Serialize,
    print: impl FnOnce() -> Result<(), BoxError>,
) -> CommandResult {
    if context.json { print_json(answer) } else { print() }?;
    Ok(Exit::Success)
}

/// The board of a position as text, with `turn` marked on it.
pub(crate) fn board(
    context: &Context,
    game: &OpenGame,
    position: &str,
    to_move: Seat,
    turn: Option<&str>,
) -> Result<String, BoxError> {
    let turns: Vec<String> = turn.iter().map(|turn| (*turn).to_owned()).collect();
    let scenes = game.scenes(position, to_move, &turns)?;
    Ok(scenes.first().map_or_else(String::new, |scene| {
        retrograde_draw::text::board(&scene.picture, &scene.marks, context.color)
    }))
}

/// Converts a printing error for callbacks that visit positions.
pub(crate) fn visitor_error(error: BoxError) -> retrograde_explore::Error {
    match error.downcast::<io::Error>() {
        Ok(error) => (*error).into(),
        Err(other) => io::Error::other(other).into(),
    }
}

/// Reports on standard error that the table has no match. Programs see the exit status and an empty
/// list.
pub(crate) fn nothing_found(context: &Context, game: &OpenGame, what: &str) -> CommandResult {
    let further = game.facts().and_then(|facts| facts.horizon).map(|turns| {
        let turns = plural(turns.0, "turn");
        format!(" It is solved up to {turns}; solve with a higher --max-turns, or without it, to find more.")
    });
    if !context.json {
        let text = format!("There is no such {what} in the table.{}", further.unwrap_or_default());
        say(wrapped(&text, 0));
    }
    Ok(Exit::NothingFound)
}

/// The unit of a number of positions.
pub(crate) fn positions(up_to_symmetry: bool) -> &'static str {
    if up_to_symmetry { "positions up to symmetry" } else { "positions" }
}

/// A number and a noun: `1 move`, `2 moves`.
pub(crate) fn plural(number: impl TryInto<u128>, thing: &str) -> String {
    count(number.try_into().unwrap_or(u128::MAX), thing, &format!("{thing}s"))
}

/// Formats a number of bytes with a suitable unit.
pub(crate) fn bytes(count: u128) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB", "PB"];
    let mut size = count as f64;
    let mut unit = 0;
    while size >= 1000.0 && unit + 1 < units.len() {
        size /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{count} bytes") } else { format!("{size:.1} {}", units[unit]) }
}

/// Formats a time with a suitable unit.
pub(crate) fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.095 => format!("{:.0} ms", s * 1000.0),
        s if s < 120.0 => format!("{s:.1} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s if s < 200_000.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.0} days", s / 86400.0),
    }
}

/// Columns of text. Terminals break longer lines in the middle of words.
pub(crate) const WIDTH: usize = 80;

/// Wraps text at [`WIDTH`] columns. The first line keeps its indent; the others get `indent`
/// spaces.
pub(crate) fn wrapped(text: &str, indent: usize) -> String {
    wrapped_at(WIDTH, text, indent)
}

/// The same for another width.
pub(crate) fn wrapped_at(width: usize, text: &str, indent: usize) -> String {
    let mut rows = String::new();
    let mut column = 0;
    for (number, word) in text.trim_start().split(' ').enumerate() {
        let long = word.chars().count();
        if number == 0 {
            let before = text.chars().count() - text.trim_start().chars().count();
            rows.push_str(&" ".repeat(before));
            column = before;
        } else if column + 1 + long > width {
            rows.push('\n');
            rows.push_str(&" ".repeat(indent));
            column = indent;
        } else {
            rows.push(' ');
            column += 1;
        }
        rows.push_str(word);
        column += long;
    }
    rows
}

/// A number and a noun with an irregular plural: `1 leaf`, `7 leaves`.
pub(crate) fn count(number: u128, one: &str, more: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { more })
}

/// "win in 7", "draw", "win" (turns not known), "unknown".
pub(crate) fn verdict(verdict: Verdict) -> String {
    match verdict.turns {
        Some(turns) => format!("{} in {turns}", verdict.outcome),
        None => verdict.outcome.to_owned(),
    }
}

/// The same in the colour of the outcome if colours are on, padded to `width`.
pub(crate) fn painted_verdict(context: &Context, value: Verdict, width: usize) -> String {
    let text = format!("{:<width$}", verdict(value));
    match value.known() {
        Some(outcome) => retrograde_draw::text::outcome(outcome, &text, context.color),
        None => text,
    }
}

/// A sentence about the value for a player.
pub(crate) fn sentence(game: &OpenGame, who: &str, verdict: Verdict) -> String {
    let turns = match verdict.turns {
        Some(1) => " in 1 turn".to_owned(),
        Some(turns) => format!(" in {turns} turns"),
        None => String::new(),
    };
    match verdict.outcome {
        "win" => format!("{who} wins{turns}."),
        "loss" => format!("{who} loses{turns}."),
        "draw" => "It is a draw: neither side can force a win.".to_owned(),
        _ => match game.facts().and_then(|facts| facts.horizon) {
            Some(turns) => format!(
                "The value is unknown: the table is solved up to {} (--max-turns).",
                plural(turns.0, "turn")
            ),
            None => "The value is unknown: the search reached its limits (--time, --nodes).".to_owned(),
        },
    }
}

/// A sentence about the value for the side to move.
pub(crate) fn to_move_sentence(game: &OpenGame, who: &str, verdict: Verdict) -> String {
    let turns = match verdict.turns {
        Some(turns) => format!(" in {}", plural(turns, "turn")),
        None => String::new(),
    };
    match (verdict.outcome, verdict.turns) {
        ("win", Some(0)) => format!("{who} has won."),
        ("loss", Some(0)) => format!("{who} has lost."),
        ("win", _) => format!("{who} is to move and wins{turns}."),
        ("loss", _) => format!("{who} is to move and loses{turns}."),
        _ => format!("{who} is to move. {}", sentence(game, who, verdict)),
    }
}

/// The name of a player with the letters of its pieces on the board: `Red (X)`.
pub(crate) fn player(game: &OpenGame, seat: Seat) -> String {
    let palette = &game.entry.palette;
    let own = palette.iter().filter(|piece| piece.owner == Some(seat) && !piece.anchored);
    let letters: Vec<String> = own.map(|piece| piece.letter.to_string()).collect();
    match letters.is_empty() {
        true => seat.name().to_owned(),
        false => format!("{} ({})", seat.name(), letters.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_between_words() {
        assert_eq!(wrapped("  a b", 4), "  a b");
        let text = wrapped(&format!("  {} {} {}", "a".repeat(40), "b".repeat(37), "c".repeat(90)), 4);
        let rows: Vec<usize> = text.lines().map(str::len).collect();
        assert_eq!(rows, [80, 94], "a long word gets its own line");
        assert_eq!(count(1, "leaf", "leaves"), "1 leaf");
    }

    #[test]
    fn terminals_receive_colours_but_no_other_control_sequences() {
        let text = "\x1b[1;38;5;209mRed\x1b[0m \x1b]0;title\x07 \u{202e}\x1b[2J";
        allow_colors(true);
        let colored = escaped(text).into_owned();
        allow_colors(false);
        assert_eq!(colored, "\x1b[1;38;5;209mRed\x1b[0m \\u{1b}]0;title\\u{7} \\u{202e}\\u{1b}[2J");
        assert!(!escaped(text).contains('\x1b'));
    }

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!(bytes(999), "999 bytes");
        assert_eq!(bytes(8_600_000_000), "8.6 GB");
        assert_eq!(seconds(0.004), "4 ms");
    }
}
