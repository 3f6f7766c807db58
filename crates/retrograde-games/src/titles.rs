//! The titles of games for people: "TouchDown 5 × 4", "Push Fight mini".

/// The title of a game, from the title of its family and its canonical name.
pub fn title(family: &str, name: &str) -> String {
    let rest = name.find([':', ',']).map_or("", |at| &name[at..]);
    let (board, keys) = rest.split_at(rest.find(',').unwrap_or(rest.len()));
    let board = board.trim_start_matches(':');
    let board = match board.split_once('x') {
        Some((columns, rows)) if is_number(columns) && is_number(rows) => format!("{columns} × {rows}"),
        _ => without_hash(board).to_owned(),
    };
    let blank = if board.is_empty() { "" } else { " " };
    format!("{family}{blank}{board}{}", keys.replace(',', ", "))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The name of a board from a file, without the hash that distinguishes it from others with this name.
fn without_hash(board: &str) -> &str {
    match board.rsplit_once('-') {
        Some((name, hash)) if hash.len() == 8 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) => name,
        _ => board,
    }
}
