//! The file: `key = value` lines, the drawing of a board where there is one, `set`, a line for each
//! position with the position that its turn leads to, and a checksum of all that.

use std::collections::HashSet;

use crate::push_fight::PushFight;
use crate::rules::{Grid, Position, Rules};

/// A certificate as it was read; nothing is checked yet.
pub struct Certificate {
    /// The rules as the file says them, for people.
    pub rules_text: String,
    pub rules: Box<dyn Rules>,
    /// Whether it is about the second player.
    pub second: bool,
    pub turns: Vec<(Position, Position)>,
    /// The first positions of `turns`.
    pub set: HashSet<Position>,
    /// The line of the first of them.
    pub first_line: usize,
}

pub fn read(text: &str) -> Result<Certificate, String> {
    let end = text.rfind("end ").ok_or("the last line, `end CHECKSUM`, is missing")?;
    // FNV-1a. It finds damage; what the file claims does not rest on it.
    let step = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let sum = text.as_bytes()[..end].iter().fold(0xcbf2_9ce4_8422_2325, step);
    if text[end..] != format!("end {sum:016x}\n") {
        return Err("the checksum in the last line is not that of the file".to_owned());
    }
    let mut lines = text[..end].lines();
    let header: Vec<&str> = lines.by_ref().take_while(|&line| line != "set").collect();
    if header.first() != Some(&"Retrograde certificate 1") {
        return Err("line 1 is not `Retrograde certificate 1`".to_owned());
    }
    let value = |key: &str| {
        let mut pairs = header.iter().filter_map(|line| line.split_once(" = "));
        pairs.find(|pair| pair.0 == key).map(|(_, value)| value.to_owned())
    };
    let side = value("side").filter(|side| side == "first" || side == "second");
    let second = side.ok_or("`side` is neither `first` nor `second`")? == "second";
    let rules = read_rules(&header, &value).ok_or("the rules cannot be read")?;
    let rules_text = header[1..].iter().map(|line| format!("  {line}\n")).collect();
    let first_line = header.len() + 2;
    let (mut turns, mut set) = (Vec::new(), HashSet::new());
    for (number, line) in (first_line..).zip(lines) {
        let pair = line.split_once(' ').and_then(|(here, next)| rules.read(here).zip(rules.read(next)));
        let (here, next) = pair.ok_or_else(|| format!("line {number} is not two positions"))?;
        if !set.insert(here) {
            return Err(format!("line {number} has a position for the second time"));
        }
        turns.push((here, next));
    }
    if value("positions") != Some(turns.len().to_string()) {
        return Err(format!("there are {} positions, and `positions` says another number", turns.len()));
    }
    Ok(Certificate { rules_text, rules, second, turns, set, first_line })
}

fn read_rules(header: &[&str], value: &dyn Fn(&str) -> Option<String>) -> Option<Box<dyn Rules>> {
    let number = |key: &str| value(key)?.parse::<usize>().ok();
    let grid = |tactics| {
        let (columns, rows) = (number("columns")?, number("rows")?);
        let sound = columns > 0 && rows > 0 && columns.saturating_mul(rows) < 64;
        sound.then(|| Box::new(Grid { columns, rows, tactics }) as Box<dyn Rules>)
    };
    match value("rules")?.as_str() {
        "touchdown" => grid(None),
        "tactics" => grid(Some((number("line")?, value("last")? == "wins"))),
        "pushfight" => {
            let from = header.iter().position(|line| line.starts_with('+'))?;
            Some(Box::new(PushFight::new(value, &header[from..])?))
        }
        _ => None,
    }
}
