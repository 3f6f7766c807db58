//! Byte files from other programs: every byte is read back, plain and compressed, and damaged files
//! only give errors.

use std::fs;
use std::io::Write;
use std::num::NonZeroU64;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use lzma_rust2::{CheckType, LzmaOptions, XzOptions, XzWriter};
use proptest::prelude::*;
use retrograde_table::{ByteFile, DiskStorage, TableError};

/// Bytes that resemble a file of values: runs, and some noise.
fn values(count: usize) -> Vec<u8> {
    let mut state = 7_u64;
    (0..count)
        .map(|at| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if state >> 60 < 3 { (state >> 40) as u8 % 99 } else { [2, 0, 3][at / 1000 % 3] }
        })
        .collect()
}

fn packed(bytes: &[u8], block: Option<u64>, check: CheckType) -> Vec<u8> {
    let mut options = XzOptions::with_preset(6);
    options.lzma_options = LzmaOptions { dict_size: 4096, ..LzmaOptions::with_preset(6) };
    options.set_block_size(block.and_then(NonZeroU64::new));
    options.set_check_sum_type(check);
    let mut writer = XzWriter::new(Vec::new(), options).unwrap();
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

fn open(path: &Path, length: usize) -> Result<ByteFile, TableError> {
    ByteFile::open(&DiskStorage, path, length as u64).map(|file| file.expect("it is there"))
}

/// Compares every byte, read one by one and in pieces.
fn same(file: &ByteFile, bytes: &[u8]) {
    assert_eq!(file.length(), bytes.len() as u64);
    let mut at = 0;
    for number in 0..file.pieces() {
        let (first, piece) = file.piece(number).unwrap();
        assert_eq!(first, at as u64);
        assert!(piece[..] == bytes[at..at + piece.len()]);
        at += piece.len();
    }
    assert_eq!(at, bytes.len());
    // Reads forwards, and in strides that change the block each time.
    for at in (0..bytes.len()).chain((0..bytes.len()).map(|at| at * 4999 % bytes.len())) {
        assert_eq!(file.at(at as u64).unwrap(), bytes[at], "byte {at}");
    }
}

#[test]
fn every_byte_is_read_back() {
    let directory = retrograde_testkit::tempdir().unwrap();
    let bytes = values(70_001);
    let plain = directory.path().join("values.bin");
    fs::write(&plain, &bytes).unwrap();
    same(&open(&plain, bytes.len()).unwrap(), &bytes);
    let path = directory.path().join("values.bin.xz");
    for check in [CheckType::None, CheckType::Crc32, CheckType::Crc64, CheckType::Sha256] {
        for block in [Some(4096), Some(10_000), None] {
            fs::write(&path, packed(&bytes, block, check)).unwrap();
            let file = open(&path, bytes.len()).unwrap();
            assert_eq!(file.pieces(), block.map_or(1, |block| 70_001_u64.div_ceil(block)));
            same(&file, &bytes);
        }
    }
    assert!(ByteFile::open(&DiskStorage, &directory.path().join("none.bin"), 5).unwrap().is_none());
    assert!(matches!(ByteFile::open(&DiskStorage, directory.path(), 5), Err(TableError::Io { .. })));
}

/// Uses the `xz` program, which compressed the published file, if it is installed.
#[test]
fn files_of_the_xz_program_are_read() {
    let xz = |arguments: &[&str], bytes: &[u8]| -> Option<Vec<u8>> {
        let mut child = Command::new("xz")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut input = child.stdin.take()?;
        let bytes = bytes.to_vec();
        let feeder = std::thread::spawn(move || input.write_all(&bytes));
        let output = child.wait_with_output().ok()?;
        feeder.join().ok()?.ok()?;
        output.status.success().then_some(output.stdout)
    };
    let directory = retrograde_testkit::tempdir().unwrap();
    let path = directory.path().join("values.bin.xz");
    let bytes = values(300_001);
    for arguments in [
        &["--block-size=64KiB", "-9"][..],
        &["--block-size=64KiB", "--threads=2"],
        &["--block-size=5000", "--check=sha256", "-0"],
        &["--block-size=64KiB", "--check=none"],
    ] {
        let Some(packed) = xz(arguments, &bytes) else { return };
        fs::write(&path, packed).unwrap();
        let file = open(&path, bytes.len()).unwrap();
        assert_eq!(file.pieces(), if arguments[0].ends_with("64KiB") { 5 } else { 61 });
        same(&file, &bytes);
    }
    let large = vec![0; (4 << 20) + 1];
    fs::write(&path, xz(&[], &large).unwrap()).unwrap();
    let error = open(&path, large.len()).err().unwrap().to_string();
    assert!(error.contains("a single block of up to 4194305 bytes"), "{error}");
    assert!(error.contains("xz --decompress --keep"), "{error}");
    let twice = [xz(&[], &bytes).unwrap(), xz(&[], &bytes).unwrap()].concat();
    fs::write(&path, twice).unwrap();
    let error = open(&path, bytes.len()).err().unwrap().to_string();
    assert!(error.contains("several xz streams"), "{error}");
}

#[test]
fn unusable_files_are_rejected_with_a_reason() {
    let directory = retrograde_testkit::tempdir().unwrap();
    let bytes = values(20_000);
    let error_for = |name: &str, content: &[u8], length: usize| {
        let path = directory.path().join(name);
        fs::write(&path, content).unwrap();
        open(&path, length).err().expect("an error").to_string()
    };
    let right = packed(&bytes, Some(4096), CheckType::Crc64);
    assert!(error_for("a.bin", &bytes[1..], 20_000).contains("its length in bytes is 19999, not 20000"));
    assert!(error_for("a.bin", &right, 20_000).contains("does not end in `.xz`"));
    assert!(error_for("a.bin.xz", &bytes, 20_000).contains("it is not an xz file"));
    assert!(error_for("a.bin.xz", &[], 20_000).contains("it is not an xz file"));
    assert!(
        error_for("a.bin.xz", &right, 20_001).contains("it decompresses to 20000 bytes instead of 20001")
    );
    for cut in [6, 11, 12, 40, right.len() / 2, right.len() - 4, right.len() - 1] {
        let error = error_for("a.bin.xz", &right[..cut], 20_000);
        assert!(error.contains("is damaged"), "{cut}: {error}");
    }
    let padded = [&right[..], &[0; 8]].concat();
    assert!(error_for("a.bin.xz", &padded, 20_000).contains("truncated or extended"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// Flipping bits gives an error or the right byte.
    #[test]
    fn flipped_bits_never_give_other_bytes(
        flips in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..8), 1..4),
        check in 0_usize..3,
    ) {
        static RIGHT: OnceLock<(Vec<u8>, [Vec<u8>; 3])> = OnceLock::new();
        let (bytes, packed) = RIGHT.get_or_init(|| {
            let bytes = values(9000);
            let checks = [CheckType::Crc32, CheckType::Crc64, CheckType::Sha256];
            (bytes.clone(), checks.map(|check| packed(&bytes, Some(4096), check)))
        });
        let mut damaged = packed[check].clone();
        for (at, bit) in flips {
            let at = at.index(damaged.len());
            damaged[at] ^= 1 << bit;
        }
        read_all(&damaged, Some(bytes));
    }

    /// Hostile files with correct checksums around the blocks cause no panic and need no more
    /// memory than a block.
    #[test]
    fn a_hostile_index_is_rejected(
        change in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        length in prop::sample::select(vec![0_usize, 9000, 9001, 4096]),
    ) {
        static RIGHT: OnceLock<Vec<u8>> = OnceLock::new();
        let mut hostile = RIGHT.get_or_init(|| packed(&values(9000), Some(4096), CheckType::None)).clone();
        let end = hostile.len() - 12;
        let words = u32::from_le_bytes(hostile[end + 4..end + 8].try_into().unwrap()) as usize + 1;
        let index = end - 4 * words;
        for (at, byte) in change {
            let at = 12 + at.index(end - 4 - 12);
            hostile[at] = byte;
        }
        let sum = crc32fast::hash(&hostile[index..end - 4]).to_le_bytes();
        hostile[end - 4..end].copy_from_slice(&sum);
        let directory = retrograde_testkit::tempdir().unwrap();
        let path = directory.path().join("values.bin.xz");
        fs::write(&path, &hostile).unwrap();
        if let Ok(file) = open(&path, length) {
            for number in 0..file.pieces() {
                let _ = file.piece(number);
            }
            for at in (0..file.length()).step_by(97) {
                let _ = file.at(at);
            }
        }
    }

    #[test]
    fn noise_is_rejected(noise in prop::collection::vec(any::<u8>(), 0..200), framed in any::<bool>()) {
        let noise = if framed { [&b"\xfd7zXZ\0"[..], &noise, b"YZ"].concat() } else { noise };
        prop_assert!(!read_all(&noise, None));
    }
}

/// Reads and compares all of a compressed file of 9000 bytes. Returns whether it could be opened.
fn read_all(packed: &[u8], bytes: Option<&[u8]>) -> bool {
    let directory = retrograde_testkit::tempdir().unwrap();
    let path = directory.path().join("values.bin.xz");
    fs::write(&path, packed).unwrap();
    let Ok(file) = open(&path, 9000) else { return false };
    for at in (0..9000).step_by(97) {
        if let (Ok(byte), Some(bytes)) = (file.at(at), bytes) {
            assert_eq!(byte, bytes[at as usize]);
        }
    }
    true
}
