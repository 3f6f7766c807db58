//! Measures the traffic between processes on one machine, over TCP on the loopback: empty rounds, raw bytes,
//! messages as the solvers make them (places, sorted and packed), and solving games without keeping the
//! scores.
//!
//! ```sh
//! cargo run --release -p retrograde-cluster --features measure --example exchange          # 2 processes, then 4
//! cargo run --release -p retrograde-cluster --features measure --example exchange 8
//! ```
//!
//! A process is this program again with one worker thread, so with fewer cores than processes the results are
//! limited by the cores.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use retrograde_cluster::{Hosts, JoinOptions, Key, Member, Session};
use retrograde_game::{Dense, GameSpec};
use retrograde_pushfight::PushFight;
use retrograde_solve::retrograde::Capabilities;
use retrograde_solve::together::{ScoreSink, ScoreTotals, SharedJob, SinkError, graded, retrograde};
use retrograde_solve::{Exchange, Piece, Scores, Silent, SolveError, Tally};
use retrograde_touchdown::TouchDown;

type Failure = Box<dyn std::error::Error>;

/// The approximate duration of each measurement.
const LONG: Duration = Duration::from_secs(3);
/// The bytes that a process sends in a round, as a solver does with one thread.
const ROUND: usize = 4 << 20;
/// The messages that a process makes in a round: one or two bytes each.
const MESSAGES: usize = ROUND / 2;
/// The number of places of a process, for messages: 2³¹ are a large share of a large game.
const PLACES: u64 = 1 << 31;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => [2, 4].into_iter().try_for_each(measure),
        ["process", number, hosts] => one(number.parse()?, hosts),
        [count] if count.parse::<usize>()? > 1 => measure(count.parse()?),
        _ => Err("exchange [PROCESSES], of which there are 2 or more".into()),
    }
}

/// Starts the other processes and runs the first one.
fn measure(count: usize) -> Result<(), Failure> {
    let sockets: Vec<TcpListener> =
        (0..count).map(|_| TcpListener::bind("127.0.0.1:0")).collect::<Result<_, _>>()?;
    let hosts: Vec<String> =
        sockets.iter().map(|socket| Ok(socket.local_addr()?.to_string())).collect::<Result<_, Failure>>()?;
    drop(sockets);
    let hosts = hosts.join("\n");
    let program = std::env::current_exe()?;
    let children: Vec<Child> = (1..count)
        .map(|number| Command::new(&program).args(["process", &number.to_string(), &hosts]).spawn())
        .collect::<Result<_, _>>()?;
    println!("{count} processes");
    one(0, &hosts)?;
    for mut child in children {
        if !child.wait()?.success() {
            return Err("a process has failed".into());
        }
    }
    Ok(())
}

/// One of the processes.
fn one(number: usize, hosts: &str) -> Result<(), Failure> {
    let hosts = Hosts::parse(hosts, Path::new("the addresses"))?;
    let join = JoinOptions::new(hosts, number, Key::none(), 1);
    let mut session = Member::join(&join, "measurement")?.start();
    rounds(&mut session)?;
    bytes(&mut session)?;
    messages(&mut session)?;
    games(&mut session)?;
    Ok(session.finish()?)
}

/// Repeats an action until process 0 has enough. Returns the number of repetitions, the seconds, and the
/// bytes that this process sent.
fn again(
    session: &mut Session,
    mut act: impl FnMut(&mut Session) -> Result<(), Failure>,
) -> Result<(f64, f64, f64), Failure> {
    let (began, before) = (Instant::now(), session.traffic().0);
    let mut times = 0;
    // Agreeing takes a round too, so it is done only occasionally.
    for several in (0..).map(|doubled: u32| 1_u64 << doubled.min(6)) {
        for _ in 0..several {
            act(session)?;
        }
        times += several;
        if session.broadcast_from_first(began.elapsed() > LONG)? {
            break;
        }
    }
    let sent = session.traffic().0 - before;
    Ok((times as f64, began.elapsed().as_secs_f64(), sent as f64))
}

fn say(session: &Session, what: &str) {
    if session.process() == 0 {
        println!("  {what}");
    }
}

/// Empty rounds.
fn rounds(session: &mut Session) -> Result<(), Failure> {
    let (times, seconds, _) = again(session, |session| Ok(exchange(session, Vec::new()).map(drop)?))?;
    say(session, &format!("{:>10.0} empty rounds/s", times / seconds));
    Ok(())
}

/// A round of bytes, each with its receiver. Returns the bytes for this process.
fn exchange(session: &mut Session, bytes: Vec<(usize, Vec<u8>)>) -> Result<Vec<Vec<u8>>, SolveError> {
    let pieces = bytes.into_iter().map(|(process, bytes)| Piece { process, tag: 0, bytes }).collect();
    let (pieces, _) = session.round(pieces, Tally::default())?;
    Ok(pieces.into_iter().map(|piece| piece.bytes).collect())
}

