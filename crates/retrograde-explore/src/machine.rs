//! The resources of this machine: threads, available memory, and disk space, from which every
//! command takes its defaults. Solves that do not fit are rejected before allocating anything, so
//! these figures must not be optimistic. If the system does not report a figure, nothing is
//! rejected.

pub(crate) mod limits;

use std::num::NonZero;
use std::path::Path;
use std::sync::OnceLock;
use std::thread::available_parallelism;

use limits::SystemCalls;

/// The memory limit, if the user set one.
static ALLOWED_MEMORY: OnceLock<u64> = OnceLock::new();

/// The number of threads that can run in parallel: the cores of this machine, or fewer if the
/// process may not use all of them (CPU affinity, a control group's quota).
pub fn usable_threads() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}

/// The bytes to leave free for everything else, such as cached files: a tenth, at least 1 GiB, but
/// never more than half.
fn reserve(available: u64) -> u64 {
    (available / 10).max(1 << 30).min(available / 2)
}

/// Sets how many bytes of memory everything in this process may use unless an option says otherwise,
/// instead of [`usable_memory`]. Only the first call counts.
pub fn allow_memory(bytes: u64) {
    // A second call changes nothing.
    let _ = ALLOWED_MEMORY.set(bytes);
}

/// The default memory limit in bytes: what is available to this process, minus a reserve of 10%,
/// at least 1 GiB, but at most half. `None` if the system does not report it.
pub fn usable_memory() -> Option<u64> {
    let available = limits::available(Path::new("/"), SystemCalls::ask())?;
    Some(available - reserve(available))
}

/// The allowed memory in bytes: the given number, or else what [`allow_memory`] set, or else
/// [`usable_memory`]. Without any of them there is no limit.
pub fn allowed_memory(given: Option<u64>) -> u64 {
    given.or_else(|| ALLOWED_MEMORY.get().copied()).or_else(usable_memory).unwrap_or(u64::MAX)
}

/// The allowed memory when this was first called. Asking the system again would take longer than a short
/// search.
pub(crate) fn initial_memory_limit() -> u64 {
    static MEMORY: OnceLock<u64> = OnceLock::new();
    *MEMORY.get_or_init(|| allowed_memory(None))
}

/// The memory of the program itself in bytes.
pub(crate) const PROGRAM: u64 = 12 << 20;

/// The part of `allowed` bytes that is left for data: without the memory of the program itself,
/// unless hardly more is allowed.
pub(crate) fn data_memory(allowed: u64) -> u64 {
    allowed.saturating_sub(PROGRAM).max(allowed.min(PROGRAM))
}

/// The bytes that can be written to a directory or its nearest existing ancestor, with `memory`
/// bytes in use: a file system in memory shares the memory limit. `None` if the system does not
/// report it.
#[cfg(unix)]
pub fn free_disk(directory: &Path, memory: u128) -> Option<u64> {
    let disk = rustix::fs::statvfs(existing(directory)?).ok()?;
    let free = disk.f_bavail.checked_mul(disk.f_frsize);
    if !is_in_memory(directory) {
        return free;
    }
    let usable = usable_memory()?;
    let usable = usable.saturating_sub(u64::try_from(memory).unwrap_or(u64::MAX));
    Some(free.map_or(usable, |free| free.min(usable)))
}

/// The bytes that can be written to a directory; `None` because this system does not report it.
#[cfg(not(unix))]
pub fn free_disk(_directory: &Path, _memory: u128) -> Option<u64> {
    None
}

/// The directory, or its nearest existing ancestor.
#[cfg(unix)]
fn existing(directory: &Path) -> Option<std::path::PathBuf> {
    let directory = std::path::absolute(Path::new(".").join(directory)).ok()?;
    directory.ancestors().find(|path| path.is_dir()).map(Path::to_owned)
}

/// Whether a directory, or its nearest existing ancestor, is on a file system in memory.
#[cfg(target_os = "linux")]
pub(crate) fn is_in_memory(directory: &Path) -> bool {
    const TMPFS: u32 = 0x0102_1994;
    const RAMFS: u32 = 0x8584_58f6;
    // The type's width differs between processors.
    let system = existing(directory).and_then(|there| rustix::fs::statfs(there).ok());
    system.is_some_and(|system| matches!(system.f_type as u32, TMPFS | RAMFS))
}

