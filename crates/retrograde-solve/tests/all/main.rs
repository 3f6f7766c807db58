//! The tests of the solvers as one program, so that the made-up games they share are compiled once
//! with each solver.

mod backwards;
mod faults;
mod images;
mod in_files;
mod reachable;
mod reachable_on_disk;
mod searches;
mod shades;
mod solvers;
mod sums;
mod uneven;
