//! Box-drawing characters, by the lines that meet in them.

/// The weight of a line: none, light, or heavy for rails.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) enum Line {
    #[default]
    None,
    Light,
    Heavy,
}

impl Line {
    pub(super) fn across(self) -> char {
        [' ', '─', '━'][self as usize]
    }

    pub(super) fn down(self) -> char {
        [' ', '│', '┃'][self as usize]
    }
}

/// All ways in which four lines can meet: the lines up, right, down and left, the first varying slowest.
const CORNERS: [char; 81] = [
    // Nothing up.
    ' ', '╴', '╸', '╷', '┐', '┑', '╻', '┒', '┓', // nothing to the right
    '╶', '─', '╾', '┌', '┬', '┭', '┎', '┰', '┱', // light
    '╺', '╼', '━', '┍', '┮', '┯', '┏', '┲', '┳', // heavy
    // Light up.
    '╵', '┘', '┙', '│', '┤', '┥', '╽', '┧', '┪', //
    '└', '┴', '┵', '├', '┼', '┽', '┟', '╁', '╅', //
    '┕', '┶', '┷', '┝', '┾', '┿', '┢', '╆', '╈', //
    // Heavy up.
    '╹', '┚', '┛', '╿', '┦', '┩', '┃', '┨', '┫', //
    '┖', '┸', '┹', '┞', '╀', '╃', '┠', '╂', '╉', //
    '┗', '┺', '┻', '┡', '╄', '╇', '┣', '╊', '╋', //
];

/// The character where four lines meet.
pub(super) fn corner(up: Line, right: Line, down: Line, left: Line) -> char {
    CORNERS[up as usize * 27 + right as usize * 9 + down as usize * 3 + left as usize]
}

#[cfg(test)]
mod tests {
    use super::Line::{Heavy, Light, None};
    use super::*;

    #[test]
    fn corners_have_the_right_lines() {
        assert_eq!(corner(None, None, None, None), ' ');
        assert_eq!(corner(None, Light, Light, None), '┌');
        assert_eq!(corner(Light, Light, Light, Light), '┼');
        assert_eq!(corner(None, Heavy, Light, Heavy), '┯');
        assert_eq!(corner(Light, Heavy, None, Heavy), '┷');
        assert_eq!(corner(Light, None, None, Heavy), '┙');
        assert_eq!(corner(None, Heavy, Light, Light), '┮');
        assert_eq!(corner(Heavy, Heavy, Heavy, Heavy), '╋');
        assert_eq!(corner(Heavy, None, Heavy, None), Heavy.down());
        assert_eq!(corner(None, Light, None, Light), Light.across());
        let distinct: std::collections::HashSet<char> = CORNERS.into_iter().collect();
        assert_eq!(distinct.len(), 81);
    }
}
