//! Work shared by threads.

use std::sync::Mutex;

/// Does something with each item, on several threads.
pub(crate) fn shared<T: Send>(threads: usize, items: Vec<T>, act: impl Fn(T) + Sync) {
    let items = Mutex::new(items.into_iter());
    let next = || items.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
    let work = || {
        while let Some(item) = next() {
            act(item);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
}
