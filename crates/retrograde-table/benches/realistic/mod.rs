//! Values of a real game for measurements: Tactics on a board of a given size, longest line 4,
//! misère, solved by plain recursion over sets of filled cells.

use retrograde_game::{Score, Value};

/// The sets of cells that one turn may fill.
fn lines(columns: u32, rows: u32) -> Vec<u32> {
    let mut lines = Vec::new();
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let cell = row * columns + column;
        for length in 1..=4 {
            if column + length <= columns {
                lines.push((0..length).map(|n| 1 << (cell + n)).sum());
            }
            if length > 1 && row + length <= rows {
                lines.push((0..length).map(|n| 1 << (cell + n * columns)).sum());
            }
        }
    }
    lines
}

/// The score of every set of filled cells.
pub fn tactics(columns: u32, rows: u32) -> Vec<u8> {
    let cells = columns * rows;
    let lines = lines(columns, rows);
    let full = (1_usize << cells) - 1;
    let mut scores = vec![0_u8; full + 1];
    scores[full] = u8::from_value(Value::over(retrograde_game::Outcome::Win)).unwrap_or(u8::MAX);
    for set in (0..full).rev() {
        let best = lines
            .iter()
            .filter(|&&line| set & line as usize == 0)
            .map(|&line| scores[set | line as usize])
            .min()
            .unwrap_or(u8::MAX);
        scores[set] = best.before_turn().unwrap_or(u8::UNKNOWN);
    }
    scores
}

/// One bit per position; 1 is a win.
pub fn outcomes(scores: &[u8]) -> Vec<u64> {
    scores
        .chunks(64)
        .map(|scores| scores.iter().enumerate().map(|(at, &score)| u64::from(score > u8::DRAW) << at).sum())
        .collect()
}
