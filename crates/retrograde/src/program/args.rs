//! Options that several commands share, and parsers for numbers, sizes and seconds. Their errors
//! name the expected format and an example.

use std::any::TypeId;
use std::ffi::OsStr;
use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, Command};
use retrograde_explore::SearchLimits;
use retrograde_game::Seat;

/// Limits on searching and on listing turns if there is no table.
#[derive(Args, Debug)]
pub(crate) struct SearchArgs {
    /// Seconds to search if there is no table; listing turns may take 1 second even if this is less
    #[arg(long, default_value = "5", value_parser = parse_seconds)]
    pub time: Duration,
    /// Positions to search if there is no table; up to 65,536 turns are listed even if this is less
    #[arg(long, default_value_t = 10_000_000, value_parser = whole::<u64>(1_000_000))]
    pub nodes: u64,
}

impl SearchArgs {
    pub(crate) fn limits(&self) -> SearchLimits {
        SearchLimits { nodes: self.nodes, time: self.time, depth: None }
    }
}

/// The seed of random choices.
#[derive(Args, Debug)]
pub(crate) struct SeedArgs {
    /// Seed of the random choices
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(1))]
    pub seed: u64,
}

/// The patience with players that are engines.
#[derive(Args, Debug)]
pub(crate) struct PatienceArgs {
    /// Seconds by which a player may exceed its time
    #[arg(long, default_value = "1", value_parser = parse_seconds)]
    pub margin: Duration,
    /// Seconds that an engine may take to start and get ready
    #[arg(long, default_value = "10", value_parser = parse_seconds)]
    pub timeout: Duration,
}

/// The numbering of positions, by name.
#[derive(Args, Debug)]
pub(crate) struct NumberingArgs {
    /// Use another numbering: 24-bit (touchdown:4x4) or minimized (pushfight:standard)
    #[arg(long, value_name = "NAME", requires = "game")]
    pub numbering: Option<String>,
}

impl NumberingArgs {
    /// The name of the requested numbering, if there is one.
    pub(crate) fn name(&self) -> Option<&str> {
        self.numbering.as_deref()
    }
}

/// Parses one of some words, each with its meaning.
pub(crate) fn word<T: Clone + Send + Sync + 'static, const N: usize>(
    words: [(impl Into<PossibleValue>, T); N],
) -> impl TypedValueParser<Value = T> {
    let words = words.map(|(word, meaning)| (word.into(), meaning));
    let parser = PossibleValuesParser::new(words.each_ref().map(|(word, _)| word.clone()));
    parser.try_map(move |typed| {
        let found = words.iter().find(|(word, _)| word.get_name() == typed);
        found.map(|(_, meaning)| meaning.clone()).ok_or("unknown word")
    })
}

/// Parses any whole number.
pub(crate) fn whole<T: WholeNumber>(example: u64) -> NumberParser<T> {
    number(0..=u64::MAX, example)
}

/// Parses a whole number in a range.
pub(crate) fn number<T: WholeNumber>(range: RangeInclusive<u64>, example: u64) -> NumberParser<T> {
    NumberParser { range, example, number: PhantomData }
}

/// The type of an option with a whole number.
pub(crate) trait WholeNumber: TryFrom<u64> + Clone + Send + Sync + 'static {}

impl<T: TryFrom<u64> + Clone + Send + Sync + 'static> WholeNumber for T {}

/// Parses a whole number in a range. The error names the range and shows the option with the example.
#[derive(Clone)]
pub(crate) struct NumberParser<T> {
    range: RangeInclusive<u64>,
    example: u64,
    number: PhantomData<T>,
}

impl<T: WholeNumber> NumberParser<T> {
    pub(crate) fn parse(&self, option: &str, text: &str) -> Result<T, String> {
        let number = text.parse::<u64>().ok().filter(|number| self.range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| {
            let expected = match (self.range.start(), self.range.end()) {
                (0, &u64::MAX) => "a whole number".to_owned(),
                (min, &u64::MAX) => format!("a whole number, at least {min}"),
                (min, max) => format!("a whole number from {min} to {max}"),
            };
            format!("expected {expected}, as in --{option} {}", self.example)
        })
    }
}

