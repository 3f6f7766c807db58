//! The games of this crate: the promises of their traits, slow twins of their rules, their solvers
//! against the sweep, and the values that are known from literature.

#[cfg(unix)]
mod cluster;
mod dots_and_boxes;
mod hexapawn;
mod in_files;
mod literature;
mod morris;
mod occurring;
mod program;
mod shades;
mod solvers;
mod teeko;

#[test]
fn every_game_is_found_by_its_name() {
    retrograde::conformance::check_registry(&retrograde_classics::registry());
}
