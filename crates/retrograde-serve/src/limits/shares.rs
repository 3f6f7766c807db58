//! The policy for sharing workers between clients, without threads or a clock.
//!
//! A free worker goes to the client whose requests have recently used the least worker time. So light
//! clients are served before heavy ones, regardless of how many there are or how much they request. A client
//! never has more than half of the workers of a lane, if there are at least two.
//!
//! Every client also has a debt: the same time, paid off at a fixed rate. While others wait, a client
//! whose debt exceeds its allowance is refused, and its long requests are stopped. (The debt does not decide
//! who is next, since with many clients all of them may have paid off their debts.)
//!
//! There are several lanes with separate workers, so that requests of seconds never block requests of
//! milliseconds.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::client::Client;

/// A kind of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lane {
    /// All requests, for a few milliseconds.
    Quick,
    /// Requests that were not answered by then.
    Long,
    /// Opening games.
    Opening,
}

impl Lane {
    const ALL: [Lane; 3] = [Lane::Quick, Lane::Long, Lane::Opening];
}

/// The allowance of each client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    /// The work that is paid off per second.
    pub per_second: Duration,
    /// The debt above which a client is refused.
    pub max_debt: Duration,
}

/// A running task of a client.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    number: u64,
    pub lane: Lane,
    pub client: Client,
    since: Instant,
    /// Set to stop it.
    pub ended: Arc<AtomicBool>,
}

/// The work of a client at some time.
#[derive(Clone, Copy)]
struct Account {
    /// The work that is not paid off yet.
    debt: Duration,
    /// The recent work, in seconds.
    used: f64,
    at: Instant,
}

/// The half-life of recent work, in seconds.
const HALF: f64 = 30.0;

/// The workers of a lane and its queue. `T` is a waiting request.
struct Workers<T> {
    count: usize,
    running: Vec<Run>,
    /// Waiting requests with their order of arrival.
    waiting: HashMap<Client, VecDeque<(u64, T)>>,
}

/// The number of accounts above which old ones are forgotten.
const MAX_ACCOUNTS: usize = 1 << 16;
const FORGET_AFTER: Duration = Duration::from_secs(120);
/// The maximum debt in allowances, so that a client that stops is forgiven in reasonable time.
const DEBT_CAP: u32 = 3;

/// The workers and queues of all lanes, and the debts.
pub(crate) struct Shares<T> {
    lanes: [Workers<T>; 3],
    accounts: HashMap<Client, Account>,
    allowance: Allowance,
    /// The maximum number of waiting requests in a lane.
    most_waiting: usize,
    numbered: u64,
}

impl<T> Shares<T> {
    /// `workers` has the numbers for [`Lane::Quick`], [`Lane::Long`] and [`Lane::Opening`].
    pub fn new(workers: [usize; 3], allowance: Allowance, most_waiting: usize) -> Shares<T> {
        let lane =
            |count: usize| Workers { count: count.max(1), running: Vec::new(), waiting: HashMap::new() };
        Shares {
            lanes: workers.map(lane),
            accounts: HashMap::new(),
            allowance,
            most_waiting: most_waiting.max(1),
            numbered: 0,
        }
    }

    /// The current account of a client, without its running tasks.
    fn account(&self, client: Client, now: Instant) -> Account {
        let new = Account { debt: Duration::ZERO, used: 0.0, at: now };
        self.accounts.get(&client).map_or(new, |account| {
            let passed = now.saturating_duration_since(account.at);
            let paid = passed.mul_f64(self.allowance.per_second.as_secs_f64());
            let used = account.used * (-passed.as_secs_f64() / HALF).exp2();
            Account { debt: account.debt.saturating_sub(paid), used, at: now }
        })
    }

    /// The work of a client's running tasks.
    fn running(&self, client: Client, now: Instant) -> Duration {
        let running = self.lanes.iter().flat_map(|lane| &lane.running).filter(|run| run.client == client);
        running.map(|run| now.saturating_duration_since(run.since)).sum()
    }

    /// Charges a client for work.
    pub fn charge(&mut self, client: Client, work: Duration, now: Instant) {
        let account = self.account(client, now);
        let debt = (account.debt + work).min(self.allowance.max_debt * DEBT_CAP);
        self.accounts.insert(client, Account { debt, used: account.used + work.as_secs_f64(), at: now });
        if self.accounts.len() > MAX_ACCOUNTS {
            self.accounts.retain(|_, account| now.saturating_duration_since(account.at) < FORGET_AFTER);
        }
    }

    /// How long a client stays above its allowance; `None` if it is not.
    pub fn above(&self, client: Client, now: Instant) -> Option<Duration> {
        let debt = self.account(client, now).debt + self.running(client, now);
        let above = debt.checked_sub(self.allowance.max_debt).filter(|above| !above.is_zero())?;
        Some(above.div_f64(self.allowance.per_second.as_secs_f64().max(1e-3)))
    }