impl<T: WholeNumber> TypedValueParser for NumberParser<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, text: &OsStr) -> Result<T, clap::Error> {
        let option = arg.and_then(Arg::get_long).unwrap_or_default().to_owned();
        let parser = self.clone();
        // clap adds the option and the wrong value to the error.
        let parse = move |text: &str| parser.parse(&option, text);
        TypedValueParser::parse_ref(&parse, command, arg, text)
    }
}

/// Names the value of an option after its type if it has no other name: N for a number, or SECONDS.
pub(crate) fn with_value_name(arg: Arg) -> Arg {
    let is_own =
        arg.get_value_names().is_some_and(|names| *names != [&*arg.get_id().as_str().to_uppercase()]);
    let kind = arg.get_value_parser().type_id();
    let whole = [TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>()];
    match () {
        () if is_own || arg.is_positional() => arg,
        () if whole.iter().any(|whole| kind == *whole) => arg.value_name("N"),
        () if kind == TypeId::of::<Duration>() => arg.value_name("SECONDS"),
        () => arg,
    }
}

/// Parses a player; JSON says `first` and `second`.
pub(crate) fn parse_player(text: &str) -> Result<Seat, String> {
    player_of_word(text).ok_or_else(|| "expected red or blue".to_owned())
}

/// The player with this name, if there is one.
pub(crate) fn player_of_word(word: &str) -> Option<Seat> {
    match word.to_ascii_lowercase().as_str() {
        "red" | "first" => Some(Seat::First),
        "blue" | "second" => Some(Seat::Second),
        _ => None,
    }
}

/// Parses `8G`, `500M`, `1.5G` or a number of bytes. Units are powers of 1,000, or of 1,024 with
/// `i`.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || "expected a size with K, M, G or T, such as 8G or 500M".to_owned();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..digits].parse().map_err(|_| wrong())?;
    let unit: f64 = match &text[digits..] {
        "" | "B" => 1.0,
        "K" | "KB" | "k" | "kB" => 1e3,
        "M" | "MB" => 1e6,
        "G" | "GB" => 1e9,
        "T" | "TB" => 1e12,
        "Ki" | "KiB" => 1024.0,
        "Mi" | "MiB" => 1024.0_f64.powi(2),
        "Gi" | "GiB" => 1024.0_f64.powi(3),
        "Ti" | "TiB" => 1024.0_f64.powi(4),
        _ => return Err(wrong()),
    };
    let size = number * unit;
    if (1.0..1e18).contains(&size) { Ok(size as u64) } else { Err(wrong()) }
}

/// A size as an option: 8G, 1500M, 7.
pub(crate) fn size_text(bytes: u64) -> String {
    let units = [(1_000_000_000_000, "T"), (1_000_000_000, "G"), (1_000_000, "M"), (1000, "K"), (1, "")];
    let whole = units.into_iter().find(|&(unit, _)| bytes.is_multiple_of(unit));
    whole.map_or_else(String::new, |(unit, name)| format!("{}{name}", bytes / unit))
}

/// Parses a number of seconds, at most a year.
pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=31_536_000.0).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("expected a number of seconds from 0 to 31536000, such as 2.5".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_errors_use_our_own_words() {
        let threads = |text: &str| number::<u16>(1..=1024, 4).parse("threads", text);
        assert_eq!(threads("7"), Ok(7));
        for wrong in ["", "x", "-1", "0", "1025", "1.5", "99999999999999999999999"] {
            let error = threads(wrong).unwrap_err();
            assert_eq!(error, "expected a whole number from 1 to 1024, as in --threads 4", "{wrong}");
        }
        let error = whole::<u64>(10).parse("limit", "many").unwrap_err();
        assert_eq!(error, "expected a whole number, as in --limit 10");
        // Too large for its type, whatever the range says.
        assert!(number::<u8>(0..=300, 10).parse("limit", "299").is_err());
    }

    #[test]
    fn sizes_are_read_strictly() {
        assert_eq!(parse_size("8G"), Ok(8_000_000_000));
        assert_eq!(parse_size("1.5GiB"), Ok(1_610_612_736));
        assert_eq!(parse_size("512"), Ok(512));
        for bad in ["", "G", "8X", "-1", "1e9", "8 G", "0", "99999999999999T", "1.2.3M"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
        assert!(
            parse_seconds("-1").is_err() && parse_seconds("nan").is_err() && parse_seconds("2.5").is_ok()
        );
    }
}
