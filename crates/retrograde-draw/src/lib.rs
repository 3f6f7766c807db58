//! Draws boards and plots as SVG, PNG, GIF, and text for the terminal.
//!
//! It draws a game's pictures of positions ([`retrograde_game::Picture`]) with the marks of a turn,
//! and counts of positions by turns to the end. It knows neither games nor values. All letters are
//! paths, so pictures do not depend on fonts.
//!
//! ```
//! use retrograde_draw::{BoardStyle, Size, Words, board, png, text};
//! use retrograde_game::{Mark, Picture, Piece, GridSquare, Seat, PieceShape};
//!
//! let mut picture = Picture::grid(3, 2, Seat::First);
//! let from = GridSquare { column: 0, row: 1 };
//! let pawn = Piece { shape: PieceShape::Pawn, owner: Some(Seat::First), anchored: false, letter: 'X' };
//! picture.put(from, Some(pawn));
//! let marks = [Mark::Move(from, GridSquare { column: 0, row: 0 })];
//!
//! let words = Words::new("A pawn", "win in 1");
//! let svg = board::svg(&picture, &BoardStyle::default(), &marks, &words);
//! assert!(svg.starts_with("<svg ") && svg.contains("<title>A pawn</title>"));
//! # #[cfg(feature = "raster")]
//! assert!(png(&svg, Size::Width(400))?.starts_with(b"\x89PNG"));
//! println!("{}", text::board(&picture, &marks, false));
//! # Ok::<(), retrograde_draw::DrawError>(())
//! ```

#[cfg(feature = "raster")]
mod animation;
pub mod board;
mod error;
mod film;
mod letters;
#[cfg(feature = "raster")]
mod palette;
pub mod plot;
#[cfg(feature = "raster")]
mod raster;
pub mod sheet;
mod size;
mod style;
mod svg;
pub mod text;
#[cfg(not(feature = "raster"))]
mod vector_only;

#[cfg(feature = "raster")]
pub use animation::gif;
pub use error::DrawError;
pub use film::{Pace, Shot, film};
pub use plot::{Histogram, HistogramWords};
#[cfg(feature = "raster")]
pub use raster::{Pixels, png, rgb};
pub use sheet::Sheet;
pub use size::Size;
pub use style::{BoardStyle, Theme, Words};
#[cfg(not(feature = "raster"))]
pub use vector_only::{gif, png};
