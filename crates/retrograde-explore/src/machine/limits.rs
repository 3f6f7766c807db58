//! The memory that this process can still allocate: what the machine has free, what each control
//! group over the process still allows (both versions, and all groups above its own), and what
//! `ulimit -v` and `ulimit -d` leave.
//!
//! `/proc` and `/sys/fs/cgroup` are read below a root folder, so that tests can record them.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// Limits that system calls return, without `/proc`.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct SystemCalls {
    /// Bytes that nothing uses, not even as a cache.
    pub free: Option<u64>,
    /// Bytes of addresses that the process may have (`ulimit -v`).
    pub addresses: Option<u64>,
    /// Bytes of private memory that the process may have (`ulimit -d`).
    pub data: Option<u64>,
}

impl SystemCalls {
    /// Asks the running system.
    pub(super) fn ask() -> SystemCalls {
        #[cfg(target_os = "linux")]
        let free = {
            let info = rustix::system::sysinfo();
            let units = (info.freeram as u64).checked_add(info.bufferram as u64);
            units.and_then(|units| units.checked_mul(u64::from(info.mem_unit)))
        };
        #[cfg(not(target_os = "linux"))]
        let free = None;
        #[cfg(unix)]
        let [addresses, data] = {
            use rustix::process::{Resource, getrlimit};
            [Resource::As, Resource::Data].map(|resource| getrlimit(resource).current)
        };
        #[cfg(not(unix))]
        let [addresses, data] = [None, None];
        SystemCalls { free, addresses, data }
    }
}

/// Bytes that the process can still allocate: the smallest limit that the system reports. `None` if it
/// reports none.
pub(super) fn available(root: &Path, calls: SystemCalls) -> Option<u64> {
    let read = |file: &str| read_to_string(root.join(file)).unwrap_or_default();
    let free = field(&read("proc/meminfo"), "MemAvailable").or(calls.free);
    let own = read("proc/self/status");
    let left =
        |limit: Option<u64>, used| limit.map(|limit| limit.saturating_sub(field(&own, used).unwrap_or(0)));
    let ulimits = [left(calls.addresses, "VmSize"), left(calls.data, "VmData")];
    let groups = Hierarchy::all(root).into_iter().flat_map(|hierarchy| hierarchy.left());
    ulimits.into_iter().chain([free]).flatten().chain(groups).min()
}

/// A line such as `MemAvailable: 1024 kB` of `/proc`, in bytes.
pub(crate) fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The files of a control group that limit memory.
struct Files {
    /// Limits in bytes. A word such as `max` means no limit.
    limits: &'static [&'static str],
    used: &'static str,
    /// Lines of `memory.stat` with bytes that the system takes back when memory is short: cached
    /// files, above all.
    reclaimable: &'static [&'static str],
}

const VERSION_1: Files = Files {
    limits: &["memory.limit_in_bytes"],
    used: "memory.usage_in_bytes",
    reclaimable: &["total_inactive_file", "total_active_file"],
};
const VERSION_2: Files = Files {
    limits: &["memory.max", "memory.high"],
    used: "memory.current",
    reclaimable: &["inactive_file", "active_file", "slab_reclaimable"],
};

/// A mounted hierarchy of control groups, with the place of this process.
struct Hierarchy {
    files: &'static Files,
    /// The folder of the highest group that can be seen.
    top: PathBuf,
    /// The own group's path below it.
    own: PathBuf,
}

impl Hierarchy {
    /// The mounted hierarchies that can limit memory. Without `/proc` those in the usual places,
    /// where a container sees its own group.
    fn all(root: &Path) -> Vec<Hierarchy> {
        let Ok(mounts) = read_to_string(root.join("proc/self/mountinfo")) else {
            let usual = |files, top: &str| Hierarchy { files, top: root.join(top), own: PathBuf::new() };
            return vec![usual(&VERSION_2, "sys/fs/cgroup"), usual(&VERSION_1, "sys/fs/cgroup/memory")];
        };
        let groups = read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
        mounts.lines().filter_map(|mount| Hierarchy::read(root, mount, &groups)).collect()
    }

