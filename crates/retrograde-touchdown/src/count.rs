//! The numbers of positions, computed from binomial coefficients.

/// "n choose k" for n up to 64, which always fits.
fn choose(n: u32, k: u32) -> u128 {
    retrograde_index::binomial(n, k).unwrap_or(u128::MAX)
}

/// Legal positions: up to `columns` pawns of the mover below the top row, then 1 to `columns` pawns
/// of the opponent on any other squares.
pub(crate) fn legal(columns: u32, rows: u32) -> u128 {
    let (squares, below) = (columns * rows, columns * (rows - 1));
    let with = |own| {
        let others: u128 = (1..=columns).map(|other| choose(squares - own, other)).sum();
        choose(below, own) * others
    };
    (0..=columns).map(with).sum()
}

/// Legal positions in which the game is not over: each side has a pawn, and none of them is on the
/// row it wants to reach.
pub(crate) fn open(columns: u32, rows: u32) -> u128 {
    let (middle, above) = (columns * (rows - 2), columns * (rows - 1));
    let mut sum = 0;
    for bottom in 0..=columns {
        for inside in 0..=columns - bottom {
            if bottom + inside == 0 || inside > middle {
                continue;
            }
            // The opponent's pawns may be anywhere above the bottom row, except on the mover's squares.
            let others: u128 = (1..=columns).map(|other| choose(above - inside, other)).sum();
            sum += choose(columns, bottom) * choose(middle, inside) * others;
        }
    }
    sum
}
