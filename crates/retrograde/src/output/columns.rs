//! Columns of text side by side, such as boards with captions.

use crate::output::WIDTH;

/// The width of `text` in terminal columns, without escape sequences.
pub(crate) fn width(text: &str) -> usize {
    anstream::adapter::strip_str(text).map(|part| part.chars().count()).sum()
}

/// Puts columns of text side by side, as many as fit the terminal; the others follow below.
pub(crate) fn side_by_side(columns: &[Vec<String>]) -> Vec<String> {
    const GAP: usize = 3;
    let mut rows = Vec::new();
    let mut rest = columns;
    while !rest.is_empty() {
        let widths: Vec<usize> =
            rest.iter().map(|c| c.iter().map(|row| width(row)).max().unwrap_or(0)).collect();
        let (mut fit, mut total) = (1, widths[0]);
        while fit < rest.len() && total + GAP + widths[fit] <= WIDTH {
            total += GAP + widths[fit];
            fit += 1;
        }
        let height = rest[..fit].iter().map(Vec::len).max().unwrap_or(0);
        for row in 0..height {
            let mut line = String::new();
            for (column, wide) in rest[..fit].iter().zip(&widths) {
                let text = column.get(row).map_or("", String::as_str);
                line.push_str(text);
                line.push_str(&" ".repeat(wide - width(text) + GAP));
            }
            rows.push(line.trim_end().to_owned());
        }
        rest = &rest[fit..];
    }
    rows
}
