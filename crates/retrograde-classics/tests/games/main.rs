//! The games of this crate: the promises of their traits, slow implementations of their rules,
//! their solvers against the sweep, and values from literature.

#[cfg(unix)]
mod cluster;
mod domineering;
mod dots_and_boxes;
mod guide;
mod hexapawn;
mod in_files;
mod l_game;
mod literature;
mod morris;
mod passes;
mod program;
mod promises;
mod reachable;
mod shades;
mod solvers;
mod teeko;

#[test]
fn every_game_is_found_by_its_name() {
    retrograde::conformance::check_registry(&retrograde_classics::registry());
}
