//! Unchanged certificates of version 2, with positions after turns, are proved; changed ones are not.

use certificate_checker::prove;

const CERTIFICATES: [(&str, &str); 3] = [
    ("4x4, second", include_str!("certificates/tactics-4x4-second.certificate")),
    ("5x4, first", include_str!("certificates/tactics-5x4-first.certificate")),
    ("TacTix 5x5, first", include_str!("certificates/tactix-5x5-first.certificate")),
];

fn fault(text: &str) -> Option<String> {
    prove(text).err()
}

/// These lines except the last, with a matching checksum and number of positions.
fn sealed(lines: &[String]) -> String {
    let from = lines.iter().position(|line| line == "set").unwrap();
    let count = format!("positions = {}", lines.len() - from - 2);
    let counted = |line: &String| if line.starts_with("positions = ") { count.clone() } else { line.clone() };
    let lines: Vec<String> = lines[..lines.len() - 1].iter().map(counted).collect();
    let text = lines.join("\n") + "\n";
    let step = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let sum = text.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    format!("{text}end {sum:016x}\n")
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

#[test]
fn certificates_are_proved() {
    for (name, text) in CERTIFICATES {
        assert_eq!(fault(text), None, "{name}");
        assert_eq!(sealed(&lines(text)), text, "{name}");
    }
}

#[test]
fn a_flipped_byte_is_found() {
    for (name, text) in CERTIFICATES {
        for at in 0..text.len() {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] ^= 1;
            assert!(fault(&String::from_utf8(bytes).unwrap()).is_some(), "{name}: byte {at}");
            assert!(fault(&text[..at]).is_some(), "{name}: cut after {at} bytes");
        }
    }
}

#[test]
fn a_changed_claim_is_not_proved() {
    for (name, text) in CERTIFICATES {
        let other = if text.contains("side = first") { "second" } else { "first" };
        for (key, value) in
            [("side", other), ("line", "3"), ("line", "2"), ("last", "wins"), ("columns", "2")]
        {
            let changed = lines(text).into_iter().map(|line| {
                if line.starts_with(&format!("{key} = ")) { format!("{key} = {value}") } else { line }
            });
            let changed: Vec<String> = changed.collect();
            assert!(fault(&sealed(&changed)).is_some(), "{name}: {key} = {value}");
        }
    }
}

/// A few positions can be left out, if all replies that need them have another answer.
#[test]
fn most_omissions_and_all_duplicates_are_detected() {
    for (name, text) in CERTIFICATES {
        let all = lines(text);
        let set = all.iter().position(|line| line == "set").unwrap() + 1;
        let needed = (set..all.len() - 1).filter(|&at| {
            let mut fewer = all.clone();
            fewer.remove(at);
            fault(&sealed(&fewer)).is_some()
        });
        let (needed, count) = (needed.count(), all.len() - 1 - set);
        assert!(needed * 10 > count * 9, "{name}: {needed} of {count}");
        let mut twice = all.clone();
        // The same position with reversed rows has the same parts.
        let image = all[set].split('/').rev().collect::<Vec<_>>().join("/");
        twice.insert(set, image);
        assert!(fault(&sealed(&twice)).unwrap().contains("second time"), "{name}");
    }
}

#[test]
fn a_set_with_a_position_that_the_opponent_wins_is_not_closed() {
    // If the opponent fills all but one square, no reply exists.
    let text = "Retrograde certificate 2\nside = first\npositions = 1\nrules = tactics\ncolumns = 2\nrows = 1\n\
                line = 2\nlast = loses\nset\nX_\nend 0";
    assert_eq!(fault(&sealed(&lines(text))), None, "leaving one square wins");
    let wins = sealed(&lines(&text.replace("last = loses", "last = wins")));
    // If the last square wins, the first player fills both squares at once; no set is needed, and this one is
    // not closed.
    assert!(fault(&wins).is_some());
}
