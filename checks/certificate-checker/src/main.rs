//! Checks the given certificates; see the library for what they prove.

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

/// The status if the output is closed, as by `head`: the same as for a program ended by SIGPIPE. It is not a
/// success, since some files may not have been checked.
const UNREAD: u8 = 141;

fn main() -> ExitCode {
    let files: Vec<OsString> = std::env::args_os().skip(1).collect();
    if files.is_empty() {
        // If this output is closed too, the status still shows the failure.
        let _ = writeln!(io::stderr(), "usage: certificate-checker FILE...");
        return ExitCode::from(2);
    }
    match check(&files, &mut io::stdout()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::from(UNREAD),
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: standard output: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints for each file whether it is proved; returns whether all are.
fn check(files: &[OsString], out: &mut dyn Write) -> io::Result<bool> {
    let mut all = true;
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|error| error.to_string());
        let proved = text.and_then(|text| certificate_checker::prove(&text));
        let path = Path::new(file).display();
        match &proved {
            Ok(claim) => writeln!(out, "{path}: proved: {claim}")?,
            Err(fault) => writeln!(out, "{path}: not proved: {fault}")?,
        }
        all &= proved.is_ok();
    }
    Ok(all)
}
