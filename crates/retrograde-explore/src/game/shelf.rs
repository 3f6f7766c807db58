//! Keeps games open within a limit on their number and memory, for programs that open any game by
//! name: a server, an engine.

/// Open games by name. The least recently used one is closed first.
#[derive(Debug)]
pub struct Shelf<T> {
    /// The least recently used first.
    games: Vec<KeptGame<T>>,
    max_games: usize,
    memory: u64,
}

#[derive(Debug)]
struct KeptGame<T> {
    name: String,
    game: T,
    memory: u64,
}

impl<T> Shelf<T> {
    /// Keeps at most `max_games` games, which together take at most `memory` bytes.
    pub fn new(max_games: usize, memory: u64) -> Shelf<T> {
        Shelf { games: Vec::new(), max_games: max_games.max(1), memory }
    }

    /// The open game with this name, which becomes the most recently used.
    pub fn get(&mut self, name: &str) -> Option<&T> {
        let at = self.games.iter().position(|kept| kept.name == name)?;
        let kept = self.games.remove(at);
        self.games.push(kept);
        self.games.last().map(|kept| &kept.game)
    }

    /// Keeps a game that can take `memory` bytes ([`OpenGame::memory`](crate::OpenGame::memory)) in
    /// place of another of that name, and closes others until all fit. This one stays open even if it
    /// is too large by itself.
    pub fn keep(&mut self, name: String, game: T, memory: u64) {
        self.games.retain(|kept| kept.name != name);
        self.games.push(KeptGame { name, game, memory });
        let mut closed = 0;
        while self.games.len() - closed > 1
            && (self.games.len() - closed > self.max_games || memory_of(&self.games[closed..]) > self.memory)
        {
            closed += 1;
        }
        self.games.drain(..closed);
    }

    /// Whether a game of this name is open.
    pub fn has(&self, name: &str) -> bool {
        self.games.iter().any(|kept| kept.name == name)
    }

    /// The open games.
    pub fn games(&self) -> impl Iterator<Item = &T> {
        self.games.iter().map(|kept| &kept.game)
    }

    /// The maximum memory of the open games in bytes.
    pub fn memory(&self) -> u64 {
        memory_of(&self.games)
    }
}

fn memory_of<T>(games: &[KeptGame<T>]) -> u64 {
    games.iter().fold(0, |sum, kept| sum.saturating_add(kept.memory))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_used_least_recently_is_closed_first() {
        let mut shelf = Shelf::new(3, 100);
        let open = |shelf: &Shelf<u64>| shelf.games().copied().collect::<Vec<u64>>();
        for size in [10, 20, 30] {
            shelf.keep(size.to_string(), size, size);
        }
        assert_eq!(shelf.get("10"), Some(&10));
        assert_eq!(shelf.get("nothing"), None);
        assert_eq!(shelf.memory(), 60);
        shelf.keep("40".to_owned(), 40, 40);
        assert_eq!(open(&shelf), [30, 10, 40], "at most three");
        shelf.keep("60".to_owned(), 60, 60);
        assert_eq!(open(&shelf), [40, 60], "at most 100 bytes");
        shelf.keep("40".to_owned(), 41, 40);
        assert_eq!(open(&shelf), [60, 41], "one game of a name");
        shelf.keep("1000".to_owned(), 1000, 1000);
        assert_eq!(open(&shelf), [1000], "the newest stays");
        assert!(shelf.has("1000") && !shelf.has("60"));
    }
}