    /// Reads a line of `mountinfo`; `groups` is `/proc/self/cgroup`.
    fn read(root: &Path, mount: &str, groups: &str) -> Option<Hierarchy> {
        let (place, kind) = mount.split_once(" - ")?;
        let mut kind = kind.split(' ');
        let memory = |names: &str| names.split(',').any(|name| name == "memory");
        let (files, is_own): (_, &dyn Fn(&str) -> bool) = match (kind.next()?, kind.nth(1)) {
            ("cgroup2", _) => (&VERSION_2, &str::is_empty),
            ("cgroup", Some(options)) if memory(options) => (&VERSION_1, &memory),
            _ => return None,
        };
        let mut place = place.split(' ').skip(3);
        let (shown, point) = (place.next()?, place.next()?);
        // Lines such as `4:memory:/user`; the second version has no names.
        let group = groups.lines().find_map(|line| {
            let (names, group) = line.split_once(':')?.1.split_once(':')?;
            is_own(names).then_some(group)
        });
        // A group outside of what is mounted cannot be seen, and the mounted one is above it.
        let own = group
            .and_then(|group| Path::new(group).strip_prefix(shown).ok())
            .filter(|own| !own.starts_with(".."))
            .unwrap_or(Path::new(""));
        let point = point.replace("\\040", " ");
        Some(Hierarchy { files, top: root.join(point.trim_start_matches('/')), own: own.to_owned() })
    }

    /// Bytes that the own group and each group above it still allow.
    fn left(self) -> Vec<u64> {
        let own = self.top.join(&self.own);
        let groups = own.ancestors().take_while(|group| group.starts_with(&self.top));
        groups.filter_map(|group| left_in_group(group, self.files)).collect()
    }
}