    /// How long a client must wait if it is above its allowance and others wait; otherwise `None`.
    pub fn delay_for_others(&self, client: Client, now: Instant) -> Option<Duration> {
        let others = self.lanes.iter().flat_map(|lane| lane.waiting.keys()).any(|other| *other != client);
        if others { self.above(client, now) } else { None }
    }

    /// Adds a request to the queue. If the queue is full, returns this request, or one of the client with the
    /// most waiting requests.
    pub fn wait(&mut self, client: Client, lane: Lane, question: T) -> Option<T> {
        self.numbered += 1;
        let number = self.numbered;
        let full = self.is_full(lane);
        let workers = &mut self.lanes[lane as usize];
        let own = workers.waiting.get(&client).map_or(0, VecDeque::len);
        let mut given_back = None;
        if full {
            let longest = workers.waiting.iter_mut().max_by_key(|(_, queue)| queue.len());
            match longest.filter(|(_, queue)| queue.len() > own + 1) {
                Some((_, queue)) => given_back = queue.pop_back().map(|(_, last)| last),
                None => return Some(question),
            }
        }
        workers.waiting.entry(client).or_default().push_back((number, question));
        given_back
    }

    /// Whether the queue of a lane is full.
    pub fn is_full(&self, lane: Lane) -> bool {
        let waiting = &self.lanes[lane as usize].waiting;
        waiting.values().map(VecDeque::len).sum::<usize>() >= self.most_waiting
    }

    /// Removes abandoned requests from the queues.
    pub fn retain(&mut self, wanted: impl Fn(&T) -> bool) {
        for lane in &mut self.lanes {
            for queue in lane.waiting.values_mut() {
                queue.retain(|(_, question)| wanted(question));
            }
            lane.waiting.retain(|_, queue| !queue.is_empty());
        }
    }

    /// Assigns a free worker of a lane to the next request.
    pub fn next(&mut self, lane: Lane, now: Instant) -> Option<(T, Run)> {
        let workers = &self.lanes[lane as usize];
        if workers.running.len() >= workers.count {
            return None;
        }
        let share = (workers.count / 2).max(1);
        let has_share =
            |client: Client| workers.running.iter().filter(|run| run.client == client).count() >= share;
        let order = |client: Client, queue: &VecDeque<(u64, T)>| {
            let used = self.account(client, now).used + self.running(client, now).as_secs_f64();
            (used, queue.front().map_or(u64::MAX, |(number, _)| *number))
        };
        let waiting = workers.waiting.iter().filter(|(client, _)| !has_share(**client));
        let next = waiting.map(|(client, queue)| (order(*client, queue), *client));
        let (_, client) =
            next.min_by(|((a, first), _), ((b, second), _)| a.total_cmp(b).then(first.cmp(second)))?;
        self.numbered += 1;
        let run = Run { number: self.numbered, lane, client, since: now, ended: Arc::default() };
        let workers = &mut self.lanes[lane as usize];
        let queue = workers.waiting.get_mut(&client)?;
        let (_, question) = queue.pop_front()?;
        if queue.is_empty() {
            workers.waiting.remove(&client);
        }
        workers.running.push(run.clone());
        Some((question, run))
    }

    /// Frees a worker and charges its client.
    pub fn leave(&mut self, run: &Run, now: Instant) {
        let running = &mut self.lanes[run.lane as usize].running;
        let before = running.len();
        running.retain(|other| other.number != run.number);
        if running.len() < before {
            self.charge(run.client, now.saturating_duration_since(run.since), now);
        }
    }

