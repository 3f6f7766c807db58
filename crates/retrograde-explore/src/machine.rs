//! The resources of this machine: memory that may be used and space on a disk. Solving is refused
//! before anything is allocated, so these figures must be honest rather than hopeful; where the
//! system does not tell, nothing is refused.

use std::path::Path;

/// Bytes left free for everything else when no limit is given: an eighth, at most a gibibyte.
fn margin(available: u64) -> u64 {
    (available / 8).min(1 << 30)
}

/// Bytes of memory that a solver may use by default: the available memory, less a margin. `None`
/// where the system does not tell.
pub fn usable_memory() -> Option<u64> {
    let available = available_memory()?;
    Some(available - margin(available))
}

/// The allowed memory in bytes: the given number, or else the usable memory.
pub(crate) fn allowed_memory(said: Option<u64>) -> u64 {
    said.or_else(usable_memory).unwrap_or(u64::MAX)
}

/// Bytes that can be allocated without pushing others out: those of the machine, or the rest of the
/// control group's allowance where that is less.
fn available_memory() -> Option<u64> {
    let machine = std::fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| meminfo(&text, "MemAvailable"))
        .or_else(all_memory)?;
    let number = |file: &str| std::fs::read_to_string(file).ok()?.trim().parse::<u64>().ok();
    let group = number("/sys/fs/cgroup/memory.max")
        .zip(number("/sys/fs/cgroup/memory.current"))
        .map(|(most, used)| most.saturating_sub(used));
    Some(group.map_or(machine, |group| group.min(machine)))
}

/// A line of `/proc/meminfo`, in bytes.
fn meminfo(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// All of the machine's memory, where it does not say what is available.
#[cfg(target_os = "linux")]
fn all_memory() -> Option<u64> {
    let info = rustix::system::sysinfo();
    (info.totalram as u64).checked_mul(u64::from(info.mem_unit))
}

#[cfg(not(target_os = "linux"))]
fn all_memory() -> Option<u64> {
    None
}

/// Bytes that can be written into a directory, or into the nearest one above it that exists. `None`
/// where the system does not tell.
#[cfg(unix)]
pub fn free_disk(directory: &Path) -> Option<u64> {
    let directory = std::path::absolute(directory).ok()?;
    let there = directory.ancestors().find(|path| path.is_dir())?;
    let disk = rustix::fs::statvfs(there).ok()?;
    disk.f_bavail.checked_mul(disk.f_frsize)
}

/// Bytes that can be written into a directory; `None`: this system does not tell.
#[cfg(not(unix))]
pub fn free_disk(_directory: &Path) -> Option<u64> {
    None
}

/// The most memory that this process has held so far, where the system tells.
#[cfg(feature = "cluster")]
pub(crate) fn peak_memory() -> Option<u64> {
    meminfo(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM")
}

/// Bytes for people: `831 MB`, `4.2 GB`.
pub(crate) fn bytes_text(bytes: u128) -> String {
    let (size, unit) = scaled(bytes);
    in_unit(bytes, unit, usize::from(unit > 0 && size < 9.95))
}

/// Units of bytes, each a thousand of the one before.
const UNITS: [&str; 7] = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"];

/// Bytes in the largest unit of which there is one, and the place of the unit.
fn scaled(bytes: u128) -> (f64, usize) {
    let mut size = bytes as f64;
    let mut unit = 0;
    while size >= 999.5 && unit + 1 < UNITS.len() {
        size /= 1000.0;
        unit += 1;
    }
    (size, unit)
}

/// Bytes in a unit, with so many digits after the point.
fn in_unit(bytes: u128, unit: usize, digits: usize) -> String {
    let size = bytes as f64 / 1000_f64.powi(unit as i32);
    format!("{size:.digits$} {}", UNITS[unit])
}

/// Two numbers of bytes for people who compare them: with as many digits as it takes to see that
/// they differ.
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
    fn reads_meminfo() {
        let text = "MemTotal:       24657088 kB\nMemAvailable:   1024 kB\nBuffers: 5 kB\n";
        assert_eq!(meminfo(text, "MemAvailable"), Some(1 << 20));
        assert_eq!(meminfo(text, "Mem"), None);
        assert_eq!(meminfo("MemAvailable: many", "MemAvailable"), None);
    }

    #[test]
    fn bytes_are_rounded_for_people() {
        let texts = [0, 999, 1000, 33_554_432, 401_567_166_000, u128::MAX].map(bytes_text);
        assert_eq!(texts[..5], ["0 bytes", "999 bytes", "1.0 kB", "34 MB", "402 GB"]);
        assert!(texts[5].ends_with(" EB"));
    }

    #[test]
    fn bytes_that_differ_are_seen_to_differ() {
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
        assert!(free_disk(Path::new("/surely/not/there")).is_some());
    }
}
