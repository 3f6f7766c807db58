//! The hot loops, compiled for several processors: moves as floods, pushes as patterns.
//!
//! - `flood`: moves in a block; `flood_avx512`: the same for the standard board in registers
//! - `push`: pushes into a plane; `push_pattern`: the patterns of a push; `push_cell`: cells
//!   selected and transposed; `push_retraction`: pushes taken back from few positions
//! - `transpose`: bit matrices
//! - `pext`: bits of a mask
//! - `simd`: the choice of instructions
//! - `bench`: benchmarks of the loops alone

#[cfg(feature = "measure")]
pub(crate) mod bench;
pub(crate) mod flood;
#[cfg(target_arch = "x86_64")]
pub(crate) mod flood_avx512;
pub(crate) mod pext;
pub(crate) mod push;
pub(crate) mod push_cell;
pub(crate) mod push_pattern;
pub(crate) mod push_retraction;
pub(crate) mod simd;
pub(crate) mod transpose;
