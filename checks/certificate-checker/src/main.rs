//! Checks the certificates that it is given; the library says what they prove.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    if std::env::args().len() < 2 {
        eprintln!("usage: certificate-checker FILE...");
        return ExitCode::from(2);
    }
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string());
        match text.and_then(|text| certificate_checker::prove(&text)) {
            Ok(claim) => println!("{path}: proved: {claim}"),
            Err(fault) => {
                println!("{path}: not proved: {fault}");
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}
