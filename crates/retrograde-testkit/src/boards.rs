//! Push Fight games by name, and drawings of boards.

use retrograde_game::GameSpec;
use retrograde_pushfight::PushFight;

/// The game with a valid name and a built-in board.
pub fn push_fight(name: &str) -> PushFight {
    PushFight::from_spec(GameSpec::parse(name).unwrap(), &|_| Err("no files".to_owned())).unwrap()
}

/// The game with a valid name and a valid drawing as its board file.
pub fn push_fight_on(name: &str, drawing: &str) -> PushFight {
    PushFight::from_spec(GameSpec::parse(name).unwrap(), &|_| Ok(drawing.to_owned())).unwrap()
}

/// Draws a board with these rows, one character per square and `#` where there is no square. `rail`
/// returns for each edge of the board, from the top and from the left, whether it has a rail.
pub fn drawing(rows: &[impl AsRef<str>], mut rail: impl FnMut() -> bool) -> String {
    let rows: Vec<&[u8]> = rows.iter().map(|row| row.as_ref().as_bytes()).collect();
    let columns = rows[0].len();
    let square = |line: usize, across: usize| {
        line % 2 == 1 && across % 2 == 1 && rows.get(line / 2).is_some_and(|row| is_square(row, across / 2))
    };
    let mut text = String::new();
    for line in 0..=2 * rows.len() {
        for across in 0..=2 * columns {
            text.push(match (line % 2, across % 2) {
                (0, 0) => '+',
                (0, _) if square(line.wrapping_sub(1), across) != square(line + 1, across) && rail() => '-',
                (_, 0) if square(line, across.wrapping_sub(1)) != square(line, across + 1) && rail() => '|',
                (1, 1) => char::from(rows[line / 2][across / 2]),
                _ => ' ',
            });
        }
        text.push('\n');
    }
    text
}

/// Whether a row of cells has a square in this column.
fn is_square(row: &[u8], column: usize) -> bool {
    row.get(column).is_some_and(|&cell| cell != b'#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rails_are_requested_only_at_the_edges_of_the_board() {
        let rows = ["o#", "xY"];
        assert_eq!(drawing(&rows, || false), "+ + +\n o # \n+ + +\n x Y \n+ + +\n");
        assert_eq!(drawing(&rows, || true), "+-+ +\n|o|# \n+ +-+\n|x Y|\n+-+-+\n");
        let mut asked = 0;
        let all_but_the_last = drawing(&rows, || {
            asked += 1;
            asked < 8
        });
        assert_eq!(all_but_the_last, "+-+ +\n|o|# \n+ +-+\n|x Y|\n+-+ +\n");
    }
}