/// Other systems do not report this.
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_in_memory(_directory: &Path) -> bool {
    false
}

/// Formats bytes: `831 MB`, `4.2 GB`.
pub(crate) fn bytes_text(bytes: u128) -> String {
    let (size, unit) = scaled(bytes);
    in_unit(bytes, unit, usize::from(unit > 0 && size < 9.95))
}

/// Units of bytes, each a thousand times the previous one.
const UNITS: [&str; 7] = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"];

/// The bytes in the largest unit that gives at least 1, and the index of the unit.
fn scaled(bytes: u128) -> (f64, usize) {
    let mut size = bytes as f64;
    let mut unit = 0;
    while size >= 999.5 && unit + 1 < UNITS.len() {
        size /= 1000.0;
        unit += 1;
    }
    (size, unit)
}

/// The bytes in a unit, with `digits` decimals.
fn in_unit(bytes: u128, unit: usize, digits: usize) -> String {
    let size = bytes as f64 / 1000_f64.powi(unit as i32);
    let unit = if bytes == 1 { "byte" } else { UNITS[unit] };
    format!("{size:.digits$} {unit}")
}

/// Formats two numbers of bytes for comparison, with enough digits to show that they differ.
pub fn bytes_apart(one: u128, other: u128) -> [String; 2] {
    let texts = [bytes_text(one), bytes_text(other)];
    if one == other || texts[0] != texts[1] {
        return texts;
    }
    let (_, unit) = scaled(one);
    (1..=18)
        .map(|digits| [one, other].map(|bytes| in_unit(bytes, unit, digits)))
        .find(|[one, other]| one != other)
        .unwrap_or_else(|| [one, other].map(|bytes| format!("{bytes} bytes")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reserve_stays_free() {
        const GIB: u64 = 1 << 30;
        assert_eq!([0, GIB, 3 * GIB, 10 * GIB, 30 * GIB].map(reserve), [0, GIB / 2, GIB, GIB, 3 * GIB]);
    }

    #[test]
    fn the_memory_of_the_program_itself_counts() {
        let sizes = [0, 5, PROGRAM, PROGRAM + 1, 2 * PROGRAM, 10 * PROGRAM, u64::MAX].map(data_memory);
        assert_eq!(sizes, [0, 5, PROGRAM, PROGRAM, PROGRAM, 9 * PROGRAM, u64::MAX - PROGRAM]);
    }

    #[test]
    fn bytes_are_rounded_for_people() {
        let texts = [0, 999, 1000, 33_554_432, 401_567_166_000, u128::MAX].map(bytes_text);
        assert_eq!(texts[..5], ["0 bytes", "999 bytes", "1.0 kB", "34 MB", "402 GB"]);
        assert!(texts[5].ends_with(" EB"));
    }

    #[test]
    fn different_sizes_never_print_alike() {
        let texts = bytes_apart;
        assert_eq!(texts(9_600_000_000, 10_000_000_000), ["9.6 GB", "10 GB"]);
        assert_eq!(texts(10_200_000_000, 10_000_000_000), ["10.2 GB", "10.0 GB"]);
        assert_eq!(texts(10_000_400_000, 10_000_000_000), ["10.0004 GB", "10.0000 GB"]);
        assert_eq!(texts(999_700, 1_000_100), ["0.9997 MB", "1.0001 MB"]);
        assert_eq!(texts(7, 7), ["7 bytes", "7 bytes"]);
        let [one, other] = bytes_apart(u128::MAX, u128::MAX - 1);
        assert_ne!(one, other);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_has_memory_and_a_disk() {
        assert!(usable_memory().is_some_and(|bytes| bytes > 1 << 20));
        assert!(free_disk(Path::new("/surely/not/there"), 0).is_some());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn files_in_memory_count_toward_the_memory_limit() {
        let shared = Path::new("/dev/shm");
        if !is_in_memory(shared) {
            return;
        }
        assert!(free_disk(shared, 0).is_some_and(|free| free > 0));
        assert_eq!(free_disk(shared, u128::MAX), Some(0));
    }
}