/// Bytes that one control group still allows; `None` if it has no limit.
fn left_in_group(group: &Path, files: &Files) -> Option<u64> {
    let read = |file: &str| read_to_string(group.join(file)).ok();
    let number = |file: &&str| read(file)?.trim().parse::<u64>().ok();
    let stat = read("memory.stat").unwrap_or_default();
    let in_stat = |name: &str| {
        let line = stat.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
        line.trim().parse::<u64>().ok()
    };
    // In a container the groups above the mounted one can only be seen here.
    let above = in_stat("hierarchical_memory_limit");
    let limit = files.limits.iter().filter_map(number).chain(above).min()?;
    let cached = files.reclaimable.iter().filter_map(|name| in_stat(name)).fold(0, u64::saturating_add);
    let used = number(&files.used).unwrap_or(0).saturating_sub(cached);
    Some(limit.saturating_sub(used))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const MIB: u64 = 1 << 20;
    const MACHINE: (&str, &str) =
        ("proc/meminfo", "MemTotal: 9000000 kB\nMemAvailable: 8192000 kB\nBuffers: 5 kB\n");
    const V2: (&str, &str) =
        ("proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n");
    const V1: (&str, &str) = (
        "proc/self/mountinfo",
        "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
         35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
         41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
    );

    /// The memory available on a system with these files.
    fn recorded(files: &[(&str, &str)], calls: SystemCalls) -> Option<u64> {
        let root = retrograde_testkit::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        available(root.path(), calls)
    }

    fn with_files(files: &[(&str, &str)]) -> Option<u64> {
        recorded(files, SystemCalls::default())
    }

    #[test]
    fn reads_proc() {
        assert_eq!(field(MACHINE.1, "MemAvailable"), Some(8000 * MIB));
        assert_eq!(field(MACHINE.1, "Mem"), None);
        assert_eq!(field("MemAvailable: many", "MemAvailable"), None);
        assert_eq!(with_files(&[MACHINE]), Some(8000 * MIB));
    }

    #[test]
    fn without_proc_memory_in_use_does_not_count_as_free() {
        let calls = SystemCalls { free: Some(300 * MIB), ..SystemCalls::default() };
        assert_eq!(recorded(&[], calls), Some(300 * MIB));
        assert_eq!(recorded(&[], SystemCalls::default()), None);
        // A container sees its own group in the usual places.
        assert_eq!(recorded(&[("sys/fs/cgroup/memory.max", "104857600\n")], calls), Some(100 * MIB));
        let old = ("sys/fs/cgroup/memory/memory.limit_in_bytes", "209715200\n");
        assert_eq!(recorded(&[old], calls), Some(200 * MIB));
    }

    #[test]
    fn ulimits_include_memory_in_use() {
        let own = ("proc/self/status", "VmSize:\t  102400 kB\nVmRSS:\t 1024 kB\nVmData:\t   51200 kB\n");
        let limits = |addresses, data| SystemCalls { addresses, data, free: None };
        let left = |calls| recorded(&[MACHINE, own], calls);
        assert_eq!(left(limits(Some(1000 * MIB), None)), Some(900 * MIB));
        assert_eq!(left(limits(Some(1000 * MIB), Some(500 * MIB))), Some(450 * MIB));
        assert_eq!(left(limits(None, None)), Some(8000 * MIB));
        assert_eq!(recorded(&[MACHINE], limits(Some(1000 * MIB), None)), Some(1000 * MIB));
    }

    #[test]
    fn the_smallest_limit_of_all_parent_groups_counts() {
        let group = ("proc/self/cgroup", "0::/system.slice/job.service/step\n");
        let tree = |more: &[(&'static str, &'static str)]| {
            let tree = [
                MACHINE,
                V2,
                group,
                ("sys/fs/cgroup/system.slice/memory.max", "max\n"),
                ("sys/fs/cgroup/system.slice/memory.current", "4294967296\n"),
                ("sys/fs/cgroup/system.slice/job.service/memory.max", "1048576000\n"),
                ("sys/fs/cgroup/system.slice/job.service/memory.current", "734003200\n"),
                // 500 of the 700 MiB are cached files.
                (
                    "sys/fs/cgroup/system.slice/job.service/memory.stat",
                    "anon 1\nfile 524288000\ninactive_file 419430400\nactive_file 104857600\nshmem 7\n",
                ),
                ("sys/fs/cgroup/system.slice/job.service/step/memory.max", "max\n"),
                ("sys/fs/cgroup/system.slice/job.service/step/memory.current", "1048576\n"),
            ];
            with_files(&[&tree[..], more].concat())
        };
        assert_eq!(tree(&[]), Some(800 * MIB));
        let high = ("sys/fs/cgroup/system.slice/job.service/step/memory.high", "105906176\n");
        assert_eq!(tree(&[high]), Some(100 * MIB));
        let full = ("sys/fs/cgroup/system.slice/memory.high", "1048576\n");
        assert_eq!(tree(&[full]), Some(0));
    }

    #[test]
    fn version_1_control_groups_count_too() {
        let group = ("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/slurm/job_7\n0::/\n");
        let tree = [
            MACHINE,
            V1,
            group,
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/memory/slurm/memory.limit_in_bytes", "524288000\n"),
            ("sys/fs/cgroup/memory/slurm/memory.usage_in_bytes", "209715200\n"),
            (
                "sys/fs/cgroup/memory/slurm/memory.stat",
                "cache 1\ninactive_file 1\ntotal_inactive_file 104857600\n",
            ),
            ("sys/fs/cgroup/memory/slurm/job_7/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/memory/slurm/job_7/memory.usage_in_bytes", "1048576\n"),
        ];
        assert_eq!(with_files(&tree), Some(400 * MIB));
        let above = ("sys/fs/cgroup/memory/slurm/job_7/memory.stat", "hierarchical_memory_limit 11534336\n");
        assert_eq!(with_files(&[&tree[..], &[above]].concat()), Some(10 * MIB));
    }

    #[test]
    fn a_container_sees_its_own_group_as_the_highest() {
        let limit = ("sys/fs/cgroup/memory.max", "524288000\n");
        // In a separate name space, and moved out of it.
        for path in ["0::/\n", "0::/../other\n", ""] {
            assert_eq!(with_files(&[MACHINE, V2, ("proc/self/cgroup", path), limit]), Some(500 * MIB));
        }
        // Without one, the group is mounted where the hierarchy begins elsewhere.
        let docker = (
            "proc/self/mountinfo",
            "35 31 0:32 /docker/f00 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
        );
        for (path, expected) in
            [("4:memory:/docker/f00\n", 300), ("4:memory:/docker/f00/own\n", 200), ("", 300)]
        {
            let tree = [
                MACHINE,
                docker,
                ("proc/self/cgroup", path),
                ("sys/fs/cgroup/memory/memory.limit_in_bytes", "314572800\n"),
                ("sys/fs/cgroup/memory/own/memory.limit_in_bytes", "209715200\n"),
            ];
            assert_eq!(with_files(&tree), Some(expected * MIB), "{path}");
        }
    }

    #[test]
    fn unreadable_files_set_no_limit() {
        let group = ("proc/self/cgroup", "0::/a\nnonsense\n4:memory\n");
        let broken = [
            ("sys/fs/cgroup/a/memory.max", "lots\n"),
            ("sys/fs/cgroup/memory.max", ""),
            ("sys/fs/cgroup/a/memory.stat", "inactive_file\nactive_file -3\n"),
        ];
        assert_eq!(with_files(&[&[MACHINE, V2, group], &broken[..]].concat()), Some(8000 * MIB));
        assert_eq!(with_files(&[MACHINE, ("proc/self/mountinfo", "x - \n - cgroup2\n")]), Some(8000 * MIB));
    }
}
