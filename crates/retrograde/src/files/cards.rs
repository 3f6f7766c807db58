//! Flashcards for Anki, as a text file to import with one card per line. The front has a board and
//! a task, the back the solution. Pictures are embedded, so there is only one file.

use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use retrograde_draw::{BoardStyle, Words, board};
use retrograde_game::{Mark, Picture};

use crate::files::write_file;
use crate::output::{WrittenFiles, plural, print_line, show};
use crate::program::context::Context;
use crate::program::exit::{CommandResult, Exit};

/// Options of commands that make flashcards.
#[derive(Args, Debug)]
pub(crate) struct CardArgs {
    /// anki: flashcards, as a CSV file to import into Anki
    #[arg(
        long,
        value_name = "FORMAT",
        hide_possible_values = true,
        value_parser = ["anki"]
    )]
    pub format: Option<String>,
    /// With --format: the file to write [default: standard output]
    #[arg(long, value_name = "FILE", requires = "format")]
    pub out: Option<PathBuf>,
}

/// A flashcard; its sides are HTML.
pub(crate) struct Card {
    pub front: String,
    pub back: String,
    /// The groups that the card belongs to.
    pub tags: Vec<String>,
}

/// Writes the cards to the file of `--out`, or prints them.
pub(crate) fn write_cards(context: &Context, args: &CardArgs, game: &str, cards: &[Card]) -> CommandResult {
    let text = file_text(game, cards);
    match &args.out {
        Some(out) => {
            write_file(out, text.as_bytes())?;
            let (count, name) = (plural(cards.len(), "card"), out.display());
            let text = format!("{count} written to “{name}”; to load it in Anki, choose File > Import.");
            show(context, &WrittenFiles { game, files: vec![name.to_string()] }, || print_line(text))
        }
        None if context.json => Err("with --json, flashcards need a file: use --out FILE".into()),
        None => {
            print_line(text.trim_end())?;
            Ok(Exit::Success)
        }
    }
}

/// The text of the file: header lines for Anki, then one card per line.
fn file_text(game: &str, cards: &[Card]) -> String {
    let mut text = format!(
        "#separator:Comma\n#html:true\n#notetype:Basic\n#deck:Retrograde {game}\n\
         #columns:Front,Back,Tags\n#tags column:3\n"
    );
    for Card { front, back, tags } in cards {
        let tags: Vec<String> = tags.iter().map(|tag| tag.replace(char::is_whitespace, "-")).collect();
        let fields = [front, back, &tags.join(" ")].map(|field| quoted(field));
        text.push_str(&fields.join(","));
        text.push('\n');
    }
    text
}

/// A field of the file: in quotes, on one line.
fn quoted(field: &str) -> String {
    format!("\"{}\"", field.replace('"', "\"\"").replace(['\n', '\r'], " "))
}

/// Escapes text for HTML.
pub(crate) fn html(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

/// A paragraph of text.
pub(crate) fn paragraph(text: &str) -> String {
    format!("<p>{}</p>", html(text))
}

/// A board as a picture, with `described` as its alternative text.
pub(crate) fn picture(picture: &Picture, marks: &[Mark], described: &str) -> String {
    let svg = board::svg(picture, &BoardStyle::default(), marks, &Words::default());
    let data = STANDARD.encode(svg);
    format!("<img alt=\"{}\" src=\"data:image/svg+xml;base64,{data}\">", html(described))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_safe() {
        let card = Card {
            front: paragraph("a < b & \"c\""),
            back: "line\nline, 'x'".to_owned(),
            tags: vec!["two words".to_owned(), "one".to_owned()],
        };
        let text = file_text("touchdown:4x4", &[card]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "#separator:Comma");
        assert_eq!(lines.len(), 7, "six lines for Anki, and a card: {text}");
        let card = "\"<p>a &lt; b &amp; &quot;c&quot;</p>\",\"line line, 'x'\",\"two-words one\"";
        assert_eq!(lines[6], card);
    }
}
