//! All tests of the solvers in one program, so that the random games they share are compiled once.

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
