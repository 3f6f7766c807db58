//! Every game of this crate keeps the promises of its traits.

use retrograde_classics::Dodgem;
use retrograde_game::conformance;

#[test]
fn dodgem_keeps_its_promises() {
    for rows in 2..=5 {
        let positions = conformance::playouts(&Dodgem(rows), 100, 60, u64::from(rows));
        conformance::check_game(&Dodgem(rows), &positions);
        conformance::check_show(&Dodgem(rows), &positions);
    }
}
