//! Text that people write and read: names of games, mistakes in them, messages.

mod error;
mod list;
mod printable;
mod spec;
mod system_error;
mod text_input;

pub use error::{Mistake, TextError};
pub use list::joined;
pub use printable::{printable, printable_json};
pub use spec::{GameSpec, board_file_stem};
pub use system_error::system_reason;
pub use text_input::{clean_text, decode_text};
