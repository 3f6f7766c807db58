//! Boards for the tests.

use retrograde_game::GameSpec;
use retrograde_pushfight::PushFight;

/// The game of a name with a built-in board.
pub fn built_in(name: &str) -> Result<PushFight, String> {
    PushFight::from_spec(GameSpec::parse(name).unwrap(), &|_| Err("no files".to_owned()))
        .map_err(|error| error.to_string())
}

/// The game of a name with a board file of this text.
pub fn from_file(name: &str, text: &str) -> Result<PushFight, String> {
    PushFight::from_spec(GameSpec::parse(name).unwrap(), &|_| Ok(text.to_owned()))
        .map_err(|error| error.to_string())
}

/// A ring of eight squares around a hole, with rails at three places.
pub const HOLED: &str = "+-+-+ +\n . . .|\n+ + + +\n|. # .\n+ + + +\n . . .\n+-+ + +";
