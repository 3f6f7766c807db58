//! Unchanged certificates are proved; changed ones are not.

use certificate_checker::prove;

const CERTIFICATES: [(&str, &str); 4] = [
    ("mini, first", include_str!("certificates/mini-2-pushers-first.certificate")),
    ("mini, second", include_str!("certificates/mini-2-pushers-second.certificate")),
    ("standard, first", include_str!("certificates/standard-1-pusher-1-pawn-first.certificate")),
    ("standard, second", include_str!("certificates/standard-1-pusher-1-pawn-second.certificate")),
];

/// The fault of a certificate, if any.
fn fault(text: &str) -> Option<String> {
    prove(text).err()
}

/// A certificate of these lines except the last, with a matching checksum and number of positions.
fn sealed(lines: &[&str]) -> String {
    let from = lines.iter().position(|&line| line == "set").unwrap();
    let count = format!("positions = {}", lines.len() - from - 2);
    let counted =
        |line: &&str| if line.starts_with("positions = ") { count.clone() } else { (*line).to_owned() };
    let lines: Vec<String> = lines[..lines.len() - 1].iter().map(counted).collect();
    let text = lines.join("\n") + "\n";
    let step = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let sum = text.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    format!("{text}end {sum:016x}\n")
}

#[test]
fn certificates_are_proved() {
    for (name, text) in CERTIFICATES {
        assert_eq!(fault(text), None, "{name}");
        assert_eq!(sealed(&text.lines().collect::<Vec<_>>()), text, "{name}");
    }
}

#[test]
fn a_flipped_byte_is_found() {
    for (name, text) in CERTIFICATES {
        for at in 0..text.len() {
            for bit in [0, 3, 6] {
                let mut bytes = text.as_bytes().to_vec();
                bytes[at] ^= 1 << bit;
                let altered = String::from_utf8(bytes).unwrap();
                assert!(fault(&altered).is_some(), "{name}: byte {at}, bit {bit}");
            }
        }
        for end in 0..text.len() {
            assert!(fault(&text[..end]).is_some(), "{name}: cut after {end} bytes");
        }
    }
}

#[test]
fn omitted_positions_and_changed_turns_are_rejected_despite_a_valid_checksum() {
    for (name, text) in CERTIFICATES {
        let lines: Vec<&str> = text.lines().collect();
        let set = lines.iter().position(|&line| line == "set").unwrap() + 1;
        // All small ones, and some larger ones.
        for number in (set..lines.len() - 1).step_by(lines.len().div_ceil(100)) {
            let mut fewer = lines.clone();
            fewer.remove(number);
            assert!(fault(&sealed(&fewer)).unwrap().contains("not safe"), "{name}: without line {number}");
            let (here, next) = lines[number].split_once(' ').unwrap();
            let unanchored = format!("{here} {}", next.replace('Y', "X"));
            let shifted = format!("{here} {}{}", &next[1..], &next[..1]);
            let twice = format!("{}\n{}", lines[number], lines[number]);
            for altered in [&unanchored, &shifted, &twice] {
                if *altered == lines[number] {
                    continue;
                }
                let mut altered_lines = lines.clone();
                altered_lines[number] = altered;
                assert!(fault(&sealed(&altered_lines)).is_some(), "{name}: {altered}");
            }
        }
    }
}

#[test]
fn a_changed_claim_is_rejected_despite_a_valid_checksum() {
    let altered = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        let text = text.replace(from, to);
        fault(&sealed(&text.lines().collect::<Vec<_>>()))
    };
    for (name, text) in CERTIFICATES {
        let (side, other) =
            if text.contains("side = first") { ("first", "second") } else { ("second", "first") };
        for (from, to) in [
            (format!("side = {side}"), format!("side = {other}")),
            (format!("side = {side}"), "side = both".to_owned()),
            ("moves = 2".to_owned(), "moves = 0".to_owned()),
            ("moves = 2".to_owned(), "moves = many".to_owned()),
            // The opponent can move further, so more replies need answers.
            ("pawns = ".to_owned(), "pawns = 5-".to_owned()),
            ("rules = pushfight".to_owned(), "rules = touchdown".to_owned()),
            ("rules = pushfight".to_owned(), "rules = chess".to_owned()),
            ("first = ".to_owned(), "first = a9,".to_owned()),
            ("Retrograde certificate 1".to_owned(), "Retrograde certificate 2".to_owned()),
            // Another board: without rails, and with more squares.
            ("+-".to_owned(), "+ ".to_owned()),
            (" # ".to_owned(), " . ".to_owned()),
        ] {
            assert!(altered(text, &from, &to).is_some(), "{name}: {to} instead of {from}");
        }
    }
}

#[test]
fn malformed_files_are_rejected() {
    for text in ["", "\n", "end \n", "end cbf29ce484222325\n", "set\n", "Retrograde certificate 1\n"] {
        assert!(fault(text).is_some(), "{text:?}");
        assert!(fault(&sealed(&["Retrograde certificate 1", text, "set", "end"])).is_some(), "{text:?}");
    }
    let board =
        ["rules = pushfight", "pushers = 1-1", "pawns = 0-0", "moves = 1", "first = a1", "second = c1"];
    let of = |drawing: &str| {
        let head = ["Retrograde certificate 1", "name = x", "side = first", "positions = 0"];
        let lines =
            [&head[..], &board[..], &drawing.split('\n').collect::<Vec<_>>()[..], &["set", "end"]].concat();
        sealed(&lines)
    };
    // The first player moves to the square between the pushers and pushes the other one over the edge.
    assert_eq!(fault(&of("+ + + +\n O . X\n+ + + +")), None);
    let wide = format!("+{}\n{}\n+{}", " +".repeat(65), " .".repeat(65), " +".repeat(65));
    for drawing in ["", "+", "+\n+", "+ +\n #\n+ +", "+ +\n?", &wide] {
        assert!(fault(&of(drawing)).is_some(), "{drawing}");
    }
}
