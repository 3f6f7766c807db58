//! Several processes write the same file as one process, for the reachable positions of games that
//! can repeat.

use retrograde_table::testing::reachable_file;

use crate::program::run;

#[test]
fn reachable_positions_are_the_same_byte_for_byte() {
    for (game, numbers) in [("dodgem:3x3", ["1", "4"]), ("morris:3", ["1", "3"]), ("teeko:3x3", ["2", "4"])] {
        let alone = retrograde_testkit::tempdir().unwrap();
        run(alone.path(), &["solve", game, "--reachable"]);
        let expected = reachable_file(alone.path());
        for processes in numbers {
            let together = retrograde_testkit::tempdir().unwrap();
            run(together.path(), &["solve", game, "--reachable", "--processes", processes, "--workers", "2"]);
            assert!(reachable_file(together.path()) == expected, "{game} on {processes} processes");
            run(together.path(), &["verify", game, "--full"]);
        }
    }
}
