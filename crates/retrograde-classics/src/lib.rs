//! Well-known games, each in one file: rules, numbering, pictures, and what else a solver can use.
//!
//! They show what a game of one's own takes, and they prove the solvers: their values are known from
//! literature. `docs/write-your-own-game.md` walks through two of them.

mod connect_four;
mod dodgem;
mod dots_and_boxes;
mod hexapawn;
mod morris;
mod teeko;

pub use connect_four::ConnectFour;
pub use dodgem::Dodgem;
pub use dots_and_boxes::DotsAndBoxes;
pub use hexapawn::Hexapawn;
pub use morris::{Morris, MorrisBoard};
use retrograde::Registry;
pub use teeko::Teeko;

/// The games of this crate.
pub fn registry() -> Registry {
    Registry::new()
        .with(connect_four::family())
        .with(dodgem::family())
        .with(dots_and_boxes::family())
        .with(hexapawn::family())
        .with(morris::family())
        .with(teeko::family())
}