    /// Stops tasks of clients above their allowance while a client within its allowance waits in vain.
    pub fn make_room(&self, now: Instant) {
        for lane in Lane::ALL {
            let workers = &self.lanes[lane as usize];
            let in_vain = |client: &Client| self.above(*client, now).is_none();
            if workers.running.len() < workers.count || !workers.waiting.keys().any(in_vain) {
                continue;
            }
            for run in workers.running.iter().filter(|run| self.above(run.client, now).is_some()) {
                run.ended.store(true, Ordering::Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX_DEBT: Duration = Duration::from_secs(10);

    fn shares(workers: [usize; 3], waiting: usize) -> Shares<&'static str> {
        let allowance = Allowance { per_second: Duration::from_millis(500), max_debt: MAX_DEBT };
        Shares::new(workers, allowance, waiting)
    }

    fn client(number: u8) -> Client {
        Client::of([192, 0, 2, number].into())
    }

    const HONEST: u8 = 200;

    #[test]
    fn clients_with_little_work_go_first_however_many_others_wait() {
        let mut shares = shares([1, 1, 1], 256);
        let start = Instant::now();
        for hostile in 0..16 {
            shares.charge(client(hostile), Duration::from_millis(50), start);
            for _ in 0..10 {
                assert!(shares.wait(client(hostile), Lane::Quick, "much").is_none());
            }
        }
        let (_, busy) = shares.next(Lane::Quick, start).unwrap();
        assert!(shares.wait(client(HONEST), Lane::Quick, "little").is_none());
        assert!(shares.next(Lane::Quick, start).is_none(), "the only worker is busy");
        // Each time, the first free worker goes to the honest client.
        let (mut run, mut now) = (busy, start);
        for _ in 0..100 {
            now += Duration::from_millis(20);
            shares.leave(&run, now);
            let (question, honest) = shares.next(Lane::Quick, now).unwrap();
            assert_eq!((question, honest.client), ("little", client(HONEST)));
            now += Duration::from_millis(2);
            shares.leave(&honest, now);
            (_, run) = shares.next(Lane::Quick, now).unwrap();
            now += Duration::from_millis(40);
            assert!(shares.wait(client(HONEST), Lane::Quick, "little").is_none());
        }
    }

    #[test]
    fn clients_with_equal_work_are_served_in_turn() {
        let mut shares = shares([1, 1, 1], 256);
        let mut now = Instant::now();
        for _ in 0..4 {
            for number in 0..3 {
                assert!(shares.wait(client(number), Lane::Long, "").is_none());
            }
        }
        let mut served = Vec::new();
        while let Some((_, run)) = shares.next(Lane::Long, now) {
            served.push(run.client);
            now += Duration::from_secs(1);
            shares.leave(&run, now);
        }
        let rounds: Vec<_> = served.chunks(3).map(<[Client]>::to_vec).collect();
        assert_eq!(rounds.len(), 4);
        for round in rounds {
            assert!((0..3).all(|number| round.contains(&client(number))), "{round:?}");
        }
    }

    #[test]
    fn one_client_has_half_of_the_workers_at_most() {
        let mut shares = shares([4, 1, 1], 256);
        let now = Instant::now();
        for _ in 0..4 {
            assert!(shares.wait(client(1), Lane::Quick, "").is_none());
        }
        assert!(shares.next(Lane::Quick, now).is_some() && shares.next(Lane::Quick, now).is_some());
        assert!(shares.next(Lane::Quick, now).is_none());
        assert!(shares.wait(client(2), Lane::Quick, "").is_none());
        assert_eq!(shares.next(Lane::Quick, now).unwrap().1.client, client(2));
        // Other lanes have separate workers.
        assert!(shares.wait(client(1), Lane::Opening, "").is_none());
        assert!(shares.next(Lane::Opening, now).is_some());
    }

    #[test]
    fn a_client_above_its_allowance_yields_only_to_others() {
        let mut shares = shares([1, 1, 1], 256);
        let now = Instant::now();
        shares.charge(client(1), MAX_DEBT + Duration::from_secs(2), now);
        assert_eq!(shares.delay_for_others(client(1), now), None, "there are no other clients");
        assert!(shares.wait(client(2), Lane::Long, "").is_none());
        assert_eq!(shares.delay_for_others(client(2), now), None);
        // Two seconds of work, paid off at half a second per second.
        let wait = shares.delay_for_others(client(1), now).unwrap();
        assert!((wait.as_secs_f64() - 4.0).abs() < 1e-6, "{wait:?}");
        assert_eq!(shares.delay_for_others(client(1), now + wait), None);
        // Any debt is forgiven eventually.
        shares.charge(client(1), MAX_DEBT * 1000, now);
        assert_eq!(shares.above(client(1), now).unwrap(), MAX_DEBT * 2 * (DEBT_CAP - 1));
    }

    #[test]
    fn a_long_question_yields_once_its_allowance_is_used_up() {
        let mut shares = shares([1, 1, 1], 256);
        let start = Instant::now();
        assert!(shares.wait(client(1), Lane::Long, "").is_none());
        let (_, run) = shares.next(Lane::Long, start).unwrap();
        let ended = || run.ended.load(Ordering::Relaxed);
        let late = start + MAX_DEBT + Duration::from_secs(1);
        shares.make_room(late);
        assert!(!ended(), "no client waits");
        assert!(shares.wait(client(2), Lane::Long, "").is_none());
        shares.make_room(start + Duration::from_secs(1));
        assert!(!ended(), "it is within its allowance");
        shares.make_room(late);
        assert!(ended());
    }

    #[test]
    fn a_full_queue_accepts_clients_with_fewer_entries() {
        let mut shares = shares([1, 1, 1], 4);
        for _ in 0..4 {
            assert!(shares.wait(client(1), Lane::Quick, "much").is_none());
        }
        assert_eq!(shares.wait(client(1), Lane::Quick, "more"), Some("more"));
        assert_eq!(shares.wait(client(2), Lane::Quick, "little"), Some("much"));
        assert_eq!(shares.wait(client(2), Lane::Quick, "as much"), Some("much"));
        assert_eq!(shares.wait(client(2), Lane::Quick, "too much"), Some("too much"));
        shares.retain(|question| *question == "as much");
        let now = Instant::now();
        let (question, run) = shares.next(Lane::Quick, now).unwrap();
        assert_eq!((question, run.client), ("as much", client(2)));
        shares.leave(&run, now);
        assert!(shares.next(Lane::Quick, now).is_none());
    }
}
