//! Counts what each client holds: connections, or bytes in flight.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::client::Client;

/// The amounts that clients hold.
#[derive(Clone, Default)]
pub(crate) struct Tally(Arc<Mutex<Counts>>);

/// The amounts of a tally.
#[derive(Default)]
pub(super) struct Counts {
    pub all: u64,
    pub by_client: HashMap<Client, u64>,
}

/// An amount that counts until it is dropped.
pub(crate) struct Held {
    of: Tally,
    client: Client,
    amount: u64,
}

impl Tally {
    /// Counts an amount, if that is allowed for a client that already holds the first number, when all
    /// clients together hold the second.
    pub fn hold(
        &self,
        client: Client,
        amount: u64,
        is_allowed: impl FnOnce(u64, u64) -> bool,
    ) -> Option<Held> {
        let mut counts = self.0.lock();
        let own = counts.by_client.get(&client).copied().unwrap_or(0);
        if !is_allowed(own, counts.all) {
            return None;
        }
        counts.all += amount;
        counts.by_client.insert(client, own + amount);
        Some(Held { of: self.clone(), client, amount })
    }

    #[cfg(test)]
    pub(super) fn counts(&self) -> parking_lot::MutexGuard<'_, Counts> {
        self.0.lock()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut counts = self.of.0.lock();
        counts.all -= self.amount;
        if let Some(own) = counts.by_client.get_mut(&self.client) {
            *own -= self.amount;
            if *own == 0 {
                counts.by_client.remove(&self.client);
            }
        }
    }
}
