//! The file format: `key = value` lines, the drawing of a board if there is one, `set`, a line for each
//! position with the position after its turn, and a checksum. In version 2 a line has one position, in which
//! the opponent is to move.

use std::collections::HashSet;

use crate::push_fight::PushFight;
use crate::rules::{Grid, Position, Rules};

/// A parsed certificate, not checked yet.
pub struct Certificate {
    /// The rules as written in the file, for people.
    pub rules_text: String,
    pub rules: Box<dyn Rules>,
    /// Whether the claim is about the second player.
    pub second: bool,
    pub set: Set,
    /// The line of the first position.
    pub first_line: usize,
}

/// The set that a certificate claims to be closed.
pub enum Set {
    /// Positions with the side to move, each with the position that one of its turns leads to.
    Turns { turns: Vec<(Position, Position)>, set: HashSet<Position> },
    /// Positions with the opponent to move, and their parts.
    AfterTurns { positions: Vec<Position>, parts: HashSet<Vec<u64>> },
}

impl Set {
    fn len(&self) -> usize {
        match self {
            Set::Turns { turns, .. } => turns.len(),
            Set::AfterTurns { positions, .. } => positions.len(),
        }
    }
}

pub fn read(text: &str) -> Result<Certificate, String> {
    let end = text.rfind("end ").ok_or("the last line, `end CHECKSUM`, is missing")?;
    // FNV-1a. It only detects damage; the proof does not depend on it.
    let step = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let sum = text.as_bytes()[..end].iter().fold(0xcbf2_9ce4_8422_2325, step);
    if text[end..] != format!("end {sum:016x}\n") {
        return Err("the checksum in the last line does not match the file".to_owned());
    }
    let mut lines = text[..end].lines();
    let header: Vec<&str> = lines.by_ref().take_while(|&line| line != "set").collect();
    let with_turns = match header.first() {
        Some(&"Retrograde certificate 1") => true,
        Some(&"Retrograde certificate 2") => false,
        _ => return Err("line 1 is not `Retrograde certificate 1` or `2`".to_owned()),
    };
    let value = |key: &str| {
        let mut pairs = header.iter().filter_map(|line| line.split_once(" = "));
        pairs.find(|pair| pair.0 == key).map(|(_, value)| value.to_owned())
    };
    let side = value("side").filter(|side| side == "first" || side == "second");
    let second = side.ok_or("`side` is neither `first` nor `second`")? == "second";
    let rules = read_rules(&header, &value).ok_or("the rules are invalid")?;
    let rules_text = header[1..].iter().map(|line| format!("  {line}\n")).collect();
    let first_line = header.len() + 2;
    let lines = (first_line..).zip(lines);
    let set = if with_turns { read_turns(&*rules, lines)? } else { read_positions(&*rules, lines)? };
    if value("positions") != Some(set.len().to_string()) {
        return Err(format!("there are {} positions, but `positions` has another number", set.len()));
    }
    Ok(Certificate { rules_text, rules, second, set, first_line })
}

fn read_turns<'a>(rules: &dyn Rules, lines: impl Iterator<Item = (usize, &'a str)>) -> Result<Set, String> {
    let (mut turns, mut set) = (Vec::new(), HashSet::new());
    for (number, line) in lines {
        let pair = line.split_once(' ').and_then(|(here, next)| rules.read(here).zip(rules.read(next)));
        let (here, next) = pair.ok_or_else(|| format!("line {number} is not two positions"))?;
        if !set.insert(here) {
            return Err(format!("line {number} has a position for the second time"));
        }
        turns.push((here, next));
    }
    Ok(Set::Turns { turns, set })
}

fn read_positions<'a>(
    rules: &dyn Rules,
    lines: impl Iterator<Item = (usize, &'a str)>,
) -> Result<Set, String> {
    let (mut positions, mut parts) = (Vec::new(), HashSet::new());
    for (number, line) in lines {
        let position = rules.read(line).ok_or_else(|| format!("line {number} is not a position"))?;
        if !parts.insert(rules.parts(&position)) {
            return Err(format!("line {number} has a position for the second time"));
        }
        positions.push(position);
    }
    Ok(Set::AfterTurns { positions, parts })
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
