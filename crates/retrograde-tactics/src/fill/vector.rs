//! 128 bytes of positions, the unit of memory of the solver.

/// The number of words per vector.
pub(super) const LANES: usize = 16;

/// 128 bytes: two of the widest vectors, so that their operations can overlap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(128))]
pub(super) struct Vector(pub(super) [u64; LANES]);

impl Vector {
    /// Greater than or equal to everything.
    pub(super) const ONES: Vector = Vector([u64::MAX; LANES]);
}
