//! The command line with this game: `cargo run --release -- solve mygame`.

fn main() -> std::process::ExitCode {
    retrograde::run(my_game::registry(), std::env::args_os())
}
