//! `certificate`: writes a proof that one side never loses. Checking it does not need a table.

use std::path::PathBuf;

use clap::Args;
use retrograde_explore::{Certificate, Growth};
use retrograde_game::Seat;

use crate::output::progress::ProgressDisplay;
use crate::output::{bytes, print_line, reserve_output, show, thousands, wrapped};
use crate::program::args::{parse_player, whole};
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult, Exit};

/// Write a proof that one side never loses
#[derive(Args, Debug)]
#[command(after_help = "The file lists positions, each with a turn after which no reply leaves the list.\n\
                  A small program checks it with the rules alone (docs/draw-certificate.md).\n\n\
                  Examples:\n  \
                        retrograde certificate pushfight:mini,pawns=1 --out a.cert\n  \
                        retrograde certificate pushfight:mini,pawns=1 --side blue --out b.cert")]
pub(crate) struct CertificateArgs {
    /// A solved game that the side does not lose
    game: String,
    /// The side that never loses
    #[arg(long, default_value = "red", value_name = "RED|BLUE", value_parser = parse_player)]
    side: Seat,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Maximum number of positions in the certificate
    #[arg(long, default_value_t = 10_000_000, value_parser = whole::<u64>(1_000_000))]
    limit: u64,
}

pub(crate) fn run(context: &Context, args: &CertificateArgs) -> CommandResult {
    reserve_output(Some(&args.out))?;
    let game = context.open(&args.game)?;
    let found = ProgressDisplay::during(|bar| {
        game.certificate(args.side, args.limit, &args.out, &context.resources(bar))
    })?;
    show(context, &found, || print_certificate(&found))?;
    Ok(if found.closed { Exit::Success } else { Exit::Failure })
}

fn print_certificate(found: &Certificate) -> Result<(), BoxError> {
    let game = &found.game;
    let side = Seat::from(found.side).name();
    if let (Some(file), Some(size), Some(checksum)) = (&found.file, found.bytes, &found.checksum) {
        print_line(format!("{game}: {side} never loses"))?;
        print_line(format!("  positions, each with a turn {:>17}", thousands(found.positions.0)))?;
        print_line(format!("  distinct positions after a turn {:>13}", thousands(found.after_turns.0)))?;
        if !found.passes.is_empty() {
            let passes: Vec<String> = found.passes.iter().map(|count| thousands(count.0)).collect();
            print_line(format!("  positions left after each pass {:>14}", passes.join(", ")))?;
        }
        print_line(format!("written to “{file}”: {}, checksum {checksum}", bytes(size.0)))?;
        return Ok(());
    }
    print_line(wrapped(
        &format!(
            "{game}: no certificate for {side}: the limit was reached before a turn was chosen for every position"
        ),
        2,
    ))?;
    print_line("     with a turn   without a turn      after turns")?;
    for Growth { with_turn, waiting, after_turns } in &found.growth {
        let columns = [with_turn, waiting, after_turns].map(|count| format!("{:>16}", thousands(count.0)));
        print_line(columns.join(" "))?;
    }
    print_line("Try a higher --limit and more --memory.")
}
