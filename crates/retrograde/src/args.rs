//! Options that several commands share, and how sizes and seconds are read.

use std::time::Duration;

use clap::Args;
use retrograde_explore::SearchLimits;

/// Limits of a search where there is no table.
#[derive(Args, Debug)]
pub(crate) struct SearchArgs {
    /// Seconds to search a position without a table
    #[arg(long, default_value_t = 5.0, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time: f64,
    /// Positions to visit in a search
    #[arg(long, default_value_t = 10_000_000, value_name = "N")]
    pub nodes: u64,
}

impl SearchArgs {
    pub(crate) fn limits(&self) -> SearchLimits {
        SearchLimits { nodes: self.nodes, time: Duration::from_secs_f64(self.time) }
    }
}

/// The numbering of positions, by name. Its older options still work, but `--help` leaves them out.
#[derive(Args, Debug)]
pub(crate) struct NumberingArgs {
    /// Use another numbering: 24-bit (touchdown:4x4) or minimized (pushfight:standard)
    #[arg(long, value_name = "NAME", requires = "game")]
    pub numbering: Option<String>,
    /// Older name of `--numbering 24-bit`
    #[arg(long, hide = true, requires = "game", conflicts_with = "numbering")]
    pub seed_numbering: bool,
    /// Older name of `--numbering minimized`
    #[arg(long, hide = true, requires = "game", conflicts_with_all = ["numbering", "seed_numbering"])]
    pub minimized: bool,
}

impl NumberingArgs {
    /// The name by which games know the numbering, if one was asked for.
    pub(crate) fn name(&self) -> Option<&str> {
        // Games and answers in JSON call the 24-bit numbering "seed".
        const NUMBERING_24_BIT: &str = "seed";
        match (self.numbering.as_deref(), self.seed_numbering, self.minimized) {
            (Some("24-bit"), ..) | (None, true, _) => Some(NUMBERING_24_BIT),
            (Some(name), ..) => Some(name),
            (None, false, true) => Some("minimized"),
            (None, false, false) => None,
        }
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
}
