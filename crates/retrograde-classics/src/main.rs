//! The command line of Retrograde with well-known games: `cargo run --release -p retrograde-classics`.

fn main() -> std::process::ExitCode {
    retrograde::run(retrograde_classics::registry(), std::env::args_os())
}
