//! Networks that are slow, chop what they carry, or are cut. Where the system lets us, there are
//! two namespaces with a cable between them; everywhere there is a proxy that does the same to what
//! passes through it.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::children::{MAX_WAIT, TIMEOUT, all_end_well, end, folder, free, spawn, wait_for};
use crate::common::proxy::{Network, Proxy};

/// Three processes, each behind a separate proxy.
fn through_proxies(network: &Network, slow: u64) -> (retrograde_testkit::TempDir, Vec<Proxy>, Vec<Child>) {
    let addresses = free(6);
    let (own, seen) = addresses.split_at(3);
    let folder = folder(seen);
    for (process, own) in own.iter().enumerate() {
        std::fs::write(folder.path().join(format!("listen-{process}")), own).unwrap();
    }
    let proxies = seen.iter().zip(own).map(|(seen, own)| Proxy::start(seen, own, network.clone())).collect();
    let children = (0..3).map(|process| spawn(folder.path(), process, 1, slow, &[])).collect();
    (folder, proxies, children)
}

#[test]
fn a_slow_network_with_small_packets_works() {
    let slow = Network { delay: Duration::from_millis(15), bytes_a_second: 1 << 20, most: 700 };
    let (folder, proxies, children) = through_proxies(&slow, 0);
    let began = Instant::now();
    all_end_well(children, folder.path());
    let (bytes, pieces) = proxies.iter().map(Proxy::carried).fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    println!("{bytes} bytes in {pieces} pieces and {:.1} s", began.elapsed().as_secs_f32());
    assert!(bytes > 1 << 19 && pieces > bytes / 700, "{bytes} bytes in {pieces} pieces");
}

#[test]
fn all_processes_notice_a_cut_network() {
    let (folder, proxies, children) = through_proxies(&Network::default(), 2);
    wait_for(&folder.path().join("cluster/manifest.json"));
    // Nothing passes any more, and no connection ends.
    proxies.iter().for_each(Proxy::cut);
    let began = Instant::now();
    for child in children {
        let (ended, output) = end(child, TIMEOUT + MAX_WAIT);
        assert_eq!(ended, Some(false), "{output}");
        assert!(output.contains("has sent nothing for 3 s"), "{output}");
    }
    assert!(began.elapsed() >= TIMEOUT / 2);
}

/// Two network namespaces with a cable between them; gone when dropped.
struct Namespaces(String);

impl Namespaces {
    fn new() -> Option<Namespaces> {
        let name = format!("rg{}", std::process::id());
        let namespaces = Namespaces(name.clone());
        let script = format!(
            "ip netns add {name}a && ip netns add {name}b && \
             ip link add {name}a netns {name}a type veth peer name {name}b netns {name}b && \
             ip -n {name}a addr add 10.231.7.1/24 dev {name}a && ip -n {name}b addr add 10.231.7.2/24 dev {name}b && \
             ip -n {name}a link set {name}a up && ip -n {name}b link set {name}b up && \
             ip -n {name}a link set lo up && ip -n {name}b link set lo up"
        );
        sh(&script).then_some(namespaces)
    }

    fn start(&self, folder: &Path, slow: u64) -> Vec<Child> {
        let within = |side: &str| format!("{}{side}", self.0);
        let (a, b) = (within("a"), within("b"));
        vec![
            spawn(folder, 0, 1, slow, &["ip", "netns", "exec", &a]),
            spawn(folder, 1, 2, slow, &["ip", "netns", "exec", &b]),
        ]
    }
}

impl Drop for Namespaces {
    fn drop(&mut self) {
        sh(&format!("ip netns del {0}a; ip netns del {0}b", self.0));
    }
}

fn sh(script: &str) -> bool {
    let silent = Command::new("sh").args(["-c", script]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    silent.is_ok_and(|status| status.success())
}

#[test]
fn two_namespaces_with_a_slow_link_and_a_cut_link() {
    let Some(namespaces) = Namespaces::new() else {
        println!("skipped: this machine lets us make no network namespaces");
        return;
    };
    let name = &namespaces.0;
    let addresses = ["10.231.7.1:7000".to_owned(), "10.231.7.2:7000".to_owned()];
    // 5 ms each way and 1 packet of 200 lost; where the system cannot do that, no more than 8
    // Mbit/s.
    let slowed =
        ["netem delay 5ms loss 0.5%", "tbf rate 8mbit burst 16kbit latency 200ms"].into_iter().find(|how| {
            ["a", "b"]
                .iter()
                .all(|side| sh(&format!("tc -n {name}{side} qdisc replace dev {name}{side} root {how}")))
        });
    println!("{}", slowed.unwrap_or("not slowed: this machine has no `tc` that does it"));
    let slow_folder = folder(&addresses);
    all_end_well(namespaces.start(slow_folder.path(), 0), slow_folder.path());
    let cut_folder = folder(&addresses);
    let children = namespaces.start(cut_folder.path(), 2);
    wait_for(&cut_folder.path().join("cluster/manifest.json"));
    assert!(sh(&format!("ip -n {name}a link set {name}a down")));
    for (child, other) in children.into_iter().zip(["process 1 (", "process 0 ("]) {
        let (ended, output) = end(child, TIMEOUT + MAX_WAIT);
        assert_eq!(ended, Some(false), "{output}");
        assert!(output.contains(other), "{output}");
    }
}
