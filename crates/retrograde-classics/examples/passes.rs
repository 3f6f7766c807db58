//! Hexapawn with passes: in each turn, a player may move a pawn or pass. `cargo run -p retrograde-classics --example
//! passes -- serve` shows it in the browser; the tests of the page use it, because no other game here has passes.

use retrograde::{Entry, Family, Registry};
use retrograde_classics::Hexapawn;
use retrograde_game::*;

/// Hexapawn with passes. Positions are those of Hexapawn, but can repeat.
pub(crate) struct Passes {
    grid: Grid,
    pawns: Hexapawn,
}

type Pawns = <Hexapawn as Game>::Position;

impl Passes {
    /// Creates the game of a name such as `passes:3x3`, with the options of Hexapawn.
    ///
    /// # Errors
    /// As for Hexapawn.
    pub(crate) fn from_spec(spec: GameSpec) -> Result<Passes, TextError> {
        Ok(Passes { grid: Grid::from_spec(&spec, (3, 3))?, pawns: Hexapawn::from_spec(spec)? })
    }
}

impl Game for Passes {
    type Position = Pawns;
    /// The pawn's square before and after the turn, or a pass.
    type Turn = Option<(Square, Square)>;

    fn name(&self) -> String {
        self.pawns.name().replacen("hexapawn", "passes", 1)
    }
    fn position_count(&self) -> u128 {
        self.pawns.position_count()
    }
    fn start(&self) -> Pawns {
        self.pawns.start()
    }
    fn result(&self, pawns: &Pawns) -> Option<Outcome> {
        self.pawns.result(pawns)
    }
    fn turns(&self, pawns: &Pawns) -> Vec<(Self::Turn, Pawns)> {
        let mut turns = Vec::new();
        if self.result(pawns).is_none() {
            turns.push((None, self.play(pawns, &None)));
        }
        let _ = self.pawns.each_turn(pawns, |turn, next| {
            turns.push((Some(turn), next));
            Flow::Continue(())
        });
        turns
    }
    fn play(&self, pawns: &Pawns, turn: &Self::Turn) -> Pawns {
        let [own, other] = *pawns;
        let passed = || [self.grid.half_turn(other), self.grid.half_turn(own)];
        turn.as_ref().map_or_else(passed, |turn| self.pawns.play(pawns, turn))
    }
    fn layout(&self) -> Option<Layout<'_, Pawns, Self::Turn>> {
        let layout = Layout::new(self.grid, Piece::sides(PieceShape::Pawn)).other_view(Symmetry::HalfTurn);
        let reason = "`O` has a pawn, and `X` none on the top row";
        // Finished positions may have no index.
        let is_legal = |pawns: &Pawns| self.pawns.parse_position(&self.pawns.position_text(pawns)).is_ok();
        Some(layout.only_if(is_legal, reason))
    }
}

impl Dense for Passes {
    const INDEX_VERSION: u32 = 1;

    fn index_count(&self) -> u128 {
        self.pawns.index_count()
    }
    fn index(&self, pawns: &Pawns) -> Option<Index> {
        self.pawns.index(pawns)
    }
    fn position(&self, index: Index) -> Option<Pawns> {
        self.pawns.position(index)
    }
    fn unnumbered(&self) -> Vec<(Outcome, u128)> {
        self.pawns.unnumbered()
    }
}

impl Show for Passes {}

fn registry() -> Registry {
    let about = "Hexapawn in which a player may pass";
    let family = Family::new("passes", about, move |spec, _| {
        Ok(Entry::new(Passes::from_spec(spec)?, about).title("Hexapawn with passes").retrograde().build())
    });
    Registry::new().with(family.forms("[:WxH][,forced]   as in Hexapawn").examples(["passes:3x3"]))
}

fn main() -> std::process::ExitCode {
    retrograde::run(registry(), std::env::args_os())
}