fn others(session: &Session) -> Vec<usize> {
    (0..session.threads().len()).filter(|&process| process != session.process()).collect()
}

/// Rounds of raw bytes.
fn bytes(session: &mut Session) -> Result<(), Failure> {
    let others = others(session);
    let each = ROUND / others.len();
    let (times, seconds, sent) = again(session, |session| {
        let pieces = others.iter().map(|&to| (to, vec![1; each])).collect();
        let received: usize = exchange(session, pieces)?.iter().map(Vec::len).sum();
        if received == each * others.len() { Ok(()) } else { Err("bytes are missing".into()) }
    })?;
    let all = (others.len() + 1) as f64;
    let text = "MB/s sent by all processes together, in rounds of 4 MiB each";
    say(session, &format!("{:>10.0} {text}, {:.0} rounds/s", all * sent / seconds / 1e6, times / seconds));
    Ok(())
}

/// Rounds of messages to places, as a solver makes them: drawn, sorted, packed, sent, unpacked, and counted
/// by their owners.
fn messages(session: &mut Session) -> Result<(), Failure> {
    let others = others(session);
    let mut random = 1 + session.process() as u64;
    let mut counters = vec![0_u8; 1 << 24];
    let each = MESSAGES / others.len();
    let (times, seconds, sent) = again(session, |session| {
        let mut pieces = Vec::new();
        for &to in &others {
            // The predecessors of a part of the game lie in parts of it too, here in one of 128 places on
            // average.
            let from = next(&mut random) % PLACES;
            let mut places: Vec<u64> =
                (0..each).map(|_| from + next(&mut random) % (each as u64 * 128)).collect();
            places.sort_unstable();
            pieces.push((to, packed(&places)));
        }
        let mut received = 0;
        for bytes in exchange(session, pieces)? {
            received += unpacked(&bytes, |place| {
                let counter = &mut counters[place as usize & ((1 << 24) - 1)];
                *counter = counter.wrapping_add(1);
            });
        }
        if received == each * others.len() { Ok(()) } else { Err("messages are missing".into()) }
    })?;
    let count = times * (each * others.len()) as f64;
    let all = (others.len() + 1) as f64;
    let text = "million messages/s of all processes together, sorted, packed and counted,";
    say(session, &format!("{:>10.1} {text} {:.2} bytes each", all * count / seconds / 1e6, sent / count));
    Ok(())
}

/// A pseudorandom number.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 24
}

/// Encodes places as differences, seven bits per byte.
fn packed(places: &[u64]) -> Vec<u8> {
    let (mut out, mut last) = (Vec::with_capacity(2 * places.len()), 0);
    for &place in places {
        let mut step = place - last;
        while step >= 0x80 {
            out.push(step as u8 | 0x80);
            step >>= 7;
        }
        out.push(step as u8);
        last = place;
    }
    out
}

/// Visits the places. Returns their number.
fn unpacked(bytes: &[u8], mut visit: impl FnMut(u64)) -> usize {
    let (mut count, mut place, mut step, mut shift) = (0, 0, 0, 0);
    for &byte in bytes {
        step |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            place += step;
            visit(place);
            (count, step, shift) = (count + 1, 0, 0);
        }
    }
    count
}

/// Discards scores.
struct Unkept;

impl ScoreSink for Unkept {
    fn begin(&mut self, _totals: &ScoreTotals) -> Result<(), SinkError> {
        Ok(())
    }
    fn take(&mut self, _scores: &Scores) -> Result<(), SinkError> {
        Ok(())
    }
}

/// Games that are solved, one per solver.
fn games(session: &mut Session) -> Result<(), Failure> {
    let game = TouchDown::from_spec(GameSpec::parse("touchdown:5x4")?)?;
    solved(session, &game, "graded", graded)?;
    let spec = GameSpec::parse("pushfight:mini,pushers=2,pawns=1,moves=1")?;
    let game = PushFight::from_spec(spec, &|_| Err("no file is read".to_owned()))?;
    solved(session, &game, "retrograde", |game, exchange, job, sink| {
        retrograde(game, Capabilities::default().predecessors(), exchange, job, sink)
    })
}

fn solved<G: Dense>(
    session: &mut Session,
    game: &G,
    solver: &str,
    solve: impl Fn(&G, &mut dyn Exchange, &mut SharedJob<'_>, &mut dyn ScoreSink) -> Result<(), SolveError>,
) -> Result<(), Failure> {
    let (began, before) = (Instant::now(), session.traffic().0);
    solve(game, session, &mut SharedJob::new(4 << 30, &Silent), &mut Unkept)?;
    let (seconds, sent) = (began.elapsed().as_secs_f64(), session.traffic().0 - before);
    let rate = game.index_count() as f64 / seconds / 1e6;
    let text = format!("million indices/s, {}, {solver}: {seconds:.1} s", game.name());
    say(session, &format!("{rate:>10.2} {text}, {:.0} MB sent by process 0", sent as f64 / 1e6));
    Ok(())
}
