//! Well-known games, each in its own file: rules, numbering, pictures, and what else solvers can use.
//!
//! They show what it takes to write your own game, and they test the solvers, because their values
//! are known from literature. `docs/write-your-own-game.md` explains two of them.

mod connect_four;
mod dodgem;
mod domineering;
mod dots_and_boxes;
mod hexapawn;
mod l_game;
mod morris;
mod teeko;

pub use connect_four::ConnectFour;
pub use dodgem::Dodgem;
pub use domineering::Domineering;
pub use dots_and_boxes::DotsAndBoxes;
pub use hexapawn::Hexapawn;
pub use l_game::LGame;
pub use morris::{Morris, MorrisBoard};
use retrograde::Registry;
pub use teeko::Teeko;

/// The games of this crate.
pub fn registry() -> Registry {
    Registry::new()
        .with(connect_four::family())
        .with(dodgem::family())
        .with(domineering::family())
        .with(dots_and_boxes::family())
        .with(hexapawn::family())
        .with(l_game::family())
        .with(morris::family())
        .with(teeko::family())
}
