//! The queue of positions, by priority and then by arrival, and the positions that are being analysed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use parking_lot::{Condvar, Mutex};
use retrograde_explore::OpenGame;
use serde_json::Value as Json;

use super::query::Questions;
use crate::{PlayedGame, StopSignal};

/// The capacity of the queue; when it is full, no more queries are read until some are answered.
const MAX_WAITING: usize = 10_000;

/// A parsed query.
pub(super) struct Query {
    pub(super) id: Json,
    pub(super) game: Arc<OpenGame>,
    pub(super) played: PlayedGame,
    pub(super) wanted: Questions,
}

/// One position of a query.
pub(super) struct Task {
    pub(super) query: Arc<Query>,
    pub(super) turn_number: usize,
    pub(super) stop: StopSignal,
    /// Its place in the order of arrival.
    number: u64,
}

/// The state shared by all threads.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// Signals that there is work, or that the queue is closed.
    work: Condvar,
    /// Signals that there is room, or that the output is closed.
    room: Condvar,
}

#[derive(Default)]
struct State {
    /// By priority, the highest first, and then by number.
    waiting: BTreeMap<(Reverse<i64>, u64), Task>,
    /// The positions being analysed: number, id, turn, signal.
    running: Vec<(u64, Json, usize, StopSignal)>,
    /// The numbers of positions without an answer, by the id of their query as text.
    unanswered: HashMap<String, usize>,
    coming: u64,
    closed: bool,
}

impl State {
    /// Removes a position of this query from the count.
    fn forget(&mut self, id: &Json) {
        let id = id.to_string();
        if let Some(count) = self.unanswered.get_mut(&id) {
            *count -= 1;
            if *count == 0 {
                self.unanswered.remove(&id);
            }
        }
    }
}

/// The positions that an action applies to.
pub(super) struct Selection<'a> {
    /// The query; `None` for all queries.
    pub(super) id: Option<&'a Json>,
    /// The numbers of turns; `None` for all.
    pub(super) turns: Option<&'a [usize]>,
}

impl Selection<'_> {
    fn has(&self, id: &Json, turn: usize) -> bool {
        self.id.is_none_or(|own| own == id) && self.turns.is_none_or(|turns| turns.contains(&turn))
    }
}

impl Queue {
    /// Whether a query with this id has no complete answer yet.
    pub(super) fn has(&self, id: &Json) -> bool {
        self.state.lock().unanswered.contains_key(&id.to_string())
    }

    /// Adds positions of a query; blocks until there is room.
    pub(super) fn add(&self, query: &Arc<Query>, turn_numbers: Vec<usize>) {
        let mut state = self.state.lock();
        while state.waiting.len() >= MAX_WAITING && !state.closed {
            self.room.wait(&mut state);
        }
        *state.unanswered.entry(query.id.to_string()).or_default() += turn_numbers.len();
        for turn_number in turn_numbers {
            let number = state.coming;
            state.coming += 1;
            let query = Arc::clone(query);
            let place = (Reverse(query.wanted.priority), number);
            let task = Task { query, turn_number, stop: StopSignal::default(), number };
            state.waiting.insert(place, task);
        }
        self.work.notify_all();
    }

    /// The next position; blocks until there is one. `None` if the queue is closed.
    pub(super) fn next(&self) -> Option<Task> {
        let mut state = self.state.lock();
        loop {
            if let Some((_, task)) = state.waiting.pop_first() {
                let running = (task.number, task.query.id.clone(), task.turn_number, task.stop.clone());
                state.running.push(running);
                self.room.notify_one();
                return Some(task);
            }
            if state.closed {
                return None;
            }
            self.work.wait(&mut state);
        }
    }

    /// Marks a position as answered. Called before the answer is written, so that a client that reads the last
    /// answer of a query may reuse its id.
    pub(super) fn done(&self, task: &Task) {
        let mut state = self.state.lock();
        state.running.retain(|(number, ..)| *number != task.number);
        state.forget(&task.query.id);
    }

    /// Cancels positions. Returns those whose analysis has not started, and the number of the others.
    pub(super) fn stop(&self, which: &Selection<'_>) -> (Vec<Task>, usize) {
        let mut state = self.state.lock();
        let waiting = std::mem::take(&mut state.waiting).into_iter();
        let (ended, kept): (BTreeMap<_, _>, _) =
            waiting.partition(|(_, task)| which.has(&task.query.id, task.turn_number));
        state.waiting = kept;
        let ended: Vec<Task> = ended.into_values().collect();
        for task in &ended {
            state.forget(&task.query.id);
        }
        let running = state.running.iter().filter(|(_, id, turn, _)| which.has(id, *turn));
        let count = running.inspect(|(.., stop)| stop.stop()).count();
        self.room.notify_all();
        (ended, count)
    }

    /// Whether the queue no longer accepts positions.
    pub(super) fn is_closed(&self) -> bool {
        self.state.lock().closed
    }

    /// Closes the queue.
    pub(super) fn close(&self) {
        self.state.lock().closed = true;
        self.work.notify_all();
        self.room.notify_all();
    }
}
