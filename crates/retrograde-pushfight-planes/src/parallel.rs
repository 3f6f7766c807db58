//! Work shared by threads, item by item.

use parking_lot::Mutex;

/// Calls `act` on each item, on several threads.
pub(crate) fn for_each_parallel<T: Send>(threads: usize, items: Vec<T>, act: impl Fn(T) + Sync) {
    let items = Mutex::new(items.into_iter());
    let next = || items.lock().next();
    let work = || {
        while let Some(item) = next() {
            act(item);
        }
    };
    retrograde_solve::on_threads(threads, work);
}
