//! How numbers, sizes and verdicts are written for people, and read from them.

use std::time::Duration;

use retrograde_explore::Verdict;

/// 1234567 as 1,234,567.
pub(crate) fn thousands(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `1 move`, `2 moves`.
pub(crate) fn plural(number: usize, thing: &str) -> String {
    format!("{} {thing}{}", thousands(number as u128), if number == 1 { "" } else { "s" })
}

/// Bytes as people say them.
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

/// Seconds as people say them.
pub(crate) fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.095 => format!("{:.0} ms", s * 1000.0),
        s if s < 120.0 => format!("{s:.1} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s if s < 200_000.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.0} days", s / 86400.0),
    }
}

/// Reads `8G`, `500M`, `1.5G` or a number of bytes. Units are powers of 1,000; with `i` of 1,024.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("a size is a number with K, M, G or T, as in 8G or 500M, not “{text}”");
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

/// Reads a number of seconds that is not negative and at most a year.
pub(crate) fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=31_536_000.0).contains(&seconds) => Ok(seconds),
        _ => Err(format!("seconds are a number from 0 to 31536000, not “{text}”")),
    }
}

/// The limits of a search.
pub(crate) fn limits(search: &crate::cli::Search) -> retrograde_explore::SearchLimits {
    retrograde_explore::SearchLimits { nodes: search.nodes, time: Duration::from_secs_f64(search.time) }
}

/// Columns of text for people; what is wider would be broken by the terminal, in the middle of words.
pub(crate) const WIDTH: usize = 80;

/// Words in lines of [`WIDTH`]; the lines after the first begin with so many blanks, the first as it is given.
pub(crate) fn wrapped(text: &str, indent: usize) -> String {
    let mut rows = String::new();
    let mut column = 0;
    for (number, word) in text.trim_start().split(' ').enumerate() {
        let long = word.chars().count();
        if number == 0 {
            let before = text.chars().count() - text.trim_start().chars().count();
            rows.push_str(&" ".repeat(before));
            column = before;
        } else if column + 1 + long > WIDTH {
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

/// "1 turn", "7 turns".
pub(crate) fn count(number: u128, one: &str, more: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { more })
}

/// What the system said about a file, in plain words.
pub(crate) fn file_trouble(path: &std::path::Path, error: &std::io::Error) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match (error.kind(), folder) {
        (std::io::ErrorKind::NotFound, Some(folder)) if !folder.exists() => {
            format!("there is no folder “{}”", folder.display())
        }
        (std::io::ErrorKind::NotFound, _) => "there is no such file".to_owned(),
        (std::io::ErrorKind::PermissionDenied, _) => "no permission".to_owned(),
        (std::io::ErrorKind::IsADirectory, _) => "it is a folder".to_owned(),
        (std::io::ErrorKind::NotADirectory, _) => "a part of its path is no folder".to_owned(),
        (std::io::ErrorKind::StorageFull, _) => "the disk is full".to_owned(),
        _ => error.to_string(),
    }
}

/// "win in 7", "draw", "win" (turns not known), "unknown".
pub(crate) fn verdict(verdict: Verdict) -> String {
    match verdict.turns {
        Some(turns) => format!("{} in {turns}", verdict.outcome),
        None => verdict.outcome.to_owned(),
    }
}

/// A sentence about the side to move.
pub(crate) fn sentence(who: &str, verdict: Verdict) -> String {
    let turns = match verdict.turns {
        Some(1) => " in 1 turn".to_owned(),
        Some(turns) => format!(" in {turns} turns"),
        None => String::new(),
    };
    match verdict.outcome {
        "win" => format!("{who} wins{turns}."),
        "loss" => format!("{who} loses{turns}."),
        "draw" => "Neither side can force a win: a draw.".to_owned(),
        _ => "The value is unknown: the search ended without an answer (see --time and --nodes).".to_owned(),
    }
}

/// "The first player" or "The second player".
pub(crate) fn player(word: &str) -> String {
    format!("The {word} player")
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn text_is_wrapped_between_words() {
        assert_eq!(wrapped("  a b", 4), "  a b");
        let text = wrapped(&format!("  {} {} {}", "a".repeat(40), "b".repeat(37), "c".repeat(90)), 4);
        let rows: Vec<usize> = text.lines().map(str::len).collect();
        assert_eq!(rows, [80, 94], "a long word gets a line of its own");
        assert_eq!(count(1, "leaf", "leaves"), "1 leaf");
    }

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!(thousands(401_567_166_000), "401,567,166,000");
        assert_eq!(thousands(12), "12");
        assert_eq!(bytes(999), "999 bytes");
        assert_eq!(bytes(8_600_000_000), "8.6 GB");
        assert_eq!(seconds(0.004), "4 ms");
    }
}
